// The git processes that work in a repository are found in /proc.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReaders } from '../../../src/store/repository/readers.ts';
import { git, makeStoreWorld, type StoreWorld } from '../../support/store-world.ts';

/** Its name is unique, so that no git process of another test works in it. */
function makeRepository(world: StoreWorld, name: string): string {
  const repository = `${world.folder}/${name}-${path.basename(world.folder)}.git`;
  fs.mkdirSync(repository);
  git(repository, 'init', '--quiet', '--bare');
  return repository;
}

/** Starts a git process that waits for names of objects until it is ended. */
async function beginGit(repository: string): Promise<ChildProcess> {
  return begin(['-C', repository]);
}

async function begin(args: readonly string[], options: SpawnOptions = {}): Promise<ChildProcess> {
  const all = [...args, 'cat-file', '--batch-check'];
  const child = spawn('git', all, { ...options, stdio: ['pipe', 'pipe', 'ignore'] as const });
  child.stdin.write('HEAD\n');
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin!.end();
  await once(child, 'exit');
}

test('a git process that works in the repository is seen from its start to its end', async () => {
  await using world = makeStoreWorld();
  const repository = makeRepository(world, 'own');
  const readers = createReaders(repository);
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
  const child = await beginGit(repository);
  assert.is(readers.hasBegun(), true);
  assert.is(await readers.look(), true);
  await end(child);
  assert.is(readers.hasBegun(), false);
  assert.is(await readers.look(), false);
});

test('a process that becomes git after two looks in a row is seen', async () => {
  await using world = makeStoreWorld();
  const repository = makeRepository(world, 'own');
  const readers = createReaders(repository);
  const child = spawn('sh', ['-c', 'read go && exec git -C "$0" cat-file --batch-check', repository], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  for (let i = 0; i < 3; i++) assert.is(await readers.look(), false);
  child.stdin.write('go\nHEAD\n');
  await once(child.stdout, 'data');
  assert.is(readers.hasBegun(), true);
  await end(child);
});

test('a git process in another repository is not a reader of this one', async () => {
  await using world = makeStoreWorld();
  const child = await beginGit(makeRepository(world, 'other'));
  const readers = createReaders(makeRepository(world, 'own'));
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
  await end(child);
});

test('a git process in another repository with the same name is not a reader of this one', async () => {
  await using world = makeStoreWorld();
  const [own, other] = ['own', 'other'].map((site) => {
    const repository = `${world.folder}/${site}/content.git`;
    fs.mkdirSync(repository, { recursive: true });
    git(repository, 'init', '--quiet', '--bare');
    return repository;
  });
  const children = [
    await begin(['--git-dir', other!]),
    await begin(['--git-dir=content.git'], { cwd: path.dirname(other!) }),
    await begin([], { env: { PATH: process.env.PATH, GIT_DIR: other } }),
    // Mentions the name of our repository but works in another.
    await begin(['-c', 'user.name=content.git', '--git-dir', other!]),
  ];
  const readers = createReaders(own!);
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
  for (const child of children) await end(child);
});

test('a git process is seen however it was pointed at the repository', async () => {
  await using world = makeStoreWorld();
  const repository = makeRepository(world, 'own');
  const link = `${world.folder}/elsewhere`;
  fs.symlinkSync(repository, link);
  const cwd = `${world.folder}/beside`;
  fs.mkdirSync(cwd);
  const env = { PATH: process.env.PATH };
  for (const [args, options] of [
    [['--git-dir', repository], { cwd: '/' }],
    [['--git-dir', link], { cwd: '/' }],
    [[`--git-dir=../${path.basename(repository)}`], { cwd }],
    [['--git-dir', '../elsewhere'], { cwd }],
    [[], { cwd: '/', env: { ...env, GIT_DIR: link } }],
    [[], { cwd, env: { ...env, GIT_DIR: '../elsewhere' } }],
    [[], { cwd: `${link}/objects`, env: { ...env, GIT_DIR: '..' } }],
  ] as const) {
    const child = await begin(args, options);
    const readers = createReaders(repository);
    const found = [readers.hasBegun(), await readers.look()];
    await end(child);
    assert.equal(found, [true, true], `git ${args.join(' ')} ${JSON.stringify(options)}`);
  }
});

test('without /proc no readers are found', async () => {
  const readers = createReaders('/nowhere', '/nowhere/proc');
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
});

test.run();
