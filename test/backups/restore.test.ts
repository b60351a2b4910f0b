// A backup restored in place, as readers, writers and the history see it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sha256 } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { readTar, writeTar } from '../support/tar.ts';
import { gif, upload } from '../support/upload.ts';
import { CONFIG, makeWorld, type World } from '../support/world.ts';

async function backUp(world: World, query = ''): Promise<{ id: string; commit: string }> {
  const { status, json, text } = await world.admin.post(`/api/admin/backups${query}`);
  assert.is(status, 200, text);
  return json;
}

async function restore(world: World, id: string, body: object = {}) {
  const reply = await world.admin.post(`/api/admin/backups/${id}/restore`, body);
  assert.is(reply.status, 200, reply.text);
  return reply.json;
}

function siteFolder(world: World, site = 'default'): string {
  return join(world.dataDir, 'sites', site);
}

test('a restore brings back changed and deleted documents, removes newer ones, and loses no history', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old title' } });
  await admin.post('/api/cms/posts', { slug: 'gone', status: 'published', data: { title: 'there' } });
  const old = await admin.get('/api/cms/posts/kept');
  const { id, commit } = await backUp(world);
  world.advance(1000);
  await admin.patch('/api/cms/posts/kept', { data: { title: 'fresh title' } });
  await admin.delete('/api/cms/posts/gone');
  await admin.post('/api/cms/posts', { slug: 'late', data: { title: 'late' } });
  const now = await admin.get('/api/cms/posts/kept');

  const { result, events } = await world.appended(() => restore(world, id));
  assert.is(result.restored.id, id);
  assert.is(result.before.trigger, 'restore');
  assert.is(events.length, 1);
  const [event] = events;
  assert.is(event!.commit, result.commit);
  assert.is(event!.author, 'Ada <ada@example.com>');
  assert.is(event!.subject, `backups: restore ${id}`);
  assert.is(event!.trailers.Event, 'backup.restored');
  assert.is(event!.trailers.Backup, id);
  assert.is(event!.trailers['Restored-From'], commit);
  assert.is(event!.trailers.Actor, 'user');
  assert.ok(event!.trailers['Request-Id'] && event!.trailers['Change-Id']);

  const back = await admin.get('/api/cms/posts/kept');
  assert.is(back.text, old.text);
  assert.is(back.headers.etag, old.headers.etag);
  assert.is((await admin.get('/api/cms/posts/gone')).json.data.title, 'there');
  assert.is((await admin.get('/api/cms/posts/late')).status, 404);
  assert.is((await admin.get('/api/cms/posts')).json.total, 2);
  const found = async (q: string) =>
    (await admin.get(`/api/search?q=${q}`)).json.map(({ slug }: { slug: string }) => slug);
  assert.equal(await found('old'), ['kept']);
  assert.equal(await found('fresh'), []);
  assert.equal(await found('late'), []);

  // A writer that read the newer state gets a conflict.
  const stale = { 'if-match': String(now.headers.etag) };
  assert.is((await admin.patch('/api/cms/posts/kept', { data: { title: 'x' } }, stale)).status, 412);
  const repository = join(siteFolder(world), 'content.git');
  assert.is(
    (await git(repository, 'rev-parse', `${result.commit}^{tree}`)).trim(),
    (await git(repository, 'rev-parse', `${commit}^{tree}`)).trim(),
  );
  assert.is(await git(repository, 'fsck', '--strict', '--no-dangling'), '');
  const { json: history } = await admin.get('/api/cms/posts/kept/history');
  assert.equal(
    history.entries.map((entry: { event: string }) => entry.event),
    ['backup.restored', 'document.updated', 'document.created'],
  );
  // The state before is a backup too, and can be restored in the same way.
  await restore(world, result.before.id);
  assert.is((await admin.get('/api/cms/posts/kept')).json.data.title, 'fresh title');
  assert.is((await admin.get('/api/cms/posts/late')).status, 200);
  assert.is((await admin.get('/api/cms/posts/gone')).status, 404);
});

test('a restore is not logged as external commits', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const { id } = await backUp(world);
  await world.admin.patch('/api/cms/posts/kept', { data: { title: 'new' } });
  const { commit } = await restore(world, id);
  const lines = world.logged.filter(({ msg }) => /changed files|restored a backup/.test(String(msg)));
  assert.equal(
    lines.map(({ level, msg }) => [level, msg]),
    [[30, `commit ${commit} restored a backup`]],
  );
});

