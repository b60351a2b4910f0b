// Kills the service with SIGKILL between the answer to a write and the delivery to webhooks: none may miss a change,
// and those of a document arrive in order.
import { setTimeout as later } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { makeReceiver } from '../support/receiver.ts';

const KILLS = 10;
const CLIENTS = 6;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Writes to its own document, again and again, until the service is gone; records the answered commits. */
async function write(service: Service, cookie: string, slug: string, answered: string[]): Promise<void> {
  const client = service.client(cookie);
  try {
    for (let n = 0; ; n++) {
      const made = n === 0 ? await client.post('/api/cms/posts', { slug, data: { title: '0' } }) : undefined;
      const reply = made ?? (await client.patch(`/api/cms/posts/${slug}`, { data: { title: String(n) } }));
      if (reply.status !== 200) throw new Error(reply.text);
      answered.push(String(reply.headers['x-cms-commit']));
    }
  } catch (error) {
    // Killed while it was about to answer: the client got no answer.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  } finally {
    client.close();
  }
}

test(`every answered change reaches each webhook, in order for each document, through ${KILLS} kills`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const delivered = new Map<string, { commit: string; slug: string; path: string }>();
  await using receiver = await makeReceiver(({ path, headers, body, json }, response) => {
    new Webhook(SECRET).verify(body.toString('utf8'), headers as Record<string, string>);
    delivered.set(String(headers['webhook-id']), { ...json.data, path });
    // When the service is killed, some deliveries are under way, or accepted without the service knowing it.
    setTimeout(() => response.writeHead(200).end(), random.whole(0, 20));
    return undefined;
  });
  let service = await place.start();
  const cookie = await setUp(service);
  const webhooks = ['one', 'two'].map((id) => ({ id, url: `${receiver.url}/${id}`, secret: SECRET, events: ['*'] }));
  const set = await service.client(cookie).post('/api/admin/site-config', { allowPrivateTargets: true, webhooks });
  assert.is(set.status, 200, set.text);

  const answered: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const before = answered.length;
    const writing = Array.from({ length: CLIENTS }, (_, i) => write(service, cookie, `r${round}-${i}`, answered));
    await eventually(() => assert.ok(answered.length > before + CLIENTS), 30_000);
    await later(random.whole(0, 150));
    await service.kill();
    await Promise.all(writing);
    service = await place.start();
  }

  const { changes } = (await service.client(cookie).get('/api/cms/changes')).json;
  const ours = changes.filter(({ event }: { event: string }) => event.startsWith('document.'));
  const deliveredTo = (id: string) => [...delivered.values()].filter(({ path }) => path.endsWith(`/${id}`));
  for (const { id } of webhooks) {
    const commitsOf = (): Set<string> => new Set(deliveredTo(id).map(({ commit }) => commit));
    await eventually(() => {
      const got = commitsOf();
      const missing = ours.filter(({ commit }: { commit: string }) => !got.has(commit));
      assert.is(missing.length, 0, `${missing.length} of ${ours.length} are missing at ${id}`);
    }, 60_000);
    const got = commitsOf();
    assert.equal(
      answered.filter((commit) => !got.has(commit)),
      [],
    );
  }
  const bySlug = (list: Iterable<{ slug: string; commit: string }>): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const { slug, commit } of list) found.set(slug, [...(found.get(slug) ?? []), commit]);
    return new Map([...found].sort());
  };
  for (const { id } of webhooks) assert.equal(bySlug(deliveredTo(id)), bySlug(ours));
  assert.is((await service.stop()).code, 0);
  console.log(`${answered.length} answered, ${delivered.size} delivered, ${receiver.received.length} sent`);
});

test('a shutdown waits a moment for a delivery, and what a slow receiver did not accept is sent by the next start', async () => {
  await using place = makePlace();
  await using receiver = await makeReceiver(() => undefined);
  const service = await place.start();
  const cookie = await setUp(service);
  const webhooks = [{ id: 'one', url: receiver.url, secret: SECRET, events: ['*'] }];
  await service.client(cookie).post('/api/admin/site-config', { allowPrivateTargets: true, webhooks });
  await service.client(cookie).post('/api/cms/posts', { slug: 'a', data: { title: 'T' } });
  await receiver.count(1);
  const { code, afterMs } = await service.stop();
  assert.is(code, 0);
  assert.ok(afterMs < 10_000, `ended after ${afterMs} ms`);
  receiver.answer = () => 200;
  await place.start();
  await receiver.count(2);
  const [first, second] = receiver.received;
  assert.is(second?.headers['webhook-id'], first?.headers['webhook-id']);
  assert.equal(second?.body, first?.body);
});

test.run();
