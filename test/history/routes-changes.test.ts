// The feed of changes and the trash: nothing is missed and nothing comes twice, even if commits are replayed.
import { get as httpGet, type IncomingMessage } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitBeside, git, untilTakenIn } from '../support/store-world.ts';
import { type Client, makeWorld, type Reply, START, type World } from '../support/world.ts';

const CHANGES = '/api/cms/changes';
const commitOf = ({ headers }: Reply): string => String(headers['x-cms-commit']);
const ACTOR = { kind: 'user' as const, userId: 'u1', name: 'Ada', email: 'ada@example.com' };

interface Change {
  commit: string;
  changeId: string;
  event: string;
  slug: string;
  id: string;
  replaces?: string;
}

const fileOf = (slug: string, change: Record<string, unknown> = {}): string => {
  const dates = { createdAt: START, updatedAt: START };
  const doc = { id: 'Hand00000001', slug, collection: 'posts', status: 'draft', ...dates, data: { title: slug } };
  return `${JSON.stringify({ ...doc, ...change }, null, 2)}\n`;
};

async function accountOf(client: Client): Promise<{ id: string; name: string; email: string }> {
  const { id, name, email } = (await client.get('/api/auth/me')).json.user;
  return { id, name, email };
}

async function changesSince(client: Client, since?: string, limit?: number): Promise<Change[]> {
  const query = new URLSearchParams({ ...(since ? { since } : {}), ...(limit ? { limit: String(limit) } : {}) });
  const reply = await client.get(`${CHANGES}?${query}`);
  assert.is(reply.status, 200, reply.text);
  return reply.json.changes;
}

test('the feed has every change in log order, and the newest commit', async () => {
  await using world = await makeWorld();
  const none = await world.admin.get(CHANGES);
  assert.equal(none.json, { changes: [], head: null });
  const made = await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  await world.admin.patch('/api/cms/posts/a', { slug: 'b' });
  await world.admin.put('/api/content/posts/b/_fieldMeta/title/lock', {});
  await world.admin.delete('/api/cms/posts/b');
  const reply = await world.admin.get(CHANGES);
  const events = await world.events();
  assert.is(reply.json.head, world.headCommit());
  assert.equal(
    reply.json.changes.map(({ commit, changeId, event }: Change) => [commit, changeId, event]),
    events.map(({ commit, trailers }) => [commit, trailers['Change-Id'], trailers.Event]),
  );
  assert.equal(
    reply.json.changes.map(({ slug }: Change) => slug),
    ['a', 'b', 'b', 'b'],
  );
  const { changeId: _, ...first } = reply.json.changes[0];
  assert.equal(first, {
    commit: commitOf(made),
    event: 'document.created',
    collection: 'posts',
    slug: 'a',
    id: made.json.id,
    at: '2026-01-02T03:04:05.000Z',
    actor: 'user',
    user: await accountOf(world.admin),
    fields: ['title'],
  });
  assert.not.match(reply.text, /_fieldMeta/);
});

test('without a limit the feed has every change since a commit, up to the head', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'first', data: {} });
  const slugs = Array.from({ length: 450 }, (_, i) => `p${i}`);
  while (slugs.length) {
    await Promise.all(
      slugs.splice(0, 50).map((slug) => world.admin.post('/api/cms/posts', { slug, data: { title: 'Straße' } })),
    );
  }
  const since = commitOf(first);
  const reply = await world.admin.get(`${CHANGES}?since=${since}`);
  assert.is(reply.status, 200);
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
  assert.is(reply.headers.link, undefined);
  const commits = (await world.events()).slice(1).map(({ commit }) => commit);
  assert.is(commits.length, 450);
  assert.equal(
    reply.json.changes.map(({ commit }: Change) => commit),
    commits,
  );
  assert.is(reply.json.head, commits.at(-1));
  assert.is(reply.json.head, world.headCommit());
});

