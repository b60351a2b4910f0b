// Our newest commits while the repository does not have them yet: a change is told of as soon as it is durable, and git
// is up to a second behind that.

import { parsePath } from '../content/stored.ts';
import { isShortage } from '../lib/shortage.ts';
import type { MediaEventName } from '../media/media.ts';
import { parseMediaPath } from '../media/stored.ts';
import { type Oid, oidOf } from '../store/git/objects.ts';
import type { LogEntry } from '../store/log/entry.ts';
import type { OwnRecord } from './commit-record.ts';
import type { DocumentChange } from './log-index.ts';
import { ownMedia, toMediaChange } from './media-changes.ts';

export interface RecentCommits {
  /**
   * `blobs` are the ids of the written files, where they are known. What the commit says of itself is read when somebody
   * asks: thousands may come at once.
   */
  add(entry: LogEntry, readOwn: () => OwnRecord | undefined, blobs?: readonly Oid[]): void;
  /** The commit's body. */
  find(commit: Oid): Buffer | undefined;
  findBlob(blob: Oid): Buffer | undefined;
  /** What the commit changed; undefined where its trees have to be asked. */
  changesOf(commit: Oid): DocumentChange[] | undefined;
  /** Will never be in the repository: it is another commit now. */
  remove(commit: Oid): void;
  close(): void;
}

interface Recent {
  body: Buffer;
  changes(): DocumentChange[] | undefined;
  blobs: Oid[];
}

const LOOK_MS = 1000;
/** The file format begins with the id (decisions.md, section 5). */
const HEAD = '{\n  "id": "';
const ID_CHARACTERS = 12;

/** `isStored`: whether the repository has the commit. */
export function createRecentCommits(isStored: (commit: Oid) => boolean): RecentCommits {
  const commits = new Map<Oid, Recent>();
  /** A replayed change often has the bytes of what it was. */
  const blobs = new Map<Oid, { content: Buffer; uses: number }>();
  let timer: NodeJS.Timeout | undefined;

  function remove(commit: Oid): void {
    for (const blob of commits.get(commit)?.blobs ?? []) {
      const kept = blobs.get(blob)!;
      if (--kept.uses === 0) blobs.delete(blob);
    }
    commits.delete(commit);
  }

  /** They get there in the order in which they came. */
  function forgetStored(): void {
    timer = undefined;
    try {
      for (const commit of commits.keys()) {
        if (!isStored(commit)) break;
        remove(commit);
      }
    } catch (error) {
      if (!isShortage(error)) throw error; // the next look may read again
    }
    if (commits.size) timer = setTimeout(forgetStored, LOOK_MS).unref();
  }

  return {
    add(entry, readOwn, known) {
      const { commit, body, files, kept = [] } = entry;
      const contents = [...files.flatMap(({ content }) => content ?? []), ...kept];
      const stored = contents.map((content, i) => {
        const blob = known?.[i] ?? oidOf('blob', content);
        const there = blobs.get(blob);
        if (there) there.uses++;
        else blobs.set(blob, { content, uses: 1 });
        return blob;
      });
      let read: { changes: DocumentChange[] | undefined } | undefined;
      const changes = () => (read ??= { changes: readChanges(entry, stored, readOwn()) }).changes;
      commits.set(commit, { body, changes, blobs: stored });
      timer ??= setTimeout(forgetStored, LOOK_MS).unref();
    },
    find: (commit) => commits.get(commit)?.body,
    findBlob: (blob) => blobs.get(blob)?.content,
    changesOf: (commit) => commits.get(commit)?.changes(),
    remove,
    close: () => clearTimeout(timer),
  };
}

/** `blobs` begin with those of the written files. */
function readChanges(
  { files }: LogEntry,
  blobs: readonly Oid[],
  own: OwnRecord | undefined,
): DocumentChange[] | undefined {
  const media = ownMedia(own);
  if (media) return toMediaChanges(media.event, files);
  if (!own?.documents) return undefined;
  const contents = files.flatMap(({ content }) => content ?? []);
  const written = new Map(contents.map((content, i) => [idIn(content), blobs[i]!]));
  // Of a replayed deletion the file may have been elsewhere than its subject says.
  const removed = files.find(({ content }) => !content);
  return toChanges(own.documents, written, (removed && parsePath(removed.path)) ?? own.place);
}

function toChanges(
  { id, also }: { id: string; also: readonly string[] },
  written: ReadonlyMap<string, Oid>,
  place: DocumentChange['gone'],
): DocumentChange[] {
  return [id, ...also].map((one) =>
    written.has(one) ? { id: one, blob: written.get(one) } : { id: one, gone: place },
  );
}

/** At the place where it is; of a replayed change there may be nothing left. */
function toMediaChanges(event: MediaEventName, [file]: LogEntry['files']): DocumentChange[] {
  return file ? [toMediaChange({ event, slug: parseMediaPath(file.path).slug })] : [];
}

function idIn(content: Buffer): string {
  const start = content.toString('latin1', 0, HEAD.length + ID_CHARACTERS);
  return start.startsWith(HEAD) ? start.slice(HEAD.length) : '';
}
