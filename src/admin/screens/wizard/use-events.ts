// Follows a provisioning; a connection that was lost begins with what has happened so far.
import { useEffect, useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { useAdmin } from '../../shell/admin.ts';
import { NOTHING_YET, type ProvisionSoFar, type StepEvent, withEnd, withStep } from './events.ts';
import { PROVISIONS_URL } from './wish.ts';

export interface Following {
  so: ProvisionSoFar;
  /** It cannot be followed: it is gone, or nobody is signed in any more. */
  isLost: boolean;
  retry(): void;
}

/** `turn` counts how often it was begun. */
export function useEvents(id: string, turn: number): Following {
  const { site } = useAdmin();
  const [so, setSo] = useState<ProvisionSoFar>(NOTHING_YET);
  const [isLost, setLost] = useState(false);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    const source = new EventSource(withSite(`${PROVISIONS_URL}/${encodeURIComponent(id)}/events`, site));
    let now = NOTHING_YET;
    const show = (next: ProvisionSoFar): void => {
      now = next;
      setSo(next);
      if (next.end) source.close();
    };
    source.onopen = () => {
      setLost(false);
      show(NOTHING_YET);
    };
    source.addEventListener('step', ({ data }: MessageEvent<string>) =>
      show(withStep(now, JSON.parse(data) as StepEvent)),
    );
    source.addEventListener('done', ({ data }: MessageEvent<string>) =>
      show(withEnd(now, { kind: 'done', ...(JSON.parse(data) as { url: string; setupUrl: string | null }) })),
    );
    // The service has an event of this name; without data it is the browser's own, for the connection.
    source.addEventListener('error', (event: Event) => {
      const data = (event as MessageEvent<string | undefined>).data;
      if (typeof data === 'string') show(withEnd(now, { kind: 'error', ...(JSON.parse(data) as { message: string }) }));
      else if (source.readyState === EventSource.CLOSED && !now.end) setLost(true);
    });
    return () => source.close();
  }, [id, turn, retries]);
  return { so, isLost, retry: () => setRetries(retries + 1) };
}
