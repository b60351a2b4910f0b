// Refused pushes: nothing of them is in the repository, and the pusher reads the reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git, listObjects } from '../../support/git.ts';
import { gitWithInput } from '../../support/store-world.ts';
import { type Clone, type GitWorld, makeGitWorld, postFile, type Ran } from '../world.ts';

/** Commits a tree that no git command would write, on top of `HEAD`; returns the commit. */
async function commitTree(clone: Clone, entries: string): Promise<string> {
  const tree = gitWithInput(clone.folder, entries, 'mktree', '--missing').trim();
  return clone.git('commit-tree', '-p', 'HEAD', '-m', 'By hand', tree);
}

/** The state of the repository and the views. */
async function stateOf(world: GitWorld) {
  return {
    objects: await listObjects(world.repository),
    refs: await git(world.repository, 'for-each-ref'),
    main: readFileSync(join(world.repository, 'refs/heads/main'), 'utf8'),
    incoming: world.listIncoming(),
    total: (await world.admin.get('/api/cms/posts')).json.total,
    head: world.headCommit(),
  };
}

async function makeRefusing(): Promise<{ world: GitWorld; clone: Clone } & AsyncDisposable> {
  const world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  await world.admin.post('/api/cms/posts', { slug: 'other', data: { title: 'Other' } });
  const clone = await world.clone();
  return { world, clone, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function refuses(world: GitWorld, push: () => Promise<Ran>, expected: RegExp, what: string): Promise<void> {
  const before = await stateOf(world);
  const { ok, stderr } = await push();
  assert.is(ok, false, `${what}: was accepted`);
  assert.match(stderr, expected, what);
  assert.equal(await stateOf(world), before, what);
}

test('files that cannot be served are refused by name, in any commit of the push', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  const hello = await clone.git('show', 'HEAD:content/posts/hello.json');
  const cases: [string, Record<string, string | null>, RegExp][] = [
    ['not JSON', { 'content/posts/bad.json': '{' }, /remote: content\/posts\/bad\.json: /],
    [
      'not the schema',
      { 'content/posts/bad.json': postFile('bad', { status: 'published', data: { rank: -1 } }) },
      /remote: content\/posts\/bad\.json: .*data\./,
    ],
    ['another slug', { 'content/posts/bad.json': postFile('good') }, /remote: content\/posts\/bad\.json: /],
    ['no collection', { 'content/nothing/bad.json': postFile('bad') }, /remote: content\/nothing\/bad\.json: /],
    ['an id twice', { 'content/posts/twin.json': hello.replace('"hello"', '"twin"') }, /remote: content\/posts\/twin/],
    ['not UTF-8', { 'content/posts/bad.json': `${postFile('bad')}\u0000` }, /remote: content\/posts\/bad\.json: /],
  ];
  for (const [what, files, expected] of cases) {
    await clone.commit(files);
    // Reverting it in another commit does not help: it stays in the history.
    await clone.git('revert', '--no-edit', 'HEAD');
    await refuses(world, () => clone.push(), expected, what);
    await clone.git('reset', '--quiet', '--hard', 'origin/main');
  }
  await clone.commit({ 'content/posts/good.json': postFile('good') });
  await clone.pushed();
});

test('trees that another machine could not check out are refused', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  const blob = await clone.git('rev-parse', 'HEAD:content/posts/hello.json');
  const good = (await clone.git('ls-tree', 'HEAD')).split('\n').join('\n');
  const inPosts = async (name: string, mode = '100644'): Promise<string> => {
    const posts = await clone.git('ls-tree', 'HEAD:content/posts');
    const oid = gitWithInput(clone.folder, `${posts}\n${mode} blob ${blob}\t${name}\n`, 'mktree').trim();
    const content = gitWithInput(clone.folder, `040000 tree ${oid}\tposts\n`, 'mktree').trim();
    return `040000 tree ${content}\tcontent\n`;
  };
  const cases: [string, string][] = [
    ['a repository in the repository', `${good}\n100644 blob ${blob}\t.git\n`],
    ['its short name', `${good}\n100644 blob ${blob}\tGIT~1\n`],
    ['a way out', `${good}\n040000 tree ${await clone.git('rev-parse', 'HEAD^{tree}')}\t..\n`],
    ['a mode of long ago', `${good}\n100664 blob ${blob}\tREADME.md\n`],
    ['a link among the documents', await inPosts('link.json', '120000')],
    ['names that differ in case', await inPosts('Hello.json')],
    ['a module', `${good}\n160000 commit ${await clone.git('rev-parse', 'HEAD')}\tmedia\n`],
  ];
  for (const [what, entries] of cases) {
    const commit = await commitTree(clone, entries);
    await refuses(world, () => clone.push(`${commit}:main`), /remote rejected/, what);
  }
});

