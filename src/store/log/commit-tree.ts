// Makes an older state of the whole site the newest again, by a commit of ours whose tree exists already. Its files are
// picked up like those of an external commit, and changes accepted meanwhile go on top of it. The views apply a commit
// in one turn of the event loop, so if very many files differ, several commits are made, each some thousand files
// nearer, and the last one has the tree.
import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit } from '../git/objects.ts';
import { flattenBatch } from '../packs/flat-batch.ts';
import type { TreeChange } from '../packs/packer.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import type { Odb } from '../repository/odb.ts';
import { diffTrees } from '../repository/tree-walk.ts';
import type { Log } from './log.ts';
import { createTreeSet, type FileChange, type PlacedFile } from './tree-set.ts';

export interface TreeCommit {
  tree: Oid;
  author: Person;
  at: Date;
  subject: string;
  /** `Key: value` lines; `Change-Id` is added after them. */
  trailers: readonly string[];
}

export interface CommitTreeParts {
  work: DiskWork;
  odb: Odb;
  log: Log;
  committer: Person;
  /** How many files may differ in one commit: each costs the views some 30 microseconds. */
  filesAtOnce?: number | undefined;
}

const TRIES = 100;
const WAIT_MS = 50;
const FILES_AT_ONCE = 4000;

/**
 * Returns a function that resolves with the last commit once the branch has it and the views show it, or with null if
 * the branch has that tree already. Changes accepted before the call are below the first commit. It throws if writes
 * are refused, and `unavailable` if other processes keep moving the branch or hold its lock for seconds.
 */
export function createCommitTree(parts: CommitTreeParts): (commit: TreeCommit) => Promise<Oid | null> {
  const { work, odb, log, committer, filesAtOnce = FILES_AT_ONCE } = parts;
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;

  return async (commit) => {
    let last: Oid | null = null;
    for (let tries = 0; tries < TRIES; tries++) {
      await log.flush();
      let made: { oid: Oid; pack: string; isLast: boolean } | undefined;
      const make = async (from: Oid | null): Promise<Oid | null> => {
        const before = from && treeOf(from);
        if (before === commit.tree) return null;
        const nearer = before ? stepTowards(odb, before, commit.tree, filesAtOnce) : undefined;
        const body = encode(commit, nearer?.tree ?? commit.tree, from);
        const oid = oidOf('commit', body);
        const { trees = [], bases = [] } = nearer ?? {};
        const pack = await work('pack', flattenBatch({ commits: [{ oid, body, blobs: [], trees }], bases }));
        made = { oid, pack, isLast: nearer === undefined };
        return oid;
      };
      let outcome: Awaited<ReturnType<Log['advanceBy']>>;
      try {
        outcome = await log.advanceBy(make);
      } finally {
        if (made) await work('releasePacks', [made.pack]);
      }
      if (outcome === 'nothing') return last;
      if (outcome === 'moved' && made) {
        last = made.oid;
        if (made.isLast) return last;
        tries = 0;
      } else {
        log.poll(); // external commits come first
        await new Promise((again) => setTimeout(again, WAIT_MS));
      }
    }
    throw new ServiceError('unavailable', 'another git process keeps moving or locking the branch; try again');
  };

  function encode({ author, at, subject, trailers }: TreeCommit, tree: Oid, parent: Oid | null): Buffer {
    const seconds = Math.floor(at.getTime() / 1000);
    return encodeCommit({
      tree,
      parents: parent ? [parent] : [],
      author,
      committer,
      authoredAt: seconds,
      committedAt: seconds,
      message: `${subject}\n\n${[...trailers, `Change-Id: ${randomBytes(10).toString('hex')}`].join('\n')}\n`,
    });
  }
}

/**
 * Returns the tree `before` with the first `limit` differing files as in `after`; undefined if no more files differ.
 */
function stepTowards(
  odb: Odb,
  before: Oid,
  after: Oid,
  limit: number,
): { tree: Oid; trees: TreeChange[]; bases: { path: string; content: Buffer }[] } | undefined {
  const files: (FileChange | PlacedFile)[] = [];
  let isMore = false;
  for (const { path: file, after: oid } of diffTrees(odb, before, after)) {
    isMore = files.length === limit;
    if (isMore) break;
    files.push(oid ? { path: file, oid } : { path: file, content: null });
  }
  if (!isMore) return undefined;
  const set = createTreeSet(before, (oid) => odb.get(oid, 'tree'));
  const { root, trees } = set.apply(files);
  const bases = trees.map(({ path: directory, edits }) => ({
    path: directory,
    content: set.contentBefore(directory, [...edits].reverse()),
  }));
  return { tree: root, trees, bases };
}
