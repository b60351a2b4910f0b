// Kills in the middle of a restore: of the service while it restores a backup, and of the command line while it makes a
// site.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCode } from '../../src/lib/error-code.ts';
import { colophon, downloadArchive } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { ADMIN, eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

const CLI = resolve(import.meta.dirname, '../../src/cli/main.ts');
/** Rounds of kills: on a busy machine one may come when all is done. */
const MAX_TRIES = 10;

async function signIn(service: Service): Promise<string> {
  const { cookie } = await service.client().post('/api/auth/login', ADMIN);
  return cookie!;
}

const restoring = (env: Record<string, string>, archive: string): ChildProcess =>
  spawn(process.execPath, [CLI, 'restore', archive], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  });

/** Kills the process as soon as it is time, and resolves with whether that ended it. */
async function killOnce(child: ChildProcess, isTime: () => boolean): Promise<boolean> {
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    if (isTime()) {
      child.kill('SIGKILL');
      break;
    }
    await delay(1);
  }
  const [code, signal] = await ended;
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${signal ?? code}`);
  return signal === 'SIGKILL';
}

/** Returns true if a name below the folder begins like that. */
function hasName(folder: string, start: string): boolean {
  try {
    return readdirSync(folder, { recursive: true }).some((file) => basename(String(file)).startsWith(start));
  } catch (error) {
    // It does not exist yet, or a folder in it was removed while it was listed: the caller looks again.
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** How long git may need for an answered commit: a second, on a busy machine somewhat longer. */
async function treeOf(place: Place, commit: string): Promise<string> {
  return (await eventually(() => git(place.repository, 'rev-parse', `${commit}^{tree}`), 10_000)).trim();
}

test('a restore that is killed anywhere leaves the site as it was, or restored', async () => {
  await using place = makePlace();
  let service = await place.start();
  let cookie = await setUp(service);
  const data = join(place.dataDir, 'sites', 'default', '_data');
  const settings = (timezone: string) => service.client(cookie).post('/api/admin/site-config', { timezone });
  for (let i = 0; i < 40; i++) {
    await service.client(cookie).post('/api/cms/posts', { slug: `d${i}`, data: { title: 'then' } });
  }
  await settings('Europe/Copenhagen');
  const { json: backup } = await service.client(cookie).post('/api/admin/backups');
  const then = await treeOf(place, backup.commit);
  let restored = 0;
  for (const [round, pauseMs] of [5, 30, 120].entries()) {
    await service.client(cookie).patch('/api/cms/posts/d0', { data: { title: `now ${round}` } });
    const { headers } = await service.client(cookie).patch('/api/cms/posts/d1', { data: { title: `now ${round}` } });
    await settings('Asia/Tokyo');
    const now = String(headers['x-cms-commit']);
    const asking = service
      .client(cookie)
      .post(`/api/admin/backups/${backup.id}/restore`, { includeData: true })
      .catch(() => undefined);
    await delay(pauseMs);
    await service.kill();
    const isAnswered = (await asking)?.status === 200;
    service = await place.start();
    cookie = await signIn(service);
    const client = service.client(cookie);
    const head = (await client.get('/api/admin/repository')).json.head;
    const tree = await treeOf(place, head);
    const before = await treeOf(place, now);
    assert.ok(tree === then || tree === before, `round ${round}`);
    const { title } = (await client.get('/api/cms/posts/d0')).json.data;
    assert.is(title, tree === then ? 'then' : `now ${round}`);
    if (isAnswered) assert.is(tree, then);
    if (tree === then) restored++;
    // No leftovers remain, and data that was on its way has arrived.
    assert.equal(
      readdirSync(join(data, 'backups')).filter((name) => name.startsWith('restoring')),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(data, 'backups', 'manifest.json'), 'utf8'));
    assert.is(manifest.restoring, null);
    const { timezone } = (await client.get('/api/admin/site-config')).json;
    if (isAnswered) assert.is(timezone, 'Europe/Copenhagen');
    await git(place.repository, 'merge-base', '--is-ancestor', now, 'main');
  }
  assert.is(await git(place.repository, 'fsck', '--strict', '--no-dangling'), '');
  const { status, json } = await service.client(cookie).post(`/api/admin/backups/${backup.id}/restore`);
  assert.is(status, 200);
  assert.ok(json.before.id && restored >= 0);
});

test('a half-restored site does not count: the next try restores it', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  for (let i = 0; i < 100; i++) {
    await service
      .client(cookie)
      .post('/api/cms/posts', { slug: `d${i}`, data: { title: `${i}`, body: 'x'.repeat(2000) } });
  }
  const { json: backup } = await service.client(cookie).post('/api/admin/backups');
  const archive = join(place.folder, 'site.tar.gz');
  await downloadArchive(service.url, backup.id, { cookie }, archive);
  await service.kill();

  await using other = makePlace();
  const env = { CMS_DATA_DIR: other.dataDir, CMS_CONFIG_PATH: other.configPath };
  const sites = join(other.dataDir, 'sites');
  const half: string[] = [];
  for (const name of ['.restoring-', '_data', 'main']) {
    for (let tries = 0; tries < MAX_TRIES && !half.includes(name); tries++) {
      const isKilled = await killOnce(restoring(env, archive), () => hasName(sites, name));
      if (!existsSync(join(sites, 'default'))) {
        assert.ok(isKilled, 'it ended by itself, without a site');
        half.push(name);
        continue;
      }
      // It was done before the kill came: then the site is whole.
      const whole = await colophon(env, 'verify');
      assert.is(whole.code, 0, whole.err);
      rmSync(join(sites, 'default'), { recursive: true });
    }
  }
  assert.equal(half.slice(0, 2), ['.restoring-', '_data']);
  assert.not.ok(existsSync(join(sites, 'default')), 'no half of a site can start');
  const ran = await colophon(env, 'restore', archive);
  assert.is(ran.code, 0, ran.err);
  assert.equal(readdirSync(sites), ['default']);
  const sound = await colophon(env, 'verify');
  assert.is(sound.code, 0, sound.err);
  const again = await colophon(env, 'restore', archive);
  assert.is(again.code, 1);
  assert.match(again.err, /already exists/);
});

test.run();
