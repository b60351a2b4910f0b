// What the thread of previews and the process that waits for it say to each other.
import type { SiteConfig } from '../../../config/site-config.ts';
import type { StoredDocument } from '../../../content/document.ts';

export interface PreviewOrder {
  siteId: string;
  config: SiteConfig;
  /** The bare repository, which the service writes meanwhile. */
  repository: string;
  /** Folder of the bytes of media. */
  mediaFolder: string;
  /** Folder of the site's theme; undefined for the built-in one. */
  themeFolder: string | undefined;
}

export interface PreviewRequest {
  /** As it is to be seen, whatever of it is stored. */
  document: StoredDocument;
  /** The address that the theme's files are below, with a slash at both ends. */
  base: string;
  /** What follows the address of a media file: `?site=<id>` beside other sites, else empty. */
  mediaQuery: string;
}

/** A problem is a sentence for the person who writes: the document has no page, or the theme has an error. */
export type PreviewPage = { html: string } | { problem: string };

export type PreviewCall = { id: number } & ({ make: PreviewRequest } | { file: string });

export type PreviewNews = { id: number } & (
  | { page: PreviewPage }
  | { bytes: Uint8Array | undefined }
  /** The site is read, and the page is being made: from now on it is the page that takes time. */
  | { begun: true }
  | { error: { message: string; stack: string | undefined; code: string | undefined } }
);
