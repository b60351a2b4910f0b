// Problems of external commits that are reported before they are accepted: those that each of them brings in, and none
// that were there before.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incoming } from '../../../src/content/from-git/incoming/incoming.ts';
import { commitBeside, type Entry, git, treeOf } from '../../support/external.ts';
import { untilTakenIn } from '../../support/store-world.ts';
import { longestTurn } from '../../support/turns.ts';
import { makeWorld, START, type World } from '../../support/world.ts';

let ids = 0;
function documentOf(slug: string, change: Record<string, unknown> = {}): string {
  const id = `Hand${String(++ids).padStart(8, '0')}`;
  const dates = { createdAt: START, updatedAt: START };
  return toText({ id, slug, collection: 'posts', status: 'published', ...dates, data: { title: slug }, ...change });
}

const toText = (doc: object): string => `${JSON.stringify(doc, null, 2)}\n`;
const fileOf = (slug: string): string => `content/posts/${slug}.json`;

/** Makes a commit on top of the branch, which stays where it is, and returns its problems. */
async function offer(world: World, ...commits: Record<string, Entry | null>[]): Promise<Incoming[]> {
  const { store, checkIncoming } = world.site();
  await store.log.flush();
  const from = store.log.status().gitHead;
  let to = from;
  for (const files of commits) to = commitBeside(store.repository, files, to ? [to] : []);
  store.odb.refresh();
  return (await checkIncoming(from, to!, store.odb)).problems;
}

const lines = (problems: readonly Incoming[]): string[] => problems.map(({ path, message }) => `${path}: ${message}`);

async function create(world: World, slug: string, more: object = {}) {
  const { json } = await world.admin.post('/api/cms/posts', { slug, data: { title: slug }, ...more });
  return json;
}

test('documents as the service writes them are accepted, in both layouts, with files beside them', async () => {
  await using world = await makeWorld();
  const a = await create(world, 'a');
  const many = (await world.admin.post('/api/cms/many', { slug: 'hello', data: { title: 'H' } })).json;
  assert.equal(
    await offer(world, {
      [fileOf('b')]: documentOf('b'),
      [fileOf('a')]: toText({ ...a, data: { title: 'changed' } }),
      'content/many/aa/hello.json': toText({ ...many, data: { title: 'changed' } }),
      'content/posts/aa/hello.json': documentOf('hello'),
      'README.md': '# Content\n',
      '.github/workflows/site.yml': 'on: push\n',
      'tools/run': { mode: '100755', text: '#!/bin/sh\n' },
      'tools/link': { mode: '120000', text: '../README.md' },
      'media/photos/cat.jpg': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
    }),
    [],
  );
  assert.equal(await offer(world, { [fileOf('a')]: null }), []);
  assert.equal(await offer(world), []);
});

test('what the API refuses beside the data is reported too, and a missing source is not', async () => {
  await using world = await makeWorld();
  const lockedAt = START;
  const problems = await offer(world, {
    [fileOf('gone')]: documentOf('gone', { translationOf: 'deleted', locale: 'pt-BR' }),
    [fileOf('locked')]: documentOf('locked', { _fieldMeta: { title: { lockedBy: 'user', lockedAt, userId: 'u' } } }),
    [fileOf('nobody')]: documentOf('nobody', { _fieldMeta: { title: { lockedBy: 'nobody' } } }),
    [fileOf('self')]: documentOf('self', { translationOf: 'self' }),
    [fileOf('tongue')]: documentOf('tongue', { locale: 'x_y' }),
  });
  assert.equal(
    problems.map(({ path, message }) => [path, message.split(' ').slice(0, 6).join(' ')]),
    [
      [fileOf('nobody'), 'does not fit the schema: _fieldMeta.title.lockedBy'],
      [fileOf('self'), 'does not fit the schema: translationOf'],
      [fileOf('tongue'), 'does not fit the schema: locale'],
    ],
  );
});

