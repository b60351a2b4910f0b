// The settings that keep what the service takes of the machine's memory small. How much that is depends on what else the
// machine does: `npm run bench -- memory` measures it.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makePlace } from '../support/process.ts';

/** Far more than it takes, for a machine that does something else. */
const READY_MS = 60_000;

test('the process that was started is the one that serves', async () => {
  await using place = makePlace({ readyMs: READY_MS });
  const service = await place.start();
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
  assert.is((await service.stop()).code, 0);
});

test('what an operator says of the same settings stays', async () => {
  await using place = makePlace({ readyMs: READY_MS });
  const service = await place.start({ NODE_OPTIONS: '--max-semi-space-size=16' });
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.not.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
});

test.run();
