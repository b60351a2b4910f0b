// Git sees the service's tags, and a crash while one is made or removed leaves it whole or gone.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { createInlineWork } from '../../../src/store/packs/disk-work.ts';
import { settleRefs } from '../../../src/store/repository/refs.ts';
import { createTags } from '../../../src/store/repository/tags.ts';
import { createMemoryDisk } from '../../support/memory-disk.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const REPOSITORY = '/content.git';

const codeOf = ({ code }: { code?: string }): string | undefined => code;

test('git and a clone see a tag, and git no longer sees it once it is removed', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const commit = await write(store, { 'content/posts/a.json': '{}\n' });
  await store.log.flush();
  await store.tags.put('backups/one', commit);
  await store.tags.put('backups/two', commit);
  assert.is(world.git('rev-parse', 'backups/one').trim(), commit);
  const clone = path.join(world.folder, 'clone');
  world.git('clone', '--quiet', world.repository, clone);
  assert.is(world.git('-C', clone, 'tag').trim(), 'backups/one\nbackups/two');
  await store.tags.remove('backups/one');
  assert.is(world.git('tag').trim(), 'backups/two');
  assert.is(world.fsck(), '');
});

test('a tag that git has packed can be removed, and the others stay', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const commit = await write(store, { 'content/posts/a.json': '{}\n' });
  await store.log.flush();
  for (const name of ['backups/one', 'backups/two']) await store.tags.put(name, commit);
  world.git('tag', '-a', '-m', 'kept', 'theirs', commit);
  world.git('pack-refs', '--all', '--prune');
  await store.tags.remove('backups/one');
  assert.is(world.git('tag').trim(), 'backups/two\ntheirs');
  await store.tags.put('backups/one', commit);
  world.git('tag', '-d', 'theirs');
  for (const name of ['backups/one', 'backups/two']) await store.tags.remove(name);
  assert.is(world.git('tag').trim(), '');
  assert.is(store.tags.find('backups/two'), null);
  assert.is(world.git('rev-parse', 'main').trim(), commit);
  assert.is(world.fsck(), '');
});

test('a tag never moves to another commit; putting or removing it twice is allowed', async () => {
  const disk = createMemoryDisk();
  const tags = createTags(disk, REPOSITORY, createInlineWork(disk, REPOSITORY));
  await tags.put('backups/one', A);
  await tags.put('backups/one', A);
  assert.is(await tags.put('backups/one', B).catch(codeOf), 'conflict');
  assert.is(tags.find('backups/one'), A);
  await tags.remove('backups/one');
  await tags.remove('backups/one');
  assert.is(tags.find('backups/one'), null);
});

test('a tag that git has locked is not removed', async () => {
  const disk = createMemoryDisk();
  const tags = createTags(disk, REPOSITORY, createInlineWork(disk, REPOSITORY));
  await tags.put('one', A);
  const lock = `${REPOSITORY}/refs/tags/one.lock`;
  disk.createFile(lock, [Buffer.alloc(0)]);
  assert.is(await tags.remove('one').catch(codeOf), 'unavailable');
  disk.remove(lock);
  disk.createFile(`${REPOSITORY}/packed-refs`, [Buffer.from(`${A} refs/tags/one\n`)]);
  disk.createFile(`${REPOSITORY}/packed-refs.lock`, [Buffer.alloc(0)]);
  assert.is(await tags.remove('one').catch(codeOf), 'unavailable');
  assert.is(tags.find('one'), A);
  settleRefs(disk, REPOSITORY, () => false);
  assert.ok(disk.stat(`${REPOSITORY}/packed-refs.lock`), 'the lock is not ours');
});

test('a crash anywhere in the removal of a packed tag leaves the tag whole or gone, and no lock', async () => {
  for (let dies = 0; ; dies++) {
    const disk = createMemoryDisk();
    const tags = createTags(disk, REPOSITORY, createInlineWork(disk, REPOSITORY));
    await tags.put('one', A);
    await tags.put('two', B);
    disk.createFile(`${REPOSITORY}/packed-refs`, [Buffer.from(`${A} refs/tags/one\n${B} refs/tags/two\n`)]);
    let calls = 0;
    const dead = new Proxy(disk, {
      get(target, key: keyof typeof disk) {
        const call = target[key];
        if (typeof call !== 'function') return call;
        return (...args: unknown[]) => {
          if (!['readFile', 'stat', 'list'].includes(key) && calls++ >= dies) throw new Error('killed');
          return (call as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
    let isDone = true;
    try {
      await createTags(dead, REPOSITORY, createInlineWork(dead, REPOSITORY)).remove('one');
    } catch (error) {
      assert.is((error as Error).message, 'killed');
      isDone = false;
    }
    settleRefs(disk, REPOSITORY, () => false);
    const found = tags.find('one');
    assert.ok(found === A || found === null, `after ${dies} calls`);
    assert.is(tags.find('two'), B);
    assert.equal(disk.list(REPOSITORY), ['packed-refs', 'refs'], `after ${dies} calls`);
    assert.equal(
      disk.list(`${REPOSITORY}/refs/tags`).filter((name) => name.endsWith('.lock')),
      [],
    );
    await tags.remove('one');
    assert.is(tags.find('one'), null);
    if (isDone) break;
    assert.ok(dies < 100);
  }
});

test('frozen objects are complete, and stay when git repacks the repository', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  for (let i = 0; i < 5; i++) {
    await write(store, { [`content/posts/${i}.json`]: `${i}\n` });
    await store.log.flush();
  }
  world.git('hash-object', '-w', '--stdin', '--path', 'x');
  const frozen = await store.freeze();
  world.git('-c', 'gc.auto=0', 'repack', '-a', '-d', '-q');
  const before = frozen.files.map(({ path: file, sizeBytes }) => {
    assert.is(fs.statSync(path.join(frozen.folder, file)).size, sizeBytes);
    return file;
  });
  assert.ok(before.length > 1);
  const copy = path.join(world.folder, 'copy.git');
  world.git('init', '--bare', '--quiet', copy);
  fs.cpSync(path.join(frozen.folder, 'objects'), path.join(copy, 'objects'), { recursive: true });
  world.git('-C', copy, 'update-ref', 'refs/heads/main', store.log.status().gitHead!);
  assert.is(world.git('-C', copy, 'rev-list', '--count', 'main').trim(), '5');
  await frozen.remove();
  assert.equal(nodeDisk.list(path.join(world.folder, 'frozen')), []);
});

test.run();
