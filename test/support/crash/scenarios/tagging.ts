// Tags of ours are made and removed, loose and packed, beside changes.
import { REPOSITORY, type Stage } from '../stage.ts';

export async function tags(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': 'one' });
  await stage.flush();
  put(stage, 'backups/one');
  put(stage, 'backups/two');
  put(stage, 'backups/three');
  await stage.change({ 'content/posts/a.json': 'two' });
  packRefs(stage);
  await stage.flush();
  remove(stage, 'backups/two');
  put(stage, 'backups/four');
  remove(stage, 'backups/four');
  await stage.change({ 'content/posts/b.json': 'three' });
  stage.kill();
  stage.open();
  remove(stage, 'backups/three');
  remove(stage, 'backups/one');
  put(stage, 'backups/two');
  await stage.close();
}

function put(stage: Stage, name: string): void {
  const commit = stage.store.log.status().gitHead!;
  stage.note({ kind: 'tag', name, commit, isAnswered: false });
  stage.store.tags.put(name, commit);
  stage.note({ kind: 'tag', name, commit, isAnswered: true });
}

function remove(stage: Stage, name: string): void {
  stage.note({ kind: 'tag', name, commit: null, isAnswered: false });
  stage.store.tags.remove(name);
  stage.note({ kind: 'tag', name, commit: null, isAnswered: true });
}

/** As `git pack-refs` does: the file whole and synced first, then the loose refs go. Its lock would be an operator's. */
function packRefs({ disk, store }: Stage): void {
  const refs = store.listRefs().filter(({ name }) => name.startsWith('refs/tags/'));
  const lines = refs.map(({ name, oid }) => `${oid} ${name}\n`).sort();
  const whole = `${REPOSITORY}/packed-refs.new`;
  disk.createFile(whole, [Buffer.from(`# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)]);
  disk.rename(whole, `${REPOSITORY}/packed-refs`);
  disk.syncFolder(REPOSITORY);
  for (const { name } of refs) disk.remove(`${REPOSITORY}/${name}`);
}