test('only main can be pushed, and only forwards', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  await clone.commit({ 'content/posts/good.json': postFile('good') });
  await clone.git('tag', '-a', '-m', 'Tagged', 'v1');
  const cases: [string, string[], RegExp][] = [
    ['a branch', ['HEAD:refs/heads/draft'], /rejected.* HEAD -> draft/],
    ['a tag', ['v1'], /rejected.* v1 -> v1/],
    ['a ref of the service', ['HEAD:refs/colophon/agreed'], /rejected.*refs\/colophon\/agreed/],
    ['main and another', ['HEAD:main', 'HEAD:draft'], /rejected.* HEAD -> main[\s\S]*rejected.* HEAD -> draft/],
    ['all or nothing', ['--atomic', 'HEAD:main', 'HEAD:draft'], /rejected.* HEAD -> main/],
    ['no main at all', ['--delete', 'main'], /remote does not support deleting refs|rejected/],
    ['history rewritten', ['--force', 'HEAD~2:main'], /rejected.* HEAD~2 -> main/],
    ['a tag as main', ['v1:refs/heads/main'], /rejected|cannot be/],
  ];
  for (const [what, args, expected] of cases) await refuses(world, () => clone.push(...args), expected, what);
  await clone.git('checkout', '--quiet', '--orphan', 'new');
  await clone.commit({ 'README.md': 'Another history\n' });
  await refuses(world, () => clone.push('--force', 'HEAD:main'), /rejected.* HEAD -> main/, 'another history');
});

test('a pusher who is behind has to fetch first', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  await clone.commit({ 'content/posts/good.json': postFile('good') });
  await world.admin.patch('/api/cms/posts/hello', { data: { rank: 1 } });
  await world.events();
  await refuses(world, () => clone.push(), /rejected.*fetch first/, 'behind');
  await refuses(world, () => clone.push('--force'), /rejected/, 'behind, by force');
  await clone.git('pull', '--quiet', '--rebase');
  await clone.pushed();
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.rank, 1);
});

test('a commit with a Change-Id in our form is refused, and one of another tool is accepted', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  const [event] = await world.events();
  const changeId = event?.trailers['Change-Id'];
  assert.match(String(changeId), /^[0-9a-f]{20}$/);
  await clone.commit({ 'README.md': 'One\n' }, `By hand\n\nChange-Id: ${changeId}`);
  await refuses(world, () => clone.push(), /remote: .*Change-Id/, 'its Change-Id');
  await clone.git('reset', '--quiet', '--hard', 'origin/main');
  await clone.git('revert', '--no-edit', 'HEAD');
  await clone.git('cherry-pick', 'HEAD~1');
  await refuses(world, () => clone.push(), /remote: .*Change-Id/, 'picked again');
  await clone.git('reset', '--quiet', '--hard', 'origin/main');
  await clone.commit({ 'README.md': 'Two\n' }, `By hand\n\nChange-Id: I${'0'.repeat(40)}`);
  await clone.pushed();
  await clone.commit({ 'README.md': 'Three\n' }, `By hand\n\nChange-Id: ${'f'.repeat(20)}`);
  await refuses(world, () => clone.push(), /remote: .*Change-Id/, 'one that looks like ours');
});

test('after a force-push, pushes are refused with the reason until an operator has chosen', async () => {
  await using refusing = await makeRefusing();
  const { world, clone } = refusing;
  await clone.commit({ 'README.md': 'One\n' });
  await world.events();
  const theirs = (await git(world.repository, 'rev-parse', 'main~1')).trim();
  await git(world.repository, 'update-ref', 'refs/heads/main', theirs);
  const { ok, stderr } = await clone.push('--force', 'HEAD:main');
  assert.is(ok, false);
  assert.match(stderr, /remote: branch "main" was moved [\s\S]*remote rejected/);
  assert.is((await git(world.repository, 'rev-parse', 'main')).trim(), theirs);
});

test.run();
