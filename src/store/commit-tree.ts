// One commit of ours whose tree is there already: an older state of everything becomes the newest. Its files are taken in
// as somebody else's commit would be, in slices, and what others were writing meanwhile comes on top of it.
import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import { encodeCommit, type Oid, oidOf, type Person, parseCommit } from './objects.ts';
import type { Odb } from './odb.ts';
import { crc32, deflate, encodeEntry, TYPE_NUMBER } from './pack-entry.ts';
import { encodePackIndex } from './pack-index.ts';
import { install, releasePack } from './packer.ts';

export interface TreeCommit {
  tree: Oid;
  author: Person;
  at: Date;
  subject: string;
  /** `Key: value` lines; `Change-Id` comes behind them. */
  trailers: readonly string[];
}

export interface CommitTreeParts {
  disk: Disk;
  repository: string;
  odb: Odb;
  log: Log;
  committer: Person;
}

const TRIES = 100;
const WAIT_MS = 50;

/**
 * Answers a function that resolves with the commit once the branch has it and the views show it, or with null where the
 * branch has that tree already. Changes that were accepted before it was called are below the commit. It throws where
 * writes are refused, and unavailable where others keep moving the branch or hold its lock for seconds.
 */
export function createCommitTree({ disk, repository, odb, log, committer }: CommitTreeParts) {
  const folder = path.join(repository, 'objects', 'pack');

  function installPack(body: Buffer): string {
    const entry = encodeEntry(TYPE_NUMBER.commit, body, deflate(body));
    const header = Buffer.alloc(12);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(1, 8);
    const checksum = hash('sha1', Buffer.concat([header, entry]), 'buffer');
    const name = `pack-${checksum.toString('hex')}`;
    const index = encodePackIndex([{ oid: oidOf('commit', body), crc: crc32(entry), offset: 12 }], checksum);
    install(disk, folder, name, [header, entry, checksum], index);
    return name;
  }

  return async (commit: TreeCommit): Promise<Oid | null> => {
    const { subject, trailers } = commit;
    const seconds = Math.floor(commit.at.getTime() / 1000);
    const message = `${subject}\n\n${[...trailers, `Change-Id: ${randomBytes(10).toString('hex')}`].join('\n')}\n`;
    for (let tries = 0; tries < TRIES; tries++) {
      await log.flush();
      let made: Oid | null = null;
      let pack: string | undefined;
      const make = (from: Oid | null): Oid | null => {
        if (from && parseCommit(odb.get(from, 'commit')).tree === commit.tree) return null;
        const body = encodeCommit({
          tree: commit.tree,
          parents: from ? [from] : [],
          author: commit.author,
          committer,
          authoredAt: seconds,
          committedAt: seconds,
          message,
        });
        made = oidOf('commit', body);
        pack = installPack(body);
        return made;
      };
      try {
        const outcome = await log.advanceBy(make);
        if (outcome === 'moved') return made;
        if (outcome === 'nothing') return null;
      } finally {
        if (pack) releasePack(disk, folder, pack);
      }
      log.poll(); // somebody else's commit is taken in first
      await new Promise((again) => setTimeout(again, WAIT_MS));
    }
    throw new ServiceError('unavailable', 'another git process keeps moving or locking the branch; try again');
  };
}
