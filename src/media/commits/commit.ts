// Turns one media event into one commit: its files, its message, and the updates of the pending state and the view when
// it becomes durable, fails, or is replayed on an external commit. Decides nothing.
import { actorTrailers } from '../../lib/actor-trailers.ts';
import { setAside } from '../../lib/errors.ts';
import { toPathToken, toToken } from '../../lib/text/trailer-token.ts';
import type { Appended, Draft } from '../../store/log/log.ts';
import type { MediaEvent, MediaEventName, MediaFile } from '../media.ts';
import type { PendingMedia, PendingMediaState } from '../pending.ts';
import { metaPath, parseMediaFile, parseMediaPath, pointerPath, splitSlug, toFiles, toMediaFile } from '../stored.ts';
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
}

export interface MediaWritten {
  /** The file; after a deletion, as it was before. */
  file: MediaFile;
  /** Null if nothing changed. */
  commit: string | null;
}

/** Synchronous up to the append; resolves once the change is durable. */
export type MediaCommit = (event: MediaEvent, options?: MediaWriteOptions) => Promise<MediaWritten>;

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

  return async (event, options) => {
    const { before, after } = event;
    const file = (after ?? before)!;
    let files = toChanges(event);
    let waiting: PendingMedia | undefined;
    let isSetAside = false;
    let isDropped = false;
    /** The file as the log has it, possibly moved by a replay. */
    let current: MediaFile = file;
    const appended = append({
      files,
      author: { name: event.actor.name, email: event.actor.email },
      at: now().getTime(),
      ...toMessage(event, options?.requestId),
      apply() {
        if (isDropped) return;
        show(files);
        waiting?.settle();
      },
      undo: () => waiting?.undo(),
      replayed(replayedFiles, _blobs, shownAs, wasSetAside) {
        isSetAside ||= wasSetAside;
        files = [...replayedFiles];
        current = { ...current, ...fileIn(files) };
        if (shownAs) return;
        if (isDropped) return;
        isDropped = files.length === 0;
        if (isDropped) waiting?.drop();
        else waiting?.replace(current.slug, after && current);
      },
    });
    waiting = pending.push(file.slug, after);
    const commit = await appended.durable;
    if (isSetAside) throw setAside(commit);
    return { file: current, commit };
  };
}

/** An update writes the description alone. */
function toChanges({ name, before, after }: MediaEvent): Draft['files'] {
  if (!after) {
    const { slug } = before!;
    return [pointerPath(slug), metaPath(slug)].map((path) => ({ path, content: null }));
  }
  const files = toFiles(after);
  return name === 'media.updated' ? files.filter(({ path }) => path === metaPath(after.slug)) : files;
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
  { name, before, after, fields, actor }: MediaEvent,
  requestId: string | undefined,
): Pick<Draft, 'subject' | 'trailers'> {
  const { slug } = (after ?? before)!;
  const path = toPathToken(slug);
  const trailers = [`Event: ${name}`, `Media: ${path}`];
  if (fields.length) trailers.push(`Fields: ${fields.join(', ')}`);
  trailers.push(...actorTrailers(actor));
  if (requestId) trailers.push(`Request-Id: ${toToken(requestId)}`);
  return { subject: `media/${path}: ${[VERB[name], fields.join(', ')].filter(Boolean).join(' ')}`, trailers };
}
