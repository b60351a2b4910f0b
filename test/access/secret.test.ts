// The secret that is generated if the environment sets none.
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { getSecret } from '../../src/access/secret.ts';
import { watchDisk } from '../support/synced-disk.ts';

function makeRoot(): { root: string; file: string } & Disposable {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'colophon-')));
  return { root, file: path.join(root, 'data', 'secret'), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

test('a secret is synced, with its name and its folder, before a session is signed with it', async () => {
  using place = makeRoot();
  using disk = await watchDisk(place.root);
  const secret = getSecret(place.file);
  assert.equal(disk.problems, []);
  assert.equal(disk.unsynced(), []);
  assert.is(getSecret(place.file), secret);
  assert.is(statSync(place.file).mode & 0o777, 0o600);
  assert.equal(readdirSync(path.dirname(place.file)), ['secret']);
});

test('a secret whose sync failed is not returned, and no file is left if its bytes were not synced', async () => {
  // The syncs of the new folder, of the bytes and of the name.
  for (const n of [1, 2, 3]) {
    using place = makeRoot();
    using disk = await watchDisk(place.root);
    disk.failingSync = n;
    assert.throws(() => getSecret(place.file), /EIO/);
    assert.is(disk.syncs, n);
    if (n === 3) continue;
    assert.equal(n === 1 ? readdirSync(place.root) : readdirSync(path.dirname(place.file)), []);
    getSecret(place.file);
    assert.equal(disk.unsynced(), [], `behind sync ${n}`);
  }
});

test.run();
