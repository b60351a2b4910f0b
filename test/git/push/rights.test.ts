// What a push may change: attempts on other people's names, locks, media and code.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Permission } from '../../../src/access/principal.ts';
import { permissionsFor } from '../../../src/git/push/rights.ts';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { git } from '../../support/git.ts';
import { makeLimitedWorld } from '../http/limits.ts';
import { type Clone, type GitWorld, makeGitWorld, postFile, run } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are taken apart by the tests
type Doc = Record<string, any>;

const WRITER: Permission[] = ['content:read', 'content:write'];

/** Pushes, expects a refusal with this text, and resets the clone. */
async function refuses(clone: Clone, expected: RegExp, what: string, ...args: string[]): Promise<void> {
  const { ok, stderr } = await clone.push(...args);
  assert.is(ok, false, `${what}: was accepted`);
  assert.match(stderr, expected, what);
  await clone.git('reset', '--quiet', '--hard', 'origin/main');
}

async function makeLocked(): Promise<{ world: GitWorld; clone: Clone; file: string; text: string } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await makeGitWorld());
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello', body: 'Body', rank: 1 } });
  await admin.post('/api/cms/posts', { slug: 'other', data: { title: 'Other' } });
  await admin.put('/api/content/posts/hello/_fieldMeta/body/lock', { reason: 'signed off' });
  await world.events();
  const clone = await world.clone(await world.secret(WRITER));
  const file = 'content/posts/hello.json';
  const text = `${await clone.git('show', `HEAD:${file}`)}\n`;
  assert.match(text, /"lockedBy": "user"/);
  stack.move();
  return { world, clone, file, text, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

function changed(text: string, change: (doc: Doc) => void): string {
  const doc = JSON.parse(text);
  change(doc);
  return `${JSON.stringify(doc, null, 2)}\n`;
}

test('no pushed commit can pretend to be the service’s', async () => {
  await using locked = await makeLocked();
  const { clone, file, text, world } = locked;
  const { id } = JSON.parse(text);
  const trailers = `Event: document.updated\nDocument-Id: ${id}\nFields: rank\nActor: user\nChange-Id: ${'a'.repeat(20)}`;
  const message = `posts/hello: update rank\n\n${trailers}`;
  const edit = (rank: number) => ({ [file]: changed(text, (doc) => (doc.data.rank = rank)) });
  const as = async (name: string, email: string, words: string): Promise<void> => {
    await clone.commit(edit(2), 'x');
    const env = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_AUTHOR_NAME: 'Admin' };
    const { ok, stderr } = await run(clone.folder, ['commit', '--quiet', '--amend', '-m', words], env);
    assert.ok(ok, stderr);
  };
  // The commit changes just what it says, in an admin's name.
  await as('Colophon', 'colophon@localhost', message);
  await refuses(clone, /remote: [0-9a-f]{10}: is committed as Colophon/, 'our committer and our trailers');
  await as('COLOPHON ', 'eve@example.org', 'By hand');
  await refuses(clone, /is committed as Colophon/, 'our name');
  await as('Eve', 'Colophon@localhost', 'By hand');
  await refuses(clone, /is committed as Colophon/, 'our address');
  for (const line of trailers.split('\n').filter((one) => !one.startsWith('Fields'))) {
    await clone.commit(edit(3), `By hand\n\n${line.toLowerCase().replace('document-id', 'Document-ID')}`);
    if (/^Event|^Actor|^Change/.test(line)) await refuses(clone, /has the trailer/, line);
    else await clone.git('reset', '--quiet', '--hard', 'origin/main');
  }
  await clone.commit(edit(3), `By hand\r\n\r\n${trailers}\r\n\r\nmore`);
  await refuses(clone, /has the trailer/, 'elsewhere in the message');
  // A commit in the middle, although the next one reverts it.
  await as('Colophon', 'colophon@localhost', message);
  await clone.git('revert', '--no-edit', 'HEAD');
  await refuses(clone, /is committed as Colophon/, 'taken back');
  assert.is((await world.admin.get('/api/cms/posts/hello/history')).json.total, 2);
  await clone.commit(edit(4), 'Rank\n\nStatus: done\nReviewed-by: Ada <ada@example.org>\nFields: none');
  await clone.pushed();
});

