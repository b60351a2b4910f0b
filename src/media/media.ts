// The media file, as the API describes it and as the content repository has it: a Git LFS pointer at
// `media/<folder>/<name>`, whose bytes are kept beside the repository by their SHA-256, and its description.
import type { Actor } from '../access/principal.ts';

export const MEDIA_TYPES = ['image', 'audio', 'document', 'svg'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** A file's description: `media/<folder>/.meta/<name>.json`. */
export interface MediaMeta {
  /** ISO 8601. */
  createdAt?: string;
  contentType?: string;
  /** Pixels. */
  width?: number;
  height?: number;
  alt?: string;
  tags?: readonly string[];
}

/** Immutable: a change makes a new one. */
export interface MediaFile {
  /** `<folder>/<name>`; the name alone if the file was pushed into `media/` itself. */
  slug: string;
  /** Segments joined by `/`; empty for a file in `media/` itself. */
  folder: string;
  name: string;
  /** 64 hex digits. */
  sha256: string;
  sizeBytes: number;
  type: MediaType;
  alt: string;
  tags: readonly string[];
  /** Undefined if the file was pushed without it. */
  createdAt: string | undefined;
  contentType: string | undefined;
  width: number | undefined;
  height: number | undefined;
}

/** Event names are a file format: add, never rename. */
export type MediaEventName = 'media.uploaded' | 'media.updated' | 'media.deleted';

/** The result of a decision: one event is one commit. */
export interface MediaEvent {
  name: MediaEventName;
  /** For an upload, the file whose bytes it replaces. */
  before: MediaFile | undefined;
  /** Undefined for a deletion; at another place if an update moved the file. */
  after: MediaFile | undefined;
  /** Keys that an update changed. */
  fields: string[];
  actor: Actor;
}

/** The slug that the file had before the event moved it; undefined if it did not move. */
export function movedFrom({ before, after }: Pick<MediaEvent, 'before' | 'after'>): string | undefined {
  return before && after && before.slug !== after.slug ? before.slug : undefined;
}

const BY_EXTENSION: Record<string, MediaType> = {
  ...Object.fromEntries(
    ['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'bmp', 'tif', 'tiff', 'ico', 'heic', 'heif', 'jxl'].map((one) => [
      one,
      'image',
    ]),
  ),
  ...Object.fromEntries(
    ['mp3', 'wav', 'ogg', 'oga', 'opus', 'flac', 'm4a', 'aac', 'aif', 'aiff', 'weba', 'mid', 'midi'].map((one) => [
      one,
      'audio',
    ]),
  ),
  svg: 'svg',
};

/** A file's type, by the content type found at its upload, else by its name. Do not rely on it for safety. */
export function typeOf(name: string, contentType: string | undefined): MediaType {
  if (contentType === 'image/svg+xml') return 'svg';
  if (contentType?.startsWith('image/')) return 'image';
  if (contentType?.startsWith('audio/')) return 'audio';
  if (contentType) return 'document';
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'document';
}

/** A pointer of the repository; its bytes are kept beside the repository. */
export interface MediaEntry {
  /** `media/<folder>/<name>`. */
  path: string;
  sha256: string;
  sizeBytes: number;
}
