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
  'job',
  'presence',
  'curation',
] as const;

export function createOneStream({ url, locks, openChannel, openSource, after }: OneStreamParts): OneStream {
  const { listen, pass } = createListeners<ServiceEvent>();
  const channel = openChannel(url);
  const closing = new AbortController();
  channel.onmessage = ({ data }) => pass(data as ServiceEvent);

  async function lead(): Promise<void> {
    await after;
    if (closing.signal.aborted) return;
    const source = openSource(url);
    for (const name of EVENTS) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = { event: name, data: JSON.parse(data) };
        if (locks) channel.postMessage(event);
        pass(event);
      });
    }
    await new Promise<void>((resolve) => {
      closing.signal.addEventListener('abort', () => {
        source.close();
        resolve();
      });
    });
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
