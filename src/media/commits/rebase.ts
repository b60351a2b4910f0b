// Replays our changes of media on top of external commits. Pure. If they gave our file's name to other bytes, our file
// gets the next free name. Alt text and tags are merged key by key; the keys that we changed stay ours.
import { isEqual } from '../../lib/equal.ts';
import { parsePointer } from '../../lib/lfs-pointer.ts';
import { toPathToken } from '../../lib/text/trailer-token.ts';
import type { Rebase, RebaseFiles } from '../../store/log/replant.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { MediaMeta } from '../media.ts';
import { freeName } from '../names.ts';
import {
  isMediaPath,
  metaPath,
  parseMediaPath,
  parseMeta,
  pointerPath,
  splitSlug,
  toMediaSlug,
  toMetaFile,
} from '../stored.ts';

/** For the changes of one replay, oldest first; `others` rebases those that are not about one media file. */
export function createMediaRebase(others: Rebase): Rebase {
  /** Files that were renamed: their new slugs, by the slugs in our changes. */
  const moved = new Map<string, string>();
  let isMedia = false;
  const rebase: Rebase = (files, around) => {
    const slug = slugOf(files);
    isMedia = slug !== undefined;
    return slug === undefined ? others(files, around) : rebaseMedia(files, slug, around, moved);
  };
  rebase.overwritten = () => (isMedia ? [] : (others.overwritten?.() ?? []));
  rebase.prepare = others.prepare;
  rebase.reword = (message, was, is) => {
    const [slug, now] = [slugOf(was), slugOf(is)];
    if (slug === undefined || now === undefined) return others.reword?.(message, was, is) ?? message;
    return reword(message, toPathToken(slug), toPathToken(now));
  };
  return rebase;
}

/** Gives the file its new slug in the commit message. */
function reword(message: string, was: string, is: string): string {
  const start = `media/${was}: `;
  if (was === is || !message.startsWith(start)) return message;
  return `media/${is}: ${message.slice(start.length)}`.replace(`\nMedia: ${was}\n`, () => `\nMedia: ${is}\n`);
}

/** The one file that a change is about. */
function slugOf(files: readonly FileChange[]): string | undefined {
  if (files.length === 0 || !files.every(({ path }) => isMediaPath(path))) return undefined;
  const [slug, ...more] = new Set(files.map(({ path }) => parseMediaPath(path).slug));
  return more.length ? undefined : slug;
}

function rebaseMedia(files: FileChange[], slug: string, around: RebaseFiles, moved: Map<string, string>): FileChange[] {
  const pointer = files.find(({ path }) => path === pointerPath(slug));
  const meta = files.find(({ path }) => path === metaPath(slug));
  if (pointer?.content) {
    const at = findPlace(slug, pointer.content, around);
    if (at === slug) moved.delete(slug);
    else moved.set(slug, at);
    return withMeta(files, slug, at, meta, around);
  }
  const at = moved.get(slug) ?? slug;
  if (pointer) {
    moved.delete(slug);
    return at === slug ? files : files.map((file) => ({ ...file, path: pathAt(file.path, slug, at) }));
  }
  // They deleted the file, so its description goes too.
  if (!around.theirs(pointerPath(at))) return [];
  return withMeta(files, slug, at, meta, around);
}

/** The file's own slug, or the next one if they have other bytes there. */
function findPlace(slug: string, content: Buffer, around: RebaseFiles): string {
  const { folder, name } = splitSlug(slug);
  const own = parsePointer(content);
  const free = freeName(name, (one) => {
    const there = around.theirs(pointerPath(toMediaSlug(folder, one)));
    return there !== undefined && parsePointer(there)?.sha256 !== own?.sha256;
  });
  return toMediaSlug(folder, free);
}

function withMeta(
  files: FileChange[],
  slug: string,
  at: string,
  meta: FileChange | undefined,
  around: RebaseFiles,
): FileChange[] {
  const merged = meta?.content ? mergeMeta(slug, at, meta.content, around) : undefined;
  if (at === slug && merged === meta?.content) return files;
  return files.map((file) => ({
    path: pathAt(file.path, slug, at),
    content: file === meta ? (merged ?? null) : file.content,
  }));
}

/** Merges key by key: theirs unless we changed the key. Throws if theirs is unreadable and not what we started from. */
function mergeMeta(slug: string, at: string, content: Buffer, around: RebaseFiles): Buffer {
  const theirs = around.theirs(metaPath(at));
  if (!theirs) return content;
  const there = read(theirs);
  if (!there) {
    if (around.base(metaPath(slug))?.equals(theirs)) return content;
    throw new Error(`${metaPath(at)} is not the description of a media file any more`);
  }
  const before = read(around.base(metaPath(slug))) ?? {};
  const ours = read(content) ?? {};
  const merged: MediaMeta = { ...there };
  for (const key of new Set([...Object.keys(before), ...Object.keys(ours)]) as Set<keyof MediaMeta>) {
    if (!isEqual(before[key], ours[key])) Object.assign(merged, { [key]: ours[key] });
  }
  return isEqual(merged, ours) ? content : toMetaFile(merged);
}

function read(bytes: Buffer | undefined): MediaMeta | undefined {
  const meta = bytes && parseMeta(bytes);
  return typeof meta === 'object' ? meta : undefined;
}

function pathAt(path: string, slug: string, at: string): string {
  return path === pointerPath(slug) ? pointerPath(at) : metaPath(at);
}
