// Following the log under difficulties: a full disk, a commit that cannot be read, no targets.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { LoggedCommit } from '../../src/history/feed/logged-commit.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { followLog, type LogFollower, type LogListener } from '../../src/outbox/follow-log.ts';
import type { Mark } from '../../src/outbox/marks.ts';
import type { NewEntry } from '../../src/outbox/outbox.ts';
import { eventually } from '../support/process.ts';

/** A log of commits `c1`, `c2`, ... that grows, and an outbox in memory. */
function makeLog() {
  const commits: string[] = [];
  const wakes = new Set<() => void>();
  const marks = new Map<string, string>();
  const entries: string[] = [];
  const warnings: string[] = [];
  let reads = 0;
  const feed = {
    grow(...more: string[]) {
      commits.push(...more);
      for (const wake of wakes) wake();
    },
    newest: async () => commits.slice(-1),
    async commits(since: readonly string[], signal: AbortSignal) {
      const [newest] = since;
      const known = since.find((commit) => commits.includes(commit)) ?? null;
      const from = known === null ? 0 : commits.indexOf(known) + 1;
      return {
        commits: follow(from, signal),
        ...(newest !== undefined && newest !== known && { lost: { base: known } }),
      };
    },
    get reads() {
      return reads;
    },
  };
  async function* follow(from: number, signal: AbortSignal): AsyncGenerator<LoggedCommit> {
    let next = from;
    let wake: () => void = () => undefined;
    const onWake = (): void => wake();
    wakes.add(onWake);
    signal.addEventListener('abort', onWake);
    try {
      while (!signal.aborted) {
        if (next < commits.length) {
          reads++;
          const commit = commits[next++]!;
          yield { commit, cursor: [commit, ...commits.slice(0, next - 1).reverse()] } as unknown as LoggedCommit;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      wakes.delete(onWake);
    }
  }
  const over: (() => void)[] = [];
  const outbox = {
    isFull: false,
    /** Number of entries of each append. */
    added: [] as number[],
    async addFromLog(added: readonly NewEntry[], ...moved: readonly Mark[]) {
      if (outbox.isFull) throw new ServiceError('storage_full', 'the disk is full');
      outbox.added.push(added.length);
      entries.push(...added.map(({ id }) => id!));
      for (const { target } of added) outbox.waiting.set(target!, (outbox.waiting.get(target!) ?? 0) + 1);
      for (const mark of moved) outbox.noteMark(mark);
    },
    noteMark({ name, value }: Mark) {
      if (value === '') marks.delete(name);
      else marks.set(name, value);
    },
    mark: (name: string) => marks.get(name),
    markNames: () => [...marks.keys()],
    /** How many entries may wait. */
    room: Number.POSITIVE_INFINITY,
    /** By target. */
    waiting: new Map<string, number>(),
    fillOf: (_: string, target: string) => (outbox.waiting.get(target) ?? 0) / outbox.room,
    fillOfTopic: () => outbox.waiting.values().reduce((sum, count) => sum + count, 0) / outbox.room,
    onOver: (listener: () => void) => void over.push(listener),
    /** Finishes so many entries of a target. */
    finish(target: string, count: number) {
      outbox.waiting.set(target, outbox.waiting.get(target)! - count);
      for (const listener of over) listener();
    },
  };
  return { feed, outbox, entries, marks, warnings };
}

type World = ReturnType<typeof makeLog>;

function start({ feed, outbox, warnings }: World) {
  return followLog({ feed, outbox, warn: (message) => void warnings.push(message), retryMs: 5 });
}

const MARK = 'log t one';

const seenIn = ({ marks }: World, mark = MARK): string | undefined => marks.get(mark)?.split(' ')[0];

const entryOf = ({ commit }: LoggedCommit, target = 'one'): NewEntry => ({
  ...{ id: target === 'one' ? commit : `${target} ${commit}`, topic: 't', key: 'k', target, payload: {} },
});

/** One entry for each commit and target. */
function listener(targets: () => string[] = () => ['one']): LogListener {
  return { topic: 't', targets, entriesOf: async (target, commit) => [entryOf(commit, target)] };
}

const isWaiting = (follower: LogFollower, name = 'one'): boolean | undefined =>
  follower.targets().find(({ target }) => target === name)?.isWaiting;

test('while the disk is full the follower waits, and then adds every entry in order', async () => {
  const world = makeLog();
  const follower = start(world);
  follower.listen(listener());
  await eventually(() => assert.is(world.marks.get(MARK), 'beginning'), 2000);
  world.outbox.isFull = true;
  world.feed.grow('c1', 'c2');
  await eventually(() => assert.is(world.warnings.length, 1), 2000);
  world.feed.grow('c3');
  world.outbox.isFull = false;
  await eventually(() => assert.equal(world.entries, ['c1', 'c2', 'c3']), 2000);
  assert.is(seenIn(world), 'c3');
  assert.is(world.warnings.length, 1);
  await follower.close();
});

test('a commit that cannot be read is retried, and skipped in the end, so that later ones follow', async () => {
  const world = makeLog();
  const follower = start(world);
  let tries = 0;
  follower.listen({
    ...listener(),
    async entriesOf(_, commit) {
      if (commit.commit !== 'c2') return [entryOf(commit)];
      tries++;
      throw new Error('an object is missing');
    },
  });
  await eventually(() => assert.ok(world.marks.get(MARK)), 2000);
  world.feed.grow('c1', 'c2', 'c3');
  await eventually(() => assert.equal(world.entries, ['c1', 'c3']), 5000);
  assert.is(tries, 5);
  assert.match(world.warnings.at(-1) ?? '', /c2/);
  await follower.close();
});

test('without a target nothing is read, and a new target is notified of the commits from then on', async () => {
  const world = makeLog();
  world.marks.set(MARK, 'c1');
  let isListening = false;
  const follower = start(world);
  follower.listen(listener(() => (isListening ? ['one'] : [])));
  world.feed.grow('c1', 'c2');
  await eventually(() => assert.is(world.marks.get(MARK), undefined), 2000);
  assert.is(world.feed.reads, 0);
  isListening = true;
  await follower.refresh();
  // At once: a crash right after the answer to a user who added a webhook loses no later commit.
  assert.is(seenIn(world), 'c2');
  world.feed.grow('c3');
  await eventually(() => assert.equal(world.entries, ['c3']), 2000);
  isListening = false;
  await follower.refresh();
  await eventually(() => assert.is(world.marks.get(MARK), undefined), 2000);
  await follower.close();
});

test('each target of each listener has its own entries and its own mark', async () => {
  const world = makeLog();
  const follower = start(world);
  follower.listen(listener(() => ['a', 'b']));
  follower.listen({ ...listener(() => ['a']), topic: 'other' });
  const names = ['log t a', 'log t b', 'log other a'];
  await eventually(() => assert.ok(names.every((name) => world.marks.has(name))), 2000);
  world.feed.grow('c1');
  await eventually(() => assert.equal(world.entries.toSorted(), ['a c1', 'a c1', 'b c1']), 2000);
  await eventually(() => assert.ok(names.every((name) => seenIn(world, name) === 'c1')), 2000);
  await follower.close();
});

test('the entries of a very large commit are added in several appends, and the mark moves with the last', async () => {
  const world = makeLog();
  const follower = start(world);
  follower.listen({
    ...listener(),
    entriesOf: async (_, commit) => Array.from({ length: 1201 }, (_, i) => ({ ...entryOf(commit), id: `${i}` })),
  });
  await eventually(() => assert.ok(world.marks.get(MARK)), 2000);
  world.feed.grow('c1');
  await eventually(() => assert.is(seenIn(world), 'c1'), 2000);
  assert.equal(world.outbox.added, [0, 500, 500, 201]);
  assert.is(world.entries.length, 1201);
  await follower.close();
});

test('entries that are found while others are written go into the next append', async () => {
  const world = makeLog();
  const add = world.outbox.addFromLog;
  // Both need turns of the event loop, but not the same number.
  world.outbox.addFromLog = async (added, ...marks) => {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    await add(added, ...marks);
  };
  const follower = start(world);
  follower.listen({
    ...listener(),
    async entriesOf(_, commit) {
      for (let turn = Number(commit.commit.slice(1)) % 4; turn > 0; turn--) {
        await nextTurn();
      }
      return [entryOf(commit)];
    },
  });
  await eventually(() => assert.ok(world.marks.get(MARK)), 2000);
  const commits = Array.from({ length: 500 }, (_, i) => `c${i}`);
  world.feed.grow(...commits);
  await eventually(() => assert.is(seenIn(world), 'c499'), 5000);
  assert.equal(world.entries, commits);
  await follower.close();
});

test('if the log lost the commit of a mark, the reader resumes at an older one and skips nothing', async () => {
  const world = makeLog();
  world.feed.grow('c1', 'c2', 'c3', 'c4');
  world.marks.set(MARK, 'lost2 lost1 c2 c1');
  const follower = start(world);
  follower.listen(listener());
  await eventually(() => assert.equal(world.entries, ['c3', 'c4']), 2000);
  assert.match(world.warnings[0] ?? '', /lost2.*c2/);
  await follower.close();
});

test('if the log has no commit of a mark, the whole log is reported', async () => {
  const world = makeLog();
  world.feed.grow('c1', 'c2');
  world.marks.set(MARK, 'lost2 lost1');
  const follower = start(world);
  follower.listen(listener());
  await eventually(() => assert.equal(world.entries, ['c1', 'c2']), 2000);
  await follower.close();
});

test('the log is not read for a target that has no room, and reading resumes by itself', async () => {
  const world = makeLog();
  world.outbox.room = 4;
  const follower = start(world);
  follower.listen(listener(() => ['one', 'dead']));
  await eventually(() => assert.ok(world.marks.has(MARK) && world.marks.has('log t dead')), 2000);
  world.feed.grow('c1');
  await eventually(() => assert.is(world.entries.length, 2), 2000);
  world.outbox.finish('one', 1);
  // The share of each is half of the room.
  world.feed.grow('c2', 'c3', 'c4');
  await eventually(() => assert.ok(isWaiting(follower) && isWaiting(follower, 'dead')), 2000);
  assert.equal(world.entries.toSorted(), ['c1', 'c2', 'c3', 'dead c1', 'dead c2']);
  world.outbox.finish('one', 2);
  await eventually(() => assert.is(seenIn(world), 'c4'), 2000);
  assert.not.ok(isWaiting(follower));
  assert.ok(isWaiting(follower, 'dead'));
  assert.is(seenIn(world, 'log t dead'), 'c2');
  world.outbox.finish('dead', 2);
  await eventually(() => assert.is(seenIn(world, 'log t dead'), 'c4'), 2000);
  assert.is(world.entries.length, 8);
  world.outbox.room = 0.01;
  world.feed.grow('c5');
  await eventually(() => assert.ok(isWaiting(follower)), 2000);
  await follower.close();
});

test('dead targets that appear one after another are bounded in total, and each new one gets some room', async () => {
  const world = makeLog();
  world.outbox.room = 1000;
  const dead: string[] = [];
  const follower = start(world);
  follower.listen(listener(() => dead));
  for (let number = 1; number <= 12; number++) {
    dead.push(`dead-${number}`);
    await follower.refresh();
    world.feed.grow(...Array.from({ length: 1100 }, (_, i) => `c${number}-${i}`));
    await eventually(() => assert.ok(isWaiting(follower, `dead-${number}`)), 10_000);
    assert.ok(world.outbox.waiting.get(`dead-${number}`)! > 0);
  }
  assert.ok(world.outbox.fillOfTopic() < 1.8, String(world.outbox.fillOfTopic()));
  await follower.close();
});

test('a target can be removed and added again while the disk is full, or while too much waits for it', async () => {
  for (const [isFull, room] of [
    [true, Number.POSITIVE_INFINITY],
    [false, 1],
  ] as const) {
    const world = makeLog();
    let targets = ['one'];
    const follower = start(world);
    follower.listen(listener(() => targets));
    await eventually(() => assert.ok(world.marks.has(MARK)), 2000);
    Object.assign(world.outbox, { isFull, room });
    world.feed.grow('c1', 'c2');
    await eventually(() => assert.is(world.warnings.length, 1), 2000);
    targets = [];
    await follower.refresh();
    assert.equal([...world.marks.keys()], []);
    world.outbox.isFull = false;
    targets = ['one'];
    await follower.refresh();
    assert.is(seenIn(world), 'c2');
    await follower.close();
  }
});

test('a warning that too much waits for a target appears once, and again after the target had room', async () => {
  const world = makeLog();
  world.outbox.room = 4;
  const follower = start(world);
  follower.listen(listener());
  await eventually(() => assert.ok(world.marks.has(MARK)), 2000);
  world.feed.grow(...Array.from({ length: 12 }, (_, i) => `c${i}`));
  for (let count = 4; count < 8; count++) {
    await eventually(() => assert.ok(isWaiting(follower) && world.entries.length === count), 2000);
    assert.equal(world.warnings.length, 1);
    world.outbox.finish('one', 1);
  }
  await eventually(() => assert.ok(isWaiting(follower) && world.entries.length === 8), 2000);
  world.outbox.finish('one', 3);
  await eventually(() => assert.ok(isWaiting(follower) && world.entries.length === 11), 2000);
  assert.equal(world.warnings.length, 2);
  await follower.close();
});

test('a commit with more entries than may wait is added piece by piece, as room allows', async () => {
  const world = makeLog();
  world.outbox.room = 600;
  const follower = start(world);
  follower.listen({
    ...listener(),
    entriesOf: async (_, commit) => Array.from({ length: 1700 }, (_, i) => ({ ...entryOf(commit), id: `${i}` })),
  });
  await eventually(() => assert.ok(world.marks.has(MARK)), 2000);
  world.feed.grow('c1');
  await eventually(() => assert.ok(isWaiting(follower)), 2000);
  assert.is(world.entries.length, 1000);
  assert.is(seenIn(world), 'beginning');
  world.outbox.finish('one', 1000);
  await eventually(() => assert.is(seenIn(world), 'c1'), 2000);
  assert.is(world.entries.length, 1700);
  await follower.close();
});

test('the one mark of an earlier version becomes the mark of each present target, but not of later ones', async () => {
  const world = makeLog();
  world.feed.grow('c1', 'c2', 'c3', 'c4');
  world.marks.set('log', 'c2 c1');
  // As if a power cut had torn the append that splits the marks: this mark has moved on since.
  world.marks.set('log t ahead', 'c3 c2 c1');
  let targets = ['one', 'ahead'];
  const follower = start(world);
  follower.listen(listener(() => targets));
  await eventually(() => assert.equal(world.entries.toSorted(), ['ahead c4', 'c3', 'c4']), 2000);
  assert.equal([...world.marks.keys()].toSorted(), ['log t ahead', 'log t one']);
  targets = ['one', 'new'];
  await follower.refresh();
  assert.equal([...world.marks.keys()].toSorted(), ['log t new', 'log t one']);
  world.feed.grow('c5');
  await eventually(() => assert.ok(world.entries.includes('new c5')), 2000);
  assert.not.ok(world.entries.includes('new c4'));
  await follower.close();
});

test.run();
