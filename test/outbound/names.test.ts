// Looking up names: a few at a time, and names without an answer do not hold up names that were found before.
import type { LookupAddress } from 'node:dns';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { createResolver, type Resolve } from '../../src/outbound/names.ts';

const FOUND: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];

/** Lookups of names that begin with `dead` last until the test ends them. */
function makeNames() {
  const looked: string[] = [];
  const hanging = new Map<string, Parameters<Resolve>[1]>();
  const clock = { ms: 0 };
  const resolve = createResolver(
    (name, done) => {
      looked.push(name);
      if (name.startsWith('dead')) hanging.set(name, done);
      else queueMicrotask(() => done(null, FOUND));
    },
    () => clock.ms,
  );
  const answers: string[] = [];
  return {
    looked,
    answers,
    clock,
    ask: (name: string): void => resolve(name, (error) => void answers.push(`${name} ${error ? 'failed' : 'found'}`)),
    end(name: string, error: Error | null = new Error('no answer')) {
      hanging.get(name)!(error, error ? [] : FOUND);
      hanging.delete(name);
    },
    settle: nextTurn,
  };
}

test('at most two names are looked up at a time, so that slow name servers block no more threads', () => {
  const names = makeNames();
  const five = [1, 2, 3, 4, 5].map((n) => `dead${n}`);
  for (const name of five) {
    names.ask(name);
    names.end(name, null);
  }
  for (const name of five) names.ask(name);
  assert.is(names.looked.length, 7);
  for (const name of five) names.end(name, null);
  assert.is(names.looked.length, 10);
  assert.is(names.answers.length, 10);
});

test('names without an answer hold up no name that was found before, of any site', async () => {
  const names = makeNames();
  names.ask('live');
  await names.settle();
  for (const name of ['dead1', 'dead2', 'dead3', 'live']) names.ask(name);
  await names.settle();
  assert.equal(names.answers, ['live found', 'live found']);
  assert.equal(names.looked, ['live', 'dead1', 'live']);
  names.end('dead1');
  await names.settle();
  assert.equal(names.looked, ['live', 'dead1', 'live', 'dead2']);
});

test('a slow name waits with the names without an answer, until it is quick again', async () => {
  const names = makeNames();
  names.ask('dead but quick');
  names.end('dead but quick', null);
  for (const name of ['dead but quick', 'dead1', 'dead2']) names.ask(name);
  assert.equal(names.looked.slice(1), ['dead but quick', 'dead1']);
  names.clock.ms += 5000;
  names.end('dead but quick', null);
  names.ask('dead but quick');
  assert.equal(names.looked.slice(3), []);
});

test('requests for the same name share one lookup', async () => {
  const names = makeNames();
  for (let asked = 0; asked < 3; asked++) names.ask('dead1');
  assert.equal(names.looked, ['dead1']);
  names.end('dead1');
  assert.equal(names.answers, ['dead1 failed', 'dead1 failed', 'dead1 failed']);
  names.ask('dead1');
  assert.equal(names.looked, ['dead1', 'dead1']);
});

test('a name is not looked up if its request has timed out meanwhile', async () => {
  const names = makeNames();
  for (const name of ['dead1', 'dead2', 'dead3']) names.ask(name);
  names.clock.ms += 9000;
  names.ask('dead3');
  names.clock.ms += 9000;
  names.end('dead1');
  assert.equal(names.answers, ['dead1 failed', 'dead2 failed']);
  assert.equal(names.looked, ['dead1', 'dead3']);
});

test.run();
