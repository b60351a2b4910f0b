// Restored files are on the disk, with all their names, before they count: a site from an archive before it gets its
// place, and restored `_data` before the answer.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
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

test('a restore that a crash cut off is finished by the start, for the files and for what is read from them', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const settings = (body: object) => admin.post('/api/admin/site-config', body);
  await admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  await settings({ timezone: 'Europe/Copenhagen', deployHookUrl: 'https://a.example/hook' });
  const data = path.join(world.dataDir, 'sites', 'default', '_data');
  const then = readFileSync(path.join(data, 'site-config.json'));
  const { id } = (await admin.post('/api/admin/backups')).json;
  await settings({ timezone: 'Asia/Tokyo', deployHookUrl: null });
  // As it is when the content is restored and the files of `_data` are about to be replaced.
  mkdirSync(path.join(data, 'backups', `restoring-${id}`));
  writeFileSync(path.join(data, 'backups', `restoring-${id}`, 'site-config.json'), then);
  const manifest = path.join(data, 'backups', 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), restoring: id }));
  await world.restart();
  const read = async () => (await world.admin.get('/api/admin/site-config')).json;
  assert.is((await read()).timezone, 'Europe/Copenhagen');
  assert.is((await world.admin.post('/api/admin/site-config', { previewSiteUrl: 'https://p.example/' })).status, 200);
  const { timezone, deployHookUrl } = JSON.parse(readFileSync(path.join(data, 'site-config.json'), 'utf8'));
  assert.equal([timezone, deployHookUrl], ['Europe/Copenhagen', 'https://a.example/hook']);
});

test.run();
