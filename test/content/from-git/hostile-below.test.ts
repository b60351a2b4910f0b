// Whatever is committed with git below a change of ours that waits for the branch: afterwards the change, or its
// set-aside commit, exists, the changes behind it continue, and the site opens again.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { gatherReadiness } from '../../../src/http/system/readiness.ts';
import { openSite } from '../../../src/sites/open-site.ts';
import type { Site } from '../../../src/sites/site.ts';
import { eventually } from '../../support/process.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { fsck, git, gitWithInput } from '../../support/store-world.ts';
import { CONFIG } from '../../support/world.ts';

const USER = { ...SYSTEM, kind: 'user' as const };
const PLACE = 'content/posts/a.json';

type Entry = readonly [mode: string, name: string, oid: string];

const blob = (repository: string, bytes: string | Buffer): string =>
  gitWithInput(repository, bytes, 'hash-object', '-w', '--stdin').trim();

/** A tree with any entries, even such as git itself would not write. */
function rawTree(repository: string, entries: readonly Entry[]): string {
  const bytes = entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  return gitWithInput(repository, Buffer.concat(bytes), ...args).trim();
}

function entriesOf(repository: string, tree: string): Entry[] {
  const lines = git(repository, 'ls-tree', tree).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, mode = '', oid = '', name = ''] = /^0*(\d+) \w+ ([0-9a-f]{40})\t(.*)$/.exec(line) ?? [];
    return [mode, name, oid];
  });
}

/** The tree with this entry at the path; null removes it. */
function put(repository: string, tree: string | undefined, path: string, at: readonly [string, string] | null): string {
  const [head = '', ...rest] = path.split('/');
  const entries = tree ? entriesOf(repository, tree) : [];
  const old = entries.find(([, name]) => name === head);
  const below = old?.[0] === '40000' ? old[2] : undefined;
  const next = rest.length ? (['40000', put(repository, below, rest.join('/'), at)] as const) : at;
  const others = entries.filter(([, name]) => name !== head);
  if (next) others.push([next[0], head, next[1]]);
  const key = ([mode, name]: Entry): Buffer => Buffer.from(mode === '40000' ? `${name}/` : name);
  return rawTree(
    repository,
    others.sort((a, b) => Buffer.compare(key(a), key(b))),
  );
}

/** Commits the branch's tree as `edit` changes it, on top of the branch. */
function commit(repository: string, edit: (tree: string) => string): void {
  const tip = git(repository, 'rev-parse', 'main').trim();
  const tree = edit(git(repository, 'rev-parse', 'main^{tree}').trim());
  const made = gitWithInput(repository, 'beside\n', 'commit-tree', tree, '-p', tip).trim();
  git(repository, 'update-ref', 'refs/heads/main', made, tip);
}

const file =
  (path: string, make: (repository: string) => string | Buffer, mode = '100644') =>
  (repository: string) =>
    commit(repository, (tree) => put(repository, tree, path, [mode, blob(repository, make(repository))]));

/** The document with more data, as text. */
const withData =
  (data: () => object) =>
  (repository: string): string => {
    const doc = JSON.parse(git(repository, 'show', `main:${PLACE}`));
    return JSON.stringify({ ...doc, data: { ...doc.data, ...data() } });
  };
const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const keys = (n: number): object => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));

/** By what is at the document's place, or above it. */
const THEIRS: Record<string, (repository: string) => void> = {
  '30 MiB': file(PLACE, () => Buffer.alloc(30 << 20, 'x')),
  'a document of 5 MiB': file(
    PLACE,
    withData(() => ({ big: 'y'.repeat(5 << 20) })),
  ),
  'a document of nearly 4 MiB': file(
    PLACE,
    withData(() => ({ big: 'y'.repeat((4 << 20) - 600) })),
  ),
  'a document of 100,000 keys': file(
    PLACE,
    withData(() => keys(100_000)),
  ),
  'a document of 199,990 keys': file(
    PLACE,
    withData(() => keys(199_985)),
  ),
  'deep JSON': file(PLACE, () => deep(200_000)),
  'broken JSON': file(PLACE, () => '{ broken'),
  'a link': file(PLACE, () => '/etc/passwd', '120000'),
  'a submodule': (repository) => commit(repository, (tree) => put(repository, tree, PLACE, ['160000', '2'.repeat(40)])),
  'a folder': file(`${PLACE}/x.json`, () => '{}'),
  'a file that is a tree': (repository) =>
    commit(repository, (tree) => put(repository, tree, PLACE, ['100644', rawTree(repository, [])])),
  'an object that is missing': (repository) =>
    commit(repository, (tree) => put(repository, tree, PLACE, ['100644', '3'.repeat(40)])),
  'a file in place of the collection': file('content/posts', () => 'posts'),
  'a file in place of all content': file('content', () => 'content'),
  'a mode of three digits': (repository) => odd('', '644', 'README')(repository),
  'a mode of three digits beside it': (repository) => odd('content/posts', '644', 'A.json')(repository),
  'a mode of seven digits beside it': (repository) => odd('content/posts', '0100644', 'A.json')(repository),
  'a name of a path beside it': (repository) => odd('content/posts', '100644', 'a.json/')(repository),
  'no name beside it': (repository) => odd('content/posts', '100644', '')(repository),
  'nothing, and no content at all': (repository) =>
    commit(repository, (tree) => put(repository, tree, 'content', null)),
};

