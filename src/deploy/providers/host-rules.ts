// The redirects and headers of a site in the form that its host reads. A redirect never hides a file, and never leads to
// one that is not in the output. The same site gives the same files, so that an unchanged site stays unchanged.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Redirect } from '../../build/build.ts';
import { NOINDEX_LINES, parseHeaderLines } from '../rules/header-lines.ts';
import { parseRedirectLines, type RedirectRule, toAddress, toRedirectLine } from '../rules/redirect-lines.ts';
import { toRedirectPage } from '../rules/redirect-page.ts';
import { parseVercelJson, toVercelJson } from '../rules/vercel-json.ts';
import { HostError } from './host-error.ts';
import type { PublishedFile, RulesForm } from './provider.ts';

export interface RulesRequest {
  form: RulesForm;
  /** Of the build. */
  files: readonly PublishedFile[];
  /** The newest first. */
  redirects: readonly Redirect[];
  isPreview: boolean;
  /** An empty folder for the files that are made. */
  folder: string;
  log(line: string): void;
}

/** Cloudflare's limit; the others have a similar one. */
const MAX_REDIRECTS = 2000;

/**
 * The files to publish, sorted by path: those of the build, and what the host needs beside them or in their place.
 * @throws HostError `refused_input` if the build's own rules cannot be read
 */
export async function withHostRules(request: RulesRequest): Promise<PublishedFile[]> {
  const site = createSite(request.files);
  const redirects = usefulRedirects(request, site);
  if (request.form === 'redirects-file') return toRuleFiles(request, site, redirects);
  if (request.form === 'vercel-json') return toVercelFiles(request, site, redirects);
  if (request.form === 'pages') return toPages(request, site, redirects);
  return [...request.files];
}

interface Site {
  files: ReadonlyMap<string, PublishedFile>;
  /** True if the host has something to show at this path. */
  has(path: string): boolean;
  /** True if a page can be written there: no part leads out, and no file is in the place of a folder. */
  isFree(path: string): boolean;
  read(name: string): Promise<string>;
}

function createSite(all: readonly PublishedFile[]): Site {
  const files = new Map(all.map((file) => [file.path, file]));
  const hasPlain = (path: string): boolean => {
    const name = path.replace(/^\/+|\/+$/g, '');
    if (name === '') return files.has('index.html');
    return files.has(`${name}/index.html`) || files.has(`${name}.html`) || files.has(name);
  };
  return {
    files,
    has: (path) => hasPlain(path) || hasPlain(decoded(path)),
    isFree(path) {
      const parts = path.split('/').slice(1, -1);
      return parts.every(
        (part, index) => !/^\.{0,2}$|[\\\p{Cc}]/u.test(part) && !files.has(parts.slice(0, index + 1).join('/')),
      );
    },
    async read(name) {
      const file = files.get(name);
      return file ? readFile(file.file, 'utf8') : '';
    },
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

function usefulRedirects({ redirects }: RulesRequest, site: Site): Redirect[] {
  const newest = new Map<string, Redirect>();
  for (const redirect of redirects) if (!newest.has(redirect.from)) newest.set(redirect.from, redirect);
  return [...newest.values()].filter(({ from, to }) => !site.has(from) && site.has(to));
}

async function toRuleFiles(
  request: RulesRequest,
  site: Site,
  redirects: readonly Redirect[],
): Promise<PublishedFile[]> {
  const made: PublishedFile[] = [];
  const built = await site.read('_redirects');
  const { rules, unknown } = parseRedirectLines(built);
  const taken = new Set(rules.map(({ from }) => from));
  const ours = redirects.filter(({ from }) => !taken.has(from) && !taken.has(from.replace(/\/$/, '')));
  const space = Math.max(0, MAX_REDIRECTS - rules.length - unknown.length);
  reportLeftOut(ours.length - space, request);
  const lines = ours.slice(0, space).map(toRedirectLine);
  if (lines.length > 0) made.push(await make(request, '_redirects', ended(built) + lines.join('')));
  if (request.isPreview) made.push(await make(request, '_headers', ended(await site.read('_headers')) + NOINDEX_LINES));
  return merged(request.files, made);
}

async function toVercelFiles(
  request: RulesRequest,
  site: Site,
  redirects: readonly Redirect[],
): Promise<PublishedFile[]> {
  const text = await site.read('vercel.json');
  const built = text === '' ? {} : parseVercelJson(text);
  if (!built)
    throw new HostError(
      'refused_input',
      'the build wrote a "vercel.json" that is not a JSON object; correct or remove it',
    );
  const lines = parseRedirectLines(await site.read('_redirects'));
  const headers = parseHeaderLines(await site.read('_headers'));
  // Vercel looks at redirects before it looks at files.
  const redirectRules = lines.rules.filter(({ from, isForced }) => isForced || from.includes('*') || !site.has(from));
  const taken = new Set(redirectRules.map(({ from }) => from.replace(/\/$/, '')));
  const ours = redirects.filter(({ from }) => !taken.has(from.replace(/\/$/, '')));
  const parts = { built, redirectRules, headerRules: headers.rules, redirects: ours, isPreview: request.isPreview };
  const result = toVercelJson(parts);
  reportLeftOut(result.leftOut, request);
  reportUnknown([...lines.unknown, ...headers.unknown, ...result.unknown], request);
  const files = request.files.filter(({ path }) => path !== '_redirects' && path !== '_headers');
  return result.text === '{}\n' ? files : merged(files, [await make(request, 'vercel.json', result.text)]);
}

async function toPages(request: RulesRequest, site: Site, redirects: readonly Redirect[]): Promise<PublishedFile[]> {
  const lines = parseRedirectLines(await site.read('_redirects'));
  const built = lines.rules.filter((rule) => isPageRule(rule, site));
  reportUnknown(
    [...lines.unknown, ...lines.rules.filter((rule) => !built.includes(rule)).map(({ from }) => from)],
    request,
  );
  // The first of an address wins, as in the file.
  const all = new Map<string, string>();
  const ours = redirects.map(({ from, to }) => ({ from, to: toAddress(to) }));
  for (const { from, to } of [...built, ...ours]) {
    const path = `/${decoded(from).replace(/^\/+|\/+$/g, '')}/`;
    if (!all.has(path) && site.isFree(path)) all.set(path, to);
  }
  const made: PublishedFile[] = [];
  for (const [from, to] of all) {
    made.push(await make(request, `${from.slice(1)}index.html`, toRedirectPage(from, to, request)));
  }
  return merged(request.files, made);
}

/** True if a page can do what the rule does. */
function isPageRule({ from, to, status }: RedirectRule, site: Site): boolean {
  const isPlain = !/[*:]/.test(from) && !to.includes('/:') && !from.includes('/../') && !from.endsWith('.html');
  return isPlain && status >= 301 && status <= 308 && !site.has(from);
}

function reportLeftOut(count: number, { log }: RulesRequest): void {
  if (count > 0) log(`${count} redirects are over the limit of the host and were left out, the oldest first`);
}

function reportUnknown(lines: readonly string[], { log }: RulesRequest): void {
  if (lines.length > 0)
    log(`the host cannot do ${lines.length} rules of the build, such as "${lines[0]}"; they were left out`);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

async function make({ folder }: RulesRequest, path: string, text: string): Promise<PublishedFile> {
  const bytes = Buffer.from(text);
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return { path, file, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Files that were made take the place of those of the build. */
function merged(files: readonly PublishedFile[], made: readonly PublishedFile[]): PublishedFile[] {
  const all = new Map([...files, ...made].map((file) => [file.path, file]));
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