test('a HEAD request for an archive gets its headers, and nothing is read or recorded', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const { id } = await backUp(world);
  const archive = `/api/admin/backups/${id}/archive`;
  const recorded = async (): Promise<number> => {
    const { entries } = (await world.admin.get('/api/admin/audit')).json;
    return entries.filter(({ action }: { action: string }) => action === 'backup.downloaded').length;
  };
  const asked = await world.admin.head(archive);
  assert.is(asked.status, 200);
  assert.is(await recorded(), 0);
  // Only a GET finds the damage.
  writeFileSync(join(siteFolder(world), '_data', 'backups', `${id}.tar.gz`), 'damaged');
  assert.is((await world.admin.head(archive)).status, 200);
  assert.is((await world.admin.get(archive)).status, 503);
  assert.is(await recorded(), 1);
  for (const name of ['content-type', 'content-disposition', 'cache-control']) {
    assert.match(
      String(asked.headers[name]),
      { 'content-type': /gzip/, 'content-disposition': id }[name] ?? /no-store/,
    );
  }
  assert.is((await world.admin.head('/api/admin/backups/none/archive')).status, 404);
});

test('media are restored with their bytes', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const { json: file } = await upload(admin, 'one.gif', gif(1), { folder: 'images' });
  const { id } = await backUp(world);
  assert.is((await admin.delete('/api/media/images/one.gif')).status, 200);
  await upload(admin, 'two.gif', gif(2), { folder: 'images' });
  assert.is((await admin.get(file.url)).status, 404);
  await restore(world, id);
  const { json } = await admin.get('/api/media');
  assert.equal(
    json.files.map(({ name }: { name: string }) => name),
    ['one.gif'],
  );
  const served = await admin.get(file.url);
  assert.is(served.status, 200);
  assert.is(served.headers['content-length'], String(gif(1).length));
});

test('the restored state survives a restart', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const { id } = await backUp(world);
  await world.admin.patch('/api/cms/posts/kept', { data: { title: 'new' } });
  await restore(world, id);
  await world.restart();
  assert.is((await world.admin.get('/api/cms/posts/kept')).json.data.title, 'old');
  assert.is((await world.admin.get('/api/admin/backups')).json.snapshots.length, 2);
});

test('a restore makes no commit if the content is the same as in the backup', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const { id } = await backUp(world);
  const { result, events } = await world.appended(() => restore(world, id));
  assert.is(result.commit, null);
  assert.equal(events, []);
});

test('documents of a collection that is no longer configured are restored as files, with a warning', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/notes', { slug: 'one', data: { title: 'note' } });
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'post' } });
  const { id } = await backUp(world);
  await world.admin.delete('/api/cms/notes/one');
  const collections = CONFIG.collections!.filter(({ name }) => name !== 'notes');
  await world.restart({ config: { ...CONFIG, collections } });
  const { warnings, commit } = await restore(world, id);
  assert.is(warnings.length, 1);
  assert.match(warnings[0].path, /^content\/notes/);
  const repository = join(siteFolder(world), 'content.git');
  assert.match(await git(repository, 'ls-tree', '-r', '--name-only', commit), /^content\/notes\/one\.json$/m);
});

test('_data is restored only on request: its files as they were, and files that were added since stay', async () => {
  await using world = await makeWorld();
  const data = join(siteFolder(world), '_data');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(data, name)), { recursive: true });
    writeFileSync(join(data, name), text);
  };
  const read = (name: string): string | undefined =>
    existsSync(join(data, name)) ? readFileSync(join(data, name), 'utf8') : undefined;
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  assert.is((await world.admin.post('/api/admin/site-config', { timezone: 'Europe/Copenhagen' })).status, 200);
  write('brand-voice.json', 'then');
  write('voices/deep/one.json', 'then');
  const { id } = await backUp(world);
  write('brand-voice.json', 'now');
  write('voices/deep/two.json', 'now');
  assert.is((await world.admin.post('/api/admin/site-config', { timezone: 'Asia/Tokyo' })).status, 200);
  assert.is((await restore(world, id)).dataFiles, null);
  assert.is(read('brand-voice.json'), 'now');
  const { dataFiles } = await restore(world, id, { includeData: true });
  assert.ok(dataFiles >= 3);
  assert.is(read('brand-voice.json'), 'then');
  assert.is(read('voices/deep/one.json'), 'then');
  assert.is(read('voices/deep/two.json'), 'now');
  assert.is((await world.admin.get('/api/admin/site-config')).json.timezone, 'Europe/Copenhagen');
  assert.equal(
    (await world.admin.get('/api/admin/backups')).json.snapshots.map(({ status }: { status: string }) => status),
    ['complete', 'complete', 'complete'],
  );
});

