// Compares the index with git's own log: however commits enter the repository, the history equals a slow recomputation
// from them, live, loaded and rebuilt.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { createRandom, type Random } from '../support/random.ts';
import { commitBeside, git, gitWithInput, untilTakenIn } from '../support/store-world.ts';
import { ACTOR, type Change, COLLECTIONS, makePlace, type Place, readFeed } from './world.ts';

/** Document id to the commits that changed it, oldest first; a commit that deleted it has a minus before it. */
type Histories = Record<string, string[]>;

/** Reads the histories from the log's line of commits, one tree after the other. */
function recompute(repository: string, line: readonly string[]): Histories {
  const files = line.map((commit) => git(repository, 'ls-tree', '-r', commit, 'content/').split('\n').filter(Boolean));
  const ids = readIds(repository, new Set(files.flat()));
  const histories: Histories = {};
  let before = new Map<string, string>();
  for (const [i, commit] of line.entries()) {
    const after = new Map<string, string>();
    for (const file of files[i]!) {
      const id = ids.get(file);
      if (id) after.set(id, blobIn(file));
    }
    for (const [id, blob] of after) if (before.get(id) !== blob) (histories[id] ??= []).push(commit);
    for (const id of before.keys()) if (!after.has(id)) (histories[id] ??= []).push(`-${commit}`);
    before = after;
  }
  return histories;
}

/** The blob in a line of ls-tree. */
const blobIn = (file: string): string => file.slice(0, file.indexOf('\t')).split(' ')[2]!;

/** The document id in each file that has one. */
function readIds(repository: string, files: ReadonlySet<string>): Map<string, string> {
  const ids = new Map<string, string>();
  const mark = '--- the next file ---';
  const text = gitWithInput(
    repository,
    [...files].map((file) => `${blobIn(file)}\n`).join(''),
    'cat-file',
    `--batch=${mark}`,
  );
  const texts = text.split(`${mark}\n`).slice(1);
  for (const [i, file] of [...files].entries()) {
    const id = idIn(texts[i]!, file);
    if (id) ids.set(file, id);
  }
  return ids;
}

