// Contested claims as the log grows and is cut, compared with a list of the state at each commit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Key, keysOf } from '../../src/content/from-git/claims.ts';
import { type Claimant, Contested } from '../../src/history/contested.ts';
import { createRandom, type Random } from '../support/random.ts';

const COMMITS = 300;
const PATHS = Array.from({ length: 12 }, (_, i) => `content/posts/p${i}.json`);
const IDS = ['AaaaaaaaaaaA', 'BbbbbbbbbbbB', 'CcccccccccccC'.slice(1)];

type State = ReadonlyMap<Key, readonly Claimant[]>;

/** Files change their ids at random; new files are last. */
function changeFiles(random: Random, before: ReadonlyMap<string, string>): Map<string, string> {
  const files = new Map(before);
  for (let times = random.whole(0, 3); times > 0; times--) {
    const path = PATHS[random.whole(0, PATHS.length - 1)]!;
    files.delete(path);
    if (random.next() < 0.7) files.set(path, IDS[random.whole(0, IDS.length - 1)]!);
  }
  return files;
}

function listsOf(files: ReadonlyMap<string, string>): Map<Key, Claimant[]> {
  const lists = new Map<Key, Claimant[]>();
  for (const [path, id] of files) {
    for (const key of keysOf({ path, id, oid: '' })) lists.set(key, [...(lists.get(key) ?? []), { path, id }]);
  }
  return lists;
}

function check(contested: Contested, state: State, everContested: ReadonlySet<string>): void {
  const expected = [...state].filter(([, list]) => list.length > 1);
  assert.equal([...contested.keys()].sort(), expected.map(([key]) => key).sort());
  const ids = new Map<string, string>();
  for (const [key, list] of expected) {
    assert.equal(contested.list(key), list, key);
    for (const { path, id } of list) ids.set(path, id);
  }
  for (const path of PATHS) assert.is(contested.idAt(path), ids.get(path), path);
  for (const id of IDS) {
    const paths = [...ids].flatMap(([path, its]) => (its === id ? path : []));
    assert.equal(
      contested
        .withId(id)
        .map(({ path }) => path)
        .sort(),
      paths.sort(),
      id,
    );
    assert.is(contested.touches(id, undefined), paths.length > 0);
    assert.is(contested.wasContested(id), everContested.has(id), id);
  }
}

test('contested claims are restored when commits are removed, and survive saving and loading', () => {
  const random = createRandom();
  try {
    const states: { files: Map<string, string>; ever: Set<string> }[] = [{ files: new Map(), ever: new Set() }];
    let contested = new Contested();
    for (let step = 0; step < COMMITS; step++) {
      if (random.next() < 0.1) contested = Contested.load(contested.save());
      if (random.next() < 0.1) {
        const position = random.whole(0, states.length - 1);
        contested.truncate(position);
        states.length = position + 1;
      }
      const { files: before, ever } = states.at(-1)!;
      const files = changeFiles(random, before);
      const lists = listsOf(files);
      const gone = [...listsOf(before).keys()].filter((key) => !lists.has(key));
      contested.apply(states.length - 1, new Map([...lists, ...gone.map((key): [Key, Claimant[]] => [key, []])]));
      const more = [...lists].flatMap(([key, list]) => (key.startsWith('id ') && list.length > 1 ? key.slice(3) : []));
      states.push({ files, ever: new Set([...ever, ...more]) });
      check(contested, lists, states.at(-1)!.ever);
    }
    for (let position = states.length - 1; position >= 0; position--) {
      contested.truncate(position);
      check(contested, listsOf(states[position]!.files), states[position]!.ever);
    }
  } catch (error) {
    console.error(`SEED=${random.seed}`);
    throw error;
  }
});

test('adding a file to a long list, or removing one, does not copy the list', () => {
  const contested = new Contested();
  const list = Array.from({ length: 1000 }, (_, i) => ({ path: `content/posts/p${i}.json`, id: IDS[0]! }));
  contested.apply(0, new Map([[`id ${IDS[0]}`, list]]));
  const once = contested.save().length;
  for (let n = 1; n < 500; n++) contested.apply(n, new Map([[`id ${IDS[0]}`, list.slice(n)]]));
  assert.ok(contested.save().length < 2 * once, `${contested.save().length} of ${once}`);
});

test.run();
