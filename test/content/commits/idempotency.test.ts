// Keys of creations: what is remembered, for how long, and what a start recovers from the log.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createIdempotencyKeys,
  type RememberedAnswer,
  toRequestKey,
  toTrailer,
} from '../../../src/content/commits/idempotency.ts';
import { KeyRecords } from '../../../src/content/commits/key-records.ts';
import { type RecentCommit, rememberRecentKeys } from '../../../src/content/commits/recent-keys.ts';
import { createDecisions } from '../../../src/lib/queues/decisions.ts';
import { encodeCommit, oidOf, parseCommit, replantCommit } from '../../../src/store/git/objects.ts';
import { refusal } from '../world.ts';

const DAY_MS = 24 * 3600_000;
const NOW = Date.parse('2026-01-10T00:00:00.000Z');
/** A clock other than the system clock. */
const ELAPSED_MS = 123_000;
const BLOB = 'b'.repeat(40);

const ANSWER: RememberedAnswer = { blob: BLOB, commit: 'c'.repeat(40) };
const keyOf = (scope: string, bodyDigest = 'd') => toRequestKey({ scope, bodyDigest });

/** The remembered blob, or the outcome if no blob is remembered. */
function blobOf(found: RememberedAnswer | 'unsure' | undefined): string | undefined {
  return typeof found === 'object' ? found.blob : found;
}

test('a new key runs, and other requests with it are refused until it is done', () => {
  const keys = createIdempotencyKeys(createDecisions());
  const [key, other] = [keyOf('s'), keyOf('s', 'other')];
  assert.is(keys.begin(key, NOW), undefined);
  assert.is(refusal(() => keys.begin(key, NOW)).code, 'in_progress');
  assert.is(refusal(() => keys.begin(other, NOW)).code, 'idempotency_mismatch');
  assert.is(keys.begin(keyOf('another scope'), NOW), undefined);
  keys.remember(key, ANSWER, NOW);
  assert.is(blobOf(keys.begin(key, NOW)), BLOB);
  assert.is(refusal(() => keys.begin(other, NOW)).code, 'idempotency_mismatch');
});

test('a key whose request failed can be used again', () => {
  const keys = createIdempotencyKeys(createDecisions());
  keys.begin(keyOf('s'), NOW);
  keys.release(keyOf('s'));
  assert.is(keys.begin(keyOf('s', 'other'), NOW), undefined);
});

test('a key is forgotten after 24 hours', () => {
  const keys = createIdempotencyKeys(createDecisions());
  keys.remember(keyOf('s'), ANSWER, NOW);
  assert.ok(keys.begin(keyOf('s'), NOW + DAY_MS - 1));
  assert.is(keys.begin(keyOf('s', 'other'), NOW + DAY_MS), undefined);
});

test('a key takes some hundred bytes, and beyond a certain number only a trace, for which the log is read', () => {
  const records = new KeyRecords(1000);
  const keys = createIdempotencyKeys(createDecisions(), records);
  const remember = (from: number, count: number): void => {
    for (let n = from; n < from + count; n++) keys.remember(keyOf(`k${n}`), ANSWER, NOW);
  };
  remember(0, 4000);
  const fullBytes = records.sizeBytes;
  assert.ok(fullBytes < 4000 * 150, `${fullBytes} bytes`);
  assert.is(blobOf(keys.begin(keyOf('k0'), NOW)), BLOB);
  remember(4000, 6000);
  assert.ok(records.sizeBytes - fullBytes < 6000 * 40, `${records.sizeBytes - fullBytes} bytes more`);
  assert.is(keys.begin(keyOf('k0'), NOW), 'unsure');
  assert.is(refusal(() => keys.begin(keyOf('k0'), NOW)).code, 'in_progress');
  assert.is(blobOf(keys.begin(keyOf('k9999'), NOW)), BLOB);
  assert.is(keys.begin(keyOf('new'), NOW), undefined);
  keys.release(keyOf('k0'));
  assert.is(keys.begin(keyOf('k0'), NOW + DAY_MS), undefined);
  assert.is(records.sizeBytes, 0);
});

