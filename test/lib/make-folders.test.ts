import fs, { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolders } from '../../src/lib/make-folders.ts';

function inTemporary(work: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-'));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a folder is made with its parents, and an existing one stays', () =>
  inTemporary((folder) => {
    const deep = path.join(folder, 'a/b/c');
    makeFolders(fs, deep, 0o700);
    makeFolders(fs, deep);
    assert.is(statSync(path.join(folder, 'a')).mode & 0o777, 0o700);
    assert.ok(statSync(deep).isDirectory());
    symlinkSync(deep, path.join(folder, 'link'));
    makeFolders(fs, path.join(folder, 'link'));
  }));

test('a file in the way is the system’s error', () =>
  inTemporary((folder) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    for (const [place, code] of [
      [file, 'EEXIST'],
      [path.join(file, 'below'), 'ENOTDIR'],
    ] as const) {
      try {
        makeFolders(fs, place);
        assert.unreachable(place);
      } catch (error) {
        assert.is((error as NodeJS.ErrnoException).code, code);
      }
    }
  }));

/** As /proc does: what exists exists, and no folder can be made. */
test('a file system that refuses folders is reported with a sentence, at any depth', () => {
  const proc = {
    mkdirSync(): never {
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    },
    statSync: (folder: string) => (folder === '/proc' ? { isDirectory: () => true } : undefined),
  };
  for (const place of ['/proc/x', '/proc/x/y/z']) {
    assert.throws(() => makeFolders(proc, place), 'folder "/proc/x" cannot be made: its file system does not allow it');
  }
});

test.run();
