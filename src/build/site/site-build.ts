// What a build of a site by its theme is given. Everything is a value or a path, so that it can be sent to a process;
// what a process cannot be sent is in `SiteBuildCalls`.
import type { SiteConfig } from '../../config/site-config.ts';
import type { Person } from '../../store/git/objects.ts';

export interface SiteBuildOrder {
  siteId: string;
  config: SiteConfig;
  /** The bare repository, which a service may be writing meanwhile. */
  repository: string;
  /** How commits of this service are signed. */
  committer: Person;
  /** Folder of the bytes of media. */
  mediaFolder: string;
  /** Folder of the site's theme; undefined for the built-in one. */
  themeFolder: string | undefined;
  /** What is known of the last build into `outDir`; belongs to this build alone, and may be deleted. */
  stateFolder: string;
  /** Folder of smaller pictures, which several builds share; may be deleted. */
  variantsFolder: string;
  /** Absolute. */
  outDir: string;
  /** The newest commit of the branch if absent. */
  commit?: string | undefined;
  /** Includes documents of every status. */
  drafts: boolean;
  isPreview: boolean;
  /** Makes everything again, whatever is known of the last build. */
  isFull: boolean;
  /** `build.baseUrl` if absent. */
  baseUrl?: string | undefined;
  /** Where forms are sent, without a slash at its end; undefined if it is not known. */
  adminUrl?: string | undefined;
  /** Writes redirects as `_redirects` into the site; without it they are only returned. */
  writesRedirects: boolean;
}

export interface SiteBuildCalls {
  /** Receives lines, each with its end. */
  log(text: string): void;
  /** Receives a short text from time to time. */
  onProgress?(text: string): void;
  signal: AbortSignal;
}
