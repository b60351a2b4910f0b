// Which commits are new, which of their files are read, and what is reported about names and folders. The checks of
// documents are in test/content/from-git/incoming.test.ts.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { foldName } from '../../../src/lib/text/stream-safe.ts';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { type Oid, oidOf } from '../../../src/store/git/objects.ts';
import { encodeTreeEntry, FILE_MODE } from '../../../src/store/git/tree.ts';
import { type IncomingStep, readIncoming } from '../../../src/store/intake/intake.ts';
import { nameProblem } from '../../../src/store/intake/intake-names.ts';
import { createTreeReader } from '../../../src/store/intake/intake-tree.ts';
import { createOdb, type Odb } from '../../../src/store/repository/odb.ts';
import { gitWithInput, makeStoreWorld, type StoreWorld } from '../../support/store-world.ts';

interface History {
  /** Makes a commit by name, on parents by name; it adds a file of its own name, or what `files` says. */
  commit(name: string, parents?: string[], options?: { at?: number; files?: Record<string, string> }): string;
  /** Names of the reported commits, in order. */
  incoming(from: string | null, to: string): string[];
  /** `<commit> <path>` of the files that are read. */
  files(from: string | null, to: string): string[];
  /** How often the event loop may get its turn. */
  pauses(from: string | null, to: string): number;
}