test('keys beside the data that no document has are refused with the nearest one, unless they were there before', async () => {
  await using world = await makeWorld();
  const a = await create(world, 'a');
  const odd = toText({ ...a, author: 'Ada' });
  const problems = await offer(world, {
    [fileOf('slip')]: documentOf('slip', { stauts: 'draft' }),
    [fileOf('field')]: documentOf('field', { title: 'beside' }),
    [fileOf('a')]: odd,
  });
  assert.equal(lines(problems).sort(), [
    'content/posts/a.json: does not fit the schema: author is not a key of a document; fields belong into "data"',
    'content/posts/field.json: does not fit the schema: title is not a key of a document; it is a field, put it into "data"',
    'content/posts/slip.json: does not fit the schema: stauts is not a key of a document; did you mean "status"?',
  ]);
  const [first] = await offer(world, { [fileOf('a')]: odd }, { [fileOf('a')]: odd.replace('Ada', 'Bob') });
  assert.match(first!.message, /author/);
});

test('all problems of a file are reported, each in its own line', async () => {
  await using world = await makeWorld();
  const data = { title: 5, rank: 'first', tags: 'ink' };
  const problems = await offer(world, { [fileOf('a')]: documentOf('a', { data, stauts: 'draft' }) });
  assert.equal(
    lines(problems).map((line) => line.split(' ').slice(0, 7).join(' ')),
    ['stauts', 'data.title', 'data.rank', 'data.tags'].map(
      (key) => `content/posts/a.json: does not fit the schema: ${key}`,
    ),
  );
  const beside = { status: 'live', publishAt: 'soon', locale: 5 };
  const [first, ...more] = lines(await offer(world, { [fileOf('b')]: documentOf('b', beside) }));
  assert.equal(more, []);
  assert.match(first!, /status is not .*; locale is not a text; publishAt is not a date-time$/);
});

test('a whole merge conflict in a text is refused with its lines, and half of one is a text', async () => {
  await using world = await makeWorld();
  const conflict = ['<<<<<<< HEAD', 'Ours.', '=======', 'Theirs.', '>>>>>>> theirs'];
  const markdown = (...text: string[]): string => ['---', 'title: T', '---', ...text, ''].join('\n');
  const inText = (more: string): string => documentOf('in-text', { data: { title: 'T', more } });
  const said = '(<<<<<<<, =======, >>>>>>>); resolve it, or indent its lines if they belong to the text';
  assert.equal(
    lines(
      await offer(world, {
        'content/posts/body.md': markdown('Before.', ...conflict, 'Between.', ...conflict.map((line) => `${line}\r`)),
        'content/posts/front.md': ['---', ...conflict, 'title: T', '---', 'Text.', ''].join('\n'),
        'content/posts/heading.md': markdown('A heading', '=======', '', '>>>>>>> quoted', '<<<<<<< HEAD', 'Text.'),
        'content/posts/indented.md': markdown(...conflict.map((line) => ` ${line}`)),
        [fileOf('file')]: `{\n${conflict.join('\n')}\n}\n`,
        [fileOf('in-text')]: inText(conflict.join('\n')),
      }),
    ),
    [
      `content/posts/body.md: merge conflict in lines 5 to 9 ${said}`,
      `content/posts/body.md: merge conflict in lines 11 to 15 ${said}`,
      `content/posts/file.json: merge conflict in lines 2 to 6 ${said}`,
      `content/posts/front.md: merge conflict in lines 2 to 6 ${said}`,
      `content/posts/in-text.json: merge conflict in line 10 ${said}`,
    ],
  );
  const { json } = await world.admin.post('/api/cms/posts', {
    slug: 'there',
    data: { title: 'T', more: conflict.join('\n') },
  });
  assert.equal(
    await offer(world, {
      [fileOf('there')]: toText({ ...json, warnings: undefined, data: { ...json.data, rank: 2 } }),
    }),
    [],
  );
});