test('files that the service makes again by itself are not restored, even if an older archive has them', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  assert.is((await world.admin.post('/api/admin/site-config', { backupSchedule: '0 4 * * *' })).status, 200);
  const { id } = await backUp(world);
  const data = join(siteFolder(world), '_data');
  const [archive, manifestFile] = [`${id}.tar.gz`, 'manifest.json'].map((name) => join(data, 'backups', name));
  const entries = await readTar(readFileSync(archive!));
  assert.not.ok(entries.some(({ header }) => header.name === 'schedule.json'));
  const files = ['calendar.json', 'schedule.json'].map((name) => ({ header: { name }, content: Buffer.from('{}') }));
  const older = await writeTar([
    ...files,
    ...entries.map(({ header, content }) => ({ header: { name: header.name }, content })),
  ]);
  writeFileSync(archive!, older);
  const manifest = JSON.parse(readFileSync(manifestFile!, 'utf8'));
  const [record] = manifest.snapshots;
  record.sha256 = sha256(older);
  record.dataFiles += 2;
  record.dataBytes += 4;
  writeFileSync(manifestFile!, JSON.stringify(manifest));
  await world.restart();
  const schedule = readFileSync(join(data, 'schedule.json'), 'utf8');
  assert.is((await restore(world, id, { includeData: true })).dataFiles, entries.length);
  assert.is(readFileSync(join(data, 'schedule.json'), 'utf8'), schedule);
  assert.is(existsSync(join(data, 'calendar.json')), false);
});

test('nothing is restored if _data is requested and the archive is damaged', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const { id } = await backUp(world);
  await world.admin.patch('/api/cms/posts/kept', { data: { title: 'new' } });
  const file = join(siteFolder(world), '_data', 'backups', `${id}.tar.gz`);
  const bytes = readFileSync(file);
  for (const damaged of [bytes.subarray(0, -12), gzipSync(gunzipSync(bytes), { level: 9 }), undefined]) {
    rmSync(file);
    if (damaged) writeFileSync(file, damaged);
    const { events, result } = await world.appended(() =>
      world.admin.post(`/api/admin/backups/${id}/restore`, { includeData: true }),
    );
    assert.is(result.status, 503);
    assert.equal(events, []);
  }
  assert.is((await world.admin.get(`/api/admin/backups/${id}/archive`)).status, 503);
  assert.is((await world.admin.get('/api/cms/posts/kept')).json.data.title, 'new');
});

test('writes during a restore are not lost: each answered change is in the history', async () => {
  await using world = await makeWorld({ now: 'real' });
  const { admin } = world;
  for (let i = 0; i < 50; i++) await admin.post('/api/cms/posts', { slug: `d${i}`, data: { title: 'old' } });
  const { id } = await backUp(world);
  for (let i = 0; i < 50; i++) await admin.patch(`/api/cms/posts/d${i}`, { data: { title: 'changed' } });
  const answered: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const requestId = `writer-${writer}-${i}`;
      const reply = await admin.patch(
        `/api/cms/posts/d${(i * 7 + writer) % 50}`,
        { data: { body: requestId } },
        {
          'x-request-id': requestId,
        },
      );
      assert.is(reply.status, 200, reply.text);
      answered.push(String(reply.headers['x-request-id']));
    }
  });
  for (let round = 0; round < 3; round++) await restore(world, id);
  isOver = true;
  await Promise.all(writers);
  const events = await world.events();
  const known = new Set(events.map(({ trailers }) => trailers['Request-Id']));
  assert.equal(
    answered.filter((one) => !known.has(one)),
    [],
  );
  assert.ok(answered.length > 20, String(answered.length));
  // Writers changed no title, so titles are the backup's.
  const { json } = await admin.get('/api/cms/posts');
  assert.equal(new Set(json.documents.map((doc: { data: { title: string } }) => doc.data.title)), new Set(['old']));
  const repository = join(siteFolder(world), 'content.git');
  assert.is(await git(repository, 'fsck', '--strict', '--no-dangling'), '');
});

