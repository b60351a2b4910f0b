// Documents that are due in a moment: each is published once and withdrawn once, even if the service is killed at that
// time.
import { createClient } from '../../../test/support/client.ts';
import { eventually } from '../../../test/support/process.ts';
import type { Violation } from '../history.ts';
import { pause, SERVICE_SECRET } from '../service.ts';
import type { FaultKind } from './fault.ts';

const COLLECTION = 'due';
const HOUR_MS = 3_600_000;
/** Length of the quiet moment: what is due by then has happened. */
const PATIENCE_MS = 30_000;
/** What is due later than this after the clients have stopped is not waited for. */
const SOON_MS = 5000;

interface Due {
  place: string;
  publishMs: number;
  unpublishMs: number | undefined;
}

export const dueTimes: FaultKind = {
  create({ lives, sender, cookie, random, report, clock }) {
    let waiting: Due[] = [];
    let count = 0;
    let seenSteps = 0;
    let isShifted = false;

    async function make(inMs: number, forMs: number | undefined): Promise<void> {
      const slug = `due-${++count}`;
      const publishMs = Date.now() + clock.offsetMs + inMs;
      const unpublishMs = forMs === undefined ? undefined : publishMs + forMs;
      const times = {
        publishAt: new Date(publishMs).toISOString(),
        ...(unpublishMs === undefined ? {} : { unpublishAt: new Date(unpublishMs).toISOString() }),
      };
      waiting.push({ place: `${COLLECTION}/${slug}`, publishMs, unpublishMs });
      const { operation } = await sender.send({
        kind: 'create',
        collection: COLLECTION,
        slug,
        data: { title: slug },
        ...times,
      });
      // Without an answer it is unknown whether it exists.
      if (operation.outcome.kind !== 'ok') waiting.pop();
    }

    /** An external cron, in addition to the service's own heartbeat. */
    async function beat(): Promise<void> {
      const client = createClient(await lives.serving());
      try {
        const reply = await client.get('/api/cms/heartbeat', { 'x-cms-service-token': SERVICE_SECRET });
        if (reply.status !== 200 && reply.status !== 503)
          report('due', `the heartbeat answered ${reply.status}: ${reply.text}`);
      } catch (error) {
        // The service was killed meanwhile.
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      } finally {
        client.close();
      }
    }

    async function statusOf(place: string): Promise<string> {
      const client = createClient(await lives.serving(), cookie);
      const { json } = await client.get(`/api/cms/${place}`);
      client.close();
      return json.status;
    }

    return {
      async strike() {
        await make(random.whole(300, 1500), random.next() < 0.5 ? random.whole(1, 1500) : undefined);
        await make(HOUR_MS, undefined);
        await pause(random.whole(300, 1500));
        await beat();
      },
      async settle() {
        const until = Date.now() + SOON_MS;
        const latest = Math.max(
          0,
          ...waiting.flatMap(({ publishMs, unpublishMs }) => [publishMs, unpublishMs ?? 0]).filter((ms) => ms < until),
        );
        await pause(Math.max(0, latest - Date.now() + 50));
        await beat();
      },
      due: () => Array.from({ length: count }, (_, n) => `${COLLECTION}/due-${n + 1}`),
      async check({ commits }) {
        const violations: Violation[] = [];
        const nowMs = Date.now();
        // Setting the clock ahead makes documents due.
        const wasSet = isShifted || clock.steps !== seenSteps;
        const bad = (message: string): void => void violations.push({ rule: 'due', message, about: [] });
        for (const { place, publishMs, unpublishMs } of waiting) {
          const of = commits.filter(({ changes, requestId }) => requestId === '' && changes[0]?.place === place);
          const events = of.map(({ event }) => event.replace('archived', 'unpublished'));
          const isTwice = new Set(events).size < events.length;
          if (isTwice) bad(`${place} was changed by ${events.join(', ')}`);
          if (publishMs > nowMs && events.length && !wasSet) bad(`${place} was ${events[0]} before its time`);
          const wanted = unpublishMs !== undefined && unpublishMs < nowMs ? 'archived' : 'published';
          if (publishMs > nowMs) continue;
          await eventually(
            async () => {
              const status = await statusOf(place);
              if (status !== wanted) throw new Error(`${place} is ${status} and should be ${wanted}`);
            },
            events.length === 0 ? PATIENCE_MS : 0,
          ).catch(({ message }: Error) => bad(message));
        }
        waiting = [];
        seenSteps = clock.steps;
        isShifted = clock.offsetMs !== 0;
        return violations;
      },
    };
  },
};
