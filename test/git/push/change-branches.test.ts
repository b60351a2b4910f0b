// Branches changes/<name>: pushed, rewritten, fetched and deleted by a real git; what is on them is no more trusted than
// what a stranger sends.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangeBranches } from '../../../src/store/repository/change-branches/change-branches.ts';
import { git } from '../../support/git.ts';
import { gitWithInput } from '../../support/store-world.ts';
import { type GitWorld, makeGitWorld, postFile } from '../world.ts';

const POST = 'content/posts/good.json';

async function makeStarted(options: { now?: 'real' } = {}): Promise<GitWorld> {
  const world = await makeGitWorld(options);
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  return world;
}

async function branches(world: GitWorld) {
  const { status, json } = await world.admin.get('/api/admin/repository');
  assert.is(status, 200);
  return json.branches as { name: string; oid: string; movedAt: string; movedBy: object | null }[];
}

test('a proposal is pushed, fetched by others, rewritten and deleted, and documents do not change', async () => {
  await using world = await makeStarted();
  const ines = await world.clone();
  const first = await ines.commit({ [POST]: postFile('good') });
  await ines.pushed('HEAD:refs/heads/changes/good');
  const [me] = (await world.admin.get('/api/admin/users')).json.users;
  const movedBy = { id: me.id, name: me.name, email: me.email };
  assert.equal(await branches(world), [
    { name: 'changes/good', oid: first, movedAt: '2026-01-02T03:04:05.000Z', movedBy },
  ]);
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 1);
  const { json } = await world.admin.get('/api/admin/audit');
  const entry = json.entries.find(({ action }: { action: string }) => action === 'repository.pushed');
  assert.equal(entry.changes[0], { key: 'changes/good', before: null, after: first });

  const reader = await world.clone(await world.secret(['content:read']));
  assert.is(await reader.git('rev-parse', 'origin/changes/good'), first);
  assert.is((await reader.push('origin/changes/good:refs/heads/changes/mine')).ok, false);

  await ines.git('commit', '--quiet', '--amend', '-m', 'In other words');
  assert.is((await ines.push('HEAD:refs/heads/changes/good')).ok, false, 'git itself asks for --force');
  await ines.pushed('--force', 'HEAD:refs/heads/changes/good');
  assert.is((await branches(world))[0]?.oid, await ines.git('rev-parse', 'HEAD'));
  await ines.pushed('HEAD:main', 'HEAD:refs/heads/changes/second');
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 2);
  await ines.pushed('--delete', 'changes/good', 'changes/second');
  assert.equal(await branches(world), []);
  await ines.git('fetch', '--quiet', '--prune');
  assert.is(await ines.git('branch', '-r', '--list', 'origin/changes/*'), '');
  assert.is(await git(world.repository, 'fsck', '--strict', '--no-dangling'), '');
  assert.equal(world.listIncoming(), []);
});

test('a forged commit is refused on a proposal and on main, also if a branch changes/ has it already', async () => {
  await using world = await makeStarted();
  const clone = await world.clone();
  await clone.git('config', 'user.name', 'Colophon');
  await clone.git('config', 'user.email', 'colophon@localhost');
  const tree = await clone.git('rev-parse', 'HEAD^{tree}');
  const forged = await clone.git('commit-tree', '-p', 'HEAD', '-m', 'Hi\n\nEvent: document.updated\nActor: user', tree);
  await clone.git('update-ref', 'refs/heads/forged', forged);
  const straight = await clone.push('forged:main');
  assert.match(straight.stderr, /which only the service writes/);
  const proposed = await clone.push('forged:refs/heads/changes/forged');
  assert.match(proposed.stderr, /which only the service writes/);
  // A git program on the disk brings it.
  await git(world.repository, 'fetch', '--quiet', clone.folder, 'forged:refs/heads/changes/forged');
  assert.is((await branches(world))[0]?.oid, forged);
  const around = await clone.push('forged:main');
  assert.is(around.ok, false);
  assert.match(around.stderr, /which only the service writes/);
  await clone.git('reset', '--quiet', '--hard', 'forged');
  await clone.commit({ [POST]: postFile('good') });
  assert.match((await clone.push()).stderr, /which only the service writes/);
});

