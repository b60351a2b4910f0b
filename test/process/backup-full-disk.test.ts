// A full disk: no backup is made, nothing half done is left, existing backups stay, and once there is space backups
// work again.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { colophon, downloadArchive } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { makePlace, setUp } from '../support/process.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const SIZE_MIB = 40;
const DATA_BYTES = 2 << 20;

test('a full disk refuses a backup and a restore of data, and leaves nothing half done', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = makePlace({ dataDir: join(disk.folder, 'data') });
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  await client.post('/api/cms/posts', { slug: 'one', data: { title: 'then' } });
  const data = join(place.dataDir, 'sites', 'default', '_data');
  mkdirSync(join(data, 'voices'), { recursive: true });
  writeFileSync(join(data, 'voices', 'large.json'), randomBytes(DATA_BYTES));
  const { json: first } = await client.post('/api/admin/backups');
  assert.is(first.status, 'complete');
  await client.patch('/api/cms/posts/one', { data: { title: 'now' } });
  const names = (): string[] => readdirSync(join(data, 'backups')).sort();
  const before = names();

  disk.fill(DATA_BYTES >> 1);
  const refused = await client.post('/api/admin/backups');
  assert.is(refused.status, 507, refused.text);
  assert.is(refused.json.code, 'storage_full');
  assert.equal(names(), before);
  assert.is((await git(place.repository, 'tag')).trim(), `backups/${first.id}`);
  const { json: list } = await client.get('/api/admin/backups');
  assert.equal(
    list.snapshots.map(({ status }: { status: string }) => status),
    ['failed', 'complete'],
  );
  const restored = await client.post(`/api/admin/backups/${first.id}/restore`, { includeData: true });
  assert.is(restored.status, 507, restored.text);
  assert.equal(names(), before);
  assert.is((await client.get('/api/cms/posts/one')).json.data.title, 'now');
  // An existing backup can still be downloaded, because that needs no space here.
  const archive = join(place.folder, 'site.tar.gz');
  assert.is((await downloadArchive(service.url, first.id, { cookie }, archive)).status, 200);
  const full = await colophon(
    { CMS_DATA_DIR: join(disk.folder, 'other'), CMS_CONFIG_PATH: place.configPath },
    'restore',
    archive,
  );
  assert.is(full.code, 1);
  assert.match(full.err, /has space for/);
  assert.not.ok(existsSync(join(disk.folder, 'other')));

  disk.free();
  const again = await client.post(`/api/admin/backups/${first.id}/restore`, { includeData: true });
  assert.is(again.status, 200, again.text);
  assert.is((await client.get('/api/cms/posts/one')).json.data.title, 'then');
  assert.is((await client.post('/api/admin/backups')).json.status, 'complete');
});

test.run();
