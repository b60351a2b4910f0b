// Following the log, where something is in the way: a full disk, a commit that cannot be read, nobody who listens.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { LoggedCommit } from '../../src/history/commit-feed.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { followLog } from '../../src/outbox/follow.ts';
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
  const log = {
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
  const outbox = {
    isFull: false,
    /** Sizes of appends. */
    added: [] as number[],
    async add(added: readonly NewEntry[]) {
      if (outbox.isFull) throw new ServiceError('storage_full', 'the disk is full');
      outbox.added.push(added.length);
      entries.push(...added.map(({ id }) => id!));
    },
    async addWithMark(added: readonly NewEntry[], mark: { name: string; value: string }) {
      await outbox.add(added);
      marks.set(mark.name, mark.value);
    },
    noteMark: (mark: { name: string; value: string }) => void marks.set(mark.name, mark.value),
    mark: (name: string) => marks.get(name),
    /** Entries that may wait. */
    room: Number.POSITIVE_INFINITY,
    hasRoom: () => entries.length < outbox.room,
    async untilRoom(signal: AbortSignal) {
      while (!signal.aborted && !outbox.hasRoom()) await new Promise((resume) => setTimeout(resume, 1));
    },
  };
  return { log, outbox, entries, marks, warnings };
}

type World = ReturnType<typeof makeLog>;

function start({ log, outbox, warnings }: World) {
  return followLog({ log, outbox, warn: (message) => void warnings.push(message), retryMs: 5 });
}

const seenIn = ({ marks }: World): string | undefined => marks.get('log')?.split(' ')[0];

const entryOf = ({ commit }: LoggedCommit): NewEntry => ({ id: commit, topic: 't', key: 'k', payload: {} });

test('a full disk is waited for, and then everything is there, in order', async () => {
  const world = makeLog();
  const follower = start(world);
  follower.listen({ isListening: () => true, entriesOf: async (commit) => [entryOf(commit)] });
  await eventually(() => assert.is(world.marks.get('log'), 'beginning'), 2000);
  world.outbox.isFull = true;
  world.log.grow('c1', 'c2');
  await eventually(() => assert.is(world.warnings.length, 1), 2000);
  world.log.grow('c3');
  world.outbox.isFull = false;
  await eventually(() => assert.equal(world.entries, ['c1', 'c2', 'c3']), 2000);
  assert.is(seenIn(world), 'c3');
  assert.is(world.warnings.length, 1);
  await follower.close();
});

test('a commit that cannot be read is tried again, and one day left out, so that the others go on', async () => {
  const world = makeLog();
  const follower = start(world);
  let tries = 0;
  follower.listen({
    isListening: () => true,
    async entriesOf(commit) {
      if (commit.commit !== 'c2') return [entryOf(commit)];
      tries++;
      throw new Error('an object is missing');
    },
  });
  await eventually(() => assert.ok(world.marks.get('log')), 2000);
  world.log.grow('c1', 'c2', 'c3');
  await eventually(() => assert.equal(world.entries, ['c1', 'c3']), 5000);
  assert.is(tries, 5);
  assert.match(world.warnings.at(-1) ?? '', /c2/);
  await follower.close();
});

test('while nobody listens nothing is read, and whoever begins to hears what comes from then on', async () => {
  const world = makeLog();
  world.marks.set('log', 'c1');
  let isListening = false;
  const follower = start(world);
  follower.listen({ isListening: () => isListening, entriesOf: async (commit) => [entryOf(commit)] });
  world.log.grow('c1', 'c2');
  await eventually(() => assert.is(world.marks.get('log'), ''), 2000);
  assert.is(world.log.reads, 0);
  isListening = true;
  await follower.refresh();
  // At once: a crash right behind the answer to whoever set a webhook forgets none of what follows.
  assert.is(seenIn(world), 'c2');
  world.log.grow('c3');
  await eventually(() => assert.equal(world.entries, ['c3']), 2000);
  isListening = false;
  await follower.refresh();
  await eventually(() => assert.is(world.marks.get('log'), ''), 2000);
  await follower.close();
});

