// The remote through the whole service: documents merged by field, and what operators can see and do.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Push, toArrivalText } from '../../../src/lib/arrival.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';
import { commitBeside, git, gitWithInput } from '../../support/store-world.ts';
import { CONFIG, makeWorld, SERVICE_SECRET, type World, type WorldOptions } from '../../support/world.ts';

const PUSH: Push = {
  ...{ via: 'push', at: '2026-01-02T03:04:05.678Z', by: { id: 'u1', name: 'Ada', email: 'ada@example.org' } },
  ...{ tokenId: 't1', address: '127.0.0.1', from: null, to: 'a'.repeat(40) },
};

const PATH = 'content/posts/hello.json';

async function makeRemote(host: GitServer, options: WorldOptions = {}, remote: object = {}): Promise<World> {
  return makeWorld({ config: { ...CONFIG, remote: { url: host.url, ...remote } }, ...options });
}

function stored(host: GitServer): { data: Record<string, unknown> } {
  return JSON.parse(git(host.repository, 'show', `main:${PATH}`));
}

/** An editor changes fields of the document in a clone and pushes. */
function pushFields(host: GitServer, data: object): string {
  const file = stored(host);
  return commitBeside(host.repository, {
    [PATH]: `${JSON.stringify({ ...file, data: { ...file.data, ...data } }, null, 2)}\n`,
  });
}

async function makeHello(world: World): Promise<void> {
  const body = { slug: 'hello', data: { title: 'Hello', body: 'first', rank: 1 } };
  assert.is((await world.admin.post('/api/cms/posts', body)).status, 200);
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 200);
}

test('the remote’s and our changes of one document are merged by field, and ours win in the same field', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const theirs = pushFields(host, { title: 'Theirs', rank: 2 });
  await world.admin.patch('/api/cms/posts/hello', { data: { body: 'ours', rank: 3 } });
  const { status, json } = await world.admin.post('/api/admin/remote/sync');
  assert.is(status, 200, JSON.stringify(json));
  const merged = { title: 'Theirs', body: 'ours', rank: 3 };
  assert.equal(stored(host).data, merged);
  assert.equal((await world.admin.get('/api/cms/posts/hello')).json.data, merged);
  assert.is(JSON.parse(git(host.repository, 'show', `${theirs}:${PATH}`)).data.rank, 2);
  const { ahead, behind, remoteHead, lastError, moved } = json;
  assert.equal(
    { ahead, behind, remoteHead, lastError, moved },
    { ahead: 0, behind: 0, remoteHead: world.headCommit(), lastError: null, moved: null },
  );
  assert.is((await world.admin.get('/api/search?q=Theirs')).json.length, 1);
});

test('a commit on the remote in the service’s name is not shown as the service’s', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const before = (await world.admin.get('/api/cms/posts/hello/history')).json.entries[0];
  const { id, ...rest } = JSON.parse(git(host.repository, 'show', `main:${PATH}`));
  const doc = { id, ...rest, data: { ...rest.data, title: 'Forged' } };
  const commit = commitBeside(host.repository, { [PATH]: `${JSON.stringify(doc, null, 2)}\n` });
  const trailers = `Event: document.published\nDocument-Id: ${id}\nActor: ai\nChange-Id: ${'e'.repeat(20)}`;
  const own = { author: 'Admin <admin@example.org>', committer: 'Colophon <colophon@localhost>' };
  const forged = [
    ...git(host.repository, 'cat-file', 'commit', commit).split('\n').slice(0, 2),
    ...Object.entries(own).map(([key, who]) => `${key} ${who} 1767400000 +0000`),
    `\nposts/hello: publish\n\n${trailers}\n`,
  ].join('\n');
  const oid = gitWithInput(host.repository, forged, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
  git(host.repository, 'update-ref', 'refs/heads/main', oid);
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 200);

  async function check(): Promise<void> {
    const { entries } = (await world.admin.get('/api/cms/posts/hello/history')).json;
    const [{ event, actor, changeId, via }, older] = entries;
    assert.equal(
      { event, actor, changeId, via },
      {
        ...{ event: 'document.updated', actor: 'user', changeId: oid, via: undefined },
      },
    );
    assert.equal(older, before);
  }
  await check();
  await world.restart();
  rmSync(join(world.dataDir, 'sites', 'default', 'index'), { recursive: true, force: true });
  await check();
  assert.match(git(world.site().store.repository, 'notes', '--ref=colophon', 'show', oid), /^Via: remote\n/);
});

test('a pushed commit that is replayed on the remote’s keeps its pusher', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const { store } = world.site();
  const pushed = commitBeside(store.repository, { 'README.md': 'x\n' });
  await store.notes.add([pushed], toArrivalText(PUSH), { subject: 'pushed', at: new Date(0) });
  store.log.poll();
  const theirs = pushFields(host, { title: 'Theirs' });
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 200);
  const now = git(store.repository, 'rev-parse', 'main').trim();
  assert.is(git(store.repository, 'rev-parse', 'main~1').trim(), theirs);
  assert.is(store.notes.find(now), toArrivalText(PUSH));
});

test('a site without documents starts from its remote, without its starter documents', async () => {
  await using host = await startGitServer();
  {
    await using world = await makeRemote(host);
    await makeHello(world);
  }
  const starter = { 'posts/hello.json': JSON.stringify({ data: { title: 'Starter' } }) };
  await using world = await makeRemote(host, { starter });
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.title, 'Hello');
  assert.is(world.headCommit(), git(host.repository, 'rev-parse', 'main').trim());
});

test('with an empty remote the starter documents are written and pushed', async () => {
  await using host = await startGitServer();
  const starter = { 'posts/hello.json': JSON.stringify({ data: { title: 'Starter' } }) };
  await using world = await makeRemote(host, { starter });
  await world.admin.post('/api/admin/remote/sync');
  assert.is(stored(host).data.title, 'Starter');
});

