// Requests that must not be carried out: not signed, expired, sent again, changed on the way; paths and links that lead
// out of the deploy.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { callSync, deploy, makeVolume, openSync, SECRET, send, signedHeaders, unique } from './sync-world.ts';

const DEPLOYS = '/_icd/deploys';

test('without a signature of the secret nothing below /_icd/ answers but health', async () => {
  await using sync = await openSync();
  for (const [method, target] of [
    ['GET', '/_icd/manifest'],
    ['POST', DEPLOYS],
    ['PUT', `${DEPLOYS}/x/files?path=a`],
    ['DELETE', `${DEPLOYS}/x`],
    ['GET', '/_icd/unknown'],
  ] as const) {
    const body = method === 'GET' ? null : '';
    const response = await fetch(sync.url + target, { method, body });
    assert.is(response.status, 401, `${method} ${target}`);
    assert.type(((await response.json()) as { error: string }).error, 'string');
    const { status } = await callSync(sync.url, method, target, { secret: `${SECRET}!` });
    assert.is(status, 401, `${method} ${target}`);
  }
  assert.is((await send(sync.url, 'GET', '/_icd/unknown')).status, 404);
  assert.is((await send(sync.url, 'POST', '/_icd/manifest')).status, 405);
});

test('a request is valid for five minutes, and not long before', async () => {
  await using sync = await openSync();
  const nowSeconds = Math.floor(Date.now() / 1000);
  const statusAt = async (timestamp: string) => (await send(sync.url, 'GET', '/_icd/manifest', { timestamp })).status;
  assert.is(await statusAt(`${nowSeconds - 290}`), 200);
  assert.is(await statusAt(`${nowSeconds - 310}`), 401);
  assert.is(await statusAt(`${nowSeconds + 310}`), 401);
  for (const timestamp of ['', 'x', '1e9', '-1', `${nowSeconds}.5`])
    assert.is(await statusAt(timestamp), 401, timestamp);
});

test('a signature is for one method, one path, one query and one body', async () => {
  await using sync = await openSync();
  const { deployId } = (await send(sync.url, 'POST', DEPLOYS)).json;
  const target = `${DEPLOYS}/${deployId}/files?path=a.txt`;
  const statusOf = async (signed: object, isDeclared: boolean) =>
    (await send(sync.url, 'PUT', target, { body: 'real', isDeclared, signed })).status;
  for (const isDeclared of [false, true]) {
    assert.is(await statusOf({ method: 'DELETE' }, isDeclared), 401);
    assert.is(await statusOf({ target: `${DEPLOYS}/${deployId}/files?path=b.txt` }, isDeclared), 401);
    assert.is(await statusOf({ body: 'forged' }, isDeclared), 401);
  }
  await send(sync.url, 'POST', `${DEPLOYS}/${deployId}/commit`);
  assert.equal((await send(sync.url, 'GET', '/_icd/manifest')).json.files, {});
  assert.equal(fs.readdirSync(path.join(sync.root, '.sync/uploads')), []);
});

test('a signature is good once for anything but GET, also over a restart', async () => {
  const root = makeVolume();
  const target = unique(DEPLOYS);
  const headers = signedHeaders('POST', target);
  const read = signedHeaders('GET', '/_icd/manifest');
  {
    await using sync = await openSync({ root });
    const both = await Promise.all([1, 2].map(() => callSync(sync.url, 'POST', target, { headers })));
    assert.equal(both.map(({ status }) => status).sort(), [201, 401]);
    for (const _ of [1, 2])
      assert.is((await callSync(sync.url, 'GET', '/_icd/manifest', { headers: read })).status, 200);
  }
  await using sync = await openSync({ root });
  assert.is((await callSync(sync.url, 'POST', target, { headers })).status, 401);
  await sync.close();
  fs.rmSync(root, { recursive: true, force: true });
});

test('a path that is not one below the deploy is 400', async () => {
  await using sync = await openSync();
  const { deployId } = (await send(sync.url, 'POST', DEPLOYS)).json;
  const files = `${DEPLOYS}/${deployId}/files`;
  const bad = [
    '',
    '?path=',
    '?path=a&path=b',
    '?path=..%2Fx',
    '?path=a/../../x',
    '?path=./a',
    '?path=/etc/passwd',
    '?path=a/',
    '?path=a//b',
    '?path=a%5Cb',
    '?path=a%00b',
    '?path=%ff',
    '?path=%zz',
    `?path=${'x'.repeat(256)}`,
    `?path=${'x/'.repeat(512)}xx`,
  ];
  for (const query of bad) {
    for (const method of ['PUT', 'DELETE']) {
      assert.is((await send(sync.url, method, files + query, { body: 'x' })).status, 400, `${method} ${query}`);
    }
  }
  for (const good of [
    '?path=a%20b+c/%F0%9F%98%80.html',
    `?path=${'x'.repeat(255)}`,
    '?path=.well-known/x',
    '?path=...',
  ]) {
    assert.is((await send(sync.url, 'PUT', files + good, { body: 'x' })).status, 200, good);
  }
});

test('a symbolic link on the way is refused, and a deploy that holds one is not committed', async () => {
  await using sync = await openSync();
  await deploy(sync.url, { 'a.txt': 'live' });
  const outside = path.join(sync.root, 'outside');
  fs.mkdirSync(outside);
  const { deployId } = (await send(sync.url, 'POST', DEPLOYS)).json;
  const folder = path.join(sync.root, 'deploys', deployId);
  fs.symlinkSync(outside, path.join(folder, 'link'));
  for (const file of ['link/x.txt', 'link']) {
    const { status } = await send(sync.url, 'PUT', `${DEPLOYS}/${deployId}/files?path=${file}`, { body: 'x' });
    assert.is(status, 409, file);
  }
  assert.equal(fs.readdirSync(outside), []);
  const commit = async () => (await send(sync.url, 'POST', `${DEPLOYS}/${deployId}/commit`)).status;
  assert.is(await commit(), 409);
  assert.is(await (await fetch(`${sync.url}/a.txt`)).text(), 'live');
  fs.unlinkSync(path.join(folder, 'link'));
  assert.is(await commit(), 200);
});

test('bodies of other requests are small, and a rollback names a deploy', async () => {
  await using sync = await openSync();
  assert.is((await send(sync.url, 'POST', '/_icd/rollback', { body: 'x'.repeat(100_000) })).status, 413);
  for (const body of ['{', '[]', '"x"', '{"deployId":1}']) {
    assert.is((await send(sync.url, 'POST', '/_icd/rollback', { body })).status, 400, body);
  }
});

test.run();