test('paging by the last change’s commit misses nothing and repeats nothing', async () => {
  await using world = await makeWorld();
  for (let i = 0; i < 12; i++) await world.admin.post('/api/cms/posts', { slug: `p${i}`, data: {} });
  // A source and its translation change together, in one commit.
  await world.admin.post('/api/cms/posts', { slug: 'p0-de', locale: 'de', translationOf: 'p0', data: {} });
  await world.admin.patch('/api/cms/posts/p0', { slug: 'q0' });
  const all = await changesSince(world.admin);
  assert.is(all.length, 12 + 2 + 2);
  for (const limit of [1, 2, 3, 5]) {
    const paged: Change[] = [];
    for (let page = await changesSince(world.admin, undefined, limit); page.length; ) {
      paged.push(...page);
      page = await changesSince(world.admin, page.at(-1)?.commit, limit);
    }
    assert.equal(paged, all, `limit ${limit}`);
  }
  const first = await world.admin.get(`${CHANGES}?limit=3`);
  assert.is(first.headers.link, `<${CHANGES}?limit=3&since=${all[2]!.commit}>; rel="next"`);
  assert.is((await world.admin.get(`${CHANGES}?since=${all[2]!.commit}`)).headers.link, undefined);
  assert.equal(await changesSince(world.admin, world.headCommit()!), []);
});

test('a commit that the log does not have is 404 with advice, and an invalid commit id is 400', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const unknown = await world.admin.get(`${CHANGES}?since=${'1'.repeat(40)}`);
  assert.is(unknown.status, 404);
  assert.is(unknown.json.code, 'not_found');
  for (const query of ['since=abc', 'since=', 'limit=0', `since=${world.headCommit()}&since=x`]) {
    assert.is((await world.admin.get(`${CHANGES}?${query}`)).status, 400, query);
  }
  const stream = { accept: 'text/event-stream' };
  assert.is((await world.admin.get(`${CHANGES}?since=${'1'.repeat(40)}`, stream)).status, 404);
  assert.is((await world.admin.get(CHANGES, { ...stream, 'last-event-id': 'x' })).status, 400);
});

test('external commits are reported by the documents that they changed', async () => {
  await using world = await makeWorld();
  const made = await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await world.admin.post('/api/cms/posts', { slug: 'gone', data: { title: 'A' } });
  const { store } = world.site();
  const push = async (files: Record<string, string | null>): Promise<string> => {
    await store.log.flush();
    const commit = commitBeside(store.repository, files);
    await untilTakenIn(store);
    return commit;
  };
  const since = world.headCommit()!;
  const edited = { ...made.json, data: { title: 'B', rank: 1 } };
  const commits = [
    await push({ 'content/posts/a.json': fileOf('a', edited), 'content/posts/gone.json': null, 'README.md': 'hi' }),
    await push({ 'content/posts/hand.json': fileOf('hand') }),
    await push({ 'content/posts/a.json': null, 'content/posts/z.json': fileOf('z', { ...edited, slug: 'z' }) }),
    await push({ 'README.md': 'ho', 'content/posts/broken.json': '{' }),
    await push({ 'content/posts/z.json': fileOf('z', { ...edited, slug: 'z', status: 'published' }) }),
  ];
  const changes = await changesSince(world.admin, since);
  assert.equal(
    changes.map(({ commit, event, slug }) => [commits.indexOf(commit), event, slug]),
    [
      [0, 'document.updated', 'a'],
      [0, 'document.deleted', 'gone'],
      [1, 'document.created', 'hand'],
      [2, 'document.renamed', 'z'],
      [4, 'document.published', 'z'],
    ],
  );
  const { entries } = (await world.admin.get('/api/cms/posts/z/history')).json;
  assert.equal(
    entries.map(({ event, fields }: { event: string; fields: string[] }) => [event, fields]),
    [
      ['document.published', ['status']],
      ['document.renamed', ['slug']],
      ['document.updated', ['title', 'rank']],
      ['document.created', ['title']],
    ],
  );
  const { changeId, ...entry } = entries[2];
  const [name, email] = git(store.repository, 'log', '-1', '--format=%an%n%ae', commits[0]!).trim().split('\n');
  const author = { name, email };
  assert.is(changeId, commits[0]);
  assert.equal(entry, {
    commit: commits[0],
    event: 'document.updated',
    actor: 'user',
    author,
    user: null,
    date: '2026-01-03T00:26:40.000Z',
    fields: ['title', 'rank'],
  });
  assert.equal((await world.admin.get(`/api/cms/posts/z/history/${commits[0]}`)).json, edited);
  assert.is((await world.admin.get(`${CHANGES}?since=${commits[3]}`)).json.changes.length, 1);
});