test('a file that is not a document is reported with the commit that brings it, even if a later one mends it', async () => {
  await using world = await makeWorld();
  await create(world, 'a');
  const problems = await offer(
    world,
    { [fileOf('x')]: '{ "title": "half' },
    { [fileOf('x')]: documentOf('x') },
    {
      [fileOf('y')]: documentOf('other'),
      'content/posts/Not A Slug.json': documentOf('Not A Slug'),
      'content/posts/notes.txt': 'hello',
      'content/nowhere/a.json': documentOf('a', { collection: 'nowhere' }),
      'content/posts/0b/hello.json': documentOf('hello'),
      'content/posts/de/hello.json': documentOf('hello'),
      'content/posts/old/deep/hello.md': '---\ntitle: H\n---\n',
      'content/many/bb/hello.json': documentOf('hello', { collection: 'many' }),
      [fileOf('typed')]: documentOf('typed', { data: { title: 'T', rank: 'many' } }),
      [fileOf('bare')]: documentOf('bare', { data: {} }),
      [fileOf('draft')]: documentOf('draft', { status: 'draft', data: {} }),
      [fileOf('large')]: documentOf('large', { data: { title: 'x', body: 'y'.repeat(5 << 20) } }),
      [fileOf('linked')]: { mode: '120000', text: 'a.json' },
      'media/photos/cat.jpg': 'JFIF',
    },
  );
  assert.equal(new Set(problems.map(({ commit }) => commit)).size, 2);
  assert.equal(lines(problems).sort(), [
    'content/many/bb/hello.json: in the wrong shard; it belongs at content/many/aa/hello.json',
    'content/nowhere/a.json: collection "nowhere" is not configured',
    'content/posts/0b/hello.json: in a folder that holds no documents; it belongs at content/posts/hello.json',
    'content/posts/Not A Slug.json: slug must start with a-z or 0-9 and hold only a-z, 0-9, ".", "_" and "-"',
    'content/posts/bare.json: does not fit the schema: data.title a published document needs a value here',
    "content/posts/de/hello.json: in a folder that holds no documents; it belongs at content/posts/hello.json; a language is the document's locale, not a folder",
    'content/posts/large.json: larger than 4 MiB',
    'content/posts/linked.json: not a regular file',
    'content/posts/notes.txt: not at content/<collection>/<slug>.json or .md',
    'content/posts/old/deep/hello.md: in a folder that holds no documents; it belongs at content/posts/hello.md',
    'content/posts/typed.json: does not fit the schema: data.rank expected a number',
    'content/posts/x.json: not valid JSON at position 16 (line 1, column 17)',
    "content/posts/y.json: slug is not the file's name",
    'media/photos/cat.jpg: not a Git LFS pointer; media are kept outside of the history: run "git lfs install", and commit the file again',
  ]);
});

test('a problem that was there before does not get a change refused', async () => {
  await using world = await makeWorld();
  const a = await create(world, 'a');
  const { store } = world.site();
  const { repository } = store;
  await store.log.flush();
  commitBeside(
    repository,
    {
      [fileOf('broken')]: 'no JSON',
      [fileOf('typed')]: documentOf('typed', { data: { title: 'T', rank: 'many' } }),
      [fileOf('copy')]: toText({ ...a, slug: 'copy' }),
      'content/posts/Odd.json': '{}',
      'content/posts/odd.json': documentOf('odd'),
    },
    undefined,
    'refs/heads/main',
  );
  await untilTakenIn(store);
  const typed = JSON.parse(git(repository, 'show', `main:${fileOf('typed')}`));
  const copy = { ...a, slug: 'copy' };
  assert.equal(
    await offer(world, {
      [fileOf('new')]: documentOf('new'),
      [fileOf('typed')]: toText({ ...typed, data: { ...typed.data, title: 'U' } }),
      [fileOf('copy')]: toText({ ...copy, data: { title: 'V' } }),
      'content/posts/odd.json': documentOf('odd'),
      [fileOf('broken')]: 'no JSON either',
    }),
    [],
  );
  const worse = { ...typed, data: { ...typed.data, mood: 'none of these' } };
  const [problem, ...others] = lines(await offer(world, { [fileOf('typed')]: toText(worse) }));
  assert.match(problem!, 'data.mood');
  assert.not.match(problem!, 'more');
  assert.equal(others, []);
});

