// The media capability: one door for HTTP, forms, backups and tools. Each write decides synchronously on the pending
// state, becomes one commit, and resolves once the commit and its bytes are durable; an answer that makes no commit
// resolves once the state that the decision saw is durable.
import { randomUUID } from 'node:crypto';
import type { Actor } from '../access/principal.ts';
import { invalid, notFound, ServiceError } from '../lib/errors.ts';
import type { Appended, Draft } from '../store/log/log.ts';
import { hashOf } from './bytes/open-byte-files.ts';
import type { ArrivedFile, MediaBytes } from './bytes/open-bytes.ts';
import { type MediaReport, verifyMedia } from './bytes/verify.ts';
import { createMediaCommit, type MediaWriteOptions, type MediaWritten } from './commits/commit.ts';
import { type MediaStarter, readMediaStarter } from './commits/starter.ts';
import { removeMedia, uploadMedia } from './decide.ts';
import { createFileChanges, type FileChanges, type FileChangesParts } from './file-changes.ts';
import type { Inspected } from './kinds/detect.ts';
import { listMedia, type MediaPage, type MediaQuery } from './list-media.ts';
import type { MediaEntry, MediaEvent, MediaFile } from './media.ts';
import { defaultFolder, folderProblem, toName } from './names.ts';
import { toBareType } from './new-place.ts';
import type { PendingMediaState } from './pending.ts';
import { pointerPath } from './stored.ts';
import type { MediaListener, MediaView } from './view.ts';

/** A file in a folder that `receive` returned. */
export interface ReceivedFile extends ArrivedFile {
  /** The client's name for it. */
  name: string;
}

export interface UploadInput {
  /** If absent, the default for the file's type. */
  folder?: string | undefined;
  alt?: string | undefined;
  tags?: readonly string[] | undefined;
}

export const MAX_UPLOAD_BYTES = 50 << 20;

