// Commits of many files that claim what other files claim too are prepared in slices. Whatever is written meanwhile, to
// those very documents or to others, the result is what the log alone leads to. SEED repeats the choices; COUNT and
// ROUNDS set how much.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { pathOf, SHARDED } from '../../../src/content/files/paths.ts';
import { commitBeside, type Entry, git } from '../../support/external.ts';
import { eventually } from '../../support/process.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { longestTurn } from '../../support/turns.ts';
import { START } from '../../support/world.ts';
import { makeViewsWorld, type ViewsWorld } from '../rows/views-world.ts';

type Files = Record<string, Entry | null>;

const MANY = 3000;
const TURN_MS = 50;

const COUNT = Number(process.env.COUNT) || 300;
const ROUNDS = Number(process.env.ROUNDS) || 3;
const COLLECTION = 'posts';

function textOf(i: number, slug: string, title: string): string {
  const id = `Many${String(i).padStart(8, '0')}`;
  const data = { title, body: 'Some text of the document. '.repeat(20) };
  const doc = { id, slug, collection: COLLECTION, status: 'draft', createdAt: START, updatedAt: START, data };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

function many(count: number, file: (i: number) => [path: string, text: Entry | null]): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));
}

const pathAt = (slug: string, isSharded = false): string =>
  pathOf({ collection: COLLECTION, slug }, isSharded ? SHARDED : 0);

/** Documents of the branch with the paths of their files. */
function listFiles(world: ViewsWorld): Set<string> {
  const names = git(world.repository, 'ls-tree', '-r', '-z', '--name-only', 'main', 'content/posts');
  return new Set(names.split('\0').filter(Boolean));
}

/** The longest turn, in milliseconds of processor time, while an external commit is loaded. */
async function turnOf(world: ViewsWorld, files: Files): Promise<number> {
  const { log } = world.cms.site.store;
  await world.settle();
  const commit = commitBeside(world.repository, files);
  return await longestTurn(async () => {
    git(world.repository, 'update-ref', 'refs/heads/main', commit);
    log.poll();
    await eventually(() => assert.is(log.status().gitHead, commit), 30_000);
  });
}

function isUnder({ repository }: ViewsWorld, commit: string, head: string): boolean {
  return git(repository, 'merge-base', commit, head).trim() === commit;
}

function makeTheirs(random: Random, world: ViewsWorld, round: number): Files {
  const there = listFiles(world);
  const remove = (path: string): Files => (there.has(path) ? { [path]: null } : {});
  const files: Files = {};
  const kind = random.whole(0, 4);
  for (let i = 0; i < COUNT; i++) {
    const slug = `copy${round}-${i}`;
    if (kind === 0) files[pathAt(slug)] = textOf(i, slug, 'copied');
    else if (kind === 1) Object.assign(files, remove(pathAt(`d${i}`)), { [pathAt(slug)]: textOf(i, slug, 'renamed') });
    else if (kind === 2) Object.assign(files, { [pathAt(`d${i}`, true)]: textOf(i + COUNT, `d${i}`, 'of this slug') });
    else if (kind === 3)
      Object.assign(files, { [pathAt(`d${i}`)]: textOf((i + 1) % COUNT, `d${i}`, 'of the next one') });
    else
      Object.assign(files, remove(pathAt(`copy${round - 1}-${i}`)), { [pathAt(`d${i}`)]: textOf(i, `d${i}`, 'back') });
  }
  return files;
}

async function makeOurs(random: Random, { cms }: ViewsWorld, count: number): Promise<void> {
  const { content, site } = cms;
  const rows = [...site.view.collection(COLLECTION)!.rows.values()];
  const slug = rows.length ? rows[random.whole(0, rows.length - 1)]!.slug : 'none';
  const works = [
    () => content.create(COLLECTION, { slug: `own${count}`, data: { title: 'own' } }),
    () => content.update(COLLECTION, slug, { data: { title: `own ${count}` } }),
    () => content.update(COLLECTION, slug, { slug: `moved${count}` }),
    () => site.content.remove(COLLECTION, { slug }, SYSTEM),
  ];
  await works[random.whole(0, works.length - 1)]!().catch((error) => {
    if (![404, 409].includes(error.status)) throw error;
  });
}

test('changes made while contested files are prepared are shown as the log has them', async () => {
  const seed = Number(process.env.SEED) || Date.now() % 100_000;
  const random = createRandom(seed);
  await using world = await makeViewsWorld();
  await world.beside(many(COUNT, (i) => [pathAt(`d${i}`), textOf(i, `d${i}`, 'first')]));
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const tip = git(world.repository, 'rev-parse', 'main').trim();
    if (random.next() < 0.5) await world.cms.site.store.log.flush();
    const isBusy = random.next() < 0.7;
    if (isBusy) await makeOurs(random, world, ++count);
    let theirs = commitBeside(world.repository, makeTheirs(random, world, round), undefined, 'refs/heads/main');
    if (random.next() < 0.3) {
      const path = pathAt(`alone${round}`);
      const alone = { [path]: textOf(5000 + round, `alone${round}`, 'alone') };
      theirs = commitBeside(world.repository, alone, undefined, 'refs/heads/main');
    }
    const { log } = world.cms.site.store;
    for (let writes = 0; isBusy && !isUnder(world, theirs, log.status().gitHead!); writes++) {
      assert.ok(writes < 2000, 'their commits are not loaded');
      for (let i = 0; i < 5; i++) await makeOurs(random, world, ++count);
    }
    await world.settle();
    const what = `round ${round} of seed ${seed}, on ${tip}`;
    const [shown, rebuilt] = [await world.picture(), await world.rebuilt()];
    for (const key of ['warnings', 'documents']) assert.equal(shown[key], rebuilt[key], `${what}: ${key}`);
    assert.equal(shown, rebuilt, what);
  }
});

test('commits of thousands of copies hold the event loop no longer than others, and neither does removing them', async () => {
  await using world = await makeViewsWorld();
  const copies = (round: number): Files =>
    many(MANY, (i) => [pathAt(`copy${round}-${i}`), textOf(i, `copy${round}-${i}`, 'copied')]);
  const removed = (files: Files): Files => Object.fromEntries(Object.keys(files).map((path) => [path, null]));
  await world.beside(many(MANY, (i) => [pathAt(`d${i}`), textOf(i, `d${i}`, 'first')]));
  const { view, warnings } = world.cms.site;
  // A step that is too long is too long every time; a garbage collection happens at random.
  const [copying, removing]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) copying.push(await turnOf(world, copies(round)));
  assert.is(view.size, MANY);
  assert.is(warnings.size, 3 * MANY);
  for (let round = 0; round < 3; round++) removing.push(await turnOf(world, removed(copies(round))));
  assert.is(warnings.size, 0);
  const longest = [Math.min(...copying), Math.min(...removing)];
  assert.ok(Math.max(...longest) < TURN_MS, `${longest} ms`);
});

test.run();
