import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createNetlify } from '../../../src/deploy/providers/netlify.ts';
import { startNetlify } from '../../support/hosts/netlify.ts';
import { makeDeployBench, runDeploy } from '../../support/publication.ts';

const provider = createNetlify();

test('more than 500 files are looked at by Netlify while the client waits', async () => {
  await using bench = await makeDeployBench();
  await using host = await startNetlify();
  const site = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${index}.html`, `page ${index % 7}`]));
  await runDeploy(provider, await bench.publication(site), bench.context(host.settings));
  assert.equal(host.live(), site);
  assert.is(host.received.length, 7);
});

test('hidden files and folders of archives stay here, but for .well-known', async () => {
  await using bench = await makeDeployBench();
  await using host = await startNetlify();
  const site = { 'index.html': 'one', '.well-known/security.txt': 'mail' };
  const more = { '.env': 'a', 'x/.git/config': 'b', '__MACOSX/y': 'c', 'x/.well-known/z': 'd' };
  await runDeploy(provider, await bench.publication({ ...site, ...more }), bench.context(host.settings));
  assert.equal(host.live(), site);
  assert.match(bench.lines.join(), '4 ');
});

test('a deploy goes live although the deploys of the site are locked', async () => {
  await using bench = await makeDeployBench();
  await using host = await startNetlify();
  const context = bench.context(host.settings);
  await runDeploy(provider, await bench.publication({ 'index.html': 'one' }), context);
  host.lock();
  await runDeploy(provider, await bench.publication({ 'index.html': 'two' }), context);
  assert.equal(host.live(), { 'index.html': 'two' });
});

test.run();
