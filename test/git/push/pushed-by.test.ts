// Who pushed a commit, whatever author it names: in its note, in the audit, in history and in the feed.
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../../support/git.ts';
import type { Client } from '../../support/world.ts';
import { type GitWorld, makeGitWorld, postFile } from '../world.ts';

async function tokenOf(user: Client, permissions: string[]): Promise<string> {
  const { json, status } = await user.post('/api/admin/access-tokens', { name: 'push', permissions });
  assert.is(status, 200);
  return json.token;
}

async function accountOf(world: GitWorld, user: Client): Promise<{ id: string; name: string; email: string }> {
  const { id } = (await user.get('/api/auth/me')).json.user;
  const { users } = (await world.admin.get('/api/admin/users')).json;
  const { name, email } = users.find((one: { id: string }) => one.id === id);
  return { id, name, email };
}

test('a colleague’s commit is recorded with its pusher, the time and the address', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  await world.events();
  const editor = await world.user('editor');
  const account = await accountOf(world, editor);
  const clone = await world.clone(await tokenOf(editor, ['content:read', 'content:write']));
  await clone.git('config', 'user.name', 'Admin');
  const text = await clone.git('show', 'HEAD:content/posts/hello.json');
  const from = await clone.git('rev-parse', 'HEAD');
  const one = await clone.commit({ 'content/posts/new.json': postFile('new') });
  const to = await clone.commit({ 'content/posts/hello.json': `${text.replace('"Hello"', '"Pushed"')}\n` });
  await clone.pushed();

  const pushed = { via: 'push', pushedBy: account };
  const [entry, created] = (await world.admin.get('/api/cms/posts/hello/history')).json.entries;
  assert.equal(
    { ...entry, date: undefined },
    {
      ...{ commit: to, changeId: to, event: 'document.updated', actor: 'user' },
      ...{
        author: { name: 'Grace', email: 'grace@example.org' },
        date: undefined,
        fields: ['title'],
        user: null,
        ...pushed,
      },
    },
  );
  assert.is(created.via, undefined);
  const { changes } = (await world.admin.get(`/api/cms/changes?since=${from}`)).json;
  assert.equal(
    changes.map(({ commit, via, pushedBy, actor }: Record<string, unknown>) => ({ commit, via, pushedBy, actor })),
    [one, to].map((commit) => ({ commit, ...pushed, actor: 'user' })),
  );

  // In git itself, here and in a clone.
  const other = await world.clone();
  await other.git('fetch', '--quiet', 'origin', 'refs/notes/*:refs/notes/*');
  const log = await other.git('log', '--notes=colophon', '--format=%H %N', '-3');
  assert.match(
    log,
    new RegExp(`${to} Via: push\nPushed-By: ${account.name} <${account.email}>\nUser: ${account.id}\n`),
  );
  assert.match(log, /\nAddress: 127\.0\.0\.1\nAt: 2026-01-02T03:04:05\.678Z\n/);
  assert.is(log.split('Via: push').length, 3);
  assert.is(await other.git('log', '-1', '--format=%cn <%ce>', 'refs/notes/colophon'), 'Colophon <colophon@localhost>');
  await git(world.repository, 'fsck', '--strict', '--full');

  const { entries } = (await world.admin.get('/api/admin/audit')).json;
  const [audited] = entries.filter(({ action }: { action: string }) => action === 'repository.pushed');
  assert.is(audited.actor.id, account.id);
  assert.equal(audited.changes, [
    { key: 'main', before: from, after: to },
    { key: 'commits', before: null, after: 2 },
    { key: 'address', before: null, after: '127.0.0.1' },
  ]);

  // The account as it is now; then as it was.
  await world.admin.patch(`/api/admin/users/${account.id}`, { name: 'Renamed' });
  await world.restart();
  const pushedBy = async () => (await world.admin.get('/api/cms/posts/hello/history')).json.entries[0].pushedBy;
  assert.equal(await pushedBy(), { ...account, name: 'Renamed' });
  await world.admin.delete(`/api/admin/users/${account.id}`);
  assert.equal(await pushedBy(), account);
});

test('the ref of the notes cannot be pushed or deleted', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  await clone.commit({ 'content/posts/new.json': postFile('new') });
  await clone.pushed();
  const notes = (await git(world.repository, 'rev-parse', 'refs/notes/colophon')).trim();
  for (const what of ['HEAD:refs/notes/colophon', ':refs/notes/colophon']) {
    const { ok, stderr } = await clone.push('--force', what);
    assert.is(ok, false);
    assert.match(stderr, /rejected|does not support deleting/);
  }
  assert.is((await git(world.repository, 'rev-parse', 'refs/notes/colophon')).trim(), notes);
});

test('a push of a thousand commits adds one commit of notes', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  const lines: string[] = [];
  for (let n = 0; n < 1000; n++) {
    const text = postFile(`post-${n % 10}`, { data: { title: `Title ${n}` } });
    lines.push(
      `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1767400000 + n} +0000\ndata 4\nEdit`,
      `M 100644 inline content/posts/post-${n % 10}.json\ndata ${Buffer.byteLength(text)}\n${text}`,
    );
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: clone.folder, input: `${lines.join('\n')}\n` });
  await clone.pushed('main:main');
  const listed = await git(world.repository, 'notes', '--ref=colophon', 'list');
  assert.is(listed.trim().split('\n').length, 1000);
  assert.is((await git(world.repository, 'rev-list', '--count', 'refs/notes/colophon')).trim(), '1');
  const { entries } = (await world.admin.get('/api/cms/posts/post-3/history')).json;
  assert.is(entries.length, 100);
  assert.ok(entries.every(({ via }: { via?: string }) => via === 'push'));
  await git(world.repository, 'fsck', '--strict', '--full');
});

test('the trash shows who pushed a deletion', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} });
  await world.events();
  const clone = await world.clone();
  await clone.commit({ 'content/posts/hello.json': null });
  await clone.pushed();
  const [{ deletedBy, via, pushedBy }] = (await world.admin.get('/api/admin/trash')).json.documents;
  assert.equal([deletedBy.name, via], ['Grace', 'push']);
  assert.equal(pushedBy, await accountOf(world, world.admin));
});

test('webhooks get the pusher', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  await clone.commit({ 'content/posts/new.json': postFile('new') });
  await clone.pushed();
  const { commits } = await world.site().history.commits([], AbortSignal.timeout(10_000));
  for await (const { push, actor, author } of commits) {
    assert.is(push?.via, 'push');
    assert.equal([actor, author.name], ['user', 'Grace']);
    break;
  }
});

test.run();
