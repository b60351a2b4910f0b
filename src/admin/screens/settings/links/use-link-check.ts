import { useEffect, useState } from 'preact/hooks';
import type { ResourceState } from '../../../api/resources.ts';
import { toSentence } from '../../../api/sentence.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { useFresh } from '../../../shell/use-fresh.ts';
import { useLive } from '../../../shell/use-live.ts';
import { t } from '../../../text/translate.ts';
import type { ShownLinkProgress, ShownLinkReport } from './link-report.ts';

const URL = '/api/admin/link-check';
const LOOK_AGAIN_MS = 1000;

export interface OpenLinkCheck {
  state: ResourceState<{ report: ShownLinkReport | null }>;
  refresh(): void;
  isRunning: boolean;
  progress: ShownLinkProgress | undefined;
  start(): Promise<void>;
}

/** The last report, and the run that is under way, also one that another person or the schedule began. */
export function useLinkCheck(): OpenLinkCheck {
  const { request, messages } = useAdmin();
  const { state, refresh } = useFresh<{ running: boolean; report: ShownLinkReport | null }>(URL);
  const [isRunning, setRunning] = useState(false);
  const [progress, setProgress] = useState<ShownLinkProgress>();
  const isKnownToRun = state.kind === 'ready' && state.data.running;

  async function look(): Promise<void> {
    const { data } = await request<{ running: boolean; progress: ShownLinkProgress | null }>('GET', `${URL}/progress`);
    setProgress(data.progress ?? undefined);
    setRunning(data.running);
    if (!data.running) refresh();
  }

  const lookQuietly = (): void => void look().catch(() => setRunning(false));
  useLive(['job', 'hello'], lookQuietly);
  useEffect(() => {
    if (isKnownToRun) setRunning(true);
  }, [isKnownToRun]);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(lookQuietly, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  return {
    ...{ state, refresh, isRunning, progress },
    async start() {
      setProgress(undefined);
      setRunning(true);
      try {
        const { status } = await request('POST', URL);
        if (status === 202) return;
        setRunning(false);
        messages.notify(t('links.done'));
        refresh();
      } catch (error) {
        setRunning(false);
        messages.fail(toSentence(error));
      }
    },
  };
}
