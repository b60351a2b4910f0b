// Which segments of the write-ahead log a start finds, and what it does if some are missing.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDisk, nodeDisk } from '../../../../src/store/disk/disk.ts';
import { openEpoch, readDeclared } from '../../../../src/store/log/wal/epoch.ts';
import { readWal } from '../../../../src/store/log/wal/read.ts';
import { createWal } from '../../../../src/store/log/wal/wal.ts';

const SEGMENT_BYTES = 4096;

function makeFolder(): Disposable & { folder: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-wal-'));
  return { folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) };
}

/** The repository of the site whose log it is. */
function repositoryOf(folder: string): string {
  return path.join(folder, 'content.git');
}

function reopen(folder: string, disk = nodeDisk) {
  const epoch = openEpoch(disk, repositoryOf(folder));
  const found = readWal(disk, folder, epoch.found);
  return createWal({ disk, folder, epoch, found, segmentBytes: SEGMENT_BYTES });
}

function payloads(folder: string): string[] {
  return readWal(nodeDisk, folder, readDeclared(nodeDisk, repositoryOf(folder))).frames.map(({ payload }) =>
    payload.toString(),
  );
}

test('a segment whose frames are in git may be removed although no frame says so yet', async () => {
  using made = makeFolder();
  const before = reopen(made.folder);
  await before.append(Buffer.from('one'));
  // The next process writes before it has put the recovered changes on the branch.
  const wal = reopen(made.folder);
  await wal.append(Buffer.from('two'));
  await wal.release(2);
  assert.is(fs.readdirSync(made.folder).filter((name) => name.endsWith('.wal')).length, 1);
  assert.equal(payloads(made.folder), ['two']);
  const again = reopen(made.folder);
  assert.is(await again.append(Buffer.from('three')), 3);
  assert.equal(payloads(made.folder), ['two', 'three']);
});

test('segments that were filled before the newest one may be removed too', async () => {
  using made = makeFolder();
  const wal = reopen(made.folder);
  const text = 'x'.repeat(1000);
  let last = 0;
  for (let n = 0; n < 8; n++) last = await wal.append(Buffer.from(`${n}${text}`));
  await wal.release(last);
  await wal.close();
  const left = payloads(made.folder);
  assert.ok(left.length > 0 && left.length < 8);
  assert.is(left.at(-1), `7${text}`);
});

test('neither a new segment nor the removal of old ones blocks the event loop with a sync', async () => {
  using made = makeFolder();
  let blocking = 0;
  const disk = createDisk({
    ...fs,
    fsyncSync(fd) {
      blocking++;
      fs.fsyncSync(fd);
    },
  });
  const epoch = openEpoch(disk, repositoryOf(made.folder));
  const found = readWal(disk, made.folder, epoch.found);
  const wal = createWal({ disk, folder: made.folder, epoch, found, segmentBytes: SEGMENT_BYTES });
  const last = await wal.append(Buffer.from('one'));
  blocking = 0;
  for (let n = 0; n < 12; n++) await wal.append(Buffer.from(`${n}`.repeat(1000)));
  const before = listSegments(made.folder).length;
  assert.ok(before > 3);
  await wal.release(last + 12);
  assert.ok(listSegments(made.folder).length < before);
  await wal.clear();
  await wal.close();
  assert.equal(listSegments(made.folder), []);
  assert.is(blocking, 0);
});

test('segments that are released while the next one is begun are removed, and the next one stays', async () => {
  using made = makeFolder();
  const wal = reopen(made.folder);
  let last = 0;
  const releases: Promise<void>[] = [];
  for (let n = 0; n < 40; n++) {
    last = await wal.append(Buffer.from(`${n % 10}`.repeat(1000)));
    releases.push(wal.release(last - 1));
  }
  await Promise.all(releases);
  await wal.close();
  assert.ok(listSegments(made.folder).length <= 2);
  assert.is(payloads(made.folder).at(-1), '9'.repeat(1000));
});

/** Three segments full of frames that are not in git. */
async function fill(folder: string): Promise<string[]> {
  const wal = reopen(folder);
  for (let n = 0; n < 9; n++) await wal.append(Buffer.from(`${n}`.repeat(1000)));
  return listSegments(folder);
}

function listSegments(folder: string): string[] {
  return fs.readdirSync(folder).flatMap((name) => (name.endsWith('.wal') ? path.join(folder, name) : []));
}