test('an id that another document has, and a document in two layouts, are reported', async () => {
  await using world = await makeWorld();
  const a = await create(world, 'a');
  const b = await create(world, 'b');
  const moved = { [fileOf('a')]: null, [fileOf('c')]: toText({ ...a, slug: 'c' }) };
  assert.equal(await offer(world, moved), [], 'a rename');
  const swapped = { [fileOf('a')]: toText({ ...b, slug: 'a' }), [fileOf('b')]: toText({ ...a, slug: 'b' }) };
  assert.equal(await offer(world, swapped), [], 'two that change places');
  assert.equal(lines(await offer(world, { [fileOf('c')]: toText({ ...a, slug: 'c' }) })), [
    `${fileOf('c')}: id "${a.id}" belongs to ${fileOf('a')}`,
  ]);
  const twice = documentOf('x');
  assert.equal(
    lines(await offer(world, { [fileOf('x')]: twice }, { [fileOf('y')]: twice.replace('"x",', '"y",') })).length,
    1,
    'both are new',
  );
  await create(world, 'hello');
  assert.equal(lines(await offer(world, { 'content/posts/aa/hello.json': documentOf('hello') })), [
    'content/posts/aa/hello.json: the same document is at content/posts/hello.json; remove one of them',
  ]);
});

test('names that not every clone could hold are reported', async () => {
  await using world = await makeWorld();
  await create(world, 'hello');
  const names: [string, string][] = [
    ['content/posts/Hello.json', 'differs from "hello.json"'],
    ['Content/x.txt', 'differs from "content"'],
    ['docs/a\u0301.md', ''],
    ['docs/con.txt', 'Windows device'],
    ['docs/LPT1', 'Windows device'],
    ['docs/ends. ', 'dot or a space'],
    ['docs/a:b', 'Windows does not take'],
    ['docs/a\\b', 'Windows does not take'],
    ['docs/tab\there', 'control character'],
    ['git~1/config', 'own repository'],
    ['docs/.gi\u200ct', 'own repository'],
    [`docs/${'n'.repeat(256)}`, 'longer than 255'],
    [`${'d/'.repeat(520)}x`, 'nested deeper'],
  ];
  for (const [path, message] of names) {
    const problems = lines(await offer(world, { [path]: 'x' }));
    if (message) assert.ok(problems[0]?.includes(message), `${path}: ${problems}`);
    else assert.equal(problems, []);
  }
  assert.match(lines(await offer(world, { 'docs/\u00e1.md': 'x', 'docs/a\u0301.md': 'y' }))[0]!, 'capitals or accents');
  for (const target of ['/etc/passwd', '../../secret', 'C:\\x']) {
    assert.match(lines(await offer(world, { 'docs/link': { mode: '120000', text: target } }))[0]!, 'outside');
  }
});

test('a merge is reported only for what it brings in itself', async () => {
  await using world = await makeWorld();
  await create(world, 'base');
  const { store, checkIncoming } = world.site();
  await store.log.flush();
  const base = store.log.status().gitHead!;
  const side = commitBeside(store.repository, { [fileOf('side')]: documentOf('side') }, [base]);
  const bad = commitBeside(store.repository, { [fileOf('bad')]: 'no JSON' }, [base], 'refs/heads/main');
  await untilTakenIn(store);
  // As `git pull` makes it: the local branch first, the service's second.
  const merge = treeOf(store.repository, { [fileOf('side')]: documentOf('side'), [fileOf('bad')]: 'no JSON' }, base);
  const merged = git(store.repository, 'commit-tree', merge, '-p', side, '-p', bad, '-m', 'merge').trim();
  store.odb.refresh();
  assert.equal((await checkIncoming(bad, merged, store.odb)).problems, []);
  const evil = treeOf(store.repository, { [fileOf('evil')]: 'no JSON', [fileOf('bad')]: 'no JSON' }, base);
  const evilMerge = git(store.repository, 'commit-tree', evil, '-p', side, '-p', bad, '-m', 'merge').trim();
  store.odb.refresh();
  const { problems } = await checkIncoming(bad, evilMerge, store.odb);
  assert.equal(
    problems.map(({ commit, path }) => [commit, path]),
    [[evilMerge, fileOf('evil')]],
  );
});

