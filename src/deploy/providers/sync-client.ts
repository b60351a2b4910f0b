// The client of the sync server (`src/sync/`): signs requests, finds what changed, sends it and makes it live. Knows
// nothing of the machine that the server runs on.
import type { ProviderContext, PublishedFile } from './provider.ts';

export interface SyncClientParts {
  /** Where the server is reached, without a slash at the end. */
  url: string;
  secret: string;
  context: Pick<ProviderContext, 'fetch' | 'delay' | 'now' | 'signal' | 'log' | 'progress' | 'resume'>;
}

export interface SyncHealth {
  /** Compare with `SYNC_VERSION` of `src/sync/version.ts`: a machine with a lower one is updated first. */
  version: number;
}

/** What the live site lacks, and has too much. The paths of all four together are each path once. */
export interface SyncPlan {
  /** The live deploy that the files were compared with; null if there is none yet. */
  base: string | null;
  added: readonly PublishedFile[];
  changed: readonly PublishedFile[];
  removed: readonly string[];
  unchanged: readonly PublishedFile[];
}

export interface SyncClient {
  /**
   * Undefined if no sync server answers there (yet): no connection, no answer in 5 s, or one that is not a sync
   * server's. Not signed, never retried.
   */
  findHealth(): Promise<SyncHealth | undefined>;
  /** Asks every second until a server of at least this version answers. @throws HostError `timeout` */
  waitForHealth(options: { version: number; timeoutMs: number }): Promise<SyncHealth>;
  /** Fetches the live site's manifest and compares. Nothing to do if the first three lists are empty. @throws HostError */
  plan(files: readonly PublishedFile[]): Promise<SyncPlan>;
  /**
   * Begins a deploy, or goes on with the one that `context.resume` remembers, and sends what it lacks: removals first,
   * then files, streamed from the disk, eight at once. What is live stays live. Calls `progress`. @throws HostError
   */
  send(plan: SyncPlan): Promise<void>;
  /** Makes what was sent live. Returns its id: the `hostId` for a rollback. Repeating it is harmless. @throws HostError */
  commit(): Promise<string>;
  /** To the deploy before the live one if no id is given. Returns the id of what is live now. @throws HostError */
  rollback(deployId?: string): Promise<string>;
  /** Removes what `send` left half done. Best effort: throws nothing. */
  abandon(): Promise<void>;
}

export type CreateSyncClient = (parts: SyncClientParts) => SyncClient;