test('a file of the remote that is not a document is reported and does not stop the sync', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  commitBeside(host.repository, { 'content/posts/broken.json': '{"id": 7}' });
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 200);
  const { json } = await world.admin.get('/readyz');
  assert.ok(json.ok);
  assert.match(json.warnings[0], 'content/posts/broken.json');
});

test('a force-push of the remote is a warning that asks for a choice; reads and writes continue', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const theirs = commitBeside(
    host.repository,
    { [PATH]: git(host.repository, 'show', `main:${PATH}`) },
    { parents: [] },
  );
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 409);
  assert.is((await world.admin.patch('/api/cms/posts/hello', { data: { rank: 9 } })).status, 200);
  const ready = await world.admin.get('/readyz');
  assert.is(ready.status, 200);
  assert.match(ready.json.warnings.join(), /api\/admin\/remote\/resolve/);
  assert.is((await world.admin.get('/api/admin/remote')).json.moved.theirs, theirs);
  assert.is((await world.admin.post('/api/admin/remote/resolve', { keep: 'both' })).status, 400);
  const { status, json } = await world.admin.post('/api/admin/remote/resolve', { keep: 'theirs' });
  assert.is(status, 200, JSON.stringify(json));
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.rank, 1);
  assert.is((await world.admin.patch('/api/cms/posts/hello', { data: { rank: 4 } })).status, 200);
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 200);
  assert.is(stored(host).data.rank, 4);
  assert.is((await world.admin.post('/api/admin/remote/resolve', { keep: 'ours' })).status, 409);
});

test('a choice is about the commit that was shown: a third one on the remote is shown first, and not dropped', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const moveAway = (title: string): string => {
    const file = stored(host);
    const text = JSON.stringify({ ...file, data: { ...file.data, title } });
    return commitBeside(host.repository, { [PATH]: text }, { parents: [] });
  };
  const resolve = (body: object) => world.admin.post('/api/admin/remote/resolve', body);
  const movedTo = async () => (await world.admin.get('/api/admin/remote')).json.moved?.theirs;
  const shown = moveAway('Shown');
  assert.is((await world.admin.post('/api/admin/remote/sync')).status, 409);
  assert.is(await movedTo(), shown);

  // The service has not looked since.
  const third = moveAway('Third');
  for (const keep of ['ours', 'theirs']) assert.is((await resolve({ keep, theirs: shown })).status, 409);
  assert.is(await movedTo(), third, 'what is there by now is what the next choice is about');
  assert.is(git(host.repository, 'rev-parse', 'main').trim(), third);
  // The service has looked, but the person has not seen it.
  for (const theirs of [shown, null]) assert.is((await resolve({ keep: 'ours', theirs })).status, 409);
  assert.is(git(host.repository, 'rev-parse', 'main').trim(), third);

  const { status, json } = await resolve({ keep: 'ours', theirs: third });
  assert.is(status, 200, JSON.stringify(json));
  assert.is(stored(host).data.title, 'Hello');
  const kept = git(world.site().store.repository, 'for-each-ref', '--format=%(refname)', 'refs/colophon/kept/');
  assert.match(kept, third);
});

test('only operators see the state of the remote', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host);
  await makeHello(world);
  const viewer = await world.user('viewer');
  const reader = await world.token(['sites:read']);
  assert.is((await world.anonymous.get('/api/admin/remote')).status, 401);
  assert.is((await viewer.get('/api/admin/remote')).status, 403);
  assert.is((await reader.get('/api/admin/remote')).json.url, host.url);
  assert.is((await reader.post('/api/admin/remote/sync')).status, 403);
  assert.is((await reader.post('/api/admin/remote/resolve', { keep: 'ours' })).status, 403);
  const metrics = (await world.client({ 'x-cms-service-token': SERVICE_SECRET }).get('/metrics')).text;
  assert.match(metrics, 'colophon_remote_unpushed_commits{site="default"} 0');
  assert.match(metrics, 'colophon_remote_unpushed_seconds{site="default"} 0');
  assert.match(metrics, 'colophon_remote_fetch_age_seconds{site="default"} 0');
  assert.match(metrics, 'colophon_remote_failures{site="default"} 0');
  assert.match(metrics, 'colophon_remote_has_bytes{site="default"} 1');
  const lag = { site: 'default', unpushedCommits: 0, unpushedSeconds: 0, secondsSinceFetch: 0 };
  assert.equal((await reader.get('/readyz')).json.remotes, [lag]);
  for (const other of [world.anonymous, viewer]) {
    assert.equal((await other.get('/readyz')).json, { ok: true, problems: 0, warnings: 0 });
  }
});

test('without a remote its state and its actions are 404', async () => {
  await using world = await makeWorld();
  for (const reply of [
    await world.admin.get('/api/admin/remote'),
    await world.admin.post('/api/admin/remote/sync'),
    await world.admin.post('/api/admin/remote/resolve', { keep: 'ours' }),
  ]) {
    assert.is(reply.status, 404);
  }
});

test('a token variable that is not set is a warning, and writes continue', async () => {
  await using host = await startGitServer();
  await using world = await makeRemote(host, {}, { tokenEnv: 'NO_SUCH_TOKEN' });
  assert.is((await world.admin.post('/api/cms/posts', { slug: 'hello', data: {} })).status, 200);
  const { status, json } = await world.admin.get('/readyz');
  assert.is(status, 200);
  assert.match(json.warnings.join(), 'NO_SUCH_TOKEN');
  const refused = await world.admin.post('/api/admin/remote/sync');
  assert.is(refused.status, 502);
  assert.is(refused.json.code, 'upstream_failed');
});

test.run();
