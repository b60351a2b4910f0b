// The check of a repository: it reports nothing about a good one, and says what is wrong and where about a damaged one.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type VerifyStoreReport, verifyStore } from '../../src/store/verify.ts';
import type { VerifyProgress } from '../../src/store/verify-commits.ts';
import { createRandom } from '../support/random.ts';
import {
  append,
  commitBeside,
  git,
  gitWithInput,
  makeStoreWorld,
  type StoreWorld,
  write,
} from '../support/store-world.ts';

const COMMITTER = ['-c', 'user.name=Colophon', '-c', 'user.email=colophon@localhost'];

async function fill(world: StoreWorld, commits = 60): Promise<void> {
  const store = world.open();
  const random = createRandom(13);
  for (let i = 0; i < commits; i++) {
    append(store, {
      [`content/posts/doc-${random.whole(0, 20)}.json`]: random.whole(0, 6) ? `{"n":${i}}` : null,
      [`content/many/${random.whole(10, 20)}/x.json`]: String(i),
      'notes.txt': String(i),
    });
  }
  await store.close();
}

function verify(world: StoreWorld): Promise<VerifyStoreReport> {
  return verifyStore({ repository: world.repository, wal: path.join(world.folder, 'wal') });
}

function packsOf(world: StoreWorld): string[] {
  const folder = path.join(world.repository, 'objects', 'pack');
  const packs = fs.readdirSync(folder).filter((file) => file.endsWith('.pack'));
  return packs.map((file) => path.join(folder, file));
}

function packOf(world: StoreWorld): string {
  return packsOf(world)[0]!;
}

/** Packs that git made are read-only. */
function replaceFile(file: string, bytes: Buffer): void {
  fs.rmSync(file);
  fs.writeFileSync(file, bytes);
}

test('a good repository has no problems, and its contents are counted', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const { problems, counts } = await verify(world);
  assert.equal(problems, []);
  assert.is(counts.commits, 60);
  assert.is(counts.packs, 1);
  const documents = world.git('ls-tree', '-r', '--name-only', 'main', 'content/').trim().split('\n').length;
  assert.is(counts.documents, documents);
  assert.ok(counts.objects >= Number(world.git('rev-list', '--objects', '--count', 'main')));
});

test('a repository that git repacked, with merges, tags and external commits, has no problems', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const fork = world.git('rev-parse', 'main~10').trim();
  const side = commitBeside(world.repository, { 'side/a.json': '1' }, { parents: [fork], ref: 'refs/heads/side' });
  const main = world.git('rev-parse', 'main').trim();
  commitBeside(world.repository, { 'side/a.json': '1' }, { parents: [main, side] });
  world.git('tag', 'backups/one', 'main~5');
  world.git(...COMMITTER, 'tag', '-a', '-m', 'annotated', 'two', 'main');
  world.git('gc', '--quiet');
  await fill(world, 5);
  const { problems, counts } = await verify(world);
  assert.equal(problems, []);
  assert.is(counts.commits, 60 + 2 + 5);
});

test('an empty or missing repository is not a problem', async () => {
  await using world = makeStoreWorld();
  assert.equal((await verify(world)).problems, []);
  await world.open().close();
  assert.equal((await verify(world)).problems, []);
});

test('a flipped bit anywhere in a pack or its index is found', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const random = createRandom(17);
  for (const file of [packOf(world), packOf(world).replace('.pack', '.idx')]) {
    const bytes = fs.readFileSync(file);
    for (let round = 0; round < 25; round++) {
      const broken = Buffer.from(bytes);
      broken[random.whole(0, bytes.length - 1)]! ^= 1 << random.whole(0, 7);
      replaceFile(file, broken);
      assert.ok((await verify(world)).problems.length > 0);
    }
    replaceFile(file, bytes);
  }
  assert.equal((await verify(world)).problems, []);
});

test('a broken blob is reported with its path and the commit that introduced it', async () => {
  await using world = makeStoreWorld();
  await fill(world);
  const store = world.open();
  const text = 'a text that does not shrink: 0123456789';
  const commit = await write(store, { 'content/posts/broken.json': text });
  await store.close();
  const file = packsOf(world).find((pack) => fs.readFileSync(pack).includes(text))!;
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf(text);
  bytes[at]! ^= 1;
  replaceFile(file, bytes);
  const { problems } = await verify(world);
  assert.ok(problems.some((problem) => problem.commit === commit && problem.path === 'content/posts/broken.json'));
});

