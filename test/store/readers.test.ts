// Which gits are at work in a repository, as /proc shows them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReaders } from '../../src/store/readers.ts';
import { git, makeStoreWorld, type StoreWorld } from '../support/store-world.ts';

/** By a name that no other test's git works on. */
function makeRepository(world: StoreWorld, name: string): string {
  const repository = `${world.folder}/${name}-${path.basename(world.folder)}.git`;
  fs.mkdirSync(repository);
  git(repository, 'init', '--quiet', '--bare');
  return repository;
}

/** Waits for names of objects until it is ended. */
async function beginGit(repository: string): Promise<ChildProcess> {
  const child = spawn('git', ['-C', repository, 'cat-file', '--batch-check'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write('HEAD\n');
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin!.end();
  await once(child, 'exit');
}

test('a git that is at work in the repository is seen, and that it has begun, until it has ended', async () => {
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

test('a git in another repository is no reader of this one', async () => {
  await using world = makeStoreWorld();
  const child = await beginGit(makeRepository(world, 'other'));
  const readers = createReaders(makeRepository(world, 'own'));
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
  await end(child);
});

test('without /proc there are none', async () => {
  const readers = createReaders('/nowhere', '/nowhere/proc');
  assert.is(await readers.look(), false);
  assert.is(readers.hasBegun(), false);
});

test.run();
