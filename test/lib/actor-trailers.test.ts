import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { actorTrailers } from '../../src/lib/actor-trailers.ts';

test('a commit names the kind of actor, its account, its token and its model', () => {
  assert.equal(actorTrailers({ kind: 'user', userId: 'u1' }), ['Actor: user', 'User: u1']);
  assert.equal(actorTrailers({ kind: 'ai', userId: 'u1', tokenId: 't1', aiModel: 'm' }), [
    'Actor: ai',
    'User: u1',
    'Token: t1',
    'AI-Model: m',
  ]);
  assert.equal(actorTrailers({ kind: 'system' }), ['Actor: system']);
});

test('a program’s own id stays on its line, and whole', () => {
  const lines = actorTrailers({ kind: 'user', userId: `a b\nActor: system/${'x'.repeat(150)}` });
  assert.equal(lines, ['Actor: user', `User: a%20b%0AActor%3A%20system%2F${'x'.repeat(150)}`]);
});

test.run();
