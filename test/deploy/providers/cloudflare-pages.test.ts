import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toBuckets } from '../../../src/deploy/providers/api/cloudflare-assets.ts';
import { base64Length, base64Of } from '../../../src/deploy/providers/api/cloudflare-hash.ts';
import { createCloudflarePages } from '../../../src/deploy/providers/cloudflare-pages.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { startCloudflare } from '../../support/hosts/cloudflare.ts';
import { makeDeployBench, runDeploy } from '../../support/publication.ts';

const provider = createCloudflarePages();

test('an upload token that expires is replaced, at any request', async () => {
  for (let at = 3; at <= 7; at++) {
    await using bench = await makeDeployBench();
    await using host = await startCloudflare();
    let count = 0;
    host.onRequest = () => void (++count === at && host.expireTokens());
    await runDeploy(provider, await bench.publication({ 'index.html': 'one' }), bench.context(host.settings));
    assert.equal(host.live(), { 'index.html': 'one' }, `${at}`);
  }
});

test('contents go out in buckets that Cloudflare takes', () => {
  const sizes = [...Array.from({ length: 9 }, () => 21 << 20), ...Array.from({ length: 5000 }, () => 10), 0, 25 << 20];
  const assets = sizes.map((sizeBytes, index) => ({
    hash: `${index}`,
    file: { path: `${index}`, file: '', sha256: '', sizeBytes },
  }));
  const buckets = toBuckets(assets);
  assert.is(buckets.length, 10);
  assert.is(buckets.flat().length, assets.length);
  for (const bucket of buckets) {
    assert.ok(bucket.length <= 2000);
    assert.ok(bucket.reduce((sum, { file }) => sum + file.sizeBytes, 0) <= 40 << 20);
  }
});

test('more files than the plan of the account takes are refused before any is sent', async () => {
  await using bench = await makeDeployBench();
  await using host = await startCloudflare();
  await runDeploy(provider, await bench.publication({ 'index.html': 'one' }), bench.context(host.settings));
  host.maxFiles = 2;
  host.received.length = 0;
  const publication = await bench.publication({ a: 'a', b: 'b', c: 'c' });
  const error = await runDeploy(provider, publication, bench.context(host.settings)).catch((thrown) => thrown);
  assert.instance(error, HostError);
  assert.is(error.reason, 'refused_input');
  assert.equal(host.received, []);
});

test('rules are parts of a deployment, and functions and folders of tools stay here', async () => {
  await using bench = await makeDeployBench();
  await using host = await startCloudflare();
  const site = { 'index.html': 'one', _headers: '/*\n', _redirects: '/a /b\n', 'docs/_redirects': 'a page' };
  const more = { '_worker.js': 'x', 'functions/a.js': 'x', 'x/node_modules/y': 'x', '.DS_Store': 'x' };
  await runDeploy(provider, await bench.publication({ ...site, ...more }), bench.context(host.settings));
  assert.equal(host.live(), site);
  assert.equal(host.received.toSorted(), ['a page', 'one']);
});

test('a file is the same base64 in pieces as in one', async () => {
  await using bench = await makeDeployBench();
  for (const sizeBytes of [0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 150_001]) {
    const bytes = Buffer.from(Array.from({ length: sizeBytes }, (_, index) => (index * 7919) % 256));
    const file = path.join(bench.folder, `${sizeBytes}`);
    await writeFile(file, bytes);
    const pieces: Buffer[] = [];
    for await (const piece of base64Of({ file })) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    assert.is(text, bytes.toString('base64'));
    assert.is(text.length, base64Length(sizeBytes));
  }
});

test('a message is cut between characters', async () => {
  await using bench = await makeDeployBench();
  await using host = await startCloudflare();
  const publication = { ...(await bench.publication({ 'index.html': 'one' })), message: '🎈'.repeat(200) };
  await runDeploy(provider, publication, bench.context(host.settings));
  assert.equal(host.live(), { 'index.html': 'one' });
});

test.run();
