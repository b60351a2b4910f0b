// The check of a served site, against the whole service.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyServed } from '../../../src/sites/verify-site.ts';
import { leastLongestTurn } from '../../support/turns.ts';
import { gif, sha256, upload } from '../../support/upload.ts';
import { makeWorld, type World } from '../../support/world.ts';

const VERIFY = '/api/admin/repository/verify';

async function fill(world: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { status } = await world.admin.post('/api/cms/posts', { slug: `p${i}`, data: { title: `Post ${i}` } });
    assert.is(status, 200);
  }
}

const BROKEN = '{ this is not JSON';
const WIDE = 20_000;
const TURN_MS = 50;

/** Writes or removes a file in an external commit; does nothing if the branch moves meanwhile. */
function commitBeside(repository: string): (path: string, text: string | null) => void {
  const env = { ...process.env, GIT_INDEX_FILE: `${repository}/beside.index` };
  const who = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.com'];
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-C', repository, ...who, ...args], { encoding: 'utf8', env, input, stdio: 'pipe' }).trim();
  return (path, text) => {
    const main = git(['rev-parse', 'main']);
    git(['read-tree', main]);
    const blob = text === null ? undefined : git(['hash-object', '-w', '--stdin'], text);
    git(['update-index', '--index-info'], blob ? `100644 ${blob}\t${path}\n` : `0 ${'0'.repeat(40)}\t${path}\n`);
    const commit = git(['commit-tree', git(['write-tree']), '-p', main, '-m', 'beside']);
    try {
      git(['update-ref', 'refs/heads/main', commit, main]);
    } catch (error) {
      if (!/cannot lock ref/.test(String(error))) throw error;
    }
  };
}

function damagePack(repository: string): void {
  const folder = `${repository}/objects/pack`;
  const pack = `${folder}/${readdirSync(folder).find((name) => name.endsWith('.pack'))}`;
  const bytes = readFileSync(pack);
  bytes[bytes.length >> 1]! ^= 1;
  chmodSync(pack, 0o644);
  writeFileSync(pack, bytes);
}

test('the check of a sound site has counts and no problems, and is in the audit', async () => {
  await using world = await makeWorld();
  await fill(world, 3);
  await world.admin.post('/api/cms/many', { slug: 'in-a-shard', data: {} });
  await upload(world.admin, 'a.gif', gif(1));
  const { status, json } = await world.admin.post(VERIFY);
  assert.is(status, 200);
  assert.equal([json.site, json.problems, json.warnings], ['default', [], []]);
  assert.equal([json.counts.files, json.counts.documents], [4, 4]);
  assert.ok(json.counts.commits >= 5 && json.counts.objects > json.counts.commits);
  const { json: audit } = await world.admin.get('/api/admin/audit');
  assert.is(audit.entries[0].action, 'repository.verify');
  const { json: repository } = await world.admin.get('/api/admin/repository');
  const { at, ...checked } = repository.checked;
  assert.equal(checked, { commit: world.headCommit(), problems: 0, warnings: 0 });
  assert.ok(repository.sizeBytes > 1000 && at.startsWith('2026-01-02'));
  await world.restart();
  assert.is((await world.admin.get('/api/admin/repository')).json.checked.at, at, 'after a restart too');
});

test('a site without a commit is sound', async () => {
  await using world = await makeWorld();
  const { status, json } = await world.admin.post(VERIFY);
  assert.equal([status, json.problems, json.counts.commits], [200, [], 0]);
});

