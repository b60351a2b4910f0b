// Changes that were reported, and then replayed on top of an external commit. A receiver that applies deliveries in
// order must end with the served content, so changes of the same document are reported again, under a new id.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { messagesOf } from '../../src/webhooks/from-log.ts';
import { ACTOR } from '../history/world.ts';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Received } from '../support/receiver.ts';
import { commitBeside, untilTakenIn } from '../support/store-world.ts';
import { followSite, hookTo, MARK } from './world.ts';

test('only a change that was replayed on an external commit of the same document is reported again', async () => {
  const accepted: Received[] = [];
  await using receiver = await makeReceiver((one) => {
    accepted.push(one);
    return 200;
  });
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { content, store, history } = site.place.cms.site;
  const { body } = await content.create('posts', { slug: 'a', data: { title: 'one' } }, ACTOR);
  await content.create('posts', { slug: 'b', data: { title: 'one' } }, ACTOR);
  await store.log.flush();
  const lock = join(store.repository, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  for (const slug of ['a', 'b']) {
    for (const n of ['1', '2']) await content.update('posts', { slug }, { data: { own: n } }, ACTOR);
  }
  await eventually(() => assert.is(accepted.length, 6), 15_000);
  const theirs = { ...JSON.parse(String(body)), data: { title: 'external' } };
  rmSync(lock);
  commitBeside(store.repository, { 'content/posts/a.json': `${JSON.stringify(theirs, null, 2)}\n` });
  await untilTakenIn(store);
  await eventually(() => assert.is(accepted.length, 9), 15_000);
  const last = accepted.filter(({ json }) => json.data.slug === 'a').at(-1)!;
  assert.equal(last.json.data.document.data, { title: 'external', own: '2' });

  const ending = new AbortController();
  const { commits } = await history.commits([], ending.signal);
  const again: string[] = [];
  let count = 0;
  for await (const commit of commits) {
    for (const { subject, againSince, message } of await messagesOf(commit, () => true, String)) {
      if (againSince) again.push(`${message.content?.slug} ${subject === message.content?.id}`);
      if (++count === 7) ending.abort();
    }
  }
  assert.equal(again, ['a true', 'a true']);
  const ids = new Set(accepted.map(({ headers }) => headers['webhook-id']));
  assert.is(ids.size, 9);
});

test.run();
