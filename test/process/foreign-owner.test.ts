// A data folder in which something belongs to another user, as a command that was run with sudo leaves it: the log has
// one line that names the file, its owner and what to do. Without root nothing can be given away; then the owner has
// closed the file.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type LogLine, makePlace, setUp } from '../support/process.ts';
import { ROOT } from '../support/source.ts';

const isRoot = process.getuid?.() === 0;
const user = isRoot ? 65_534 : undefined;

/** Gives the file to root, or closes it. */
function takeAway(file: string): void {
  if (isRoot) chownSync(file, 0, 0);
  chmodSync(file, isRoot ? 0o600 : 0);
}

function checkSentence(message: string, file: string, dataDir: string): void {
  assert.ok(message.includes(`cannot use "${file}" for the data folder "${dataDir}"`), message);
  assert.match(message, isRoot ? /it belongs to root/ : /its mode is [05]/);
  assert.match(message, isRoot ? /chown -R \S+ \S+\/data\b/ : /chmod -R u\+rwX \S+\/data\b/);
}

test('a start on another user’s files ends with one line and exit code 1, and names the closed folder, not a file in it', async () => {
  await using place = makePlace({ user });
  const first = await place.start();
  await setUp(first);
  await first.stop();
  for (const closed of ['sites/default', 'sites/default/content.git/objects', 'users.json']) {
    const at = join(place.dataDir, closed);
    takeAway(at);
    const starting = place.spawn();
    starting.ready.catch(() => undefined);
    const { code } = await starting.exited;
    assert.is(code, 1);
    assert.is(starting.stderr.trimEnd().split('\n').length, 1, starting.stderr);
    checkSentence(starting.stderr, at, place.dataDir);
    assert.not.match(starting.stdout, /EACCES/);
    if (isRoot) chownSync(at, user!, user!);
    chmodSync(at, 0o700);
  }
});

test('a start that could not write a change is refused, and names the outermost folder that accepts no files', async () => {
  await using place = makePlace({ user });
  const first = await place.start();
  const cookie = await setUp(first);
  const client = first.client(cookie);
  assert.is((await client.post('/api/cms/posts', { slug: 'one', data: { title: 'One' } })).status, 200);
  await first.stop();
  const site = join(place.dataDir, 'sites/default');
  for (const name of [
    'wal',
    'content.git',
    'content.git/objects',
    'content.git/objects/pack',
    'content.git/colophon-new',
    'content.git/refs/heads',
  ]) {
    const at = join(site, name);
    const before = statSync(at).mode;
    if (isRoot) chownSync(at, 0, 0);
    chmodSync(at, isRoot ? 0o755 : 0o555);
    const starting = place.spawn();
    const served = await starting.ready.then(
      () => true,
      () => false,
    );
    assert.not.ok(served, `it serves with ${at} closed`);
    const { code } = await starting.exited;
    assert.is(code, 1, name);
    assert.is(starting.stderr.trimEnd().split('\n').length, 1, starting.stderr);
    checkSentence(starting.stderr, at, place.dataDir);
    if (isRoot) chownSync(at, user!, user!);
    chmodSync(at, before);
  }
  const again = await place.start();
  assert.is((await again.client(cookie).post('/api/cms/posts', { slug: 'two', data: { title: 'Two' } })).status, 200);
  await again.stop();
});

test('a site among several that could not write a change is not opened, and the others are served', async () => {
  await using place = makePlace({ user });
  const first = await place.start();
  const cookie = await setUp(first);
  const made = await first.client(cookie).post('/api/admin/sites', { id: 'second', configPath: place.configPath });
  assert.is(made.status, 200, made.text);
  const zero = { slug: 'zero', data: { title: 'Zero' } };
  assert.is((await first.client(cookie).post('/api/cms/posts?site=second', zero)).status, 200);
  await first.stop();
  const at = join(place.dataDir, 'sites/second/wal');
  if (isRoot) chownSync(at, 0, 0);
  chmodSync(at, isRoot ? 0o755 : 0o555);
  const service = await place.start();
  const client = service.client(cookie);
  const body = { slug: 'one', data: { title: 'One' } };
  assert.is((await client.post('/api/cms/posts?site=default', body)).status, 200);
  assert.is((await client.post('/api/cms/posts?site=second', body)).status, 503);
  const refusal = service.log().find(({ msg }: LogLine) => msg === 'site cannot be opened');
  checkSentence(refusal?.err.message, at, place.dataDir);
  assert.is((await service.stop()).code, 0);
});

test('a file that was given to another user after the start is one line in the log, without a stack', async () => {
  await using place = makePlace({ user });
  const service = await place.start();
  const client = service.client(await setUp(service));
  const file = join(place.dataDir, 'users.json');
  takeAway(file);
  const body = { email: 'bob@example.org', name: 'Bob', role: 'editor', password: 'correct horse battery' };
  assert.is((await client.post('/api/admin/users', body)).status, 500);
  await service.stop();
  const errors = service.log().flatMap(({ err }: LogLine) => (err ? [err] : []));
  assert.ok(errors.length > 0);
  for (const { stack, message } of errors) {
    assert.is(stack, undefined);
    checkSentence(message, file, place.dataDir);
  }
});

test('a token that root makes on the command line is one that the service can read', async () => {
  await using place = makePlace({ user });
  const service = await place.start();
  await setUp(service);
  const args = ['token', 'create', '--name', 'cli', '--permissions', 'content:read', '--data', place.dataDir];
  const made = spawnSync(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args], { encoding: 'utf8' });
  assert.is(made.status, 0, made.stderr);
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };
  assert.is((await service.client().get('/api/cms/posts?status=draft', headers)).status, 200);
  for (const name of readdirSync(place.dataDir))
    assert.is(statSync(join(place.dataDir, name)).uid, statSync(place.dataDir).uid, name);
  assert.is((await service.stop()).code, 0);
});

test.run();
