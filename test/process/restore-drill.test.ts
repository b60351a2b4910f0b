// The restore drill: a backup is made under load, downloaded over HTTP, and restored as a site on an empty machine,
// which git itself compares with the original repository. And a kill in the middle of a backup.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { colophon, downloadArchive } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

const WRITERS = 4;

interface Written {
  slug: string;
  title: string;
  commit: string;
}

/** Writes until it is stopped; the list has every answered write, in the order of the answers. */
function startWriters(service: Service, cookie: string): { stop(): Promise<Written[]>; answered: Written[] } {
  const answered: Written[] = [];
  let isStopped = false;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const client = service.client(cookie);
    for (let i = 0; !isStopped; i++) {
      const slug = `w${writer}-${i % 20}`;
      const title = `${i}`;
      const reply =
        i < 20
          ? await client.post('/api/cms/posts', { slug, status: 'published', data: { title } })
          : await client.patch(`/api/cms/posts/${slug}`, { data: { title } });
      assert.ok(reply.status < 300, `${reply.status} ${reply.text}`);
      answered.push({ slug, title, commit: String(reply.headers['x-cms-commit']) });
    }
    client.close();
  });
  return {
    answered,
    async stop() {
      isStopped = true;
      await Promise.all(writers);
      return answered;
    },
  };
}

async function files(repository: string, commit: string): Promise<string> {
  return git(repository, 'ls-tree', '-r', commit);
}

async function etags(service: Service, cookie: string): Promise<string[]> {
  const client = service.client(cookie);
  const { json } = await client.get('/api/cms/posts?fields=title');
  const lines: string[] = [];
  for (const { slug } of json.documents) {
    const { headers } = await client.get(`/api/cms/posts/${slug}`);
    lines.push(`100644 blob ${String(headers.etag).replaceAll('"', '')}\tcontent/posts/${slug}.json`);
  }
  client.close();
  return lines.sort();
}

function envOf(place: Place): Record<string, string> {
  return { CMS_DATA_DIR: place.dataDir, CMS_CONFIG_PATH: place.configPath };
}

test('a backup made under load becomes, on an empty machine, the site as it was at one commit', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const writers = startWriters(service, cookie);
  await eventually(() => assert.ok(writers.answered.length > 200), 20_000);

  const before = writers.answered.length;
  const { status, json: snapshot } = await service.client(cookie).post('/api/admin/backups');
  assert.is(status, 200);
  const archive = join(place.folder, 'site.tar.gz');
  const during = writers.answered.length;
  const downloaded = await downloadArchive(service.url, snapshot.id, { cookie }, archive);
  const answered = await writers.stop();
  assert.is(downloaded.status, 200);
  assert.is(downloaded.headers['cache-control'], 'no-store');
  assert.ok(answered.length > during, 'writers went on');

  // The machine is gone; its repository is only used to compare.
  await service.kill();
  await using other = makePlace();
  const ran = await colophon(envOf(other), 'restore', archive);
  assert.is(ran.code, 0, ran.err);
  assert.is((await git(other.repository, 'rev-parse', 'main')).trim(), snapshot.commit);
  assert.is(await files(other.repository, 'main'), await files(place.repository, snapshot.commit));
  assert.is(
    await git(other.repository, 'rev-list', 'main'),
    await git(place.repository, 'rev-list', snapshot.commit),
    'the whole history',
  );
  assert.is(await git(other.repository, 'fsck', '--strict', '--no-dangling'), '');
  // One point in time: everything that was answered before the request is below its commit.
  const history = new Set((await git(other.repository, 'rev-list', 'main')).trim().split('\n'));
  for (const { commit, slug, title } of answered.slice(0, before)) {
    assert.ok(history.has(commit), `${slug} ${title} is missing`);
  }

  const sound = await colophon(envOf(other), 'verify');
  assert.is(sound.code, 0, sound.err);
  const restored = await other.start();
  const again = await setUp(restored); // users are in no backup
  assert.equal(
    await etags(restored, again),
    (await files(place.repository, snapshot.commit))
      .split('\n')
      .filter((line) => line.includes('\tcontent/posts/'))
      .sort(),
  );
  const [doc] = (await restored.client(again).get('/api/cms/posts?limit=1')).json.documents;
  const { json: page } = await restored.client(again).get(`/api/cms/posts/${doc.slug}/history`);
  assert.ok(page.total >= 1);
  assert.is((await restored.client(again).patch(`/api/cms/posts/${doc.slug}`, { data: { title: 'on' } })).status, 200);
});

test('an answered backup is there after a kill, and an unanswered one is failed or complete', async () => {
  await using place = makePlace();
  let service = await place.start();
  let cookie = await setUp(service);
  await service.client(cookie).post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const answered: string[] = [];
  for (let round = 0; round < 4; round++) {
    const client = service.client(cookie);
    let isKilled = false;
    const asking = (async () => {
      for (;;) {
        const reply = await client.post('/api/admin/backups').catch(() => undefined);
        if (reply?.status !== 200) break;
        answered.push(reply.json.id);
      }
      assert.ok(isKilled);
    })();
    const wanted = answered.length + 2;
    await eventually(() => assert.ok(answered.length >= wanted), 10_000);
    isKilled = true;
    await service.kill();
    await asking;
    service = await place.start();
    cookie = (await service.client().post('/api/auth/login', { email: 'ada@example.org', password: 'correct horse' }))
      .cookie!;
    const { json } = await service.client(cookie).get('/api/admin/backups');
    const snapshots: { id: string; status: string; commit: string; sizeBytes: number }[] = json.snapshots;
    for (const { status } of snapshots) assert.ok(status === 'complete' || status === 'failed', status);
    const complete = snapshots.filter(({ status }) => status === 'complete');
    const kept = answered.slice(-30).filter((id) => !complete.some((one) => one.id === id));
    assert.equal(kept, []);
    const folder = join(place.dataDir, 'sites', 'default', '_data', 'backups');
    assert.equal(
      readdirSync(folder)
        .filter((name) => name !== 'manifest.json')
        .sort(),
      complete.map(({ id }) => `${id}.tar.gz`).sort(),
    );
    for (const { id, sizeBytes } of complete) assert.is(statSync(join(folder, `${id}.tar.gz`)).size, sizeBytes);
    assert.equal(
      (await git(place.repository, 'tag')).trim().split('\n').sort(),
      complete.map(({ id }) => `backups/${id}`).sort(),
    );
  }
});

test.run();
