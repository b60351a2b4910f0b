// A git that ended because the machine had no room for it, or killed it, has said neither yes nor no: what it was asked
// is not known, and whoever waits for the answer is told what was in the way.
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import type { Ended } from './program.ts';

/** As git says them (strerror(3)). */
const NO_SPACE: readonly [code: string, words: RegExp][] = [
  ['EFBIG', /File too large/],
  ['EDQUOT', /Disk quota exceeded/],
  ['ENOSPC', /No space left|diskspace/i],
];

/** The refusal where git was killed or had no room for its files; undefined where its code and its words count. */
export function findTrouble({ code, signal, stderr }: Ended): ServiceError | undefined {
  if (code === 0) return undefined;
  // The kernel ends with it whoever writes beyond the limit and does not ignore it (setrlimit(2)).
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