/** Every write resolves once it is durable; refusals are ServiceErrors and leave no trace. */
export interface MediaService extends FileChanges {
  /** Newest first. Reads see durable state only and touch no disk. */
  list(query: MediaQuery): Promise<MediaPage>;
  folders: MediaView['folders'];
  count(): number;
  /** Changes whenever the result of a list may have changed. */
  version(): string;
  find(folder: string, name: string): MediaFile | undefined;
  /** Finds a file by `<folder>/<name>`. */
  findBySlug(slug: string): MediaFile | undefined;
  /** Throws 404. */
  get(slug: string): MediaFile;
  /** Makes a new folder for incoming bytes; `end` removes it with whatever is left in it. */
  receive(): Promise<{ folder: string; end(): Promise<void> }>;
  /**
   * Stores a received file. Checks the folder (400), the size of at most 50 MiB (413), that the disk has all of it
   * (507), and the type by its content (415). The same bytes in the same folder are the same file, and make no commit.
   */
  upload(file: ReceivedFile, input: UploadInput, actor: Actor, options?: MediaWriteOptions): Promise<MediaWritten>;
  /** Deletes a file. Its bytes stay, because earlier commits name them. */
  remove(slug: string, actor: Actor, options?: MediaWriteOptions): Promise<MediaWritten>;
  /** The files of the newest durable commit. */
  files(): Iterable<MediaEntry>;
  /** Path of the bytes, whether or not they exist: a pointer may have been pushed without them. */
  bytesPath(sha256: string): string;
  hasBytes(sha256: string): Promise<boolean>;
  /** Size in bytes; undefined if they do not exist. */
  sizeOfBytes(sha256: string): Promise<number | undefined>;
  /** Stores bytes of any kind that a commit of the next 24 hours will name; see MediaBytes. */
  keepBytes(file: ArrivedFile): Promise<void>;
  noteNamed(sha256: string): Promise<void>;
  /** Whether a media file of the newest durable commit has these bytes. */
  isNamed(sha256: string): boolean;
  /** See MediaBytes. */
  sweepBytes: MediaBytes['sweepUnnamed'];
  /** Reads every byte and checks it against the repository. */
  verify(onProgress?: (done: number) => void, signal?: AbortSignal): Promise<MediaReport>;
  /** Stores bytes that a commit names; does nothing if they exist. Rejects if `source` has other bytes. */
  restoreBytes(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
  /** Reads the files beside a configuration, for the first commit of an empty site, and stores their bytes. */
  readStarter(folder: string): Promise<MediaStarter>;
  /** Calls the listener with each change that readers see. */
  subscribe(listener: MediaListener): () => void;
}

export interface MediaParts extends Pick<FileChangesParts, 'decide' | 'bytes' | 'inspect' | 'content' | 'addressesOf'> {
  view: MediaView;
  pending: PendingMediaState;
  append(draft: Draft): Appended;
  onWritten(path: string): void;
  /** Whether the newest accepted state has a file there. */
  hasFile(path: string): boolean;
  /** Whether the newest accepted state has a file or a folder there. */
  hasAny(path: string): boolean;
  now(): Date;
}

export function createMedia(parts: MediaParts): MediaService {
  const { view, pending, decide, bytes, inspect, now } = parts;
  const commit = createMediaCommit(parts);
  const state = {
    findSame: pending.findSame,
    isTaken: pending.isNameTaken,
    isFile: (slug: string) => pending.find(slug) !== undefined || parts.hasFile(pointerPath(slug)),
    isThere: (slug: string) => pending.find(slug) !== undefined || parts.hasAny(pointerPath(slug)),
    findFolderTwin: view.findFolderTwin,
  };

  /** Distinguishes processes: each counts versions from zero. */
  const opened = randomUUID();

  function get(slug: string): MediaFile {
    const file = view.find(slug);
    if (!file) throw notFound(`media file "${slug}"`);
    return file;
  }

  function getPending(slug: string): MediaFile {
    const file = pending.find(slug);
    if (!file) throw notFound(`media file "${slug}"`);
    return file;
  }

  /** What a received file is. Throws 413, 507, 415. */
  async function inspectWhole(file: ArrivedFile, name: string): Promise<Inspected> {
    if (file.sizeBytes > MAX_UPLOAD_BYTES) throw tooLarge();
    await bytes.expectWhole(file);
    const found = await inspect(file.path, name);
    if (!found) throw notAccepted();
    return found;
  }

  function* files(): Generator<MediaEntry> {
    for (const { slug, sha256, sizeBytes } of view.values()) yield { path: pointerPath(slug), sha256, sizeBytes };
  }

  return {
    list: (query) => listMedia(view, query),
    folders: view.folders,
    count: () => view.size,
    version: () => `${opened} ${view.version}`,
    find: (folder, name) => view.find(folder === '' ? name : `${folder}/${name}`),
    findBySlug: view.find,
    get,
    receive: bytes.receive,
    async upload(file, input, actor, options) {
      const { sha256, sizeBytes } = file;
      const { alt, tags } = input;
      const problem = input.folder === undefined ? undefined : folderProblem(input.folder);
      if (problem) throw invalid([{ path: 'folder', message: problem }]);
      const found = await inspectWhole(file, file.name);
      const { type, width, height } = found;
      const contentType = toBareType(found.contentType);
      const folder = input.folder ?? defaultFolder(type);
      const name = toName(file.name, found.extension);
      const command = { folder, name, sha256, sizeBytes, type, contentType, width, height, alt, tags, actor };
      const run = (): MediaWritten | Promise<MediaWritten> => {
        const decision = uploadMedia(state, { ...command, now: now() });
        return isEvent(decision) ? commit(decision, options) : { file: decision, commit: null };
      };
      return bytes.adopt(file, () => decide(run));
    },
    ...createFileChanges({ ...parts, state, getPending, inspectWhole, commit }),
    async remove(slug, actor, options) {
      const { sha256 } = await decide(() => getPending(slug));
      // Waits for an upload of the same bytes, which may be between storing them and answering.
      return bytes.alone(sha256, () => decide(() => commit(removeMedia(getPending(slug), actor), options)));
    },
    files,
    verify: (onProgress = () => undefined, signal) =>
      verifyMedia({
        files: files(),
        sizeOf: bytes.sizeOf,
        hashOf: (sha256) => hashOf(bytes.pathOf(sha256)),
        onProgress,
        signal,
      }),
    bytesPath: bytes.pathOf,
    hasBytes: bytes.has,
    sizeOfBytes: bytes.sizeOf,
    keepBytes: bytes.keep,
    noteNamed: bytes.noteNamed,
    isNamed: view.hasBytes,
    sweepBytes: bytes.sweepUnnamed,
    restoreBytes: bytes.restore,
    readStarter: (folder) => readMediaStarter(folder, { inspect, restoreBytes: bytes.restore, now: now() }),
    subscribe: view.subscribe,
  };
}

function isEvent(decision: MediaEvent | MediaFile): decision is MediaEvent {
  return 'actor' in decision;
}

export function tooLarge(): ServiceError {
  return new ServiceError('too_large', `the file is larger than ${MAX_UPLOAD_BYTES >> 20} MiB`);
}

function notAccepted(): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    'the file is not an image, audio, SVG, video, PDF, office document, text, CSV, JSON or archive, or it could be run as a program',
  );
}
