// The repository as users of git see it while the service runs: readable, in time, one commit per write, and open to
// their maintenance.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git, gitLog } from '../support/git.ts';
import { ADMIN, eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { checkDocuments, checkRepository, createWriters } from '../support/writers.ts';

const LAG_MS = 1000;
/** Other tests share the processors meanwhile: of twelve looks so many may find a commit later, but soon. */
const MOST_LATE = 3;
const LATE_MS = 4000;
const SHARED = 4;

async function createShared(service: Service, cookie: string): Promise<void> {
  for (let n = 0; n < SHARED; n++)
    await service.client(cookie).post('/api/cms/posts', { slug: `shared-${n}`, data: {} });
}

async function isInGit(repository: string, commit: string): Promise<void> {
  await git(repository, 'merge-base', '--is-ancestor', commit, 'main');
}

/**
 * A pack whose minute is over is removed, also if git has listed it a moment before and opens it a moment later; then
 * git asks for the same once more.
 */
async function fsck(repository: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await git(repository, 'fsck', '--strict', '--full');
      return;
    } catch (error) {
      if (attempt === 3 || !/index not opened/.test((error as Error).message)) throw error;
    }
  }
}

test('an idle service has each write in git within a second', async () => {
  await using place = makePlace();
  const service = await place.start();
  const client = service.client(await setUp(service));
  for (let n = 0; n < 4; n++) {
    const reply = await client.post('/api/cms/posts', { slug: `post-${n}`, data: { n } });
    await later(LAG_MS);
    assert.is((await git(place.repository, 'rev-parse', 'main')).trim(), reply.headers['x-cms-commit']);
    const file = await git(place.repository, 'show', `main:content/posts/post-${n}.json`);
    assert.equal(JSON.parse(file).data, { n });
    assert.is(
      (await git(place.repository, 'rev-parse', `main:content/posts/post-${n}.json`)).trim(),
      JSON.parse(String(reply.headers.etag)),
    );
  }
});

test('a service under load has each write in git within a second, one commit per write', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  await createShared(service, cookie);
  const writers = createWriters(SHARED);
  const { done, stop } = writers.run(
    Array.from({ length: 16 }, () => service.client(cookie)),
    createRandom(2),
  );
  const looks: Promise<void>[] = [];
  let late = 0;
  for (let look = 0; look < 12; look++) {
    await later(250);
    const commit = writers.writes.findLast(({ status }) => status === 200)?.commit;
    if (commit) looks.push(later(LAG_MS).then(() => isInGit(place.repository, commit).catch(() => isLate(commit))));
  }
  async function isLate(commit: string): Promise<void> {
    late++;
    await later(LATE_MS);
    await isInGit(place.repository, commit);
  }
  await Promise.all(looks);
  assert.ok(late <= MOST_LATE, `${late} of ${looks.length} looks found a commit late`);
  stop();
  await done;
  assert.is(writers.answered, writers.writes.length);
  await later(LAG_MS);
  const log = await checkRepository(place.repository, writers.writes);
  assert.is(log.length, writers.answered + SHARED);
  await fsck(place.repository);
});

