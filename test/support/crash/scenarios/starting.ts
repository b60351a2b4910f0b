// The start and the end of a process, and what several processes leave.
import { nextTurn } from '../../../../src/lib/queues/slices.ts';
import { mergeAndRemove } from '../../merge-packs.ts';
import { REPOSITORY, type Stage } from '../stage.ts';
import { textOf } from './text.ts';

export async function firstStart(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 40, 400) });
  await stage.flush();
}

export async function cleanShutdown(stage: Stage): Promise<void> {
  for (let run = 0; run < 3; run++) {
    stage.open();
    await stage.change({ [`content/posts/${run}.json`]: textOf(stage, 1, 900), counter: `${run}` });
    if (stage.random.whole(0, 1)) await stage.flush();
    await stage.change({ counter: `${run} and more` });
    await stage.close();
  }
}

/** Killed at any moment, three times, with changes that are only in the write-ahead log. */
export async function startAfterKill(stage: Stage): Promise<void> {
  for (let run = 0; run < 3; run++) {
    stage.open();
    const last = [0, 1, 2].map((n) => stage.submit({ [`content/posts/${run}-${n}.json`]: textOf(stage, 1, 500) }));
    const turns = stage.random.whole(0, 12);
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    if (stage.random.whole(0, 1)) await stage.time.until(Promise.all(last));
    stage.kill();
  }
  stage.open();
  await stage.change({ counter: 'last' });
  await stage.flush();
}

/** Each run leaves a pack; those of earlier runs are merged while the last run writes. */
export async function mergedPacks(stage: Stage): Promise<void> {
  const folder = `${REPOSITORY}/objects/pack`;
  const listPacks = (): string[] =>
    stage.disk.list(folder).flatMap((file) => (file.endsWith('.pack') ? [file.slice(0, -'.pack'.length)] : []));
  for (let run = 0; run < 3; run++) {
    stage.open();
    await stage.change({ 'content/posts/a.json': textOf(stage, 300, 600), [`content/posts/${run}.json`]: `${run}` });
    await stage.close();
  }
  const names = listPacks();
  stage.open();
  await stage.change({ 'content/posts/a.json': 'before' });
  mergeAndRemove(stage.disk, folder, names);
  stage.store.odb.refresh();
  await stage.change({ 'content/posts/a.json': 'after' });
  await stage.flush();
}
