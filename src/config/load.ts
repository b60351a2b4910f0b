// Reads a cms.config file from any folder. A configuration may use `colophon/config` although nothing is installed
// beside it, and reading it again after a change must give the new text: module hooks do both.
import { existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { createRequire, registerHooks } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { siblingUrl } from '../lib/sibling.ts';
import { LOAD_LIMIT_MS, loadWithin } from './load-within.ts';
import { ConfigError, parseConfig } from './parse.ts';
import { describeError, describeJsonError } from './place-of-error.ts';
import type { SiteConfig } from './site-config.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json'];

/**
 * Marks the addresses of a configuration and of the files that it imports; the number makes each reading a new module.
 */
const MARK = 'colophon-config';

const OWN_MODULES: Record<string, string> = {
  colophon: siblingUrl(import.meta.url, '../cms').href,
  'colophon/config': siblingUrl(import.meta.url, './define').href,
};

const { cache: commonJsModules } = createRequire(import.meta.url);
let readings = 0;
let hooked = false;

/** The checked configuration of a file. @throws ConfigError with every problem if it cannot be used. */
export async function loadConfig(path: string, limitMs = LOAD_LIMIT_MS): Promise<SiteConfig> {
  const file = resolve(path);
  const extension = extname(file);
  if (!EXTENSIONS.includes(extension))
    throw unreadable(file, `expected a file that ends with ${EXTENSIONS.join(', ')}`);
  await access(file).catch((cause) => {
    throw unreadable(file, cause.code === 'ENOENT' ? noSuchFile(file) : `cannot be read (${cause.code})`, cause);
  });
  return extension === '.json' ? parseConfig(await readJson(file), file) : await importConfig(file, limitMs);
}

/** The usual cause: the command runs in a folder that is not the site's. */
function noSuchFile(file: string): string {
  return `there is no such file; name it with CMS_CONFIG_PATH or --config${existsSync(dirname(file)) ? '' : ` (nor a folder ${dirname(file)})`}`;
}

async function readJson(file: string): Promise<unknown> {
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(file, describeJsonError(cause as SyntaxError, text, file), cause);
  }
}

async function importConfig(file: string, limitMs: number): Promise<SiteConfig> {
  installHooks();
  const url = pathToFileURL(file);
  url.searchParams.set(MARK, String(++readings));
  try {
    // Parsed inside the limit, because a getter is the author's code too.
    return await loadWithin(limitMs, async () => parseDefault(await (await import(url.href)).default, file));
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    // Whatever the author's code throws, including a syntax error, is a problem of the configuration and not a bug.
    throw unreadable(file, describeError(cause, file), cause);
  }
}

function parseDefault(found: unknown, file: string): SiteConfig {
  if (found === undefined) throw unreadable(file, 'the file has no default export');
  return parseConfig(found, file);
}

function unreadable(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError([{ path: '', message }], file, { cause });
}

function installHooks(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const own = Object.hasOwn(OWN_MODULES, specifier) ? OWN_MODULES[specifier] : undefined;
      if (own) return { url: own, shortCircuit: true };
      const resolved = nextResolve(specifier, context);
      const reading = readingOf(specifier) ?? (specifier.startsWith('.') ? readingOf(context.parentURL) : undefined);
      if (reading === undefined || !resolved.url.startsWith('file:')) return resolved;
      const url = new URL(resolved.url);
      url.searchParams.set(MARK, reading);
      // Node caches CommonJS modules by file name, whatever the address says.
      delete commonJsModules[fileURLToPath(url)];
      return { ...resolved, url: url.href };
    },
  });
}

function readingOf(url: string | undefined): string | undefined {
  if (!url?.startsWith('file:')) return undefined;
  return new URL(url).searchParams.get(MARK) ?? undefined;
}
