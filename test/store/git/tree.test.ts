// Trees that are edited in place, compared with a plain sorted model and with git.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { oidOf } from '../../../src/store/git/objects.ts';
import {
  encodeTreeEntry,
  FILE_MODE,
  invertEdit,
  MutableTree,
  parseTree,
  TREE_MODE,
  toKey,
} from '../../../src/store/git/tree.ts';
import { changedEntries, findTreeProblem } from '../../../src/store/git/tree-check.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { git, gitWithInput, makeStoreWorld } from '../../support/store-world.ts';

const NAMES = ['a', 'a.b', 'a-b', 'a0', 'ab', 'A', 'é', 'éa', 'z.json', '漢字.json', '😀', 'a b', '~', '0', 'a.b.c'];

interface Entry {
  name: string;
  isDirectory: boolean;
  oid: string;
}

/** The expected tree of these entries: sorted by bytes, directories with a slash after the name. */
function model(entries: Iterable<Entry>): Buffer {
  const sorted = [...entries].sort((a, b) =>
    Buffer.compare(
      Buffer.from(toKey(a.name, a.isDirectory), 'latin1'),
      Buffer.from(toKey(b.name, b.isDirectory), 'latin1'),
    ),
  );
  return Buffer.concat(sorted.map((entry) => encodeTreeEntry(entry.name, modeOf(entry.isDirectory), entry.oid)));
}

function modeOf(isDirectory: boolean): string {
  return isDirectory ? TREE_MODE : FILE_MODE;
}

function oid(random: Random): string {
  return oidOf('blob', Buffer.from(String(random.whole(0, 1e9))));
}

function nameOf(random: Random, wide: boolean): string {
  return wide ? `doc-${random.whole(0, 400)}.json` : NAMES[random.whole(0, NAMES.length - 1)]!;
}

test('the id of a wide tree matches its bytes, whatever changed since the last call', () => {
  const random = createRandom(7);
  const tree = new MutableTree();
  for (let i = 0; i < 4000; i++) tree.set(`doc-${i}.json`, FILE_MODE, oid(random));
  for (let step = 0; step < 400; step++) {
    const name = `doc-${random.whole(0, 4100)}.json`;
    const edit = random.whole(0, 19) === 0 ? tree.delete(name, false) : tree.set(name, FILE_MODE, oid(random));
    if (random.whole(0, 2) > 0) assert.is(tree.oid(), oidOf('tree', tree.content), `step ${step}`);
    if (edit && random.whole(0, 9) === 0) {
      tree.apply(invertEdit(edit));
      tree.reindex();
      assert.is(tree.oid(), oidOf('tree', tree.content), `undone at step ${step}`);
    }
  }
});

test('any sequence of edits leaves the same tree as building it from its entries', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const tree = new MutableTree();
    const entries = new Map<string, Entry>();
    const wide = seed % 2 === 0;
    for (let step = 0; step < (wide ? 1200 : 150); step++) {
      const name = nameOf(random, wide);
      const isDirectory = random.whole(0, 3) === 0;
      const key = toKey(name, isDirectory);
      if (random.whole(0, 3) > 0) {
        const entry = { name, isDirectory, oid: oid(random) };
        tree.set(name, modeOf(isDirectory), entry.oid);
        entries.set(key, entry);
      } else {
        assert.is(tree.delete(name, isDirectory) !== undefined, entries.delete(key), `seed ${seed} step ${step}`);
      }
      if (step % 37 === 0) assert.ok(tree.content.equals(model(entries.values())), `seed ${seed} step ${step}`);
      assert.is(tree.find(name, isDirectory)?.oid, entries.get(key)?.oid);
    }
    assert.ok(tree.content.equals(model(entries.values())), `seed ${seed}`);
    assert.is(tree.oid(), oidOf('tree', tree.content));
  }
});

test('setting an entry to its current value changes nothing', () => {
  const tree = new MutableTree();
  const id = 'a'.repeat(40);
  assert.ok(tree.set('x', FILE_MODE, id));
  assert.is(tree.set('x', FILE_MODE, id), undefined);
  assert.is(tree.delete('y', false), undefined);
});

test('edits undone in reverse order bring the tree back, and it can be edited again', () => {
  const random = createRandom(3);
  const tree = new MutableTree();
  for (let i = 0; i < 300; i++) tree.set(nameOf(random, true), FILE_MODE, oid(random));
  const before = Buffer.from(tree.content);
  const edits = [];
  for (let i = 0; i < 500; i++) {
    const name = nameOf(random, true);
    edits.push(random.whole(0, 1) ? tree.set(name, FILE_MODE, oid(random)) : tree.delete(name, false));
  }
  for (const edit of edits.reverse()) if (edit) tree.apply(invertEdit(edit));
  tree.reindex();
  assert.ok(tree.content.equals(before));
  tree.set('doc-200.json', FILE_MODE, 'b'.repeat(40));
  assert.is(tree.find('doc-200.json', false)?.oid, 'b'.repeat(40));
});

