// Changes of one file: its description, its place, its bytes. Each decides on the file as the last accepted write left it.
import type { Actor } from '../access/principal.ts';
import type { ContentService } from '../content/api.ts';
import { conflict, ServiceError } from '../lib/errors.ts';
import type { Decisions } from '../lib/queues/decisions.ts';
import type { ArrivedFile, MediaBytes } from './bytes/open-bytes.ts';
import type { MediaCommit, MediaWriteOptions, MediaWritten } from './commits/commit.ts';
import { type ChangeMedia, type MediaState, moveMedia, replaceMedia } from './decide.ts';
import type { Inspected } from './kinds/detect.ts';
import { extensionOf } from './kinds/kinds.ts';
import type { MediaFile } from './media.ts';
import { mediaUrl } from './names.ts';
import { checkPlace, toBareType, type WantedPlace } from './new-place.ts';
import { toMediaSlug } from './stored.ts';

export interface MediaChange extends Omit<ChangeMedia, 'actor'>, WantedPlace {
  /** With a new place: documents that point to the file name it, in the same commit. */
  updateReferences?: boolean | undefined;
}

export interface FileChanges {
  /**
   * Changes alt text, tags and the place; absent keys stay as they are. A file at another place has its bytes and its
   * description there, and nothing is left at the old one. Throws 400 for a bad place, 409 if it is taken, and what
   * `ContentService.followMedia` throws.
   */
  change(slug: string, change: MediaChange, actor: Actor, options?: MediaWriteOptions): Promise<MediaWritten>;
  /**
   * Stores a received file as the bytes of this one, whose description stays. Checks what `upload` checks, and that the
   * extension fits the bytes (415). The same bytes make no commit.
   */
  replace(slug: string, file: ArrivedFile, actor: Actor, options?: MediaWriteOptions): Promise<MediaWritten>;
}

export interface FileChangesParts {
  decide: Decisions['decide'];
  bytes: MediaBytes;
  inspect(file: string, declaredName: string): Promise<Inspected | undefined>;
  content: Pick<ContentService, 'prepareReferences' | 'followMedia'>;
  /** By which documents point to a file. */
  addressesOf(slug: string): string[];
  state: MediaState;
  /** Throws 404. */
  getPending(slug: string): MediaFile;
  /** What a received file is. Throws 413, 507, 415. */
  inspectWhole(file: ArrivedFile, name: string): Promise<Inspected>;
  commit: MediaCommit;
}

export function createFileChanges(parts: FileChangesParts): FileChanges {
  const { decide, bytes, inspect, content, addressesOf, state, getPending, inspectWhole, commit } = parts;
  return {
    async change(slug, change, actor, options) {
      const seen = await decide(() => getPending(slug));
      const place = await checkPlace(seen, change, async (name) =>
        (await bytes.has(seen.sha256)) ? inspect(bytes.pathOf(seen.sha256), name) : undefined,
      );
      const to = toMediaSlug(place.folder, place.name);
      const isFollowed = change.updateReferences === true && to !== slug;
      if (isFollowed) await content.prepareReferences();
      return decide(() => {
        const before = getPending(slug);
        checkMatch(before, options);
        if (place.contentType && before.sha256 !== seen.sha256) throw conflict(`media file "${slug}" has new bytes`);
        const event = moveMedia(state, before, { ...change, ...place, actor });
        if (!event) return { file: before, commit: null };
        const move = { keys: addressesOf(slug), path: mediaUrl(to, undefined) };
        return commit(event, options, isFollowed ? content.followMedia(move, actor) : undefined);
      });
    },
    async replace(slug, file, actor, options) {
      const seen = await decide(() => getPending(slug));
      const { type: _, extension, ...found } = await inspectWhole(file, seen.name);
      const own = extensionOf(seen.name);
      if (own !== '' && own !== extension) {
        const is = toBareType(found.contentType);
        throw new ServiceError('unsupported_media_type', `the new file is ${is}, and "${seen.name}" cannot be that`);
      }
      const { sha256, sizeBytes } = file;
      const contentType = toBareType(found.contentType);
      const command = { sha256, sizeBytes, width: found.width, height: found.height, contentType, actor };
      const run = (): MediaWritten | Promise<MediaWritten> => {
        const before = getPending(slug);
        checkMatch(before, options);
        const event = replaceMedia(before, command);
        return event ? commit(event, options) : { file: before, commit: null };
      };
      // Waits for an upload of the old bytes, as a deletion does.
      await bytes.alone(seen.sha256, async () => undefined);
      return bytes.adopt(file, () => decide(run));
    },
  };
}

/** The strong entity tag of a file's bytes, as `/uploads/` answers it for a file that is served as it is. */
export function etagOf({ sha256 }: Pick<MediaFile, 'sha256'>): string {
  return `"${sha256}"`;
}

/** Throws 412 if the file is not the one that `If-Match` names. */
function checkMatch(file: MediaFile, options: MediaWriteOptions | undefined): void {
  if (!options?.ifMatch || options.ifMatch(etagOf(file))) return;
  throw new ServiceError('precondition_failed', 'the file has changed since; read it again', {
    headers: { etag: etagOf(file) },
  });
}