test('several who listen each get their entries of a commit together', async () => {
  const world = makeLog();
  const follower = start(world);
  for (const name of ['a', 'b']) {
    follower.listen({
      isListening: () => true,
      entriesOf: async (commit) => [{ ...entryOf(commit), id: `${name} ${commit.commit}` }],
    });
  }
  await eventually(() => assert.ok(world.marks.get('log')), 2000);
  world.log.grow('c1');
  await eventually(() => assert.equal(world.entries, ['a c1', 'b c1']), 2000);
  await follower.close();
});

test('a commit of very many documents is written down piece by piece, and the mark moves with the last', async () => {
  const world = makeLog();
  const follower = start(world);
  follower.listen({
    isListening: () => true,
    entriesOf: async (commit) => Array.from({ length: 1201 }, (_, i) => ({ ...entryOf(commit), id: `${i}` })),
  });
  await eventually(() => assert.ok(world.marks.get('log')), 2000);
  world.log.grow('c1');
  await eventually(() => assert.is(seenIn(world), 'c1'), 2000);
  assert.equal(world.outbox.added, [0, 500, 500, 201]);
  assert.is(world.entries.length, 1201);
  await follower.close();
});

test('entries that are found while others are written are in the next append', async () => {
  const world = makeLog();
  const add = world.outbox.add;
  // Both take turns of the event loop, and not the same number of them.
  world.outbox.add = async (added) => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resume) => setImmediate(resume));
    await add(added);
  };
  const follower = start(world);
  follower.listen({
    isListening: () => true,
    async entriesOf(commit) {
      for (let turn = Number(commit.commit.slice(1)) % 4; turn > 0; turn--) {
        await new Promise((resume) => setImmediate(resume));
      }
      return [entryOf(commit)];
    },
  });
  await eventually(() => assert.ok(world.marks.get('log')), 2000);
  const commits = Array.from({ length: 500 }, (_, i) => `c${i}`);
  world.log.grow(...commits);
  await eventually(() => assert.is(seenIn(world), 'c499'), 5000);
  assert.equal(world.entries, commits);
  await follower.close();
});

test('a mark that the log does not have goes back to an older commit that it has, and never on to the newest', async () => {
  const world = makeLog();
  world.log.grow('c1', 'c2', 'c3', 'c4');
  world.marks.set('log', 'lost2 lost1 c2 c1');
  const follower = start(world);
  follower.listen({ isListening: () => true, entriesOf: async (commit) => [entryOf(commit)] });
  await eventually(() => assert.equal(world.entries, ['c3', 'c4']), 2000);
  assert.match(world.warnings[0] ?? '', /lost2.*c2/);
  await follower.close();
});

test('a mark of another log altogether tells all of this one', async () => {
  const world = makeLog();
  world.log.grow('c1', 'c2');
  world.marks.set('log', 'lost2 lost1');
  const follower = start(world);
  follower.listen({ isListening: () => true, entriesOf: async (commit) => [entryOf(commit)] });
  await eventually(() => assert.equal(world.entries, ['c1', 'c2']), 2000);
  await follower.close();
});

test('while there is no room the log is not read, and it goes on by itself', async () => {
  const world = makeLog();
  world.outbox.room = 2;
  const follower = start(world);
  follower.listen({ isListening: () => true, entriesOf: async (commit) => [entryOf(commit)] });
  await eventually(() => assert.ok(world.marks.get('log')), 2000);
  world.log.grow('c1', 'c2', 'c3', 'c4', 'c5');
  await eventually(() => assert.ok(follower.isWaiting()), 2000);
  assert.equal(world.entries, ['c1', 'c2']);
  assert.is(seenIn(world), 'c2');
  world.outbox.room = 4;
  await eventually(() => assert.is(world.entries.length, 4), 2000);
  await eventually(() => assert.ok(follower.isWaiting()), 2000);
  world.outbox.room = 10;
  await eventually(() => assert.equal(world.entries, ['c1', 'c2', 'c3', 'c4', 'c5']), 2000);
  assert.not.ok(follower.isWaiting());
  world.outbox.room = 0;
  world.log.grow('c6');
  await eventually(() => assert.ok(follower.isWaiting()), 2000);
  await follower.close();
});

test.run();
