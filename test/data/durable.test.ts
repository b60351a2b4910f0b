// A write is on the disk when it resolves, with its name and its folders' names, and a write whose sync failed does not
// resolve.
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { writeDurably } from '../../src/backups/write-file.ts';
import { openDataFolder } from '../../src/data/data-folder.ts';
import { makeDurably } from '../../src/data/durable.ts';
import { openPrivateFile } from '../../src/data/private-file.ts';
import { watchDisk } from '../support/synced-disk.ts';

function makeRoot(): { root: string } & Disposable {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'colophon-')));
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

function openNames(root: string) {
  return openPrivateFile({
    path: path.join(root, 'private', 'names.json'),
    schema: z.array(z.string()),
    empty: [],
    logger: { info() {} },
  });
}

const add = (name: string) => (names: string[]) => [names.includes(name) ? names : [...names, name], 0] as const;

async function* inPieces(): AsyncGenerator<Buffer> {
  yield Buffer.from('one, ');
  yield Buffer.from('two');
}

interface Write {
  file: string;
  text: string;
  /** Opens what the write needs, and returns the write: a case may repeat it several times. */
  open(root: string): () => Promise<unknown>;
}

const WRITES: Record<string, Write> = {
  'a file of a data folder': {
    file: 'a/b/one.json',
    text: 'new',
    open(root) {
      const folder = openDataFolder(path.join(root, 'a', 'b'));
      return () => folder.write('one.json', 'new');
    },
  },
  'a private file': {
    file: 'private/names.json',
    text: '[\n  "a"\n]\n',
    open(root) {
      let file: ReturnType<typeof openNames> | undefined;
      return async () => (file ??= openNames(root)).update(add('a'));
    },
  },
  'a large file': {
    file: 'backups/one.tar.gz',
    text: 'one, two',
    open: (root) => () => writeDurably(path.join(root, 'backups', 'one.tar.gz'), inPieces()),
  },
};

for (const [what, { file, text, open }] of Object.entries(WRITES)) {
  test(`${what} is synced before its rename, and its name and folders before the answer`, async () => {
    using place = makeRoot();
    using disk = await watchDisk(place.root);
    for (const round of ['new', 'replaced']) {
      await open(place.root)();
      assert.equal(disk.problems, [], round);
      assert.equal(disk.unsynced(), [], round);
    }
    const written = path.join(place.root, file);
    assert.is(readFileSync(written, 'utf8'), text);
    assert.is(statSync(written).mode & 0o777, 0o600);
    assert.equal(readdirSync(path.dirname(written)), [path.basename(file)]);
  });

  test(`${what} is not acknowledged if its sync fails, and is whole after the next try`, async () => {
    let failed = 0;
    for (let n = 1; ; n++) {
      using place = makeRoot();
      using disk = await watchDisk(place.root);
      disk.failingSync = n;
      const write = open(place.root);
      const refusal = await write().catch((error) => error);
      if (disk.syncs < n) break;
      failed++;
      assert.is((refusal as NodeJS.ErrnoException).code, 'EIO', `sync ${n}`);
      const folder = path.dirname(path.join(place.root, file));
      const left = existsSync(folder) ? readdirSync(folder) : [];
      assert.equal(
        left.filter((name) => name !== path.basename(file)),
        [],
        `sync ${n}`,
      );
      await write();
      assert.equal(disk.unsynced(), [], `after the second try at sync ${n}`);
      assert.is(readFileSync(path.join(place.root, file), 'utf8'), text);
    }
    // The bytes, the folder that has the name, and the folder that was made for it.
    assert.ok(failed >= 3, String(failed));
  });
}

test('a removed file does not come back: its folder is synced before the removal is acknowledged', async () => {
  using place = makeRoot();
  const folder = openDataFolder(place.root);
  await folder.write('one', '1');
  using disk = await watchDisk(place.root);
  assert.is(await folder.remove('one'), true);
  assert.equal(disk.unsynced(), []);
  assert.is(disk.syncs, 1);
});

test('a folder has a durable name before anything is made in it', async () => {
  using place = makeRoot();
  using disk = await watchDisk(place.root);
  await makeDurably(path.join(place.root, 'a', 'b', 'c'));
  assert.equal(disk.unsynced(), []);
  assert.is(disk.syncs, 3);
  await makeDurably(path.join(place.root, 'a', 'b', 'c'));
  assert.is(disk.syncs, 3);
});

test.run();
