// A receiver of webhooks that is unavailable now and then. In the quiet moment it must have every change of the log.
import { createClient } from '../../../test/support/client.ts';
import { makeReceiver } from '../../../test/support/receiver.ts';
import { checkDeliveries, createEarlierDeliveries, type Delivery } from '../check-deliveries.ts';
import { pause } from '../service.ts';
import type { FaultKind } from './fault.ts';

/**
 * Time without a delivery: a refused one is sent again after five seconds, one that was refused twice after thirty
 * more.
 */
const PATIENCE_MS = 60_000;
const MOST_REFUSED = 2;
const SLOWEST_MS = 20;
/** Each check goes through all of the log. */
const LOOK_MS = 250;

export const webhooks: FaultKind = {
  async create({ lives, cookie, random, say }) {
    let accepted: Delivery[] = [];
    let refuse = 0;
    const receiver = await makeReceiver(({ headers, json }, response) => {
      receiver.received.length = 0;
      if (refuse > 0) {
        refuse--;
        return 503;
      }
      const { changeId, commit, id: documentId, collection, slug } = json.data;
      const place = `${collection}/${slug}`;
      accepted.push({ id: String(headers['webhook-id']), event: json.event, changeId, commit, documentId, place });
      // When the service is killed, some deliveries are under way, or accepted without the service knowing it.
      setTimeout(() => response.writeHead(204).end(), random.whole(0, SLOWEST_MS));
      return undefined;
    });
    const client = createClient(await lives.serving(), cookie);
    const webhook = {
      id: 'soak',
      url: receiver.url,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      events: CONTENT,
    };
    const { status, text } = await client.post('/api/admin/site-config', {
      allowPrivateTargets: true,
      webhooks: [webhook],
    });
    client.close();
    if (status !== 200) throw new Error(`the webhook was not set: ${text}`);
    const before = createEarlierDeliveries();

    return {
      async strike() {
        refuse = random.whole(1, MOST_REFUSED);
      },
      async check(epoch) {
        refuse = 0;
        const startedAtMs = performance.now();
        const look = () => checkDeliveries(epoch, accepted, before);
        let [count, grownAtMs] = [accepted.length, startedAtMs];
        while (look().some(({ isMissing }) => isMissing) && performance.now() < grownAtMs + PATIENCE_MS) {
          await pause(LOOK_MS);
          if (accepted.length > count) grownAtMs = performance.now();
          count = accepted.length;
        }
        const found = look().map(({ isMissing: _, ...violation }) => violation);
        say(`${accepted.length} deliveries, all after ${Math.round(performance.now() - startedAtMs)} ms of quiet`);
        before.keep(epoch, accepted);
        accepted = [];
        return found;
      },
      close: () => receiver[Symbol.asyncDispose](),
    };
  },
};

const CONTENT = ['created', 'updated', 'renamed', 'published', 'unpublished', 'archived', 'deleted', 'restored'].map(
  (what) => `content.${what}`,
);
