// One event stream a browser: a browser opens six connections to a host, and each tab that held one would take it from
// the others. The tab that holds the lock listens and passes everything on.
import { createListeners } from './listeners.ts';
import type { ServiceEvent } from './service-event.ts';

export interface OneStream {
  listen(listener: (event: ServiceEvent) => void): () => void;
  close(): void;
}

export interface OneStreamParts {
  url: string;
  /** Undefined where browsers have none, on http: then each tab listens for itself. */
  locks: Pick<LockManager, 'request'> | undefined;
  openChannel(name: string): BroadcastChannel;
  openSource(url: string): EventSource;
  /** The stream is opened once this is done; what other tabs pass on is heard before. */
  after?: Promise<void>;
}

/** The events that the service sends (`GET /api/admin/events`). */
export const EVENTS = [
  'hello',
  'change',
  'media',
  'submission',
  'deploy',
  'deploy-run',
  'revalidation',
  'job',
  'presence',
  'curation',
  'agent',
  'voice',
  'conversation',
  'team',
] as const;

/** Not of the service: the stream ended. It may come back by itself. */
export const BROKEN = 'broken';

/** `EventSource.CLOSED` */
const CLOSED = 2;
const AGAIN_FIRST_MS = 3000;
const AGAIN_MOST_MS = 60_000;

export function createOneStream({ url, locks, openChannel, openSource, after }: OneStreamParts): OneStream {
  const { listen, pass } = createListeners<ServiceEvent>();
  const channel = openChannel(url);
  const closing = new AbortController();
  channel.onmessage = ({ data }) => pass(data as ServiceEvent);

  async function lead(): Promise<void> {
    await after;
    if (closing.signal.aborted) return;
    let source = follow(AGAIN_FIRST_MS);
    await new Promise<void>((resolve) => {
      closing.signal.addEventListener('abort', () => {
        source.close();
        resolve();
      });
    });

    /** A browser comes back by itself after a break, but not after an answer that is no stream, as proxies give it. */
    function follow(againMs: number): EventSource {
      const opened = openSource(url);
      let delayMs = againMs;
      for (const name of EVENTS) {
        opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
          delayMs = AGAIN_FIRST_MS;
          passOn({ event: name, data: JSON.parse(data) });
        });
      }
      opened.addEventListener('error', () => {
        passOn({ event: BROKEN, data: undefined });
        if (opened.readyState !== CLOSED) return;
        setTimeout(() => {
          if (!closing.signal.aborted) source = follow(Math.min(2 * delayMs, AGAIN_MOST_MS));
        }, delayMs);
      });
      return opened;
    }
  }

  function passOn(event: ServiceEvent): void {
    if (locks) channel.postMessage(event);
    pass(event);
  }

  if (!locks) void lead();
  locks?.request(`colophon:${url}`, { signal: closing.signal }, lead).catch((error: Error) => {
    // Another tab leads, and this one was closed while it waited.
    if (error.name !== 'AbortError') throw error;
  });

  return {
    listen,
    close() {
      closing.abort();
      channel.close();
    },
  };
}