test('fifty problems are reported and the others counted', async () => {
  await using world = await makeWorld();
  await create(world, 'a');
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [fileOf(`x${i}`), '{}']));
  const problems = await offer(world, files);
  assert.is(problems.length, 51);
  assert.is(problems.at(-1)?.message, 'and 20 more');
});

test('ten trees that stand for a billion paths are refused, and the service keeps answering', async () => {
  await using world = await makeWorld();
  const { store, checkIncoming } = world.site();
  let tree = treeOf(store.repository, { f: 'x' });
  for (let level = 0; level < 9; level++) {
    const entries = Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}\n`).join('');
    tree = git(store.repository, { input: entries }, 'mktree').trim();
  }
  const bomb = git(store.repository, 'commit-tree', tree, '-m', 'bomb').trim();
  store.odb.refresh();
  let problems: Incoming[] = [];
  const longestMs = await longestTurn(async () => {
    ({ problems } = await checkIncoming(null, bomb, store.odb));
  });
  assert.match(problems[0]!.message, 'more than 2000');
  assert.ok(longestMs < 200, `the event loop was held for ${longestMs} ms`);
});

test('trees and commits that git itself would not write are reported', async () => {
  await using world = await makeWorld();
  await create(world, 'a');
  const { store, checkIncoming } = world.site();
  await store.log.flush();
  const head = store.log.status().gitHead!;
  const blob = git(store.repository, { input: 'x' }, 'hash-object', '-w', '--stdin').trim();
  const entry = (mode: string, name: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(blob, 'hex')]);
  const put = (type: string, bytes: Buffer | string): string =>
    git(store.repository, { input: bytes }, 'hash-object', '-t', type, '-w', '--stdin', '--literally').trim();
  const trees: [Buffer, string][] = [
    [Buffer.concat([entry('100644', 'b'), entry('100644', 'a')]), 'wrong order'],
    [Buffer.concat([entry('100644', 'a'), entry('100644', 'a')]), 'twice'],
    [entry('100666', 'a'), 'mode'],
    [entry('100644', 'a\xff'), 'UTF-8'],
    [Buffer.from('100644 cut'), 'damaged'],
  ];
  for (const [bytes, message] of trees) {
    const commit = git(store.repository, 'commit-tree', put('tree', bytes), '-p', head, '-m', 'x').trim();
    store.odb.refresh();
    const [problem] = (await checkIncoming(head, commit, store.odb)).problems;
    assert.ok(problem?.message.includes(message), `${message}: ${problem?.message}`);
  }
  const tree = git(store.repository, 'rev-parse', `${head}^{tree}`).trim();
  const odd = put('commit', `tree ${tree}\nparent ${head}\nauthor A <a@b> now +0000\ncommitter A <a@b> 1 +0000\n\nx\n`);
  const missing = put(
    'commit',
    `tree ${'1'.repeat(40)}\nparent ${head}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx\n`,
  );
  store.odb.refresh();
  assert.match((await checkIncoming(head, odd, store.odb)).problems[0]!.message, 'form that git writes');
  assert.match((await checkIncoming(head, missing, store.odb)).problems[0]!.message, 'missing');
  assert.match((await checkIncoming(head, '2'.repeat(40), store.odb)).problems[0]!.message, 'missing');
});

test.run();
