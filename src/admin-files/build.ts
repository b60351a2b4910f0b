// Builds the admin's browser program: bundled, with hashed names, compressed, and within its budgets. A folder is there
// whole or not at all. It must not be imported by the service, which builds in a process of its own.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { BUDGETS } from './budgets.ts';
import { fewFiles, findKit } from './few-files.ts';
import { readHelp } from './help.ts';
import { type AdminManifest, MANIFEST } from './manifest.ts';
import { withoutParser } from './only-lexer.ts';
import { readScreens } from './screens.ts';
import { hashSources, helpFolderOf } from './sources.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const ENTRY = 'main.tsx';
const STYLE = 'styles/main.css';
const ROUTES = 'routes.tsx';
/** Runs in previews of the site's theme, where it is part of the page: one file, no module. */
const PREVIEW_ENTRY = 'preview-page/main.ts';

/** @throws Error if the sources do not compile, or a budget is exceeded; then `outFolder` is as it was. */
export async function buildAdmin(sourceFolder: string, outFolder: string): Promise<AdminManifest> {
  const made = `${outFolder}.${randomBytes(6).toString('hex')}`;
  try {
    const options = optionsFor(sourceFolder, made);
    const apart = await build({ ...options(), sourcemap: false, write: false });
    const { metafile } = await build(options(findKit(apart.metafile.outputs)));
    const preview = await build({
      absWorkingDir: sourceFolder,
      entryPoints: [PREVIEW_ENTRY],
      outdir: made,
      entryNames: 'preview-[hash]',
      ...{ bundle: true, minify: true, metafile: true, format: 'iife', target: 'es2023' },
      legalComments: 'linked',
      logLevel: 'silent',
    });
    const outputs = { ...metafile.outputs, ...preview.metafile.outputs };
    const manifest = await finish(outputs, sourceFolder, made);
    fs.mkdirSync(path.dirname(outFolder), { recursive: true });
    fs.rmSync(outFolder, { recursive: true, force: true });
    fs.renameSync(made, outFolder);
    return manifest;
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

function optionsFor(sourceFolder: string, outdir: string) {
  const entry = path.join(sourceFolder, ENTRY);
  const readDoor = () => screensOf(sourceFolder).flatMap(({ place, module }) => (place === 'door' ? [module] : []));
  return (kit: readonly string[] = []) =>
    ({
      absWorkingDir: sourceFolder,
      entryPoints: [ENTRY, STYLE],
      outdir,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      ...{ bundle: true, splitting: true, minify: true, sourcemap: true, metafile: true },
      ...{ format: 'esm', target: 'es2023', jsx: 'automatic', jsxImportSource: 'preact' },
      // Advice of libraries to their users' developers, which weighs some hundred bytes; errors stay.
      pure: ['console.warn', 'console.log', 'console.info'],
      legalComments: 'linked',
      logLevel: 'silent',
      plugins: [
        fewFiles({ folder: sourceFolder, entry, kit, readDoor }),
        helpPages(helpFolderOf(sourceFolder)),
        onlyLexer(),
      ],
    }) as const satisfies BuildOptions;
}

const screensOf = (sourceFolder: string) => readScreens(fs.readFileSync(path.join(sourceFolder, ROUTES), 'utf8'));

/** The pages of the help, read from Markdown here so that no browser has to. */
function helpPages(folder: string): Plugin {
  return {
    name: 'help pages',
    setup(builder) {
      builder.onResolve({ filter: /^colophon:help$/ }, () => ({ path: folder, namespace: 'help' }));
      builder.onLoad({ filter: /^/, namespace: 'help' }, () => ({
        contents: JSON.stringify(readHelp(folder)),
        loader: 'json',
      }));
    },
  };
}

function onlyLexer(): Plugin {
  return {
    name: 'only the lexer of marked',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path: file }) => ({
        contents: withoutParser(await fs.promises.readFile(file, 'utf8')),
      }));
    },
  };
}

async function finish(outputs: Metafile['outputs'], sourceFolder: string, folder: string): Promise<AdminManifest> {
  const files: AdminManifest['files'] = {};
  for (const name of fs.readdirSync(folder)) files[name] = await compress(path.join(folder, name));
  const nameOf = (output: string): string => path.basename(output);
  const byEntry = new Map(
    Object.entries(outputs).flatMap(([output, { entryPoint }]) => (entryPoint ? [[entryPoint, output] as const] : [])),
  );
  const first = byEntry.get(ENTRY);
  const style = byEntry.get(STYLE);
  const preview = byEntry.get(PREVIEW_ENTRY);
  if (!first || !style || !preview) throw new Error(`the build has no script or no style: ${sourceFolder}`);

  const needed = (entry: string): string[] => {
    if (entry === 'styles') return [style];
    const output = byEntry.get(entry);
    if (output === undefined) throw new Error(`"${entry}" is not loaded as a screen`);
    return closure(outputs, output);
  };
  const budgets: AdminManifest['budgets'] = {};
  for (const { name, needs, after, maxBytes } of BUDGETS) {
    const scripts = needs.some((entry) => entry !== 'styles') ? closure(outputs, first) : [];
    const before = new Set(after ? [...scripts, ...after.flatMap(needed)] : []);
    const all = new Set([...scripts, ...needs.flatMap(needed)]).difference(before);
    const bytes = [...all].reduce((sum, output) => sum + files[nameOf(output)]!.gzipBytes, 0);
    if (bytes > maxBytes) throw new Error(`"${name}" takes ${bytes} bytes, ${bytes - maxBytes} more than it may`);
    budgets[name] = bytes;
  }
  const preload = closure(outputs, first).filter((output) => output !== first);
  const shell = new Set(closure(outputs, first));
  const screens = screensOf(sourceFolder).map((screen) => ({
    path: screen.path,
    scripts: needed(screen.module)
      .filter((output) => !shell.has(output))
      .map(nameOf),
  }));
  const names = { script: nameOf(first), style: nameOf(style), preview: nameOf(preview) };
  const manifest = {
    ...names,
    preload: preload.map(nameOf),
    screens,
    files,
    budgets,
    sources: hashSources(sourceFolder),
  };
  fs.writeFileSync(path.join(folder, MANIFEST), JSON.stringify(manifest, undefined, 2));
  return manifest;
}

/** A file and everything that it imports at once. */
function closure(outputs: Metafile['outputs'], output: string, seen = new Set<string>()): string[] {
  if (seen.has(output)) return [];
  seen.add(output);
  for (const { path: other, kind, external } of outputs[output]!.imports) {
    if (kind === 'import-statement' && !external) closure(outputs, other, seen);
  }
  return [...seen];
}

async function compress(file: string): Promise<AdminManifest['files'][string]> {
  const bytes = fs.readFileSync(file);
  const [small, smaller] = await Promise.all([gzip(bytes, { level: 9 }), brotli(bytes)]);
  fs.writeFileSync(`${file}.gz`, small);
  fs.writeFileSync(`${file}.br`, smaller);
  return { sizeBytes: bytes.length, gzipBytes: small.length };
}
