// What is wrong with a repository: a check goes on after each finding, because nothing of it may depend on the rest.
import type { Oid } from './git/objects.ts';

/** A place of the repository that is not as it should be; with neither path nor commit it is the write-ahead log. */
export interface StoreProblem {
  path?: string;
  commit?: Oid;
  problem: string;
}

export interface Findings {
  readonly problems: StoreProblem[];
  report(problem: StoreProblem): void;
  /** Runs it; an error is a finding, and undefined is returned. */
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
