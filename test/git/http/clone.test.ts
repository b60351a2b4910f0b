// Reading, with git itself and with a client that shares no code with it.
import fs from 'node:fs';
import { join } from 'node:path';
import isomorphic from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { git } from '../../support/git.ts';
import { makeGitWorld } from '../world.ts';

test('a clone has every acknowledged change, in every protocol version', async () => {
  await using world = await makeGitWorld();
  const secret = await world.secret(['content:read']);
  for (const version of ['0', '1', '2']) {
    const slug = `post-${version}`;
    const { headers } = await world.admin.post('/api/cms/posts', { slug, data: { title: 'Hello' } });
    const clone = await world.clone(secret, '-c', `protocol.version=${version}`);
    assert.is(await clone.git('rev-parse', 'HEAD'), headers['x-cms-commit']);
    assert.is(await clone.git('symbolic-ref', 'HEAD'), 'refs/heads/main');
    const doc = JSON.parse(await clone.git('show', `HEAD:content/posts/${slug}.json`));
    assert.equal(doc.data, { title: 'Hello' });
    assert.is(await clone.git('fsck', '--strict'), '');
  }
});

test('a partial clone has no contents of files until it shows them', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'First' } });
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'Second' } });
  const clone = await world.clone(undefined, '--filter=blob:none', '--no-checkout');
  const missing = async (): Promise<number> =>
    (await clone.git('rev-list', '--objects', '--all', '--missing=print')).match(/^\?/gm)?.length ?? 0;
  const without = await missing();
  assert.ok(without >= 2, `${without} files are missing`);
  assert.match(await clone.git('show', 'HEAD~1:content/posts/a.json'), /First/);
  assert.match(await clone.git('show', 'HEAD:content/posts/a.json'), /Second/);
  assert.is(await missing(), without - 2);
});

test('before a push the list of refs waits for what is acknowledged', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'First' } });
  const clone = await world.clone();
  await clone.commit({ 'README.md': 'About\n' });
  const { headers } = await world.admin.patch('/api/cms/posts/a', { data: { title: 'Second' } });
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  assert.match(stderr, /\[rejected\].*fetch first/);
  assert.is(await git(world.repository, 'rev-parse', 'main').then((id) => id.trim()), headers['x-cms-commit']);
  await clone.git('pull', '--quiet', '--rebase', 'origin', 'main');
  await clone.pushed();
});

test('an empty site can be cloned', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  assert.is((await clone.run('rev-parse', 'HEAD')).ok, false);
  assert.is(await clone.git('symbolic-ref', 'HEAD'), 'refs/heads/main');
});

test('a fetch brings new commits, and a shallow clone only as many as it asks for', async () => {
  await using world = await makeGitWorld();
  for (const n of [1, 2, 3]) await world.admin.post('/api/cms/posts', { slug: `post-${n}`, data: {} });
  const whole = await world.clone();
  const shallow = await world.clone(undefined, '--depth', '1');
  assert.is(await shallow.git('rev-list', '--count', 'HEAD'), '1');
  assert.is(fs.readdirSync(join(shallow.folder, 'content/posts')).length, 3);
  const { headers } = await world.admin.post('/api/cms/posts', { slug: 'post-4', data: {} });
  for (const clone of [whole, shallow]) {
    await clone.git('pull', '--quiet');
    assert.is(await clone.git('rev-parse', 'HEAD'), headers['x-cms-commit']);
  }
  await shallow.git('fetch', '--quiet', '--unshallow');
  assert.is(await shallow.git('rev-list', '--count', 'HEAD'), '4');
  // So many commits to name that git gzips the request.
  await whole.git('checkout', '--quiet', '--orphan', 'elsewhere');
  for (let n = 0; n < 40; n++) await whole.git('commit', '--quiet', '--allow-empty', '-m', `local ${n}`);
  await world.admin.post('/api/cms/posts', { slug: 'post-5', data: {} });
  await whole.git('-c', 'protocol.version=0', 'fetch', '--quiet', 'origin');
  assert.is(await whole.git('rev-parse', 'origin/main'), world.headCommit());
});

test('branches and tags are shown, and internal refs of the service are not', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  await world.events();
  const others = ['refs/heads/draft', 'refs/tags/v1', 'refs/colophon/kept/1', 'refs/remotes/host/main', 'refs/notes/x'];
  for (const ref of others) await git(world.repository, 'update-ref', ref, 'main');
  const address = world.address(await world.secret());
  const shown = ['HEAD', 'refs/heads/draft', 'refs/heads/main', 'refs/tags/v1'];
  for (const version of ['0', '2']) {
    const { stdout } = await world.run('-c', `protocol.version=${version}`, 'ls-remote', address);
    assert.equal(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[1]),
      shown,
    );
  }
  const clone = await world.clone(undefined, '--mirror');
  assert.equal((await clone.git('for-each-ref', '--format=%(refname)')).split('\n'), shown.slice(1));
  const writer = await world.token(['content:write']);
  const { text } = await writer.get('/git/default.git/info/refs?service=git-receive-pack');
  assert.not.match(text, /colophon\/|remotes|notes/);
  assert.match(text, /refs\/tags\/v1/);
});

test('isomorphic-git clones, fetches and pushes', async () => {
  await using world = await makeGitWorld();
  const { json } = await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  const dir = world.folder('isomorphic');
  const url = `${world.url}/git/default.git`;
  const password = await world.secret();
  const place = { fs, http, dir, url, onAuth: () => ({ username: 'x', password }) };
  await isomorphic.clone({ ...place, singleBranch: true });
  const file = join(dir, 'content/posts/hello.json');
  assert.is(JSON.parse(fs.readFileSync(file, 'utf8')).id, json.id);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"Hello"', '"Good day"'));
  await isomorphic.add({ fs, dir, filepath: 'content/posts/hello.json' });
  const author = { name: 'Grace', email: 'grace@example.org' };
  const oid = await isomorphic.commit({ fs, dir, message: 'By hand', author });
  const pushed = await isomorphic.push({ ...place, ref: 'main' });
  assert.is(pushed.ok, true);
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.title, 'Good day');
  assert.is(world.headCommit(), oid);
  const { headers } = await world.admin.patch('/api/cms/posts/hello', { data: { rank: 1 } });
  const { fetchHead } = await isomorphic.fetch({ ...place, ref: 'main' });
  assert.is(fetchHead, headers['x-cms-commit']);
});

test('without git on the machine, clones and pushes are refused with the advice to install it', async () => {
  await using world = await makeGitWorld({ env: { PATH: '/nonexistent' } });
  const address = world.address(await world.secret());
  const cloned = await world.run('clone', address, world.folder('clone'));
  assert.is(cloned.ok, false);
  assert.match(cloned.stderr, /remote: clones and pushes need git, .* install it/);
  const client = await world.token(['content:read', 'content:write']);
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    assert.is((await client.get(`/git/default.git/info/refs?service=${service}`)).status, 503);
    const type = { 'content-type': `application/x-${service}-request` };
    const ask = toPacket(`${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/main\0report-status\n`);
    const { status } = await client.post(`/git/default.git/${service}`, Buffer.concat([ask, FLUSH]), type);
    assert.is(status, 503, service);
  }
});

test.run();
