// The ways to restore that .github/DURABILITY.md describes for operators, as it describes them.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

const AS_ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

interface Written {
  service: Service;
  cookie: string;
  /** Returns the commit after the first two documents. */
  before: string;
}

/** Makes two documents, changes one of them and deletes the other, and makes a third. */
async function write(place: Place): Promise<Written> {
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  await client.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  const second = await client.post('/api/cms/posts', { slug: 'gone', data: { title: 'there' } });
  await client.patch('/api/cms/posts/kept', { data: { title: 'new' } });
  await client.send('DELETE', '/api/content/posts/gone');
  await client.post('/api/cms/posts', { slug: 'late', data: { title: 'late' } });
  return { service, cookie, before: String(second.headers['x-cms-commit']) };
}

async function titles(service: Service, cookie: string): Promise<Record<string, string>> {
  const { json } = await service.client(cookie).get('/api/cms/posts?orderBy=slug&order=asc');
  return Object.fromEntries(
    json.documents.map((doc: { slug: string; data: { title: string } }) => [doc.slug, doc.data.title]),
  );
}

const THEN = { gone: 'there', kept: 'old' };
const NOW = { kept: 'new', late: 'late' };

test('an earlier state comes back if its tree is committed on top while the service runs', async () => {
  await using place = makePlace();
  const { service, cookie, before } = await write(place);
  await eventually(
    async () => assert.is((await git(place.repository, 'log', '-1', '--format=%s')).trim(), 'posts/late: create'),
    5000,
  );
  const main = (await git(place.repository, 'rev-parse', 'main')).trim();
  const back = await git(place.repository, ...AS_ADA, 'commit-tree', `${before}^{tree}`, '-p', main, '-m', 'back');
  await git(place.repository, 'update-ref', 'refs/heads/main', back.trim(), main);
  await eventually(async () => assert.equal(await titles(service, cookie), THEN), 5000);
  // Nothing is lost from the history.
  await git(place.repository, 'merge-base', '--is-ancestor', main, 'main');
  assert.is((await service.client(cookie).patch('/api/cms/posts/gone', { data: { title: 'x' } })).status, 200);
});

test('an earlier state comes back if the branch is moved to it while the service is stopped', async () => {
  await using place = makePlace();
  const { service, cookie, before } = await write(place);
  await service.stop();
  await git(place.repository, 'update-ref', 'refs/heads/main', before);
  const again = await place.start();
  assert.equal(await titles(again, cookie), THEN);
  assert.is((await again.client(cookie).patch('/api/cms/posts/kept', { data: { title: 'x' } })).status, 200);
});

test('a copy of the data folder of a stopped service is a backup of all of it', async () => {
  await using place = makePlace();
  const { service, cookie } = await write(place);
  await service.stop();
  const copy = join(place.folder, 'copy');
  cpSync(place.dataDir, copy, { recursive: true });
  rmSync(place.dataDir, { recursive: true });
  cpSync(copy, place.dataDir, { recursive: true });
  assert.equal(await titles(await place.start(), cookie), NOW);
});

test('a mirror clone made while the service runs is a backup of the content', async () => {
  await using place = makePlace();
  const { service } = await write(place);
  const mirror = join(place.folder, 'mirror.git');
  await eventually(
    async () => assert.is((await git(place.repository, 'log', '-1', '--format=%s')).trim(), 'posts/late: create'),
    5000,
  );
  await git(place.folder, 'clone', '--quiet', '--mirror', place.repository, mirror);
  await service.kill();
  rmSync(place.dataDir, { recursive: true });
  mkdirSync(join(place.dataDir, 'sites', 'default'), { recursive: true });
  cpSync(mirror, place.repository, { recursive: true });
  const again = await place.start();
  // Users are not in it: set-up is open again.
  assert.equal(await titles(again, await setUp(again)), NOW);
});

test('a clone whose branch is not main is reported to the operator and gets no starter, and other sites go on', async () => {
  const starter = {
    'posts/starter.json': { id: 'starter', slug: 'starter', collection: 'posts', data: { title: 'x' } },
  };
  await using place = makePlace({ files: starter });
  const { service, cookie } = await write(place);
  await service.stop();
  await git(place.repository, 'branch', '-m', 'main', 'master');
  const refs = await git(place.repository, 'for-each-ref');
  const refused = place.spawn();
  assert.is((await refused.exited).code, 1);
  assert.match(refused.stderr, 'has no branch "main", but "master"; run `git branch -m master main`');
  assert.is(await git(place.repository, 'for-each-ref'), refs);

  const site = (id: string) => ({ id, org: 'default', configPath: place.configPath });
  const registry = { version: 1, sites: [site('default'), site('other')] };
  writeFileSync(join(place.dataDir, 'sites.json'), JSON.stringify(registry));
  const two = await place.start();
  const client = two.client(cookie);
  assert.is((await client.post('/api/cms/posts?site=other', { data: { title: 'x' } })).status, 200);
  assert.is((await client.get('/api/cms/posts?site=default')).status, 503);
  assert.match((await client.get('/readyz')).json.problems.join(), 'git branch -m master main');
  await two.stop();
  await git(place.repository, 'branch', '-m', 'master', 'main');
  const again = await place.start();
  const { json } = await again.client(cookie).get('/api/cms/posts?site=default&orderBy=slug&order=asc');
  assert.equal(
    json.documents.map(({ slug }: { slug: string }) => slug),
    ['kept', 'late'],
  );
});

test.run();