function makeHistory(world: StoreWorld): History {
  const store = world.open();
  void store.close();
  const oids = new Map<string, string>();
  const trees = new Map<string, Record<string, string>>();
  function allSteps(from: string | null, to: string): IncomingStep[] {
    const odb = createOdb(nodeDisk, world.repository);
    const all = [...readIncoming(odb, from && oids.get(from)!, oids.get(to)!, createTreeReader(odb))];
    odb.close();
    return all;
  }
  const steps = (from: string | null, to: string) => allSteps(from, to).filter((step) => step !== undefined);
  const nameOf = (oid: string): string => [...oids].find(([, known]) => known === oid)![0];
  return {
    commit(name, parents = [], { at = 1, files } = {}) {
      const merged = Object.assign({}, ...parents.map((parent) => trees.get(parent)), files ?? { [name]: name });
      trees.set(name, merged);
      const entries = Object.entries(merged).map(([path, text]) => {
        const blob = gitWithInput(world.repository, text as string, 'hash-object', '-w', '--stdin').trim();
        return `100644 blob ${blob}\t${path}\n`;
      });
      const tree = gitWithInput(world.repository, entries.join(''), 'mktree').trim();
      const stamp = `G <g@example.com> ${at} +0000`;
      const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${oids.get(parent)}`)];
      const text = `${lines.join('\n')}\nauthor ${stamp}\ncommitter ${stamp}\n\n${name}\n`;
      const oid = gitWithInput(world.repository, text, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
      oids.set(name, oid);
      return oid;
    },
    incoming: (from, to) => [...new Set(steps(from, to).map(({ commit }) => nameOf(commit)))],
    files: (from, to) => steps(from, to).map(({ commit, path }) => `${nameOf(commit)} ${path}`),
    pauses: (from, to) => allSteps(from, to).filter((step) => step === undefined).length,
  };
}

test('commits after the known one are reported, oldest first, even within one second', async () => {
  await using world = makeStoreWorld();
  const history = makeHistory(world);
  for (const [name, parent] of [['a'], ['b', 'a'], ['c', 'b'], ['d', 'c']])
    history.commit(name!, parent ? [parent] : []);
  assert.equal(history.incoming('b', 'd'), ['c', 'd']);
  assert.equal(history.incoming(null, 'c'), ['a', 'b', 'c']);
  assert.equal(history.incoming('d', 'd'), []);
});

test('the event loop gets its turn between commits that change nothing', async () => {
  await using world = makeStoreWorld();
  const history = makeHistory(world);
  const files = { a: 'a' };
  history.commit('a', [], { files });
  for (let i = 1; i <= 5; i++) history.commit(`a${i}`, [i === 1 ? 'a' : `a${i - 1}`], { files });
  assert.equal(history.files('a', 'a5'), []);
  assert.ok(history.pauses('a', 'a5') >= 5);
});

test('a merge reports the commits of its unknown side, and the files that it changed itself', async () => {
  await using world = makeStoreWorld();
  const history = makeHistory(world);
  history.commit('root', [], { at: 1 });
  history.commit('ours', ['root'], { at: 5 });
  history.commit('theirs', ['root'], { at: 3 });
  history.commit('merge', ['theirs', 'ours'], { at: 6, files: { evil: 'e' } });
  assert.equal(history.files('ours', 'merge'), ['theirs theirs', 'merge evil']);
});

test('wrong clocks hide no new commit and repeat no known one', async () => {
  await using world = makeStoreWorld();
  const history = makeHistory(world);
  history.commit('root', [], { at: 900 });
  history.commit('old', ['root'], { at: 100 });
  history.commit('known', ['old'], { at: 500 });
  history.commit('side', ['old'], { at: 50 });
  history.commit('new', ['known', 'side'], { at: 10, files: {} });
  history.commit('newer', ['new'], { at: 5 });
  assert.equal(history.incoming('known', 'newer'), ['side', 'newer']);
  // The service's clock stood at the beginning of 1970 for three commits.
  history.commit('late', ['old'], { at: 3 });
  history.commit('later', ['late'], { at: 2 });
  history.commit('latest', ['later'], { at: 1 });
  history.commit('branch', ['old'], { at: 800 });
  history.commit('joined', ['latest', 'branch'], { at: 801, files: { j: 'j' } });
  assert.equal(history.incoming('latest', 'joined'), ['branch', 'joined']);
});

test('names are accepted, refused and compared as file systems do', () => {
  for (const name of ['hello.json', '.gitignore', '.github', 'CON-1', 'console', 'a b', 'Ärger', 'git~', 'x.con']) {
    assert.is(nameProblem(name), undefined, name);
  }
  for (const name of [
    '.git',
    '.GIT',
    '.git ',
    '.git.',
    'GIT~1',
    '.g\u200bit',
    '.git::$INDEX_ALLOCATION',
    '',
    '.',
    '..',
  ]) {
    assert.type(nameProblem(name), 'string', name);
  }
  for (const name of [
    'a/b',
    'aux',
    'Com1.txt',
    'nul.',
    'lpt¹',
    'a\u0007',
    'a\u0085',
    'x.',
    'y ',
    'q?',
    '\ufffd',
    'é'.repeat(128),
  ]) {
    assert.type(nameProblem(name), 'string', name);
  }
  assert.is(foldName('e\u0301A'), foldName('ÉA'));
  assert.is.not(foldName('a'), foldName('ä'));
});

test('a folder of names with capitals is read once, not once for each name', async () => {
  await using world = makeStoreWorld();
  const history = makeHistory(world);
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`IMG_${i}.JPG`, 'x']));
  history.commit('photos', [], { files });
  history.commit('twin', ['photos'], { files: { 'img_7.JPG': 'y' } });
  assert.is(history.files(null, 'photos').length, 60);
  assert.equal(
    history.files('photos', 'twin'),
    ['twin IMG_7.JPG', 'twin img_7.JPG', 'twin img_7.JPG'],
    'both twins, and the file',
  );
});

test('a wide folder is compared in steps, however little of it differs', () => {
  const trees = new Map<Oid, Buffer>();
  const put = (entries: string[]): Oid => {
    const content = Buffer.concat(entries.map((name) => encodeTreeEntry(name, FILE_MODE, 'ab'.repeat(20))));
    const oid = oidOf('tree', content);
    trees.set(oid, content);
    return oid;
  };
  const names = Array.from({ length: 40_000 }, (_, i) => `doc-${String(i).padStart(5, '0')}`);
  const [from, to] = [put(names), put([...names, 'one-more'])];
  const odb = { get: (oid: Oid) => trees.get(oid)!, *readAhead() {} } as unknown as Odb;
  let pauses = 0;
  const found = [];
  for (const one of createTreeReader(odb).changes([from], to)) {
    if (one) found.push(one.path);
    else pauses++;
  }
  assert.equal(found, ['one-more']);
  // Three times through all of it, and never more than some thousand entries at once.
  assert.ok(pauses > 50, `${pauses} pauses`);
});

test.run();
