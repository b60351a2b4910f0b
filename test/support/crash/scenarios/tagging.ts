// Tags of ours are made and removed, loose and packed, between changes.
import { REPOSITORY, type Stage } from '../stage.ts';

export async function tags(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': 'one' });
  await stage.flush();
  await put(stage, 'backups/one');
  await put(stage, 'backups/two');
  await put(stage, 'backups/three');
  await stage.change({ 'content/posts/a.json': 'two' });
  packRefs(stage);
  await stage.flush();
  await remove(stage, 'backups/two');
  await put(stage, 'backups/four');
  await remove(stage, 'backups/four');
  await stage.change({ 'content/posts/b.json': 'three' });
  stage.kill();
  stage.open();
  await remove(stage, 'backups/three');
  await remove(stage, 'backups/one');
  await put(stage, 'backups/two');
  await stage.close();
}

async function put(stage: Stage, name: string): Promise<void> {
  const commit = stage.store.log.status().gitHead!;
  stage.note({ kind: 'tag', name, commit, isAnswered: false });
  await stage.time.until(stage.store.tags.put(name, commit));
  stage.note({ kind: 'tag', name, commit, isAnswered: true });
}

async function remove(stage: Stage, name: string): Promise<void> {
  stage.note({ kind: 'tag', name, commit: null, isAnswered: false });
  await stage.time.until(stage.store.tags.remove(name));
  stage.note({ kind: 'tag', name, commit: null, isAnswered: true });
}

/**
 * As `git pack-refs` does: the whole file is synced first, then the loose refs are removed. An operator would have to
 * remove its lock.
 */
function packRefs({ disk, store }: Stage): void {
  const refs = store.listRefs().filter(({ name }) => name.startsWith('refs/tags/'));
  const lines = refs.map(({ name, oid }) => `${oid} ${name}\n`).sort();
  const whole = `${REPOSITORY}/packed-refs.new`;
  disk.createFile(whole, [Buffer.from(`# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)]);
  disk.rename(whole, `${REPOSITORY}/packed-refs`);
  disk.syncFolder(REPOSITORY);
  for (const { name } of refs) disk.remove(`${REPOSITORY}/${name}`);
}
