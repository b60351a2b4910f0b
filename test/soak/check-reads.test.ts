// The checker's rules about what readers saw and what was refused: a history that keeps each rule, and one that breaks
// it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { digestOf } from '../../scripts/soak/timeline.ts';
import { broken, create, get, HELLO, patch, startTale } from './tale.ts';

test('stale: a reader sees what an answered write had replaced before the read began', () => {
  const tale = startTale();
  create(tale);
  const old = tale.at('posts/hello');
  patch(tale, { a: 1 }, { invokedAtMs: 100, completedAtMs: 110 });
  const read = tale.read({ kind: 'get', ...HELLO }, [old], { invokedAtMs: 111 });
  assert.equal(broken(tale), ['stale']);
  read.invokedAtMs = 109;
  assert.equal(broken(tale), []);
});

test('stale: the newer write had no answer, but a later one in the log had', () => {
  const tale = startTale();
  create(tale);
  const old = tale.at('posts/hello');
  patch(tale, { a: 1 }).operation.outcome = { kind: 'unknown' };
  tale.read({ kind: 'get', ...HELLO }, [old]);
  assert.equal(broken(tale), []);
  create(tale, 'other');
  tale.read({ kind: 'get', ...HELLO }, [old]);
  assert.equal(broken(tale), ['stale']);
});

test('future: a reader sees a write that was sent only after the answer', () => {
  const tale = startTale();
  create(tale);
  patch(tale, { a: 1 }, { invokedAtMs: 100 });
  const read = get(tale, { invokedAtMs: 80 });
  assert.ok(read.completedAtMs < 100);
  assert.equal(broken(tale), ['future']);
  read.completedAtMs = 101;
  assert.equal(broken(tale), []);
});

test('a reader sees bytes that never existed, or the entity tag of another document', () => {
  const tale = startTale();
  create(tale);
  const { doc, blob } = tale.at('posts/hello');
  const seen = { place: 'posts/hello', blob: 'never', digest: digestOf(doc) };
  const { outcome } = tale.attempt({ kind: 'get', ...HELLO }, { kind: 'ok', seen: [seen] });
  assert.equal(broken(tale), ['wrong-answer']);
  Object.assign(seen, { blob });
  assert.equal(broken(tale), []);
  Object.assign(seen, { digest: 'of other bytes' });
  assert.equal(broken(tale), ['wrong-answer']);
  assert.is(outcome.kind, 'ok');
});

test('unjustified-refusal: the refusal was right at no moment', () => {
  const refused = (status: number) => ({ kind: 'refused', status }) as const;
  const missing = startTale();
  create(missing);
  missing.attempt({ kind: 'get', ...HELLO }, refused(404));
  assert.equal(broken(missing), ['unjustified-refusal']);

  const occupied = startTale();
  occupied.attempt({ kind: 'create', ...HELLO, data: {} }, refused(409));
  assert.equal(broken(occupied), ['unjustified-refusal']);

  const unchanged = startTale();
  create(unchanged);
  const { blob } = unchanged.at('posts/hello');
  unchanged.attempt({ kind: 'update', ...HELLO, data: {}, ifMatch: blob }, refused(412));
  assert.equal(broken(unchanged), ['unjustified-refusal']);
});

test('a deletion that is in the log can be restored', () => {
  const tale = startTale();
  create(tale);
  const { commit } = tale.write({ kind: 'delete', ...HELLO });
  const restore = { kind: 'restore', ...HELLO, commit: 'another name' } as const;
  const { action } = tale.attempt(restore, { kind: 'refused', status: 404 });
  assert.equal(broken(tale), []);
  Object.assign(action, { commit: commit.id });
  assert.equal(broken(tale), ['unjustified-refusal']);
});

test('a refusal may rest on a write that a kill removed before it was durable', () => {
  const tale = startTale();
  tale.attempt({ kind: 'create', ...HELLO, data: {} }, { kind: 'unknown' }, { invokedAtMs: 10, completedAtMs: 40 });
  tale.attempt({ kind: 'create', ...HELLO, data: {} }, { kind: 'refused', status: 409 }, { invokedAtMs: 20 });
  assert.equal(broken(tale), []);
  tale.attempt({ kind: 'create', ...HELLO, data: {} }, { kind: 'refused', status: 409 }, { invokedAtMs: 50 });
  assert.equal(broken(tale), ['unjustified-refusal']);
});

