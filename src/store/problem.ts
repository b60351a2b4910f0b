// What is wrong with a repository. A check continues after each finding, because its parts must not depend on each
// other.
import type { Oid } from './git/objects.ts';

/** A place in the repository that is not as it should be; without path and commit it is the write-ahead log. */
export interface StoreProblem {
  path?: string;
  commit?: Oid;
  problem: string;
}

export interface Findings {
  readonly problems: StoreProblem[];
  report(problem: StoreProblem): void;
  /** Runs `run`; reports an error as a finding and returns undefined. */
  attempt<T>(where: Omit<StoreProblem, 'problem'>, run: () => T): T | undefined;
}

/** A damaged repository may have one for every object; the first ones are enough to know what happened. */
const MAX_PROBLEMS = 1000;

export function createFindings(): Findings {
  const problems: StoreProblem[] = [];

  function report(problem: StoreProblem): void {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  }

  return {
    problems,
    report,
    attempt(where, run) {
      try {
        return run();
      } catch (error) {
        report({ ...where, problem: (error as Error).message });
        return undefined;
      }
    },
  };
}
