// Opens a site's content repository: creates it if it is missing, brings back what a crash left in the write-ahead log,
// and starts the log. The caller holds the data folder's lock; two writers on one repository would each be right alone.
import path from 'node:path';
import type { Warn } from '../lib/warn.ts';
import { COMMITTER } from './committer.ts';
import { type Disk, nodeDisk } from './disk/disk.ts';
import { createDiskWatch, type DiskWatch } from './disk/disk-watch.ts';
import { type Oid, type Person, parseCommit } from './git/objects.ts';
import { createCommitTree, type TreeCommit } from './log/commit-tree.ts';
import type { LogEntry } from './log/entry.ts';
import type { External } from './log/external.ts';
import { createLog, type Log } from './log/log.ts';
import { recover } from './log/recovery.ts';
import type { CreateRebase } from './log/replant.ts';
import { openEpoch } from './log/wal/epoch.ts';
import { createWal } from './log/wal/wal.ts';
import { createMaintenance, type Maintenance } from './maintenance/maintenance.ts';
import { createThreadMerger } from './maintenance/thread.ts';
import { type AsyncPacker, createThreadPacker } from './packs/packer-thread.ts';
import { createRetiredPacks, type RetiredPacks, type RetiredPacksParts } from './packs/retired-packs.ts';
import { type ChangeBranches, createChangeBranches } from './repository/change-branches/change-branches.ts';
import { checkTip } from './repository/check-repository.ts';
import type { DiskWork } from './repository/disk-work.ts';
import { createFreezer, type FrozenObjects } from './repository/frozen.ts';
import { createHolderFinder } from './repository/lock-holders.ts';
import { createLockWatch, type LockWatch, type LockWatchParts } from './repository/lock-watch.ts';
import { createMovedBranch } from './repository/moved-branch.ts';
import { createNotes, type Notes } from './repository/notes.ts';
import { createOdb, type Odb } from './repository/odb.ts';
import { createQuarantines, type Quarantine } from './repository/quarantine.ts';
import { createReaders } from './repository/readers.ts';
import { createBranch, listRefs } from './repository/refs.ts';
import { cleanRepository, initRepository } from './repository/repository.ts';
import { createTags, type Tags } from './repository/tags.ts';

export interface StoreOptions {
  /** Holds `content.git/` and `wal/`. */
  folder: string;
  committer?: Person;
  disk?: Disk;
  /** Replaces the thread that packs, for tests that watch every disk operation. */
  packer?: AsyncPacker;
  /** Milliseconds between checks whether packs should be merged; 0 turns them off. */
  maintenanceMs?: number;
  /** How long replaced packs stay. */
  retiredPacks?: Partial<Pick<RetiredPacksParts, 'readers' | 'keepMs' | 'keepForReadersMs' | 'lookMs'>>;
  walSegmentBytes?: number;
  pollMs?: number;
  lockPatienceMs?: number;
  /** See LogParts. */
  heldBytes?: number;
  /** How locks that git left in the repository are watched. */
  lockWatch?: Partial<Pick<LockWatchParts, 'findHolder' | 'lookMs' | 'patienceMs' | 'removeMs'>>;
  /**
   * Called for each change of this process in log order, once it is durable and visible and before its writer is
   * answered. `blobs`: the ids of its written files, in their order.
   */
  onCommit?(entry: LogEntry, blobs: readonly Oid[]): void;
  /**
   * Called with external commits. Usually they are on top of `from`; after a force-push that was accepted, or after our
   * changes were replayed on a remote's, `from` is not an ancestor of `to`: walk back from `to` to a known commit.
   */
  onExternal?(change: External): void;
  /**
   * Works for some milliseconds on what `onExternal` will need; returns true when that is ready. `onExternal` may be
   * called without it.
   */
  prepareExternal?(from: Oid | null, to: Oid): boolean;
  createRebase?: CreateRebase;
  /** The disk watch of the whole process; the store creates its own if absent. */
  diskWatch?: DiskWatch | undefined;
  now?: (() => Date) | undefined;
  onFatal?(error: unknown): void;
  /** Why the lock on the data folder no longer holds; checked before each acknowledgement. */
  lockLost?: (() => string | undefined) | undefined;
  /** Receives what this start had to do that not every start has to. */
  info?: ((message: string) => void) | undefined;
  warn?: Warn;
}

export interface Store {
  log: Log;
  odb: Odb;
  maintenance: Maintenance;
  locks: LockWatch;
  retired: RetiredPacks;
  repository: string;
  /** The branch's commit when the store was opened, and the changes recovered on top of it, oldest first. */
  openedAt: Oid | null;
  recovered: readonly LogEntry[];
  /**
   * Returns a reason if another process has taken over the site. Takes some microseconds; to be checked before and
   * after each write.
   */
  lost(): string | undefined;
  treeOf(commit: Oid): Oid;
  /** Opens a quarantine. */
  openQuarantine(): Promise<Quarantine>;
  tags: Tags;
  changeBranches: ChangeBranches;
  /** See DiskWatch. */
  inTime: DiskWatch['inTime'];
  /** For other code that changes refs and packs of the repository. */
  work: DiskWork;
  /** How commits that the service did not make arrived. */
  notes: Notes;
  /** See createCommitTree. */
  commitTree(commit: TreeCommit): Promise<Oid | null>;
  /** The current objects of the repository, as files of our own in a folder that is emptied at the start. */
  freeze(): Promise<FrozenObjects>;
  /** All refs, including the service's own. */
  listRefs(): { name: string; oid: Oid }[];
  close(): Promise<void>;
}

