// Which file, or which redirect, a request for a path of the site gets. Pure but for the lookups that it is given.
import type { HeaderRules } from './header-rules.ts';
import type { RedirectRules } from './redirects.ts';

export interface ServedFile {
  sha256: string;
  sizeBytes: number;
}

/** A tree as it is served. */
export interface SiteTree {
  /** Undefined unless it is a file. Paths are those of `filePathProblem`. */
  find(path: string): ServedFile | undefined | Promise<ServedFile | undefined>;
  /** Absolute path of a file's bytes. */
  fileAt(path: string): string;
}

export interface SiteRules {
  redirects: RedirectRules;
  headers: HeaderRules;
}

export type Resolved =
  | { kind: 'file'; path: string; file: ServedFile; status: number }
  | { kind: 'redirect'; status: number; location: string }
  | { kind: 'missing' };

export interface ResolveRequest {
  /** As it was sent, without the query. */
  pathname: string;
  query: string;
  host: string;
}

/** The decoded segments of a path, or undefined if nothing can have this path. @throws URIError */
export function parseSitePath(pathname: string): string[] | undefined {
  if (!pathname.startsWith('/') || pathname.includes('\\')) return undefined;
  const segments = pathname.slice(1).split('/').map(decodeURIComponent);
  const isPossible = segments.every(
    (segment, at) =>
      (segment !== '' || at === segments.length - 1) && segment !== '.' && segment !== '..' && !/[/\\\0]/.test(segment),
  );
  return isPossible ? segments : undefined;
}

/** Files about the site, and whatever begins with a dot, are not part of it. */
export function isHidden(segments: readonly string[]): boolean {
  const [first = ''] = segments;
  if (segments.length === 1 && (first === '_redirects' || first === '_headers')) return true;
  return segments.some((segment, at) => segment.startsWith('.') && !(at === 0 && segment === '.well-known'));
}

export async function resolve(
  tree: SiteTree,
  { redirects }: SiteRules,
  { pathname, query, host }: ResolveRequest,
): Promise<Resolved> {
  const segments = parseSitePath(pathname);
  if (!segments) return { kind: 'missing' };
  const byRule = async (isForced: boolean): Promise<Resolved | undefined> => {
    const answer = redirects.find({ segments, query, host }, isForced);
    if (!answer) return undefined;
    const { status, to } = answer;
    if (status >= 300 && status < 400) return { kind: 'redirect', status, location: to };
    const shown = await findPage(tree, shownSegments(to));
    return shown?.kind === 'file' ? { ...shown, status } : undefined;
  };
  const forced = redirects.hasForced ? await byRule(true) : undefined;
  if (forced) return forced;
  const page = await findPage(tree, segments);
  if (page?.kind === 'folder') {
    return { kind: 'redirect', status: 301, location: `${pathname}/${query === '' ? '' : `?${query}`}` };
  }
  return page ?? (await byRule(false)) ?? { kind: 'missing' };
}

type FoundPage = { kind: 'file'; path: string; file: ServedFile; status: number } | { kind: 'folder' };

/** `/a/` is `a/index.html`; `/a` is the file `a`, else `a.html`, else the folder `a`. */
async function findPage(tree: SiteTree, segments: readonly string[] | undefined): Promise<FoundPage | undefined> {
  if (!segments || isHidden(segments)) return undefined;
  const path = segments.join('/');
  const candidates = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  for (const candidate of candidates) {
    const file = await tree.find(candidate);
    if (file) return { kind: 'file', path: candidate, file, status: 200 };
  }
  return !path.endsWith('/') && path !== '' && (await tree.find(`${path}/index.html`)) ? { kind: 'folder' } : undefined;
}

/** The paths at which `findPage` finds a file, the folder's own path among them: it leads to the page. */
export function addressesOf(file: string): string[][] {
  const plain = file.replace(/\.html$/, '');
  const folder = plain.replace(/(^|\/)index$/, '');
  const all = [file, plain, ...(folder === plain || plain === file ? [] : [folder, `${folder}/`])];
  return all.map((path) => path.replace(/^\//, '').split('/'));
}

/** The page that a rule shows: at its own path, without query and fragment. */
function shownSegments(to: string): string[] | undefined {
  try {
    const segments = parseSitePath(to.replace(/[?#].*$/s, ''));
    return segments;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}
