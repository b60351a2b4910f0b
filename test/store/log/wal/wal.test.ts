// The write-ahead log: what a crash leaves is read, what damage leaves is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Disk } from '../../../../src/store/disk/disk.ts';
import { openEpoch, readDeclared } from '../../../../src/store/log/wal/epoch.ts';
import { readWal } from '../../../../src/store/log/wal/read.ts';
import { createWal, type Wal } from '../../../../src/store/log/wal/wal.ts';
import { createMemoryDisk, type Fault, type Operation } from '../../../support/memory-disk.ts';
import { createRandom } from '../../../support/random.ts';

const FOLDER = '/site/wal';
const REPOSITORY = '/site/content.git';
const SEGMENT_BYTES = 2000;

function open(disk: Disk): Wal {
  const epoch = openEpoch(disk, REPOSITORY);
  const found = readWal(disk, FOLDER, epoch.found);
  return createWal({ disk, folder: FOLDER, epoch, found, segmentBytes: SEGMENT_BYTES });
}

function texts(disk: Disk): string[] {
  return readWal(disk, FOLDER, readDeclared(disk, REPOSITORY)).frames.map(({ payload }) => payload.toString());
}

function isDamaged(disk: Disk): boolean {
  try {
    readWal(disk, FOLDER, readDeclared(disk, REPOSITORY));
    return false;
  } catch (error) {
    assert.is((error as { code: string }).code, 'unavailable');
    return true;
  }
}

/** Changes bytes of a segment on the disk. */
async function overwrite(disk: Disk, name: string, at: number, bytes: Buffer): Promise<void> {
  const handle = disk.openDurable(`${FOLDER}/${name}`);
  await handle.write(bytes, at);
  handle.close();
}

test('frames come back in order, across segments and restarts', async () => {
  const disk = createMemoryDisk();
  const written: string[] = [];
  for (let process = 0; process < 4; process++) {
    const wal = open(disk);
    for (let i = 0; i < 7; i++) {
      const text = `${process}.${i} `.repeat(40 + i * 20);
      assert.is(await wal.append(Buffer.from(text)), written.push(text));
    }
    await wal.close();
    assert.equal(texts(disk), written);
  }
});

test('a frame larger than a segment gets a segment of its own', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  const big = 'x'.repeat(SEGMENT_BYTES * 5);
  for (const text of ['a', big, 'b', big, big, 'c']) await wal.append(Buffer.from(text));
  assert.equal(texts(disk), ['a', big, 'b', big, big, 'c']);
});

test('a tail that is torn anywhere ends the log at the frame before it', async () => {
  const random = createRandom(2);
  for (let length = 1; length < 60; length++) {
    const disk = createMemoryDisk();
    const wal = open(disk);
    await wal.append(Buffer.from('first'));
    const [name] = disk.list(FOLDER);
    const before = disk.readFile(`${FOLDER}/${name}`)!;
    await wal.append(Buffer.from('second, which is torn'));
    const whole = disk.readFile(`${FOLDER}/${name}`)!;
    const at = 64 + 24 + 5;
    if (length >= 24 + 21) break;
    const tail = Buffer.from(whole.subarray(at, at + 24 + 21));
    // Torn after `length` bytes; the rest is what was there before, or anything.
    if (random.whole(0, 1)) before.copy(tail, length, at + length, at + tail.length);
    else tail.fill(random.whole(1, 255), length);
    await overwrite(disk, name!, at, tail);
    assert.equal(texts(disk), ['first'], `torn at ${length}`);
    // The next process goes on from there.
    const next = open(disk);
    assert.is(await next.append(Buffer.from('other')), 2);
    assert.equal(texts(disk), ['first', 'other']);
  }
});

test('a flipped bit anywhere before the last frame is damage, and finding it changes nothing', async () => {
  const random = createRandom(8);
  for (let round = 0; round < 60; round++) {
    const disk = createMemoryDisk();
    const wal = open(disk);
    for (let i = 0; i < 12; i++) await wal.append(Buffer.from(`frame ${i} `.repeat(60)));
    const [first] = disk.list(FOLDER);
    const file = `${FOLDER}/${first}`;
    const bytes = disk.readFile(file)!;
    const end = 64 + 3 * (24 + 60 * 8);
    const at = [random.whole(0, 15), random.whole(64, end - 1)][random.whole(0, 1)]!;
    await overwrite(disk, first!, at, Buffer.from([bytes[at]! ^ (1 << random.whole(0, 7))]));
    const operations = disk.operations.length;
    assert.ok(isDamaged(disk), `byte ${at}`);
    assert.is(disk.operations.length, operations);
  }
});

test('damage in frames that are in git already costs nothing', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  for (let i = 0; i < 3; i++) await wal.append(Buffer.from(`frame ${i}`));
  await wal.release(3);
  await wal.append(Buffer.from('frame 3'));
  const [first] = disk.list(FOLDER);
  await overwrite(disk, first!, 64 + 24 + 7 + 3, Buffer.from([0xff, 0xff]));
  assert.equal(texts(disk), ['frame 3']);
});

test('a segment that is missing in the middle is damage', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  for (let i = 0; i < 12; i++) await wal.append(Buffer.from(`frame ${i} `.repeat(60)));
  const [, second] = disk.list(FOLDER);
  disk.remove(`${FOLDER}/${second}`);
  assert.ok(isDamaged(disk));
});

