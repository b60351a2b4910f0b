// What the library shows, as its address says it. Pure.
import type { FolderInfo, MediaFile } from '../../media/media-file.ts';

export interface MediaAddress {
  /** Empty for the whole library. */
  folder: string;
  q: string;
  /** The file whose dialog is open, as `<folder>/<name>`; empty for none. */
  file: string;
}

const ROOT = '/admin/media';

export function parseMediaAddress(url: string): MediaAddress {
  const [path = '', search = ''] = url.split('?');
  const params = new URLSearchParams(search);
  const folder = path.slice(ROOT.length).split('/').filter(Boolean).map(decode).join('/');
  return { folder, q: params.get('q') ?? '', file: params.get('file') ?? '' };
}

export function toMediaUrl({ folder, q, file }: MediaAddress): string {
  const path = [ROOT, ...folder.split('/').filter(Boolean).map(encodeURIComponent)].join('/');
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (file) params.set('file', file);
  const search = params.toString();
  return search ? `${path}?${search}` : path;
}

export function slugOf({ folder, name }: Pick<MediaFile, 'folder' | 'name'>): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

export interface SubFolder {
  path: string;
  name: string;
  /** In it and below it. */
  files: number;
}

/** The folders right below one; those that have no file themselves but some below are among them. */
export function listSubFolders(folders: readonly FolderInfo[], folder: string): SubFolder[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const counts = new Map<string, number>();
  for (const { folder: path, files } of folders) {
    if (path === '' || !path.startsWith(prefix) || path === folder) continue;
    const name = path.slice(prefix.length).split('/')[0]!;
    counts.set(name, (counts.get(name) ?? 0) + files);
  }
  return [...counts].map(([name, files]) => ({ path: prefix + name, name, files }));
}

const LETTERS: readonly (readonly [RegExp, string])[] = [
  [/ä/g, 'ae'],
  [/ö/g, 'oe'],
  [/ü/g, 'ue'],
  [/ß/g, 'ss'],
  [/[àáâãå]/g, 'a'],
  [/[èéêë]/g, 'e'],
  [/[ìíîï]/g, 'i'],
  [/[òóôõø]/g, 'o'],
  [/[ùúû]/g, 'u'],
  [/ç/g, 'c'],
  [/ñ/g, 'n'],
];

/** A folder's name as the service takes it: `Fotos 2026` is `fotos-2026`. */
export function toFolderName(text: string): string {
  return toPlain(text)
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The same for each folder of a path. */
export function toFolderPath(text: string): string {
  return text.split('/').map(toFolderName).filter(Boolean).join('/');
}

/** A file's name as the service takes it; without an extension it keeps that of `before`. Empty if nothing is left. */
export function toFileName(text: string, before: string): string {
  const typed = text.trim();
  const dot = /\.[A-Za-z0-9]{1,12}$/.exec(typed)?.index ?? typed.length;
  const stem = toPlain(typed.slice(0, dot))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const extension = typed.slice(dot) || (/\.[A-Za-z0-9]{1,12}$/.exec(before)?.[0] ?? '');
  return stem && stem + extension.toLowerCase();
}

function toPlain(text: string): string {
  return LETTERS.reduce((name, [letter, to]) => name.replace(letter, to), text.trim().toLowerCase());
}
