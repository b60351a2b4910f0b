// Replays our changes of media on top of external commits. Pure. If they gave our file's name to other bytes, our file
// gets the next free name. Alt text and tags are merged key by key; the keys that we changed stay ours, and so do bytes
// that we replaced. A move takes along what they made of the file (rebase-move.ts).
import { toPathToken } from '../../lib/text/trailer-token.ts';
import type { Rebase, RebaseFiles } from '../../store/log/replant.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { isMediaPath, metaPath, parseMediaPath, pointerPath } from '../stored.ts';
import { findPlace, mergeMeta, rewordSlug } from './on-theirs.ts';
import { findMove, rebaseMove, rewordMove } from './rebase-move.ts';

/** For the changes of one replay, oldest first; `others` rebases those that are not about one media file. */
export function createMediaRebase(others: Rebase): Rebase {
  /** Files that were renamed: their new slugs, by the slugs in our changes. */
  const moved = new Map<string, string>();
  let isMedia = false;
  const rebase: Rebase = (files, around) => {
    const move = findMove(files);
    const slug = slugOf(files);
    isMedia = move ? move.documents.length === 0 : slug !== undefined;
    if (move) return rebaseMove(files, move, { around, moved, others });
    return slug === undefined ? others(files, around) : rebaseMedia(files, slug, around, moved);
  };
  rebase.overwritten = () => (isMedia ? [] : (others.overwritten?.() ?? []));
  rebase.prepare = others.prepare;
  rebase.reword = (message, was, is) => {
    const [move, moveNow] = [findMove(was), findMove(is)];
    if (move && moveNow) return rewordMove(message, move, moveNow);
    const [slug, now] = [slugOf(was), slugOf(is)];
    if (slug === undefined || now === undefined) return others.reword?.(message, was, is) ?? message;
    return rewordSlug(message, toPathToken(slug), toPathToken(now));
  };
  return rebase;
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
    // A replacement stays with the file, whatever they made of it.
    const isReplacement = around.base(pointerPath(slug)) !== undefined;
    const at = isReplacement ? (moved.get(slug) ?? slug) : findPlace(slug, pointer.content, around);
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

function pathAt(path: string, slug: string, at: string): string {
  return path === pointerPath(slug) ? pointerPath(at) : metaPath(at);
}
