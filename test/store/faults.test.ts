// Full disks, failing disks and shortages: how writes are refused, what goes on, and what recovers by itself.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createInlinePacker } from '../../src/store/packs/packer-thread.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { listLog } from '../support/crash/logged.ts';
import { createMemoryDisk, type Fault, type MemoryDisk, type Operation } from '../support/memory-disk.ts';
import { append, write } from '../support/store-world.ts';

const FOLDER = '/data/site';
const PACKS = `${FOLDER}/content.git/objects/pack`;

interface Opened {
  store: Store;
  disk: MemoryDisk;
  fatal: unknown[];
  warnings: string[];
  /** Fails these operations until the next call. */
  failing(which: (operation: Operation) => Fault | undefined): void;
}

async function open(disk = createMemoryDisk()): Promise<Opened> {
  const fatal: unknown[] = [];
  const warnings: string[] = [];
  const store = openStore({
    folder: FOLDER,
    disk,
    packer: createInlinePacker(disk, PACKS),
    pollMs: 0,
    walSegmentBytes: 3000,
    onFatal: (error) => void fatal.push(error),
    warn: (message) => void warnings.push(message),
  });
  await write(store, { 'content/posts/a.json': 'first' });
  await store.log.flush();
  return { store, disk, fatal, warnings, failing: (which) => void (disk.onOperation = which) };
}