test('a locked field stays locked against every attempt', async () => {
  await using locked = await makeLocked();
  const { clone, file, text } = locked;
  const word = /remote: content\/posts\/\S+: field "body" is locked/;
  const drop = (doc: Doc): void => void delete doc._fieldMeta;
  const cases: [string, Record<string, string | null>[]][] = [
    ['the value', [{ [file]: changed(text, (doc) => (doc.data.body = 'Mine')) }]],
    ['the value gone', [{ [file]: changed(text, (doc) => delete doc.data.body) }]],
    ['the lock gone', [{ [file]: changed(text, drop) }]],
    ['the lock another’s', [{ [file]: changed(text, (doc) => (doc._fieldMeta.body.userId = 'eve')) }]],
    ['the document gone', [{ [file]: null }]],
    ['gone and back', [{ [file]: null }, { [file]: changed(text, drop) }]],
    ['there and back', [{ [file]: changed(text, (doc) => (doc.data.body = 'Mine')) }, { [file]: text }]],
    ['renamed', [{ [file]: null, 'content/posts/moved.json': changed(text, (doc) => (doc.slug = 'moved')) }]],
    [
      'in another collection',
      [{ [file]: null, 'content/notes/hello.json': changed(text, (doc) => (doc.collection = 'notes')) }],
    ],
    ['another id', [{ [file]: changed(text, (doc) => (doc.id = 'Ab1234567890')) }]],
    ['spelled otherwise', [{ [file]: text.replace('"body": "Body"', '"b\\u006fdy": "Mine"') }]],
  ];
  for (const [what, commits] of cases) {
    for (const files of commits) await clone.commit(files, 'By hand');
    await refuses(clone, word, what);
  }
  await clone.commit({ 'content/posts/new.json': postFile('new', { _fieldMeta: { title: { lockedBy: 'user' } } }) });
  await refuses(clone, /new document brings field metadata/, 'a lock in a new document');
  await clone.commit({ 'content/posts/new.json': postFile('new', { _\u0066ieldMeta: { title: { lockedBy: 'ai' } } }) });
  await refuses(clone, /new document brings field metadata/, 'the same');
  await clone.commit({ [file]: changed(text, (doc) => (doc.data.rank = 5)) }, 'Unlock');
  await clone.pushed();
});

test('new documents with another site’s field metadata are refused with one message that says what to do', async () => {
  await using locked = await makeLocked();
  const { clone, file, text } = locked;
  const meta = { title: { aiGenerated: true }, body: { lockedBy: 'user' } };
  const bringing = (slug: string): Record<string, string> => ({
    [`content/posts/${slug}.json`]: postFile(slug, { _fieldMeta: meta }),
  });
  const bring = async (message: string): Promise<void> => {
    await clone.commit({ ...bringing('new-a'), ...bringing('new-b') }, message);
    await clone.commit(bringing('new-c'), message);
  };
  await bring('Move');
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  const lines = stderr.split('\n').filter((line) => line.includes('_fieldMeta'));
  assert.is(lines.length, 1, stderr);
  assert.match(lines[0]!, /posts\/new-a\.json and 2 other new documents bring field metadata/);
  assert.match(lines[0]!, /remove .*"_fieldMeta".*"Unlock: title, body"/);
  assert.not.match(stderr, /is locked/);
  await clone.git('reset', '--quiet', '--hard', 'origin/main');

  await bring('Move\n\nUnlock: title');
  const { stderr: half } = await clone.push();
  assert.match(half, /"Unlock: body"/);
  await clone.git('reset', '--quiet', '--hard', 'origin/main');
  // An existing document is not a new one.
  await clone.commit({ [file]: changed(text, (doc) => (doc._fieldMeta.title = { aiGenerated: true })) });
  await refuses(clone, /field "title" is locked/, 'metadata of an existing document');
  await bring('Move\n\nUnlock: title, body');
  await clone.pushed();
});

