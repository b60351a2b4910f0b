// A site pushed to a real git server: what arrives, what is sent, and what other pushes do to it.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createGitHost } from '../../../src/deploy/branch/git-host.ts';
import { createSiteBranch, type SiteBranchParts } from '../../../src/deploy/branch/site-branch.ts';
import { HostError } from '../../../src/deploy/providers/host-error.ts';
import type { PublishedFile } from '../../../src/deploy/providers/provider.ts';
import { toPkt } from '../../../src/store/remote/wire.ts';
import { commitFile } from '../../support/git.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';
import { fetchHost } from '../../support/host-fetch.ts';

const TOKEN = 'ghp_secret';
const COMMIT = { message: 'Deploy', source: 'a'.repeat(40) };

/** A git server, a cache, and deploys of whatever files a test names. */
async function makeHost(options: { filter?: boolean; token?: string; isOwnAddress?: boolean } = {}) {
  const server = await startGitServer({ token: TOKEN });
  if (options.filter !== false) await server.git('config', 'uploadpack.allowFilter', 'true');
  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-branch-'));
  const lines: string[] = [];
  /** How many objects each push sent, from the header of its pack. */
  const sent: number[] = [];
  const counting: typeof fetch = async (input, init) => {
    if (`${input}`.endsWith('/git-receive-pack')) {
      const body = init!.body as Blob;
      const head = Buffer.from(await body.slice(0, 1000).arrayBuffer());
      sent.push(head.readUInt32BE(head.indexOf('0000PACK') + 12));
    }
    return fetchHost(input, init);
  };
  return {
    server,
    folder,
    lines,
    lastSent: () => sent.at(-1),
    open(parts: Partial<SiteBranchParts> = {}, cache = 'cache') {
      const signal = parts.signal ?? new AbortController().signal;
      const host = createGitHost({
        url: server.url,
        token: options.token ?? TOKEN,
        branch: 'gh-pages',
        isOwnAddress: options.isOwnAddress ?? false,
        context: { fetch: counting, signal, now: () => new Date(), delay: async () => undefined, log: () => undefined },
      });
      return createSiteBranch({
        host,
        place: `${server.url} gh-pages`,
        cacheFolder: path.join(folder, cache),
        signal,
        log: (line) => lines.push(line),
        now: () => new Date(1_700_000_000_000),
        delay: () => Promise.resolve(),
        ...parts,
      });
    },
    files: (texts: Record<string, string | Buffer>) => writeSite(path.join(folder, 'site'), texts),
    async deploy(texts: Record<string, string | Buffer>, parts: Partial<SiteBranchParts> = {}, cache = 'cache') {
      const branch = this.open(parts, cache);
      const plan = await branch.plan(await this.files(texts));
      const pack = plan.isUnchanged ? undefined : await branch.spool(plan, () => undefined);
      return { plan, pack, commit: await branch.push(plan, pack, COMMIT) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeSite(folder: string, texts: Record<string, string | Buffer>): Promise<PublishedFile[]> {
  const files: PublishedFile[] = [];
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    const bytes = Buffer.from(text);
    files.push({
      path: name,
      file,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
  return files;
}

/** The files of the branch, as git sees them. */
async function listBranch(server: GitServer): Promise<string[]> {
  const text = await server.git('ls-tree', '-r', '-z', '--name-only', 'gh-pages');
  return text.split('\0').filter(Boolean).sort();
}

async function objectsBetween(server: GitServer, from: string, to: string): Promise<number> {
  const text = await server.git('rev-list', '--objects', to, `^${from}`);
  return text.split('\n').filter(Boolean).length;
}

const SITE = {
  'index.html': '<h1>Home</h1>',
  'about/index.html': '<h1>About</h1>',
  'a b/ü #1?.html': 'odd names',
  'emoji/😀/index.html': 'smile',
  'big.bin': Buffer.alloc(700_000, 'colophon '),
};

test('a site becomes the first commit of an empty repository, byte for byte', async () => {
  await using host = await makeHost();
  const { commit } = await host.deploy(SITE);
  assert.equal(await listBranch(host.server), Object.keys(SITE).sort());
  assert.equal((await host.server.git('rev-parse', 'gh-pages')).trim(), commit);
  assert.equal(await host.server.git('show', 'gh-pages:about/index.html'), SITE['about/index.html']);
  assert.equal((await host.server.git('show', 'gh-pages:big.bin')).length, 700_000);
  assert.is((await host.server.git('fsck', '--strict')).includes('error'), false);
});

test('one changed file is sent with its trees and a commit whose parent is the tip, and nothing else', async () => {
  await using host = await makeHost();
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`posts/p${i}/index.html`, `post ${i}`]));
  const first = await host.deploy({ ...SITE, ...many });
  const second = await host.deploy({ ...SITE, ...many, 'posts/p7/index.html': 'changed' });
  assert.equal((await host.server.git('rev-parse', 'gh-pages^')).trim(), first.commit);
  // The file, posts/p7, posts, the root and the commit.
  assert.is(host.lastSent(), 5);
  assert.is(await objectsBetween(host.server, first.commit, second.commit), 5);
  assert.is(second.plan.send.length, 1);
  assert.is(host.server.count('post git-upload-pack'), 0);
});

test('an unchanged site sends nothing and reads no file', async () => {
  await using host = await makeHost();
  const first = await host.deploy(SITE);
  const posts = host.server.count('post git-receive-pack');
  const files = (await host.files(SITE)).map((file) => ({ ...file, file: '/nonexistent' }));
  const plan = await host.open().plan(files);
  assert.ok(plan.isUnchanged);
  assert.is(await host.open().push(plan, undefined, COMMIT), first.commit);
  assert.is(host.server.count('post git-receive-pack'), posts);
});

test('with an empty cache the trees of the tip are fetched, without a file', async () => {
  await using host = await makeHost();
  const first = await host.deploy(SITE);
  const second = await host.deploy({ ...SITE, 'index.html': 'new' }, {}, 'another cache');
  assert.is(host.lastSent(), 3);
  assert.equal((await host.server.git('rev-parse', 'gh-pages^')).trim(), first.commit);
  assert.ok((await host.open({}, 'a third').plan(await host.files({ ...SITE, 'index.html': 'new' }))).isUnchanged);
  assert.is(second.plan.tip.growth.commits, 1);
});

test('a damaged cache costs a fetch and nothing else', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  const memory = path.join(host.folder, 'cache', 'branch.json');
  const good = await readFile(memory, 'utf8');
  const damage = [good.slice(0, 200), 'null', good.replace(/[0-9a-f]{40}"\]/, `${'0'.repeat(40)}"]`)];
  for (const [at, text] of damage.entries()) {
    await writeFile(memory, text);
    await host.deploy({ ...SITE, 'index.html': `after damage ${at}` });
    assert.is(await host.server.git('show', 'gh-pages:index.html'), `after damage ${at}`);
  }
  assert.is((await host.server.git('fsck', '--strict')).includes('missing'), false);
});

test('a tip that someone else moved stays in the history, and the tree is exactly ours', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  await commitFile(host.server.repository, 'theirs.txt', 'by hand', 'gh-pages');
  const theirs = (await host.server.git('rev-parse', 'gh-pages')).trim();
  await host.deploy({ ...SITE, 'index.html': 'ours' });
  assert.equal((await host.server.git('rev-parse', 'gh-pages^')).trim(), theirs);
  assert.equal(await listBranch(host.server), Object.keys(SITE).sort());
  assert.is(host.lastSent(), 3);
});

test('a push that overtakes ours between plan and push is built on', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  const branch = host.open();
  const plan = await branch.plan(await host.files({ 'index.html': 'ours' }));
  const pack = await branch.spool(plan, () => undefined);
  await commitFile(host.server.repository, 'faster.txt', 'by hand', 'gh-pages');
  const theirs = (await host.server.git('rev-parse', 'gh-pages')).trim();
  const commit = await branch.push(plan, pack, COMMIT);
  assert.equal((await host.server.git('rev-parse', `${commit}^`)).trim(), theirs);
  assert.equal(await listBranch(host.server), ['index.html']);
});

test('a branch that someone force-pushed to another history gets whatever it lacks', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  const branch = host.open();
  const plan = await branch.plan(await host.files({ ...SITE, 'index.html': 'ours' }));
  const pack = await branch.spool(plan, () => undefined);
  const empty = (await host.server.git('hash-object', '-t', 'tree', '-w', '/dev/null')).trim();
  const orphan = (
    await host.server.git('-c', 'user.name=G', '-c', 'user.email=g@example.org', 'commit-tree', '-m', 'x', empty)
  ).trim();
  await host.server.git('update-ref', 'refs/heads/gh-pages', orphan);
  await host.server.git('-c', 'gc.pruneExpire=now', 'gc', '--quiet', '--prune=now');
  const commit = await branch.push(plan, pack, COMMIT);
  assert.equal((await host.server.git('rev-parse', `${commit}^`)).trim(), orphan);
  assert.equal(await listBranch(host.server), Object.keys(SITE).sort());
  assert.is((await host.server.git('fsck', '--full', '--strict')).includes('missing'), false);
});

test('a host that cannot filter gets the whole site on top of its tip', async () => {
  await using host = await makeHost({ filter: false });
  const first = await host.deploy(SITE);
  await host.deploy({ ...SITE, 'index.html': 'new' }, {}, 'another cache');
  assert.equal((await host.server.git('rev-parse', 'gh-pages^')).trim(), first.commit);
  assert.is(await host.server.git('show', 'gh-pages:index.html'), 'new');
});

test('past its bound the branch starts anew by force, and says so', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  await host.deploy({ ...SITE, 'index.html': '2' });
  const bound: SiteBranchParts['isPastBound'] = ({ commits }) => commits >= 2;
  await host.deploy({ ...SITE, 'index.html': '3' }, { isPastBound: bound });
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '1');
  assert.is(host.lines.length, 1);
  await host.deploy({ ...SITE, 'index.html': '4' }, { isPastBound: bound });
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '2');
});

test('a branch that may not be forced is built on instead', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  await host.server.git('config', 'receive.denyNonFastForwards', 'true');
  await host.deploy({ ...SITE, 'index.html': '2' }, { isPastBound: () => true });
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '2');
});

test('an earlier tree goes live again without a file being sent', async () => {
  await using host = await makeHost();
  const first = await host.deploy(SITE);
  await host.deploy({ 'index.html': 'broken' });
  await host.open().goBack(first.plan.trees.root, COMMIT);
  assert.is(host.lastSent(), 1);
  assert.equal(await listBranch(host.server), Object.keys(SITE).sort());
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '3');
  await host.deploy(SITE);
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '3');
});

test('a rollback to a tree that the host no longer has is a conflict', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  assert.is(await reasonOf(host.open().goBack('b'.repeat(40), COMMIT)), 'conflict');
});

test('a push whose answer is lost has arrived', async () => {
  await using host = await makeHost();
  await host.deploy(SITE);
  const pass = host.server.mood;
  host.server.mood = (seen, _req, res) => {
    if (seen.what !== 'post git-receive-pack') return 'pass';
    host.server.mood = pass;
    // git gets the request, and the client loses the connection before the answer.
    res.write = (() => true) as typeof res.write;
    const end = res.end.bind(res);
    res.end = (() => {
      res.destroy();
      return end();
    }) as typeof res.end;
    return 'pass';
  };
  await host.deploy({ ...SITE, 'index.html': 'arrived' });
  assert.is(await host.server.git('show', 'gh-pages:index.html'), 'arrived');
  assert.is((await host.server.git('rev-list', '--count', 'gh-pages')).trim(), '2');
});

test('refusals of the host become reasons', async () => {
  await using wrong = await makeHost({ token: 'revoked' });
  assert.is(await reasonOf(wrong.deploy(SITE)), 'refused_token');
  await using host = await makeHost();
  for (const [status, reason] of [
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'host_failed'],
  ] as const) {
    host.server.mood = (_seen, _req, res) => {
      res.writeHead(status, { 'content-type': 'text/html', 'retry-after': '1' }).end('<h1>no</h1>');
      return 'handled';
    };
    assert.is(await reasonOf(host.deploy(SITE)), reason);
  }
  host.server.mood = (_seen, _req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    return 'handled';
  };
  assert.is(await reasonOf(host.deploy(SITE)), 'host_failed');
  host.server.mood = (_seen, req) => {
    req.socket.destroy();
    return 'handled';
  };
  assert.is(await reasonOf(host.deploy(SITE)), 'unreachable');
});

test('a token that is revoked before the push leaves the branch as it was', async () => {
  await using host = await makeHost();
  const first = await host.deploy(SITE);
  host.server.mood = (seen, _req, res) => {
    if (seen.what !== 'post git-receive-pack') return 'pass';
    res.writeHead(403, { 'content-type': 'text/plain' }).end('Permission denied');
    return 'handled';
  };
  assert.is(await reasonOf(host.deploy({ 'index.html': 'x' })), 'refused_token');
  assert.equal((await host.server.git('rev-parse', 'gh-pages')).trim(), first.commit);
});

test('a branch that the host protects is a conflict with the reason', async () => {
  await using host = await makeHost();
  await mkdir(path.join(host.server.repository, 'hooks'), { recursive: true });
  await writeFile(path.join(host.server.repository, 'hooks', 'update'), '#!/bin/sh\necho protected >&2\nexit 1\n', {
    mode: 0o755,
  });
  assert.is(await reasonOf(host.deploy(SITE)), 'conflict');
});

test('a cancelled push leaves the branch as it was', async () => {
  await using host = await makeHost();
  const first = await host.deploy(SITE);
  const cancel = new AbortController();
  host.server.mood = (seen) => {
    if (seen.what !== 'post git-receive-pack') return 'pass';
    cancel.abort();
    return 'handled';
  };
  const error = await host.deploy({ 'index.html': 'x' }, { signal: cancel.signal }).catch((thrown: Error) => thrown);
  assert.instance(error, Error);
  assert.equal((await host.server.git('rev-parse', 'gh-pages')).trim(), first.commit);
});

async function reasonOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => 'nothing',
    (error: unknown) => (error instanceof HostError ? error.reason : String(error)),
  );
}

async function failureOf(work: Promise<unknown>): Promise<HostError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, HostError);
  return error as HostError;
}

test('a repository that moved on its host is found, and a redirect to anything else is not followed', async () => {
  await using host = await makeHost();
  await using elsewhere = await startGitServer();
  let location = (url: string): string => `${url}&moved=1`;
  host.server.mood = (seen, req, res) => {
    if (seen.what.startsWith('post') || req.url?.includes('moved=1')) return 'pass';
    res.writeHead(302, { location: location(req.url ?? '') }).end();
    return 'handled';
  };
  await host.deploy(SITE);
  for (const to of [
    `${elsewhere.origin}/site.git/info/refs?service=git-receive-pack`,
    'http://169.254.169.254/latest/meta-data/info/refs?service=git-receive-pack',
    '/internal/admin',
    'file:///etc/passwd',
  ]) {
    location = () => to;
    const { reason } = await failureOf(host.deploy({ 'index.html': to }));
    assert.is(reason, 'not_found', to);
  }
  assert.equal(elsewhere.requests, []);
});

test('the words of a host are shown if it is the provider’s own, and no word of another one', async () => {
  for (const isOwnAddress of [true, false]) {
    await using host = await makeHost({ isOwnAddress });
    const answers: [status: number, body: string][] = [
      [403, 'words of the inside'],
      [200, '<p>words of the inside</p>'],
      [200, toPkt('ERR words of the inside')],
    ];
    for (const [status, body] of answers) {
      host.server.mood = (_, __, res) => {
        res.writeHead(status, { 'content-type': 'text/plain' }).end(body);
        return 'handled';
      };
      const { message } = await failureOf(host.deploy(SITE));
      assert.is(message.includes('words of the inside'), isOwnAddress, message);
    }
  }
});

test.run();
