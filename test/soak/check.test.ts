// Each rule of the soak test's checker about the log: a history that keeps it, and one that breaks only this rule.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createChecker } from '../../scripts/soak/check.ts';
import type { Doc, Outcome, Rule } from '../../scripts/soak/history.ts';
import { toOutcome } from '../../scripts/soak/sender.ts';
import {
  answerAsIs,
  blobOf,
  broken,
  create,
  get,
  HELLO,
  patch,
  type Recorded,
  replace,
  startTale,
  type Tale,
} from './tale.ts';

test('a correct history breaks no rule', () => {
  const tale = startTale();
  create(tale);
  patch(tale, { a: 1, b: 1 });
  get(tale);
  tale.write({ kind: 'lock', ...HELLO, field: 'title', reason: 'mine' });
  get(tale);
  tale.write({ kind: 'update', ...HELLO, status: 'published' });
  tale.write({ kind: 'unlock', ...HELLO, field: 'title' });
  tale.attempt({ kind: 'unlock', ...HELLO, field: 'title' }, { kind: 'ok', blob: tale.at('posts/hello').blob });
  tale.read({ kind: 'list', collection: 'posts', isWhole: true }, [tale.at('posts/hello')]);
  tale.read({ kind: 'search', collection: 'posts', slug: 'hello', word: 'Hello' }, [tale.at('posts/hello')]);
  tale.write({ kind: 'update', ...HELLO, to: 'hullo' });
  tale.attempt({ kind: 'get', ...HELLO }, { kind: 'refused', status: 404 });
  const { commit } = tale.write({ kind: 'delete', collection: 'posts', slug: 'hullo' });
  tale.write({ kind: 'restore', collection: 'posts', slug: 'hullo', commit: commit.id });
  create(tale);
  tale.attempt({ kind: 'create', ...HELLO, data: {} }, { kind: 'refused', status: 409 });
  const { blob } = tale.at('posts/hello');
  tale.write({ kind: 'update', ...HELLO, data: { n: 1 }, ifMatch: blob });
  tale.attempt({ kind: 'update', ...HELLO, data: { n: 1 }, ifMatch: blob }, { kind: 'refused', status: 412 });
  tale.push('posts/theirs', { n: 1 });
  assert.equal(broken(tale), []);
});

test('the documents at the end of one epoch are those at the beginning of the next', () => {
  const checker = createChecker();
  const first = startTale();
  create(first);
  assert.equal(checker.check(first), []);
  const second = startTale();
  create(second);
  const violations = checker.check(second);
  assert.ok(violations.some(({ rule, message }) => rule === 'lost-key' && /took the place/.test(message)));
});

test('lost: a write was answered and has no commit', () => {
  const tale = startTale();
  create(tale);
  patch(tale, { a: 1 });
  tale.commits.pop();
  assert.equal(broken(tale), ['lost']);
});

test('a write whose connection broke may or may not have a commit', () => {
  const tale = startTale();
  create(tale).operation.outcome = { kind: 'unknown' };
  patch(tale, { a: 1 }).operation.outcome = { kind: 'unknown' };
  assert.equal(broken(tale), []);
  tale.commits.pop();
  assert.equal(broken(tale), []);
});

test('doubled: one request or one Idempotency-Key made two commits', () => {
  const tale = startTale();
  create(tale);
  const { commit } = patch(tale, { a: 1 });
  tale.commits.push({ ...commit, id: 'again' });
  assert.equal(broken(tale), ['doubled']);

  const keyed = startTale();
  const first = keyed.write({ kind: 'create', collection: 'notes', data: { title: 'A' }, key: 'k' });
  first.operation.outcome = { kind: 'unknown' };
  keyed.write({ kind: 'create', collection: 'notes', data: { title: 'A' }, key: 'k' });
  assert.equal(broken(keyed), ['doubled']);
});

test('either of two attempts with one Idempotency-Key may have made the commit, and one must', () => {
  const tale = startTale();
  const action = { kind: 'create', collection: 'notes', data: { title: 'A' }, key: 'k' } as const;
  tale.write(action).operation.outcome = { kind: 'unknown' };
  tale.attempt(action, { kind: 'ok', commit: tale.commits[0]!.id, isReplayed: true });
  assert.equal(broken(tale), []);
  tale.commits.pop();
  assert.equal(broken(tale), ['lost']);
});

test('doubled: two commits have one Change-Id', () => {
  const tale = startTale();
  const { commit } = create(tale);
  patch(tale, { a: 1 }).commit.changeId = commit.changeId;
  assert.equal(broken(tale), ['doubled']);
});

