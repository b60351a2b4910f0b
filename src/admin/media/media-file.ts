// A file of the media library as the API describes it, and what the admin makes of it. Pure.
import { LANGUAGE } from '../text/reader.ts';

export interface MediaFile {
  name: string;
  url: string;
  folder: string;
  size: number;
  type: 'image' | 'audio' | 'document' | 'svg';
  alt: string;
  tags: readonly string[];
  width?: number;
  height?: number;
  createdAt?: string;
  sha256: string;
}

/** What the service answers to an upload: nobody has described it yet. */
export type UploadedFile = Pick<MediaFile, 'name' | 'url' | 'size' | 'type' | 'width' | 'height' | 'sha256'> & {
  /** The library had these bytes already, perhaps under another name. */
  wasThere?: boolean;
};

export interface FolderInfo {
  /** Empty for files beside the folders. */
  folder: string;
  files: number;
  filesBelow: number;
}

/** `file` as a wish means any file. */
export type FileKind = 'image' | 'video' | 'audio' | 'file';

/** The API counts videos among documents. */
const VIDEO = /\.(?:mp4|m4v|mov|qt|webm|mkv|ogv|3gp|3g2|avi|mpe?g|mts|m2ts|wmv|asf|flv)$/i;

export function kindOf({ type, name }: Pick<MediaFile, 'type' | 'name'>): FileKind {
  if (type === 'image' || type === 'svg') return 'image';
  if (type === 'audio') return 'audio';
  return VIDEO.test(name) ? 'video' : 'file';
}

export function isOfKinds(file: Pick<MediaFile, 'type' | 'name'>, kinds: readonly FileKind[]): boolean {
  return kinds.length === 0 || kinds.includes('file') || kinds.includes(kindOf(file));
}

/** Types to ask the API for; undefined for all of them at once. */
export function typesOf(kinds: readonly FileKind[]): readonly (MediaFile['type'] | undefined)[] {
  if (kinds.length === 0 || kinds.includes('file')) return [undefined];
  const types: Record<FileKind, readonly MediaFile['type'][]> = {
    image: ['image', 'svg'],
    audio: ['audio'],
    video: ['document'],
    file: [],
  };
  return kinds.flatMap((kind) => types[kind]);
}

/** What a file input should offer. */
export function toAccept(kinds: readonly FileKind[]): string | undefined {
  if (kinds.length === 0 || kinds.includes('file')) return undefined;
  return kinds.map((kind) => `${kind}/*`).join(',');
}

/** The address of a small picture of the file; undefined for a file without a picture. `sidePx` is the longest side. */
export function thumbnailOf(file: MediaFile, sidePx: number): string | undefined {
  if (file.type === 'svg') return toLasting(file);
  // An image that nobody could measure has no variants either.
  if (file.type !== 'image' || file.width === undefined) return undefined;
  return `${toLasting(file)}&w=${sidePx}&h=${sidePx}&fit=inside&format=auto`;
}

const VERSION_DIGITS = 12;

/** The file's address with its present bytes: others have another address, so that no cache shows the old ones. */
export function toLasting({ url, sha256 }: Pick<MediaFile, 'url' | 'sha256'>): string {
  return `${url}${url.includes('?') ? '&' : '?'}v=${sha256.slice(0, VERSION_DIGITS)}`;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** "1.2 MB" */
export function toSize(sizeBytes: number): string {
  let at = 0;
  let value = sizeBytes;
  while (value >= 1000 && at < UNITS.length - 1) {
    value /= 1000;
    at += 1;
  }
  const digits = at > 0 && value < 10 ? 1 : 0;
  const format = { style: 'unit', unit: UNITS[at]!, unitDisplay: at === 0 ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(LANGUAGE, { ...format, maximumFractionDigits: digits }).format(value);
}

/** `images/2026/a b.jpg` as a path of an address. */
export function toPath(file: Pick<MediaFile, 'folder' | 'name'>): string {
  const place = file.folder === '' ? file.name : `${file.folder}/${file.name}`;
  return place.split('/').map(encodeURIComponent).join('/');
}
