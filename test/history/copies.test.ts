// The log's changes add up to the served documents, also while files wait for an id or a slug that another file has: a
// client that applies the feed from any cursor, and a listener of commits, has exactly the served documents.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../src/access/actor.ts';
import { pathOf, SHARDED } from '../../src/content/files/paths.ts';
import { createFeedMirror, type FeedMirror, mirrorCommits, served } from '../content/feed-mirror.ts';
import { makeViewsWorld, type ViewsWorld } from '../content/rows/views-world.ts';
import { commitBeside, git } from '../support/external.ts';
import { START } from '../support/world.ts';

const HELLO = 'HelloHello01';
const OTHER = 'OtherOther01';

function file(slug: string, change: Record<string, unknown> = {}): string {
  const dates = { createdAt: START, updatedAt: START };
  const doc = { id: HELLO, slug, collection: 'posts', status: 'published', ...dates, data: { title: slug }, ...change };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

const at = (slug: string): string => `content/posts/${slug}.json`;
const inShard = (slug: string): string => pathOf({ collection: 'posts', slug }, SHARDED);

async function readReported({ cms }: ViewsWorld): Promise<string[]> {
  const { changes } = await cms.site.history.changes({ limit: 1000 });
  return changes.map((text) => JSON.parse(text)).map(({ event, id, slug }) => `${event} ${id} ${slug}`);
}

/** Runs the steps; after each one, mirrors from all cursors and a rebuilt index agree with the served documents. */
async function follow(world: ViewsWorld, steps: readonly (() => Promise<unknown>)[], ending: string[]): Promise<void> {
  const mirrors: FeedMirror[] = [createFeedMirror(() => world.cms.site)];
  const check = async (): Promise<void> => {
    for (const mirror of mirrors) {
      const reading = mirror.copy();
      await reading.read();
      assert.equal(reading.documents, served(world.cms.site));
    }
    await mirrorCommits(world.cms.site);
  };
  for (const step of steps) {
    await step();
    await check();
    const next = mirrors.at(-1)!.copy();
    await next.read();
    mirrors.push(next);
  }
  assert.equal((await readReported(world)).slice(-ending.length), ending);
  const live = await readReported(world);
  await world.restart();
  assert.equal(await readReported(world), live, 'from the saved index');
  await check();
  await world.restart(undefined, { forget: true });
  assert.equal(await readReported(world), live, 'rebuilt');
  await check();
}

const hello = (world: ViewsWorld) => () => world.beside({ [at('hello')]: file('hello') });
const copy = (world: ViewsWorld) => () => world.beside({ [at('copy')]: file('copy') });
const CREATED = `document.created ${HELLO} hello`;
const TAKEN_OVER = `document.renamed ${HELLO} copy`;

test('a copy that takes over the id is reported, however the original disappears', async () => {
  const ways: [string, (world: ViewsWorld) => Promise<unknown>][] = [
    ['removed', (world) => world.beside({ [at('hello')]: null })],
    ['broken', (world) => world.beside({ [at('hello')]: '{' })],
    ['removed by us', (world) => world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM)],
    ['out of the collections', (world) => world.beside({ [at('hello')]: null, 'content/hello.json': file('hello') })],
  ];
  for (const [name, go] of ways) {
    await using world = await makeViewsWorld();
    await follow(world, [hello(world), copy(world), () => go(world)], [CREATED, TAKEN_OVER]);
    assert.equal(served(world.cms.site), { [HELLO]: 'posts/copy' }, name);
  }
});

test('an original that gets another id is reported as a new document, and the copy takes over its old id', async () => {
  await using world = await makeViewsWorld();
  const other = () => world.beside({ [at('hello')]: file('hello', { id: OTHER }) });
  await follow(world, [hello(world), copy(world), other], [CREATED, TAKEN_OVER, `document.created ${OTHER} hello`]);
});

test('changes of a copy that waits for the id are not reported', async () => {
  await using world = await makeViewsWorld();
  const steps = [
    hello(world),
    copy(world),
    () => world.beside({ [at('copy')]: file('copy', { data: { title: 'changed' } }) }),
    () => world.beside({ [at('copy')]: null, [at('third')]: file('third') }),
    () => world.cms.content.update('posts', 'hello', { data: { title: 'ours' } }),
    () => world.beside({ [at('third')]: null }),
  ];
  await follow(world, steps, [CREATED, `document.updated ${HELLO} hello`]);
});

