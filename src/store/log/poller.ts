// Looks at the branch for external commits, at intervals and on request. Must not look while the branch is being moved.
import type { Acknowledger } from './acknowledge.ts';
import type { ExternalCommits } from './external-commits.ts';
import type { LogState } from './log-state.ts';
import type { PublishLoop } from './publish/loop.ts';
import type { Refusals } from './refusals.ts';

export interface Poller {
  poll(): void;
  /**
   * Polls in the next turn of the event loop, once however often this is called: more looks would make longer slices.
   */
  pollSoon(): void;
  stop(): void;
}

export interface PollerParts {
  external: Pick<ExternalCommits, 'readBranch'>;
  publishing: Pick<PublishLoop, 'schedule'>;
  acknowledger: Pick<Acknowledger, 'writeReplanted'>;
  refusals: Pick<Refusals, 'isOurs'>;
  /** See LogParts. */
  pollMs?: number | undefined;
}

const POLL_MS = 250;

export function createPoller(state: LogState, parts: PollerParts): Poller {
  const { external, publishing, acknowledger, refusals, pollMs = POLL_MS } = parts;
  let isDue = false;

  function poll(): void {
    if (state.publishing || state.isClosing || !refusals.isOurs()) return;
    if (external.readBranch()) publishing.schedule();
    acknowledger.writeReplanted();
  }

  const timer = pollMs ? setInterval(poll, pollMs) : undefined;
  timer?.unref();
  return {
    poll,
    pollSoon() {
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        poll();
      });
    },
    stop: () => clearInterval(timer),
  };
}
