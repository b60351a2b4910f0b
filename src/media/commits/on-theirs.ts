// What a replay makes of one media file on top of external commits: its name, its description, its commit message. Pure.
import { isEqual } from '../../lib/equal.ts';
import { parsePointer } from '../../lib/lfs-pointer.ts';
import type { RebaseFiles } from '../../store/log/replant.ts';
import type { MediaMeta } from '../media.ts';
import { freeName } from '../names.ts';
import { metaPath, parseMeta, pointerPath, splitSlug, toMediaSlug, toMetaFile } from '../stored.ts';

/** The file's own slug, or the next one if they have other bytes there. */
export function findPlace(slug: string, content: Buffer, around: RebaseFiles): string {
  const { folder, name } = splitSlug(slug);
  const own = parsePointer(content);
  const free = freeName(name, (one) => {
    const there = around.theirs(pointerPath(toMediaSlug(folder, one)));
    return there !== undefined && parsePointer(there)?.sha256 !== own?.sha256;
  });
  return toMediaSlug(folder, free);
}

/** Merges key by key: theirs unless we changed the key. Throws if theirs is unreadable and not what we started from. */
export function mergeMeta(slug: string, at: string, content: Buffer, around: RebaseFiles): Buffer {
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

/** Gives the file its new slug in the commit message. */
export function rewordSlug(message: string, was: string, is: string): string {
  const start = `media/${was}: `;
  if (was === is || !message.startsWith(start)) return message;
  return `media/${is}: ${message.slice(start.length)}`.replace(`\nMedia: ${was}\n`, () => `\nMedia: ${is}\n`);
}