async function codeOf(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? 'none';
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const started = performance.now();
  while (!isSo()) {
    if (performance.now() - started > 5000) throw new Error('the condition was not met in time');
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

const isWal = ({ file }: Operation): boolean => file.startsWith(`${FOLDER}/wal/`);
const isPack = ({ file }: Operation): boolean => file.startsWith(PACKS) || file.includes('/colophon-new/');

test('a write-ahead log that cannot grow refuses with 507 and undoes the change, and the next one works', async () => {
  const { store, failing, fatal } = await open();
  const head = store.log.status().head;
  failing((operation) => (isWal(operation) ? { code: 'ENOSPC' } : undefined));
  const undone: string[] = [];
  const big = 'x'.repeat(4000);
  const refused = ['b', 'c'].map((name) =>
    append(store, { [`content/${name}.json`]: big }, { undo: () => void undone.push(name) }),
  );
  for (const { durable } of refused) assert.is(await codeOf(() => durable), 'storage_full');
  assert.equal(undone, ['c', 'b']);
  assert.is(store.log.has('content/b.json'), false);
  assert.is(store.log.status().head, head);
  assert.is(store.log.status().refusal?.code, 'storage_full');
  failing(() => undefined);
  // Without another write.
  await until(() => store.log.status().refusal === undefined);
  await write(store, { 'content/d.json': big });
  await store.log.flush();
  assert.equal(fatal, []);
  await store.close();
});

test('a full disk after a publish, with nothing left to publish, refuses writes only while it is full', async () => {
  const { store, failing, fatal } = await open();
  const folder = `${FOLDER}/wal`;
  for (let i = 0; i < 4; i++) await write(store, { [`content/${i}.json`]: 'x'.repeat(3000) });
  // Segments are removed once their frames are on the branch; the sync after that finds no room.
  let isMet = false;
  failing(({ name, file }) => {
    const isHit = name === 'syncFolder' && file === folder;
    isMet ||= isHit;
    return isHit ? { code: 'ENOSPC' } : undefined;
  });
  await store.log.flush().catch(() => undefined);
  await until(() => isMet);
  failing(() => undefined);
  // The write that met the full disk may still be under way, and fails the writes of the same frame.
  const first = await codeOf(() => write(store, { 'content/beside.json': 'x' }));
  assert.ok(first === undefined || first === 'storage_full', first);
  await until(() => store.log.status().refusal === undefined);
  await write(store, { 'content/last.json': 'x' });
  await store.log.flush();
  assert.equal(fatal, []);
  await store.close();
});

test('packs that find no room stop writes with 507 while reads go on; once there is room, packs and writes go on by themselves', async () => {
  const { store, failing, fatal, warnings } = await open();
  failing((operation) =>
    isPack(operation) && operation.name === 'createFile' ? { code: 'ENOSPC', written: 3 } : undefined,
  );
  await write(store, { 'content/b.json': 'acknowledged' });
  assert.is(await codeOf(() => store.log.flush()), 'storage_full');
  assert.is(await codeOf(() => write(store, { 'content/c.json': 'x' })), 'storage_full');
  assert.is(store.log.status().refusal?.code, 'storage_full');
  assert.is(warnings.length, 1);
  assert.ok(store.odb.has(store.log.status().gitHead!));
  failing(() => undefined);
  await until(() => store.log.status().refusal === undefined);
  assert.is(store.log.status().unflushed, 0);
  await write(store, { 'content/c.json': 'x' });
  await store.log.flush();
  assert.equal(fatal, []);
  await store.close();
});

test('a branch that cannot be moved for lack of room is tried again without another pack each time', async () => {
  const { store, disk, failing } = await open();
  failing(({ name, file }) =>
    name === 'createFile' && file.endsWith('colophon-ref') ? { code: 'ENOSPC' } : undefined,
  );
  await write(store, { 'content/b.json': 'x' });
  assert.is(await codeOf(() => store.log.flush()), 'storage_full');
  const packs = disk.list(PACKS).length;
  assert.is(await codeOf(() => store.log.flush()), 'storage_full');
  assert.is(await codeOf(() => store.log.flush()), 'storage_full');
  assert.is(disk.list(PACKS).length, packs);
  failing(() => undefined);
  await until(() => store.log.status().unflushed === 0);
  assert.is(disk.list(PACKS).filter((name) => name.endsWith('.pack')).length, 2, 'one for each of the two changes');
  await store.close();
});

test('closing on a full disk ends, and the next start recovers what was acknowledged', async () => {
  const { store, disk, failing, warnings } = await open();
  failing((operation) => (isPack(operation) && operation.name === 'createFile' ? { code: 'ENOSPC' } : undefined));
  const last = append(store, { 'content/b.json': 'acknowledged' });
  await last.durable;
  const started = performance.now();
  await store.close();
  assert.ok(performance.now() - started < 3000);
  assert.ok(warnings.length > 0);
  failing(() => undefined);
  const again = await open(disk.afterCrash());
  assert.ok(again.store.log.has('content/b.json'));
  assert.is(again.store.recovered.length, 1);
  await again.store.close();
});

test('a failed sync of the write-ahead log ends the process, and nothing that it refused comes back', async () => {
  const { store, disk, failing, fatal } = await open();
  let isFirst = true;
  failing(({ name }) => {
    if (name !== 'write' || !isFirst) return undefined;
    isFirst = false;
    return { code: 'EIO', written: 1 << 20 };
  });
  assert.is(await codeOf(() => write(store, { 'content/b.json': 'refused' })), 'unavailable');
  assert.is(fatal.length, 1);
  assert.is((fatal[0] as { code: string }).code, 'EIO');
  failing(() => undefined);
  assert.is(await codeOf(() => write(store, { 'content/c.json': 'x' })), 'unavailable');
  assert.is(await codeOf(() => store.log.flush()), undefined);
  await store.close();
  const again = await open(disk.afterCrash(() => true));
  assert.is(again.store.log.has('content/b.json'), false);
  assert.is(again.store.log.has('content/a.json'), false);
  assert.ok(again.store.log.has('content/posts/a.json'));
  await again.store.close();
});

test('a failed sync of a pack or of the branch ends the process, and the next start has everything that was acknowledged', async () => {
  for (const where of [
    isPack,
    ({ file }: Operation) => file.includes('/refs/heads') || file.endsWith('colophon-ref'),
  ]) {
    const { store, disk, failing, fatal } = await open();
    failing((operation) => (where(operation) ? { code: 'EIO' } : undefined));
    await write(store, { 'content/b.json': 'acknowledged' });
    await until(() => fatal.length > 0);
    assert.is(await codeOf(() => store.log.flush()), 'unavailable');
    assert.is(store.log.status().refusal?.code, 'unavailable');
    failing(() => undefined);
    await store.close();
    const again = await open(disk.afterCrash(() => true));
    assert.ok(again.store.log.has('content/b.json'));
    await again.store.close();
  }
});

test('a failure after the branch has moved makes no change appear twice', async () => {
  const calls = ['unlink keep', 'unlink own ref', 'unlink pack', 'unlink idx', 'unlink wal segment'];
  for (const failing of [...calls, 'fsync folder refs/heads']) {
    for (const code of ['ENOSPC', 'EMFILE']) {
      const { store, disk, fatal } = await open();
      disk.files.onCall = ({ name, kind }) => (`${name} ${kind}` === failing ? { code } : undefined);
      for (let n = 0; n < 3; n++) {
        await codeOf(() => write(store, { 'content/b.json': `${n}` }));
        await codeOf(() => store.log.flush());
      }
      disk.files.onCall = () => undefined;
      await codeOf(() => write(store, { 'content/c.json': 'room again' }));
      await codeOf(() => store.log.flush());
      assert.is(fatal.length > 0, failing.startsWith('fsync'), `${code}: ${failing}`);
      await store.close();
      const again = await open(disk.afterCrash(() => true));
      const ids = listLog(again.store.odb, again.store.log.status().gitHead).map(({ changeId }) => changeId);
      assert.is(new Set(ids).size, ids.length, `${code}: ${failing}`);
      assert.ok(again.store.log.has('content/b.json'));
      await again.store.close();
    }
  }
});

test('a pack that another process deletes as the branch moves, on a disk that fills up, ends the process and is not tried again', async () => {
  const { store, disk, fatal } = await open();
  const before = new Set(disk.list(PACKS));
  let isDropped = false;
  disk.files.onCall = ({ name, kind }) => {
    if (isDropped) return kind === 'new pack' ? { code: 'ENOSPC' } : undefined;
    if (name !== 'rename' || kind !== 'ref') return undefined;
    for (const file of disk.list(PACKS)) if (!before.has(file)) disk.remove(`${PACKS}/${file}`);
    isDropped = true;
    return undefined;
  };
  await write(store, { 'content/b.json': 'acknowledged' });
  await until(() => fatal.length > 0);
  assert.ok(isDropped);
  assert.is(await codeOf(() => store.log.flush()), 'unavailable');
  assert.is(await codeOf(() => write(store, { 'content/c.json': 'x' })), 'unavailable');
  await store.close();
});

test('segments of the write-ahead log that cannot be removed delay no write, and are removed once they can be', async () => {
  const { store, disk, fatal } = await open();
  disk.files.onCall = ({ name, kind }) =>
    name === 'unlink' && kind === 'wal segment' ? { code: 'ENOSPC' } : undefined;
  for (let n = 0; n < 5; n++) {
    await write(store, { 'content/b.json': `${n}`.repeat(2000) });
    await store.log.flush();
  }
  const segments = (): number => disk.list(`${FOLDER}/wal`).length;
  assert.ok(segments() >= 5);
  disk.files.onCall = () => undefined;
  await write(store, { 'content/b.json': 'x' });
  await store.log.flush();
  await until(() => segments() <= 2);
  await store.close();
  assert.is(segments(), 0);
  assert.equal(fatal, []);
});

test('a lack of file descriptors refuses a write or delays a pack, and ends nothing', async () => {
  const { store, disk, failing, fatal } = await open();
  failing((operation) => (isPack(operation) ? { code: 'EMFILE' } : undefined));
  await write(store, { 'content/b.json': 'x' });
  assert.is(await codeOf(() => store.log.flush()), 'unavailable');
  assert.is(store.log.status().refusal, undefined);
  failing((operation) => (isWal(operation) ? { code: 'EMFILE' } : undefined));
  assert.is(await codeOf(() => write(store, { 'content/c.json': 'x'.repeat(4000) })), 'unavailable');
  failing(() => undefined);
  await write(store, { 'content/d.json': 'x' });
  await store.log.flush();
  assert.equal(fatal, []);
  assert.ok(disk.operations.length > 0);
  await store.close();
});

test('damage in the write-ahead log refuses the start and changes nothing', async () => {
  const { store, disk, failing } = await open();
  failing((operation) => (isPack(operation) && operation.name === 'createFile' ? { code: 'ENOSPC' } : undefined));
  for (let i = 0; i < 3; i++) append(store, { 'content/b.json': String(i) }).durable.catch(() => undefined);
  await new Promise((resume) => setTimeout(resume, 20));
  await codeOf(() => write(store, { 'content/b.json': 'last' }));
  await store.close();
  const image = disk.afterCrash(() => true);
  const [segment] = image.list(`${FOLDER}/wal`);
  const handle = image.openDurable(`${FOLDER}/wal/${segment}`);
  await handle.write(Buffer.from('damage'), 3);
  const before = image.operations.length;
  assert.is(await codeOf(() => open(image)), 'unavailable');
  const changes = image.operations
    .slice(before)
    .filter(({ name, file }) => name !== 'syncFolder' && !file.includes('/colophon.epochs/'));
  assert.equal(changes, []);
});

test.run();
