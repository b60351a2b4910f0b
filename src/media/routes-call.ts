// What the media routes share: the site of a call, the places of files, and descriptions of refusals.
import type { ContentService } from '../content/api.ts';
import type { SharingSite } from '../http/cross-origin.ts';
import type { Call, DescribedAnswer, Route } from '../http/route.ts';
import type { MediaFile } from './media.ts';
import type { MediaService } from './service.ts';
import { toMediaSlug } from './stored.ts';

/** What these routes need of a request's site. */
export interface MediaSite extends SharingSite {
  id: string;
  media: MediaService;
  content: Pick<ContentService, 'referencesTo'>;
}

export type MediaCall = Call<MediaSite, unknown, unknown>;
export type RoutePlace = Pick<Route, 'path' | 'deep'>;

/** The second is for files that were pushed into `media/` itself. */
export const PLACES: readonly RoutePlace[] = [
  { path: '/api/media/{folder}/{name}', deep: 'folder' },
  { path: '/api/media/{name}' },
];

/** Throws 404. */
export function fileOf({ site, params }: Pick<MediaCall, 'site' | 'params'>): MediaFile {
  return site.media.get(toMediaSlug(params.folder ?? '', params.name!));
}

export function refusals(texts: Record<number, string>): Record<number, DescribedAnswer> {
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]));
}

/** A file as the API answers it. */
export type MediaAnswer = Omit<MediaFile, 'slug' | 'sizeBytes' | 'contentType'> & { url: string; size: number };
export type ToMediaAnswer = (site: MediaSite, file: MediaFile) => MediaAnswer;

export function commitHeader(commit: string | null): Record<string, string> {
  return commit ? { 'X-CMS-Commit': commit } : {};
}
