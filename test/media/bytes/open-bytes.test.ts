// The store of bytes: nothing is stored under a wrong length or hash.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type ArrivedFile, type MediaBytes, openBytes } from '../../../src/media/bytes/open-bytes.ts';
import { sha256 } from '../../support/upload.ts';

const CONTENT = 'what the ink remembers\n'.repeat(1000);

interface Door extends Disposable {
  bytes: MediaBytes;
  folder: string;
  /** A file in a folder of `receive`. */
  bring(content: string): Promise<ArrivedFile>;
}

async function openDoor(): Promise<Door> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bytes-'));
  const bytes = await openBytes({ folder, isNeeded: () => false });
  return {
    bytes,
    folder,
    async bring(content) {
      const path = join((await bytes.receive()).folder, 'file');
      writeFileSync(path, content);
      return { path, sha256: sha256(content), sizeBytes: content.length };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

async function refusalOf(work: () => Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was refused');
}

const never = async (): Promise<void> => assert.unreachable('a commit was made');

test('a file of which the disk has less than was counted is refused', async () => {
  using door = await openDoor();
  for (const left of [0, 1, 4096]) {
    const arrived = await door.bring(CONTENT);
    truncateSync(arrived.path, left);
    assert.is((await refusalOf(() => door.bytes.adopt(arrived, never))).code, 'storage_full');
    assert.is((await refusalOf(() => door.bytes.expectWhole(arrived))).code, 'storage_full');
    assert.is(await door.bytes.sizeOf(arrived.sha256), undefined);
  }
  const gone = await door.bring(CONTENT);
  rmSync(gone.path);
  assert.is((await refusalOf(() => door.bytes.adopt(gone, never))).code, 'storage_full');
});

test('a file of which the disk has other bytes, or more, is refused and leaves nothing', async () => {
  using door = await openDoor();
  for (const found of [CONTENT.replace('ink', 'oak'), `${CONTENT}and more`]) {
    const arrived = await door.bring(CONTENT);
    writeFileSync(arrived.path, found);
    assert.match((await refusalOf(() => door.bytes.adopt(arrived, never))).message, /has the bytes of/);
    assert.is(await door.bytes.sizeOf(arrived.sha256), undefined);
    assert.not.ok(existsSync(join(door.folder, 'incoming', arrived.sha256)));
  }
});

test('bytes that were stored in part are completed by the next upload of them', async () => {
  using door = await openDoor();
  const arrived = await door.bring(CONTENT);
  const kept = door.bytes.pathOf(arrived.sha256);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, CONTENT.slice(0, 4096));
  assert.is(await door.bytes.adopt(arrived, async () => 'done'), 'done');
  assert.is(readFileSync(kept, 'utf8'), CONTENT);
  assert.not.ok(readdirSync(join(door.folder, 'incoming')).includes(arrived.sha256));
});

test.run();
