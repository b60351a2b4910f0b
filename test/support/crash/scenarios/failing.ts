// A full disk, and a disk that fails.
import type { Stage } from '../stage.ts';
import { textOf } from './text.ts';

export async function diskFull(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': textOf(stage, 1, 300) });
  await stage.flush();
  const left = stage.random.whole(0, 4000);
  let room = left;
  stage.failing(({ name }) => {
    if (name === 'link' || name === 'open' || name === 'mkdir') return room > 0 ? undefined : { code: 'ENOSPC' };
    if (name !== 'write') return undefined;
    const written = room;
    room = 0;
    return written > 0 ? { code: 'ENOSPC', written, isShort: true } : { code: 'ENOSPC' };
  });
  for (let n = 0; n < 4; n++) await stage.change({ [`content/posts/${n}.json`]: textOf(stage, 1, 1500) });
  await stage.flush().catch(expectCode);
  await stage.change({ 'content/posts/full.json': 'x' });
  stage.failing(() => undefined);
  await stage.flush().catch(expectCode);
  // Writes that waited for room are tried again automatically.
  await stage.time.until(new Promise((resume) => setTimeout(resume, 2000)));
  await stage.change({ 'content/posts/room.json': textOf(stage, 1, 1500) });
  await stage.flush();
}

/** The sync of an append fails; another process takes over. */
export async function failedSync(stage: Stage): Promise<void> {
  stage.open();
  await stage.change({ 'content/posts/a.json': 'a' });
  if (stage.random.whole(0, 1)) await stage.flush();
  let isFirst = true;
  stage.failing(({ name, kind }) => {
    if (name !== 'write' || kind !== 'wal segment' || !isFirst) return undefined;
    isFirst = false;
    return { code: 'EIO', written: stage.random.whole(0, 1000) };
  });
  await stage.change({ 'content/posts/b.json': textOf(stage, 1, 600) });
  stage.failing(() => undefined);
  await stage.change({ 'content/posts/c.json': 'refused' });
  await stage.close();
  stage.open();
  await stage.change({ 'content/posts/d.json': 'd' });
  await stage.flush();
}

/** Calls that fail for a moment, each once: the next attempt finishes what was begun. */
export async function shortOfFiles(stage: Stage): Promise<void> {
  stage.open();
  for (const point of ['fsync folder objects/pack', 'open new idx', 'open own ref', 'link ref lock', 'unlink keep']) {
    let isFirst = true;
    stage.failing(({ name, kind }) => {
      if (!isFirst || `${name} ${kind}` !== point) return undefined;
      isFirst = false;
      return { code: 'EMFILE' };
    });
    await stage.change({ 'content/posts/b.json': textOf(stage, 1, 300) });
    await stage.flush().catch(expectCode);
    await stage.flush();
  }
}

/** Segments of the write-ahead log that cannot be removed for a while, and all go at once when the service ends. */
export async function leftSegments(stage: Stage): Promise<void> {
  stage.open();
  let refusals = 0;
  stage.failing(({ name, kind }) => {
    if (name !== 'unlink' || kind !== 'wal segment' || refusals === 0) return undefined;
    refusals--;
    return { code: 'ENOSPC' };
  });
  refusals = 2;
  for (let n = 0; n < 3; n++) {
    await stage.change({ 'content/posts/a.json': textOf(stage, 1400, 2000) });
    await stage.flush();
  }
  refusals = 1;
  for (let n = 0; n < 4; n++) await stage.change({ 'content/posts/b.json': textOf(stage, 1400, 2000) });
  await stage.close();
  stage.open();
  await stage.change({ 'content/posts/a.json': 'again' });
}

/** A file system without hard links, on which the branch's lock is a separate file. */
export async function noHardLinks(stage: Stage): Promise<void> {
  stage.note({ kind: 'operator' });
  stage.failing(({ name }) => (name === 'link' ? { code: 'EPERM' } : undefined));
  stage.open();
  for (let n = 0; n < 3; n++) {
    await stage.change({ [`content/posts/${n}.json`]: textOf(stage, 1, 300) });
    await stage.flush();
  }
}

function expectCode(error: unknown): void {
  if ((error as { code?: string }).code === undefined) throw error;
}
