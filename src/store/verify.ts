// Checks a content repository and its write-ahead log: packs, the commits of the branch with everything they
// introduced, and the refs. Only reads, and needs no git binary; every problem is in the report.

import { COMMITTER } from './committer.ts';
import { type Disk, nodeDisk } from './disk/disk.ts';
import type { Person } from './git/objects.ts';
import { readDeclared } from './log/wal/epoch.ts';
import { readWal } from './log/wal/read.ts';
import { createInlineWork } from './packs/disk-work.ts';
import { createFindings, type StoreProblem } from './problem.ts';
import { createNotes } from './repository/notes.ts';
import { createOdb } from './repository/odb.ts';
import { createBranch, listRefs } from './repository/refs.ts';
import { type VerifyProgress, verifyCommits } from './verify-commits.ts';
import { verifyPacks } from './verify-packs.ts';
import type { VerifyCounts } from './verify-trees.ts';

export interface VerifyOptions {
  /** The bare repository. */
  repository: string;
  /** The write-ahead log's folder; checked too if given. */
  wal?: string;
  disk?: Disk;
  /** Whose commits are held to the log's rules. */
  committer?: Person;
}

export interface VerifyStoreReport {
  counts: VerifyCounts & { packs: number };
  problems: StoreProblem[];
}

export function toProgressText({ stage, done, total }: VerifyProgress): string {
  return `${stage}: ${done}${total ? ` of ${total}` : ''}`;
}

/** Resolves even if nothing can be read: whatever is wrong is in the report. */
export async function verifyStore(
  options: VerifyOptions,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
): Promise<VerifyStoreReport> {
  const { repository, disk = nodeDisk, committer = COMMITTER } = options;
  const odb = createOdb(disk, repository);
  const findings = createFindings();
  const { problems, report, attempt } = findings;
  const counts = { commits: 0, documents: 0, objects: 0, packs: 0 };

  const work = createInlineWork(disk, repository);
  const notes = createNotes({ disk, work, repository, odb, committer, warn: (problem) => report({ problem }) });
  try {
    const { wal } = options;
    if (wal) attempt({}, () => readWal(disk, wal, readDeclared(disk, repository)));
    counts.packs = await verifyPacks(disk, repository, report, (done, total) => {
      onProgress({ stage: 'packs', done, total });
    });
    const head = attempt({}, () => createBranch(disk, repository).read());
    if (head) await verifyCommits({ odb, notes, committer, findings, counts, onProgress }, head);
    for (const { name, oid } of attempt({}, () => listRefs(disk, repository)) ?? []) {
      attempt({ path: name }, () => {
        if (!odb.has(oid)) throw new Error(`points to the missing object ${oid}`);
      });
    }
  } finally {
    odb.close();
  }
  return { counts, problems };
}
