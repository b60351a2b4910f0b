// One webhook of a site is dead: the others receive everything, and so does the dead one when it is back.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DeliverySchema } from '../../src/webhooks/input.ts';
import { ACTOR } from '../history/world.ts';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Received, type Receiver } from '../support/receiver.ts';
import { type FollowedSite, followSite, hookTo, MARK, markOf } from './world.ts';

const WAITING = 10;
const DOCUMENTS = 15;
const VERSIONS = 3;
const SMALL = { limits: { waiting: WAITING, pauseMs: 5 } };

/** Writes all documents, version by version. */
async function write({ place }: FollowedSite, name: string): Promise<string[]> {
  const { content } = place.cms.site;
  const written: string[] = [];
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; i < DOCUMENTS; i++) {
      const [slug, data] = [`${name}-${i}`, { title: String(version) }];
      if (version === 0) await content.create('posts', { slug, data }, ACTOR);
      else await content.update('posts', { slug }, { data }, ACTOR);
      written.push(`${slug} ${version}`);
    }
  }
  return written;
}

/** Document and version of each delivery, in order of arrival, without repeats. */
function versionsIn(received: readonly Received[]): string[] {
  const versions = new Map<string, string>();
  for (const { headers, json } of received) {
    const id = String(headers['webhook-id']);
    if (!versions.has(id)) versions.set(id, `${json.data.slug} ${json.data.document.data.title}`);
  }
  return [...versions.values()];
}

const byDocument = (written: readonly string[]): Map<string, string[]> =>
  Map.groupBy(written.toSorted(), (one) => one.split(' ')[0]!);

