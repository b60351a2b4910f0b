// Deploys over HTTP: staged, committed, rolled back, removed, and what a restart leaves of them.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deploy, makeVolume, openSync, send } from './sync-world.ts';

test('health is open, and says no more than the version', async () => {
  await using sync = await openSync();
  const response = await fetch(`${sync.url}/_icd/health`);
  assert.is(response.status, 200);
  const health = await response.json();
  assert.equal(Object.keys(health as object).sort(), ['ok', 'version']);
});

test('what is sent is live with its commit, and not before', async () => {
  await using sync = await openSync();
  const { status, json } = await send(sync.url, 'POST', '/_icd/deploys');
  assert.is(status, 201);
  const files = `/_icd/deploys/${json.deployId}/files`;
  assert.is((await send(sync.url, 'PUT', `${files}?path=a/index.html`, { body: 'one' })).status, 200);
  assert.is((await fetch(`${sync.url}/a/`)).status, 404);
  assert.is((await send(sync.url, 'POST', `/_icd/deploys/${json.deployId}/commit`)).status, 200);
  assert.is(await (await fetch(`${sync.url}/a/`)).text(), 'one');
  assert.is(fs.readFileSync(path.join(sync.root, 'current/a/index.html'), 'utf8'), 'one');
  const { json: manifest } = await send(sync.url, 'GET', '/_icd/manifest');
  assert.equal(Object.keys(manifest.files), ['a/index.html']);
  assert.match(manifest.files['a/index.html'], /^[0-9a-f]{64}$/);
});

test('a deploy shares the files that it does not change, and never writes through one', async () => {
  await using sync = await openSync();
  const first = await deploy(sync.url, { 'a.txt': 'one', 'b.txt': 'same' });
  const second = await deploy(sync.url, { 'a.txt': 'two' });
  const ino = (id: string, file: string) => fs.statSync(path.join(sync.root, 'deploys', id, file)).ino;
  assert.is(ino(first, 'b.txt'), ino(second, 'b.txt'));
  assert.is(fs.readFileSync(path.join(sync.root, 'deploys', first, 'a.txt'), 'utf8'), 'one');
  assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), 'two');
});

test('commit of an unknown deploy is 404, of the live one 200 again, of a kept one 409', async () => {
  await using sync = await openSync();
  const first = await deploy(sync.url, { 'a.txt': 'one' });
  const commit = async (id: string) => (await send(sync.url, 'POST', `/_icd/deploys/${id}/commit`)).status;
  assert.is(await commit(first), 200);
  assert.is(await commit('unknown'), 404);
  await deploy(sync.url, { 'a.txt': 'two' });
  assert.is(await commit(first), 409);
  assert.is((await send(sync.url, 'PUT', `/_icd/deploys/${first}/files?path=a.txt`, { body: 'x' })).status, 409);
});

test('the last five are kept, and a rollback goes back through them one by one', async () => {
  await using sync = await openSync();
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.push(await deploy(sync.url, { 'a.txt': `${i}` }));
  assert.equal(fs.readdirSync(path.join(sync.root, 'deploys')).sort(), ids.slice(2).sort());
  for (const i of [5, 4, 3, 2]) {
    const { json } = await send(sync.url, 'POST', '/_icd/rollback');
    assert.is(json.deployId, ids[i]);
    assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), `${i}`);
  }
  assert.is((await send(sync.url, 'POST', '/_icd/rollback')).status, 404);
  const back = await send(sync.url, 'POST', '/_icd/rollback', { body: JSON.stringify({ deployId: ids[6] }) });
  assert.is(back.json.deployId, ids[6]);
  const pruned = await send(sync.url, 'POST', '/_icd/rollback', { body: JSON.stringify({ deployId: ids[0] }) });
  assert.is(pruned.status, 404);
});

test('a deploy after a rollback returns to what people saw before it', async () => {
  await using sync = await openSync();
  const good = await deploy(sync.url, { 'a.txt': 'good' });
  await deploy(sync.url, { 'a.txt': 'bad' });
  await send(sync.url, 'POST', '/_icd/rollback');
  await deploy(sync.url, { 'a.txt': 'next' });
  assert.is((await send(sync.url, 'POST', '/_icd/rollback')).json.deployId, good);
});

