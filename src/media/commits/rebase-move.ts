// Replays the move of a media file, with the documents that name its new address, on top of external commits. Pure. The
// file takes along the bytes and the description that they gave it. If they deleted it, it is there again at its new
// place; if they put another file there, it gets the next free name, and the documents name that.
import { parsePointer } from '../../lib/lfs-pointer.ts';
import { toPathToken } from '../../lib/text/trailer-token.ts';
import type { Rebase, RebaseFiles } from '../../store/log/replant.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { mediaUrl } from '../names.ts';
import { isMediaPath, metaPath, parseMediaPath, pointerPath } from '../stored.ts';
import { findPlace, mergeMeta, rewordSlug } from './on-theirs.ts';

export interface MovedFile {
  /** Slugs. */
  from: string;
  to: string;
  pointer: Buffer;
  /** Its description at the new place. */
  meta: Buffer | undefined;
  documents: readonly FileChange[];
}

/** The move that a change is; undefined if it is another change. */
export function findMove(files: readonly FileChange[]): MovedFile | undefined {
  const media = files.filter(({ path }) => isMediaPath(path));
  const pointers = media.filter(({ path }) => parseMediaPath(path).kind === 'pointer');
  const gone = pointers.find(({ content }) => !content);
  const written = pointers.find(({ content }) => content);
  if (pointers.length !== 2 || !gone || !written?.content) return undefined;
  const [from, to] = [parseMediaPath(gone.path).slug, parseMediaPath(written.path).slug];
  if (!media.every(({ path }) => [from, to].includes(parseMediaPath(path).slug))) return undefined;
  const meta = media.find(({ path }) => path === metaPath(to))?.content ?? undefined;
  return { from, to, pointer: written.content, meta, documents: files.filter(({ path }) => !isMediaPath(path)) };
}

interface MoveSurroundings {
  around: RebaseFiles;
  /** Where files of ours are that earlier changes put elsewhere, by the slugs in our changes. */
  moved: Map<string, string>;
  /** Rebases the documents. */
  others: Rebase;
}

export function rebaseMove(
  files: FileChange[],
  { from, to, pointer, meta, documents }: MovedFile,
  { around, moved, others }: MoveSurroundings,
): FileChange[] {
  const at = moved.get(from) ?? from;
  moved.delete(from);
  const theirs = around.theirs(pointerPath(at));
  if (theirs && !parsePointer(theirs)) throw new Error(`${pointerPath(at)} is not a media file any more`);
  const bytes = !theirs || theirs.equals(pointer) ? pointer : theirs;
  const place = findPlace(to, bytes, around);
  if (place === to) moved.delete(to);
  else moved.set(to, place);
  const media = [
    ...[pointerPath(at), metaPath(at)].map((path) => ({ path, content: null })),
    ...(meta ? [{ path: metaPath(place), content: mergeMeta(from, theirs ? at : place, meta, around) }] : []),
    { path: pointerPath(place), content: bytes },
  ];
  const named = place === to ? [...documents] : documents.map((file) => rename(file, to, place));
  const rebased = named.length > 0 ? others(named, around) : named;
  const result = [...media, ...rebased];
  const isSame = (one: FileChange, i: number): boolean =>
    one.path === files[i]?.path && one.content === files[i].content;
  return result.length === files.length && result.every(isSame) ? files : result;
}

/** A document of ours, with the address that the file has now. */
function rename({ path, content }: FileChange, was: string, is: string): FileChange {
  if (!content) return { path, content };
  const address = mediaUrl(was, undefined).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const text = content
    .toString('utf8')
    .replace(new RegExp(`${address}(?![\\w%./-])`, 'g'), () => mediaUrl(is, undefined));
  return { path, content: Buffer.from(text, 'utf8') };
}

/** Gives the file its new places in the commit message. */
export function rewordMove(message: string, was: MovedFile, is: MovedFile): string {
  const [from, fromNow] = [toPathToken(was.from), toPathToken(is.from)];
  const [to, toNow] = [toPathToken(was.to), toPathToken(is.to)];
  return rewordSlug(message, to, toNow)
    .replace(`: rename from ${from}\n`, () => `: rename from ${fromNow}\n`)
    .replace(`\nRenamed-From: ${from}\n`, () => `\nRenamed-From: ${fromNow}\n`);
}