test('a commit says who changed what, for people and for programs', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  const created = await client.post(
    '/api/cms/posts',
    { slug: 'hello', data: { title: 'Hello' } },
    { 'x-request-id': 'q1' },
  );
  const { id } = created.json;
  await client.patch('/api/cms/posts/hello', { data: { title: 'Hi', body: 'Ho' } }, { 'x-request-id': 'q2' });
  await client.patch('/api/cms/posts/hello', { status: 'published' }, { 'x-request-id': 'q3' });
  await client.patch('/api/cms/posts/hello', { slug: 'hullo' }, { 'x-request-id': 'q4' });
  await client.send('PUT', '/api/content/posts/hullo/_fieldMeta/title/lock', {}, { 'x-request-id': 'q5' });
  await client.send('DELETE', '/api/cms/posts/hullo', undefined, { 'x-request-id': 'q6' });
  const token = await client.post('/api/admin/access-tokens', { name: 'ci', permissions: ['content:write'] });
  const authorization = `Bearer ${token.json.token}`;
  await service
    .client()
    .post('/api/cms/posts', { slug: 'by-token', data: {} }, { authorization, 'x-request-id': 'q7' });
  // Refusals leave nothing.
  await client.post('/api/cms/posts', { slug: 'Not A Slug', data: {} });
  await client.patch('/api/cms/posts/missing', { data: {} });
  await client.patch('/api/cms/posts/by-token', { data: { title: 7 } });
  await later(LAG_MS);

  const text = await git(place.repository, 'log', '--reverse', '--format=%an <%ae>|%cn|%P|%B%x00', 'main');
  const commits = text
    .split('\0')
    .filter((one) => one.trim())
    .map((one) => one.trim());
  const messages: string[] = [];
  for (const [n, commit] of commits.entries()) {
    const [author, committer, parents, message = ''] = commit.split('|');
    assert.is(author, `${ADMIN.name} <${ADMIN.email}>`);
    assert.is(committer, 'Colophon');
    assert.is(parents?.split(' ').filter(Boolean).length, n === 0 ? 0 : 1);
    assert.match(message, /^[^\n]+\n\n(?:[A-Z][A-Za-z-]+: [^\n]+\n?)+$/);
    assert.match(
      message,
      new RegExp(
        `\nActor: user\nUser: [0-9A-Za-z]{16}\n(?:Token: ${token.json.id}\n)?Request-Id: q${n + 1}\nChange-Id: [0-9a-z]+$`,
      ),
    );
    messages.push(message.split('\nActor:')[0]!);
  }
  assert.equal(messages.slice(0, 6), [
    `posts/hello: create\n\nEvent: document.created\nDocument-Id: ${id}\nFields: title\nStatus: draft`,
    `posts/hello: update title, body\n\nEvent: document.updated\nDocument-Id: ${id}\nFields: title, body`,
    `posts/hello: publish\n\nEvent: document.published\nDocument-Id: ${id}\nFields: status\nStatus: published`,
    `posts/hullo: rename from hello to hullo\n\nEvent: document.renamed\nDocument-Id: ${id}\nFields: slug\nRenamed-From: hello`,
    `posts/hullo: lock title\n\nEvent: field.locked\nDocument-Id: ${id}\nFields: title`,
    `posts/hullo: delete\n\nEvent: document.deleted\nDocument-Id: ${id}`,
  ]);
  assert.is(messages.length, 7);
  assert.match(commits[6]!, `Token: ${token.json.id}`);
});

test('git may gc, repack and pack refs while the service writes', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await createShared(service, cookie);
  const client = service.client(cookie);
  const writers = createWriters(SHARED);
  const { done, stop } = writers.run(
    Array.from({ length: 8 }, () => service.client(cookie)),
    createRandom(3),
  );
  const chores = [
    ['gc', '--quiet'],
    ['pack-refs', '--all'],
    ['repack', '-ad', '--quiet'],
    ['gc', '--quiet', '--prune=now', '--aggressive'],
    ['repack', '-adf', '--quiet', '--write-bitmap-index'],
    ['prune', '--expire=now'],
    ['multi-pack-index', 'write'],
    ['gc', '--quiet', '--prune=now'],
    ['commit-graph', 'write', '--reachable'],
  ];
  const until = performance.now() + 6000;
  const complaints: string[] = [];
  for (let n = 0; n < chores.length || performance.now() < until; n++) {
    await git(place.repository, ...chores[n % chores.length]!).catch((error: Error) => complaints.push(error.message));
    const { json } = await client.get('/api/cms/posts/shared-0');
    assert.is(json.slug, 'shared-0');
  }
  stop();
  await done;
  assert.is(writers.answered, writers.writes.length);
  assert.ok(writers.answered > 100);
  await later(LAG_MS);
  await fsck(place.repository);
  await checkRepository(place.repository, writers.writes);
  // Git may lose a race for a lock and report that, but it must never see a branch without its commits.
  const grave = complaints.filter((text) => /bad object|valid object|missing|corrupt|unable to read/i.test(text));
  assert.equal(grave, []);

  await git(place.repository, 'gc', '--quiet', '--prune=now');
  assert.is((await client.post('/api/cms/posts', { slug: 'after', data: {} })).status, 200);
  await later(LAG_MS);
  await git(place.repository, 'cat-file', '-e', 'main:content/posts/after.json');
  await service.kill();
  rmSync(join(place.dataDir, 'sites', 'default', 'index'), { recursive: true, force: true });
  service = await place.start();
  const list = await service.client(cookie).get('/api/cms/posts');
  checkDocuments(
    writers.writes,
    new Map(list.json.documents.map((doc: { slug: string; data: object }) => [doc.slug, doc.data])),
  );
  await fsck(place.repository);
});

