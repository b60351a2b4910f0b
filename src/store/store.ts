// Opens a site's content repository: makes it where it is missing, brings back what a crash left in the write-ahead log
// and starts the log. The caller holds the data folder's lock; two writers on one repository would each be right alone.
import path from 'node:path';
import { type Disk, nodeDisk } from './disk.ts';
import type { LogEntry } from './entry.ts';
import { type AsyncPacker, createLog, type Log } from './log.ts';
import { type Oid, type Person, parseCommit } from './objects.ts';
import { createOdb, type Odb } from './odb.ts';
import { createInlinePacker, createThreadPacker } from './packer-thread.ts';
import { recover } from './recovery.ts';
import { createBranch } from './refs.ts';
import { cleanRepository, initRepository } from './repository.ts';
import { createWal, removeSegments } from './wal.ts';

export interface StoreOptions {
  /** Holds `content.git/` and `wal/`. */
  folder: string;
  committer?: Person;
  disk?: Disk;
  /** Pack in the caller's thread (tests that watch every disk operation). */
  inlinePacker?: boolean;
  walSegmentBytes?: number;
  pollMs?: number;
  onExternal?(change: ExternalChange): void;
  onFatal?(error: unknown): void;
  warn?(message: string, error?: unknown): void;
}

/** Somebody else's commits on the branch; `ours` are paths that our own later changes decide. */
export interface ExternalChange {
  fromTree: Oid | null;
  toTree: Oid;
  ours: ReadonlySet<string>;
}

export interface Store {
  log: Log;
  odb: Odb;
  repository: string;
  /** The branch's commit when the store was opened, and the changes recovered on top of it, oldest first. */
  openedAt: Oid | null;
  recovered: readonly LogEntry[];
  treeOf(commit: Oid): Oid;
  close(): Promise<void>;
}

export function openStore(options: StoreOptions): Store {
  const disk = options.disk ?? nodeDisk;
  const repository = path.join(options.folder, 'content.git');
  const walFolder = path.join(options.folder, 'wal');
  const packFolder = path.join(repository, 'objects', 'pack');
  initRepository(disk, repository);
  cleanRepository(disk, repository);
  const branch = createBranch(disk, repository);
  branch.cleanUp();
  const odb = createOdb(disk, repository);
  const head = branch.read();
  const { missing, lastSegment, lastSequence } = recover(disk, walFolder, odb, head);
  const packer: AsyncPacker = options.inlinePacker
    ? createInlinePacker(disk, packFolder)
    : createThreadPacker(packFolder);
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;
  const log = createLog({
    disk,
    repository,
    branch,
    odb,
    wal: createWal(disk, walFolder, { segment: lastSegment + 1, sequence: lastSequence }, options.walSegmentBytes),
    packer,
    head,
    replay: missing,
    onReplayed: () => removeSegments(disk, walFolder, lastSegment),
    committer: options.committer ?? { name: 'Colophon', email: 'colophon@localhost' },
    onExternal: (from, to, ours) =>
      options.onExternal?.({ fromTree: from ? treeOf(from) : null, toTree: treeOf(to), ours }),
    onFatal: options.onFatal ?? (() => undefined),
    warn: options.warn ?? (() => undefined),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
  return {
    log,
    odb,
    repository,
    openedAt: head,
    recovered: missing,
    treeOf,
    async close() {
      await log.close();
      odb.close();
    },
  };
}