test('an event stream has the progress of the check, and ends with the report', async () => {
  await using world = await makeWorld();
  await fill(world, 2);
  const { status, headers, text } = await world.admin.post(VERIFY, undefined, { accept: 'text/event-stream' });
  assert.is(status, 200);
  assert.match(String(headers['content-type']), /^text\/event-stream/);
  assert.match(text, /^event: progress\ndata: \{"text":"/);
  const [, report = ''] = /event: report\ndata: (.*)\n\n$/.exec(text) ?? [];
  assert.equal(JSON.parse(report).problems, []);
});

test('media bytes that are missing or damaged are problems, by path', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await upload(world.admin, 'b.gif', gif(2));
  const { media } = world.site();
  rmSync(media.bytesPath(sha256(gif(1))));
  const damaged = media.bytesPath(sha256(gif(2)));
  chmodSync(damaged, 0o644);
  writeFileSync(damaged, gif(3));
  const { json } = await world.admin.post(VERIFY);
  assert.is(json.problems.length, 2, json.problems.join());
  assert.match(json.problems[0], /^media\/images\/a\.gif: its bytes are missing/);
  assert.match(json.problems[1], /^media\/images\/b\.gif: its bytes are damaged/);
});

test('a damaged object is a problem, and the service continues to serve', async () => {
  await using world = await makeWorld();
  await fill(world, 5);
  const { store } = world.site();
  await store.log.flush();
  damagePack(store.repository);
  const { status, json } = await world.admin.post(VERIFY);
  assert.is(status, 200);
  assert.ok(json.problems.some((problem: string) => /pack does not match its checksum/.test(problem)));
  assert.is((await world.admin.get('/api/cms/posts/p1')).status, 200);
});

test('an index that differs from the commit is a problem', async () => {
  await using world = await makeWorld();
  await fill(world, 3);
  await upload(world.admin, 'a.gif', gif(1));
  const { view } = world.site();
  const [gone, changed, made] = ['p0', 'p1', 'p2'].map((slug) => view.bySlug('posts', slug)!);
  const commit = world.headCommit()!;
  view.remove(gone!, commit);
  view.put({ ...changed!, body: Buffer.from('{}') }, commit);
  view.put({ ...made!, id: 'Aaaaaaaaaaaa', slug: 'nowhere' }, commit);
  const { json } = await world.admin.post(VERIFY);
  assert.equal(json.problems, [
    'content/posts/p0.json: is not in the index',
    'content/posts/p1.json: the index has other content',
    'posts/nowhere: is in the index, but has no file',
  ]);
});

test('changes during the check are not reported as problems', async () => {
  await using world = await makeWorld();
  await fill(world, 30);
  const { store } = world.site();
  await store.log.flush();
  const beside = commitBeside(store.repository);
  const mended = `${JSON.stringify({ ...JSON.parse(String(world.site().view.bySlug('posts', 'p0')!.body)) })}\n`;
  const reports: { problems: string[]; warnings: string[] }[] = [];
  let isDone = false;
  const writing = (async () => {
    for (let i = 0; !isDone; i++) {
      const slug = `p${i % 30}`;
      await world.admin.patch(`/api/cms/posts/${slug}`, { data: { rank: i } });
      await world.admin.post('/api/cms/posts', { slug: `new-${i}`, data: {} });
      await world.admin.delete(`/api/cms/posts/new-${i - 1}`);
      await world.admin.patch(`/api/cms/posts/new-${i}`, { slug: `moved-${i}` });
      await upload(world.admin, `${i}.gif`, gif(i % 200));
      // An external commit breaks a document, removes it, or mends it.
      if (i % 4 === 0) beside('content/posts/p0.json', [BROKEN, null, mended][(i / 4) % 3]!);
    }
  })();
  for (let i = 0; i < 6; i++) reports.push((await world.admin.post(VERIFY)).json);
  isDone = true;
  await writing;
  assert.equal(
    reports.map(({ problems }) => problems),
    reports.map(() => []),
  );
  assert.equal((await world.admin.post(VERIFY)).json.problems, []);
});

test('no request waits for a check, even with a very wide folder', async () => {
  await using world = await makeWorld();
  await fill(world, 1);
  const { store, view } = world.site();
  await store.log.flush();
  const body = JSON.parse(String(view.bySlug('posts', 'p0')!.body));
  const head = execFileSync('git', ['-C', store.repository, 'rev-parse', 'main'], { encoding: 'utf8' }).trim();
  const files = Array.from({ length: WIDE }, (_, i) => {
    const slug = `w${i}`;
    const text = JSON.stringify({ ...body, id: `A${String(i).padStart(11, '0')}`, slug });
    return `M 100644 inline content/posts/${slug}.json\ndata ${text.length}\n${text}\n`;
  });
  const commit = `commit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 4\nwide\nfrom ${head}\n`;
  execFileSync('git', ['-C', store.repository, 'fast-import', '--quiet'], { input: commit + files.join('') });
  while (view.size <= WIDE) {
    store.log.poll();
    await new Promise((resume) => setTimeout(resume, 20));
  }
  const longestMs = await leastLongestTurn(async () => {
    const { json } = await world.admin.post(VERIFY);
    assert.equal([json.problems, json.counts.documents], [[], WIDE + 1]);
  });
  assert.ok(longestMs < TURN_MS, `${longestMs} ms`);
});

test('a check needs sites:write', async () => {
  await using world = await makeWorld();
  assert.is((await world.anonymous.post(VERIFY)).status, 401);
  assert.is((await (await world.token(['sites:read'])).post(VERIFY)).status, 403);
  assert.is((await (await world.token(['sites:write'])).post(VERIFY)).status, 200);
});

test('a check ends at once when no client waits for it', async () => {
  await using world = await makeWorld();
  await fill(world, 3);
  const left = new AbortController();
  const seen: string[] = [];
  const check = verifyServed(world.site(), {
    signal: left.signal,
    onProgress(text) {
      seen.push(text);
      left.abort();
    },
  });
  await check.then(
    () => assert.unreachable('the check did not end'),
    (error: Error) => assert.is(error.name, 'AbortError'),
  );
  assert.is(seen.length, 1);
});

test.run();
