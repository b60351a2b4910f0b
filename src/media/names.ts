// Names and folders of media: what is made of a file's own name, and what a folder may be called. A name is safe on every
// file system, in a URL and in git, whatever the client called its file.
import { slugProblem, toSlug } from '../lib/text/slug.ts';
import type { MediaType } from './media.ts';

/** With a number behind it and `.meta/<name>.json` around it a name stays well below what file systems take. */
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

/** Why a text is not a folder, as a sentence; undefined where it is one. */
export function folderProblem(folder: string): string | undefined {
  const segments = folder.split('/');
  if (!segments.every((one) => SEGMENT.test(one))) {
    return 'must be one or more segments of a-z, 0-9, "_" and "-", joined by "/"';
  }
  if (folder.length > FOLDER_BYTES) return `must be at most ${FOLDER_BYTES} bytes long`;
  if (segments.length > MAX_SEGMENTS) return `must have at most ${MAX_SEGMENTS} segments`;
  // Windows keeps some names for itself; a leading `_` or `-` is no slug and harmless.
  const device = segments.find((one) => slugProblem(`x${one}`) === undefined && slugProblem(one)?.includes('Windows'));
  return device === undefined ? undefined : `"${device}" is the name of a Windows device`;
}

/** `declared` is whatever the client said; `extension` fits the content. */
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

/** So many names are tried one by one. */
const ONE_BY_ONE = 16;

/** The name, or one with a number that is free: the next one, unless thousands before it came and some of them went. */
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

/** Where a file is served. `site` is named where the process serves several. */
export function mediaUrl(slug: string, site: string | undefined): string {
  const path = slug.split('/').map(encodeURIComponent).join('/');
  return `/uploads/${path}${site === undefined ? '' : `?site=${encodeURIComponent(site)}`}`;
}
