// Files that were copied by hand with their id, or exist in both layouts: the one that had it first in the log is
// served, the other is left alone, and however the views are built, they agree.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { pathOf, SHARDED } from '../../../src/content/files/paths.ts';
import { commitBeside } from '../../support/external.ts';
import { git } from '../../support/store-world.ts';
import { START } from '../../support/world.ts';
import { makeViewsWorld, type ViewsWorld } from '../rows/views-world.ts';

const HELLO = 'HelloHello01';

function file(slug: string, change: Record<string, unknown> = {}): string {
  const dates = { createdAt: START, updatedAt: START };
  const doc = { id: HELLO, slug, collection: 'posts', status: 'published', ...dates, data: { title: slug }, ...change };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

const at = (slug: string, collection = 'posts'): string => `content/${collection}/${slug}.json`;
const inShard = (slug: string, collection = 'posts'): string => pathOf({ collection, slug }, SHARDED);

/** The served documents with these slugs, by title, and the files that have warnings. */
async function shown(world: ViewsWorld): Promise<[string[], string[]]> {
  const titles: string[] = [];
  for (const { rows } of world.cms.site.view.collections()) {
    for (const row of rows.values()) titles.push(`${row.slug}: ${JSON.parse(String(row.body)).data.title}`);
  }
  return [titles.sort(), [...world.cms.site.warnings.keys()].sort()];
}

/** Live, from a saved view, and rebuilt. */
async function everywhere(world: ViewsWorld, slugs: string[], warned: string[]): Promise<void> {
  assert.equal(await shown(world), [slugs, warned], 'live');
  const live = await world.picture();
  assert.equal(await world.rebuilt(), live, 'rebuilt');
  await world.restart();
  assert.equal(await world.picture(), live, 'from a saved view');
}

test('a copy with its id is left alone, whatever its name, and the original stays', async () => {
  for (const copy of ['copy', 'zebra', 'a']) {
    await using world = await makeViewsWorld();
    await world.beside({ [at('hello')]: file('hello') });
    await world.beside({ [at(copy)]: file(copy) });
    assert.match(
      world.cms.site.warnings.get(at(copy)) ?? '',
      /^id "HelloHello01" already belongs to content\/posts\/hello.json$/,
    );
    await everywhere(world, ['hello: hello'], [at(copy)]);
    await world.cms.content.update('posts', 'hello', { data: { title: 'changed' } });
    await everywhere(world, ['hello: changed'], [at(copy)]);
  }
});

test('a copy in another collection, or in a shard, is left alone too', async () => {
  for (const path of [at('hello', 'notes'), inShard('hello', 'many'), at('hello', 'many'), inShard('hello')]) {
    const collection = path.split('/')[1]!;
    await using world = await makeViewsWorld();
    await world.beside({ [at('hello')]: file('hello') });
    await world.beside({ [path]: file('hello', { collection, data: { title: 'copy' } }) });
    await everywhere(world, ['hello: hello'], [path]);
  }
});

test('documents that swap places, or move to a slug that only becomes free with the same commit, are each shown once', async () => {
  await using world = await makeViewsWorld();
  const ids = ['AaaaAaaaAaa1', 'BbbbBbbbBbb1', 'CcccCcccCcc1', 'DdddDdddDdd1'];
  const named = (slug: string, i: number, collection = 'posts'): string =>
    file(slug, { id: ids[i], collection, data: { title: ids[i], tags: ['one', ids[i]] } });
  const slugs = ['a', 'b', 'c', 'd'];
  await world.beside(Object.fromEntries(slugs.map((slug, i) => [at(slug), named(slug, i)])));
  const reported: string[] = [];
  world.cms.site.view.subscribe((before, after) => reported.push(`${before?.slug} to ${after?.slug}`));
  await world.beside({
    [at('a')]: named('a', 1),
    [at('b')]: named('b', 0),
    [at('c')]: null,
    [at('e')]: named('e', 2),
    [at('d')]: null,
    [at('d', 'notes')]: named('d', 3, 'notes'),
  });
  assert.equal(reported.sort(), ['a to b', 'b to a', 'c to e', 'd to undefined', 'undefined to d']);
  await everywhere(world, [`a: ${ids[1]}`, `b: ${ids[0]}`, `d: ${ids[3]}`, `e: ${ids[2]}`], []);
});

test('a document renamed to a slug that another one holds in the other layout is not shown until that one goes', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('a')]: file('a'), [at('b')]: file('b', { id: 'BbbbBbbbBbb1', data: { title: 'holds' } }) });
  await world.beside({ [at('a')]: null, [inShard('b')]: file('b', { data: { title: 'waits' } }) });
  await everywhere(world, ['b: holds'], [inShard('b')]);
  await world.beside({ [at('b')]: null });
  await everywhere(world, ['b: waits'], []);
});

