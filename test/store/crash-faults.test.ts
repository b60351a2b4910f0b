// One operation of the disk fails, each in its turn, and the process ends some time later: at the next start everything
// acknowledged is there, once and in order, and nothing refused is.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addPromise, checkImage, createPromises } from '../support/crash/check.ts';
import { createStage, type Stage } from '../support/crash/stage.ts';
import { createDiskState, written } from '../support/disk-images.ts';
import { drawIdsFrom } from '../support/known-ids.ts';
import type { Fault } from '../support/memory-disk.ts';
import { createRandom } from '../support/random.ts';
import { type StoppedTime, stopTime } from '../support/stopped-time.ts';

/** Single writes, batches, flushes, a rotation of the write-ahead log, a close and another start. */
async function work(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': '1', 'content/posts/b.json': 'x'.repeat(300) });
  await stage.flush();
  const batch = [0, 1, 2].map((n) => stage.submit({ [`content/posts/${n}.json`]: 'y'.repeat(700), counter: `${n}` }));
  await stage.time.until(Promise.all(batch));
  await stage.change({ 'content/posts/b.json': null });
  await stage.flush();
  for (let n = 0; n < 3; n++) await stage.change({ 'content/notes/long.json': `${n}`.repeat(900) });
  await stage.close();
  stage.open();
  await stage.change({ 'content/posts/a.json': 'last' });
  await stage.close();
}

/** Returns false if there are no more operations than that. */
async function failAt(at: number, fault: Fault, time: StoppedTime): Promise<boolean> {
  drawIdsFrom(1);
  const stage = createStage(createRandom(1), time);
  stage.disk.onOperation = ({ number }) => (number === at ? fault : undefined);
  await work(stage).catch((error: { code?: string }) => {
    if (error.code === undefined && !(error as Error).cause) throw error;
  });
  const { operations } = stage.disk;
  stage.kill();
  const state = createDiskState(stage.files.base);
  const promised = createPromises();
  for (const event of stage.files.events) {
    state.apply(event);
    addPromise(promised, event);
  }
  const image = state.image({
    keepsEntries: () => true,
    content: (synced, writes) => writes.reduce(written, synced),
  });
  await checkImage(image, promised, time, false).catch((cause: unknown) => {
    throw new Error(`operation ${at} (${operations[at]?.name} ${operations[at]?.file})`, { cause });
  });
  return operations.length > at;
}

const FAULTS: Fault[] = [
  { code: 'ENOSPC' },
  { code: 'ENOSPC', written: 20 },
  { code: 'EMFILE' },
  { code: 'EIO' },
  { code: 'EIO', written: 20 },
];

for (const fault of FAULTS) {
  if (fault === 'crash') continue;
  const what = fault.written === undefined ? fault.code : `${fault.code} after a short write`;
  test(`${what} at any operation: nothing acknowledged is lost, nothing refused remains`, async () => {
    using time = stopTime();
    let at = 0;
    while (await failAt(at, fault, time)) at++;
    assert.ok(at > 80, `${at} operations`);
  });
}

test.run();
