// External commits come below durable changes of ours, and claim an id that our changes affect too: what is shown then
// is what the log alone leads to, including the warnings.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { pathOf } from '../../../src/content/files/paths.ts';
import { commitBeside, type Entry, git } from '../../support/external.ts';
import { START } from '../../support/world.ts';
import { makeViewsWorld, type ViewsWorld } from '../rows/views-world.ts';

type Files = Record<string, Entry | null>;

const [A, B, OTHER] = ['Aaaaaaaaaaaa', 'Bbbbbbbbbbbb', 'Zzzzzzzzzzzz'] as const;

const at = (slug: string): string => pathOf({ collection: 'posts', slug }, 0);

function text(id: string, slug: string, title = slug): string {
  const doc = { id, slug, collection: 'posts', status: 'draft', createdAt: START, updatedAt: START, data: { title } };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

const rename = (world: ViewsWorld, from: string, to: string) => world.cms.content.update('posts', from, { slug: to });
const remove = (world: ViewsWorld, slug: string) => world.cms.site.content.remove('posts', { slug }, SYSTEM);

/** Commits `first` one by one, then makes our changes, which wait for git, then commits `theirs` below them. */
async function meet(
  first: readonly Files[],
  ours: (world: ViewsWorld) => Promise<void>,
  theirs: readonly Files[],
  documents: readonly string[],
): Promise<void> {
  await using world = await makeViewsWorld();
  for (const files of first) await world.beside(files);
  const { log } = world.cms.site.store;
  log.keepStill();
  await ours(world);
  assert.ok(log.status().unflushed > 0);
  const base = git(world.repository, 'rev-parse', 'main').trim();
  const tip = theirs.reduce((parent, files) => commitBeside(world.repository, files, [parent]), base);
  git(world.repository, 'update-ref', 'refs/heads/main', tip, base);
  await log.flush();
  await world.settle();
  const [shown, rebuilt] = [await world.picture(), await world.rebuilt()];
  for (const key of ['warnings', 'documents']) assert.equal(shown[key], rebuilt[key], key);
  assert.equal(shown, rebuilt);
  assert.equal(
    Object.keys(shown.documents as object).sort(),
    documents.map((slug) => `posts/${slug}`),
  );
}

for (const [what, there] of [
  ['is gone', null],
  ['is broken', '{'],
  ['has another id', text(OTHER, 'p')],
] as const) {
  test(`we rename the file that holds an id, and below that it ${what}`, async () => {
    const ours = async (world: ViewsWorld) => void (await rename(world, 'p', 'p2'));
    const first = [{ [at('p')]: text(A, 'p') }, { [at('q')]: text(A, 'q') }];
    await meet(first, ours, [{ [at('p')]: there }], there?.includes(OTHER) ? ['p', 'q'] : ['q']);
  });
}

test('we delete the file that holds an id, and an external commit renames it over a copy', async () => {
  const first = ['p', 'q', 'r'].map((slug) => ({ [at(slug)]: text(A, slug) }));
  const ours = async (world: ViewsWorld) => void (await remove(world, 'p'));
  const theirs = [
    { [at('p')]: null, [at('s')]: text(A, 's'), [at('r')]: null },
    { [at('s')]: null, [at('r')]: text(A, 'r') },
  ];
  await meet(first, ours, theirs, ['r']);
});

test('we rename a document to a slug at which an external commit puts a copy of it', async () => {
  const ours = async (world: ViewsWorld) => void (await rename(world, 'd', 'c'));
  await meet([{ [at('d')]: text(A, 'd') }], ours, [{ [at('c')]: text(A, 'c', 'copy') }], ['c-2']);
});

test('we rename two documents in a row, and an external commit puts others at the old and new slugs', async () => {
  const ours = async (world: ViewsWorld) => {
    await rename(world, 'a', 'b');
    await rename(world, 'c', 'a');
  };
  const theirs = { [at('b')]: text(OTHER, 'b'), [at('d')]: text(B, 'd', 'copy') };
  await meet([{ [at('a')]: text(A, 'a'), [at('c')]: text(B, 'c') }], ours, [theirs], ['a', 'b', 'b-2']);
});

test('if one of our documents takes the slug of another, the order beside an external copy stays', async () => {
  const ours = async (world: ViewsWorld) => {
    await world.cms.content.update('posts', 'p', { data: { title: 'ours' } });
    await rename(world, 'p', 'z');
    await rename(world, 'a', 'p');
  };
  const first = [{ [at('p')]: text(B, 'p'), [at('a')]: text(A, 'a') }];
  await meet(first, ours, [{ [at('q')]: text(A, 'q', 'copy') }], ['p', 'z']);
});

test('external commits change the order below our deletion, even if the last one restores the files of the first', async () => {
  const first = ['p', 'q', 'r'].map((slug) => ({ [at(slug)]: text(A, slug) }));
  const ours = async (world: ViewsWorld) => void (await remove(world, 'p'));
  const theirs = [
    { [at('q')]: null, [at('s')]: text(A, 's') },
    { [at('s')]: null, [at('q')]: text(A, 'q') },
  ];
  await meet(first, ours, theirs, ['r']);
});

test.run();