test('a change that follows a document to a slug that another one holds does not take the slug', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello', 'notes')]: file('hello', { collection: 'notes' }) });
  const { content, site } = world.cms;
  await content.create('posts', { slug: 'hello', data: { title: 'first' } });
  await site.store.log.flush();
  const writing = content.update('notes', 'hello', { data: { title: 'ours' } });
  const moved = { [at('hello', 'notes')]: null, [inShard('hello')]: file('hello') };
  commitBeside(world.repository, moved, undefined, 'refs/heads/main');
  await writing;
  await world.settle();
  await everywhere(world, ['hello: first'], [inShard('hello')]);
});

test('a copy that comes below a deletion that is already shown takes over the id', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello') });
  const lock = join(world.repository, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  await world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM);
  rmSync(lock);
  const copy = { [at('copy', 'notes')]: file('copy', { collection: 'notes' }) };
  commitBeside(world.repository, copy, undefined, 'refs/heads/main');
  await world.settle();
  await everywhere(world, ['copy: copy'], []);
});

test('the copy takes over the id when the original goes, and keeps it when the original comes back', async () => {
  for (const isOurs of [false, true]) {
    await using world = await makeViewsWorld();
    await world.beside({ [at('hello')]: file('hello') });
    await world.beside({ [at('copy')]: file('copy') });
    if (isOurs) await world.cms.content.delete('posts', 'hello');
    else await world.beside({ [at('hello')]: null });
    await everywhere(world, ['copy: copy'], []);
    await world.beside({ [at('hello')]: file('hello') });
    await everywhere(world, ['copy: copy'], [at('hello')]);
  }
});

test('the first of several copies takes over the id', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello') });
  await world.beside({ [at('second')]: file('second') });
  await world.beside({ [at('first')]: file('first') });
  await world.beside({ [at('hello')]: '{' });
  await everywhere(world, ['second: second'], [at('first'), at('hello')]);
  await world.beside({ [at('hello')]: file('hello') });
  await everywhere(world, ['second: second'], [at('first'), at('hello')]);
  await world.beside({ [at('second')]: null });
  await everywhere(world, ['first: first'], [at('hello')]);
});

test('a rename stays a rename while a copy waits, in one external commit and in ours', async () => {
  for (const isOurs of [false, true]) {
    await using world = await makeViewsWorld();
    await world.beside({ [at('hello')]: file('hello') });
    await world.beside({ [at('copy')]: file('copy') });
    if (isOurs) await world.cms.content.update('posts', 'hello', { slug: 'renamed' });
    else await world.beside({ [at('hello')]: null, [at('renamed')]: file('renamed', { data: { title: 'hello' } }) });
    await everywhere(world, ['renamed: hello'], [at('copy')]);
    assert.is(world.cms.site.warnings.get(at('copy')), `id "${HELLO}" already belongs to ${at('renamed')}`);
  }
});

test('a rename in two commits is a rename as long as there is no copy', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello') });
  await world.beside({ [at('hello')]: null });
  await world.beside({ [at('renamed')]: file('renamed') });
  await everywhere(world, ['renamed: renamed'], []);
  const { entries } = await world.cms.site.history.history('posts', 'renamed', { offset: 0 });
  assert.is(entries.length, 3);
});

test('commits that come together count one by one', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello') });
  const { repository } = world;
  await world.beside({ [at('z')]: file('z') });
  // Two commits are loaded at once: the first removes the original, the second brings it back.
  const tip = git(repository, 'rev-parse', 'main').trim();
  const tree = (files: Record<string, string | null>, from: string): string => commitTo(repository, files, from);
  const gone = tree({ [at('hello')]: null }, tip);
  const again = tree({ [at('hello')]: file('hello') }, gone);
  git(repository, 'update-ref', 'refs/heads/main', again);
  await world.settle();
  await everywhere(world, ['z: z'], [at('hello')]);
});

