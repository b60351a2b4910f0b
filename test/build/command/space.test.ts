// A build that fills the disk is ended while others can still write.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { watchSpace } from '../../../src/build/command/space.ts';
import { eventually } from '../../support/process.ts';
import { mountSmallDisk } from '../../support/tmpfs.ts';

test('a build ends when a twentieth of the disk is left', async () => {
  using disk = mountSmallDisk(8);
  using space = watchSpace(disk.folder, 20);
  await new Promise((done) => setTimeout(done, 100));
  assert.not.ok(space.signal.aborted);
  disk.fill(200_000);
  await eventually(() => assert.ok(space.signal.aborted), 5000);
  assert.is((space.signal.reason as Error).name, 'BuildError');
});

test.run();
