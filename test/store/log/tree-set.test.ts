// The newest commit's directories: what a change does to them, and how it is undone.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Oid, oidOf } from '../../../src/store/git/objects.ts';
import { parseTree, TREE_MODE } from '../../../src/store/git/tree.ts';
import { createTreeSet, type FileChange, type TreeSet, type TreeSetResult } from '../../../src/store/log/tree-set.ts';
import { createRandom } from '../../support/random.ts';

function change(files: Record<string, string | null>): FileChange[] {
  return Object.entries(files).map(([path, text]) => ({ path, content: text === null ? null : Buffer.from(text) }));
}

/** Keeps every tree that a change makes, so that another set can be opened on it. */
function makeSet(): { set: TreeSet; apply(files: FileChange[]): TreeSetResult; read(oid: Oid): Buffer } {
  const objects = new Map<Oid, Buffer>();
  const read = (oid: Oid): Buffer => {
    const found = objects.get(oid);
    if (!found) throw new Error(`no tree ${oid}`);
    return found;
  };
  const set = createTreeSet(null, read);
  return {
    set,
    read,
    apply(files) {
      const result = set.apply(files);
      for (const { path, oid } of result.trees) objects.set(oid, set.contentBefore(path, []));
      return result;
    },
  };
}

function list(read: (oid: Oid) => Buffer, root: Oid, prefix = ''): Record<string, Oid> {
  const files: Record<string, Oid> = {};
  for (const { name, mode, oid } of parseTree(read(root))) {
    if (mode === TREE_MODE) Object.assign(files, list(read, oid, `${prefix}${name}/`));
    else files[prefix + name] = oid;
  }
  return files;
}

const blob = (text: string): Oid => oidOf('blob', Buffer.from(text));

test('a file replaces a directory, and a directory replaces a file', () => {
  const { set, apply, read } = makeSet();
  apply(change({ 'a/b/c': '1', 'a/b/d/e': '2', 'a/x': '3' }));
  const replaced = apply(change({ 'a/b': '4' }));
  assert.equal(list(read, replaced.root), { 'a/b': blob('4'), 'a/x': blob('3') });
  assert.is(set.findFile('a/b/c'), undefined);
  const back = apply(change({ 'a/b/new': '5' }));
  assert.equal(list(read, back.root), { 'a/b/new': blob('5'), 'a/x': blob('3') });
  assert.is(set.findFile('a/b'), undefined);
});

test('a directory is removed with its last file', () => {
  const { apply, read } = makeSet();
  apply(change({ 'a/b/c/d': '1', e: '2' }));
  assert.equal(list(read, apply(change({ 'a/b/c/d': null })).root), { e: blob('2') });
  const empty = apply(change({ e: null }));
  assert.is(empty.root, '4b825dc642cb6eb9a060e54bf8d69288fbee4904');
});

test('removing a missing file changes nothing, and an empty change in an empty repository still makes a tree', () => {
  const { apply } = makeSet();
  const nothing = apply(change({ 'a/b': null }));
  assert.equal(
    nothing.trees.map(({ path }) => path),
    [''],
  );
  apply(change({ x: '1' }));
  assert.equal(apply(change({ 'x/y': null, z: null })).trees, []);
});

test('any changes, many or few at a time, leave the files that they say, and are undone exactly', () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = createRandom(seed);
    const { set, apply, read } = makeSet();
    let files: Record<string, Oid> = {};
    let root: Oid = apply(change({})).root;
    for (let step = 0; step < 20; step++) {
      const wanted = { ...files };
      const edit: Record<string, string | null> = {};
      const count = step % 5 === 4 ? 700 : random.whole(1, 5);
      for (let i = 0; i < count; i++) {
        const depth = random.whole(0, 2);
        const path = [
          ...Array(depth)
            .fill(0)
            .map(() => `d${random.whole(0, 2)}`),
          `f${random.whole(0, count)}`,
        ].join('/');
        edit[path] = random.whole(0, 3) ? String(random.whole(0, 99)) : null;
      }
      for (const [path, text] of Object.entries(edit)) {
        delete wanted[path];
        if (text !== null) wanted[path] = blob(text);
      }
      const result = apply(change(edit));
      assert.equal(list(read, result.root), wanted, `seed ${seed} step ${step}`);
      if (random.whole(0, 2) === 0) {
        set.undo(result);
        assert.is(set.apply([]).root, root, `undone, seed ${seed} step ${step}`);
      } else {
        files = wanted;
        root = result.root;
      }
    }
  }
});

test('a directory that cannot be read leaves everything as it was', () => {
  const { apply, read } = makeSet();
  const { root } = apply(change({ 'a/x': '1', 'b/y': '2' }));
  let isBroken = true;
  const set = createTreeSet(root, (oid) => {
    if (isBroken && oid !== root) throw new Error('EIO');
    return read(oid);
  });
  assert.throws(() => set.apply(change({ z: '3', 'a/x': '4' })), 'EIO');
  isBroken = false;
  assert.is(set.findFile('z'), undefined);
  assert.is(set.apply([]).root, root);
});

test('a hundred thousand files in one change take a second or two', () => {
  const { apply } = makeSet();
  const files: FileChange[] = [];
  for (let i = 0; i < 100_000; i++) {
    files.push({ path: `content/posts/doc-${(i * 7919) % 100_000}.json`, content: Buffer.from(String(i)) });
  }
  const started = performance.now();
  assert.is(apply(files).blobs.length, 100_000);
  assert.ok(performance.now() - started < 8000);
});

test.run();