test('one restore runs at a time, and a missing or incomplete backup is refused', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  assert.is((await admin.post('/api/admin/backups')).status, 409);
  const [failed] = (await admin.get('/api/admin/backups')).json.snapshots;
  assert.is(failed.status, 'failed');
  assert.is((await admin.post(`/api/admin/backups/${failed.id}/restore`)).status, 409);
  assert.is((await admin.get(`/api/admin/backups/${failed.id}/archive`)).status, 409);
  for (const id of ['none', '20260101T000000Z-00000000', '..%2f..']) {
    assert.is((await admin.post(`/api/admin/backups/${id}/restore`)).status, 404, id);
    assert.is((await admin.get(`/api/admin/backups/${id}/archive`)).status, 404, id);
    assert.is((await admin.delete(`/api/admin/backups/${id}`)).status, 404, id);
  }
  await admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const { id } = await backUp(world);
  await admin.patch('/api/cms/posts/one', { data: { title: 'two' } });
  const replies = await Promise.all([1, 2, 3].map(() => admin.post(`/api/admin/backups/${id}/restore`)));
  assert.equal(replies.map(({ status }) => status).sort(), [200, 409, 409]);
  assert.is((await admin.post(`/api/admin/backups/${id}/restore`, { includeData: 'yes' })).status, 400);
  assert.is((await admin.post('/api/admin/backups', { trigger: 'restore' })).status, 400);
});

test('reading needs sites:read, everything else sites:write, and no permission reaches another site', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const { admin } = world;
  await admin.post('/api/cms/posts?site=default', { slug: 'one', data: { title: 'one' } });
  const { id } = await backUp(world, '?site=default');
  const reader = await world.token(['sites:read']);
  const stranger = await world.token(['content:read', 'content:write']);
  assert.is((await reader.get('/api/admin/backups?site=default')).status, 200);
  assert.is((await reader.get(`/api/admin/backups/${id}/changes?site=default`)).status, 200);
  assert.is((await stranger.get('/api/admin/backups?site=default')).status, 403);
  assert.is((await world.anonymous.get('/api/admin/backups?site=default')).status, 401);
  for (const [method, path] of [
    ['POST', ''],
    ['GET', `/${id}/archive`],
    ['POST', `/${id}/restore`],
    ['DELETE', `/${id}`],
  ]) {
    assert.is(
      (await reader.request(method!, `/api/admin/backups${path}?site=default`)).status,
      403,
      `${method} ${path}`,
    );
  }
  assert.is((await admin.get('/api/admin/backups?site=other')).json.snapshots.length, 0);
  assert.is((await admin.post(`/api/admin/backups/${id}/restore?site=other`)).status, 404);
  assert.is((await admin.delete(`/api/admin/backups/${id}?site=default`)).status, 200);
  assert.equal((await admin.get('/api/admin/backups?site=default')).json, {
    ...{ snapshots: [], restoring: null, lastRestore: null },
  });
});

test('what a restore would change is counted before, and nothing is left to change after', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  for (const slug of ['kept', 'gone', 'same']) await admin.post('/api/cms/posts', { slug, data: { title: slug } });
  await admin.post('/api/cms/many', { slug: 'in-a-shard', data: { title: 'one' } });
  const { json: old } = await upload(admin, 'old.gif', gif(1));
  const { id } = await backUp(world);
  assert.is((await admin.get('/api/admin/backups')).json.snapshots[0].createdBy.name, 'Ada');
  const changes = async () => (await admin.get(`/api/admin/backups/${id}/changes`)).json;
  const none = { added: 0, changed: 0, removed: 0 };
  assert.equal(await changes(), { documents: none, media: none, otherFiles: 0, commit: world.headCommit() });
  await admin.patch('/api/cms/posts/kept', { data: { title: 'fresh' } });
  await admin.patch('/api/cms/many/in-a-shard', { data: { title: 'two' } });
  await admin.delete('/api/cms/posts/gone');
  for (const slug of ['late', 'later', 'latest']) await admin.post('/api/cms/posts', { slug, data: { title: slug } });
  assert.is((await admin.patch(old.url.replace('/uploads/', '/api/media/'), { alt: 'A dot' })).status, 200);
  await upload(admin, 'new.gif', gif(2));
  const { documents, media } = await changes();
  assert.equal(
    [documents, media],
    [
      { added: 1, changed: 2, removed: 3 },
      { added: 0, changed: 1, removed: 1 },
    ],
  );
  await restore(world, id);
  const after = await changes();
  assert.equal([after.documents, after.media, after.otherFiles], [none, none, 0]);
  assert.is((await admin.get('/api/admin/backups/nothing/changes')).status, 404);
});

test.run();
