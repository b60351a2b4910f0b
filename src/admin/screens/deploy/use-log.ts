// The log of a deploy, as it grows.
import { useEffect, useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { DEPLOYS_URL } from '../../publishing/deploys.ts';
import { useAdmin } from '../../shell/admin.ts';

export interface LogSoFar {
  text: string;
  /** True once nothing more will come. */
  isEnded: boolean;
  /** It cannot be followed: the deploy is gone, or too many streams are open. */
  isLost: boolean;
}

const NOTHING: LogSoFar = { text: '', isEnded: false, isLost: false };
/** A build prints faster than a page should be drawn. */
const DRAW_MS = 100;

export function useLog(id: string): LogSoFar & { retry(): void } {
  const { site } = useAdmin();
  const [log, setLog] = useState<LogSoFar>(NOTHING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const source = new EventSource(withSite(`${DEPLOYS_URL}/${encodeURIComponent(id)}/log`, site));
    let text = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (change: Partial<LogSoFar> = {}): void => {
      clearTimeout(timer);
      timer = undefined;
      setLog({ ...NOTHING, text, ...change });
    };
    source.addEventListener('log', ({ data }: MessageEvent<string>) => {
      text += (JSON.parse(data) as { text: string }).text;
      timer ??= setTimeout(draw, DRAW_MS);
    });
    source.addEventListener('end', () => {
      source.close();
      draw({ isEnded: true });
    });
    source.onerror = () => {
      // While it connects again, by itself and from where it was, nothing is wrong.
      if (source.readyState === EventSource.CLOSED) draw({ isLost: true });
    };
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [id, turn]);
  return {
    ...log,
    retry() {
      setLog(NOTHING);
      setTurn(turn + 1);
    },
  };
}