function commitTo(repository: string, files: Record<string, string | null>, parent: string): string {
  return commitBeside(repository, files, [parent]);
}

test('a broken file in one layout does not hide the document in the other', async () => {
  for (const [good, bad] of [
    [at('hello'), inShard('hello')],
    [inShard('hello'), at('hello')],
  ] as const) {
    await using world = await makeViewsWorld();
    await world.beside({ [good]: file('hello') });
    await world.beside({ [bad]: '<<<<<<< HEAD\n' });
    await everywhere(world, ['hello: hello'], [bad]);
    await world.cms.content.update('posts', 'hello', { data: { title: 'changed' } });
    await everywhere(world, ['hello: changed'], [bad]);
    assert.is(git(world.repository, 'show', `main:${bad}`), '<<<<<<< HEAD\n');
    await world.beside({ [bad]: file('hello', { id: 'OtherOther01', data: { title: 'mended' } }) });
    await everywhere(world, ['hello: changed'], [bad]);
    await world.beside({ [good]: '{' });
    await everywhere(world, ['hello: mended'], [good]);
    await world.beside({ [good]: null });
    await everywhere(world, ['hello: mended'], []);
  }
});

test('a folder that was copied as a whole takes no document from its collection', async () => {
  await using world = await makeViewsWorld();
  const posts: Record<string, string> = {};
  for (let i = 0; i < 60; i++) posts[at(`p${i}`)] = file(`p${i}`, { id: `Id${String(i).padStart(10, '0')}` });
  await world.beside(posts);
  await world.beside(
    Object.fromEntries(Object.entries(posts).map(([path, text]) => [path.replace('posts', 'notes'), text])),
  );
  assert.is((await world.cms.content.findMany('posts')).total, 60);
  const live = await world.picture();
  assert.equal(await world.rebuilt(), live);
  await world.beside({ [at('p1', 'notes')]: null });
  assert.equal(await world.rebuilt(), await world.picture());
});

test('a shard that was copied as a whole takes no document from where it belongs', async () => {
  await using world = await makeViewsWorld();
  const shard: Record<string, string> = {};
  for (let i = 0; Object.keys(shard).length < 40; i++) {
    if (!inShard(`p${i}`).startsWith('content/posts/77/')) continue;
    shard[inShard(`p${i}`)] = file(`p${i}`, { id: `Id${String(i).padStart(10, '0')}` });
  }
  await world.beside(shard);
  const copyTo = (to: string) =>
    Object.fromEntries(Object.entries(shard).map(([path, text]) => [path.replace('/77/', `/${to}/`), text]));
  await world.beside({ ...copyTo('00'), ...copyTo('ff') });
  assert.is((await world.cms.content.findMany('posts')).total, 40);
  assert.equal([...world.cms.site.warnings.keys()].sort(), ['content/posts/00', 'content/posts/ff']);
  assert.equal(await world.rebuilt(), await world.picture());
  // After a change the folder is another tree: it is entered and reported file by file.
  const many = Object.keys(copyTo('00')).slice(0, 25);
  await world.beside(Object.fromEntries(many.map((path) => [path, null])));
  assert.is(world.cms.site.warnings.size, 15 + 1);
  assert.equal(await world.rebuilt(), await world.picture());
});

test('an id that moves to a file whose slug another file has belongs to that file', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello'), [at('other')]: file('other', { id: 'OtherOther01' }) });
  await world.beside({ [at('hello')]: '{', [inShard('other')]: file('other') });
  assert.is(world.cms.site.warnings.get(inShard('other')), `slug already belongs to ${at('other')}`);
  await everywhere(world, ['other: other'], [at('hello'), inShard('other')].sort());
});

test('a slug that differs only in capitals from a file of an external commit is taken', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ 'content/posts/Hello.json': '{' });
  assert.is((await world.cms.content.create('posts', { data: { title: 'Hello' } })).slug, 'hello-2');
  const refused = await world.cms.content.create('posts', { slug: 'hello', data: {} }).catch((error) => error);
  assert.is(refused.code, 'conflict');
  assert.is(refused.message, 'slug "hello" is taken in posts by content/posts/Hello.json in the repository');
  assert.equal(await world.rebuilt(), await world.picture());
});

