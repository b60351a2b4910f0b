// The service's memory stays small, and so do its settings. `npm run bench -- memory` measures how small; the limit
// here is between that and the size with uncollected garbage.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { residentOf } from '../../scripts/bench/resident.ts';
import type { Reply } from '../support/client.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';

/** Far more than it needs, for a busy machine. */
const READY_MS = 60_000;
const DOCUMENTS = 4000;
const WRITES = 16_000;
const QUIET_BYTES = 300e6;
/** A busy machine has to finish its remaining work first. */
const QUIET_MS = 120_000;

test('the process that was started is the one that serves', async () => {
  await using place = makePlace({ readyMs: READY_MS });
  const service = await place.start();
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
  assert.is((await service.stop()).code, 0);
});

test('memory that a busy time needed is returned in a quiet one', async () => {
  await using place = makePlace({ readyMs: READY_MS });
  const service = await place.start({ CMS_RATE_LIMIT: '0' });
  const client = service.client(await setUp(service));
  const body = 'what an author wrote about something '.repeat(50);
  const write = (n: number): Promise<Reply> =>
    n < DOCUMENTS
      ? client.post('/api/cms/posts', { slug: `memory-${n}`, data: { title: `${n}`, body } })
      : client.patch(`/api/cms/posts/memory-${n % DOCUMENTS}`, { data: { body: `${n} ${body}` } });
  for (const [from, to] of [
    [0, DOCUMENTS],
    [DOCUMENTS, WRITES],
  ] as const) {
    let next = from;
    const writeOn = async (): Promise<void> => {
      for (let n = next++; n < to; n = next++) assert.ok((await write(n)).status < 300);
    };
    await Promise.all(Array.from({ length: 64 }, writeOn));
  }
  const busy = residentOf(service.pid).bytes;
  let quiet = busy;
  await eventually(() => {
    quiet = residentOf(service.pid).bytes;
    assert.ok(quiet < QUIET_BYTES, `${Math.round(quiet / 1e6)} MB`);
  }, QUIET_MS);
  console.log(`${Math.round(busy / 1e6)} MB behind ${WRITES} writes, ${Math.round(quiet / 1e6)} MB later`);
});

test('an operator’s own values of these settings stay', async () => {
  await using place = makePlace({ readyMs: READY_MS });
  const service = await place.start({ NODE_OPTIONS: '--max-semi-space-size=16' });
  const args = readFileSync(`/proc/${service.pid}/cmdline`, 'latin1').split('\0');
  assert.not.ok(args.some((arg) => arg.startsWith('--max-semi-space-size')));
});

test.run();
