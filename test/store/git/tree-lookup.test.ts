// Entries found by bisection, compared with a full parse.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeTreeEntry, FILE_MODE, parseTree, TREE_MODE, toKey } from '../../../src/store/git/tree.ts';
import { createTreeLookup } from '../../../src/store/git/tree-lookup.ts';
import { createRandom } from '../../support/random.ts';

const WORDS = ['a', 'a.b', 'a-b', 'a0', 'ab', 'A', 'é', 'éa', 'z.json', '漢字.json', '😀', 'a b', '~', '0'];

interface Entry {
  name: string;
  isFolder: boolean;
  oid: string;
}

const encode = ({ name, isFolder, oid }: Entry): Buffer => encodeTreeEntry(name, isFolder ? TREE_MODE : FILE_MODE, oid);
const sorted = (entries: readonly Entry[]): Entry[] =>
  entries
    .map((entry) => ({ entry, key: Buffer.from(toKey(entry.name, entry.isFolder), 'latin1') }))
    .sort((one, other) => Buffer.compare(one.key, other.key))
    .map(({ entry }) => entry);
const lookIn = (tree: Buffer) => {
  const { entry } = createTreeLookup(() => tree);
  return (name: string) => entry('', name);
};

test('every entry of a tree is found, whether file or folder, and no other name', () => {
  const random = createRandom(Number(process.env.SEED) || 1);
  console.log(`SEED=${random.seed}`);
  for (let round = 0; round < 200; round++) {
    const names = new Set<string>();
    const count = random.whole(0, 120);
    for (let n = 0; n < count; n++) {
      const parts = Array.from({ length: random.whole(1, 3) }, () => WORDS[random.whole(0, WORDS.length - 1)]!);
      names.add(parts.join(''));
    }
    const all = [...names].map((name, n) => ({
      name,
      isFolder: random.whole(0, 3) === 0,
      oid: n.toString(16).padStart(40, '0'),
    }));
    // Half of the names are in the tree; the other half must not be found.
    const entries = sorted(all.filter((_, n) => n % 2 === 0));
    const tree = Buffer.concat(entries.map(encode));
    const expected = new Map(parseTree(tree).map(({ name, mode, oid }) => [name, { mode, oid }]));
    const find = lookIn(tree);
    for (const { name } of all) assert.equal(find(name), expected.get(name), `${name} in round ${round}`);
    for (const name of ['', '/', 'a/', 'a\0', '\0', 'zz', `${entries[0]?.name}/`])
      assert.is(find(name), undefined, name);
  }
});

test('entries are found even in a tree that is not sorted', () => {
  const entries = ['b', 'a', 'c'].map((name, n) => ({ name, isFolder: false, oid: String(n).padStart(40, '0') }));
  const find = lookIn(Buffer.concat(entries.map(encode)));
  for (const { name, oid } of entries) assert.equal(find(name), { mode: FILE_MODE, oid });
});

test('entries that git would not write are found under the names that a parse returns', () => {
  const oid = Buffer.from(`00${'12'.repeat(19)}`, 'hex');
  const raw = (head: string): Buffer => Buffer.concat([Buffer.from(`${head}\0`), oid]);
  const plain = raw('100644 b');
  for (const [head, name] of [
    ['644 a', 'a'],
    ['0100644 a', 'a'],
    ['100644 ', ''],
    ['40000 ', ''],
    ['100644 a/', 'a/'],
    ['644 a b', 'a b'],
    ['100644  ', ' '],
    ['x a', 'a'],
  ] as const) {
    const tree = Buffer.concat([raw(head), plain]);
    const find = lookIn(tree);
    const expected = parseTree(tree).find((entry) => entry.name === name)!;
    assert.equal(find(name), { mode: expected.mode, oid: expected.oid }, head);
    assert.equal(find('b'), { mode: FILE_MODE, oid: oid.toString('hex') }, head);
    if (name === 'a/') assert.is(find('a'), undefined);
  }
});

test('a damaged tree is refused', () => {
  const whole = encode({ name: 'a', isFolder: false, oid: '0'.repeat(40) });
  for (let length = 1; length < whole.length; length++)
    assert.throws(() => lookIn(whole.subarray(0, length))('a'), /damaged/, `${length} bytes`);
});

test('a path is followed through folders, and not through files', () => {
  const [root, folder, file] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
  const trees: Record<string, Buffer> = {
    [root]: encode({ name: 'content', isFolder: true, oid: folder }),
    [folder]: encode({ name: 'a.json', isFolder: false, oid: file }),
  };
  const { find } = createTreeLookup((oid) => trees[oid]!);
  assert.equal(find(root, 'content/a.json'), { mode: FILE_MODE, oid: file });
  assert.equal(find(root, 'content'), { mode: TREE_MODE, oid: folder });
  for (const path of ['content/b.json', 'content/a.json/c', 'a.json']) assert.is(find(root, path), undefined, path);
});

test.run();