export function openStore(options: StoreOptions): Store {
  const { disk = nodeDisk, committer = COMMITTER, onFatal = nothing, info = nothing, warn = nothing } = options;
  const repository = path.join(options.folder, 'content.git');
  const walFolder = path.join(options.folder, 'wal');
  const packFolder = path.join(repository, 'objects', 'pack');
  initRepository(disk, repository);
  const epoch = openEpoch(disk, repository);
  const branch = createBranch(disk, repository);
  const packer = options.packer ?? createThreadPacker(packFolder);
  const retired = createRetiredPacks({
    disk,
    work: packer.work,
    folder: packFolder,
    readers: createReaders(repository),
    onChanged: () => odb.refresh(),
    warn,
    ...options.retiredPacks,
  });
  const odb: Odb = createOdb(disk, repository, retired.has);
  checkTip(odb, repository, branch.read());
  const movedFrom = createMovedBranch(disk, repository).read();
  const startedMs = performance.now();
  const { head, missing, wal: found } = recover({ disk, repository, walFolder, epoch, odb, branch, movedFrom });
  const removed = cleanRepository(disk, repository);
  // A killed process may have seen names that are not on the disk yet; what follows builds on them.
  disk.syncFolder(packFolder);
  const wal = createWal({
    ...{ disk, folder: walFolder, epoch, found },
    ...{ segmentBytes: options.walSegmentBytes, lockLost: options.lockLost },
  });
  if (missing.length === 0) wal.release(found.lastSequence).catch((error: unknown) => onFatal(error));
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;
  const notes = createNotes({ disk, work: packer.work, repository, odb, committer, warn });
  const diskWatch = options.diskWatch ?? createDiskWatch({ warn, info: nothing });
  const log = createLog({
    disk,
    repository,
    branch,
    odb,
    wal,
    packer,
    retired,
    freeSpace: retired.removeAll,
    head,
    replay: missing,
    committer,
    onCommit: options.onCommit ?? nothing,
    onExternal: options.onExternal ?? nothing,
    prepare: options.prepareExternal,
    createRebase: options.createRebase,
    carryNotes: (replayed) => notes.carry(replayed, 'replayed on commits of the remote'),
    diskWatch,
    onFatal,
    warn,
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
    ...(options.lockPatienceMs === undefined ? {} : { lockPatienceMs: options.lockPatienceMs }),
    ...(options.heldBytes === undefined ? {} : { heldBytes: options.heldBytes }),
  });
  reportStart(info, { removed, broughtBack: missing.length, ms: Math.round(performance.now() - startedMs) });
  const maintenance = createMaintenance({
    disk,
    repository,
    packer,
    merger: createThreadMerger(disk, packFolder),
    retired,
    warn,
    // The thread sees the real disk.
    lookMs: disk === nodeDisk ? options.maintenanceMs : 0,
  });
  const lookMs = disk === nodeDisk ? undefined : 0;
  const changeBranches = createChangeBranches({
    ...{ disk, work: packer.work, repository, now: options.now, lookMs, info, warn },
  });
  const locks = createLockWatch({
    disk,
    work: packer.work,
    repository,
    findHolder: createHolderFinder(),
    warn,
    // Only on the real disk is it known which process has a file open.
    lookMs,
    ...options.lockWatch,
  });
  return {
    log,
    odb,
    maintenance,
    locks,
    retired,
    repository,
    openedAt: head,
    recovered: log.replayed,
    lost: wal.lost,
    treeOf,
    openQuarantine: createQuarantines({
      disk,
      work: packer.work,
      folder: path.join(options.folder, 'incoming'),
      odb,
      onFatal,
    }),
    inTime: diskWatch.inTime,
    work: packer.work,
    changeBranches,
    tags: createTags(disk, repository, packer.work),
    notes,
    commitTree: createCommitTree({ work: packer.work, odb, log, committer }),
    freeze: createFreezer(disk, packer.work, repository, path.join(options.folder, 'frozen'), retired.has),
    listRefs: () => listRefs(disk, repository),
    async close() {
      await Promise.all([log.close(), maintenance.close(), locks.close(), retired.close(), changeBranches.close()]);
      await packer.close();
      odb.close();
    },
  };
}

const nothing = (): void => undefined;

/** What this start had to do that not every start has to. */
function reportStart(
  info: (message: string) => void,
  { removed, broughtBack, ms }: { removed: number; broughtBack: number; ms: number },
): void {
  if (removed > 0) info(`removed ${count(removed, 'file')} that an earlier process left unfinished`);
  if (broughtBack > 0) {
    info(`brought back ${count(broughtBack, 'change')} that main did not have from the write-ahead log in ${ms} ms`);
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
