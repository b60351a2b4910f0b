import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type Problem } from '../api/client.ts';
import { toSentence } from '../api/sentence.ts';
import { useAdmin } from '../shell/admin.ts';

export interface Submit {
  /** What the service refused, as a sentence. */
  problem: string | undefined;
  isBusy: boolean;
  errorOf(path: string): string | undefined;
  /** What was wrong is being put right. */
  forget(): void;
  /** Runs once at a time; resolves in any case. */
  run(work: () => Promise<void>): Promise<void>;
}

/** A form that is sent to the service, and what was wrong with it: beside the page if the form is closed by then. */
export function useSubmit(): Submit {
  const { messages } = useAdmin();
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  const [problem, setProblem] = useState<string>();
  const [details, setDetails] = useState<readonly Problem[]>([]);
  const [isBusy, setBusy] = useState(false);
  function forget(): void {
    setProblem(undefined);
    setDetails([]);
  }

  return {
    problem,
    isBusy,
    forget,
    errorOf(path) {
      const message = details.find((one) => one.path === path)?.message;
      return message && toSentence(message);
    },
    async run(work) {
      if (isBusy) return;
      setBusy(true);
      forget();
      try {
        await work();
      } catch (error) {
        if (!isThere.current) messages.fail(toSentence(error));
        setProblem(toSentence(error));
        setDetails(error instanceof ApiError ? error.details : []);
      } finally {
        setBusy(false);
      }
    },
  };
}
