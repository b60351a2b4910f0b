import { useState } from 'preact/hooks';
import { ApiError, type Problem } from '../api/client.ts';
import { toSentence } from '../api/sentence.ts';

export interface Submit {
  /** What the service refused, as a sentence. */
  problem: string | undefined;
  isBusy: boolean;
  errorOf(path: string): string | undefined;
  /** Runs once at a time; resolves in any case. */
  run(work: () => Promise<void>): Promise<void>;
}

/** A form that is sent to the service, and what was wrong with it. */
export function useSubmit(): Submit {
  const [problem, setProblem] = useState<string>();
  const [details, setDetails] = useState<readonly Problem[]>([]);
  const [isBusy, setBusy] = useState(false);
  return {
    problem,
    isBusy,
    errorOf(path) {
      const message = details.find((one) => one.path === path)?.message;
      return message && toSentence(message);
    },
    async run(work) {
      if (isBusy) return;
      setBusy(true);
      setProblem(undefined);
      setDetails([]);
      try {
        await work();
      } catch (error) {
        setProblem(toSentence(error));
        setDetails(error instanceof ApiError ? error.details : []);
      } finally {
        setBusy(false);
      }
    },
  };
}
