// Reads commits and files of the log, whether they are in the repository or still on the way to it.
import { DOCUMENT_FILE_BYTES } from '../content/stored.ts';
import type { Oid, Person } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import { type CommitRecord, readRecord } from './commit-record.ts';
import type { Following } from './following.ts';
import { createPushedBy, type PushedByParts } from './pushed-by.ts';
import type { RecentCommits } from './recent-commits.ts';

export interface CommitReaderParts extends PushedByParts {
  odb: Odb;
  recent: RecentCommits;
  /** The identity that the service commits with. */
  committer: Person;
}

export interface CommitReader extends Pick<Following, 'record' | 'pushedBy' | 'hasRecord' | 'readBlob' | 'hasBlob'> {
  /** The commit's body. */
  readCommit(commit: Oid): Buffer;
}

export function createCommitReader(parts: CommitReaderParts): CommitReader {
  const { odb, recent, committer, notes } = parts;
  const readCommit = (commit: Oid): Buffer => recent.find(commit) ?? odb.get(commit, 'commit');

  /** A commit with a note came from outside, even if it claims to be the service's. */
  function record(commit: Oid): CommitRecord {
    const claimed = readRecord(readCommit(commit), committer);
    return claimed.own && notes.has(commit) ? { ...claimed, own: undefined } : claimed;
  }

  return {
    readCommit,
    record,
    pushedBy: createPushedBy(parts),
    hasRecord: (commit) => recent.find(commit) !== undefined || odb.has(commit),
    readBlob: (blob) => recent.findBlob(blob) ?? odb.get(blob, 'blob', DOCUMENT_FILE_BYTES),
    hasBlob: (blob) => recent.findBlob(blob) !== undefined || odb.has(blob),
  };
}
