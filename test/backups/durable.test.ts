// Restored files are on the disk, with all their names, before they count: a site from an archive before it gets its
// place, and restored `_data` before the answer.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRestoreHere } from '../../src/backups/restore-here.ts';
import { archiveName, type ManifestFile, NO_SNAPSHOTS, type SnapshotRecord } from '../../src/backups/snapshot.ts';
import { archiveOf, fill, makeFolder, SITE, sha256, unpack } from '../support/backup-archive.ts';
import { watchDisk } from '../support/synced-disk.ts';
import { writeTar } from '../support/tar.ts';
import { makeWorld } from '../support/world.ts';

test('a site from an archive is synced, file by file and folder by folder, before it gets its name', async () => {
  using archive = makeFolder();
  const { file } = await (async () => {
    await using world = await makeWorld({ config: SITE });
    await fill(world);
    return await archiveOf(world, archive.path);
  })();
  let syncs: number;
  {
    using to = makeFolder();
    using disk = await watchDisk(realpathSync(to.path));
    await unpack(realpathSync(to.path), file);
    assert.equal(disk.problems, []);
    assert.equal(disk.unsynced(), []);
    assert.ok(existsSync(path.join(to.path, 'sites', 'default', '_data', 'submissions', 'contact')));
    syncs = disk.syncs;
  }
  assert.ok(syncs > 20, `${syncs} syncs`);
  for (let n = 1; n <= syncs; n++) {
    using to = makeFolder();
    using disk = await watchDisk(realpathSync(to.path));
    disk.failingSync = n;
    const refusal = await unpack(realpathSync(to.path), file).catch((error) => error);
    assert.match(inspect(refusal), 'EIO', `sync ${n} of ${syncs}`);
    // The last one is for the name that the site has by then.
    const sites = path.join(to.path, 'sites');
    if (n < syncs) assert.equal(existsSync(sites) ? readdirSync(sites) : [], [], `sync ${n} of ${syncs}`);
  }
});

test('`_data` restored in place is synced before it replaces anything, and its names before the answer', async () => {
  using place = makeFolder();
  const data = realpathSync(place.path);
  const folder = path.join(data, 'backups');
  await mkdir(folder);
  const content = Buffer.from('{}');
  const names = ['submissions/contact/one.json', 'links/report.json'];
  const archive = await writeTar(names.map((name) => ({ header: { name }, content })));
  const record: SnapshotRecord = {
    id: '20260102T030405Z-00112233',
    commit: 'c'.repeat(40),
    createdAt: '2026-01-02T03:04:05.678Z',
    trigger: 'manual',
    documents: 0,
    collections: 0,
    mediaFiles: 0,
    sizeBytes: archive.length,
    sha256: sha256(archive),
    status: 'complete',
    dataFiles: names.length,
    dataBytes: names.length * content.length,
    isTold: true,
  };
  writeFileSync(path.join(folder, archiveName(record.id)), archive);

  using disk = await watchDisk(data);
  let file: ManifestFile = NO_SNAPSHOTS;
  const updates: string[] = [];
  const restoreHere = createRestoreHere({
    data,
    folder,
    manifest: {
      read: () => file,
      async update(change) {
        file = change(file);
        updates.push(`restoring ${file.restoring}: ${disk.unsynced()}`);
      },
    },
    store: { commitTree: async () => null, treeOf: () => 't'.repeat(40) },
    problems: new Map(),
    dataRestored: async () => undefined,
    now: () => new Date(record.createdAt),
  });
  const { dataFiles } = await restoreHere.run(record, async () => record, {
    includeData: true,
    actor: { kind: 'user', name: 'Ada', email: 'ada@example.com' },
  });
  assert.is(dataFiles, names.length);
  // Each update of the manifest comes after the files are on the disk; only the removal of staged files is not synced.
  const gone = /backups\/restoring-[^,]*,?/g;
  assert.equal([updates[0], updates[1]?.replace(gone, '')], [`restoring ${record.id}: `, 'restoring null: ']);
  assert.equal(disk.problems, []);
  for (const name of names) assert.equal(readFileSync(path.join(data, name)), content);
});

test.run();
