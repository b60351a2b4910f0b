// Changes, one after another and together, small and large.
import { nextTurn } from '../../../../src/lib/queues/slices.ts';
import type { Stage } from '../stage.ts';
import { textOf } from './text.ts';

export async function sequentialWrites(stage: Stage): Promise<void> {
  stage.open();
  for (let n = 0; n < 6; n++) {
    await stage.change({ [`content/posts/${n % 4}.json`]: textOf(stage, 1, 300) });
    if (stage.random.whole(0, 2) === 0) await stage.flush();
  }
}

export async function concurrentBatches(stage: Stage): Promise<void> {
  stage.open();
  for (let batch = 0; batch < 3; batch++) {
    const answers = Array.from({ length: stage.random.whole(2, 5) }, (_, n) =>
      stage.submit({ [`content/posts/${n}.json`]: textOf(stage, 1, 300), counter: `${batch} ${n}` }),
    );
    // A second wave while the first is on its way to the disk.
    await nextTurn();
    answers.push(stage.submit({ late: `${batch}` }));
    await stage.time.until(Promise.all(answers));
    if (batch === 1) await stage.flush();
  }
  await stage.flush();
}

export async function segmentRollOver(stage: Stage): Promise<void> {
  stage.open();
  for (let n = 0; n < 7; n++) {
    await stage.change({ 'content/notes/long.json': textOf(stage, 600, 1200) });
    if (n === 3) await stage.flush();
  }
  await stage.flush();
  await stage.change({ 'content/notes/long.json': 'after' });
}

export async function packExtension(stage: Stage): Promise<void> {
  stage.open();
  for (let n = 0; n < 5; n++) {
    await stage.change({ [`content/posts/${stage.random.whole(0, 9)}.json`]: textOf(stage, 1, 200) });
    await stage.flush();
  }
  // Back to the earlier state: the packer already has the tree.
  await stage.change({ 'content/posts/again.json': 'x' });
  await stage.change({ 'content/posts/again.json': null });
  await stage.flush();
}

export async function deleteAndRename(stage: Stage): Promise<void> {
  stage.open();
  const text = textOf(stage, 1, 500);
  await stage.change({ 'content/posts/a.json': text, 'content/posts/b.json': 'b' });
  await stage.change({ 'content/posts/a.json': null, 'content/posts/c.json': text });
  await stage.flush();
  await stage.change({ 'content/posts/b.json': null });
  await stage.change({ 'content/posts/c.json': null });
  await stage.flush();
}

/** Larger than a segment of the write-ahead log, so that a segment is made for it. */
export async function bigFile(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/small.json': 'x' });
  await stage.change({ 'content/posts/big.json': textOf(stage, 20_000, 60_000) });
  await stage.change({ 'content/posts/small.json': 'y' });
  await stage.flush();
  await stage.change({ 'content/posts/big.json': textOf(stage, 4000, 9000) });
}
