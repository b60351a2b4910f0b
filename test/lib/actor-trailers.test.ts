import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { actorTrailers, commitAuthor } from '../../src/lib/actor-trailers.ts';

test('a commit names the kind of actor, its account, its token and its model', () => {
  assert.equal(actorTrailers({ kind: 'user', userId: 'u1' }), ['Actor: user', 'User: u1']);
  assert.equal(actorTrailers({ kind: 'ai', userId: 'u1', tokenId: 't1', aiModel: 'm' }), [
    'Actor: ai',
    'User: u1',
    'Token: t1',
    'AI-Model: m',
    'Co-authored-by: m <ai@localhost>',
  ]);
  assert.equal(actorTrailers({ kind: 'system' }), ['Actor: system']);
});

test('a model is co-author of what it wrote, and a person the author only if they decided about it', () => {
  const ada = { kind: 'ai', userId: 'u1', name: 'Ada', email: 'ada@example.org', aiModel: 'm <x>\n1' };
  assert.equal(commitAuthor({ ...ada, isDecided: true }), { name: 'Ada', email: 'ada@example.org' });
  assert.equal(commitAuthor(ada), { name: 'm x 1', email: 'ai@localhost' });
  assert.equal(commitAuthor({ ...ada, agentName: 'Newsletter' }), { name: 'Newsletter', email: 'ai@localhost' });
  assert.equal(commitAuthor({ ...ada, kind: 'user' }), { name: 'Ada', email: 'ada@example.org' });
  assert.is(actorTrailers(ada).at(-1), 'Co-authored-by: m x 1 <ai@localhost>');
  assert.is(actorTrailers({ kind: 'ai' }).at(-1), 'Co-authored-by: AI <ai@localhost>');
});

test('a program’s own id stays on its line, and whole', () => {
  const lines = actorTrailers({ kind: 'user', userId: `a b\nActor: system/${'x'.repeat(150)}` });
  assert.equal(lines, ['Actor: user', `User: a%20b%0AActor%3A%20system%2F${'x'.repeat(150)}`]);
});

test.run();