/** An entry that git would not write. */
const odd =
  (folder: string, mode: string, name: string) =>
  (repository: string): void =>
    commit(repository, (tree) => {
      const below = folder ? git(repository, 'rev-parse', `${tree}:${folder}`).trim() : tree;
      const more = [...entriesOf(repository, below), [mode, name, blob(repository, 'odd')] as const];
      const made = rawTree(
        repository,
        more.sort((one, other) => Buffer.compare(Buffer.from(one[1]), Buffer.from(other[1]))),
      );
      return folder ? put(repository, tree, folder, ['40000', made]) : made;
    });

const OURS: Record<string, (site: Site) => Promise<unknown>> = {
  change: ({ content }) => content.update('posts', { slug: 'a' }, { data: { body: 'B'.repeat(2000), rank: 7 } }, USER),
  rename: ({ content }) => content.update('posts', { slug: 'a' }, { slug: 'b' }, USER),
  removal: ({ content }) => content.remove('posts', { slug: 'a' }, USER),
  translation: ({ content }) =>
    content.create('posts', { slug: 't', locale: 'de', translationOf: 'a', data: {} }, USER),
};

async function open(folder: string, reported: string[]): Promise<Site> {
  const config = parseConfig(CONFIG);
  const fatal = (error: unknown): void => void reported.push(`fatal: ${error}`);
  return openSite({
    id: 'default',
    org: 'default',
    config,
    folder,
    warn: (text) => void reported.push(text),
    onFatal: fatal,
  });
}

/** A site with a change that waits for the branch, and another change behind it. */
async function makeWaiting(folder: string, ours: (site: Site) => Promise<unknown>, reported: string[]): Promise<Site> {
  const site = await open(folder, reported);
  for (const slug of ['a', 'k']) await site.content.create('posts', { slug, data: { title: slug } }, USER);
  await site.store.log.flush();
  site.store.log.keepStill();
  await ours(site);
  await site.content.update('posts', { slug: 'k' }, { data: { rank: 1 } }, USER);
  assert.ok(site.store.log.status().unflushed > 0, 'nothing waits');
  return site;
}

async function expectWell(site: Site, reported: string[]): Promise<void> {
  await site.store.log.flush();
  const { refusal, unflushed, setAside } = site.store.log.status();
  assert.is(refusal, undefined);
  assert.is(unflushed, 0);
  // If there is no place left for any document, the change behind it is set aside too.
  const hasPlace = !setAside.some(
    (text) => text.includes('posts/k') && text.endsWith('the change needs a folder there'),
  );
  if (hasPlace) assert.match(site.content.get('posts', { slug: 'k' }).body.toString(), '"rank":1');
  assert.equal(
    reported.filter((text) => text.startsWith('fatal')),
    [],
  );
  const kept = git(site.store.repository, 'for-each-ref', 'refs/colophon/set-aside', '--format=%(objectname)');
  const refs = kept.split('\n').filter(Boolean);
  assert.is(refs.length, setAside.length);
  for (const ref of refs) git(site.store.repository, 'ls-tree', '-r', ref);
}

for (const [what, theirs] of Object.entries(THEIRS)) {
  test(`${what} below a change of ours stops neither the site nor its next start`, async () => {
    const all = Object.entries(OURS);
    const [, ours] = all[Object.keys(THEIRS).indexOf(what) % 2 === 0 ? 0 : createRandom(what.length).whole(0, 3)]!;
    const root = mkdtempSync(join(tmpdir(), 'hostile-'));
    const reported: string[] = [];
    const site = await makeWaiting(join(root, 'site'), ours, reported);
    try {
      cpSync(join(root, 'site'), join(root, 'killed'), { recursive: true });
      theirs(site.store.repository);
      await expectWell(site, reported);
      theirs(join(root, 'killed', 'content.git'));
      const toldThen: string[] = [];
      const again = await open(join(root, 'killed'), toldThen);
      await expectWell(again, toldThen);
      await again.close();
    } finally {
      await site.close();
      rmSync(root, { recursive: true, force: true });
    }
  });
}

