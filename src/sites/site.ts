// An open site as its callers see it, and the options it is opened with.
import type { SiteConfig } from '../config/site-config.ts';
import type { ContentService } from '../content/api.ts';
import type { ExtraKeyNotes } from '../content/checks/extra-keys.ts';
import type { CheckedIncoming } from '../content/from-git/incoming/incoming.ts';
import type { Warnings } from '../content/from-git/warnings.ts';
import type { DueTimes } from '../content/rows/due-times.ts';
import type { ContentView } from '../content/rows/view.ts';
import type { PushChecks } from '../git/push/checks.ts';
import type { HistoryService } from '../history/service.ts';
import type { FindAccount } from '../lib/account.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import type { MediaService } from '../media/service.ts';
import type { CollectionSchema, SiteSchema } from '../schema/collection.ts';
import type { IndexThread } from '../search/index-thread.ts';
import type { SearchService } from '../search/service.ts';
import type { DiskWatch } from '../store/disk/disk-watch.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Remote } from '../store/remote/remote.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { Store } from '../store/store.ts';
import type { StoredBytes } from './stored/stored-bytes.ts';

export interface SiteOptions {
  id: string;
  org: string;
  config: SiteConfig;
  /** `<data>/sites/<id>`. */
  folder: string;
  /** If the repository is empty, the documents in this folder become the first commit. */
  starterFolder?: string | undefined;
  /** The most that the site may have on the disk; undefined for any. */
  quotaBytes?: number | undefined;
  now?: () => Date;
  /** Elapsed time; follows `now` if only `now` is given. */
  elapsedMs?: ElapsedMs | undefined;
  newId?: () => string;
  /** Runs the text index of a large site; the site starts its own if absent. */
  indexThread?: IndexThread | undefined;
  /** If given, the site follows its remote; the values of the variables that hold tokens come from here. */
  variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether requests of the site may reach addresses inside the network; if absent, they may not. */
  mayAllowPrivate?: (() => boolean) | undefined;
  /** Returns an account's current state; without it people have the names of their commits. */
  findAccount?: FindAccount | undefined;
  /** An error after which the process must end. */
  onFatal?(error: unknown): void;
  /** Shared by the whole process. */
  diskWatch?: DiskWatch | undefined;
  /** Returns why the lock on the data folder no longer holds. */
  lockLost?: (() => string | undefined) | undefined;
  info?(message: string): void;
  warn?(message: string, error?: unknown): void;
}

export interface Site {
  id: string;
  org: string;
  config: SiteConfig;
  schema: SiteSchema;
  /** The schema's collections; always the same array, so that results derived from it can be cached. */
  collections: readonly CollectionSchema[];
  content: ContentService;
  media: MediaService;
  history: HistoryService;
  search: SearchService;
  view: ContentView;
  /** Documents with a due time; all of them once `ready`. */
  due: DueTimes & { ready: Promise<void> };
  store: Store;
  /** Undefined if the configuration has no remote, or if `SiteOptions.variables` is absent. */
  remote: Remote | undefined;
  /** Files of the repository that are not valid documents, and why. */
  warnings: Warnings;
  /** Keys of documents that no field has, for `/readyz`. */
  extraKeyNotes: ExtraKeyNotes;
  /** The source of the views, and how long it took. */
  opened: { from: 'snapshot' | 'repository'; documents: number; durationMs: number };
  /**
   * Returns the reasons against accepting the commits from `from` to `to`; `odb` may have objects that the repository
   * lacks.
   */
  checkIncoming(from: Oid | null, to: Oid, odb: Odb): Promise<CheckedIncoming>;
  pushes: PushChecks;
  /** Aborted when the site closes. */
  closing: AbortSignal;
  /** How much it has on the disk. */
  stored: StoredBytes;
  saveViews(): Promise<void>;
  /** What imports knew was replaced on the disk. */
  reloadImports(): void;
  /** Removes media bytes that no commit has named for a day, as it is done once an hour. */
  sweepBytes(): Promise<void>;
  close(): Promise<void>;
}
