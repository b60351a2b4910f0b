// Accepted pushes.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../../src/lib/errors.ts';
import { newAttributes } from '../../../src/lib/git-attributes.ts';
import { git, gitLog } from '../../support/git.ts';
import { eventually } from '../../support/process.ts';
import { type GitWorld, makeGitWorld, postFile } from '../world.ts';

/** Checks that nothing is running or left over, and that git accepts the repository. */
async function checkTidy(world: GitWorld): Promise<void> {
  await world.events(); // waits for the branch
  assert.equal(world.listIncoming(), []);
  const packs = readdirSync(join(world.repository, 'objects', 'pack'));
  assert.equal(
    packs.filter((name) => !/\.(pack|idx)$/.test(name)),
    [],
  );
  await git(world.repository, 'fsck', '--strict', '--full', '--connectivity-only');
}

test('the next request reads the pushed documents', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'stays', data: { title: 'Stays' } });
  await world.admin.post('/api/cms/posts', { slug: 'goes', data: { title: 'Goes' } });
  const clone = await world.clone();
  const stays = JSON.parse(await clone.git('show', 'HEAD:content/posts/stays.json'));
  await clone.commit(
    { 'content/posts/new.json': postFile('new', { data: { title: 'Brand new' } }) },
    'posts/new: write',
  );
  const to = await clone.commit({
    'content/posts/stays.json': `${JSON.stringify({ ...stays, data: { title: 'Changed' } }, null, 2)}\n`,
    'content/posts/goes.json': null,
    'README.md': 'About this site\n',
  });
  await clone.pushed();

  assert.is((await world.admin.get('/api/cms/posts/new')).json.data.title, 'Brand new');
  assert.is((await world.admin.get('/api/cms/posts/stays')).json.data.title, 'Changed');
  assert.is((await world.admin.get('/api/cms/posts/goes')).status, 404);
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 2);
  assert.equal(
    (await world.admin.get('/api/search?q=brand')).json.map(({ slug }: { slug: string }) => slug),
    ['new'],
  );
  assert.is(world.headCommit(), to);
  assert.is((await git(world.repository, 'rev-parse', 'main')).trim(), to);
  const log = await gitLog(world.repository);
  assert.equal(
    log.slice(-2).map(({ subject }) => subject),
    ['posts/new: write', 'By hand'],
  );
  const { headers } = await world.admin.patch('/api/cms/posts/new', { data: { rank: 1 } });
  await checkTidy(world);
  assert.is((await git(world.repository, 'rev-parse', 'main^')).trim(), to);
  assert.is((await git(world.repository, 'rev-parse', 'main')).trim(), headers['x-cms-commit']);
  await clone.git('pull', '--quiet', '--ff-only');
});

test('a first history can be pushed to an empty site, and is there after a restart', async () => {
  await using world = await makeGitWorld();
  const address = world.address(await world.secret());
  const clone = await world.clone();
  await clone.git('remote', 'set-url', 'origin', address);
  const attributes = newAttributes().toString();
  const to = await clone.commit({ 'content/posts/first.json': postFile('first'), '.gitattributes': attributes });
  await clone.pushed();
  assert.is((await world.admin.get('/api/cms/posts/first')).status, 200);
  await world.restart();
  assert.is((await world.admin.get('/api/cms/posts/first')).status, 200);
  assert.is(world.headCommit(), to);
  await checkTidy(world);
});

test('merges, many commits, and commits from shallow clones can be pushed', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'zero', data: {} });
  await world.admin.post('/api/cms/posts', { slug: 'one', data: {} });
  const shallow = await world.clone(undefined, '--depth', '1');
  await shallow.commit({ 'content/posts/two.json': postFile('two') });
  await shallow.pushed();

  const clone = await world.clone();
  await clone.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
  for (let n = 0; n < 20; n++) await clone.commit({ [`content/posts/side-${n}.json`]: postFile(`side-${n}`) });
  await clone.git('checkout', '--quiet', 'main');
  await clone.commit({ 'content/posts/three.json': postFile('three') });
  await clone.git('merge', '--quiet', '--no-ff', '-m', 'Together', 'side');
  await clone.pushed();
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 24);
  await checkTidy(world);
});

test('a push of existing objects changes nothing, or only the branch', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  const clone = await world.clone();
  await clone.pushed();
  // A user with access to the disk has put the objects there, under another branch.
  const to = await clone.commit({ 'content/posts/there.json': postFile('there') });
  await git(clone.folder, 'push', '--quiet', world.repository, 'HEAD:refs/heads/side');
  await clone.git('fetch', '--quiet');
  const packs = readdirSync(join(world.repository, 'objects', 'pack'));
  await clone.pushed();
  assert.is(world.headCommit(), to);
  // Only the note of the pusher is added.
  assert.is(readdirSync(join(world.repository, 'objects', 'pack')).length, packs.length + 2);
  assert.is((await world.admin.get('/api/cms/posts/there')).status, 200);
});

test('a push waits for another git process that has locked the branch', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  await world.events();
  const clone = await world.clone();
  const to = await clone.commit({ 'content/posts/new.json': postFile('new') });
  const lock = join(world.repository, 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const pushing = clone.push();
  await eventually(() => assert.is(world.listIncoming().length, 1), 5000);
  await eventually(() => assert.ok(readdirSync(join(world.repository, 'objects', 'pack')).some(isKeep)), 5000);
  assert.is(world.headCommit() === to, false);
  rmSync(lock);
  const { ok, stderr } = await pushing;
  assert.ok(ok, stderr);
  assert.is(world.headCommit(), to);
  await checkTidy(world);
});

const isKeep = (name: string): boolean => /^pack-.*\.keep$/.test(name);

test('a push on a disk that does not answer gets an answer in time, and takes effect when the disk is back', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  const { store } = world.site();
  const { inTime } = store;
  await clone.commit({ 'README.md': 'one\n' });
  store.inTime = () => Promise.reject(new ServiceError('unavailable', 'the disk has not answered for 9 s'));
  const refused = await clone.run('push', 'origin', 'main');
  assert.is(refused.ok, false);
  assert.match(refused.stderr, 'the disk has not answered');
  assert.equal(world.listIncoming(), []);
  store.inTime = (run) =>
    run().then(() => Promise.reject(new ServiceError('outcome_unknown', 'the disk does not answer')));
  const unknown = await clone.run('push', 'origin', 'main');
  assert.is(unknown.ok, false);
  assert.match(unknown.stderr, 'outcome unknown');
  store.inTime = inTime;
  assert.is(store.log.status().gitHead, await clone.git('rev-parse', 'main'));
  assert.equal(world.listIncoming(), []);
});

test.run();
