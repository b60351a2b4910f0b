// What the second thread of a build is given, and what it answers. Names of facts are sent once and then by number.

import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteDocument } from '../read/site-document.ts';
import type { SiteBuildOrder } from '../site-build.ts';
import type { MadeFile } from '../write/file-list.ts';

export interface RenderOrder {
  order: SiteBuildOrder;
  /** The commit's tree. */
  tree: string;
  /** The documents that the build shows. */
  shown: readonly SiteDocument[];
  /** Hashes of media that no smaller picture can be made of. */
  opaque: readonly string[];
  pages: readonly PlannedPage[];
  /** Makes the files of the search, before any page. */
  withSearch: boolean;
  /** Number of the next chunk that nobody has taken. */
  next: Int32Array<SharedArrayBuffer>;
  staging: string;
  compiled: string | undefined;
}

export interface RenderedPage {
  at: number;
  facts: Int32Array;
  media: string[];
  sizeBytes: number;
  sha256: string;
}

export type RenderNews =
  | { names: string[]; pages: RenderedPage[]; problems: string[] }
  | { error: { message: string; stack: string | undefined; code: string | undefined } }
  | { search: [file: string, made: MadeFile][] }
  | { isEnd: true };

/** Pages that a thread takes at once. */
export const CHUNK_PAGES = 16;

/** The next chunk of pages; undefined if none is left. */
export function takeChunk(next: Int32Array<SharedArrayBuffer>, count: number): number[] | undefined {
  const first = Atomics.add(next, 0, 1) * CHUNK_PAGES;
  if (first >= count) return undefined;
  return Array.from({ length: Math.min(CHUNK_PAGES, count - first) }, (_, at) => first + at);
}