test('a copy that gets its own id is reported as created', async () => {
  await using world = await makeViewsWorld();
  const own = () => world.beside({ [at('copy')]: file('copy', { id: OTHER }) });
  const gone = () => world.beside({ [at('hello')]: null });
  const ending = [CREATED, `document.created ${OTHER} copy`, `document.deleted ${HELLO} hello`];
  await follow(world, [hello(world), copy(world), own, gone], ending);
});

test('an original that comes back waits for the copy that took over its id', async () => {
  await using world = await makeViewsWorld();
  const steps = [
    hello(world),
    copy(world),
    () => world.beside({ [at('hello')]: null }),
    hello(world),
    () => world.cms.content.update('posts', 'copy', { data: { title: 'ours' } }),
    () => world.cms.site.content.remove('posts', { slug: 'copy' }, SYSTEM),
    () => world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM),
  ];
  const ends = [`document.updated ${HELLO} copy`, `document.renamed ${HELLO} hello`, `document.deleted ${HELLO} hello`];
  await follow(world, steps, [CREATED, TAKEN_OVER, ...ends]);
});

test('a rename is reported as one, ours or external, even if a copy waits for the id', async () => {
  for (const isOurs of [false, true]) {
    await using world = await makeViewsWorld();
    const rename = () =>
      isOurs
        ? world.cms.content.update('posts', 'hello', { slug: 'renamed' })
        : world.beside({ [at('hello')]: null, [at('renamed')]: file('renamed') });
    await follow(world, [hello(world), copy(world), rename], [CREATED, `document.renamed ${HELLO} renamed`]);
  }
});

test('a file that waits for its slug is reported when it is served', async () => {
  for (const isOurs of [false, true]) {
    await using world = await makeViewsWorld();
    const steps = [
      hello(world),
      () => world.beside({ [inShard('hello')]: file('hello', { id: OTHER }) }),
      () => world.beside({ [at('copy')]: file('copy', { id: OTHER }) }),
      () => world.beside({ [at('copy')]: null }),
      () =>
        isOurs
          ? world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM)
          : world.beside({ [at('hello')]: null }),
    ];
    // The copy waits too: the file that waits for its slug had the id first.
    await follow(world, steps, [CREATED, `document.deleted ${HELLO} hello`, `document.created ${OTHER} hello`]);
  }
});

test('when commits are dropped, their effects on waiting files are undone', async () => {
  await using world = await makeViewsWorld();
  await hello(world)();
  const base = await copy(world)();
  await world.beside({ [at('hello')]: null });
  await world.beside({ [at('hello')]: file('hello') });
  const { log } = world.cms.site.store;
  const theirs = commitBeside(world.repository, { 'README.md': 'hi' }, [base]);
  git(world.repository, 'update-ref', 'refs/heads/main', theirs);
  log.poll();
  await log.choose('theirs');
  await follow(world, [() => world.beside({ [at('hello')]: '{' })], [CREATED, TAKEN_OVER]);
});

test('our changes that are replayed on a copied or deleted original are reported with their actual result', async () => {
  for (const [theirs, last] of [
    [{ [at('copy')]: file('copy') }, `document.renamed ${HELLO} zebra`],
    [{ [at('hello')]: null }, `document.renamed ${HELLO} zebra`],
    [{ [at('zebra')]: null }, `document.deleted ${HELLO} hello`],
  ] as const) {
    await using world = await makeViewsWorld();
    await world.beside({ [at('hello')]: file('hello'), [at('zebra')]: file('zebra') });
    const steps = [
      async () => {
        const removing = world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM);
        commitBeside(world.repository, theirs, undefined, 'refs/heads/main');
        await removing;
        await world.settle();
      },
    ];
    await follow(world, steps, [CREATED, last]);
  }
});

test('a merge whose first parent is off the log’s line reports the files that its own order serves', async () => {
  await using world = await makeViewsWorld();
  const { repository } = world;
  const base = await world.beside({ 'README.md': 'hi' });
  await hello(world)();
  await copy(world)();
  // The log's line goes through our changes.
  await world.cms.content.create('posts', { slug: 'ours', data: { title: 'ours' } });
  await world.cms.site.store.log.flush();
  const mine = git(repository, 'rev-parse', 'main').trim();
  const yours = commitBeside(repository, { [at('copy')]: file('copy') }, [base]);
  const merge = async (): Promise<void> => {
    const merged = commitBeside(repository, { [at('hello')]: file('hello') }, [yours, mine]);
    git(repository, 'update-ref', 'refs/heads/main', merged, mine);
    await world.settle();
  };
  await follow(world, [merge], [TAKEN_OVER]);
});

test.run();
