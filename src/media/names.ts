// Names and folders of media: turns a client's file name into one that is safe on every file system, in a URL and in
// git, and checks the names of folders.
import { slugProblem, toSlug } from '../lib/text/slug.ts';
import type { MediaType } from './media.ts';

/** Even numbered and as `.meta/<name>.json`, a name stays well below the limits of file systems. */
const STEM_BYTES = 180;
const FOLDER_BYTES = 200;
const MAX_SEGMENTS = 16;
const SEGMENT = /^[a-z0-9_-]+$/;
const EXTENSION = /^[a-z0-9]{1,16}$/;

const FOLDERS: Record<MediaType, string> = {
  image: 'images',
  svg: 'images',
  audio: 'audio',
  document: 'documents',
};

export function defaultFolder(type: MediaType): string {
  return FOLDERS[type];
}

/** Returns why a text cannot be a folder, or undefined if it can. */
export function folderProblem(folder: string): string | undefined {
  const segments = folder.split('/');
  if (!segments.every((one) => SEGMENT.test(one))) {
    return 'must be one or more segments of a-z, 0-9, "_" and "-", joined by "/"';
  }
  if (folder.length > FOLDER_BYTES) return `must be at most ${FOLDER_BYTES} bytes long`;
  if (segments.length > MAX_SEGMENTS) return `must have at most ${MAX_SEGMENTS} segments`;
  // Windows reserves some names; a leading `_` or `-` is not allowed in a slug, but harmless here.
  const device = segments.find((one) => slugProblem(`x${one}`) === undefined && slugProblem(one)?.includes('Windows'));
  return device === undefined ? undefined : `"${device}" is the name of a Windows device`;
}

/** `declared` is the client's name for the file; `extension` fits the content. */
export function toName(declared: string, extension: string): string {
  if (!EXTENSION.test(extension)) throw new Error(`unreachable: extension "${extension}"`);
  const file = declared.slice(Math.max(declared.lastIndexOf('/'), declared.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  const stem = toSlug(dot > 0 ? file.slice(0, dot) : file)
    .slice(0, STEM_BYTES)
    .replace(/-+$/, '');
  return `${stem || 'file'}.${extension}`;
}

/** `a.png`, `a-2.png`, `a-3.png`, ... */
export function numberedName(name: string, n: number): string {
  if (n === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-${n}${name.slice(dot)}` : `${name}-${n}`;
}

/** This many names are tried one by one. */
const ONE_BY_ONE = 16;

/** The name if it is free, else one with a number: the lowest free one, or, above 16, any that follows a taken one. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const isFree = (n: number): boolean => !isTaken(numberedName(name, n));
  for (let n = 1; n <= ONE_BY_ONE; n++) if (isFree(n)) return numberedName(name, n);
  let taken = ONE_BY_ONE;
  let free = 2 * taken;
  for (; !isFree(free); free *= 2) taken = free;
  while (free - taken > 1) {
    const middle = (taken + free) >>> 1;
    if (isFree(middle)) free = middle;
    else taken = middle;
  }
  return numberedName(name, free);
}

/** The address of a file; `site` is given if the process serves several. */
export function mediaUrl(slug: string, site: string | undefined): string {
  const path = slug.split('/').map(encodeURIComponent).join('/');
  return `/uploads/${path}${site === undefined ? '' : `?site=${encodeURIComponent(site)}`}`;
}
