// Decisions about media, pure: each returns an event or the file that exists already, or refuses. They see the state
// that the last accepted write left.
import type { Actor } from '../access/principal.ts';
import { isEqual } from '../lib/equal.ts';
import { conflict } from '../lib/errors.ts';
import { foldName } from '../lib/text/stream-safe.ts';
import type { MediaEvent, MediaFile, MediaMeta, MediaType } from './media.ts';
import { freeName } from './names.ts';
import { splitSlug, toMediaFile, toMediaSlug } from './stored.ts';

export interface MediaState {
  findSame(folder: string, sha256: string): MediaFile | undefined;
  /** Whether a file, valid or not, has this slug. */
  isFile(slug: string): boolean;
  /** Whether a file, valid or not, or a folder has this slug. */
  isThere(slug: string): boolean;
  /** Whether a file or a folder has this slug, ignoring case and the encoding of accents. */
  isTaken(slug: string): boolean;
  /** Returns a folder that differs from this one, or from one above it, in case or the encoding of accents only. */
  findFolderTwin(folder: string): string | undefined;
}

export interface UploadMedia {
  folder: string;
  /** The name it gets if that is free. */
  name: string;
  sha256: string;
  sizeBytes: number;
  type: MediaType;
  contentType: string;
  width?: number | undefined;
  height?: number | undefined;
  alt?: string | undefined;
  tags?: readonly string[] | undefined;
  actor: Actor;
  now: Date;
}

/** The same bytes in the same folder are the same file; other bytes under its name get the next name. */
export function uploadMedia(state: MediaState, command: UploadMedia): MediaEvent | MediaFile {
  const {
    folder,
    name,
    sha256,
    sizeBytes,
    type,
    contentType,
    width,
    height,
    alt = '',
    tags = [],
    actor,
    now,
  } = command;
  const same = state.findSame(folder, sha256);
  if (same) return same;
  refuseFolder(state, folder);
  const free = freeName(name, (one) => isTaken(state, toMediaSlug(folder, one)));
  const slug = toMediaSlug(folder, free);
  const createdAt = now.toISOString();
  const after = { slug, folder, name: free, sha256, sizeBytes, type, alt, tags, createdAt, contentType, width, height };
  return { name: 'media.uploaded', before: undefined, after, fields: [], actor };
}

function refuseFolder(state: MediaState, folder: string): void {
  for (let above = folder; above !== ''; above = splitSlug(above).folder) {
    if (state.isFile(above)) throw conflict(`"${above}" is a file and cannot be a folder`);
  }
  const twin = state.findFolderTwin(folder);
  if (twin) throw conflict(`folder "${folder}" differs from "${twin}" in capitals or accents only`);
}

function isTaken(state: MediaState, slug: string): boolean {
  return state.isTaken(slug) || state.isThere(slug);
}

export interface ChangeMedia extends Pick<MediaMeta, 'alt' | 'tags'> {
  actor: Actor;
}

/** Returns undefined if nothing changes. */
export function changeMedia(before: MediaFile, { alt, tags, actor }: ChangeMedia): MediaEvent | undefined {
  const after = { ...before, alt: alt ?? before.alt, tags: tags ?? before.tags };
  const fields = (['alt', 'tags'] as const).filter((key) => !isEqual(before[key], after[key]));
  return fields.length ? { name: 'media.updated', before, after, fields, actor } : undefined;
}

export interface MoveMedia extends ChangeMedia {
  folder: string;
  name: string;
  /** What the bytes are under the new name, if that was looked at. */
  contentType?: string | undefined;
}

/** With alt text and tags, if they are given. Returns undefined if nothing changes. */
export function moveMedia(state: MediaState, before: MediaFile, command: MoveMedia): MediaEvent | undefined {
  const { folder, name, actor } = command;
  const slug = toMediaSlug(folder, name);
  if (slug === before.slug) return changeMedia(before, command);
  if (folder !== before.folder) refuseFolder(state, folder);
  const isOwnName = foldName(slug) === foldName(before.slug);
  if (isOwnName ? state.isThere(slug) : isTaken(state, slug)) throw conflict(`media file "${slug}" exists`);
  const changed = changeMedia(before, command);
  const { contentType = before.contentType } = command;
  const after = toMediaFile(slug, before, { ...(changed?.after ?? before), contentType } as MediaMeta);
  const place = (['folder', 'name'] as const).filter((key) => before[key] !== after[key]);
  return { name: 'media.updated', before, after, fields: [...place, ...(changed?.fields ?? [])], actor };
}

export interface ReplaceMedia extends Pick<UploadMedia, 'sha256' | 'sizeBytes' | 'contentType' | 'width' | 'height'> {
  actor: Actor;
}

/** Other bytes at the same place, with the file's alt text, tags and date. Returns undefined for the same bytes. */
export function replaceMedia(before: MediaFile, command: ReplaceMedia): MediaEvent | undefined {
  const { sha256, sizeBytes, contentType, width, height, actor } = command;
  if (sha256 === before.sha256) return undefined;
  const after = toMediaFile(before.slug, { sha256, sizeBytes }, { ...before, contentType, width, height } as MediaMeta);
  return { name: 'media.uploaded', before, after, fields: [], actor };
}

export function removeMedia(before: MediaFile, actor: Actor): MediaEvent {
  return { name: 'media.deleted', before, after: undefined, fields: [], actor };
}
