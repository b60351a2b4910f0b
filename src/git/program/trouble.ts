// Recognises a git process that ended because it was killed or ran out of disk space. It answered neither yes nor
// no, so the caller gets an error that names the cause.
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import type { Ended } from './program.ts';

/** In git's words (strerror(3)). */
const NO_SPACE: readonly [code: string, words: RegExp][] = [
  ['EFBIG', /File too large/],
  ['EDQUOT', /Disk quota exceeded/],
  ['ENOSPC', /No space left|diskspace/i],
];

/** The refusal if git was killed or had no space for its files; undefined if its exit code is an answer. */
export function findTrouble({ code, signal, stderr }: Ended): ServiceError | undefined {
  if (code === 0) return undefined;
  // The kernel sends it to a process that writes beyond its file size limit (setrlimit(2)).
  const noSpace = signal === 'SIGXFSZ' ? 'EFBIG' : NO_SPACE.find(([, words]) => words.test(stderr))?.[0];
  const cause = new Error(`git ended with ${signal ?? code}: ${stderr}`);
  if (noSpace) return toStorageError(Object.assign(cause, { code: noSpace })) as ServiceError;
  if (code !== null) return undefined;
  return new ServiceError('unavailable', `git was killed${toReason(signal)}; try again in a moment`, { cause });
}

function toReason(signal: string | null): string {
  if (signal === null) return '';
  return signal === 'SIGKILL' ? ' (SIGKILL), perhaps because the machine is out of memory' : ` (${signal})`;
}
