// `deploy-done`: who is notified when a deploy has ended, ours or one that a CI reports. Keeps nothing: a client that
// was not connected sees the end in the history.

import { fromCalls } from '../lib/queues/from-calls.ts';

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

export function createDeployNotices(): DeployNotices {
  const clients = new Set<(done: DeployDone) => void>();
  return {
    send(done) {
      for (const receive of clients) receive(done);
      return clients.size;
    },
    listen(signal) {
      return fromCalls((receive) => {
        clients.add(receive);
        return () => clients.delete(receive);
      }, signal);
    },
  };
}
