// The beginning and the end of a process.
import type { Stage } from '../stage.ts';
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

/** Killed at any moment, three times, with changes that are in the write-ahead log only. */
export async function startAfterKill(stage: Stage): Promise<void> {
  for (let run = 0; run < 3; run++) {
    stage.open();
    const last = [0, 1, 2].map((n) => stage.submit({ [`content/posts/${run}-${n}.json`]: textOf(stage, 1, 500) }));
    const turns = stage.random.whole(0, 12);
    for (let turn = 0; turn < turns; turn++) await new Promise((resume) => setImmediate(resume));
    if (stage.random.whole(0, 1)) await stage.time.until(Promise.all(last));
    stage.kill();
  }
  stage.open();
  await stage.change({ counter: 'last' });
  await stage.flush();
}
