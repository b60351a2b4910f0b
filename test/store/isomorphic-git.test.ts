// An independent reader: isomorphic-git finds in the repository what was written.
import fs from 'node:fs';
import git from 'isomorphic-git';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AT, append, makeStoreWorld, write } from '../support/store-world.ts';

test('isomorphic-git reads back log, trees and files', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const commits: string[] = [];
  for (let i = 0; i < 120; i++) {
    commits.push(
      await write(store, { [`content/posts/doc-${i % 30}.json`]: `{"n":${i}}\n`, 'content/ü/ß.json': `${i}` }),
    );
    if (i % 25 === 0) await store.log.flush();
  }
  const removed = append(store, { 'content/posts/doc-7.json': null }, { subject: 'posts/doc-7: delete' });
  commits.push(await removed.durable);
  await store.log.flush();

  const repo = { fs, gitdir: world.repository, cache: {} };
  const log = await git.log({ ...repo, ref: 'main' });
  assert.equal(
    log.map(({ oid }) => oid),
    [...commits].reverse(),
  );
  assert.is(log[0]!.commit.message.split('\n')[0], 'posts/doc-7: delete');
  assert.equal(log[0]!.commit.author, {
    name: 'Ada',
    email: 'ada@example.com',
    timestamp: AT / 1000,
    timezoneOffset: 0,
  });
  assert.ok(log[0]!.commit.message.includes(`Change-Id: ${removed.changeId}\n`));

  for (const at of [0, 5, 40, 88, 119]) {
    const { blob } = await git.readBlob({ ...repo, oid: commits[at]!, filepath: `content/posts/doc-${at % 30}.json` });
    assert.is(Buffer.from(blob).toString(), `{"n":${at}}\n`);
  }
  const { tree } = await git.readTree({ ...repo, oid: commits.at(-1)!, filepath: 'content/posts' });
  assert.is(tree.length, 29);
  assert.not(tree.some(({ path }) => path === 'doc-7.json'));
  const umlaut = await git.readBlob({ ...repo, oid: commits[60]!, filepath: 'content/ü/ß.json' });
  assert.is(Buffer.from(umlaut.blob).toString(), '60');
});

test.run();
