// Our newest commits, as long as the repository does not have them: a change is reported as soon as it is durable, and
// the repository gets it up to a second later.

import { isMarkdown, parsePath } from '../content/files/paths.ts';
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
   * `blobs` are the ids of the written files, if they are known. The commit's trailers are read only when they are
   * needed: thousands of commits may come at once.
   */
  add(entry: LogEntry, readOwn: () => OwnRecord | undefined, blobs?: readonly Oid[]): void;
  /** The commit's body. */
  find(commit: Oid): Buffer | undefined;
  findBlob(blob: Oid): Buffer | undefined;
  /** What the commit changed; undefined if it has to be read from its trees. */
  changesOf(commit: Oid): DocumentChange[] | undefined;
  /** For a commit that was replayed and will never be in the repository. */
  remove(commit: Oid): void;
  close(): void;
}

interface Recent {
  body: Buffer;
  changes(): DocumentChange[] | undefined;
  blobs: Oid[];
}

const LOOK_MS = 1000;
/** The file formats have the id in a place of its own (decisions.md, sections 5 and 14). */
const HEAD = '{\n  "id": "';
const MARKDOWN_ID = /^_document:\n {2}id: "?([0-9A-Za-z]{12})"?$/m;
const ID_CHARACTERS = 12;

/** `isStored`: whether the repository has the commit. */
export function createRecentCommits(isStored: (commit: Oid) => boolean): RecentCommits {
  const commits = new Map<Oid, Recent>();
  /** With their uses: a replayed change often has the same bytes as the old one. */
  const blobs = new Map<Oid, { content: Buffer; uses: number }>();
  let timer: NodeJS.Timeout | undefined;

  function remove(commit: Oid): void {
    for (const blob of commits.get(commit)?.blobs ?? []) {
      const kept = blobs.get(blob)!;
      if (--kept.uses === 0) blobs.delete(blob);
    }
    commits.delete(commit);
  }

  /** Commits reach the repository in the order in which they were added. */
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
    add(entry, readOwn, ids) {
      const { commit, body, files, kept = [] } = entry;
      const contents = [...files.flatMap(({ content }) => content ?? []), ...kept];
      const stored = contents.map((content, i) => {
        const blob = ids?.[i] ?? oidOf('blob', content);
        const known = blobs.get(blob);
        if (known) known.uses++;
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

/** `blobs` begins with the ids of the written files. */
function readChanges(
  { files }: LogEntry,
  blobs: readonly Oid[],
  own: OwnRecord | undefined,
): DocumentChange[] | undefined {
  const media = ownMedia(own);
  if (media) return toMediaChanges(media.event, files);
  if (!own?.documents) return undefined;
  const contents = files.flatMap(({ path, content }) => (content ? { path, content } : []));
  const written = new Map(contents.map(({ path, content }, i) => [idIn(path, content), blobs[i]!]));
  // The file of a replayed deletion may have been at another path than its subject says.
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

/** At the file's actual place; a replayed change may have no file left. */
function toMediaChanges(event: MediaEventName, [file]: LogEntry['files']): DocumentChange[] {
  return file ? [toMediaChange({ event, slug: parseMediaPath(file.path).slug })] : [];
}

function idIn(path: string, content: Buffer): string {
  if (isMarkdown(path)) return MARKDOWN_ID.exec(content.toString('utf8'))?.[1] ?? '';
  return content.toString('latin1', HEAD.length, HEAD.length + ID_CHARACTERS);
}
