// Webhooks and the log: every change of every document reaches the receiver, in its order, whoever made it and whatever
// happened in between.
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

/** What was taken, each delivery once, in the order in which it first was. */
function takenOnce(taken: readonly Received[]): Received['json'][] {
  const seen = new Set<string>();
  return taken.flatMap(({ headers, json }) => {
    const id = String(headers['webhook-id']);
    if (seen.has(id)) return [];
    seen.add(id);
    return [json];
  });
}

const toldOf = (taken: readonly Received[]): string[] =>
  takenOnce(taken).map(({ event, data }) => `${event} ${data.slug}`);

test('ten writers, 300 documents and a receiver that fails: each change arrives, in order for each document', async () => {
  const random = createRandom(7);
  const taken: Received[] = [];
  await using receiver = await makeReceiver((one) => {
    if (random.whole(0, 3) === 0) return [500, 429, 404, 302][random.whole(0, 3)];
    taken.push(one);
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
  await eventually(() => assert.is(takenOnce(taken).length, 900), 30_000);
  const got = new Map<string, string[]>();
  for (const { data } of takenOnce(taken)) got.set(data.slug, [...(got.get(data.slug) ?? []), data.commit]);
  assert.equal(new Map([...got].sort()), new Map([...changes].sort()));
  const titles = takenOnce(taken).filter(({ data }) => data.slug === 'w3-3');
  assert.equal(
    titles.map(({ data }) => data.document.data.title),
    ['0', '1', '2'],
  );
});

test('what was there before the first webhook costs nothing and is not told', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([]);
  const { content } = site.place.cms.site;
  await content.create('posts', { slug: 'early', data: {} }, ACTOR);
  assert.is(site.outbox.mark(MARK), undefined);
  await site.set([hookTo(receiver)]);
  await content.create('posts', { slug: 'late', data: {} }, ACTOR);
  await receiver.count(1);
  // Somebody takes the webhook away and brings it back: what came in between was nobody's.
  await site.set([]);
  await eventually(() => assert.is(site.outbox.mark(MARK), undefined), 5000);
  await content.create('posts', { slug: 'between', data: {} }, ACTOR);
  await site.set([hookTo(receiver)]);
  await content.create('posts', { slug: 'last', data: {} }, ACTOR);
  await receiver.count(2);
  assert.equal(toldOf(receiver.received), ['content.created late', 'content.created last']);
});

test('somebody else’s commits are told as what became of each document and each media file', async () => {
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
  const told = takenOnce(receiver.received);
  assert.equal(told.map(({ event, data }) => `${event} ${data.slug}`).sort(), [
    'content.created mine',
    'content.created theirs',
    'content.deleted first',
    'content.renamed renamed',
    'media.deleted a/b & ü.png',
    'media.uploaded a/b & ü.png',
  ]);
  const renamed = told.find(({ event }) => event === 'content.renamed');
  assert.is(renamed.data.previousSlug, 'mine');
  const made = told.find(({ data }) => data.slug === 'theirs');
  assert.equal([made.data.status, made.data.document.data.title], ['published', 'By hand']);
  assert.is(told.find(({ event }) => event === 'content.deleted').data.document.slug, 'first');
  assert.equal(
    told.find(({ event }) => event === 'media.uploaded').data.url,
    '/uploads/a/b%20%26%20%C3%BC.png?site=default',
  );
});

test('the address of a media file is the one that it has elsewhere, with its site where there are several', async () => {
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

test('of a document with very many long keys, pushed by somebody else, the first are named', async () => {
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

test('what came while the service was down, or before a crash wrote anything of it, is told at the next start', async () => {
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
  assert.equal(toldOf(receiver.received).sort(), [
    'content.created four',
    'content.created one',
    'content.created three',
    'content.created two',
  ]);
  await site.reopen({ forget: true });
  await create('five');
  await eventually(() => assert.ok(toldOf(receiver.received).includes('content.created five')), 5000);
  assert.is(toldOf(receiver.received).length, 5);
  assert.equal(site.warnings, []);
});

test('a change that is replayed on somebody else’s is told once, with the commit that it is now', async () => {
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
  // A try that was on its way meanwhile still has the commit of before.
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

test('after a force-push it goes on from where the two lines part, also from a cursor on the line that is gone', async () => {
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
  await eventually(() => assert.ok(toldOf(receiver.received).includes('content.created after')), 5000);
  assert.equal(toldOf(receiver.received), [
    'content.created dropped',
    'content.updated first',
    'content.created after',
  ]);
});

test('a cursor that nothing leads to is said, and all of the log is told again', async () => {
  await using receiver = await makeReceiver();
  await using site = await followSite([]);
  await site.outbox.addFromLog([], { name: MARK, value: 'f'.repeat(40) });
  await site.set([hookTo(receiver)]);
  await eventually(() => assert.match(site.warnings.join(), /all of its changes are told again/), 5000);
  await site.place.cms.site.content.create('posts', { slug: 'after', data: {} }, ACTOR);
  await receiver.count(3);
  const told = ['content.created first', 'content.created second', 'content.created after'];
  assert.equal(toldOf(receiver.received).sort(), told.sort());
});

test('what waits to be sent is found by its change, though its commit was replayed in a crash that nobody remembers', async () => {
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
