// Webhooks of one site, of which one is dead: the others hear of everything, and so does that one when it is back.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ACTOR } from '../history/world.ts';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Received } from '../support/receiver.ts';
import { type FollowedSite, followSite, hookTo } from './world.ts';

const WAITING = 20;
const DOCUMENTS = 30;
const VERSIONS = 3;
const SMALL = { limits: { waiting: WAITING, pauseMs: 5 } };

/** Each document in each of its versions, one after another. */
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

/** Each delivery once, in the order in which it first came: the document and its version. */
function toldOf(received: readonly Received[]): string[] {
  const told = new Map<string, string>();
  for (const { headers, json } of received) {
    const id = String(headers['webhook-id']);
    if (!told.has(id)) told.set(id, `${json.data.slug} ${json.data.document.data.title}`);
  }
  return [...told.values()];
}

const byDocument = (told: readonly string[]): Map<string, string[]> =>
  Map.groupBy(told.toSorted(), (one) => one.split(' ')[0]!);

/** In order for each document, whatever came between. */
const inOrder = (told: readonly string[]): Map<string, string[]> =>
  new Map([...Map.groupBy(told, (one) => one.split(' ')[0]!)].toSorted(([a], [b]) => (a < b ? -1 : 1)));

const stateOf = ({ outbox }: FollowedSite, target: string): number =>
  outbox.list({
    topic: 'webhook',
    isWanted: (one) => one.target === target && one.state === 'pending',
    limit: 1,
    offset: 0,
  }).total;

test('a dead webhook of which too much waits holds up no other one, and hears of it all when it is back', async () => {
  await using dead = await makeReceiver(() => 503);
  await using live = await makeReceiver();
  await using site = await followSite([hookTo(dead, { id: 'dead' }), hookTo(live, { id: 'live' })], SMALL);
  const written = await write(site, 'a');
  await eventually(() => assert.is(toldOf(live.received).length, written.length), 20_000);
  assert.equal(inOrder(toldOf(live.received)), byDocument(written));
  assert.ok(stateOf(site, 'dead') <= WAITING, `${stateOf(site, 'dead')} wait`);

  const taken: Received[] = [];
  dead.answer = (one) => {
    taken.push(one);
    return 204;
  };
  await eventually(() => assert.is(taken.length, written.length), 60_000);
  assert.is(new Set(taken.map(({ headers }) => headers['webhook-id'])).size, written.length, 'each came once');
  assert.equal(inOrder(toldOf(taken)), byDocument(written));
  assert.is(site.warnings.filter((warning) => warning.includes('dead')).length, 1, 'it is told once');
});

test.run();