test('a merge hides no change, and a merge that only merges is accepted', async () => {
  await using locked = await makeLocked();
  const { clone, file, text, world } = locked;
  const before = await clone.git('log', '--format=%H', '--reverse', '--', file);
  const unlocked = before.split('\n')[0]!;
  await clone.git('checkout', '--quiet', '-b', 'side', unlocked);
  await clone.commit({ 'content/posts/side.json': postFile('side') });
  await clone.git('checkout', '--quiet', 'main');
  // The side's whole tree, from before the lock: no file in it is new.
  await clone.git('merge', '--quiet', '--no-edit', '-s', 'ours', 'side');
  const theirs = await clone.git('rev-parse', 'side^{tree}');
  const parents = ['-p', 'origin/main', '-p', 'side'];
  for (const order of [parents, [...parents.slice(2), ...parents.slice(0, 2)]]) {
    const merge = await clone.git('commit-tree', ...order, '-m', 'Together', theirs);
    await clone.git('reset', '--quiet', '--hard', merge);
    await refuses(clone, /field "body" is locked/, 'the side from before the lock');
  }
  await clone.git('merge', '--quiet', '--no-ff', '--no-commit', 'side');
  await clone.commit({ [file]: changed(text, (doc) => (doc.data.body = 'Mine')) }, 'Together');
  await refuses(clone, /field "body" is locked/, 'a change in the merge itself');

  // Meanwhile an editor changes the locked field and locks another one; a pusher who is behind merges that.
  await world.admin.patch('/api/cms/posts/hello', { data: { body: 'Newer' } });
  await world.admin.put('/api/content/posts/hello/_fieldMeta/title/lock', {});
  await world.events();
  await clone.git('merge', '--quiet', '--no-edit', 'side');
  await clone.commit({ 'content/posts/mine.json': postFile('mine') });
  await clone.git('pull', '--quiet', '--no-rebase', '--no-edit');
  await clone.pushed();
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.body, 'Newer');
});

test('a person unlocks a field with an Unlock line, and the history shows it', async () => {
  await using locked = await makeLocked();
  const { clone, file, text, world } = locked;
  const drop = changed(text, (doc) => delete doc._fieldMeta);
  await clone.commit({ [file]: drop }, 'Unlock it\n\nUnlock: title');
  await refuses(clone, /Unlock: body/, 'another field');
  await clone.commit({ [file]: drop }, 'Unlock it\n\nUnlock: body');
  await clone.commit({ [file]: changed(drop, (doc) => (doc.data.body = 'Mine')) });
  await clone.pushed();
  const { entries } = (await world.admin.get('/api/cms/posts/hello/history')).json;
  const shown = entries
    .slice(0, 2)
    .map(({ event, fields, unlocked }: Record<string, unknown>) => [event, fields, unlocked]);
  assert.equal(shown, [
    ['document.updated', ['body'], undefined],
    ['field.unlocked', ['body'], ['body']],
  ]);
  await world.admin.put('/api/content/posts/hello/_fieldMeta/body/lock', {});
  await world.events();
  await clone.git('pull', '--quiet', '--rebase');
  const again = `${await clone.git('show', `HEAD:${file}`)}\n`;
  const both = changed(again, (doc) => {
    delete doc._fieldMeta;
    doc.data.body = 'Again';
  });
  await clone.commit({ [file]: both }, 'Both\n\nUnlock: body, title');
  await clone.pushed();
  const [last] = (await world.admin.get('/api/cms/posts/hello/history')).json.entries;
  assert.equal([last.event, last.fields, last.unlocked], ['document.updated', ['body'], ['body']]);
});

