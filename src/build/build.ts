// What a build is given and what it makes; deploys, the command line and the static builder share these types.

/** One file of a built site. */
export interface SiteFile {
  /** Path below the output folder, with `/`, without one at the beginning: `journal/hello/index.html`. */
  path: string;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
}

/** A built site on the disk. Nothing changes it while a deploy reads it. */
export interface BuiltSite {
  /** Absolute path of the output folder. */
  folder: string;
  /** Sorted by path. */
  files: readonly SiteFile[];
  /** The commit that was built. */
  commit: string;
  /** Redirects from old addresses, for the host's own form. The built folder has none of them. */
  redirects: readonly Redirect[];
}

/** `from` and `to` are paths with a slash at both ends. Permanent (301). Newest first. */
export interface Redirect {
  from: string;
  to: string;
}

export interface BuildRequest {
  /** A profile's name; the default one if absent. @throws 400 if there is no such profile. */
  profile?: string | undefined;
  /** Builds everything, whatever is known of the last build. */
  isFull?: boolean;
  /** Drafts are included only if the profile says so, and only in a preview. */
  isPreview: boolean;
  /** Receives what the build prints, in pieces of any size. */
  log(text: string): void;
  /** Ends the build, with every process it started. */
  signal: AbortSignal;
}

/** The build failed for a reason that its log explains; the sentence is for the history of deploys. */
export class BuildError extends Error {
  override name = 'BuildError';
}

/** The door of builds, as deploys see it. */
export interface Builds {
  /**
   * Refuses what cannot be built before anything starts: an unknown profile, a container without docker, a preview of
   * drafts where the host has none. @throws 400
   */
  check(request: Pick<BuildRequest, 'profile' | 'isPreview'>): Promise<BuildProfile>;
  /** Builds the newest durable commit. One build of a profile at a time. @throws BuildError */
  build(request: BuildRequest): Promise<BuiltSite>;
}

/** A profile with the defaults of `build` filled in. */
export interface BuildProfile {
  name: string;
  /** Undefined: the static builder. */
  command: string | undefined;
  /** Relative, below the folder that is built in. */
  outDir: string;
  /** Includes drafts; makes previews only. */
  drafts: boolean;
}
