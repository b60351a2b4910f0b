// What commits did to media files: of ours the trailers say it, anybody else's, and changes of many files, are compared
// with what was there before. The index knows a media file by an id that is made of its place.
import { hash } from 'node:crypto';
import { type Breathe, createBreathe } from '../lib/queues/slices.ts';
import type { MediaEventName } from '../media/media.ts';
import { parseMediaPath, splitSlug } from '../media/stored.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import { diffTrees } from '../store/repository/tree-walk.ts';
import type { OwnRecord } from './commit-record.ts';
import type { FeedParts } from './feed/feed-parts.ts';
import type { DocumentChange } from './log-index.ts';

export interface LoggedMedia {
  event: MediaEventName;
  /** `<folder>/<name>`. */
  slug: string;
}

export const MEDIA = 'media';
/** No document's id begins so. */
const PREFIX = '~';
/** Of one commit no more are told: a few small trees can stand for more files than there is time. */
const MAX_FILES = 100_000;

/** As long as a document's id. */
export function mediaId(slug: string): string {
  return PREFIX + hash('sha1', slug, 'base64url').slice(0, 11);
}

export function isMediaId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** The change that one of our commits says it is; undefined where it is about no media file. */
export function ownMedia(own: OwnRecord | undefined): LoggedMedia | undefined {
  if (own?.place?.collection !== MEDIA || !own.event.startsWith(`${MEDIA}.`)) return undefined;
  return { event: own.event as MediaEventName, slug: own.place.slug };
}

export function toMediaChange({ event, slug }: LoggedMedia): DocumentChange {
  const id = mediaId(slug);
  return event === 'media.deleted' ? { id, gone: { collection: MEDIA, slug } } : { id };
}

/** Files that came, changed or went between two trees; each is told once. */
export async function readMediaChanges(
  { odb, breathe }: { odb: Odb; breathe: Breathe },
  before: Oid | null,
  after: Oid,
): Promise<LoggedMedia[]> {
  const found = new Map<string, MediaEventName>();
  const isMedia = (path: string): boolean => path === MEDIA || path.startsWith(`${MEDIA}/`);
  for (const change of diffTrees(odb, before, after, '', isMedia)) {
    await breathe();
    if (!change.path.startsWith(`${MEDIA}/`)) continue;
    const { kind, slug } = parseMediaPath(change.path);
    if (splitSlug(slug).folder.endsWith('.meta')) continue;
    if (kind === 'pointer') found.set(slug, change.after ? 'media.uploaded' : 'media.deleted');
    else if (!found.has(slug)) found.set(slug, 'media.updated');
    if (found.size >= MAX_FILES) break;
  }
  return [...found].map(([slug, event]) => ({ event, slug }));
}

export interface MediaOf {
  /** What a commit of the log did, by the id of the file. `before` is the commit before it on the log's line. */
  of(commit: Oid, before: Oid | null): Promise<ReadonlyMap<string, LoggedMedia>>;
}

/** Keeps what it read of the last commit, whose changes are told one by one: each feed has one of its own. */
export function createMediaOf({ odb, replays, following, flush }: FeedParts): MediaOf {
  const { record } = following;
  const breathe = createBreathe();
  let last: { commit: Oid; media: Promise<ReadonlyMap<string, LoggedMedia>> } | undefined;

  async function read(commit: Oid, before: Oid | null): Promise<ReadonlyMap<string, LoggedMedia>> {
    const { tree, own } = record(commit);
    if (own?.documents) return new Map();
    // Of a commit that was replayed the files may be elsewhere than it says.
    const told = replays.replacedBy(commit) === undefined ? ownMedia(own) : undefined;
    if (told) return byId([told]);
    if (!odb.has(commit)) await flush();
    return byId(await readMediaChanges({ odb, breathe }, before ? record(before).tree : null, tree));
  }

  return {
    of(commit, before) {
      if (last?.commit !== commit) {
        const media = read(commit, before);
        media.catch(() => (last = undefined)); // told to who asked, and read again for the next
        last = { commit, media };
      }
      return last.media;
    },
  };
}

function byId(media: readonly LoggedMedia[]): Map<string, LoggedMedia> {
  return new Map(media.map((one) => [mediaId(one.slug), one]));
}
