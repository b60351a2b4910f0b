// Files that change their paths in one commit of trees, while no other process has the repository.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { nodeDisk } from '../../src/store/disk/disk.ts';
import { commitMoves } from '../../src/store/move-files.ts';
import { createInlinePacker } from '../../src/store/packs/packer-thread.ts';
import { createOdb } from '../../src/store/repository/odb.ts';
import { createBranch } from '../../src/store/repository/refs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { createMemoryDisk, type MemoryDisk } from '../support/memory-disk.ts';
import { createRandom } from '../support/random.ts';
import { AT, append, commitBeside, makeStoreWorld, type StoreWorld, write } from '../support/store-world.ts';

const MESSAGE = { subject: 'content: move', trailers: ['Event: content.resharded'], at: new Date(AT) };

/** A repository with three files, and no process that writes it. */
async function fill(world: StoreWorld): Promise<void> {
  const store = world.open();
  await write(store, { 'content/posts/a.json': 'A', 'content/posts/b.json': 'B', 'content/notes/n.json': 'N' });
  await store.close();
}

async function move(world: StoreWorld, files: Record<string, string>): Promise<string> {
  const head = world.git('rev-parse', 'main').trim();
  const odb = createOdb(nodeDisk, world.repository);
  const moves = Object.entries(files).map(([from, to]) => ({
    from,
    to,
    oid: world.git('rev-parse', `main:${from}`).trim(),
  }));
  try {
    return await commitMoves({ repository: world.repository, odb, head, moves, ...MESSAGE });
  } finally {
    odb.close();
  }
}

const listing = (world: StoreWorld): string => world.git('ls-tree', '-r', '--name-only', 'main');

test('files move with their blobs, and a folder that is left empty is gone', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const blob = world.git('rev-parse', 'main:content/posts/a.json');
  const objects = world.git('count-objects', '-v');
  const commit = await move(world, {
    'content/posts/a.json': 'content/posts/86/a.json',
    'content/posts/b.json': 'content/posts/e9/b.json',
    'content/notes/n.json': 'elsewhere/n.json',
  });
  assert.is(world.git('rev-parse', 'main').trim(), commit);
  assert.is(listing(world), 'content/posts/86/a.json\ncontent/posts/e9/b.json\nelsewhere/n.json\n');
  assert.is(world.git('rev-parse', 'main:content/posts/86/a.json'), blob);
  const added = world.git('count-objects', '-v');
  const count = (text: string): number => Number(/in-pack: (\d+)/.exec(text)?.[1]);
  assert.is(count(added) - count(objects), 8, 'six trees, the empty one of the folder that is gone, and the commit');
  assert.is(world.fsck(), '');
  // The next start continues from there.
  const store = world.open();
  await write(store, { 'content/posts/86/a.json': 'A2' });
  await store.close();
  assert.is(world.fsck(), '');
  assert.is(world.git('show', 'main:content/posts/86/a.json'), 'A2');
});

test("another process's lock on the branch is waited for", async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const { lockFile } = createBranch(nodeDisk, world.repository);
  fs.writeFileSync(lockFile, '');
  setTimeout(() => fs.unlinkSync(lockFile), 120);
  await move(world, { 'content/posts/a.json': 'content/posts/86/a.json' });
  assert.ok(listing(world).includes('content/posts/86/a.json'));
});

test('a branch that was moved meanwhile is left as it is', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const head = world.git('rev-parse', 'main').trim();
  const oid = world.git('rev-parse', 'main:content/posts/a.json').trim();
  const theirs = commitBeside(world.repository, { 'content/posts/c.json': 'C' });
  const odb = createOdb(nodeDisk, world.repository);
  const moves = [{ from: 'content/posts/a.json', to: 'content/posts/86/a.json', oid }];
  try {
    await commitMoves({ repository: world.repository, odb, head, moves, ...MESSAGE });
    assert.unreachable();
  } catch (error) {
    assert.is((error as ServiceError).code, 'unavailable');
  }
  odb.close();
  assert.is(world.git('rev-parse', 'main').trim(), theirs);
  const folder = `${world.repository}/objects/pack`;
  assert.not.ok(fs.readdirSync(folder).some((name) => name.endsWith('.keep')));
});

const FOLDER = '/data/site';
const REPOSITORY = `${FOLDER}/content.git`;

function open(disk: MemoryDisk): Store {
  const packer = createInlinePacker(disk, `${REPOSITORY}/objects/pack`);
  return openStore({ folder: FOLDER, disk, packer, pollMs: 0 });
}

const KEEPS: [string, (at: number) => () => boolean][] = [
  ['power cut, all that was not synced is lost', () => () => false],
  ['killed, nothing is lost', () => () => true],
  [
    'power cut, some of what was not synced is lost',
    (at) => {
      const random = createRandom(at + 1);
      return () => random.whole(0, 1) === 1;
    },
  ],
];

for (const [name, keep] of KEEPS) {
  test(`a crash at any operation leaves all files moved or none: ${name}`, async () => {
    let points = 0;
    const outcomes = new Set<boolean>();
    for (let at = 0; ; at++) {
      const disk = createMemoryDisk();
      const store = open(disk);
      const { blobs, durable } = append(store, { 'content/posts/a.json': 'A', 'content/posts/b.json': 'B' });
      await durable;
      await store.close();
      const first = disk.operations.length;
      disk.onOperation = ({ number }) => (number === first + at ? 'crash' : undefined);
      const odb = createOdb(disk, REPOSITORY);
      const head = createBranch(disk, REPOSITORY).read()!;
      const moves = ['a', 'b'].map((slug, i) => ({
        from: `content/posts/${slug}.json`,
        to: `content/posts/ff/${slug}.json`,
        oid: blobs[i]!,
      }));
      await commitMoves({ repository: REPOSITORY, odb, head, moves, ...MESSAGE, disk }).catch((error: unknown) => {
        if (!disk.isDown) throw error;
      });
      if (!disk.isDown) break;
      points++;
      const image = disk.afterCrash(keep(at));
      const after = open(image);
      const isMoved = after.log.has('content/posts/ff/a.json');
      outcomes.add(isMoved);
      assert.is(after.log.has('content/posts/ff/b.json'), isMoved);
      assert.is(after.log.has('content/posts/a.json'), !isMoved);
      await write(after, { 'content/posts/c.json': 'still works' });
      await after.close();
      const { problems } = await verifyStore({ repository: REPOSITORY, wal: `${FOLDER}/wal`, disk: image });
      assert.equal(problems, [], `crash at ${at}`);
    }
    assert.ok(points > 8, `${points} points`);
    assert.is(outcomes.has(false), true);
  });
}

test.run();
