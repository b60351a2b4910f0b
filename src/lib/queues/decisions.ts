// Answers that rest on changes which are not durable yet. A decision runs synchronously and notes each such change that
// it sees. If it makes a commit of its own, that commit comes after them; any other answer waits until they are
// durable, and is decided again if one of them failed or changed. A decision that saw only durable changes is answered
// at once.

/** An accepted change that is not durable yet. */
export interface Unsettled {
  /** The running decision rests on it. */
  see(): void;
  /** It is durable, and readers see it. */
  settle(): void;
  /** It failed. */
  fail(): void;
  /** It has changed (it was replayed on an external commit), and is still not durable. */
  change(): void;
}

export interface Decisions {
  begin(): Unsettled;
  /**
   * Runs a decision, and runs it again if what it rests on fails. A promise that `run` returns is that of a commit of
   * its own; its value or error is the answer.
   */
  decide<T>(run: () => T | Promise<T>): Promise<T>;
}

interface OpenChange {
  /** Goes up each time the change fails or changes. */
  version: number;
  isOver: boolean;
  /** Called once, when the change is durable or has failed. */
  waiting: (() => void)[];
}

/** The changes that a decision saw, each with its version at the time. */
type SeenChanges = Map<OpenChange, number>;

export function createDecisions(): Decisions {
  let seen: SeenChanges | undefined;

  /** What `run` returned or threw, and the changes that an answer without a commit of its own rests on. */
  function attempt<T>(run: () => T): { answer: () => T; rests: SeenChanges | undefined } {
    seen = undefined;
    try {
      const value = run();
      return { answer: () => value, rests: value instanceof Promise ? undefined : seen };
    } catch (error) {
      const refuse = (): never => {
        throw error;
      };
      return { answer: refuse, rests: seen };
    } finally {
      seen = undefined;
    }
  }

  return {
    begin() {
      const change: OpenChange = { version: 0, isOver: false, waiting: [] };
      const end = (): void => {
        change.isOver = true;
        for (const resume of change.waiting.splice(0)) resume();
      };
      return {
        see: () => void (change.isOver || (seen ??= new Map()).set(change, change.version)),
        settle: end,
        fail() {
          change.version++;
          end();
        },
        change: () => void change.version++,
      };
    },
    async decide(run) {
      for (;;) {
        const { answer, rests } = attempt(run);
        if (!rests) return answer();
        await Promise.all([...rests.keys()].map(untilOver));
        if ([...rests].every(([change, version]) => change.version === version)) return answer();
      }
    },
  };
}

function untilOver(change: OpenChange): Promise<void> | undefined {
  return change.isOver ? undefined : new Promise((resume) => void change.waiting.push(resume));
}