test('many changes merged in one pass leave the same tree as one by one', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const start = new MutableTree();
    for (let i = random.whole(0, 200); i > 0; i--) start.set(nameOf(random, true), FILE_MODE, oid(random));
    const single = new MutableTree(start.content);
    const merged = new MutableTree(start.content);
    const changes = new Map<string, Buffer | null>();
    for (let i = random.whole(0, 120); i > 0; i--) {
      const name = nameOf(random, true);
      const isDirectory = random.whole(0, 5) === 0;
      const id = oid(random);
      const isRemoval = random.whole(0, 2) === 0;
      if (isRemoval) single.delete(name, isDirectory);
      else single.set(name, modeOf(isDirectory), id);
      changes.set(toKey(name, isDirectory), isRemoval ? null : encodeTreeEntry(name, modeOf(isDirectory), id));
    }
    const edit = merged.merge(changes);
    assert.ok(merged.content.equals(single.content), `seed ${seed}`);
    merged.set('zz', FILE_MODE, 'c'.repeat(40));
    assert.is(merged.find('zz', false)?.oid, 'c'.repeat(40));
    merged.delete('zz', false);
    if (edit) merged.apply(invertEdit(edit));
    assert.ok(merged.content.equals(start.content), `undone, seed ${seed}`);
  }
});

test('git makes the same tree from the same entries', async () => {
  await using world = makeStoreWorld();
  world.open();
  const blob = gitWithInput(world.repository, 'x', 'hash-object', '-w', '--stdin').trim();
  const empty = gitWithInput(world.repository, '', 'mktree').trim();
  const random = createRandom(11);
  for (let round = 0; round < 10; round++) {
    const tree = new MutableTree();
    const lines: string[] = [];
    for (const name of NAMES) {
      if (random.whole(0, 2) === 0) continue;
      const isDirectory = random.whole(0, 1) === 0;
      tree.set(name, modeOf(isDirectory), isDirectory ? empty : blob);
      lines.push(`${isDirectory ? '040000 tree' : '100644 blob'} ${isDirectory ? empty : blob}\t${name}\0`);
    }
    const made = gitWithInput(world.repository, lines.reverse().join(''), 'mktree', '-z').trim();
    assert.is(tree.oid(), made);
    const listed = git(world.repository, 'ls-tree', '-z', '--name-only', made).split('\0').filter(Boolean);
    assert.equal(
      parseTree(tree.content).map(({ name }) => name),
      listed,
    );
    assert.is(findTreeProblem(tree.content), undefined);
  }
});

test('two versions of a directory differ in the changed entries and no others', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const before = new MutableTree();
    for (let i = random.whole(0, 300); i > 0; i--) before.set(nameOf(random, true), FILE_MODE, oid(random));
    const after = new MutableTree(before.content);
    const touched = new Map<string, string | null>();
    for (let i = random.whole(0, 6); i > 0; i--) {
      const name = nameOf(random, true);
      const id = random.whole(0, 2) ? oid(random) : null;
      if (id) after.set(name, FILE_MODE, id);
      else after.delete(name, false);
      touched.set(name, id);
    }
    const changes = changedEntries(before.content, after.content);
    const wanted = [...touched]
      .filter(([name, id]) => (before.find(name, false)?.oid ?? null) !== id)
      .map(([name, id]) => ({
        name,
        isDirectory: false,
        mode: FILE_MODE,
        before: before.find(name, false)?.oid ?? null,
        after: id,
      }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    assert.equal(changes.sort(byName), wanted.sort(byName), `seed ${seed}`);
  }
});

test('a tree that git would refuse has a problem', () => {
  const id = 'a'.repeat(40);
  const entry = (name: string, mode = FILE_MODE): Buffer => encodeTreeEntry(name, mode, id);
  assert.match(findTreeProblem(Buffer.concat([entry('b'), entry('a')])) ?? '', 'wrong order');
  assert.match(findTreeProblem(Buffer.concat([entry('a'), entry('a', TREE_MODE)])) ?? '', 'twice');
  assert.match(findTreeProblem(entry('a', '100600')) ?? '', 'mode');
  assert.match(findTreeProblem(entry('..')) ?? '', 'checked out');
  assert.match(findTreeProblem(entry('.GIT')) ?? '', 'own repository');
});

test.run();