test('failure: 5xx, an unexpected status, or no answer at all', () => {
  for (const outcome of [
    { kind: 'refused', status: 500 } as const,
    { kind: 'refused', status: 400 } as const,
    { kind: 'refused', status: 503 } as const,
    { kind: 'unknown', isTimeout: true } as const,
  ]) {
    const tale = startTale();
    tale.attempt({ kind: 'create', ...HELLO, data: {} }, outcome);
    assert.equal(broken(tale), ['failure']);
  }
  const ending = startTale();
  ending.outages.push({ fromMs: 0, toMs: 100 });
  ending.attempt({ kind: 'create', ...HELLO, data: {} }, { kind: 'refused', status: 503 });
  assert.equal(broken(ending), []);
});

test('missing-in-list: a whole list lacks a document that existed all the time', () => {
  const tale = startTale();
  create(tale);
  create(tale, 'other');
  tale.read({ kind: 'list', collection: 'posts', isWhole: false }, [tale.at('posts/other')]);
  assert.equal(broken(tale), []);
  tale.read({ kind: 'list', collection: 'posts', isWhole: true }, [tale.at('posts/other')]);
  assert.equal(broken(tale), ['missing-in-list']);
});

test('torn-list: each document is in its window, and they never existed together', () => {
  const tale = startTale();
  create(tale);
  const old = tale.at('posts/hello');
  patch(tale, { a: 1 }, { invokedAtMs: 100, completedAtMs: 200 });
  tale.write({ kind: 'create', collection: 'posts', slug: 'b', data: {} }, { invokedAtMs: 100, completedAtMs: 200 });
  const both = [old, tale.at('posts/b')];
  tale.read({ kind: 'list', collection: 'posts', isWhole: false }, both, { invokedAtMs: 150 });
  assert.equal(broken(tale), ['torn-list']);
});

test('a lock does not change what a list shows', () => {
  const tale = startTale();
  create(tale);
  const old = tale.at('posts/hello');
  tale.write({ kind: 'lock', ...HELLO, field: 'title', reason: 'mine' }, { invokedAtMs: 100, completedAtMs: 200 });
  const b = { kind: 'create', collection: 'posts', slug: 'b', data: {} } as const;
  tale.write(b, { invokedAtMs: 100, completedAtMs: 200 });
  tale.write({ kind: 'unlock', ...HELLO, field: 'title' }, { invokedAtMs: 100, completedAtMs: 200 });
  const seen = [
    { ...old, blob: undefined },
    { ...tale.at('posts/b'), blob: undefined },
  ];
  tale.read({ kind: 'list', collection: 'posts', isWhole: false }, seen, { invokedAtMs: 150 });
  assert.equal(broken(tale), []);
});

test('stale: a list shows a lock on the old text, until an external change below it has to be seen', () => {
  const tale = startTale();
  create(tale);
  const old = { ...tale.at('posts/hello'), blob: undefined };
  tale.push('posts/hello', { theirs: 1 });
  tale.write({ kind: 'lock', ...HELLO, field: 'title', reason: 'mine' });
  const read = tale.read({ kind: 'list', collection: 'posts', isWhole: false }, [old]);
  assert.equal(broken(tale), []);
  read.invokedAtMs = read.completedAtMs = tale.pushes[0]!.doneAtMs + 2000;
  assert.equal(broken(tale), ['stale']);

  const patched = startTale();
  create(patched);
  const before = { ...patched.at('posts/hello'), blob: undefined };
  patched.push('posts/hello', { theirs: 1 });
  patch(patched, { a: 1 });
  patched.read({ kind: 'list', collection: 'posts', isWhole: false }, [before]);
  assert.equal(broken(patched), ['stale']);
});

test('not-found-by-search: an answered write is not found, or is found by a word that it does not have', () => {
  const tale = startTale();
  create(tale, 'hello', { title: 'zebra' });
  tale.read({ kind: 'search', ...HELLO, word: 'zebra' }, []);
  assert.equal(broken(tale), ['not-found-by-search']);

  const gone = startTale();
  create(gone, 'hello', { title: 'zebra' });
  const old = gone.at('posts/hello');
  patch(gone, { title: 'horse' });
  gone.read({ kind: 'search', ...HELLO, word: 'zebra' }, [old]);
  assert.equal(broken(gone), ['not-found-by-search']);
});

test.run();
