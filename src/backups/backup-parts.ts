// The parts of the site that its backups need.
import type { DataFolder } from '../data/data-folder.ts';
import type { Events } from '../webhooks/events.ts';
import type { RestoreParts } from './restore-here.ts';
import type { TargetParts, TargetSettings } from './target.ts';

export interface BackupParts extends Pick<RestoreParts, 'problems' | 'dataRestored'> {
  site: string;
  /** Version of the service. */
  version: string;
  store: BackupStore;
  /** The folder `_data`. */
  data: DataFolder;
  /** `<data>/sites/<id>/media`. */
  media: string;
  settings: { read(): { backupRetention: number; backupTarget: TargetSettings | null } };
  /** How requests to the target are made. */
  target: Omit<TargetParts, 'now'>;
  /** If absent, the events are emitted at the next start of the service. */
  events?: Events;
  now(): Date;
  randomBytes(size: number): Uint8Array;
  warn(message: string, error?: unknown): void;
}

/** The part of the content repository that backups need. */
export interface BackupStore {
  log: { flush(): Promise<void>; status(): { gitHead: string | null } };
  tags: { put(name: string, commit: string): Promise<void>; remove(name: string): Promise<void> };
  odb: { get(oid: string, type: 'tree'): Buffer };
  treeOf(commit: string): string;
  listRefs(): { name: string; oid: string }[];
  freeze(): Promise<{ folder: string; files: readonly { path: string; sizeBytes: number }[]; remove(): void }>;
  commitTree: RestoreParts['store']['commitTree'];
}
