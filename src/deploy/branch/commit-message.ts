// The message of a deploy's commit. Its trailers count how far the branch has grown, so that whoever deploys next, with
// an empty cache or from another machine, knows it too.
import { encodeCommit, type Oid, parseTrailers } from '../../store/git/objects.ts';
import { type Growth, NO_GROWTH } from './branch-tip.ts';

const COMMITTER = { name: 'Colophon', email: 'colophon@localhost' };
const SUBJECT_LENGTH = 200;

export interface DeployCommit {
  tree: Oid;
  parent: Oid | null;
  /** For people; its first line becomes the subject. */
  message: string;
  /** The commit of the content that was built. */
  source: string;
  growth: Growth;
  at: Date;
}

export function encodeDeployCommit({ tree, parent, message, source, growth, at }: DeployCommit): Buffer {
  const subject =
    message
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, SUBJECT_LENGTH)
      .toWellFormed() || 'Deploy';
  const trailers = [`Source-Commit: ${source}`, `Deploys: ${growth.commits}`, `Sent-Bytes: ${growth.sentBytes}`];
  const seconds = Math.floor(at.getTime() / 1000);
  return encodeCommit({
    tree,
    parents: parent === null ? [] : [parent],
    author: COMMITTER,
    committer: COMMITTER,
    authoredAt: seconds,
    committedAt: seconds,
    message: `${subject}\n\n${trailers.join('\n')}\n`,
  });
}

export function readGrowth(message: string): Growth {
  const trailers = parseTrailers(message);
  const count = (key: string): number => (/^\d{1,15}$/.test(trailers.get(key) ?? '') ? Number(trailers.get(key)) : 0);
  return { ...NO_GROWTH, commits: count('Deploys'), sentBytes: count('Sent-Bytes') };
}