test('the newest answer of a scope counts, whether it was given or recalled', () => {
  const keys = createIdempotencyKeys(createDecisions(), new KeyRecords(2));
  const newer = { ...ANSWER, blob: 'e'.repeat(40) };
  for (const name of ['a', 'b', 'c']) keys.recall(keyOf(name), newer, NOW - 1000);
  for (const name of ['c', 'b', 'a', 'd']) keys.recall(keyOf(name), ANSWER, NOW - 2000);
  for (const name of ['a', 'b', 'c']) assert.is(blobOf(keys.begin(keyOf(name), NOW)), newer.blob, name);
  assert.is(blobOf(keys.begin(keyOf('d'), NOW)), BLOB);
  keys.remember(keyOf('d'), newer, NOW);
  assert.is(blobOf(keys.begin(keyOf('d'), NOW)), newer.blob);
  for (let n = 0; n < 20; n++) keys.recall(keyOf(`older${n}`), ANSWER, NOW - 3000);
  assert.is(keys.begin(keyOf('older19'), NOW), 'unsure');
});

interface Made extends RecentCommit {
  oid: string;
}

const ADA = { name: 'Ada', email: 'ada@example.com' };
const GRACE = { name: 'Grace', email: 'grace@example.org' };

function commitOf(parents: string[], atMs: number, key?: string, authoredAtMs = atMs, committer = ADA): Made {
  const body = encodeCommit({
    tree: 'a'.repeat(40),
    parents,
    author: ADA,
    committer,
    authoredAt: authoredAtMs / 1000,
    committedAt: atMs / 1000,
    message: `posts/a: create\n\nEvent: document.created\n${key ? `Idempotency-Key: ${key}\n` : ''}Change-Id: x\n`,
  });
  return { oid: oidOf('commit', body), body };
}

const isOwn = (_: string, body: Buffer): boolean => parseCommit(body).committer.name === ADA.name;

async function remembered(commits: Made[], head: Made, recovered: RecentCommit[] = []) {
  const keys = createIdempotencyKeys(createDecisions());
  const bodies = new Map(commits.map(({ oid, body }) => [oid, body]));
  const read = (oid: string): Buffer => {
    const body = bodies.get(oid);
    if (!body) throw new Error(`commit ${oid} was not to be read`);
    return body;
  };
  const parts = { head: head.oid, isOwn, read, recovered, now: new Date(NOW) };
  await rememberRecentKeys(keys, parts, ELAPSED_MS);
  return (scope: string) => {
    const found = keys.begin(keyOf(scope), ELAPSED_MS);
    keys.release(keyOf(scope));
    return found === 'unsure' ? undefined : found;
  };
}

test('a start reads the keys of the last day, and not many commits that are older', async () => {
  const gone = 'f'.repeat(40);
  let old = commitOf([gone], NOW - DAY_MS - 60_000, toTrailer(keyOf('old'), BLOB));
  const olds = [old];
  for (let n = 1; n <= 5000; n++) olds.push((old = commitOf([old.oid], NOW - DAY_MS - 60_000 + n)));
  const first = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('first'), BLOB));
  const plain = commitOf([first.oid], NOW - 1800_000);
  const begin = await remembered([...olds, first, plain], plain);
  const found = begin('first');
  assert.is(found?.blob, BLOB);
  assert.is(found?.commit, first.oid);
  assert.is(begin('old'), undefined);
});

test('a merge, and a commit with an old author date, do not hide keys', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const ours = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('ours'), BLOB));
  const theirs = commitOf([old.oid], NOW - 1800_000, undefined, NOW - 9 * DAY_MS);
  const merge = commitOf([theirs.oid, ours.oid], NOW - 60_000, undefined, NOW - 9 * DAY_MS);
  const begin = await remembered([old, ours, theirs, merge], merge);
  assert.is(begin('ours')?.commit, ours.oid);
});

