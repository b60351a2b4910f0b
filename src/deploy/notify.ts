// `deploy-done`: who is notified when a deploy has ended, ours or one that a CI reports. Keeps nothing: a client that
// was not connected sees the end in the history.

/** The data of a `deploy-done`. */
export interface DeployDone {
  status: 'success' | 'failure';
  url: string | null;
  /** The CI's name for the app; the site's id for our own deploys. */
  app: string;
  /** Seconds. */
  duration: number;
  /** ISO 8601. */
  at: string;
}

export interface DeployNotices {
  /** Returns how many clients are listening. */
  send(done: DeployDone): number;
  /** The events from now on, until the signal aborts. */
  listen(signal: AbortSignal): AsyncIterable<DeployDone>;
}

/** A client that does not read gets the newest ones only. */
const MAX_WAITING = 100;

export function createDeployNotices(): DeployNotices {
  const clients = new Set<(done: DeployDone) => void>();

  async function* listen(signal: AbortSignal): AsyncGenerator<DeployDone> {
    const waiting: DeployDone[] = [];
    let wake = (): void => undefined;
    const receive = (done: DeployDone): void => {
      waiting.push(done);
      if (waiting.length > MAX_WAITING) waiting.shift();
      wake();
    };
    const stop = (): void => wake();
    clients.add(receive);
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted) {
        const done = waiting.shift();
        if (done) yield done;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      clients.delete(receive);
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    send(done) {
      for (const receive of clients) receive(done);
      return clients.size;
    },
    listen,
  };
}
