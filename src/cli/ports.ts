// What the commands need of the world and of the service. main.ts passes the real ones, tests their own.
import type { Access } from '../access/access.ts';
import type { SiteEntry } from '../access/sites/sites.ts';
import type { Env } from '../config/env.ts';
import type { SiteConfig } from '../config/site-config.ts';
import type { ContentService } from '../content/api.ts';
import type { NewDocumentFile } from '../content/commits/new-file.ts';
import type { WorkingFile } from './working-tree.ts';

/** A site opened for this process alone. */
export interface OpenedSite {
  config: SiteConfig;
  content: ContentService;
  close(): Promise<void>;
}

/** Problems of a folder as a push of it has them, and what a start would do with the one beside the configuration. */
export interface CheckReport {
  documents: number;
  problems: readonly { path: string; message: string }[];
  warnings: readonly { path: string; message: string }[];
  start: string | undefined;
}

/** What a check of a site found; no problems means that it is sound. */
export interface VerifyReport {
  /** Named numbers: commits, documents, objects. */
  counts: Record<string, number>;
  problems: string[];
  /** Harmless, but worth a look. */
  warnings: string[];
  /**
   * The process that has the data folder, if any: then its index, and what its branch does not have yet, were not
   * checked.
   */
  besidePid?: number | undefined;
}

/** The result for one collection. */
export interface MovedFiles {
  collection: string;
  /** Files that were moved, or would be in a dry run. */
  moved: number;
  /** Files whose document has another file too. */
  blocked: { from: string; to: string }[];
}

export interface Resharded extends MovedFiles {
  /** The layout that the configuration names. */
  isSharded: boolean;
}

export interface Reformatted extends MovedFiles {
  /** The format that the configuration names. */
  isMarkdown: boolean;
  unreadable: { path: string; problem: string }[];
}

export interface BackupReport {
  id: string;
  commit: string | null;
  documents: number;
  mediaFiles: number;
  /** Size of the file that `out` names; 0 without it. */
  archiveBytes: number;
}

export interface RestoreReport extends Omit<BackupReport, 'archiveBytes'> {
  site: string;
  createdAt: string;
  damagedMedia: string[];
  /** Whether the data folder has a site with that id. */
  isKnown: boolean;
}

/** What became of a build: the site, or what is wrong, one sentence each. */
export interface BuildOutcome {
  problems: readonly string[];
  built: { folder: string; files: number; commit: string } | undefined;
}

/** What an MCP endpoint offers. */
export interface McpTrial {
  server: string;
  tools: { name: string; title: string }[];
  resources: number;
  prompts: string[];
}

export interface CliPorts {
  /** The process's environment; options override its variables. */
  variables: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Whether standard error is a terminal, on which a line can be overwritten. */
  isErrTty: boolean;
  readStdin(): Promise<string>;
  now(): Date;
  fetch: typeof fetch;
  /** Returns what to call at the end: as root it gives what the command left in the folder to the folder's owner. */
  rememberOwner(dataDir: string): () => void;
  /** Users, tokens and sites of the data folder. Works while a service runs. */
  openAccess(env: Env): Promise<Access>;
  /** The same sites, without opening users and tokens. */
  listSites(env: Env): Promise<SiteEntry[]>;
  /**
   * Throws FolderInUseError if another process has the data folder. `plantStarter` makes the documents next to the
   * configuration the first commit of an empty site, as a start of the service would.
   */
  openSite(env: Env, site: SiteEntry, options: { plantStarter: boolean }): Promise<OpenedSite>;
  /** Reads even if another process has the data folder. */
  verifySite(env: Env, site: SiteEntry, onProgress: (text: string) => void): Promise<VerifyReport>;
  /** The check that a running service does; returns the id of the site it checked. */
  verifyByHttp(
    options: { url: string; token: string; site?: string | undefined },
    onProgress: (text: string) => void,
  ): Promise<VerifyReport & { site: string }>;
  /**
   * Moves files to the layout that the configuration names; of all collections if none is given. Throws
   * FolderInUseError if another process has the data folder, and an Error if a collection is not configured.
   */
  reshardSite(
    env: Env,
    site: SiteEntry,
    options: { collections: readonly string[]; isDryRun: boolean; onProgress(text: string): void },
  ): Promise<Resharded[]>;
  /** Gives files the format that the configuration names; the same otherwise. */
  reformatSite(
    env: Env,
    site: SiteEntry,
    options: { collections: readonly string[]; isDryRun: boolean; onProgress(text: string): void },
  ): Promise<Reformatted[]>;
  /** Throws FolderInUseError if another process has the data folder, and an Error if `out` already exists. */
  backupSite(
    env: Env,
    site: SiteEntry,
    options: { out: string | undefined; onProgress(text: string): void },
  ): Promise<BackupReport>;
  /** The same through the API of a running service. */
  backupByHttp(options: {
    url: string;
    token: string;
    site?: string;
    out?: string;
    onProgress(text: string): void;
  }): Promise<BackupReport>;
  /** Throws FolderInUseError if another process has the data folder, and an Error if the archive cannot be used. */
  restoreSite(
    env: Env,
    options: { archive: string; site?: string; onProgress(text: string): void },
  ): Promise<RestoreReport>;
  /**
   * Builds the newest commit, even if another process has the data folder. Undefined options are those of the
   * configuration. Throws an Error if there is no such profile.
   */
  buildSite(
    env: Env,
    site: SiteEntry,
    options: {
      profile: string | undefined;
      outDir: string | undefined;
      isFull: boolean;
      log(text: string): void;
      onProgress(text: string): void;
    },
  ): Promise<BuildOutcome>;
  /** Holds the files of a clone, or those beside the configuration, against the configuration. */
  checkFolder(
    env: Env,
    site: SiteEntry,
    options: { files: readonly WorkingFile[] | undefined; now: Date },
  ): Promise<CheckReport>;
  /**
   * The file of a new document, for a clone. Without `slug` it gets the first `untitled` that is free. Throws an Error
   * if the collection is not configured or the clone has a file of that slug.
   */
  newFile(
    env: Env,
    site: SiteEntry,
    options: { collection: string; slug: string | undefined; now: Date; has(path: string): boolean },
  ): Promise<NewDocumentFile>;
  /** The site's API as OpenAPI 3.1. */
  describeSite(env: Env, site: SiteEntry): Promise<object>;
  /** A document's file with texts of several lines as lines. */
  toReadableText(file: string): Promise<string>;
  /** Undefined if one of the files is not a document; `conflicts` are fields of which the result has only ours. */
  mergeDocumentFiles(
    path: string,
    sides: readonly [base: string, ours: string, theirs: string],
  ): Promise<{ text: string; conflicts: readonly string[] } | undefined>;
  /** Connects to an MCP endpoint as a client. @throws Error that says what is wrong */
  tryMcp(options: { url: string; key: string | undefined }): Promise<McpTrial>;
  /**
   * Speaks MCP over standard input and output until the client leaves, with the rights of a user. Throws
   * FolderInUseError if another process has the data folder.
   */
  serveMcp(env: Env, options: { access: Access; siteId: string; userId: string; isReadOnly: boolean }): Promise<void>;
  /** Shows a built folder on 127.0.0.1 until a signal ends the process; prints the address. */
  serveFolder(options: { folder: string; port: number }): Promise<void>;
  /** Serves until a signal ends the process. */
  start(variables: Record<string, string | undefined>): Promise<void>;
}
