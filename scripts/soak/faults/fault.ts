// A fault of the soak: something goes wrong again and again, and these things must hold all the same.
import type { Place as Home } from '../../../test/support/process.ts';
import type { Random } from '../../../test/support/random.ts';
import type { Contributor } from '../contribute.ts';
import type { Epoch, Place, Rule, Violation } from '../history.ts';
import type { Sender } from '../sender.ts';
import type { Lives } from '../service.ts';

export interface FaultParts {
  place: Home;
  lives: Lives;
  random: Random;
  contributor: Contributor;
  sender: Sender;
  /** An administrator's session. */
  cookie: string;
  /** The repository's URL at the service. */
  served(): Promise<string>;
  /** How many files a large push has. */
  bulkFiles: number;
  /** How far the service's wall clock is off the machine's. */
  clock: { offsetMs: number; steps: number };
  report(rule: Rule, message: string, ...about: string[]): void;
  say(line: string): void;
}

/** Alternates between two kinds; which comes first is random. */
export function takeTurns(random: Random): () => boolean {
  let isFirst = random.next() < 0.5;
  return () => {
    isFirst = !isFirst;
    return isFirst;
  };
}

export interface Fault {
  /** Goes wrong once, while clients run; absent for a fault that only watches. */
  strike?(): Promise<void>;
  /** Ends what has begun, when the clients have stopped. */
  settle?(): Promise<void>;
  /** Documents that the service changes by itself. */
  due?(): Iterable<Place>;
  /** Checks in the quiet moment, when git has all of the epoch. */
  check?(epoch: Epoch): Promise<Violation[]>;
  close?(): PromiseLike<void>;
}

export interface FaultKind {
  /** A module to load before the service, from test/support. */
  load?: string;
  /** The variables that this module reads, given the folder of the run. */
  env?(folder: string): Record<string, string>;
  create(parts: FaultParts): Fault | Promise<Fault>;
}