/** Makes changes that are durable but not in git yet when an external commit comes, so that they are replayed. */
async function makeReplayed(world: World, count: number): Promise<{ old: string[]; beside: string }> {
  const { content, store } = world.site();
  await store.log.flush();
  const writes = Array.from({ length: count }, (_, i) =>
    content.create('posts', { slug: `ours-${i}`, data: { title: 'x' } }, ACTOR),
  );
  const old = (await Promise.all(writes)).map(({ commit }) => String(commit));
  // In the same turn: our changes reach git only after this.
  const beside = commitBeside(store.repository, { 'content/posts/hand.json': fileOf('hand') });
  await store.log.flush();
  return { old, beside };
}

test('replayed changes are reported again under their new commits, with the same change id', async () => {
  await using world = await makeWorld();
  const base = commitOf(await world.admin.post('/api/cms/posts', { slug: 'a', data: {} }));
  const { old, beside } = await makeReplayed(world, 2);
  const all = await changesSince(world.admin, base);
  assert.equal(
    all.map(({ slug, replaces }) => [slug, replaces]),
    [
      ['hand', undefined],
      ['ours-0', old[0]],
      ['ours-1', old[1]],
    ],
  );
  assert.is(all[0]?.commit, beside);
  assert.is(new Set([...old, ...all.map(({ commit }) => commit)]).size, 5);
  const events = await world.events();
  assert.equal(
    all.slice(1).map(({ changeId }) => changeId),
    events.slice(-2).map(({ trailers }) => trailers['Change-Id']),
  );
  // A client that saw the old commits has not seen the external commit below them.
  for (const since of old) assert.equal(await changesSince(world.admin, since), all);
  assert.equal(await changesSince(world.admin, all[1]!.commit), all.slice(2));
  // The old commit id still names the version.
  const then = await world.admin.get(`/api/cms/posts/ours-0/history/${old[0]}`);
  assert.is(then.json.slug, 'ours-0');
  assert.is((await world.admin.get('/api/cms/posts/ours-0/history')).json.total, 1);
  await world.restart();
  assert.equal(await changesSince(world.admin, old[1]), all);
});

interface Event {
  id?: string;
  event?: string;
  data: Change;
}

interface Listening {
  res: IncomingMessage;
  /** Resolves with the events so far, once there are enough. */
  until(isEnough: (events: Event[]) => boolean): Promise<Event[]>;
  ended: Promise<void>;
}

function listen(world: World, client: Client, path: string, headers: Record<string, string> = {}): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const req = httpGet(
      {
        host: '127.0.0.1',
        port: world.port,
        path,
        headers: { ...client.headers, accept: 'text/event-stream', ...headers },
      },
      (res) => {
        let text = '';
        let look = (): void => undefined;
        const parse = () =>
          text
            .split('\n\n')
            .slice(0, -1)
            .filter((block) => !block.startsWith(':'))
            .map((block) => {
              const fields = block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]);
              const { id, event, data = '' } = Object.fromEntries(fields) as Record<string, string>;
              return { ...(id ? { id } : {}), ...(event ? { event } : {}), data: JSON.parse(data) as Change };
            });
        res.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
          look();
        });
        const ended = new Promise<void>((end) => res.on('close', end));
        const until: Listening['until'] = (isEnough) =>
          new Promise((done) => {
            look = () => isEnough(parse()) && done(parse());
            look();
          });
        resolve({ res, until, ended });
      },
    );
    req.on('error', reject);
  });
}