test('released frames do not come back once a later frame is written', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  await wal.append(Buffer.from('in git'));
  await wal.release(1);
  await wal.append(Buffer.from('not in git'));
  assert.equal(texts(disk), ['not in git']);
});

test('released segments are removed, the current one stays, and all are removed once everything is in git', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  for (let i = 0; i < 20; i++) await wal.append(Buffer.from(`frame ${i} `.repeat(60)));
  const before = disk.list(FOLDER).length;
  await wal.release(10);
  assert.ok(disk.list(FOLDER).length < before);
  assert.is(texts(disk).at(-1)?.slice(0, 8), 'frame 19');
  await wal.release(20);
  assert.ok(disk.list(FOLDER).length <= 2);
  await wal.clear();
  await wal.close();
  assert.equal(disk.list(FOLDER), []);
  const next = open(disk);
  await next.append(Buffer.from('new'));
  assert.equal(texts(disk), ['new']);
});

test('a crash between the removals of released segments leaves a log that can be read', async () => {
  for (let keep = 0; keep < 8; keep++) {
    const disk = createMemoryDisk();
    const wal = open(disk);
    for (let i = 0; i < 24; i++) await wal.append(Buffer.from(`frame ${i} `.repeat(60)));
    let removals = 0;
    disk.onOperation = ({ name }) => (name === 'remove' && removals++ === keep ? 'crash' : undefined);
    try {
      await wal.release(18);
    } catch {
      assert.is(disk.isDown, true);
    }
    const after = disk.afterCrash((what) => what.startsWith('gone'));
    assert.ok(texts(after).length >= 6);
  }
});

test('the epoch, and the segments that must exist, are on the disk before they count', async () => {
  const disk = createMemoryDisk();
  const wal = open(disk);
  assert.equal(disk.afterCrash().list(`${REPOSITORY}/colophon.epochs`), ['00000001']);
  const again = createMemoryDisk();
  const filled = open(again);
  for (let i = 0; i < 12; i++) await filled.append(Buffer.from(`frame ${i} `.repeat(60)));
  await filled.release(8);
  const after = again.afterCrash();
  const { oldest, newest } = readDeclared(after, REPOSITORY)!;
  assert.ok(oldest! > 1 && newest! > oldest!);
  assert.is(texts(after).at(-1)?.slice(0, 8), 'frame 11');
  after.remove(`${FOLDER}/${String(newest).padStart(8, '0')}.wal`);
  assert.ok(isDamaged(after));
  await wal.close();
});

interface Outcome {
  acknowledged: string[];
  refused: string[];
}

/** Appends until the disk is gone. */
async function fill(wal: Wal, outcome: Outcome): Promise<void> {
  for (let i = 0; i < 9; i++) {
    const text = `frame ${i} `.repeat(50 + 30 * (i % 4));
    const sequence = await wal.append(Buffer.from(text)).catch((error: { code?: string }) => error);
    if (typeof sequence === 'number') outcome.acknowledged.push(text);
    else if (sequence.code) outcome.refused.push(text);
    else return;
  }
}

test('whichever operation a crash or an error hits, what was acknowledged is there and what was refused is not', async () => {
  const faults: (Fault | ((operation: Operation) => Fault))[] = [
    'crash',
    { code: 'ENOSPC' },
    { code: 'EIO' },
    { code: 'ENOSPC', written: 30 },
  ];
  for (const fault of faults) {
    for (let at = 0; ; at++) {
      const disk = createMemoryDisk(({ number }) => (number === at ? (fault as Fault) : undefined));
      const outcome: Outcome = { acknowledged: [], refused: [] };
      let wal: Wal | undefined;
      try {
        wal = open(disk);
      } catch {
        continue;
      }
      await fill(wal, outcome);
      if (disk.operations.length <= at) break;
      for (const keep of [() => false, () => true, (what: string) => what.length % 2 === 0]) {
        const after = disk.afterCrash(keep);
        const found = texts(after);
        const name = `${JSON.stringify(fault)} at ${at}`;
        assert.equal(found.slice(0, outcome.acknowledged.length), outcome.acknowledged, name);
        for (const text of outcome.refused) assert.not(found.includes(text), name);
        // Besides these, only the frame that was under way may be there.
        assert.ok(found.length <= outcome.acknowledged.length + 1, name);
      }
    }
  }
});

test('on a full disk a write that needs a new segment is refused, and a later one succeeds', async () => {
  let isFull = false;
  const disk = createMemoryDisk(({ name }) =>
    isFull && name === 'preallocate' ? { code: 'ENOSPC', written: 500 } : undefined,
  );
  const wal = open(disk);
  const text = Buffer.from('x'.repeat(700));
  await wal.append(text);
  isFull = true;
  await wal.append(text);
  for (let i = 0; i < 3; i++) {
    const refused = await wal.append(text).catch((error: { code: string }) => error.code);
    assert.is(refused, 'ENOSPC');
  }
  assert.not(disk.list(FOLDER).some((name) => name.endsWith('.tmp')));
  isFull = false;
  assert.is(await wal.append(text), 3);
  assert.is(texts(disk).length, 3);
});

test.run();
