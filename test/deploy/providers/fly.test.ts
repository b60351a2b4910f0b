// A machine of Fly with an image of the site's own.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFly } from '../../../src/deploy/providers/fly.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import { SiteSettings } from '../../../src/settings/settings.ts';
import { FLY_TOKEN, startFly } from '../../support/hosts/fly.ts';
import { makeDeployBench, runDeploy } from '../../support/publication.ts';

const fly = createFly();

test('a machine runs the image with the volume at /data; a new commit restarts it, and a rollback goes back', async () => {
  await using host = await startFly();
  await using bench = await makeDeployBench();
  const context = bench.context({ flyToken: FLY_TOKEN, flyApiUrl: host.url, flyImage: 'site-image:3' });
  const publication = await bench.publication({ 'index.html': 'x' });
  const first = await runDeploy(fly, publication, context);
  assert.is(first.url, 'https://colophon-journal.fly.dev/');
  assert.equal(first.sent, []);
  const app = host.apps.get('colophon-journal')!;
  const [machine] = app.machines.values();
  assert.equal(machine!.config.mounts, [{ volume: [...app.volumes.keys()][0]!, path: '/data' }]);
  assert.is(machine!.config.env?.CMS_COMMIT, publication.commit);
  assert.ok((await runDeploy(fly, publication, context)).isUnchanged);
  await runDeploy(fly, { ...publication, commit: 'd'.repeat(40) }, context);
  assert.is(machine!.boots, 2);
  assert.is(app.machines.size, 1);
  await fly.rollback!(first.hostId!, context);
  assert.is(machine!.config.env?.CMS_COMMIT, publication.commit);
  assert.match(machine!.config.image!, /@sha256:e{64}$/);
  assert.is(machine!.lease, undefined);
});

test('an image that does not answer is a timeout, and settings that are missing are named', async () => {
  await using host = await startFly();
  await using bench = await makeDeployBench();
  host.isBroken = true;
  const context = bench.context({ flyToken: FLY_TOKEN, flyApiUrl: host.url, flyImage: 'site-image:3' });
  const error = await runDeploy(fly, await bench.publication({ 'index.html': 'x' }), context).catch(
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof HostError && error.reason === 'timeout');
  assert.is(fly.missing(SiteSettings.parse({ flyImage: 'x' })).length, 1);
  assert.is(fly.missing(SiteSettings.parse({})).length, 2);
});

test.run();
