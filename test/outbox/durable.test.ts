// An entry is on the disk before `add` resolves: its lines, the journal's name and its folder's. An entry that could
// not be synced is not acknowledged.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createJournal, type Journal } from '../../src/outbox/journal.ts';
import { toLine } from '../../src/outbox/journal-line.ts';
import { type WatchedDisk, watchDisk } from '../support/synced-disk.ts';
import { entry, makeOutbox, statesOf } from './world.ts';

async function makeRoot(): Promise<{ disk: WatchedDisk; folder: string } & Disposable> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'outbox-')));
  const disk = await watchDisk(root);
  return {
    disk,
    folder: path.join(root, 'deliveries'),
    [Symbol.dispose]() {
      disk[Symbol.dispose]();
      rmSync(root, { recursive: true });
    },
  };
}

function openJournal(folder: string, lost?: () => string | undefined): Journal {
  return createJournal({ folder, breathe: () => undefined, warn: (message) => assert.unreachable(message), lost });
}

async function recovered(journal: Journal): Promise<Journal> {
  for await (const _ of journal.recover());
  return journal;
}

test('entries and the name of their file are synced before they are acknowledged, however many are added', async () => {
  using place = await makeRoot();
  const { disk, folder } = place;
  await using world = await makeOutbox({ folder, silent: true });
  await world.box.add([entry('first')]);
  assert.equal(disk.unsynced(), []);
  const before = disk.syncs;
  await world.box.add([entry('second')]);
  assert.equal(disk.unsynced(), []);
  assert.is(disk.syncs, before + 1);
  // The last acknowledged line comes after all written ones: no others are on their way.
  await Promise.all(Array.from({ length: 20 }, (_, n) => world.box.add([entry(`n${n}`)])));
  assert.equal(disk.unsynced(), []);
  assert.ok(disk.syncs < before + 20, 'they share syncs');
});

test('a rewritten journal is synced before it gets its name, and its name before the rewrite is reported', async () => {
  using place = await makeRoot();
  const { disk, folder } = place;
  const journal = await recovered(openJournal(folder));
  const [kept] = await journal.append([toLine({ id: 'kept' }), toLine({ id: 'gone' })]);
  await journal.rewrite(() => ({
    keep: [{ place: kept!, followedBy: () => toLine({ id: 'behind' }) }],
    last: () => [toLine({ id: 'last' })],
    moved: () => {},
  }));
  assert.equal(disk.problems, []);
  assert.equal(disk.unsynced(), []);
  assert.is(
    readFileSync(path.join(folder, 'journal'), 'utf8')
      .match(/"id":"\w+"/g)
      ?.join(),
    '"id":"kept","id":"behind","id":"last"',
  );
  await journal.close();
});

test('once another process owns the folder, this one does not append, rewrite or truncate the journal', async () => {
  using place = await makeRoot();
  const { folder } = place;
  let why: string | undefined;
  const journal = await recovered(openJournal(folder, () => why));
  await journal.append([toLine({ id: 'ours' })]);
  journal.note(toLine({ id: 'noted' }));
  why = 'the lock is gone';
  const other = await recovered(openJournal(folder));
  await other.append([toLine({ id: 'theirs' })]);
  writeFileSync(path.join(folder, 'journal.tmp'), 'theirs');
  const before = readFileSync(path.join(folder, 'journal'), 'utf8');
  const work = [
    () => journal.append([toLine({ id: 'late' })]),
    () => journal.rewrite(() => ({ keep: [], last: () => [toLine({ id: 'anew' })], moved: () => {} })),
  ];
  for (const one of work) {
    const refused = await one().catch((error: { code: string }) => error);
    assert.is((refused as { code?: string } | undefined)?.code, 'unavailable');
  }
  await journal.close();
  assert.is(readFileSync(path.join(folder, 'journal'), 'utf8'), before);
  assert.is(readFileSync(path.join(folder, 'journal.tmp'), 'utf8'), 'theirs');
  await other.close();
});

test('notes are synced when the journal is closed, whether or not they were written before', async () => {
  for (const isWritten of [true, false]) {
    using place = await makeRoot();
    const { disk, folder } = place;
    const text = () => readFileSync(path.join(folder, 'journal'), 'utf8');
    const journal = await recovered(openJournal(folder));
    await journal.append([toLine({ id: 'a' })]);
    await delay(1);
    journal.note(toLine({ id: 'noted' }));
    while (isWritten && !text().includes('noted')) await delay(10);
    await journal.close();
    assert.equal(disk.unsynced(), [], isWritten ? 'written' : 'waiting');
    assert.match(text(), 'noted');
  }
});

test('lines that a killed process had written and not synced are synced before they count', async () => {
  using place = await makeRoot();
  const { disk, folder } = place;
  mkdirSync(folder);
  rmSync(path.join(folder, 'journal'), { force: true });
  writeFileSync(path.join(folder, 'journal'), toLine({ id: 'a' }));
  assert.equal(disk.unsynced(), ['.', 'deliveries', 'deliveries/journal']);
  const journal = await recovered(openJournal(folder));
  assert.equal(disk.unsynced(), ['.']);
  await journal.close();
});

test('an entry whose sync failed is not acknowledged, listed or delivered, and the next try adds it once', async () => {
  let failed = 0;
  for (let n = 1; ; n++) {
    using place = await makeRoot();
    const { disk, folder } = place;
    await using world = await makeOutbox({ folder });
    disk.failingSync = disk.syncs + n;
    const refusal = await world.box.add([entry('a')]).catch((error) => error);
    if (disk.syncs < disk.failingSync) break;
    failed++;
    assert.is((refusal as { code?: string } | undefined)?.code, 'unavailable', `sync ${n}`);
    await world.settled();
    assert.equal([...statesOf(world), ...world.tried], [], `sync ${n}`);
    world.deliver = () => ({ ok: false });
    await world.box.add([entry('a')]);
    await world.settled();
    assert.equal(world.tried, ['a']);
    await world.reopen();
    assert.equal(disk.problems, []);
    assert.equal(disk.unsynced(), []);
    assert.equal(
      statesOf(world).map((state) => state.split(' ')[0]),
      ['a'],
      `sync ${n}`,
    );
  }
  // The folder, the journal's name, and its lines.
  assert.is(failed, 3);
});

test('after a failed sync nothing is appended until the journal is rewritten', async () => {
  using place = await makeRoot();
  const { disk, folder } = place;
  const journal = await recovered(openJournal(folder));
  const [kept] = await journal.append([toLine({ id: 'kept' })]);
  disk.failingSync = disk.syncs + 1;
  const append = () => journal.append([toLine({ id: 'a' })]).then(String, ({ code }) => code);
  assert.equal([await append(), await append()], ['unavailable', 'unavailable']);
  assert.is(journal.isDoubtful, true);
  await journal.rewrite(() => ({
    keep: [{ place: kept!, followedBy: () => undefined }],
    last: () => [],
    moved: () => {},
  }));
  await journal.append([toLine({ id: 'b' })]);
  assert.equal(disk.unsynced(), []);
  await journal.close();
});

test.run();
