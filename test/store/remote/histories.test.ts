// What two commits have in common, compared with git itself on histories of every shape.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { applyDelta } from '../../../src/store/git/delta.ts';
import { compareHistories, listNewObjects } from '../../../src/store/remote/histories.ts';
import { treeDelta } from '../../../src/store/remote/pack-out.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { createRandom } from '../../support/random.ts';
import { git, gitWithInput, makeStoreWorld } from '../../support/store-world.ts';

test('both sides and the common commit are what git finds, whatever the clocks said', async () => {
  await using world = makeStoreWorld();
  world.open();
  const random = createRandom(5);
  const pick = (below: number): number => Math.floor(random.next() * below);
  const tree = gitWithInput(world.repository, '', 'mktree').trim();
  const commits: string[] = [];
  for (let n = 0; n < 60; n++) {
    const parents = n === 0 ? [] : [commits[Math.max(0, n - 1 - pick(6))]!];
    if (n > 3 && pick(4) === 0) parents.push(commits[pick(n)]!);
    // Wrong clocks: dates in no order, many of them equal.
    const at = 1_700_000_000 + pick(40);
    const lines = [`tree ${tree}`, ...[...new Set(parents)].map((parent) => `parent ${parent}`)];
    const person = `A <a@example.org> ${at} +0000`;
    const text = `${lines.join('\n')}\nauthor ${person}\ncommitter ${person}\n\n${n}\n`;
    commits.push(gitWithInput(world.repository, text, 'hash-object', '-t', 'commit', '-w', '--stdin').trim());
  }
  const odb = createOdb(nodeDisk, world.repository);
  const list = (...range: string[]): string[] =>
    git(world.repository, 'rev-list', ...range)
      .split('\n')
      .filter(Boolean)
      .sort();
  for (let n = 0; n < 40; n++) {
    const [ours, theirs] = [commits[pick(60)]!, commits[pick(60)]!];
    const { ahead, behind, base } = compareHistories(odb, ours, theirs);
    assert.equal(ahead.toSorted(), list(ours, `^${theirs}`));
    assert.equal(behind.toSorted(), list(theirs, `^${ours}`));
    const line = git(world.repository, 'rev-list', '--first-parent', ours).trim().split('\n');
    const shared = new Set(list(theirs));
    assert.is(base, line.find((commit) => shared.has(commit)) ?? null);
  }
  assert.equal(compareHistories(odb, commits[5]!, null).behind, []);
  assert.is(compareHistories(odb, commits[5]!, null).base, null);
  assert.is(compareHistories(odb, null, commits[5]!).ahead.length, 0);
  odb.close();
});

test('the objects of a push are those that git would send', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  for (let n = 0; n < 12; n++) {
    const path = `content/posts/${n % 5}.json`;
    await store.log.append({
      files: [
        { path, content: n === 7 ? null : Buffer.from(`${n}`) },
        { path: `x/${n % 3}/y`, content: Buffer.from(`${n}`) },
      ],
      author: { name: 'Ada', email: 'ada@example.com' },
      at: 1e12,
      subject: 's',
      trailers: [],
      apply: () => undefined,
      undo: () => undefined,
    }).durable;
  }
  await store.log.flush();
  const { ahead } = compareHistories(
    store.odb,
    world.git('rev-parse', 'main').trim(),
    world.git('rev-parse', 'main~6').trim(),
  );
  const found = [...listNewObjects(store.odb, ahead.toReversed())].map(({ oid }) => oid);
  assert.is(new Set(found).size, found.length);
  const wanted = world
    .git('rev-list', '--objects', 'main~6..main')
    .trim()
    .split('\n')
    .map((line) => line.slice(0, 40));
  for (const oid of wanted) assert.ok(found.includes(oid));
});

test('a directory that is stored as a delta of its earlier tree is read back exactly', () => {
  const random = createRandom(9);
  const entry = (n: number, id: number): Buffer =>
    Buffer.concat([Buffer.from(`100644 doc-${String(n).padStart(5, '0')}.json\0`), Buffer.alloc(20, id)]);
  let ids = new Map(Array.from({ length: 900 }, (_, n) => [n * 3, n % 250]));
  const build = (): Buffer => Buffer.concat([...ids].sort(([a], [b]) => a - b).map(([n, id]) => entry(n, id)));
  for (let round = 0; round < 60; round++) {
    const before = build();
    ids = new Map(ids);
    for (let edits = 1 + Math.floor(random.next() * 12); edits > 0; edits--) {
      const n = Math.floor(random.next() * 2800);
      // Ids of NULs and of spaces look like the ends of entries.
      if (random.next() < 0.3) ids.delete(n);
      else ids.set(n, [0, 32, 49, Math.floor(random.next() * 256)][Math.floor(random.next() * 4)]!);
    }
    const after = build();
    const delta = treeDelta(before, after);
    assert.ok(delta && delta.length < 2000);
    assert.ok(applyDelta(before, delta).equals(after));
  }
  assert.is(treeDelta(Buffer.alloc(0), build()), undefined);
});

test.run();
