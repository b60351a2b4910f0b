// A remote: external commits come from it, ours go to it, and concurrent changes are replayed.
import { listLog } from '../logged.ts';
import type { Stage } from '../stage.ts';
import { syncWithHost } from '../sync-with-host.ts';
import { textOf } from './text.ts';

/** External commits come in; ours go out. */
export async function remoteFetchAndPush(stage: Stage): Promise<void> {
  const host = stage.openHost();
  await host.commit({ 'content/posts/first.json': textOf(stage, 1, 400) });
  stage.open();
  await syncWithHost(stage);
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  if (stage.random.whole(0, 1)) await stage.flush();
  await syncWithHost(stage);
  await host.commit({ 'content/posts/first.json': 'theirs', 'README.md': 'x' });
  await syncWithHost(stage);
  await stage.change({ 'content/posts/a.json': 'last' });
  await syncWithHost(stage);
}

/** Both sides moved: ours are replayed on the remote's, including those that wait, and those that come meanwhile. */
export async function remoteReplay(stage: Stage): Promise<void> {
  const host = stage.openHost();
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  await syncWithHost(stage);
  await stage.change({ 'content/posts/ours.json': textOf(stage, 1, 300) });
  if (stage.random.whole(0, 1)) await stage.flush();
  await host.commit({ 'content/posts/theirs.json': textOf(stage, 1, 300) });
  const meanwhile = stage.submit({ 'content/posts/meanwhile.json': textOf(stage, 1, 200) });
  await syncWithHost(stage);
  await stage.time.until(meanwhile);
}

/** The remote's branch is replaced with another history, and one side is chosen. */
async function remoteForcePush(stage: Stage, keep: 'ours' | 'theirs'): Promise<void> {
  const host = stage.openHost();
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  await syncWithHost(stage);
  await stage.change({ 'content/posts/b.json': 'b' });
  await stage.flush();
  const head = stage.store.log.status().gitHead!;
  stage.note({ kind: 'dropped', changeIds: listLog(stage.store.odb, head).flatMap(({ changeId }) => changeId ?? []) });
  stage.note({ kind: 'kept', commit: head });
  await host.commit({ 'content/posts/forced.json': textOf(stage, 1, 300) }, null);
  await syncWithHost(stage, keep);
  await stage.change({ 'content/posts/c.json': 'c' });
  await syncWithHost(stage);
}

export function remoteForcePushAccepted(stage: Stage): Promise<void> {
  return remoteForcePush(stage, 'theirs');
}

export function remoteForcePushUndone(stage: Stage): Promise<void> {
  return remoteForcePush(stage, 'ours');
}