test('an external commit with an old date on top of ours does not hide keys', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const ours = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('ours'), BLOB));
  const theirs = commitOf([ours.oid], NOW - 9 * DAY_MS, undefined, NOW - 9 * DAY_MS, GRACE);
  const begin = await remembered([old, ours, theirs], theirs);
  assert.is(begin('ours')?.commit, ours.oid);
});

test('our commits whose clock was behind do not hide younger ones below them', async () => {
  const first = commitOf([], NOW - 3600_000, toTrailer(keyOf('first'), BLOB));
  const back = commitOf([first.oid], NOW - 3 * DAY_MS);
  const now = commitOf([back.oid], NOW - 1000);
  const begin = await remembered([first, back, now], now);
  assert.is(begin('first')?.commit, first.oid);
});

test('a commit whose clock was behind is no older than a commit of ours below it', async () => {
  const first = commitOf([], NOW - 3600_000);
  const back = commitOf([first.oid], NOW - 2 * DAY_MS, toTrailer(keyOf('back'), BLOB));
  const waiting = commitOf([back.oid], NOW - 2 * DAY_MS, toTrailer(keyOf('waiting'), BLOB));
  const begin = await remembered([first, back], back, [waiting]);
  assert.equal([begin('back')?.commit, begin('waiting')?.commit], [back.oid, waiting.oid]);
});

test('an old key stays forgotten beside a younger line, above a commit dated ahead and above an external commit', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS, toTrailer(keyOf('old'), BLOB));
  const ours = commitOf([], NOW - 3600_000);
  const merge = commitOf([old.oid, ours.oid], NOW - 60_000, undefined, NOW - 60_000, GRACE);
  assert.is((await remembered([old, ours, merge], merge))('old'), undefined);
  const ahead = commitOf([], NOW + DAY_MS);
  const theirs = commitOf([ahead.oid], NOW - 60_000, undefined, NOW - 60_000, GRACE);
  const above = commitOf([theirs.oid], NOW - 2 * DAY_MS, toTrailer(keyOf('old'), BLOB));
  assert.is((await remembered([ahead, theirs, above], above))('old'), undefined);
});

test('a commit whose clock was ahead is remembered for no longer than a day', async () => {
  const ahead = commitOf([], NOW + 365 * DAY_MS, toTrailer(keyOf('ahead'), BLOB));
  const keys = createIdempotencyKeys(createDecisions());
  const read = () => ahead.body;
  const parts = { head: ahead.oid, isOwn, read, recovered: [], now: new Date(NOW) };
  await rememberRecentKeys(keys, parts, ELAPSED_MS);
  assert.is(blobOf(keys.begin(keyOf('ahead'), ELAPSED_MS)), BLOB);
  assert.is(keys.begin(keyOf('ahead'), ELAPSED_MS + DAY_MS), undefined);
});

test('a replayed change is remembered as the commit that was answered', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const made = commitOf([old.oid], NOW - 1000, toTrailer(keyOf('made'), BLOB));
  const theirs = commitOf([old.oid], NOW - 500, undefined, NOW - 500, GRACE);
  const replaced = { commit: made.oid, base: old.oid };
  const body = replantCommit(made.body, 'a'.repeat(40), theirs.oid, replaced);
  const now = { oid: oidOf('commit', body), body };
  const begin = await remembered([old, theirs, now], now);
  assert.is(begin('made')?.commit, made.oid);
});

test('a key in an external commit is not an answer', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const theirs = commitOf([old.oid], NOW - 1000, toTrailer(keyOf('theirs'), BLOB), NOW - 1000, GRACE);
  const begin = await remembered([old, theirs], theirs);
  assert.is(begin('theirs'), undefined);
});

test('what a crash left in the write-ahead log is remembered', async () => {
  const head = commitOf([], NOW - DAY_MS * 2);
  const commit = commitOf([head.oid], NOW - 1000, toTrailer(keyOf('lost'), BLOB));
  const begin = await remembered([head], head, [{ body: commit.body }]);
  assert.equal([begin('lost')?.blob, begin('lost')?.commit], [BLOB, commit.oid]);
});

test.run();
