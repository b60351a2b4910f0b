// Follows a provisioning; a connection that was lost begins with what has happened so far.
import { useEffect, useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { followStream } from '../../api/follow-stream.ts';
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
  const { request, site } = useAdmin();
  const [so, setSo] = useState<ProvisionSoFar>(NOTHING_YET);
  const [isLost, setLost] = useState(false);
  const [retries, setRetries] = useState(0);
  useEffect(() => {
    let now = NOTHING_YET;
    const begin = (source: EventSource): void => {
      const show = (next: ProvisionSoFar): void => {
        now = next;
        setSo(next);
      };
      const end = (next: Parameters<typeof withEnd>[1]): void => {
        show(withEnd(now, next));
        source.close();
      };
      source.onopen = () => {
        setLost(false);
        show(NOTHING_YET);
      };
      source.addEventListener('step', ({ data }: MessageEvent<string>) =>
        show(withStep(now, JSON.parse(data) as StepEvent)),
      );
      source.addEventListener('done', ({ data }: MessageEvent<string>) =>
        end({ kind: 'done', ...(JSON.parse(data) as { url: string; setupUrl: string | null }) }),
      );
      // The service has an event of this name; without data it is the browser's own, for the connection.
      source.addEventListener('error', (event: Event) => {
        const data = (event as MessageEvent<string | undefined>).data;
        if (typeof data === 'string') end({ kind: 'error', ...(JSON.parse(data) as { message: string }) });
      });
    };
    return followStream({
      url: withSite(`${PROVISIONS_URL}/${encodeURIComponent(id)}/events`, site),
      ask: () => request('GET', PROVISIONS_URL),
      begin,
      onLost: () => setLost(true),
    });
  }, [id, turn, retries]);
  return { so, isLost, retry: () => setRetries(retries + 1) };
}
