// Keys of creations: what is remembered, for how long, and what a start brings back from the log.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createIdempotencyKeys,
  type RememberedAnswer,
  toRequestKey,
  toTrailer,
} from '../../src/content/idempotency.ts';
import { type RecentCommit, rememberRecentKeys } from '../../src/content/recent-keys.ts';
import { createDecisions } from '../../src/lib/decisions.ts';
import { encodeCommit, oidOf, parseCommit } from '../../src/store/objects.ts';
import { refusal } from './world.ts';

const DAY_MS = 24 * 3600_000;
const NOW = Date.parse('2026-01-10T00:00:00.000Z');
const BLOB = 'b'.repeat(40);

function answer(change: Partial<RememberedAnswer> = {}): RememberedAnswer {
  return { blob: BLOB, commit: 'c', atMs: NOW, ...change };
}

test('a new key runs, and is refused to others until it is done', () => {
  const keys = createIdempotencyKeys(createDecisions());
  assert.is(keys.begin({ scope: 's', bodyDigest: 'd' }, NOW), undefined);
  assert.is(refusal(() => keys.begin({ scope: 's', bodyDigest: 'd' }, NOW)).code, 'in_progress');
  assert.is(refusal(() => keys.begin({ scope: 's', bodyDigest: 'other' }, NOW)).code, 'idempotency_mismatch');
  assert.is(keys.begin({ scope: 'another scope', bodyDigest: 'd' }, NOW), undefined);
  keys.remember({ scope: 's', bodyDigest: 'd' }, answer());
  assert.is(keys.begin({ scope: 's', bodyDigest: 'd' }, NOW)?.blob, BLOB);
  assert.is(refusal(() => keys.begin({ scope: 's', bodyDigest: 'other' }, NOW)).code, 'idempotency_mismatch');
});

test('a key whose request failed is as good as new', () => {
  const keys = createIdempotencyKeys(createDecisions());
  keys.begin({ scope: 's', bodyDigest: 'd' }, NOW);
  keys.release({ scope: 's', bodyDigest: 'd' });
  assert.is(keys.begin({ scope: 's', bodyDigest: 'other' }, NOW), undefined);
});

test('a key is forgotten after 24 hours', () => {
  const keys = createIdempotencyKeys(createDecisions());
  keys.remember({ scope: 's', bodyDigest: 'd' }, answer());
  assert.ok(keys.begin({ scope: 's', bodyDigest: 'd' }, NOW + DAY_MS - 1));
  assert.is(keys.begin({ scope: 's', bodyDigest: 'other' }, NOW + DAY_MS), undefined);
});

const keyOf = (scope: string) => toRequestKey({ scope, bodyDigest: 'd' });

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
  return { oid: oidOf('commit', body), body, files: [] };
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
  await rememberRecentKeys(keys, { head: head.oid, isOwn, read, recovered, now: new Date(NOW) });
  return (scope: string) => keys.begin(keyOf(scope), NOW);
}

test('a start reads the keys of the last day, and no commit that is older', async () => {
  const gone = 'f'.repeat(40);
  const old = commitOf([gone], NOW - DAY_MS - 60_000, toTrailer(keyOf('old'), BLOB));
  const first = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('first'), BLOB));
  const plain = commitOf([first.oid], NOW - 1800_000);
  const begin = await remembered([old, first, plain], plain);
  const found = begin('first');
  assert.is(found?.blob, BLOB);
  assert.is(found?.commit, first.oid);
  assert.is(found?.atMs, NOW - 3600_000);
  assert.is(begin('old'), undefined);
});

test('a merge, and a commit with an old author date, hide nothing', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const ours = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('ours'), BLOB));
  const theirs = commitOf([old.oid], NOW - 1800_000, undefined, NOW - 9 * DAY_MS);
  const merge = commitOf([theirs.oid, ours.oid], NOW - 60_000, undefined, NOW - 9 * DAY_MS);
  const begin = await remembered([old, ours, theirs, merge], merge);
  assert.is(begin('ours')?.commit, ours.oid);
});

test('somebody else’s commit with an old date on top of ours hides nothing', async () => {
  const gone = 'f'.repeat(40);
  const old = commitOf([gone], NOW - 2 * DAY_MS);
  const ours = commitOf([old.oid], NOW - 3600_000, toTrailer(keyOf('ours'), BLOB));
  const theirs = commitOf([ours.oid], NOW - 9 * DAY_MS, undefined, NOW - 9 * DAY_MS, GRACE);
  const begin = await remembered([old, ours, theirs], theirs);
  assert.is(begin('ours')?.commit, ours.oid);
});

test('a key that somebody else’s commit says is nobody’s answer', async () => {
  const old = commitOf([], NOW - 2 * DAY_MS);
  const theirs = commitOf([old.oid], NOW - 1000, toTrailer(keyOf('theirs'), BLOB), NOW - 1000, GRACE);
  const begin = await remembered([old, theirs], theirs);
  assert.is(begin('theirs'), undefined);
});

test('what a crash left in the write-ahead log is remembered with its document', async () => {
  const head = commitOf([], NOW - DAY_MS * 2);
  const file = Buffer.from(
    JSON.stringify({
      id: 'a1B2c3D4e5F6',
      slug: 'hello',
      collection: 'posts',
      status: 'draft',
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
      data: {},
      _fieldMeta: { title: { lockedBy: 'user' } },
    }),
  );
  const commit = commitOf([head.oid], NOW - 1000, toTrailer(keyOf('lost'), oidOf('blob', file)));
  const files = [
    { path: 'content/posts/source.json', content: Buffer.from('{}') },
    { path: 'content/posts/hello.json', content: file },
  ];
  const begin = await remembered([head], head, [{ body: commit.body, files }]);
  assert.is(JSON.parse(String(begin('lost')?.body)).slug, 'hello');
  assert.not.ok(String(begin('lost')?.body).includes('_fieldMeta'));
});

test.run();