test('rights are those of main, and what main would refuse for its content is said', async () => {
  await using world = await makeStarted();
  const clone = await world.clone(await world.secret(['content:read', 'content:write']));
  const code = await clone.commit({ 'package.json': '{}\n' });
  const refused = await clone.push('HEAD:refs/heads/changes/code');
  assert.match(refused.stderr, /repository:write/);
  await clone.git('reset', '--quiet', '--hard', 'origin/main');
  await clone.commit({ [POST]: postFile('good', { collection: 'pages' }) });
  const half = await clone.push('HEAD:refs/heads/changes/half');
  assert.ok(half.ok, half.stderr);
  assert.match(half.stderr, /main would refuse content\/posts\/good\.json/);
  const both = await clone.push('HEAD:main', 'HEAD:refs/heads/changes/two');
  assert.is(both.ok, false);
  assert.match(both.stderr, /HEAD -> changes\/two \(not moved, because refs\/heads\/main is refused\)/);
  assert.equal(
    (await branches(world)).map(({ name }) => name),
    ['changes/half'],
  );
  assert.is(await git(world.repository, 'rev-list', '--all', '--count', code).catch(() => ''), '');
});

test('of two pushes at once to one branch one has to fetch first, and a push that fails between pack and ref is sent again', async () => {
  await using world = await makeStarted();
  const token = await world.secret();
  const [ines, tom] = [await world.clone(token), await world.clone(token)];
  await ines.commit({ [POST]: postFile('good') });
  await tom.commit({ 'content/posts/other.json': postFile('other') });
  const ran = await Promise.all([ines, tom].map((clone) => clone.push('HEAD:refs/heads/changes/x')));
  assert.equal(ran.map(({ ok }) => ok).sort(), [false, true]);
  assert.match(ran.find(({ ok }) => !ok)?.stderr ?? '', /fetch first|failed to update ref|rejected/);
  assert.is((await branches(world)).length, 1);

  const { changeBranches } = world.site('default').store as { changeBranches: ChangeBranches };
  const { move } = changeBranches;
  const fails = async (): Promise<never> => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  Object.assign(changeBranches, { move: fails });
  const commit = await ines.git('rev-parse', 'HEAD');
  const broken = await ines.push('HEAD:refs/heads/changes/y', 'HEAD:main');
  assert.match(broken.stderr, /HEAD -> changes\/y \(the disk is full/);
  assert.is((await git(world.repository, 'rev-parse', 'main')).trim(), commit, 'main is moved, and git says so');
  await tom.git('fetch', '--quiet');
  await tom.git('rebase', '--quiet', 'origin/main');
  const lastFails: typeof move = (ref, ...more) => (ref.endsWith('/z') ? fails() : move(ref, ...more));
  Object.assign(changeBranches, { move: lastFails });
  const refs = await git(world.repository, 'for-each-ref', 'refs/heads');
  const atomic = await tom.push('--atomic', 'HEAD:main', '+HEAD:refs/heads/changes/x', 'HEAD:refs/heads/changes/z');
  assert.match(atomic.stderr, /HEAD -> main \(not moved, because refs\/heads\/changes\/z is refused\)/);
  assert.is(await git(world.repository, 'for-each-ref', 'refs/heads'), refs);
  Object.assign(changeBranches, { move });
  assert.is((await branches(world)).length, 1);
  await ines.pushed('HEAD:refs/heads/changes/y');
  await tom.pushed('--atomic', 'HEAD:main', '+HEAD:refs/heads/changes/x', ':refs/heads/changes/y');
  await tom.pushed('HEAD:refs/heads/changes/y');
  assert.is((await branches(world)).length, 2);
  assert.is(await git(world.repository, 'fsck', '--strict', '--no-dangling'), '');
});

test('the 101st is refused with a sentence, and git gc keeps the objects of those that are there', async () => {
  await using world = await makeStarted({ now: 'real' });
  const clone = await world.clone();
  const commit = await clone.commit({ [POST]: postFile('good') });
  await clone.pushed('HEAD:refs/heads/changes/b0', 'HEAD:refs/heads/changes/b1');
  const lines = Array.from({ length: 98 }, (_, i) => `create refs/heads/changes/b${i + 2} ${commit}\n`);
  gitWithInput(world.repository, lines.join(''), 'update-ref', '--stdin');
  const more = await clone.push('HEAD:refs/heads/changes/more');
  assert.match(more.stderr, /there are 100 branches changes\/ already; delete one/);
  await git(world.repository, 'gc', '--quiet', '--prune=now');
  assert.is((await git(world.repository, 'rev-parse', 'changes/b99')).trim(), commit);
  const all = await branches(world);
  assert.is(all.length, 100);
  assert.ok(all[0]?.movedBy && all[1]?.movedAt, 'git has packed the refs, and the reflogs are there');
  await clone.pushed('--delete', 'changes/b7');
  await clone.pushed('HEAD:refs/heads/changes/more');
  assert.is(await git(world.repository, 'fsck', '--strict', '--no-dangling'), '');
});

test.run();
