import type { Oid } from './git/objects.ts';

/** A place of the repository that is not as it should be; with neither path nor commit it is the write-ahead log. */
export interface StoreProblem {
  path?: string;
  commit?: Oid;
  problem: string;
}