test('when one of three names that differ only in capitals goes, two clash; when two go, none does', async () => {
  await using world = await makeViewsWorld();
  const files = ['content/posts/HELLO.json', 'content/posts/Hello.json', 'notes/AB.md', 'notes/Ab.md'];
  const odd = Object.fromEntries(files.map((path) => [path, '{}']));
  const clashes = (): string[] => {
    const clashing = [...world.cms.site.warnings].filter(([, problem]) =>
      problem.includes('in capitals or accents only'),
    );
    return clashing.map(([path]) => path).sort();
  };
  await world.beside({ ...odd, [at('hello')]: file('hello'), 'notes/ab.md': 'x' });
  assert.equal(clashes(), files);
  assert.equal(await world.rebuilt(), await world.picture(), 'three');
  await world.beside({ [at('hello')]: null, 'notes/ab.md': null });
  assert.equal(clashes(), files);
  assert.equal(await world.rebuilt(), await world.picture(), 'two');
  await world.beside({ 'content/posts/HELLO.json': null, 'notes/AB.md': null });
  assert.equal(clashes(), []);
  assert.equal(await world.rebuilt(), await world.picture(), 'one');
});

test('a name that clashed with a document of ours is an ordinary name once we delete the document', async () => {
  await using world = await makeViewsWorld();
  const odd = 'content/posts/Hello.json';
  await world.beside({ [at('hello')]: file('hello'), [odd]: '{}' });
  assert.match(world.cms.site.warnings.get(odd) ?? '', /in capitals or accents only/);
  await world.cms.site.content.remove('posts', { slug: 'hello' }, SYSTEM);
  assert.match(world.cms.site.warnings.get(odd) ?? '', /^slug must start/);
  await everywhere(world, [], [odd]);
});

test('if one commit renames a document and adds a copy, the first by name is the document, and the feed agrees', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello') });
  await world.beside({ [at('hello')]: null, [at('zebra')]: file('zebra'), [at('abc')]: file('abc') });
  const { changes } = await world.cms.site.history.changes({ limit: 10 });
  const reported = changes.map((text) => JSON.parse(text)).map(({ event, id, slug }) => `${event} ${id} ${slug}`);
  assert.equal(reported, [`document.created ${HELLO} hello`, `document.renamed ${HELLO} abc`]);
  await everywhere(world, ['abc: abc'], [at('zebra')]);
});

test('nothing overwrites a file that is left alone', async () => {
  await using world = await makeViewsWorld();
  await world.beside({ [at('hello')]: file('hello'), [at('broken')]: '{', [inShard('other')]: '{' });
  await world.beside({ [at('copy')]: file('copy') });
  for (const slug of ['copy', 'broken', 'other']) {
    for (const work of [
      () => world.cms.content.create('posts', { slug, data: {} }),
      () => world.cms.content.update('posts', 'hello', { slug }),
    ]) {
      assert.is(
        await work().then(
          () => 'done',
          ({ code }) => code,
        ),
        'conflict',
        slug,
      );
    }
  }
  await everywhere(world, ['hello: hello'], [at('broken'), at('copy'), inShard('other')].sort());
});

test('a start that rebuilds in threads gives the same result', async () => {
  await using world = await makeViewsWorld();
  const many: Record<string, string> = {};
  for (let i = 0; i < 4100; i++)
    many[at(`n${i}`, 'notes')] = file(`n${i}`, { id: `Id${String(i).padStart(10, '0')}`, collection: 'notes' });
  await world.beside({ ...many, [at('hello')]: file('hello') });
  await world.beside({
    [at('a')]: file('a'),
    [at('zebra')]: file('zebra'),
    [inShard('hello')]: file('hello'),
    [inShard('n1', 'notes')]: file('n1', { id: 'OtherOther01', collection: 'notes' }),
    [inShard('n2', 'notes')]: '{',
    [at('a', 'notes')]: file('a', { collection: 'notes' }),
  });
  const live = await world.picture();
  assert.is(world.cms.site.view.size, 4101);
  assert.equal(await world.rebuilt(), live);
});

test.run();
