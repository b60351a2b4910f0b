// The record of a backup, and the shape of the file that lists them: `_data/backups/manifest.json`.
import { z } from 'zod';

/** `restore` is the automatic backup of the state before a restore. */
const TRIGGERS = ['manual', 'scheduled', 'restore'] as const;
export type Trigger = (typeof TRIGGERS)[number];

const Count = z.int().min(0);

export const SNAPSHOT_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
export const SHA256 = /^[0-9a-f]{64}$/;
export const COMMIT_ID = /^[0-9a-f]{40}$/;

/** The copy on the S3-compatible target. */
const RemoteCopy = z.object({
  status: z.enum(['pending', 'complete', 'failed']),
  /** Its key in the bucket: `<prefix>/<site>/<id>.tar.gz`. */
  key: z.string(),
  sizeBytes: Count.optional(),
  sha256: z.string().optional(),
  /** Why the copy failed. */
  error: z.string().optional(),
});
export type RemoteCopy = z.output<typeof RemoteCopy>;

export const Snapshot = z.object({
  id: z.string().regex(SNAPSHOT_ID),
  commit: z.string().nullable().meta({ description: 'null if the backup failed before it had a commit' }),
  createdAt: z.iso.datetime(),
  trigger: z.enum(TRIGGERS),
  createdBy: z.object({ id: z.string().nullable(), name: z.string() }).optional().meta({
    description: 'who requested it; absent if the schedule did, and in backups of earlier versions',
  }),
  documents: Count,
  collections: Count.meta({ description: 'collections that have documents' }),
  mediaFiles: Count,
  sizeBytes: Count.meta({ description: 'of the archive of `_data`' }),
  sha256: z.string().nullable().meta({ description: 'of the archive of `_data`' }),
  status: z.enum(['creating', 'complete', 'failed']),
  error: z.string().optional(),
  remote: RemoteCopy.optional(),
});
export type Snapshot = z.output<typeof Snapshot>;

/** A snapshot as stored. `dataFiles` and `dataBytes` bound the unpacking; `isTold` is set once its event is emitted. */
export const SnapshotRecord = Snapshot.extend({
  dataFiles: Count,
  dataBytes: Count,
  isTold: z.boolean(),
});
export type SnapshotRecord = z.output<typeof SnapshotRecord>;

export const ManifestFile = z.object({
  version: z.literal(1),
  /** Newest first. */
  snapshots: z.array(SnapshotRecord),
  /** Backups whose archive and tag are still to be removed. */
  removing: z.array(z.string().regex(SNAPSHOT_ID)),
  /** Keys of copies that are still to be removed from the target. */
  removingCopies: z.array(z.string()).default([]),
  /** The backup whose `_data` is being restored, from its folder of staged files. */
  restoring: z.string().regex(SNAPSHOT_ID).nullable(),
});
export type ManifestFile = z.output<typeof ManifestFile>;

export const NO_SNAPSHOTS: ManifestFile = {
  version: 1,
  snapshots: [],
  removing: [],
  removingCopies: [],
  restoring: null,
};

export function toSnapshot(record: SnapshotRecord): Snapshot {
  const { dataFiles: _files, dataBytes: _bytes, isTold: _isTold, ...snapshot } = record;
  return snapshot;
}

/** The time in seconds, and random digits that distinguish two backups of one second. */
export function toSnapshotId(now: Date, random: Uint8Array): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${stamp}-${Buffer.from(random).toString('hex').slice(0, 8)}`;
}

export function tagOf(id: string): string {
  return `backups/${id}`;
}

export function archiveName(id: string): string {
  return `${id}.tar.gz`;
}
