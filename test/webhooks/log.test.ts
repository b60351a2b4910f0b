// Webhooks and the log: every change of every document reaches the receiver, in order, whether it is ours or external,
// and whatever happens in between.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toMessageBody } from '../../src/webhooks/message.ts';
import { ACTOR } from '../history/world.ts';
import { eventually } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { makeReceiver, type Received } from '../support/receiver.ts';
import { commitBeside, untilTakenIn } from '../support/store-world.ts';
import { gif, upload } from '../support/upload.ts';
import { makeWorld } from '../support/world.ts';
import { followSite, hookTo, MARK } from './world.ts';

/** The bodies of the received deliveries in order of arrival, without repeats. */
function withoutRepeats(received: readonly Received[]): Received['json'][] {
  const seen = new Set<string>();
  return received.flatMap(({ headers, json }) => {
    const id = String(headers['webhook-id']);
    if (seen.has(id)) return [];
    seen.add(id);
    return [json];
  });
}

const eventsIn = (received: readonly Received[]): string[] =>
  withoutRepeats(received).map(({ event, data }) => `${event} ${data.slug}`);

test('with ten writers, 300 documents and a failing receiver each change arrives, in order by document', async () => {
  const random = createRandom(7);
  const accepted: Received[] = [];
  await using receiver = await makeReceiver((one) => {
    if (random.whole(0, 3) === 0) return [500, 429, 404, 302][random.whole(0, 3)];
    accepted.push(one);
    return 200;
  });
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { content } = site.place.cms.site;
  const changes = new Map<string, string[]>();
  await Promise.all(
    Array.from({ length: 10 }, async (_, writer) => {
      for (let i = 0; i < 30; i++) {
        const slug = `w${writer}-${i}`;
        const made = await content.create('posts', { slug, data: { title: '0' } }, ACTOR);
        const commits = [made.commit!];
        for (let n = 1; n <= 2; n++) {
          commits.push((await content.update('posts', { slug }, { data: { title: String(n) } }, ACTOR)).commit!);
        }
        changes.set(slug, commits);
      }
    }),
  );
  await eventually(() => assert.is(withoutRepeats(accepted).length, 900), 30_000);
  const got = new Map<string, string[]>();
  for (const { data } of withoutRepeats(accepted)) got.set(data.slug, [...(got.get(data.slug) ?? []), data.commit]);
  assert.equal(new Map([...got].sort()), new Map([...changes].sort()));
  const titles = withoutRepeats(accepted).filter(({ data }) => data.slug === 'w3-3');
  assert.equal(
    titles.map(({ data }) => data.document.data.title),
    ['0', '1', '2'],
  );
});

test('changes before the first webhook cost nothing and are not reported', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([]);
  const { content } = site.place.cms.site;
  await content.create('posts', { slug: 'early', data: {} }, ACTOR);
  assert.is(site.outbox.mark(MARK), undefined);
  await site.set([hookTo(receiver)]);
  await content.create('posts', { slug: 'late', data: {} }, ACTOR);
  await receiver.count(1);
  // The webhook is removed and added again: changes in between are not reported.
  await site.set([]);
  await eventually(() => assert.is(site.outbox.mark(MARK), undefined), 5000);
  await content.create('posts', { slug: 'between', data: {} }, ACTOR);
  await site.set([hookTo(receiver)]);
  await content.create('posts', { slug: 'last', data: {} }, ACTOR);
  await receiver.count(2);
  assert.equal(eventsIn(receiver.received), ['content.created late', 'content.created last']);
});

