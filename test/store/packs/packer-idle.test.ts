// The packer's thread ends when it is idle, and writers do not notice.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createThreadPacker } from '../../../src/store/packs/packer-thread.ts';
import { eventually } from '../../support/process.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

/** Worker threads of this process, as Linux lists them. */
function countThreads(): number {
  const names = fs.readdirSync('/proc/self/task').map((id) => fs.readFileSync(`/proc/self/task/${id}/comm`, 'utf8'));
  return names.filter((name) => name.trim() === 'WorkerThread').length;
}

test('an idle packer thread ends and forgets its open pack, and later writes reach git as usual', async () => {
  await using world = makeStoreWorld();
  const packer = createThreadPacker(path.join(world.repository, 'objects', 'pack'), undefined, 50);
  const store = world.open({ packer });
  for (let round = 0; round < 3; round++) {
    await write(store, { [`content/posts/large-${round}.json`]: randomBytes(3 << 20) });
    await store.log.flush();
    await eventually(() => assert.is(packer.isEmpty(), true), 10_000);
    assert.equal(packer.openPacks(), []);
    await write(store, { [`content/posts/small-${round}.json`]: `${round}` });
    await store.log.flush();
    assert.is(world.git('show', `main:content/posts/small-${round}.json`), `${round}`);
  }
  await store.close();
  assert.is(world.git('rev-list', '--count', 'main').trim(), '6');
  assert.is(world.fsck(), '');
  assert.equal(world.warnings, []);
});

test('an idle packer thread ends even with a small pack; later changes begin another, and git has them all', async () => {
  await using world = makeStoreWorld();
  const packer = createThreadPacker(path.join(world.repository, 'objects', 'pack'), undefined, 20);
  const store = world.open({ packer });
  const wide = Array.from({ length: 2000 }, (_, n) => [`content/posts/${n}.json`, `${n}`]);
  await write(store, Object.fromEntries(wide));
  await store.log.flush();
  for (let n = 0; n < 5; n++) {
    assert.is(packer.openPacks().length, 1);
    await eventually(() => assert.is(packer.isEmpty(), true), 10_000);
    assert.equal(packer.openPacks(), []);
    await write(store, { [`content/posts/${n}.json`]: `${n} again` });
    await store.log.flush();
  }
  assert.is(world.git('show', 'main:content/posts/4.json'), '4 again');
  assert.is(world.git('rev-list', '--count', 'main').trim(), '6');
  assert.is(world.fsck(), '');
  await store.close();
  assert.equal(world.warnings, []);
});

test('a packer thread ends soon if it was started for something other than a pack, and stays with a pack', async () => {
  await using world = makeStoreWorld();
  const packer = createThreadPacker(path.join(world.repository, 'objects', 'pack'), undefined, 60_000);
  const store = world.open({ packer });
  const before = countThreads();
  await packer.work('removePacksAside', []);
  assert.is(countThreads(), before + 1);
  await eventually(() => assert.is(countThreads(), before), 10_000);
  await write(store, { 'content/posts/a.json': 'a' });
  await store.log.flush();
  const packs = packer.openPacks();
  await packer.work('removePacksAside', []);
  await new Promise((resume) => setTimeout(resume, 500));
  assert.is(packs.length, 1);
  assert.equal(packer.openPacks(), packs);
  assert.is(countThreads(), before + 1);
  await store.close();
});

test.run();
