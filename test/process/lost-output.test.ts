// Standard output that accepts nothing any more: the terminal was closed, or a pipe's reader has ended.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makePlace } from '../support/process.ts';

const CLOSED_TERMINAL = path.resolve(import.meta.dirname, '../support/closed-terminal.ts');
const LONGEST_END_MS = 15_000;

test('a service whose terminal was closed ends by the hang-up, and frees its data folder', async () => {
  await using place = makePlace({ load: CLOSED_TERMINAL });
  const service = await place.start();
  service.signal('SIGUSR2');
  // Answered after the signal.
  await service.client().get('/');
  const { code, afterMs } = await service.stop('SIGHUP');
  assert.is(code, 0);
  assert.ok(afterMs < LONGEST_END_MS, `${afterMs} ms`);
  await place.start();
});

test('a service that goes on without its terminal answers', async () => {
  await using place = makePlace({ load: CLOSED_TERMINAL });
  const service = await place.start();
  const client = service.client();
  service.signal('SIGUSR2');
  for (let turn = 0; turn < 300; turn++) assert.is((await client.get('/api/nothing')).status, 404);
  assert.is((await service.stop()).code, 0);
});

test('a service whose log is no longer read answers, and ends when asked to', async () => {
  await using place = makePlace();
  const service = await place.start();
  const client = service.client();
  service.hangUp();
  for (let turn = 0; turn < 300; turn++) assert.is((await client.get('/api/nothing')).status, 404);
  assert.is((await service.stop()).code, 0);
});

test.run();
