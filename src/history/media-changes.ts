// What commits did to media files: read from the trailers of our commits; for external commits, moves, and commits that
// change many files, by comparing the trees. The index identifies a media file by an id derived from its place.
import { hash } from 'node:crypto';
import { type Breathe, createBreathe } from '../lib/queues/slices.ts';
import type { MediaEventName } from '../media/media.ts';
import { parseMediaPath, splitSlug } from '../media/stored.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import { diffTrees } from '../store/repository/tree-walk.ts';
import { isMediaEvent, type OwnRecord } from './commit-record.ts';
import type { FeedParts } from './feed/feed-parts.ts';
import type { DocumentChange } from './log-index.ts';

export interface LoggedMedia {
  event: MediaEventName;
  /** `<folder>/<name>`. */
  slug: string;
}

export const MEDIA = 'media';
/** No document id begins with it. */
const PREFIX = '~';
/**
 * At most this many files of a commit are reported: a few small trees can list more files than there is time to read.
 */
const MAX_FILES = 100_000;

/** As long as a document's id. */
export function mediaId(slug: string): string {
  return PREFIX + hash('sha1', slug, 'base64url').slice(0, 11);
}

export function isMediaId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** The change that one of our commits records; undefined if it is not about one media file. */
export function ownMedia(own: OwnRecord | undefined): LoggedMedia | undefined {
  if (own?.place?.collection !== MEDIA || !isMediaEvent(own.event) || own.isMediaMove) return undefined;
  return { event: own.event as MediaEventName, slug: own.place.slug };
}

export function toMediaChange({ event, slug }: LoggedMedia): DocumentChange {
  const id = mediaId(slug);
  return event === 'media.deleted' ? { id, gone: { collection: MEDIA, slug } } : { id };
}

/** Files that were added, changed or removed between two trees, each one once. */
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
  /** A log commit's changes, by the file's id. `before` is the previous commit on the log's line. */
  of(commit: Oid, before: Oid | null): Promise<ReadonlyMap<string, LoggedMedia>>;
}

/** Caches the last commit that it read, because a commit's changes are reported one by one: each feed has its own. */
export function createMediaOf({ odb, replays, following, flush }: FeedParts): MediaOf {
  const { record } = following;
  const breathe = createBreathe();
  let last: { commit: Oid; media: Promise<ReadonlyMap<string, LoggedMedia>> } | undefined;

  async function read(commit: Oid, before: Oid | null): Promise<ReadonlyMap<string, LoggedMedia>> {
    const { tree, own } = record(commit);
    if (own?.documents) return new Map();
    // The files of a replayed commit may be at other paths than its subject says.
    const recorded = replays.replacedBy(commit) === undefined ? ownMedia(own) : undefined;
    if (recorded) return byId([recorded]);
    if (!odb.has(commit)) await flush();
    return byId(await readMediaChanges({ odb, breathe }, before ? record(before).tree : null, tree));
  }

  return {
    of(commit, before) {
      if (last?.commit !== commit) {
        const media = read(commit, before);
        media.catch(() => (last = undefined)); // this caller gets the error, and the next one reads again
        last = { commit, media };
      }
      return last.media;
    },
  };
}

function byId(media: readonly LoggedMedia[]): Map<string, LoggedMedia> {
  return new Map(media.map((one) => [mediaId(one.slug), one]));
}
