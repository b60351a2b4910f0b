// Turns one media event into one commit: its files, its message, and the updates of the pending state and the view when
// it becomes durable, fails, or is replayed on an external commit. A move may bring documents along. Decides nothing.
import type { FollowedMedia } from '../../content/api.ts';
import { actorTrailers, commitAuthor } from '../../lib/actor-trailers.ts';
import { setAside } from '../../lib/errors.ts';
import { toPathToken, toToken } from '../../lib/text/trailer-token.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Appended, Draft } from '../../store/log/log.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { type MediaEvent, type MediaEventName, type MediaFile, movedFrom } from '../media.ts';
import type { PendingMedia, PendingMediaState } from '../pending.ts';
import {
  isMediaPath,
  metaPath,
  parseMediaFile,
  parseMediaPath,
  pointerPath,
  splitSlug,
  toFiles,
  toMediaFile,
} from '../stored.ts';
import type { MediaView } from '../view.ts';

export interface MediaCommitParts {
  view: MediaView;
  pending: PendingMediaState;
  append(draft: Draft): Appended;
  /** Called with each file that is written or removed, before readers see it: earlier problems of it are settled. */
  onWritten(path: string): void;
  now(): Date;
}

export interface MediaWriteOptions {
  requestId?: string | undefined;
  /** `If-Match`: whether the caller accepts a file with this entity tag. */
  ifMatch?: ((etag: string) => boolean) | undefined;
}

export interface MediaWritten {
  /** The file; after a deletion, as it was before. */
  file: MediaFile;
  /** Null if nothing changed. */
  commit: string | null;
}

/** Synchronous up to the append; resolves once the change is durable. */
export type MediaCommit = (
  event: MediaEvent,
  options?: MediaWriteOptions,
  along?: FollowedMedia,
) => Promise<MediaWritten>;

const VERB: Record<MediaEventName, string> = {
  'media.uploaded': 'upload',
  'media.updated': 'update',
  'media.deleted': 'delete',
};

export function createMediaCommit({ view, pending, append, onWritten, now }: MediaCommitParts): MediaCommit {
  function show(files: Draft['files']): void {
    for (const { path, content } of files) {
      onWritten(path);
      const stored = content ? parseMediaFile(path, content) : undefined;
      view.show(path, typeof stored === 'object' ? stored : undefined);
    }
  }

  return async (event, options, along) => {
    const { before, after } = event;
    const file = (after ?? before)!;
    const from = movedFrom(event);
    let files = toChanges(event);
    /** The place that the file leaves, if it moves, and the one where it is afterwards. */
    let waiting: { left: PendingMedia | undefined; at: PendingMedia } | undefined;
    let isSetAside = false;
    let isDropped = false;
    /** The file as the log has it, possibly moved by a replay. */
    let current: MediaFile = file;
    const appended = append({
      files: [...files, ...(along?.part.files ?? [])],
      author: commitAuthor(event.actor),
      at: now().getTime(),
      ...toMessage(event, options?.requestId, along?.trailers),
      apply(commit) {
        along?.part.apply(commit);
        if (isDropped) return;
        show(files);
        waiting?.left?.settle();
        waiting?.at.settle();
      },
      undo() {
        waiting?.at.undo();
        waiting?.left?.undo();
        along?.part.undo();
      },
      replayed(replayedFiles, blobs, shownAs, wasSetAside) {
        const [media, documents] = partByRoom(replayedFiles, blobs);
        along?.part.replayed(documents.files, documents.blobs, shownAs, wasSetAside);
        isSetAside ||= wasSetAside;
        files = media.files;
        current = { ...current, ...fileIn(files) };
        if (shownAs) return;
        if (isDropped) return;
        isDropped = files.length === 0;
        if (isDropped) {
          waiting?.left?.drop();
          waiting?.at.drop();
        } else {
          waiting?.left?.replace(leftIn(files) ?? from!, undefined);
          waiting?.at.replace(current.slug, after && current);
        }
      },
    });
    const left = from === undefined ? undefined : pending.push(from, undefined);
    waiting = { left, at: pending.push(file.slug, after) };
    along?.part.begin(appended.blobs.slice(files.filter(({ content }) => content).length));
    const commit = await appended.durable;
    if (isSetAside) throw setAside(commit);
    return { file: current, commit };
  };
}