function idIn(text: string, path: string): string | undefined {
  try {
    const { id, slug } = JSON.parse(text) as { id?: string; slug?: string };
    return path.endsWith(`/${slug}.json`) ? id : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Follows first parents, but at a merge of our commits into an external branch the parent that is ours. */
function lineOf(repository: string, merges: ReadonlyMap<string, string>): string[] {
  const line: string[] = [];
  for (let commit = git(repository, 'rev-parse', 'main').trim(); commit; ) {
    line.push(commit);
    const [, ...parents] = git(repository, 'rev-list', '--parents', '-1', commit).trim().split(' ');
    commit = merges.get(commit) ?? parents[0] ?? '';
  }
  return line.reverse();
}

async function readFromFeed(place: Place): Promise<Histories> {
  const histories: Histories = {};
  for (const { commit, id, event } of await readFeed(place)) {
    (histories[id] ??= []).push(event === 'document.deleted' ? `-${commit}` : commit);
  }
  return histories;
}

async function readHistories({ cms }: Place, expected: Histories): Promise<Histories> {
  const histories: Histories = {};
  for (const id of Object.keys(expected)) {
    for (const collection of COLLECTIONS) {
      const found = await cms.site.history.history(collection, id, { limit: 1000, offset: 0 }).catch(() => undefined);
      if (!found) continue;
      assert.is(found.total, found.entries.length);
      histories[id] = found.entries
        .map(({ commit, event }) => (event === 'document.deleted' ? `-${commit}` : commit))
        .reverse();
    }
  }
  return histories;
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.whole(0, items.length - 1)]!;

/**
 * One step: a change through the service, or external commits. `merges` gets each merge with the parent that was ours.
 */
async function step(place: Place, random: Random, merges: Map<string, string>, n: number): Promise<void> {
  const { cms, repository } = place;
  const { content, history, store, view } = cms.site;
  const collection = pick(random, COLLECTIONS);
  const live = [...view.collection(collection)!.rows.values()];
  const doc = live.length ? pick(random, live) : undefined;
  const kind = random.whole(0, 11);
  const flat = (slug: string): string => `content/posts/${slug}.json`;
  const posts = Array.from(view.collection('posts')!.rows.values(), ({ slug }) => slug);
  if (kind <= 2 || !doc) {
    await content.create(collection, { slug: `s${n}`, data: { title: `${n}` } }, ACTOR);
  } else if (kind <= 4) {
    // Several at once, to share a write and a pack.
    await Promise.all(
      [1, 2, 3].map((i) => content.update(collection, { id: doc.id }, { data: { title: `${n}.${i}` } }, ACTOR)),
    );
  } else if (kind === 5) {
    await content.update(collection, { id: doc.id }, { slug: `r${n}`, status: 'published' }, ACTOR);
  } else if (kind === 6) {
    await content.remove(collection, { id: doc.id }, ACTOR);
  } else if (kind === 7) {
    const source = pick(random, live).slug;
    await content.create(collection, { slug: `t${n}`, locale: `x-t${n}`, translationOf: source, data: {} }, ACTOR);
  } else if (kind === 8) {
    const { documents } = await history.trash({ limit: 100, offset: 0 });
    if (!documents.length) return;
    const gone = pick(random, documents);
    const command = await history.restorable(gone.collection, gone.id, gone.commit);
    await content.restore(gone.collection, command, ACTOR).catch((error) => assert.is(error.status, 409));
  } else {
    await beside();
  }

  async function beside(): Promise<void> {
    if (kind === 9) await store.log.flush();
    // Else between ours: changes that are durable and not in git yet are replayed.
    else void content.create('posts', { slug: `u${n}`, data: {} }, ACTOR);
    await nextTurn();
    await cms.site.content.create('posts', { slug: `v${n}`, data: {} }, ACTOR);
    const tip = git(repository, 'rev-parse', 'main').trim();
    const there = new Set(git(repository, 'ls-tree', '-r', '--name-only', tip, 'content/posts/').split('\n'));
    const slug = posts.find((one) => there.has(flat(one)));
    const files: Record<string, string | null> = { 'README.md': `${n}` };
    if (slug) {
      const old = JSON.parse(git(repository, 'show', `${tip}:${flat(slug)}`)) as Record<string, unknown>;
      const choice = random.whole(0, 3);
      if (choice === 0) files[flat(slug)] = null;
      if (choice === 1) files[flat(slug)] = JSON.stringify({ ...old, data: { title: `by hand ${n}` } });
      if (choice === 2) {
        files[flat(slug)] = null;
        files[flat(`h${n}`)] = JSON.stringify({ ...old, slug: `h${n}` });
      }
      if (choice === 3) files[flat(`broken${n}`)] = '{';
    }
    if (kind === 11) {
      // An external commit on our previous commit, then a merge: half of the time of ours into theirs, as a pull would
      // do.
      const side = commitBeside(
        repository,
        { 'README.md': `${n}` },
        { ref: `refs/heads/side${n}`, parents: [`${tip}^`] },
      );
      const merged = commitBeside(repository, files, { ref: `refs/heads/merged${n}`, parents: [tip] });
      const parents = random.next() < 0.5 ? [side, tip] : [tip, side];
      const tree = git(repository, 'rev-parse', `${merged}^{tree}`).trim();
      const merge = git(
        repository,
        'commit-tree',
        tree,
        '-m',
        'merge',
        ...parents.flatMap((one) => ['-p', one]),
      ).trim();
      git(repository, 'update-ref', 'refs/heads/main', merge);
      merges.set(merge, tip);
    } else commitBeside(repository, files);
    await untilTakenIn(store);
    // So that the next merge has a commit of ours below it.
    await content.create('many', { slug: `w${n}`, data: {} }, ACTOR);
  }
}

for (const seed of [1, 2]) {
  test(`histories agree with git's log, live, loaded and rebuilt (seed ${seed})`, async () => {
    await using place = await makePlace();
    const random = createRandom(seed);
    const merges = new Map<string, string>();
    for (let n = 0; n < 32; n++) {
      await step(place, random, merges, n);
      if (n % 15 === 7) await place.reopen();
    }
    await place.cms.site.store.log.flush();
    const expected = recompute(place.repository, lineOf(place.repository, merges));
    const feed = await readFeed(place);
    assert.equal(await readFromFeed(place), expected);
    assert.equal(await readHistories(place, expected), expected);

    await place.reopen();
    assert.equal(await readFeed(place), feed, 'loaded');
    await place.reopen({ forget: true });
    assert.equal(await readFeed(place), feed, 'rebuilt');
    assert.equal(await readHistories(place, expected), expected);
  });
}

test('a client that follows the feed by its last commit sees every change, even if commits are replayed', async () => {
  await using place = await makePlace();
  const random = createRandom(7);
  const merges = new Map<string, string>();
  const seen = new Map<string, string[]>();
  let since: string | undefined;
  for (let n = 0; n < 25; n++) {
    await step(place, random, merges, n);
    const { changes, last } = await place.cms.site.history.changes({ since, limit: random.whole(1, 4) });
    for (const text of changes) note(JSON.parse(text));
    since = last ?? since;
  }
  for (;;) {
    const { changes, last } = await place.cms.site.history.changes({ since, limit: 5 });
    for (const text of changes) note(JSON.parse(text));
    if (!last) break;
    since = last;
  }
  const feed = await readFeed(place);
  assert.equal([...seen.keys()].sort(), [...new Set(feed.map(({ changeId, id }) => `${changeId} ${id}`))].sort());
  // A change is repeated only under another commit id, and the last id is its present one.
  for (const { changeId, id, commit } of feed) {
    const names = seen.get(`${changeId} ${id}`)!;
    assert.is(new Set(names).size, names.length);
    assert.is(names.at(-1), commit);
  }

  function note({ changeId, id, commit }: Change): void {
    const key = `${changeId} ${id}`;
    seen.set(key, [...(seen.get(key) ?? []), commit]);
  }
});

test.run();