test('an external commit is reported as an event for each document and each media file that it changed', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { store, content } = site.place.cms.site;
  await content.create('posts', { slug: 'mine', data: { title: 'T' } }, ACTOR);
  await store.log.flush();
  const mine = content.stored('posts', { slug: 'mine' })!;
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 3\n`;
  const theirs = { ...mine, id: 'Hand00000001', slug: 'theirs', status: 'published', data: { title: 'By hand' } };
  commitBeside(site.place.repository, {
    'content/posts/theirs.json': JSON.stringify(theirs),
    'content/posts/mine.json': null,
    'content/posts/renamed.json': JSON.stringify({ ...mine, slug: 'renamed' }),
    'content/posts/first.json': null,
    'media/a/b & ü.png': pointer,
  });
  await untilTakenIn(store);
  commitBeside(site.place.repository, { 'media/a/b & ü.png': null, 'media/a/.meta/c.png.json': '{}' });
  await untilTakenIn(store);
  await receiver.count(6);
  const events = withoutRepeats(receiver.received);
  assert.equal(events.map(({ event, data }) => `${event} ${data.slug}`).sort(), [
    'content.created mine',
    'content.created theirs',
    'content.deleted first',
    'content.renamed renamed',
    'media.deleted a/b & ü.png',
    'media.uploaded a/b & ü.png',
  ]);
  const renamed = events.find(({ event }) => event === 'content.renamed');
  assert.is(renamed.data.previousSlug, 'mine');
  const made = events.find(({ data }) => data.slug === 'theirs');
  assert.equal([made.data.status, made.data.document.data.title], ['published', 'By hand']);
  assert.is(events.find(({ event }) => event === 'content.deleted').data.document.slug, 'first');
  assert.equal(
    events.find(({ event }) => event === 'media.uploaded').data.url,
    '/uploads/a/b%20%26%20%C3%BC.png?site=default',
  );
});

test('a media file is reported with its usual URL, which names its site if there are several', async () => {
  const config = { collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }] };
  for (const isOnlySite of [true, false]) {
    await using world = await makeWorld({
      env: { CMS_ALLOW_PRIVATE_TARGETS: 'on' },
      ...(isOnlySite ? {} : { sites: { other: config } }),
    });
    await using receiver = await makeReceiver();
    const body = { allowPrivateTargets: true, webhooks: [hookTo(receiver)] };
    assert.is((await world.admin.post('/api/admin/site-config?site=default', body)).status, 200);
    const { json } = await upload(world.admin, 'a.gif', gif(), { query: '?site=default' });
    await receiver.count(1);
    assert.is(receiver.received[0]!.json.data.url, json.url);
    assert.is((await world.anonymous.get(json.url)).status, 200);
    assert.is(json.url, `/uploads/images/a.gif${isOnlySite ? '' : '?site=default'}`);
  }
});

test('if an external document has very many long keys, only the first are named', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { content, store } = site.place.cms.site;
  const first = content.stored('posts', { slug: 'first' })!;
  const data = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`${i} ${'x'.repeat(1000)}`, i]));
  commitBeside(site.place.repository, { 'content/posts/first.json': JSON.stringify({ ...first, data }) });
  await untilTakenIn(store);
  await receiver.count(1);
  const { fields, document } = receiver.received[0]!.json.data;
  assert.is(fields.length, 200);
  assert.ok(fields.every((field: string) => field.length <= 200));
  assert.equal(document.data, data);
});

test('changes from just before a crash that the outbox had not recorded are reported at the next start', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([hookTo(receiver)]);
  const create = (slug: string) => site.place.cms.site.content.create('posts', { slug, data: {} }, ACTOR);
  await create('one');
  await receiver.count(1);
  await site.reopen();
  await create('two');
  await receiver.count(2);
  receiver.answer = () => 500;
  await site.crashAfter(async () => {
    await create('three');
    await create('four');
    await receiver.count(3);
  });
  receiver.answer = () => 204;
  await eventually(
    () => assert.is(site.webhooks.deliveries({ state: 'delivered', limit: 9, offset: 0 }).total, 4),
    9000,
  );
  assert.equal(eventsIn(receiver.received).sort(), [
    'content.created four',
    'content.created one',
    'content.created three',
    'content.created two',
  ]);
  await site.reopen({ forget: true });
  await create('five');
  await eventually(() => assert.ok(eventsIn(receiver.received).includes('content.created five')), 5000);
  assert.is(eventsIn(receiver.received).length, 5);
  assert.equal(site.warnings, []);
});

test('a waiting change that is replayed on an external commit is reported once, with its new commit', async () => {
  await using receiver = await makeReceiver(() => 500);
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { store, content } = site.place.cms.site;
  const base = store.log.status().head!;
  const made = await content.create('posts', { slug: 'mine', data: { title: 'T' } }, ACTOR);
  await store.log.flush();
  await receiver.count(1);
  const theirs = commitBeside(
    site.place.repository,
    { 'LICENSE.md': 'free' },
    { ref: 'refs/heads/theirs', parents: [base], message: 'theirs' },
  );
  await store.log.replayOnto(theirs, base);
  // An attempt that was on its way meanwhile still has the old commit.
  await eventually(() => assert.is(receiver.received.at(-1)!.json.data.commit, store.log.status().head), 9000);
  receiver.answer = () => 200;
  await eventually(
    () => assert.is(site.webhooks.deliveries({ state: 'delivered', limit: 9, offset: 0 }).total, 1),
    9000,
  );
  assert.is(site.webhooks.deliveries({ limit: 9, offset: 0 }).total, 1);
  const last = receiver.received.at(-1)!.json;
  assert.not.equal(last.data.commit, made.commit);
  assert.is(last.data.commit, store.log.status().head);
  assert.is(last.data.document.data.title, 'T');
});

test('after a force-push a webhook resumes where the lines part, even from a cursor on the dropped line', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([hookTo(receiver)]);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const { store, content } = site.place.cms.site;
  const before = store.log.status().head!;
  const first = content.stored('posts', { slug: 'first' })!;
  await content.create('posts', { slug: 'dropped', data: {} }, ACTOR);
  await store.log.flush();
  await receiver.count(1);
  await site.crashAfter(async () => {
    const files = { 'content/posts/first.json': JSON.stringify({ ...first, data: { title: 'Theirs' } }) };
    commitBeside(site.place.repository, files, { parents: [before] });
    const { log } = site.place.cms.site.store;
    log.poll();
    await log.choose('theirs');
    await receiver.count(2);
  });
  await site.place.cms.site.content.create('posts', { slug: 'after', data: {} }, ACTOR);
  await eventually(() => assert.ok(eventsIn(receiver.received).includes('content.created after')), 5000);
  assert.equal(eventsIn(receiver.received), [
    'content.created dropped',
    'content.updated first',
    'content.created after',
  ]);
});

test('if the log has no commit of a cursor, a warning says so and the whole log is reported', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([]);
  await site.outbox.addFromLog([], { name: MARK, value: 'f'.repeat(40) });
  await site.set([hookTo(receiver)]);
  await eventually(() => assert.match(site.warnings.join(), /all changes of the log are sent again/), 5000);
  await site.place.cms.site.content.create('posts', { slug: 'after', data: {} }, ACTOR);
  await receiver.count(3);
  const expected = ['content.created first', 'content.created second', 'content.created after'];
  assert.equal(eventsIn(receiver.received).sort(), expected.sort());
});

test('a waiting change is found by its change id even if its commit was replayed around a crash', async () => {
  await using site = await followSite([]);
  const { content, history, store } = site.place.cms.site;
  const made = await content.create('posts', { slug: 'one', data: { title: 'One' } }, ACTOR);
  const removed = await content.remove('posts', { slug: 'first' }, ACTOR);
  await store.log.flush();
  const changes = (await history.changes({ limit: 100 })).changes.map((text) => JSON.parse(text));
  const lost = 'f'.repeat(40);
  const bodyOf = async (commit: string, version?: string) => {
    const { id, collection, slug, changeId } = changes.find((change) => change.commit === commit);
    const message = { event: 'content.any', at: '', actor: { kind: 'user' } };
    const asked = { id, collection, slug, changeId, fields: [], commit: lost, ...(version && { version }) };
    return JSON.parse(String(await toMessageBody({ ...message, content: asked }, 'default', history)));
  };
  assert.is((await bodyOf(made.commit!)).data.document.data.title, 'One');
  assert.is((await bodyOf(removed.commit!, 'e'.repeat(40))).data.document.slug, 'first');
});

test.run();
