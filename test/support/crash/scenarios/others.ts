// External commits on the branch.
import { parseCommit } from '../../../../src/store/git/objects.ts';
import { commitOutside } from '../outsider.ts';
import { chooseIfMoved, type Stage } from '../stage.ts';
import { textOf } from './text.ts';

/** Between our changes: those that are not on the branch yet are replayed on it. */
export async function commitInBetween(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  await stage.flush();
  for (let n = 0; n < 2; n++) {
    await stage.change({ 'content/posts/ours.json': `${n}` });
    commitOutside(stage, { [`content/posts/theirs-${n}.json`]: textOf(stage, 1, 200) });
    await stage.change({ 'content/posts/ours.json': `${n} later` });
    await stage.flush();
  }
  commitOutside(stage, { 'README.md': 'last' });
  stage.store.log.poll();
  await stage.change({ 'content/posts/a.json': 'on top' });
  await stage.flush();
}

/** While no service runs, with changes of ours in the write-ahead log. */
export async function commitWhileDown(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': 'a' });
  await stage.flush();
  await stage.change({ 'content/posts/b.json': textOf(stage, 1, 400) });
  stage.kill();
  commitOutside(stage, { 'content/posts/theirs.json': 'x' });
  stage.open();
  await stage.change({ 'content/posts/c.json': 'c' });
  await stage.flush();
}

/**
 * An external update moves the branch back to an earlier commit and continues from there; after a restart one side is
 * chosen.
 */
async function forcePush(stage: Stage, keep: 'ours' | 'theirs'): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': 'a' });
  await stage.change({ 'content/posts/b.json': 'b' });
  await stage.flush();
  const head = stage.store.log.status().gitHead!;
  const [earlier = null] = parseCommit(stage.store.odb.get(head, 'commit')).parents;
  await stage.change({ 'content/posts/c.json': textOf(stage, 1, 300) });
  commitOutside(stage, { 'content/posts/forced.json': 'x' }, earlier);
  stage.store.log.poll();
  if (stage.store.log.status().moved) stage.note({ kind: 'away', commit: head });
  await stage.change({ 'content/posts/d.json': 'is refused' });
  if (stage.random.whole(0, 1)) {
    stage.kill();
    stage.open();
  }
  stage.note({ kind: 'choosing', keep });
  await chooseIfMoved(stage.store, keep, stage.time);
  stage.note({ kind: 'chosen', keep });
  await stage.change({ 'content/posts/e.json': 'e' });
  await stage.flush();
}

export function forcePushAccepted(stage: Stage): Promise<void> {
  return forcePush(stage, 'theirs');
}

export function forcePushUndone(stage: Stage): Promise<void> {
  return forcePush(stage, 'ours');
}