test('from-nowhere: a commit without a request', () => {
  const tale = startTale();
  create(tale);
  patch(tale, { a: 1 });
  tale.operations.pop();
  assert.equal(broken(tale), ['from-nowhere']);
});

test('order: a write was answered before another was sent, and comes after it in the log', () => {
  const tale = startTale();
  const one = create(tale, 'one');
  const two = create(tale, 'two');
  tale.commits.reverse();
  assert.equal(broken(tale), ['order']);
  one.operation.completedAtMs = two.operation.invokedAtMs + 1;
  assert.equal(broken(tale), []);
});

test('refused-in-log: a refused write, or one that was never sent, is in the log', () => {
  for (const outcome of [{ kind: 'refused', status: 404 } as const, { kind: 'unsent' } as const]) {
    const tale = startTale();
    create(tale).operation.outcome = outcome;
    assert.ok(broken(tale).includes('refused-in-log'), outcome.kind);
  }
});

test('a write whose answer leaves the outcome open may have a commit; a refused one may not', () => {
  const action = { kind: 'create', ...HELLO, data: { title: 'Hello' } } as const;
  const outcomeOf = (code: string): Outcome => {
    const text = JSON.stringify({ error: 'a sentence', code });
    return toOutcome(action, { kind: 'answered', status: 503, text, header: () => undefined }).outcome;
  };
  for (const [code, rules] of [
    ['outcome_unknown', []],
    ['unavailable', ['refused-in-log']],
  ] as const) {
    const tale = startTale();
    create(tale).operation.outcome = outcomeOf(code);
    tale.outages.push({ fromMs: 0, toMs: tale.nowMs() + 100 });
    assert.equal(broken(tale), rules, code);
    tale.commits.pop();
    assert.equal(broken(tale), [], code);
    tale.outages.pop();
    assert.equal(broken(tale), ['failure'], code);
  }
});

test('git: a clone fails without a cause', () => {
  const clone = { message: 'early EOF', isServed: true, upSinceMs: 5, stillUpSinceMs: 5 };
  const brokenBy = (bend: Partial<typeof clone>) => broken({ ...startTale(), failedClones: [{ ...clone, ...bend }] });
  const never = Number.POSITIVE_INFINITY;
  assert.equal(brokenBy({}), ['git']);
  assert.equal(brokenBy({ isServed: false, upSinceMs: never, stillUpSinceMs: never }), ['git']);
  assert.equal(brokenBy({ stillUpSinceMs: 9 }), []);
  assert.equal(brokenBy({ stillUpSinceMs: never }), []);
  // It began while a fault was injected, and the service was killed meanwhile.
  assert.equal(brokenBy({ upSinceMs: never, stillUpSinceMs: never }), []);
});

test("half: one of a write's two keys is there", () => {
  const tale = startTale();
  create(tale);
  const recorded = patch(tale, { a: 1, b: 1 });
  replace(recorded.commit, (doc) => ({ ...doc, data: { title: 'Hello', a: 1 } }));
  answerAsIs(recorded);
  assert.equal(broken(tale), ['half']);
});

test('half: a rename that leaves the document in its old place', () => {
  const tale = startTale();
  create(tale);
  const { commit } = tale.write({ kind: 'update', ...HELLO, to: 'hullo' });
  commit.changes = commit.changes.filter(({ doc }) => doc);
  assert.equal(broken(tale), ['half']);
});

test('lost-key: a write removed, changed or revived what it did not send', () => {
  const bends: ((doc: Doc) => Doc)[] = [
    (doc) => ({ ...doc, data: { title: 'Hello', b: 1 } }),
    (doc) => ({ ...doc, data: { ...doc.data, a: 0 } }),
    (doc) => ({ ...doc, data: { ...doc.data, c: 1 } }),
  ];
  for (const bend of bends) {
    const tale = startTale();
    create(tale);
    patch(tale, { a: 1 });
    const recorded = patch(tale, { b: 1 });
    replace(recorded.commit, bend);
    answerAsIs(recorded);
    assert.equal(broken(tale), ['lost-key']);
  }
});

test('if-match: two increments of the same state were both accepted', () => {
  const tale = startTale();
  create(tale, 'hello', { count: 0 });
  const { blob } = tale.at('posts/hello');
  tale.write({ kind: 'update', ...HELLO, data: { count: 1 }, ifMatch: blob });
  tale.write({ kind: 'update', ...HELLO, data: { count: 1 }, ifMatch: blob });
  assert.equal(broken(tale), ['if-match']);
});

