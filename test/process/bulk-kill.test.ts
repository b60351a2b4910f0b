// Kills the service with SIGKILL in the middle of bulk requests: an atomic one is there whole or not at all, and of
// another one a beginning of its operations.
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../support/client.ts';
import { git } from '../support/git.ts';
import { makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkReady, untilFlushed } from './after-kill.ts';

const ROUNDS = 6;
const COUNT = 200;

interface SentBulk {
  prefix: string;
  isAtomic: boolean;
  reply: Promise<Reply | undefined>;
}

function send(service: Service, cookie: string, prefix: string, isAtomic: boolean): SentBulk {
  const operations = Array.from({ length: COUNT }, (_, n) => ({
    op: 'create',
    slug: `${prefix}-${n}`,
    data: { body: 'x'.repeat(500) },
  }));
  const body = { operations, ...(isAtomic ? { atomic: true } : {}) };
  // The kill cuts the connection: no answer then.
  const reply = service
    .client(cookie)
    .post('/api/cms/posts/bulk', body)
    .catch(() => undefined);
  return { prefix, isAtomic, reply };
}

test('a kill in the middle of bulk requests leaves atomic ones whole or not at all, and others as a beginning', async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  const sent: SentBulk[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bulks = [true, false, true].map((isAtomic, n) => send(service, cookie, `r${round}b${n}`, isAtomic));
    sent.push(...bulks);
    // The last rounds are answered whole.
    if (round < ROUNDS - 2) await later(random.whole(0, 400));
    else await Promise.all(bulks.map(({ reply }) => reply));
    await service.kill();
    const replies = await Promise.all(bulks.map(({ reply }) => reply));
    service = await place.start();
    const client = service.client(cookie);
    await checkReady(client);
    for (const [at, { prefix, isAtomic }] of bulks.entries()) {
      const { json } = await client.get(`/api/cms/posts?filter[slug][startsWith]=${prefix}-&fields=slug`);
      const numbers = (json.documents as { slug: string }[]).map(({ slug }) => Number(slug.split('-')[1]));
      const place = `round ${round}, ${prefix}, ${isAtomic ? 'atomic' : 'one by one'}`;
      if (replies[at]?.status === 200) assert.is(numbers.length, COUNT, place);
      if (isAtomic) assert.ok([0, COUNT].includes(numbers.length), `${place}: ${numbers.length}`);
      numbers.sort((a, b) => a - b);
      assert.equal(numbers, [...numbers.keys()], place);
    }
  }
  assert.ok((await Promise.all(sent.map(({ reply }) => reply))).some((reply) => reply?.status === 200));
  await untilFlushed(service);
  await git(place.repository, 'fsck', '--strict', '--full');
});

test.run();