interface FilesPart {
  files: FileChange[];
  /** Ids of the written ones. */
  blobs: Oid[];
}

/** The files of media, and those of documents. */
function partByRoom(files: readonly FileChange[], blobs: readonly Oid[]): [media: FilesPart, documents: FilesPart] {
  const parts: [FilesPart, FilesPart] = [
    { files: [], blobs: [] },
    { files: [], blobs: [] },
  ];
  let written = 0;
  for (const file of files) {
    const part = parts[isMediaPath(file.path) ? 0 : 1];
    part.files.push(file);
    if (file.content) part.blobs.push(blobs[written++]!);
  }
  return parts;
}

/** The place that a move leaves; undefined if external commits left it before. */
function leftIn(files: Draft['files']): string | undefined {
  const gone = files.find(({ path, content }) => !content && parseMediaPath(path).kind === 'pointer');
  return gone && parseMediaPath(gone.path).slug;
}

/** An update in place writes the description alone. */
function toChanges(event: MediaEvent): Draft['files'] {
  const { name, before, after } = event;
  if (!after) return toRemoved(before!.slug);
  const files = toFiles(after);
  const from = movedFrom(event);
  if (from !== undefined) return [...toRemoved(from), ...files];
  return name === 'media.updated' ? files.filter(({ path }) => path === metaPath(after.slug)) : files;
}

function toRemoved(slug: string): Draft['files'] {
  return [pointerPath(slug), metaPath(slug)].map((path) => ({ path, content: null }));
}

/** What the files of a change say about the media file; those of a deletion say only where it was. */
function fileIn(files: Draft['files']): Partial<MediaFile> {
  const stored = files.flatMap(({ path, content }) => {
    const one = content ? parseMediaFile(path, content) : '';
    return typeof one === 'object' ? [one] : [];
  });
  const meta = stored.find((one) => one.kind === 'meta');
  const pointer = stored.find((one) => one.kind === 'pointer');
  if (pointer) return toMediaFile(pointer.slug, pointer.pointer, meta?.meta);
  if (meta) return { ...splitPlace(meta.slug), alt: meta.meta.alt ?? '', tags: meta.meta.tags ?? [] };
  return files[0] ? splitPlace(parseMediaPath(files[0].path).slug) : {};
}

function splitPlace(slug: string): Pick<MediaFile, 'slug' | 'folder' | 'name'> {
  return { slug, ...splitSlug(slug) };
}

function toMessage(
  event: MediaEvent,
  requestId: string | undefined,
  more: readonly string[] = [],
): Pick<Draft, 'subject' | 'trailers'> {
  const { name, before, after, fields, actor } = event;
  const { slug } = (after ?? before)!;
  const path = toPathToken(slug);
  const from = movedFrom(event);
  const trailers = [`Event: ${name}`, `Media: ${path}`];
  if (fields.length) trailers.push(`Fields: ${fields.join(', ')}`);
  if (from !== undefined) trailers.push(`Renamed-From: ${toPathToken(from)}`);
  trailers.push(...more, ...actorTrailers(actor));
  if (requestId) trailers.push(`Request-Id: ${toToken(requestId)}`);
  return { subject: `media/${path}: ${summary(event, from)}`, trailers };
}

function summary({ name, before, fields }: MediaEvent, from: string | undefined): string {
  if (from !== undefined) return `rename from ${toPathToken(from)}`;
  if (name === 'media.uploaded' && before) return 'replace';
  return [VERB[name], fields.join(', ')].filter(Boolean).join(' ');
}
