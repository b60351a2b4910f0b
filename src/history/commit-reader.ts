// Reads commits and files of the log, in the repository or on their way to it.
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
  /** Under whose name the service commits. */
  committer: Person;
}

export interface CommitReader extends Pick<Following, 'record' | 'pushedBy' | 'hasRecord' | 'readBlob' | 'hasBlob'> {
  /** The commit's body. */
  readCommit(commit: Oid): Buffer;
}

export function createCommitReader(parts: CommitReaderParts): CommitReader {
  const { odb, recent, committer, notes } = parts;
  const readCommit = (commit: Oid): Buffer => recent.find(commit) ?? odb.get(commit, 'commit');

  /** What somebody brought is not the service's, whatever it says of itself. */
  function record(commit: Oid): CommitRecord {
    const told = readRecord(readCommit(commit), committer);
    return told.own && notes.has(commit) ? { ...told, own: undefined } : told;
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
