// The real disk: a full one keeps no partial file, and no descriptor stays open.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isShortage } from '../../../src/lib/shortage.ts';
import { createDisk, type FileCalls, nodeDisk } from '../../../src/store/disk/disk.ts';
import { mountSmallDisk } from '../../support/tmpfs.ts';

function makeFolder(): Disposable & { folder: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-files-'));
  return { folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) };
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const openFiles = (): number => fs.readdirSync('/proc/self/fd').length;

test('for a missing file the disk returns undefined, an empty list or false; other errors are thrown', () => {
  using made = makeFolder();
  const missing = path.join(made.folder, 'missing');
  assert.is(nodeDisk.readFile(missing), undefined);
  assert.is(nodeDisk.stat(missing), undefined);
  assert.equal(nodeDisk.list(missing), []);
  assert.is(nodeDisk.remove(missing), false);
  assert.is(nodeDisk.openForReading(missing), undefined);
  assert.is(
    codeOf(() => nodeDisk.readFile(made.folder)),
    'EISDIR',
  );
  assert.is(
    codeOf(() => nodeDisk.syncFolder(missing)),
    'ENOENT',
  );
});

test('a file is created once, with all its parts', () => {
  using made = makeFolder();
  const file = path.join(made.folder, 'file');
  nodeDisk.createFile(file, [Buffer.from('one '), Buffer.alloc(0), Buffer.from('two')]);
  assert.is(nodeDisk.readFile(file)?.toString(), 'one two');
  assert.is(
    codeOf(() => nodeDisk.createFile(file, [])),
    'EEXIST',
  );
  assert.is(nodeDisk.readFile(file)?.toString(), 'one two');
  assert.is(
    codeOf(() => nodeDisk.link(file, file)),
    'EEXIST',
  );
  assert.is(nodeDisk.remove(file), true);
});

test('folders are made with their parents, and may exist already', () => {
  using made = makeFolder();
  const folder = path.join(made.folder, 'a', 'b', 'c');
  nodeDisk.makeFolder(folder);
  nodeDisk.makeFolder(folder);
  assert.ok(nodeDisk.stat(folder)?.isDirectory());
});

test('a read returns the requested bytes, and fewer only at the end of the file', () => {
  using made = makeFolder();
  const file = path.join(made.folder, 'file');
  nodeDisk.createFile(file, [Buffer.from('0123456789')]);
  const handle = nodeDisk.openForReading(file)!;
  assert.is(handle.sizeBytes, 10);
  assert.is(handle.read(2, 3).toString(), '234');
  assert.is(handle.read(8, 5).toString(), '89');
  assert.is(handle.read(20, 5).length, 0);
  fs.rmSync(file);
  assert.is(handle.read(0, 2).toString(), '01');
  handle.close();
});

test('a full disk keeps no partial file and no open descriptor, and works again once there is space', async () => {
  using small = mountSmallDisk(4);
  small.fill(10_000);
  const before = openFiles();
  const file = path.join(small.folder, 'file');
  for (let i = 0; i < 5; i++) {
    assert.is(
      codeOf(() => nodeDisk.createFile(file, [Buffer.alloc(5000), Buffer.alloc(1 << 20)])),
      'ENOSPC',
    );
    assert.is(nodeDisk.stat(file), undefined);
    const code = await nodeDisk.preallocate(file, 1 << 20).catch((error: { code: string }) => error.code);
    assert.is(code, 'ENOSPC');
    nodeDisk.remove(file);
  }
  assert.is(openFiles(), before);
  small.free();
  nodeDisk.createFile(file, [Buffer.alloc(1 << 20)]);
  assert.is(nodeDisk.stat(file)?.size, 1 << 20);
});

test('a durable file accepts writes of any size at any position', async () => {
  using made = makeFolder();
  const file = path.join(made.folder, 'file');
  await nodeDisk.preallocate(file, 3_000_000);
  assert.is(nodeDisk.stat(file)?.size, 3_000_000);
  const handle = nodeDisk.openDurable(file);
  await handle.write(Buffer.from('begin'), 0);
  await handle.write(Buffer.alloc(2_000_000, 7), 500_000);
  handle.close();
  const bytes = fs.readFileSync(file);
  assert.is(bytes.length, 3_000_000);
  assert.is(bytes.toString('latin1', 0, 6), 'begin\0');
  assert.equal([bytes[499_999], bytes[500_000], bytes[2_499_999], bytes[2_500_000]], [0, 7, 7, 0]);
});

test('a process that has run out of descriptors can still sync a folder that it holds', () => {
  let mayOpen = true;
  const calls: string[] = [];
  const disk = createDisk({
    ...fs,
    openSync(file: string, flags: string | number, mode?: number) {
      if (!mayOpen) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return fs.openSync(file, flags, mode);
    },
    fsyncSync(fd: number) {
      calls.push('fsync');
      fs.fsyncSync(fd);
    },
  } as unknown as FileCalls);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-held-'));
  const release = disk.holdFolder(folder);
  mayOpen = false;
  disk.syncFolder(folder);
  assert.equal(calls, ['fsync']);
  release();
  assert.throws(
    () => disk.syncFolder(folder),
    (error: unknown) => isShortage(error),
  );
  // No folder is made that could not be synced.
  assert.throws(
    () => disk.makeFolder(path.join(folder, 'new')),
    (error: unknown) => isShortage(error),
  );
  assert.not(fs.existsSync(path.join(folder, 'new')));
  fs.rmSync(folder, { recursive: true });
});

test.run();