test('a stream sends the changes since a commit and then each one as it becomes durable', async () => {
  await using world = await makeWorld();
  const first = await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } });
  const stream = await listen(world, world.admin, `${CHANGES}?since=${commitOf(first)}`);
  assert.is(stream.res.statusCode, 200);
  assert.match(String(stream.res.headers['content-type']), /^text\/event-stream/);
  await stream.until(({ length }) => length === 1);
  // The translation and its source change in one commit: only the second event has its id.
  await world.admin.post('/api/cms/posts', { slug: 'a-de', locale: 'de', translationOf: 'a', data: {} });
  const events = await stream.until(({ length }) => length === 3);
  const expected = await changesSince(world.admin, commitOf(first));
  assert.equal(
    events.map(({ data }) => data),
    expected,
  );
  assert.equal(
    events.map(({ id, event }) => [id, event]),
    [
      [expected[0]!.commit, 'change'],
      [undefined, 'change'],
      [expected[2]!.commit, 'change'],
    ],
  );
  stream.res.destroy();
});

test('a client that reconnects continues where it left off', async () => {
  await using world = await makeWorld();
  const first = commitOf(await world.admin.post('/api/cms/posts', { slug: 'a', data: {} }));
  const second = commitOf(await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } }));
  await world.admin.patch('/api/cms/posts/a', { data: { rank: 2 } });
  const again = await listen(world, world.admin, `${CHANGES}?since=${first}`, { 'last-event-id': second });
  assert.is((await again.until(({ length }) => length === 1))[0]?.id, world.headCommit());
  again.res.destroy();
});

test('a connected client receives replayed changes and the external commit below them', async () => {
  await using world = await makeWorld();
  const base = commitOf(await world.admin.post('/api/cms/posts', { slug: 'a', data: {} }));
  const stream = await listen(world, world.admin, `${CHANGES}?since=${base}`);
  const { old } = await makeReplayed(world, 1);
  const expected = await changesSince(world.admin, base);
  assert.equal(
    expected.map(({ replaces }) => replaces),
    [undefined, old[0]],
  );
  // The old commit may have been sent too, before it was replayed.
  const isComplete = (events: Event[]): boolean => events.at(-1)?.id === expected[1]?.commit;
  const events = (await stream.until(isComplete)).filter(({ id }) => id !== old[0]);
  assert.equal(
    events.map(({ data }) => data),
    expected,
  );
  stream.res.destroy();
});

test('streams end when the service ends, so that their clients reconnect', async () => {
  await using world = await makeWorld();
  const stream = await listen(world, world.admin, CHANGES);
  const started = performance.now();
  await world.restart();
  await stream.ended;
  assert.ok(performance.now() - started < 5000);
});

test('the trash has the deleted documents that were not restored, newest first', async () => {
  await using world = await makeWorld();
  const make = (collection: string, slug: string, data: object) =>
    world.admin.post(`/api/cms/${collection}`, { slug, data });
  await make('posts', 'a', { title: 'Alpha' });
  await make('posts', 'b', {});
  const c = await make('notes', 'c', { title: 'Gamma' });
  await make('posts', 'stays', {});
  await world.admin.delete('/api/cms/posts/a');
  await world.admin.delete('/api/cms/posts/b');
  world.advance(5000);
  const gone = await world.admin.delete('/api/cms/notes/c');
  const { documents, total } = (await world.admin.get('/api/admin/trash')).json;
  assert.is(total, 3);
  assert.equal(
    documents.map(({ slug, title }: { slug: string; title: string }) => [slug, title]),
    [
      ['c', 'Gamma'],
      ['b', 'b'],
      ['a', 'Alpha'],
    ],
  );
  assert.equal(documents[0], {
    id: c.json.id,
    collection: 'notes',
    slug: 'c',
    title: 'Gamma',
    status: 'draft',
    deletedAt: '2026-01-02T03:04:10.000Z',
    deletedBy: { name: 'Ada', email: 'ada@example.com' },
    user: await accountOf(world.admin),
    commit: commitOf(gone),
  });
  const page = await world.admin.get('/api/admin/trash?limit=1&offset=1');
  assert.equal(page.json, { documents: documents.slice(1, 2), total: 3 });
  await world.admin.post('/api/cms/posts/a/restore', { commit: documents[2].commit });
  assert.equal((await world.admin.get('/api/admin/trash')).json.total, 2);
  await world.admin.delete('/api/cms/posts/a');
  assert.is((await world.admin.get('/api/admin/trash')).json.documents[0].slug, 'a');
});

test.run();
