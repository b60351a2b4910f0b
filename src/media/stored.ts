// The files of media in the content repository: their paths, Git LFS pointers and descriptions. They may come from an
// external commit.
import { ServiceError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import { type LfsPointer, POINTER_BYTES, parsePointer, toPointerFile } from '../lib/lfs-pointer.ts';
import { isWritable } from '../lib/time/date-time.ts';
import { type MediaFile, type MediaMeta, typeOf } from './media.ts';

/** One file below `media/`, parsed. */
export type StoredMedia =
  | { kind: 'pointer'; slug: string; pointer: LfsPointer }
  | { kind: 'meta'; slug: string; meta: MediaMeta };

/** Enough for alt text and tags at their limits, in their longest encoding. */
export const META_BYTES = 64 << 10;

const META = /^media\/(?:(.+)\/)?\.meta\/([^/]+)\.json$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const CONTENT_TYPE = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export function isMediaPath(path: string): boolean {
  return path.startsWith('media/');
}

export function toMediaSlug(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function splitSlug(slug: string): { folder: string; name: string } {
  const slash = slug.lastIndexOf('/');
  return { folder: slug.slice(0, Math.max(0, slash)), name: slug.slice(slash + 1) };
}

/** Path of the pointer. */
export function pointerPath(slug: string): string {
  return `media/${slug}`;
}

/** Path of the description. It collides with no upload: no name or folder of an upload begins with a dot. */
export function metaPath(slug: string): string {
  const { folder, name } = splitSlug(slug);
  return `media/${folder === '' ? '' : `${folder}/`}.meta/${name}.json`;
}

/** Which media file a path below `media/` belongs to, and as what. */
export function parseMediaPath(path: string): { kind: StoredMedia['kind']; slug: string } {
  const [isMeta, folder = '', name = ''] = META.exec(path) ?? [];
  return isMeta
    ? { kind: 'meta', slug: toMediaSlug(folder, name) }
    : { kind: 'pointer', slug: path.slice('media/'.length) };
}

/** The largest size that a file at the path may have. */
export function mediaFileBytes(path: string): number {
  return parseMediaPath(path).kind === 'meta' ? META_BYTES : POINTER_BYTES;
}

const NO_POINTER =
  'not a Git LFS pointer; media are kept outside of the history: run "git lfs install", and commit the file again';

/** Git LFS has no pointer for an empty file, and turns one that people wrote into an empty file. */
export const EMPTY_MEDIA = 'is empty; a media file has at least one byte';

/** Returns the reason if it is neither a pointer nor the description of a media file. */
export function parseMediaFile(path: string, bytes: Buffer): StoredMedia | string {
  const { kind, slug } = parseMediaPath(path);
  if (kind === 'pointer') {
    // Any other file in a folder of descriptions.
    if (`/${slug}`.includes('/.meta/')) return 'not the description of a media file: .meta/<name>.json';
    if (bytes.length === 0) return EMPTY_MEDIA;
    const pointer = parsePointer(bytes);
    return pointer ? { kind, slug, pointer } : NO_POINTER;
  }
  const meta = parseMeta(bytes);
  return typeof meta === 'string' ? `not the description of a media file: ${meta}` : { kind, slug, meta };
}

/** The problem of a file that is larger than `mediaFileBytes`. */
export function tooLargeMedia(path: string): string {
  return parseMediaPath(path).kind === 'meta' ? `larger than ${META_BYTES >> 10} KiB` : NO_POINTER;
}

export function parseMeta(bytes: Buffer): MediaMeta | string {
  let value: unknown;
  try {
    value = parseJson(UTF_8.decode(bytes));
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    if (error instanceof TypeError) return 'not valid UTF-8';
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
  const { createdAt, contentType, width, height, alt, tags } = value as Record<string, unknown>;
  if (createdAt !== undefined && !isInUtc(createdAt)) return 'createdAt is not a date-time in UTC';
  if (contentType !== undefined && !(typeof contentType === 'string' && CONTENT_TYPE.test(contentType)))
    return 'contentType is not a media type';
  if (![width, height].every((side) => side === undefined || (Number.isSafeInteger(side) && (side as number) > 0)))
    return 'width or height is not a number of pixels';
  if (alt !== undefined && typeof alt !== 'string') return 'alt is not a text';
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
    return 'tags are not texts';
  return clean({ createdAt, contentType, width, height, alt, tags } as MediaMeta);
}

/** Leaves out absent keys and empty values. */
function clean({ createdAt, contentType, width, height, alt, tags }: MediaMeta): MediaMeta {
  return {
    ...(createdAt ? { createdAt } : {}),
    ...(contentType ? { contentType } : {}),
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(alt ? { alt } : {}),
    ...(tags?.length ? { tags } : {}),
  };
}

function isInUtc(value: unknown): boolean {
  return typeof value === 'string' && UTC.test(value) && isWritable(value);
}

export function toMediaFile(slug: string, { sha256, sizeBytes }: LfsPointer, meta: MediaMeta = {}): MediaFile {
  const { folder, name } = splitSlug(slug);
  const { createdAt, contentType, width, height, alt = '', tags = [] } = meta;
  const type = typeOf(name, contentType);
  return { slug, folder, name, sha256, sizeBytes, type, alt, tags, createdAt, contentType, width, height };
}

export function toMetaFile(meta: MediaMeta): Buffer {
  return Buffer.from(`${JSON.stringify(clean(meta), null, 2)}\n`, 'utf8');
}

/** The files of a media file: the description first, so that the media file is complete when its pointer appears. */
export function toFiles(file: MediaFile): { path: string; content: Buffer }[] {
  return [
    { path: metaPath(file.slug), content: toMetaFile(file as MediaMeta) },
    { path: pointerPath(file.slug), content: toPointerFile(file) },
  ];
}