test('lost-key: a document replaced another one', () => {
  const tale = startTale();
  create(tale);
  create(tale, 'other');
  tale.write({ kind: 'update', collection: 'posts', slug: 'other', to: 'hello' });
  assert.equal(broken(tale), ['lost-key']);
});

test('wrong-effect: status, time, lock or message are not those of the write', () => {
  const bends: ((recorded: Recorded) => void)[] = [
    (recorded) => replace(recorded.commit, (doc) => ({ ...doc, status: 'published' })),
    (recorded) => replace(recorded.commit, (doc) => ({ ...doc, updatedAt: '2020-01-01T00:00:00.000Z' })),
    (recorded) => replace(recorded.commit, (doc) => ({ ...doc, _fieldMeta: { title: { reason: 'x' } } })),
    (recorded) => void (recorded.commit.event = 'document.renamed'),
    (recorded) => void (recorded.commit.documentId = 'another'),
  ];
  for (const bend of bends) {
    const tale = startTale();
    create(tale);
    const recorded = patch(tale, { a: 1 });
    bend(recorded);
    answerAsIs(recorded);
    assert.equal(broken(tale), ['wrong-effect'], String(bend));
  }
});

test('half, wrong-effect: a document comes back different from what it was', () => {
  const bends: [Rule, (doc: Doc) => Doc][] = [
    ['half', (doc) => ({ ...doc, data: { title: 'Hello' } })],
    ['wrong-effect', (doc) => ({ ...doc, status: 'published' })],
    ['wrong-effect', (doc) => ({ ...doc, updatedAt: '2020-01-01T00:00:00.000Z' })],
  ];
  for (const [rule, bend] of bends) {
    const tale = startTale();
    create(tale);
    patch(tale, { a: 1 });
    const { commit } = tale.write({ kind: 'delete', ...HELLO });
    const recorded = tale.write({ kind: 'restore', ...HELLO, commit: commit.id });
    assert.equal(broken(tale), []);
    replace(recorded.commit, bend);
    answerAsIs(recorded);
    assert.equal(broken(tale), [rule]);
  }
});

test('wrong-answer: commit or entity tag of the answer are not those of the log', () => {
  for (const bend of [{ commit: 'another' }, { blob: 'another' }]) {
    const tale = startTale();
    const { operation } = create(tale);
    operation.outcome = { ...operation.outcome, ...bend } as typeof operation.outcome;
    assert.equal(broken(tale), ['wrong-answer']);
  }
});

test('others-lost: a pushed commit is not in the log, or differs from what was pushed', () => {
  const tale = startTale();
  create(tale);
  const commit = tale.push('posts/theirs', { n: 1 });
  assert.equal(broken(tale), []);
  commit.changes = [];
  assert.equal(broken(tale), ['others-lost']);
  tale.commits.pop();
  assert.equal(broken(tale), ['others-lost']);
});

test('our change on top of a push of the same document has other bytes, and keeps the keys of both', () => {
  const tale = startTale();
  create(tale);
  const before = tale.at('posts/hello');
  tale.push('posts/hello', { theirs: 1 });
  const recorded = patch(tale, { ours: 1 });
  // It was shown and answered before the push was put below it.
  const shown = {
    ...before.doc,
    updatedAt: recorded.commit.changes[0]!.doc!.updatedAt,
    data: { title: 'Hello', ours: 1 },
  };
  recorded.operation.outcome = { kind: 'ok', blob: blobOf(shown), commit: 'before the push' };
  tale.read({ kind: 'get', ...HELLO }, [{ place: 'posts/hello', doc: shown, blob: blobOf(shown) }]);
  assert.equal(broken(tale), []);
  replace(recorded.commit, () => shown);
  assert.equal(broken(tale), ['lost-key']);
});

test('an external change to a document counts under the name that our rename gives it, too', () => {
  const tale = startTale();
  create(tale);
  const before = tale.at('posts/hello');
  tale.push('posts/hello', { theirs: 1 });
  const recorded = tale.write({ kind: 'update', ...HELLO, to: 'hullo' });
  const { updatedAt } = tale.at('posts/hullo').doc;
  const shown = { ...before.doc, slug: 'hullo', updatedAt };
  recorded.operation.outcome = { kind: 'ok', blob: blobOf(shown), commit: 'before the push' };
  tale.read({ kind: 'get', collection: 'posts', slug: 'hullo' }, [
    { place: 'posts/hullo', doc: shown, blob: blobOf(shown) },
  ]);
  assert.equal(broken(tale), []);
});

