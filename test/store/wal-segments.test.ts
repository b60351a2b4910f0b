// Which segments of the write-ahead log a start finds, and what it makes of those that are gone.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/store/disk.ts';
import { createWal, readWal } from '../../src/store/wal.ts';

const SEGMENT_BYTES = 4096;

function makeFolder(): Disposable & { folder: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-wal-'));
  return { folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) };
}

function reopen(folder: string) {
  return createWal(nodeDisk, folder, readWal(nodeDisk, folder), SEGMENT_BYTES);
}

function payloads(folder: string): string[] {
  return readWal(nodeDisk, folder).frames.map(({ payload }) => payload.toString());
}

test('a segment whose frames are in git may go although no frame says so yet', async () => {
  using made = makeFolder();
  const before = reopen(made.folder);
  await before.append(Buffer.from('one'));
  // The next process writes before it has put what it found under the branch.
  const wal = reopen(made.folder);
  await wal.append(Buffer.from('two'));
  wal.release(2);
  assert.is(fs.readdirSync(made.folder).filter((name) => name.endsWith('.wal')).length, 1);
  assert.equal(payloads(made.folder), ['two']);
  const again = reopen(made.folder);
  assert.is(await again.append(Buffer.from('three')), 3);
  assert.equal(payloads(made.folder), ['two', 'three']);
});

test('so may the segments that were filled before the newest one', async () => {
  using made = makeFolder();
  const wal = reopen(made.folder);
  const text = 'x'.repeat(1000);
  let last = 0;
  for (let n = 0; n < 8; n++) last = await wal.append(Buffer.from(`${n}${text}`));
  wal.release(last);
  await wal.close();
  const left = payloads(made.folder);
  assert.ok(left.length > 0 && left.length < 8);
  assert.is(left.at(-1), `7${text}`);
});

test('a frame that is lost in the middle of a segment is damage, the first one too', async () => {
  for (const lost of ['first', 'second']) {
    using made = makeFolder();
    const wal = reopen(made.folder);
    for (const text of ['first', 'second', 'third']) await wal.append(Buffer.from(text));
    const file = path.join(made.folder, fs.readdirSync(made.folder).find((name) => name.endsWith('.wal'))!);
    const bytes = fs.readFileSync(file);
    bytes[bytes.indexOf(lost)]! ^= 1;
    fs.writeFileSync(file, bytes);
    assert.throws(
      () => readWal(nodeDisk, made.folder),
      ({ code }: { code: string }) => code === 'unavailable',
    );
  }
});

test.run();
