// Makes one commit in which files change their paths, and nothing else unless the caller gives them other content. Blobs
// that stay as they are are not read, so that a hundred thousand files move in the time that it takes to write the
// trees. For a process that has the
// repository to itself: a running log would not notice the commit in its own tree.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import { COMMITTER } from './committer.ts';
import { type Disk, nodeDisk } from './disk/disk.ts';
import { encodeCommit, type Oid, oidOf, parseCommit } from './git/objects.ts';
import { createPublisher } from './log/publish/publisher.ts';
import { createTreeSet } from './log/tree-set.ts';
import { createInlinePacker } from './packs/packer-thread.ts';
import type { Odb } from './repository/odb.ts';
import { createBranch } from './repository/refs.ts';

export interface FileMove {
  from: string;
  to: string;
  /** The file that is there now. */
  oid: Oid;
  /** What the file becomes; it stays as it is without. */
  content?: Buffer;
}

export interface MoveCommit {
  repository: string;
  odb: Odb;
  /** The branch's commit, in which the moves were found. */
  head: Oid;
  moves: readonly FileMove[];
  subject: string;
  /** `Key: value` lines; `Change-Id` is added after them. */
  trailers: readonly string[];
  at: Date;
  disk?: Disk;
}

const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 50;

/**
 * Resolves with the commit once the branch has it durably; an error before that leaves the branch as it was.
 * @throws ServiceError `unavailable` if another process moves the branch meanwhile, or keeps it locked for seconds.
 */
export async function commitMoves(options: MoveCommit): Promise<Oid> {
  const { repository, odb, head, moves, at, disk = nodeDisk } = options;
  const branch = createBranch(disk, repository);
  const tree = createTreeSet(parseCommit(odb.get(head, 'commit')).tree, (oid) => odb.get(oid, 'tree'));
  const result = tree.apply(
    moves.flatMap(({ from, to, oid, content }) => [
      { path: from, content: null },
      content ? { path: to, content } : { path: to, oid },
    ]),
  );
  const seconds = Math.floor(at.getTime() / 1000);
  const trailers = [...options.trailers, `Change-Id: ${randomBytes(10).toString('hex')}`];
  const body = encodeCommit({
    tree: result.root,
    parents: [head],
    author: COMMITTER,
    committer: COMMITTER,
    authoredAt: seconds,
    committedAt: seconds,
    message: `${options.subject}\n\n${trailers.join('\n')}\n`,
  });
  const commit = oidOf('commit', body);
  const packer = createInlinePacker(disk, path.join(repository, 'objects', 'pack'));
  const publisher = createPublisher({ disk, repository, odb, packer });
  const bases = (directories: ReadonlySet<string>) =>
    result.trees.flatMap(({ path: directory, edits }) =>
      directories.has(directory)
        ? [{ path: directory, content: tree.contentBefore(directory, [...edits].reverse()) }]
        : [],
    );
  const batch = [{ entry: { commit, body, files: [] }, result }];
  try {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const outcome = await publisher.publish(batch, head, bases);
      if (outcome === 'moved') return commit;
      if (outcome === 'changed')
        throw new ServiceError('unavailable', 'another process moved branch "main" meanwhile; try again');
      await new Promise((resume) => setTimeout(resume, LOCK_WAIT_MS));
    }
  } catch (error) {
    publisher.forget();
    throw error;
  }
  publisher.forget();
  throw new ServiceError(
    'unavailable',
    `content repository is locked by another git process; if none is running, remove ${branch.lockFile}`,
  );
}