function refusalOf(folder: string): string {
  try {
    reopen(folder);
  } catch (error) {
    assert.is((error as { code?: string }).code, 'unavailable', String(error));
    return (error as Error).message;
  }
  throw new Error('the log was opened');
}

test('a segment that is lost, emptied or cut refuses the start by name, whichever it is', async () => {
  const losses: [how: string, lose: (file: string) => void][] = [
    ['is missing', (file) => fs.rmSync(file)],
    ['has no segment header', (file) => fs.truncateSync(file, 0)],
    ['of its', (file) => fs.truncateSync(file, 2000)],
  ];
  for (const [how, lose] of losses) {
    for (const at of [0, 1, -1]) {
      using made = makeFolder();
      // The newest may be an unused spare, and losing that loses nothing.
      const used = (await fill(made.folder)).filter((file) => fs.readFileSync(file).includes('000') || at !== -1);
      const files = used.slice(0, 3);
      const file = files.at(at)!;
      lose(file);
      const refusal = refusalOf(made.folder);
      assert.match(refusal, at === 1 && how === 'is missing' ? 'in the middle' : how, `${how} ${at}: ${refusal}`);
    }
  }
});

test('a log that is missing as a whole, or belongs to another site, refuses the start', async () => {
  using made = makeFolder();
  const files = await fill(made.folder);
  using other = makeFolder();
  const others = await fill(other.folder);
  assert.equal(
    others.map((file) => path.basename(file)),
    files.map((file) => path.basename(file)),
  );
  for (const [n, file] of others.entries()) fs.copyFileSync(file, files[n]!);
  assert.match(refusalOf(made.folder), 'belongs to the log of another site');
  for (const file of files) fs.rmSync(file);
  assert.match(refusalOf(made.folder), 'is missing');
  // The operator says that the service may go on without it.
  fs.rmSync(path.join(repositoryOf(made.folder), 'colophon.epochs'), { recursive: true });
  assert.equal(payloads(made.folder), []);
  reopen(made.folder);
});

test('segments of an earlier version, which do not say who wrote them, are still read', async () => {
  using made = makeFolder();
  for (const file of await fill(made.folder)) {
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.fill(0, 16, 64));
  }
  fs.rmSync(repositoryOf(made.folder), { recursive: true });
  // Its frames are in git, so an earlier version removed it without recording that.
  fs.rmSync(listSegments(made.folder)[0]!);
  const left = payloads(made.folder);
  assert.is(left.at(-1), '8'.repeat(1000));
  const wal = reopen(made.folder);
  await wal.append(Buffer.from('next'));
  await wal.close();
  assert.equal(payloads(made.folder), [...left, 'next']);
  fs.rmSync(listSegments(made.folder)[0]!);
  assert.match(refusalOf(made.folder), 'is missing');
});

test('a frame that is lost in the middle of a segment is damage, even the first one', async () => {
  for (const lost of ['first', 'second']) {
    using made = makeFolder();
    const wal = reopen(made.folder);
    for (const text of ['first', 'second', 'third']) await wal.append(Buffer.from(text));
    const file = path.join(made.folder, fs.readdirSync(made.folder).find((name) => name.endsWith('.wal'))!);
    const bytes = fs.readFileSync(file);
    bytes[bytes.indexOf(lost)]! ^= 1;
    fs.writeFileSync(file, bytes);
    assert.throws(
      () => payloads(made.folder),
      ({ code }: { code: string }) => code === 'unavailable',
    );
  }
});

test('a write that needs the next segment does not wait for the removal of others', async () => {
  using made = makeFolder();
  const gate = Promise.withResolvers<boolean>();
  const slow = {
    ...nodeDisk,
    removeApart: (file: string) => (file.endsWith('.wal') ? gate.promise : nodeDisk.removeApart(file)),
  };
  const wal = reopen(made.folder, slow);
  const frame = Buffer.alloc(SEGMENT_BYTES - 200, 'x');
  const first = await wal.append(frame);
  await wal.append(frame);
  let isGone = false;
  const going = wal.release(first).then(() => (isGone = true));
  for (let n = 0; n < 3; n++) await wal.append(frame);
  assert.not.ok(isGone);
  gate.resolve(true);
  await going;
  await wal.close();
});

test.run();
