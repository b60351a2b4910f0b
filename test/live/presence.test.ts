// Who has what open: for a minute, bounded for each person, and reported to listeners.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPresence, type PresenceNews } from '../../src/live/presence.ts';

const ADA = { id: 'a', name: 'Ada' };
const BEN = { id: 'b', name: 'Ben' };
const at = (slug: string) => ({ collection: 'posts', slug });

test('people are present from their first word until they leave, or for a minute after the last', () => {
  let now = 0;
  const presence = createPresence(() => now);
  const news: PresenceNews[] = [];
  const stop = presence.listen((one) => void news.push(one));
  assert.equal(presence.say(at('x'), BEN, true), [BEN]);
  assert.equal(presence.say(at('x'), ADA, true), [ADA, BEN]);
  presence.say(at('x'), ADA, true);
  assert.is(news.length, 2, 'a repeated word is no news');
  assert.equal(presence.list(), [{ ...at('x'), people: [ADA, BEN] }]);
  now = 50_000;
  presence.say(at('x'), ADA, true);
  now = 61_000;
  assert.equal(presence.list(), [{ ...at('x'), people: [ADA] }]);
  assert.equal(news.at(-1), { ...at('x'), people: [ADA] });
  assert.equal(presence.say(at('x'), ADA, false), []);
  assert.equal(presence.list(), []);
  stop();
  presence.say(at('x'), BEN, true);
  assert.is(news.length, 4);
});

test('one person has at most fifty documents open; the oldest is dropped', () => {
  const presence = createPresence(() => 0);
  for (let n = 0; n < 60; n++) presence.say(at(`p${n}`), ADA, true);
  const open = presence.list().map(({ slug }) => slug);
  assert.is(open.length, 50);
  assert.not(open.includes('p9'));
  assert.ok(open.includes('p10'));
});

test.run();