test('bytes that no commit has, of a document with an external change, are checked key by key', () => {
  const tale = startTale();
  create(tale);
  tale.push('posts/hello', { theirs: 1 });
  patch(tale, { ours: 1 }, { invokedAtMs: 5000 });
  const { doc } = tale.at('posts/hello');
  const { theirs: _, ...rest } = doc.data;
  const seen = { place: 'posts/hello', blob: 'unknown', doc: { ...doc, data: rest } };
  const outcome = { kind: 'ok' as const, seen: [seen] };
  // The service may not have read the push yet.
  const read = tale.attempt({ kind: 'get', ...HELLO }, outcome, { invokedAtMs: 100, completedAtMs: 5001 });
  assert.equal(broken(tale), []);
  Object.assign(read, { invokedAtMs: 5010, completedAtMs: 5020 });
  assert.equal(broken(tale), ['wrong-answer']);
  seen.doc.data = doc.data;
  assert.equal(broken(tale), []);
  seen.doc.data = { ...doc.data, ours: 0 };
  assert.equal(broken(tale), ['wrong-answer']);
});

test('a push is seen within the lag', () => {
  const tale = startTale();
  create(tale);
  const old = tale.at('posts/hello');
  tale.push('posts/hello', { theirs: 1 });
  const [push] = tale.pushes;
  const read = tale.read({ kind: 'get', ...HELLO }, [old], { invokedAtMs: push!.doneAtMs + 999 });
  assert.equal(broken(tale), []);
  read.invokedAtMs = push!.doneAtMs + 1001;
  read.completedAtMs = read.invokedAtMs + 1;
  assert.equal(broken(tale), ['stale']);
  Object.assign(read, { invokedAtMs: push!.doneAtMs + 1, completedAtMs: push!.doneAtMs + 2 });
  assert.equal(broken(tale), []);
  push!.isServed = true;
  assert.equal(broken(tale), ['stale']);
});

test('late-in-git: a clone lacks what was answered more than the lag before', () => {
  const tale = startTale();
  const { commit } = create(tale);
  const { operation } = patch(tale, { a: 1 });
  const look = { head: commit.id, startedAtMs: operation.completedAtMs + 999, upSinceMs: 0 };
  tale.looks.push(look);
  assert.equal(broken(tale), []);
  look.startedAtMs += 2;
  assert.equal(broken(tale), ['late-in-git']);
  look.upSinceMs = operation.completedAtMs + 1;
  assert.equal(broken(tale), []);
  Object.assign(look, { upSinceMs: 0, startedAtMs: operation.completedAtMs + 1 });
  assert.equal(broken(tale), []);
  Object.assign(look, { isServed: true });
  assert.equal(broken(tale), ['late-in-git']);
  look.head = 'nowhere';
  assert.equal(broken(tale), ['late-in-git']);
});

test('feed: a change was not reported, reported twice, reported under another commit, or is not in the log', () => {
  const tale = startTale();
  create(tale);
  patch(tale, { a: 1 });
  tale.push('posts/theirs', { n: 1 });
  const entries = tale.commits.map(({ id, changeId, event, changes: [change] }) => ({
    commit: id,
    changeId: changeId || id,
    event,
    place: change!.place,
  }));
  const brokenBy = (feed: Tale['feed']) => broken({ ...tale, feed: feed! });
  assert.equal(brokenBy(entries), []);
  assert.equal(brokenBy(entries.slice(1)), ['feed']);
  assert.equal(brokenBy([...entries, entries[0]!]), ['feed']);
  assert.equal(brokenBy([...entries, { ...entries[0]!, changeId: 'another', commit: 'another' }]), ['feed']);
  assert.equal(brokenBy([{ ...entries[0]!, commit: 'old' }, ...entries.slice(1)]), ['feed']);
  assert.equal(brokenBy([{ ...entries[0]!, event: 'document.deleted' }, ...entries.slice(1)]), ['feed']);
  assert.equal(broken({ ...tale, feed: entries, forgotten: ['replayed since'] }), []);
  assert.equal(broken({ ...tale, feed: entries, forgotten: [entries[0]!.commit] }), ['feed']);
  // Reported before a push was put below it, and again afterwards.
  const old = { ...entries[1]!, commit: 'old' };
  assert.equal(brokenBy([entries[0]!, old, entries[2]!, { ...entries[1]!, replaces: 'old' }]), []);
});

test.run();
