import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { createVercel } from '../../../src/deploy/providers/vercel.ts';
import { startVercel } from '../../support/hosts/vercel.ts';
import { makeDeployBench, runDeploy } from '../../support/publication.ts';

const provider = createVercel();
const SITE = { 'index.html': 'one', 'style.css': 'a{}' };

test('files that Vercel has lost since they were counted are sent again', async () => {
  await using bench = await makeDeployBench();
  await using host = await startVercel();
  const publication = await bench.publication(SITE);
  const context = bench.context(host.settings);
  const plan = await provider.plan(publication, context);
  await provider.send(plan, publication, context);
  host.forgetFiles();
  await provider.publish(plan, publication, context);
  assert.equal(host.live(), SITE);
});

test('files that Vercel always loses fail the deploy', async () => {
  await using bench = await makeDeployBench();
  await using host = await startVercel();
  host.onRequest = ({ path }) => path.startsWith('/v13/') && host.forgetFiles();
  const error = await runDeploy(provider, await bench.publication(SITE), bench.context(host.settings)).catch(
    (thrown) => thrown,
  );
  assert.instance(error, HostError);
  assert.is(host.publications(), 0);
});

test('a deployment after a rollback is promoted, because Vercel then moves no alias by itself', async () => {
  await using bench = await makeDeployBench();
  await using host = await startVercel();
  const context = bench.context(host.settings);
  const { hostId } = await runDeploy(provider, await bench.publication(SITE), context);
  await runDeploy(provider, await bench.publication({ ...SITE, 'index.html': 'two' }), context);
  await provider.rollback?.(hostId ?? '', context);
  await runDeploy(provider, await bench.publication({ ...SITE, 'index.html': 'three' }), context);
  assert.is(host.live()?.['index.html'], 'three');
  assert.is(host.requests.filter((request) => request.includes('/promote/')).length, 1);
});

test.run();
