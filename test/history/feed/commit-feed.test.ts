// Commits one after another, for listeners, while external commits replace commits that are being read.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCommitFeed } from '../../../src/history/feed/commit-feed.ts';
import { createFeed } from '../../../src/history/feed/feed.ts';
import type { FeedParts } from '../../../src/history/feed/feed-parts.ts';
import type { LoggedCommit } from '../../../src/history/feed/logged-commit.ts';
import type { Follower } from '../../../src/history/following.ts';
import { LogIndex } from '../../../src/history/log-index.ts';
import { Replays } from '../../../src/history/replays.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';

const oid = (digit: string): string => digit.repeat(40);
const ID = 'Id0000000001';

/** A log of external commits; reading one takes until the test calls `release`. */
function makeLog(commits: readonly string[]) {
  const index = new LogIndex();
  const append = (commit: string): void => index.append(commit, [{ id: ID }]);
  commits.forEach(append);
  const followers = new Set<Follower>();
  let read: (() => void) | undefined;
  const person = { name: 'Grace', email: 'grace@example.com' };
  const following = {
    ready: async () => undefined,
    record: () => ({ tree: '', parents: [], author: person, date: '2026-01-02T00:00:00.000Z', own: undefined }),
    hasRecord: () => false,
    pushedBy: () => undefined,
    blobAfter: () => new Promise<undefined>((resolve) => (read = () => resolve(undefined))),
    follow(follower: Follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
  const parts = { index, replays: new Replays(), following, findAccount: () => undefined } as unknown as FeedParts;
  function cut(size: number): void {
    index.truncate(size);
    for (const { cut: notify } of followers) notify?.(size);
  }
  return {
    parts,
    cut,
    /** Puts an external commit on top of the commits that stay. */
    replace(size: number, commit: string) {
      cut(size);
      append(commit);
      for (const { grown } of followers) grown?.();
    },
    async release() {
      for (let turn = 0; turn < 20; turn++) {
        await nextTurn();
        read?.();
        read = undefined;
      }
    },
  };
}

test('a commit is reported even if those after it are replaced while it is being read', async () => {
  const log = makeLog([oid('a'), oid('b'), oid('c')]);
  const ending = new AbortController();
  const { commits } = await createCommitFeed(log.parts).commits([oid('a')], ending.signal);
  const received: LoggedCommit[] = [];
  const reading = (async () => {
    for await (const commit of commits) received.push(commit);
  })();
  await nextTurn();
  log.replace(2, oid('d'));
  await log.release();
  assert.equal(
    received.map(({ commit }) => commit),
    [oid('b'), oid('d')],
  );
  ending.abort();
  await reading;
});

test('a log that is cut while a reader pauses is not read past its end', async () => {
  const log = makeLog([oid('a'), oid('b'), oid('c')]);
  const ending = new AbortController();
  const { commits } = await createCommitFeed(log.parts).commits([oid('a')], ending.signal);
  const received: string[] = [];
  const reading = (async () => {
    for await (const { commit } of commits) {
      received.push(commit);
      if (commit !== oid('b')) continue;
      setImmediate(() => log.cut(2));
      // The next commit has to wait for its turn, which comes after the cut.
      for (const until = performance.now() + 20; performance.now() < until; );
    }
  })();
  await log.release();
  log.replace(2, oid('d'));
  await log.release();
  assert.equal(received, [oid('b'), oid('d')]);
  ending.abort();
  await reading;
});

test('a reader whose signal aborts just before it waits does not wait', async () => {
  const log = makeLog([oid('a')]);
  const ending = new AbortController();
  const { commits } = await createCommitFeed(log.parts).commits([oid('a')], ending.signal);
  let hasEnded = false;
  const reading = commits[Symbol.asyncIterator]().next();
  void reading.then(() => (hasEnded = true));
  // Between its look at the signal and its wait.
  ending.abort();
  await log.release();
  assert.ok(hasEnded);
});

test('a lost cursor goes back to the newest of its commits that the log still has', async () => {
  const log = makeLog([oid('a'), oid('b'), oid('c')]);
  const { commits } = createCommitFeed(log.parts);
  const { lost } = await commits([oid('f'), oid('e'), oid('b'), oid('a')], AbortSignal.abort());
  assert.equal(lost, { base: oid('b') });
  assert.equal((await commits([oid('f')], AbortSignal.abort())).lost, { base: null });
  assert.is((await commits([oid('c')], AbortSignal.abort())).lost, undefined);
});

test('a client continues after a commit that was replayed several times', async () => {
  const log = makeLog([oid('a'), oid('b'), oid('c')]);
  log.parts.replays.add(oid('1'), { now: oid('c'), base: oid('a') });
  log.parts.replays.add(oid('2'), { now: oid('c'), base: oid('b') });
  log.parts.replays.add(oid('3'), { now: oid('9'), base: oid('1') });
  const feed = createFeed(log.parts);
  const since = async (commit: string): Promise<string[]> => {
    const page = feed.changes({ since: commit, limit: 9 });
    await log.release();
    return (await page).changes.map((text) => JSON.parse(text).commit);
  };
  assert.equal(await since(oid('1')), [oid('b'), oid('c')]);
  assert.equal(await since(oid('2')), [oid('c')]);
  assert.equal(await since(oid('3')), [oid('b'), oid('c')]);
});

test('after very many replays only the newest are known, before and after saving', () => {
  const replays = new Replays(undefined, 100);
  const name = (n: number): string => n.toString(16).padStart(40, '0');
  for (let n = 1; n <= 1000; n++) replays.add(name(n), { now: name(5000 + n), base: n % 2 ? name(9999) : null });
  const loaded = new Replays(replays.save(), 100);
  for (const some of [replays, loaded]) {
    assert.ok(some.size <= 100);
    assert.equal(some.find(name(999)), { now: name(5999), base: name(9999) });
    assert.equal(some.find(name(1000)), { now: name(6000), base: null });
    assert.is(some.replacedBy(name(6000)), name(1000));
    assert.is(some.find(name(1)), undefined);
  }
});

test.run();