test('missing blobs, trees and commits are reported', async () => {
  for (const [what, where] of [
    ['main:notes.txt', 'notes.txt'],
    ['main:content/posts', 'content/posts'],
    ['main~3^{tree}', undefined],
    ['main~30', undefined],
  ] as const) {
    await using world = makeStoreWorld();
    await fill(world);
    const oid = world.git('rev-parse', what).trim();
    const pack = fs.readFileSync(packOf(world));
    replaceFile(packOf(world).replace('.pack', '.idx'), fs.readFileSync(packOf(world).replace('.pack', '.idx')));
    fs.rmSync(packOf(world).replace('.pack', '.idx'));
    fs.rmSync(packOf(world));
    gitWithInput(world.repository, pack, 'unpack-objects', '-q');
    fs.rmSync(path.join(world.repository, 'objects', oid.slice(0, 2), oid.slice(2)));
    const { problems } = await verify(world);
    assert.ok(
      problems.some(({ problem }) => problem.includes(oid)),
      what,
    );
    if (where)
      assert.ok(
        problems.some(({ path: at }) => at === where),
        what,
      );
    assert.ok(problems.length < 20, `${what}: ${problems.length} problems`);
  }
});

test('commits in our name that break the rules of the log are reported', async () => {
  await using world = makeStoreWorld();
  await fill(world, 3);
  const head = world.git('rev-parse', 'main').trim();
  const changeId = /Change-Id: (\w+)/.exec(world.git('log', '-1', '--format=%B', 'main'))![1];
  const commit = (parents: string[], message: string): string => {
    const lines = [
      `tree ${world.git('rev-parse', 'main^{tree}').trim()}`,
      ...parents.map((parent) => `parent ${parent}`),
    ];
    const person = 'Colophon <colophon@localhost> 1767400000 +0000';
    const body = `${lines.join('\n')}\nauthor ${person}\ncommitter ${person}\n\n${message}`;
    return gitWithInput(world.repository, body, 'hash-object', '-t', 'commit', '-w', '--stdin').trim();
  };
  const merge = commit([head, world.git('rev-parse', 'main~1').trim()], 'x\n\nEvent: x\nChange-Id: unique\n');
  const bare = commit([merge], 'no trailers\n');
  const twice = commit([bare], `again\n\nEvent: x\nChange-Id: ${changeId}\n`);
  world.git('update-ref', 'refs/heads/main', twice);
  const { problems } = await verify(world);
  assert.equal(
    problems.map(({ commit: at }) => at),
    [merge, bare, bare, twice],
  );
});

test('a tree that git would refuse, and a ref to a missing object, are reported', async () => {
  await using world = makeStoreWorld();
  await fill(world, 3);
  const blob = world.git('rev-parse', 'main:notes.txt').trim();
  const entry = (name: string): Buffer => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
  const tree = gitWithInput(
    world.repository,
    Buffer.concat([entry('b'), entry('a')]),
    'hash-object',
    '-t',
    'tree',
    '--literally',
    '-w',
    '--stdin',
  ).trim();
  const commit = git(world.repository, 'commit-tree', '-m', 'bad', '-p', 'main', tree).trim();
  world.git('update-ref', 'refs/heads/main', commit);
  fs.writeFileSync(path.join(world.repository, 'refs/tags/lost'), `${'d'.repeat(40)}\n`);
  const { problems } = await verify(world);
  assert.ok(problems.some((problem) => problem.commit === commit));
  assert.ok(problems.some((problem) => problem.path === 'refs/tags/lost'));
  assert.is(problems.length, 2);
});

test('a damaged write-ahead log is reported', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  for (let i = 0; i < 3; i++) await write(store, { a: String(i) });
  const copy = path.join(world.folder, 'wal-copy');
  fs.cpSync(path.join(world.folder, 'wal'), copy, { recursive: true });
  await store.log.flush();
  const [segment] = fs.readdirSync(copy);
  const bytes = fs.readFileSync(path.join(copy, segment!));
  bytes[3]! ^= 1;
  fs.writeFileSync(path.join(copy, segment!), bytes);
  const { problems } = await verifyStore({ repository: world.repository, wal: copy });
  assert.is(problems.length, 1);
});

test('a long history is checked within seconds, with progress, while the event loop goes on', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  for (let i = 0; i < 3000; i++) {
    append(store, { [`content/posts/doc-${i % 500}.json`]: `{"n":${i},"text":"${'word '.repeat(20)}"}` });
    if (i % 1000 === 0) await store.log.flush();
  }
  await store.close();
  const seen: VerifyProgress[] = [];
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const started = performance.now();
  const { problems, counts } = await verifyStore({ repository: world.repository }, (progress) => seen.push(progress));
  const durationMs = performance.now() - started;
  clearInterval(timer);
  assert.equal(problems, []);
  assert.is(counts.commits, 3000);
  assert.ok(durationMs < 15_000, `${durationMs} ms`);
  assert.ok(ticks > 10);
  assert.equal([...new Set(seen.map(({ stage }) => stage))], ['packs', 'commits', 'objects']);
  assert.is(seen.at(-1)?.done, 3000);
});

test.run();
