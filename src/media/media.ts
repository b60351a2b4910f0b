// The media file, as the API tells of it and as the content repository has it: a Git LFS pointer at
// `media/<folder>/<name>`, whose bytes are kept beside the repository by their SHA-256, and what people say of it.
import type { Actor } from '../access/principal.ts';

export const MEDIA_TYPES = ['image', 'audio', 'document', 'svg'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** What is told of a file beside its bytes: `media/<folder>/.meta/<name>.json`. */
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

/** Immutable: a change replaces it. */
export interface MediaFile {
  /** `<folder>/<name>`; of a file that somebody pushed into `media/` itself the name alone. */
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
  /** Undefined for a file that somebody pushed without saying so. */
  createdAt: string | undefined;
  contentType: string | undefined;
  width: number | undefined;
  height: number | undefined;
}

/** Event names are a file format: add, never rename. */
export type MediaEventName = 'media.uploaded' | 'media.updated' | 'media.deleted';

/** What a decision comes to: one event is one commit. */
export interface MediaEvent {
  name: MediaEventName;
  before: MediaFile | undefined;
  /** Undefined for a deletion. */
  after: MediaFile | undefined;
  /** Of an update. */
  fields: string[];
  actor: Actor;
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

/** What a file is, by what was found out at its upload, else by its name. Nobody's safety may rest on it. */
export function typeOf(name: string, contentType: string | undefined): MediaType {
  if (contentType === 'image/svg+xml') return 'svg';
  if (contentType?.startsWith('image/')) return 'image';
  if (contentType?.startsWith('audio/')) return 'audio';
  if (contentType) return 'document';
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'document';
}

/** A file of the repository whose bytes are beside it. */
export interface MediaEntry {
  /** `media/<folder>/<name>`. */
  path: string;
  sha256: string;
  sizeBytes: number;
}