test('an agent cannot unlock a field', async () => {
  await using world = await makeLimitedWorld({}, { isAgent: true });
  const { site } = world;
  const actor = { kind: 'user' as const, userId: 'u1', name: 'Ada', email: 'ada@example.org' };
  await site.content.create('posts', { slug: 'hello', data: { title: 'Hello' } }, actor);
  await site.content.lockField('posts', 'hello', 'title', {}, actor);
  await site.store.log.flush();
  const clone = await world.clone();
  await clone.git('pull', '--quiet', 'origin', 'main');
  const text = await clone.git('show', 'HEAD:content/posts/hello.json');
  await clone.commit(
    { 'content/posts/hello.json': changed(text, (doc) => (doc.data.title = 'Mine')) },
    'x\n\nUnlock: title',
  );
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  assert.match(stderr, /an agent's token cannot unlock it/);
});

test('a lock that was acknowledged a moment ago holds, although the branch does not have it yet', async () => {
  await using locked = await makeLocked();
  const { clone, file, text, world } = locked;
  await clone.commit({ [file]: changed(text, (doc) => (doc.data.title = 'Mine')) });
  const to = await clone.git('rev-parse', 'HEAD');
  const { store, pushes } = world.site();
  const from = store.log.status().gitHead;
  await clone.pushed();
  const entry = (fields: Record<string, unknown>) => {
    const content = Buffer.from(changed(text, (doc) => Object.assign(doc._fieldMeta, fields)));
    return { commit: to, body: Buffer.alloc(0), files: [{ path: file, content }] };
  };
  const find = (fields: Record<string, unknown>) =>
    pushes.findNewLocks(from, to, [entry(fields)], store.odb).map(({ path }) => path);
  assert.equal(find({ title: { lockedBy: 'user' } }), [file]);
  assert.equal(find({ rank: { lockedBy: 'user' } }), []);
  assert.equal(find({}), []);
});

test('a push at the moment when a field is locked is refused with the advice to fetch', async () => {
  await using locked = await makeLocked();
  const { clone, file, text, world } = locked;
  await clone.commit({ [file]: changed(text, (doc) => (doc.data.title = 'Mine')) });
  // Another git holds the lock of the branch, so the next change waits in the write-ahead log.
  const lock = join(world.repository, 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  const { status } = await world.admin.put('/api/content/posts/hello/_fieldMeta/title/lock', {});
  assert.is(status, 200);
  const { ok, stderr } = await clone.push();
  assert.is(ok, false);
  assert.match(stderr, /field "title" was locked a moment ago[\s\S]*fetch first/);
  rmSync(lock);
  await world.events();
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.title, 'Hello');
  assert.ok((await clone.run('pull', '--quiet', '--rebase')).ok);
  await refuses(clone, /field "title" is locked/, 'on top of the lock');
});

test('media and code need their own permissions in every commit', async () => {
  await using world = await makeGitWorld();
  const pointer = (n: number) => toPointerFile({ sha256: String(n).repeat(64), sizeBytes: n }).toString();
  const admin = await world.clone();
  await admin.commit({ 'content/posts/a.json': postFile('a'), 'media/images/a.gif': pointer(1) });
  await admin.pushed();
  const cloneOf = async (...more: Permission[]): Promise<Clone> =>
    world.clone(await world.secret([...WRITER, ...more]));
  const writer = await cloneOf();
  const files: [string, string, RegExp][] = [
    ['.github/workflows/run.yml', 'on: push\n', /repository:write/],
    ['package.json', '{}\n', /repository:write/],
    ['.gitattributes', '* text\n', /repository:write/],
    ['theme/content/x.json', '{}\n', /repository:write/],
    ['media/images/b.gif', pointer(2), /media:write/],
    ['media/images/.meta/a.gif.json', '{"alt": "A"}\n', /media:write/],
  ];
  for (const [file, text, expected] of files) {
    await writer.commit({ [file]: text });
    await writer.git('revert', '--no-edit', 'HEAD');
    await refuses(writer, expected, file);
  }
  await writer.commit({ 'media/images/a.gif': null });
  await refuses(writer, /media:delete/, 'a removal');
  await writer.commit({ 'content/posts/b.json': postFile('b') });
  await writer.pushed();

  const uploader = await cloneOf('media:write');
  await uploader.commit({ 'media/images/a.gif': pointer(3) });
  await refuses(uploader, /media:delete/, 'other bytes in its place');
  await uploader.commit({ 'media/images/a.gif': null, 'media/images/c.gif': pointer(1) });
  await refuses(uploader, /media:delete/, 'a rename');
  await uploader.commit({ 'media/images/b.gif': pointer(2), 'media/images/.meta/b.gif.json': '{"alt": "B"}\n' });
  await uploader.pushed();
  await (await cloneOf('media:delete')).commit({ 'media/images/b.gif': null });

  // A merge with a side that never had an administrator's file.
  const base = await admin.git('rev-parse', 'HEAD');
  await admin.git('pull', '--quiet', '--rebase');
  await admin.commit({ 'deploy.yml': 'x\n' });
  await admin.pushed();
  await writer.git('fetch', '--quiet');
  const side = await writer.git('rev-parse', 'origin/main~1');
  const tree = await writer.git('rev-parse', `${side}^{tree}`);
  const merge = await writer.git('commit-tree', '-p', 'origin/main', '-p', base, '-m', 'Together', tree);
  await writer.git('reset', '--quiet', '--hard', merge);
  await refuses(writer, /deploy\.yml: .*repository:write/, 'an administrator’s file, merged away');
});

test('an administrator can push a history in the service’s name to an empty site, and it is shown as pushed', async () => {
  await using old = await makeGitWorld();
  await old.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  await old.admin.put('/api/content/posts/hello/_fieldMeta/title/lock', {});
  await old.events();
  const clone = await old.clone();
  await using world = await makeGitWorld();
  await clone.git('remote', 'set-url', 'origin', world.address(await world.secret(WRITER)));
  const refused = await clone.push();
  assert.match(refused.stderr, /is committed as Colophon/);
  await clone.git('remote', 'set-url', 'origin', world.address(await world.secret()));
  await clone.pushed();
  const { entries } = (await world.admin.get('/api/cms/posts/hello/history')).json;
  assert.equal(
    entries.map(({ event, via, changeId, commit }: Record<string, unknown>) => [event, via, changeId === commit]),
    [
      ['field.locked', 'push', true],
      ['document.created', 'push', true],
    ],
  );
});

test('a clone may push the service’s commits back after a force-push dropped them', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  await world.events();
  const before = (await git(world.repository, 'rev-parse', 'main')).trim();
  await world.admin.put('/api/content/posts/hello/_fieldMeta/title/lock', {});
  await world.events();
  const clone = await world.clone(await world.secret(WRITER));
  await git(world.repository, 'update-ref', 'refs/heads/main', before);
  world.site().store.log.poll();
  await world.admin.post('/api/admin/repository/resolve', { keep: 'theirs' });
  await clone.pushed();
  const [entry] = (await world.admin.get('/api/cms/posts/hello/history')).json.entries;
  assert.equal([entry.event, entry.via], ['field.locked', undefined]);
});

test('a path determines the permissions that its change needs', () => {
  const at = (path: string, before: string | null, after: string | null) => permissionsFor({ path, before, after });
  assert.equal(at('content/posts/a.json', 'a', null), ['content:write']);
  assert.equal(at('media/a/b.gif', null, 'a'), ['media:write']);
  assert.equal(at('media/a/b.gif', 'a', 'b'), ['media:write', 'media:delete']);
  assert.equal(at('media/a/.meta/b.gif.json', 'a', 'b'), ['media:write']);
  assert.equal(at('media/a/.meta/b.gif.json', 'a', null), ['media:delete']);
  for (const path of ['content', 'media', 'README.md', '.github/workflows/a.yml', 'Media/a.gif', 'theme/content/a']) {
    assert.equal(at(path, null, 'a'), ['repository:write']);
  }
});

test.run();
