// Pushes into the service: the objects that a client sent wait in a quarantine, and join the branch once they are
// accepted.
import { receiveInto } from '../outsider.ts';
import type { Files, Stage } from '../stage.ts';
import { textOf } from './text.ts';

/** Several, with our changes before, during and between them; one is refused. */
export async function servedPush(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  await stage.flush();
  await push(stage, { 'content/posts/theirs.json': textOf(stage, 1, 600) }, false);
  await stage.change({ 'content/posts/a.json': 'on top' });
  if (stage.random.whole(0, 1)) await stage.flush();
  await refusePush(stage, { 'content/posts/refused.json': 'never accepted' });
  const waiting = stage.submit({ 'content/posts/ours.json': textOf(stage, 1, 200) });
  await push(stage, { 'content/posts/theirs.json': 'again', 'README.md': 'x' }, true);
  await stage.time.until(waiting);
  await stage.flush();
}

/**
 * Does what the receiving side of `git push` does once it accepts the commits. A commit that the service once made
 * itself gets no note.
 */
async function push(stage: Stage, files: Files, isNoted: boolean): Promise<void> {
  const { log, notes } = stage.store;
  const quarantine = await stage.time.until(stage.store.openQuarantine());
  const from = log.status().gitHead;
  const commit = receiveInto(stage, quarantine, files, from);
  stage.note({ kind: 'outside', commit, files, isPushed: isNoted });
  const record = () =>
    notes.add([commit], `Via: push\nTo: ${commit}\n`, { subject: 'pushed', at: new Date(1_767_400_000_000) });
  const outcome = await stage.time.until(
    quarantine.install(() => log.advance(from, commit, isNoted ? { record } : {})),
  );
  if (outcome === 'moved') stage.note({ kind: 'stands', commit });
  await stage.time.until(quarantine.remove());
}

async function refusePush(stage: Stage, files: Files): Promise<void> {
  const quarantine = await stage.time.until(stage.store.openQuarantine());
  receiveInto(stage, quarantine, files, stage.store.log.status().gitHead);
  await stage.time.until(quarantine.remove());
}
