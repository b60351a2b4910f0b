// Epochs: of two processes that write one repository, only the later one acknowledges anything, whatever happened to
// the lock between them, and everything that the earlier one acknowledged is there.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Disk, nodeDisk } from '../../../../src/store/disk/disk.ts';
import { SEGMENT_HEADER } from '../../../../src/store/log/wal/format.ts';
import type { Store } from '../../../../src/store/store.ts';
import { makeHeldDisk } from '../../../support/held-disk.ts';
import { eventually } from '../../../support/process.ts';
import { append, makeStoreWorld, type StoreWorld, write } from '../../../support/store-world.ts';

async function codeOf(run: () => Promise<unknown>): Promise<string | undefined> {
  return run().then(
    () => undefined,
    (error: { code?: string }) => error.code ?? String(error),
  );
}

function changeIds(world: StoreWorld): string[] {
  return world
    .git('log', '--reverse', '--format=%(trailers:key=Change-Id,valueonly,separator=)', 'main')
    .split('\n')
    .filter(Boolean);
}

async function checkLog(world: StoreWorld, store: Store, answered: readonly string[]): Promise<void> {
  await store.log.flush();
  const ids = changeIds(world);
  assert.is(new Set(ids).size, ids.length, 'each change is there once');
  assert.equal(
    ids.filter((id) => answered.includes(id)),
    answered,
  );
  assert.is(world.fsck(), '');
}

async function note(store: Store, file: string, answered: string[]): Promise<void> {
  const { changeId, durable } = append(store, { [`content/${file}.json`]: file });
  await durable;
  answered.push(changeId);
}

test('a second process takes over what the first one acknowledged, and the first one acknowledges nothing more', async () => {
  await using world = makeStoreWorld();
  const answered: string[] = [];
  const first = world.open();
  // The branch does not move meanwhile: acknowledged changes are in the write-ahead log alone.
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  await note(first, 'zero', answered);
  await first.log.flush();
  fs.writeFileSync(lock, '');
  for (let n = 0; n < 5; n++) await note(first, `first-${n}`, answered);
  const second = world.open();
  assert.is(second.recovered.length, 5);
  assert.is(await codeOf(() => write(first, { 'content/late.json': 'x' })), 'outcome_unknown');
  assert.is(first.log.status().refusal?.code, 'unavailable');
  assert.match(first.log.status().refusal!.message, /another process has begun to write/);
  fs.rmSync(lock);
  await note(second, 'second', answered);
  await checkLog(world, second, answered);
  await first.close();
  await note(second, 'and on', answered);
  await checkLog(world, second, answered);
  assert.equal(world.fatal, []);
});

test('a process that loses its files in the middle of a write reports who has them, not a failed disk', async () => {
  const steps: Record<string, (disk: Disk, meanwhile: () => void) => Partial<Disk>> = {
    'a segment is made': ({ preallocate }, meanwhile) => ({
      async preallocate(file, sizeBytes) {
        await preallocate(file, sizeBytes);
        meanwhile();
      },
    }),
    'a segment gets its name': ({ renameApart }, meanwhile) => ({
      renameApart(from, to) {
        if (to.endsWith('.wal')) meanwhile();
        return renameApart(from, to);
      },
    }),
    'a segment is declared': ({ renameApart }, meanwhile) => ({
      renameApart(from, to) {
        if (from.includes('epoch_')) meanwhile();
        return renameApart(from, to);
      },
    }),
  };
  for (const [step, wrap] of Object.entries(steps)) {
    await using world = makeStoreWorld();
    const answered: string[] = [];
    let second: Store | undefined;
    const disk = { ...nodeDisk, ...wrap(nodeDisk, () => void (second ??= world.open())) };
    const first = world.open({ disk, maintenanceMs: 0 });
    assert.is(await codeOf(() => write(first, { 'content/late.json': 'late' })), 'outcome_unknown', step);
    assert.ok(second, step);
    assert.match(first.log.status().refusal!.message, /another process has begun to write/, step);
    for (let n = 0; n < 3; n++) await note(second, `second-${n}`, answered);
    await checkLog(world, second, answered);
    assert.equal(world.fatal, [], step);
  }
});