/** The versions of each document in order of arrival. */
const inOrder = (received: readonly string[]): Map<string, string[]> =>
  new Map([...Map.groupBy(received, (one) => one.split(' ')[0]!)].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Makes it accept deliveries again; returns the list that they are added to. */
function revive(dead: Receiver): Received[] {
  const accepted: Received[] = [];
  dead.answer = (one) => {
    accepted.push(one);
    return 204;
  };
  return accepted;
}

const isWaiting = ({ follower }: FollowedSite, webhook: string): boolean | undefined =>
  follower.targets().find(({ target }) => target === webhook)?.isWaiting;

const pendingOf = ({ outbox }: FollowedSite, target: string): number =>
  outbox.list({
    topic: 'webhook',
    isWanted: (one) => one.target === target && one.state === 'pending',
    limit: 1,
    offset: 0,
  }).total;

test('a dead webhook with a full backlog delays no other, and receives everything when it is back', async () => {
  await using dead = await makeReceiver(() => 503);
  await using live = await makeReceiver();
  await using site = await followSite([hookTo(dead, { id: 'dead' }), hookTo(live, { id: 'live' })], SMALL);
  const written = await write(site, 'a');
  await eventually(() => assert.is(versionsIn(live.received).length, written.length), 20_000);
  assert.equal(inOrder(versionsIn(live.received)), byDocument(written));
  assert.ok(isWaiting(site, 'dead'));
  assert.ok(pendingOf(site, 'dead') < written.length, `${pendingOf(site, 'dead')} wait`);
  assert.is(site.warnings.filter((warning) => warning.includes('dead')).length, 1, 'one warning');

  const accepted = revive(dead);
  await eventually(() => assert.is(accepted.length, written.length), 60_000);
  assert.is(new Set(accepted.map(({ headers }) => headers['webhook-id'])).size, written.length, 'each arrives once');
  assert.equal(inOrder(versionsIn(accepted)), byDocument(written));
});

test('a crash, a start and a webhook that comes and goes lose no delivery of any other webhook', async () => {
  await using dead = await makeReceiver(() => 503);
  await using live = await makeReceiver();
  const both = [hookTo(dead, { id: 'dead' }), hookTo(live, { id: 'live' })];
  await using site = await followSite(both, SMALL);
  const written = await write(site, 'a');
  await eventually(() => assert.is(versionsIn(live.received).length, written.length), 20_000);
  await site.crashAfter(async () => void written.push(...(await write(site, 'b'))));
  await eventually(() => assert.is(versionsIn(live.received).length, written.length), 20_000);
  await site.reopen({ forget: true });
  await site.set([...both, hookTo(live, { id: 'third' })]);
  await eventually(() => assert.ok(site.outbox.mark(markOf('third'))), 5000);
  await site.set(both);
  await eventually(() => assert.is(site.outbox.mark(markOf('third')), undefined), 5000);

  const accepted = revive(dead);
  await eventually(() => assert.is(versionsIn(accepted).length, written.length), 60_000);
  assert.equal(inOrder(versionsIn(accepted)), byDocument(written));
  assert.equal(inOrder(versionsIn(live.received)), byDocument(written));
});

test('a dead webhook that is removed and added again receives the changes from then on', async () => {
  await using dead = await makeReceiver(() => 503);
  await using site = await followSite([hookTo(dead)], SMALL);
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  await write(site, 'a');
  await eventually(() => assert.ok(isWaiting(site, 'one')), 5000);
  const accepted = revive(dead);
  await site.set([]);
  await site.set([hookTo(dead)]);
  assert.is(site.outbox.mark(MARK)?.split(' ')[0], site.place.cms.site.store.log.status().head);
  const written = await write(site, 'b');
  const ofB = (): string[] => versionsIn(accepted).filter((one) => one.startsWith('b-'));
  await eventually(() => assert.is(ofB().length, written.length), 20_000);
  assert.equal(inOrder(ofB()), byDocument(written));
  assert.ok(accepted.length < 2 * written.length);
});

test('deliveries that fail in all attempts are given up, and a dead webhook reaches the end of the log', async () => {
  await using dead = await makeReceiver(() => 503);
  await using site = await followSite([hookTo(dead)], { schedule: [1, 1], limits: { waiting: WAITING, pauseMs: 0 } });
  await eventually(() => assert.ok(site.outbox.mark(MARK)), 5000);
  const written = await write(site, 'a');
  const failed = (): number => site.webhooks.deliveries({ state: 'failed', limit: 1, offset: 0 }).total;
  await eventually(() => assert.is(failed(), written.length), 30_000);
  assert.is(dead.received.length, written.length * 3);
  assert.not.ok(isWaiting(site, 'one'));
});

test('an event that a dead webhook has no room for is listed as failed, and can be redelivered', async () => {
  await using dead = await makeReceiver(() => 503);
  await using site = await followSite([hookTo(dead, { events: ['form.submitted'] })], SMALL);
  const list = () => site.webhooks.deliveries({ limit: 1000, offset: 0 });
  const emit = (n: number) =>
    site.webhooks.emit({
      event: 'form.submitted',
      actor: { kind: 'visitor' },
      data: { form: 'contact', n },
      id: `${n}`,
    });
  const warnings = (): number =>
    site.warnings.filter((warning) => /"one" was not notified of form\.submitted/.test(warning)).length;
  let sent = 0;
  for (; warnings() === 0; sent++) {
    assert.ok(sent < 10 * WAITING);
    await emit(sent);
  }
  const [failed] = list().deliveries;
  assert.is(list().total, sent);
  assert.equal(DeliverySchema.parse(failed), failed);
  assert.equal(
    { ...failed, id: '', url: '', createdAt: '' },
    {
      ...{ id: '', url: '', createdAt: '', webhookId: 'one', event: 'form.submitted', state: 'failed', attempts: 0 },
      ...{ status: null, durationMs: null, lastAttemptAt: null, nextAttemptAt: null },
      error: 'too much waited for this webhook; redeliver it once some of that is sent',
    },
  );
  await emit(sent - 1);
  const refused = await site.webhooks.test('one').catch((error) => error);
  assert.equal([refused.code, list().total, warnings()], ['unavailable', sent, 1]);
  await site.reopen();
  assert.equal(site.webhooks.deliveries({ state: 'failed', limit: 9, offset: 0 }).deliveries, [failed]);

  const accepted = revive(dead);
  await eventually(() => assert.is(accepted.length, sent - 1), 20_000);
  const reader = { permissions: new Set(['forms:read'] as const) };
  await site.webhooks.redeliver(failed!.id, reader);
  await eventually(() => assert.is(accepted.length, sent), 5000);
  assert.is(accepted.at(-1)?.json.data.n, sent - 1);
  await eventually(async () => assert.is((await site.webhooks.delivery(failed!.id, reader)).state, 'delivered'), 5000);
});

test('each webhook resumes at the one mark that an earlier version left for all webhooks', async () => {
  await using one = await makeReceiver();
  await using two = await makeReceiver();
  await using site = await followSite([hookTo(one), hookTo(two, { id: 'two' })]);
  const names = [MARK, markOf('two')];
  await eventually(() => assert.ok(names.every((name) => site.outbox.mark(name))), 5000);
  const early = await write(site, 'early');
  for (const { received } of [one, two]) {
    await eventually(() => assert.is(versionsIn(received).length, early.length), 20_000);
  }
  const value = site.outbox.mark(MARK)!;
  await site.outbox.addFromLog([], ...names.map((name) => ({ name, value: '' })), { name: 'log', value });
  const late: string[] = [];
  const lateOf = ({ received }: Receiver): string[] => versionsIn(received).filter((one) => one.startsWith('late-'));
  await site.crashAfter(async () => {
    late.push(...(await write(site, 'late')));
    for (const receiver of [one, two]) {
      await eventually(() => assert.is(lateOf(receiver).length, late.length), 20_000);
      receiver.received.length = 0;
    }
  });
  for (const receiver of [one, two]) {
    await eventually(() => assert.is(lateOf(receiver).length, late.length), 20_000);
    assert.equal(inOrder(lateOf(receiver)), byDocument(late));
  }
  assert.equal(site.outbox.markNames().toSorted(), names);
});

test.run();