test('commits that are pushed meanwhile are applied within a second, and no change is lost', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  await createShared(service, cookie);
  await later(LAG_MS);
  const clone = join(mkdtempSync(join(tmpdir(), 'colophon-clone-')), 'clone');
  try {
    await git(place.repository, 'clone', '--quiet', place.repository, clone);
    // A busy machine may not have moved the branch yet; then the clone is empty.
    mkdirSync(join(clone, 'content/posts'), { recursive: true });
    const client = service.client(cookie);
    const writers = createWriters(SHARED);
    const random = createRandom(4);
    const startWriting = () =>
      writers.run(
        Array.from({ length: 2 }, () => service.client(cookie)),
        random,
      );
    let writing = startWriting();
    for (let n = 0; n < 4; n++) {
      const doc = await client.get('/api/cms/posts/shared-0');
      const { createdAt, updatedAt } = doc.json;
      const theirs = {
        id: `Theirs00000${n}`,
        slug: `theirs-${n}`,
        collection: 'posts',
        status: 'draft',
        createdAt,
        updatedAt,
      };
      writeFileSync(
        join(clone, `content/posts/theirs-${n}.json`),
        `${JSON.stringify({ ...theirs, data: { n } }, null, 2)}\n`,
      );
      await git(clone, 'add', '.');
      await git(clone, ...AS_GRACE, 'commit', '--quiet', '-m', `Theirs ${n}`);
      // As people do: pull and push until no one was faster. If git is so slow that others always are, writers rest.
      for (let isPushed = false, tries = 0; !isPushed; tries++) {
        const isQuiet = tries >= 4;
        if (isQuiet) {
          writing.stop();
          await writing.done;
          await later(LAG_MS);
        }
        await git(clone, ...AS_GRACE, 'pull', '--quiet', '--rebase');
        isPushed = await git(clone, 'push', '--quiet').then(
          () => true,
          (error: Error) => {
            if (tries === 10 || !/rejected\]/.test(error.message)) throw error;
            return false;
          },
        );
        if (isQuiet) writing = startWriting();
      }
      await eventually(async () => assert.is((await client.get(`/api/cms/posts/theirs-${n}`)).json.data?.n, n), LAG_MS);
    }
    writing.stop();
    await writing.done;
    assert.is(writers.answered, writers.writes.length);
    await later(LAG_MS);
    await fsck(place.repository);
    const log = await checkRepository(place.repository, writers.writes, { withOthers: true });
    for (let n = 0; n < 4; n++) assert.is(log.filter(({ subject }) => subject === `Theirs ${n}`).length, 1);
    assert.equal((await client.get('/readyz')).json, { ok: true, problems: [], warnings: [] });
  } finally {
    rmSync(join(clone, '..'), { recursive: true });
  }
});

const AS_GRACE = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.org'];

test('after a restart git has the history, and it continues in the same line', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  for (let n = 0; n < 3; n++) {
    await service.client(cookie).post('/api/cms/posts', { slug: `post-${n}`, data: {} });
    assert.is((await service.stop()).code, 0);
    service = await place.start();
  }
  const log = await gitLog(place.repository);
  assert.equal(
    log.map(({ subject }) => subject),
    ['posts/post-0: create', 'posts/post-1: create', 'posts/post-2: create'],
  );
  assert.equal(
    log.map(({ parents }) => parents),
    [[], [log[0]!.commit], [log[1]!.commit]],
  );
});

test.run();