test('a staged deploy is never a target of a rollback, and can be removed; the live one cannot', async () => {
  await using sync = await openSync();
  const live = await deploy(sync.url, { 'a.txt': 'one' });
  const { deployId } = (await send(sync.url, 'POST', '/_icd/deploys')).json;
  const body = JSON.stringify({ deployId });
  assert.is((await send(sync.url, 'POST', '/_icd/rollback', { body })).status, 404);
  assert.is((await send(sync.url, 'DELETE', `/_icd/deploys/${deployId}`)).status, 200);
  assert.is((await send(sync.url, 'DELETE', `/_icd/deploys/${deployId}`)).status, 404);
  assert.is((await send(sync.url, 'DELETE', `/_icd/deploys/${live}`)).status, 409);
  assert.equal(fs.readdirSync(path.join(sync.root, 'deploys')), [live]);
});

test('a file takes the place of a folder once its files are removed, and the other way round', async () => {
  await using sync = await openSync();
  await deploy(sync.url, { 'a/b.txt': 'one', c: 'two' });
  const { deployId } = (await send(sync.url, 'POST', '/_icd/deploys')).json;
  const put = async (file: string) =>
    (await send(sync.url, 'PUT', `/_icd/deploys/${deployId}/files?path=${file}`, { body: 'x' })).status;
  assert.equal([await put('a'), await put('c/d.txt')], [409, 409]);
  await deploy(sync.url, { 'a/b.txt': null, c: null, a: 'file', 'c/d.txt': 'in a folder' });
  assert.is(await (await fetch(`${sync.url}/a`)).text(), 'file');
  assert.is(await (await fetch(`${sync.url}/c/d.txt`)).text(), 'in a folder');
});

test('after a restart the site is live, half-done deploys are gone, and nothing is hashed again', async () => {
  const root = makeVolume();
  let first: string;
  {
    await using sync = await openSync({ root });
    first = await deploy(sync.url, { 'a.txt': 'one' });
    await deploy(sync.url, { 'a.txt': 'two' });
    await send(sync.url, 'POST', '/_icd/deploys');
    assert.is(fs.readdirSync(path.join(root, 'deploys')).length, 3);
  }
  await using sync = await openSync({ root });
  assert.is(fs.readdirSync(path.join(root, 'deploys')).length, 2);
  assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), 'two');
  assert.is((await send(sync.url, 'POST', '/_icd/rollback')).json.deployId, first);
  await sync.close();
  fs.rmSync(root, { recursive: true, force: true });
});

test('a crash right after the swap leaves five deploys, and the way back', async () => {
  const root = makeVolume();
  const ids: string[] = [];
  {
    await using sync = await openSync({ root });
    for (let i = 0; i < 5; i++) ids.push(await deploy(sync.url, { 'a.txt': `${i}` }));
  }
  fs.cpSync(path.join(root, 'deploys', ids[4]!), path.join(root, 'deploys', 'sixth'), { recursive: true });
  fs.unlinkSync(path.join(root, 'current'));
  fs.symlinkSync('deploys/sixth', path.join(root, 'current'));
  await using sync = await openSync({ root });
  assert.equal(fs.readdirSync(path.join(root, 'deploys')).sort(), [...ids.slice(1), 'sixth'].sort());
  assert.is((await send(sync.url, 'POST', '/_icd/rollback')).json.deployId, ids[4]);
  await sync.close();
  fs.rmSync(root, { recursive: true, force: true });
});

test('a volume whose link leads elsewhere is refused with what to do', async () => {
  const root = makeVolume();
  fs.symlinkSync('/etc', path.join(root, 'current'));
  let message = '';
  await openSync({ root }).catch((error: Error) => (message = error.message));
  assert.match(message, 'current');
  fs.rmSync(root, { recursive: true, force: true });
});

test.run();
