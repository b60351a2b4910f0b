// Checks of trees agree with git: the quick check and the explanation.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { encodeTreeEntry, FILE_MODE, MutableTree, TREE_MODE } from '../../../src/store/git/tree.ts';
import { findTreeProblem } from '../../../src/store/git/tree-check.ts';
import { createRandom } from '../../support/random.ts';
import { gitWithInput, makeStoreWorld } from '../../support/store-world.ts';

const OID = 'ab'.repeat(20);
const tree = (...entries: [name: string, mode?: string][]): Buffer =>
  Buffer.concat(entries.map(([name, mode = FILE_MODE]) => encodeTreeEntry(name, mode, OID)));

test('no problem is found in a valid tree', () => {
  assert.is(findTreeProblem(Buffer.alloc(0)), undefined);
  assert.is(findTreeProblem(tree(['a'], ['a.b'], ['b'])), undefined);
  assert.is(findTreeProblem(tree(['a-b', TREE_MODE], ['a', TREE_MODE], ['a0', TREE_MODE])), undefined);
  assert.is(findTreeProblem(tree(['.github', TREE_MODE], ['.gitignore'], ['a', '120000'], ['b', '160000'])), undefined);
});

test('a tree that git would refuse is reported with the reason', () => {
  const bad: [Buffer, string][] = [
    [tree(['b'], ['a']), 'wrong order'],
    [tree(['a', TREE_MODE], ['a-b', TREE_MODE]), 'wrong order'],
    [tree(['a'], ['a']), 'twice'],
    [tree(['a'], ['a-b'], ['a', TREE_MODE]), 'twice'],
    [tree(['.git', TREE_MODE]), 'own repository'],
    [tree(['.GIT']), 'own repository'],
    [tree(['..']), 'checked out'],
    [tree(['a/b']), 'checked out'],
    [tree(['']), 'checked out'],
    [tree(['a', '100666']), 'mode'],
    [tree(['a', '40755']), 'mode'],
  ];
  for (const [content, problem] of bad) assert.match(findTreeProblem(content) ?? 'nothing', problem);
  for (const cut of [5, 7, 20]) assert.throws(() => findTreeProblem(tree(['a']).subarray(0, cut)), 'damaged');
});

test('no problem is found in trees that the service makes, and git accepts them', async () => {
  await using world = makeStoreWorld();
  await world.open().close();
  const random = createRandom(11);
  const built = new MutableTree();
  for (let i = 0; i < 400; i++) {
    const name = `${'ab-.0~'[random.whole(0, 5)]}${'x-./0'[random.whole(0, 2)]}${random.whole(0, 60)}`;
    const isFolder = random.whole(0, 3) === 0;
    if (built.find(name, !isFolder)) continue;
    built.set(name, isFolder ? TREE_MODE : FILE_MODE, OID);
    assert.is(findTreeProblem(built.content), undefined, name);
  }
  const written = gitWithInput(world.repository, built.content, 'hash-object', '-t', 'tree', '-w', '--stdin').trim();
  assert.is(written, built.oid());
});

test.run();
