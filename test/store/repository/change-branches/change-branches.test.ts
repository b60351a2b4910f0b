// Branches changes/<name> in the repository: who moved them last is known after restarts and `git gc`, those that nobody
// moves for 30 days go, and a crash leaves each whole or gone.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createInlineWork } from '../../../../src/store/packs/disk-work.ts';
import { createChangeBranches } from '../../../../src/store/repository/change-branches/change-branches.ts';
import { parseLastMove, toMoveLine } from '../../../../src/store/repository/change-branches/last-move.ts';
import { settleRefs } from '../../../../src/store/repository/refs.ts';
import { cleanRepository } from '../../../../src/store/repository/repository.ts';
import { createMemoryDisk } from '../../../support/memory-disk.ts';
import { makeStoreWorld, write } from '../../../support/store-world.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const REPOSITORY = '/content.git';
const DAY_MS = 24 * 3600 * 1000;
const X = 'refs/heads/changes/x';
const ines = { id: 'u1', name: 'Ines', email: 'ines@example.org' };
/** Git drops entries of reflogs that are older than 90 days by its own clock. */
const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 31 * DAY_MS);

test('a branch that nobody moves for 30 days goes, whatever git gc and restarts do in between, and main stays', async () => {
  await using world = makeStoreWorld();
  let now = at;
  const open = () => world.open({ now: () => now });
  let store = open();
  const commit = await write(store, { 'content/posts/a.json': '{}\n' });
  await store.log.flush();
  const { changeBranches } = store;
  assert.is(await changeBranches.move(X, null, commit, { at, by: ines }), 'moved');
  const later = new Date(at.getTime() + 20 * DAY_MS);
  assert.is(await changeBranches.move('refs/heads/changes/y', null, commit, { at: later, by: ines }), 'moved');
  assert.is(await changeBranches.move(X, A, commit, { at: later, by: ines }), 'changed');
  world.git('gc', '--quiet', '--prune=now');
  await store.close();
  store = open();
  assert.equal(store.changeBranches.list(), [
    { name: 'changes/x', oid: commit, movedAt: at, movedBy: ines },
    { name: 'changes/y', oid: commit, movedAt: later, movedBy: ines },
  ]);
  now = new Date(at.getTime() + 30 * DAY_MS);
  await store.changeBranches.look();
  assert.is(store.changeBranches.list().length, 2);
  now = new Date(now.getTime() + 1);
  await store.changeBranches.look();
  assert.equal(
    store.changeBranches.list().map(({ name }) => name),
    ['changes/y'],
  );
  assert.is(world.git('for-each-ref', '--format=%(refname)').trim(), 'refs/heads/changes/y\nrefs/heads/main');
  assert.is(fs.existsSync(path.join(world.repository, 'logs', X)), false);
  assert.is(world.fsck(), '');
});

test('a branch that a git program on the disk moves is dated by its file, by its reflog, or from the first look on', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ now: () => at });
  const first = await write(store, { 'content/posts/a.json': '{}\n' });
  const second = await write(store, { 'content/posts/b.json': '{}\n' });
  await store.log.flush();
  const shown = () => store.changeBranches.list()[0];
  world.git('update-ref', X, first);
  fs.utimesSync(path.join(world.repository, X), at, at);
  assert.equal(shown(), { name: 'changes/x', oid: first, movedAt: at, movedBy: null });
  world.git('pack-refs', '--all', '--prune');
  assert.is(shown()?.movedAt, null);
  await store.changeBranches.look();
  assert.equal([shown()?.movedAt, shown()?.movedBy], [at, null]);
  // From now on the branch has a reflog, to which git appends.
  world.git('update-ref', X, second);
  assert.equal(shown()?.movedBy, { id: null, name: 'Developer', email: 'developer@example.com' });
  // A reflog that ends at another commit is that of an earlier branch.
  fs.writeFileSync(path.join(world.repository, X), `${first}\n`);
  assert.equal([shown()?.oid, shown()?.movedBy], [first, null]);
  assert.is(world.fsck(), '');
});

test('a line names any pusher, and a damaged one nobody', () => {
  for (const by of [ines, { ...ines, id: null }, { id: 'x', name: 'Ærø', email: 'a' }, null]) {
    assert.equal(parseLastMove(toMoveLine({ to: A, at, by })), { to: A, at, by });
  }
  const hostile = parseLastMove(toMoveLine({ to: A, at, by: { id: 'u', name: 'a\n> <b\t', email: 'c>\n d' } }));
  assert.equal(hostile?.by, { id: 'u', name: 'a b', email: 'cd' });
  for (const damaged of ['', '\n', 'x', `${A} ${B}`, `${A} ${B} n <e> x +0000`]) {
    assert.is(parseLastMove(damaged), undefined);
  }
});

test('a crash anywhere in a move or a removal leaves the branch as before or after it, with its date', async () => {
  const how = { at, by: ines };
  const steps = {
    move: (one: ReturnType<typeof createChangeBranches>) => one.move(X, A, B, { ...how, at: new Date() }),
    remove: (one: ReturnType<typeof createChangeBranches>) => one.remove(X, A),
  };
  for (const [what, step] of Object.entries(steps)) {
    for (let dies = 0; ; dies++) {
      const disk = createMemoryDisk();
      const open = (on: typeof disk) =>
        createChangeBranches({
          ...{ disk: on, work: createInlineWork(on, REPOSITORY), repository: REPOSITORY, lookMs: 0 },
          now: () => at,
          info: () => undefined,
          warn: () => undefined,
        });
      await open(disk).move(X, null, A, how);
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
      const isDone = await step(open(dead)).then(
        () => calls <= dies,
        () => false,
      );
      settleRefs(disk, REPOSITORY, () => false);
      cleanRepository(disk, REPOSITORY);
      const found = open(disk).list();
      const about = `${what} after ${dies} calls`;
      assert.ok(found.length === 0 ? what === 'remove' : [A, B].includes(found[0]!.oid), about);
      assert.ok(
        found.every(({ movedAt }) => movedAt !== null),
        about,
      );
      assert.equal(
        disk.list(REPOSITORY).filter((name) => name.startsWith('colophon')),
        [],
        about,
      );
      if (isDone) break;
      assert.ok(dies < 100);
    }
  }
});

test.run();