test('a frame in flight while another process starts is not acknowledged, whenever it reaches the disk', async () => {
  for (const isBefore of [true, false]) {
    await using world = makeStoreWorld();
    const answered: string[] = [];
    const slow = makeHeldDisk('after');
    const first = world.open({ disk: slow.disk, maintenanceMs: 0 });
    await note(first, 'zero', answered);
    await first.log.flush();
    await eventually(() => assert.is(first.log.status().unflushed, 0), 5000);
    let second: Store | undefined;
    if (!isBefore) second = world.open();
    slow.hold();
    const before = slow.written();
    const late = append(first, { 'content/late.json': 'late' });
    await eventually(() => assert.ok(slow.written() > before), 5000);
    second ??= world.open();
    slow.letGo();
    assert.is(await codeOf(() => late.durable), 'outcome_unknown');
    for (let n = 0; n < 3; n++) await note(second, `second-${n}`, answered);
    await checkLog(world, second, answered);
    // A frame that the second process read at its start counts; one written after that does not.
    assert.is(changeIds(world).includes(late.changeId), isBefore);
    await first.close();
    await second.close();
    const third = world.open();
    await note(third, 'third', answered);
    await checkLog(world, third, answered);
  }
});

test('what a process writes after the start of another is not read by a third, even if both are killed', async () => {
  await using world = makeStoreWorld();
  const answered: string[] = [];
  const slow = makeHeldDisk('after');
  const first = world.open({ disk: slow.disk, maintenanceMs: 0 });
  await note(first, 'zero', answered);
  await first.log.flush();
  const lock = path.join(world.repository, 'refs/heads/main.lock');
  fs.writeFileSync(lock, '');
  // Keeps the first process's segment, into which it goes on writing.
  await note(first, 'kept', answered);
  const second = world.open();
  // Both processes write frames with the same sequences: the frames of the first one are refused.
  const refused = append(first, { 'content/refused.json': 'x' });
  assert.is(await codeOf(() => refused.durable), 'outcome_unknown');
  for (let n = 0; n < 3; n++) await note(second, `second-${n}`, answered);
  const copy = path.join(world.folder, 'copy');
  for (const name of ['content.git', 'wal']) {
    fs.cpSync(path.join(world.folder, name), path.join(copy, name), { recursive: true });
  }
  fs.rmSync(path.join(copy, 'content.git/refs/heads/main.lock'));
  const third = world.open({ folder: copy });
  assert.is(third.recovered.length, 4);
  await third.log.flush();
  assert.not(third.log.has('content/refused.json'));
  fs.rmSync(lock);
  await first.close();
});

test('an idle process notices by itself that another one has begun', async () => {
  await using world = makeStoreWorld();
  const first = world.open({ pollMs: 20 });
  await write(first, { a: '1' });
  world.open();
  await eventually(() => assert.is(first.log.status().refusal?.code, 'unavailable'), 5000);
  assert.match(first.lost() ?? '', 'another process');
  assert.is(world.warnings.filter((text) => text.includes('another process')).length, 1);
});

test('a process that no longer owns the log removes nothing when it ends', async () => {
  await using world = makeStoreWorld();
  const wal = path.join(world.folder, 'wal');
  const first = world.open({ walSegmentBytes: 3000 });
  for (let n = 0; n < 5; n++) await write(first, { a: `${n}`.repeat(2000) });
  const second = world.open({ walSegmentBytes: 3000 });
  fs.writeFileSync(path.join(world.repository, 'refs/heads/main.lock'), '');
  for (let n = 0; n < 5; n++) await write(second, { b: `${n}`.repeat(2000) });
  // The second process makes its next segment while it writes.
  const before = await eventually(() => {
    const names = fs.readdirSync(wal);
    assert.ok(names.every((name) => name.endsWith('.wal')));
    const newest = fs.readFileSync(path.join(wal, names.at(-1)!));
    assert.ok(newest.subarray(SEGMENT_HEADER).every((byte) => byte === 0));
    return names;
  }, 5000);
  await first.close();
  const after = new Set(fs.readdirSync(wal));
  assert.equal(
    before.filter((name) => !after.has(name)),
    [],
  );
  fs.rmSync(path.join(world.repository, 'refs/heads/main.lock'));
  await second.log.flush();
});

test('processes that start at the same time get different epochs', async () => {
  await using world = makeStoreWorld();
  const stores = [world.open(), world.open(), world.open()];
  const folder = path.join(world.repository, 'colophon.epochs');
  assert.equal(fs.readdirSync(folder), ['00000003']);
  const codes: (string | undefined)[] = [];
  for (const store of stores) codes.push(await codeOf(() => write(store, { a: 'x' })));
  assert.equal(codes, ['outcome_unknown', 'outcome_unknown', undefined]);
});

test.run();
