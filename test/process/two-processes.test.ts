// Two processes on one data folder in spite of the lock: it was deleted, or the folder was exchanged. Everything that
// either answered is there; the one that is no longer in charge reports that and ends.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_IN_USE } from '../../src/lib/exit-codes.ts';
import type { Client } from '../support/client.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

function removeLock({ dataDir }: Place): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith('lock.')) rmSync(join(dataDir, name));
}

interface Writer {
  answered: Set<string>;
  refused: string[];
  stop(): Promise<void>;
}

/** Creates documents one after the other, several at a time, until it is stopped or refused. */
function writeOn(client: Client, prefix: string): Writer {
  const answered = new Set<string>();
  const refused: string[] = [];
  let isStopped = false;
  const lane = async (name: string): Promise<void> => {
    for (let n = 0; !isStopped; n++) {
      const slug = `${prefix}-${name}-${n}`;
      const reply = await client.post('/api/cms/posts', { slug, data: { title: slug } }).catch(() => undefined);
      if (reply?.status === 200) answered.add(slug);
      else {
        if (reply) refused.push(`${reply.status} ${reply.json?.error}`);
        return;
      }
    }
  };
  const lanes = ['a', 'b', 'c', 'd'].map(lane);
  return {
    answered,
    refused,
    async stop() {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

async function checkAll(service: Service, cookie: string, place: Place, answered: Iterable<string>): Promise<void> {
  const { json } = await service.client(cookie).get('/api/cms/posts?limit=100000&fields=title');
  const slugs = new Set(json.documents.map(({ slug }: { slug: string }) => slug));
  for (const slug of answered) assert.ok(slugs.has(slug), `${slug} was answered and is gone`);
  await eventually(async () => {
    const files = (await git(place.repository, 'ls-tree', '-r', '--name-only', 'main')).split('\n');
    for (const slug of answered) assert.ok(files.includes(`content/posts/${slug}.json`), `${slug} is not in git`);
  }, 10_000);
  const ids = (await git(place.repository, 'log', '--format=%(trailers:key=Change-Id,valueonly)', 'main')).split('\n');
  const named = ids.filter((id) => id !== '');
  assert.is(new Set(named).size, named.length, 'each change is in the log once');
}

test('a second process that starts because the lock was deleted loses nothing that either of them answered', async () => {
  await using place = makePlace();
  const first = await place.start();
  const cookie = await setUp(first);
  const writer = writeOn(first.client(cookie), 'first');
  await eventually(() => assert.ok(writer.answered.size > 20), 10_000);
  removeLock(place);
  const second = await place.start();
  const other = writeOn(second.client(cookie), 'second');
  await eventually(() => assert.ok(other.answered.size > 20), 10_000);
  await writer.stop();
  const said = writer.refused.filter((text) => !text.includes('503'));
  assert.equal(said, []);
  const { code } = await first.exited;
  assert.is(code, EXIT_IN_USE);
  const fatal = first.log().filter(({ level }) => level === 60);
  assert.match(fatal.map(({ msg }) => msg).join(), /lock .* another process can lock the data folder/);
  await other.stop();
  assert.equal(other.refused, []);
  await checkAll(second, cookie, place, [...writer.answered, ...other.answered]);
  await second.kill();
  await checkAll(await place.start(), cookie, place, [...writer.answered, ...other.answered]);
});

test('a process that finds the lock, the log or the whole folder exchanged refuses writes and reports why', async () => {
  const exchanges: [what: string, change: (place: Place) => void][] = [
    ['lock', removeLock],
    [
      'another lock',
      ({ dataDir }) => {
        writeFileSync(join(dataDir, 'new'), '');
        renameSync(join(dataDir, 'new'), join(dataDir, 'lock.sqlite'));
      },
    ],
    ['data folder', ({ dataDir }) => renameSync(dataDir, `${dataDir}.moved`)],
    [
      'segment',
      ({ dataDir }) => {
        const wal = join(dataDir, 'sites/default/wal');
        for (const name of readdirSync(wal)) {
          cpSync(join(wal, name), join(wal, `${name}.copy`));
          renameSync(join(wal, `${name}.copy`), join(wal, name));
        }
      },
    ],
    ['epoch', ({ dataDir }) => rmSync(join(dataDir, 'sites/default/content.git/colophon.epochs'), { recursive: true })],
  ];
  for (const [what, change] of exchanges) {
    await using place = makePlace();
    const service = await place.start();
    const client = service.client(await setUp(service));
    assert.is((await client.post('/api/cms/posts', { slug: 'one', data: { title: 'x' } })).status, 200);
    const users = join(place.dataDir, 'users.json');
    const before = readFileSync(users, 'utf8');
    change(place);
    if (what.includes('lock') || what === 'data folder') {
      const body = { email: 'bob@example.org', name: 'Bob', role: 'editor', password: 'correct horse battery' };
      assert.is((await client.post('/api/admin/users', body)).status, 503, what);
      const kept = join(what === 'data folder' ? `${place.dataDir}.moved` : place.dataDir, 'users.json');
      assert.is(readFileSync(kept, 'utf8'), before, what);
    }
    const reply = await client.post('/api/cms/posts', { data: { title: 'y' } });
    assert.is(reply.status, 503, what);
    assert.match(reply.json.error, 'make sure that no other process uses the data folder');
    assert.is((await client.get('/readyz')).status, 503, what);
    assert.is((await client.get('/api/cms/posts/one')).json.data.title, 'x');
    await service.kill();
  }
});

test('a copy of a running service’s data folder can be served at the same time, and neither disturbs the other', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  for (let n = 0; n < 5; n++) await client.post('/api/cms/posts', { slug: `w${n}`, data: { title: 'x' } });
  await eventually(
    async () => assert.match((await client.get('/metrics')).text, /unflushed_commits\{[^}]*\} 0$/m),
    5000,
  );
  const copy = join(place.folder, 'copy');
  cpSync(place.dataDir, copy, { recursive: true });
  const other = await place.start({ CMS_DATA_DIR: copy });
  assert.is((await other.client(cookie).post('/api/cms/posts', { slug: 'theirs', data: { title: 'x' } })).status, 200);
  assert.is((await client.post('/api/cms/posts', { slug: 'ours', data: { title: 'x' } })).status, 200);
  assert.is((await client.get('/readyz')).status, 200);
  assert.is((await other.stop()).code, 0);
  assert.is((await service.stop()).code, 0);
});

test.run();
