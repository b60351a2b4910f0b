// The log of a deploy, as it grows.
import { useEffect, useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { followStream } from '../../api/follow-stream.ts';
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
  const { request, site } = useAdmin();
  const [log, setLog] = useState<LogSoFar>(NOTHING);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let text = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (change: Partial<LogSoFar> = {}): void => {
      clearTimeout(timer);
      timer = undefined;
      setLog({ ...NOTHING, text, ...change });
    };
    const stop = followStream({
      url: withSite(`${DEPLOYS_URL}/${encodeURIComponent(id)}/log`, site),
      ask: () => request('GET', DEPLOYS_URL),
      begin(source) {
        text = '';
        source.addEventListener('log', ({ data }: MessageEvent<string>) => {
          text += (JSON.parse(data) as { text: string }).text;
          timer ??= setTimeout(draw, DRAW_MS);
        });
        source.addEventListener('end', () => {
          source.close();
          draw({ isEnded: true });
        });
      },
      onLost: () => draw({ isLost: true }),
    });
    return () => {
      clearTimeout(timer);
      stop();
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