test('a change that both sides together make too large is set aside as it was, and reported', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hostile-'));
  const reported: string[] = [];
  const site = await makeWaiting(join(root, 'site'), OURS.change!, reported);
  const { repository, log, odb } = site.store;
  const was = log.status().head!;
  THEIRS['a document of nearly 4 MiB']!(repository);
  await log.flush();
  const [sentence = ''] = log.status().setAside;
  assert.match(sentence, 'posts/a');
  assert.ok(reported.includes(sentence));
  const ref = /refs\/colophon\/set-aside\/[0-9a-f]{40}/.exec(sentence)![0];
  assert.match(git(repository, 'show', `${ref}:${PLACE}`), '"rank": 7');
  assert.is(
    git(repository, 'log', '--format=%(trailers:key=Set-Aside,valueonly)', 'main').trim(),
    ref.split('/').at(-1),
  );
  // Their version stays, and is served.
  const shown = JSON.parse(site.content.get('posts', { slug: 'a' }).body.toString());
  assert.is(shown.data.rank, undefined);
  assert.is(shown.data.big.length, (4 << 20) - 600);
  assert.is.not(log.status().head, was);
  git(repository, 'gc', '--prune=now', '--quiet');
  odb.refresh();
  assert.match(git(repository, 'show', `${ref}:${PLACE}`), '"rank": 7');
  assert.is(fsck(repository), '');
  await site.close();
  const again = await open(join(root, 'site'), []);
  assert.is(JSON.parse(again.content.get('posts', { slug: 'a' }).body.toString()).data.rank, undefined);
  await again.close();
  rmSync(root, { recursive: true, force: true });
});

test('every start reports a change that was set aside, until an operator removes its ref', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hostile-'));
  const site = await makeWaiting(join(root, 'site'), OURS.change!, []);
  THEIRS['a document of nearly 4 MiB']!(site.store.repository);
  await site.store.log.flush();
  await site.close();
  git(site.store.repository, 'pack-refs', '--all');
  const again = await open(join(root, 'site'), []);
  const { repository, log } = again.store;
  const refs = git(repository, 'for-each-ref', 'refs/colophon/set-aside', '--format=%(refname)').trim().split('\n');
  assert.is(refs.length, 1);
  const shown = { store: again.store, remote: undefined, follower: { targets: () => [] }, warnings: new Map() };
  const { warnings } = gatherReadiness([{ id: 'default', org: 'default', site: shown }], [], new Date());
  assert.equal(
    warnings.filter(({ text }) => text.includes(refs[0]!)).map(({ text }) => text.includes('posts/a')),
    [true],
  );
  git(repository, 'update-ref', '-d', refs[0]!);
  await eventually(() => assert.equal(log.status().setAside, []), 10_000);
  await again.close();
  rmSync(root, { recursive: true, force: true });
});

test('changes that an earlier version set aside under the refs of force-pushes are reported; refs of force-pushes are not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hostile-'));
  const site = await makeWaiting(join(root, 'site'), OURS.change!, []);
  const { repository } = site.store;
  THEIRS['a document of nearly 4 MiB']!(repository);
  await site.store.log.flush();
  await site.close();
  const [kept = ''] = git(repository, 'for-each-ref', 'refs/colophon/set-aside', '--format=%(objectname)').split('\n');
  const old = `refs/colophon/kept/${kept}`;
  const root0 = git(repository, 'rev-list', '--max-parents=0', 'main').trim();
  git(repository, 'update-ref', old, kept);
  git(repository, 'update-ref', '-d', `refs/colophon/set-aside/${kept}`);
  git(repository, 'update-ref', `refs/colophon/kept/${root0}`, root0);
  const again = await open(join(root, 'site'), []);
  const { setAside } = again.store.log.status();
  assert.is(setAside.length, 1, setAside.join('\n'));
  assert.ok(setAside[0]!.includes(old) && setAside[0]!.includes('posts/a'), setAside[0]);
  git(repository, 'update-ref', '-d', old);
  await eventually(() => assert.equal(again.store.log.status().setAside, []), 10_000);
  await again.close();
  rmSync(root, { recursive: true, force: true });
});

test('whatever is committed at random below any waiting change, nothing throws', async () => {
  for (let seed = 1; seed <= 2; seed++) {
    const random: Random = createRandom(seed);
    const pick = <T>(all: Record<string, T>): T => Object.values(all)[random.whole(0, Object.keys(all).length - 1)]!;
    const root = mkdtempSync(join(tmpdir(), 'hostile-'));
    const reported: string[] = [];
    const site = await makeWaiting(join(root, 'site'), pick(OURS), reported);
    try {
      for (let i = 0; i < 2; i++) {
        // An entry that an earlier edit removed cannot be changed.
        if (git(site.store.repository, 'ls-tree', 'main', PLACE).includes(' blob '))
          pick(THEIRS)(site.store.repository);
        // A change of a document that is gone is refused.
        await Promise.allSettled([pick(OURS)(site)]);
      }
      await expectWell(site, reported);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    } finally {
      await site.close();
      rmSync(root, { recursive: true, force: true });
    }
  }
});

test.run();
