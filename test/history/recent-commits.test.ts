// Commits that the repository does not have yet are kept unread: their trailers are read when they are needed.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readRecord } from '../../src/history/commit-record.ts';
import { createRecentCommits } from '../../src/history/recent-commits.ts';
import { COMMITTER } from '../../src/store/committer.ts';
import { encodeCommit, oidOf } from '../../src/store/git/objects.ts';

const ID = 'a1B2c3D4e5F6';
const CONTENT = Buffer.from(`{\n  "id": "${ID}",\n  "slug": "a"\n}\n`);
const BODY = encodeCommit({
  ...{ tree: '1'.repeat(40), parents: [], author: COMMITTER, committer: COMMITTER, authoredAt: 1, committedAt: 1 },
  message: `posts/a: update\n\nEvent: document.updated\nActor: user\nDocument-Id: ${ID}\nChange-Id: 12\n`,
});

test('thousands of commits are added without being read, and each is read at most once', () => {
  const recent = createRecentCommits(() => false);
  let reads = 0;
  const readOwn = () => {
    reads++;
    return readRecord(BODY, COMMITTER).own;
  };
  const commits = Array.from({ length: 8000 }, (_, i) => i.toString(16).padStart(40, '0'));
  const blob = oidOf('blob', CONTENT);
  for (const commit of commits) {
    recent.add({ commit, body: BODY, files: [{ path: 'content/posts/a.json', content: CONTENT }] }, readOwn, [blob]);
  }
  assert.is(reads, 0);
  assert.is(recent.find(commits[7]!), BODY);
  assert.is(recent.findBlob(blob), CONTENT);
  for (let i = 0; i < 2; i++) assert.equal(recent.changesOf(commits[7]!), [{ id: ID, blob }]);
  assert.is(reads, 1);
  recent.close();
});

test.run();
