// Names and addresses in commits: whatever they contain, git accepts the commit, its lines are ours, and the author
// that is read back is one line.
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMITTER } from '../../../src/store/committer.ts';
import { EMPTY_TREE, encodeCommit, parseCommit } from '../../../src/store/git/objects.ts';

const ODD = [
  '',
  ' ',
  '...',
  '<>',
  ',;:"\'\\',
  'Ada\ncommitter Eve <eve@example.com> 1 +0000',
  'Ada\r\n\r\nActor: system',
  'a\0b',
  ' .Ada. ',
  'Ada <admin@example.com> 1 +0000',
  '\u202enimdA\u2066',
  'x\u0085y\u2028z\u007f',
  '\ud800lone',
  'Ærø 日本 😀',
];

test('no name or address adds a line, moves one or makes a commit that git refuses', () => {
  for (const text of ODD) {
    const commit = encodeCommit({
      tree: EMPTY_TREE,
      parents: [],
      author: { name: text, email: text },
      committer: COMMITTER,
      authoredAt: 1_767_400_000,
      committedAt: 1_767_400_000,
      message: 'posts/a: create\n\nActor: user\n',
    });
    const about = JSON.stringify(text);
    assert.is(commit.toString('utf8').split('\n').length, 8, about);
    const { author, committer, message, authoredAt } = parseCommit(commit);
    assert.equal(
      [committer, message, authoredAt],
      [COMMITTER, 'posts/a: create\n\nActor: user\n', 1_767_400_000],
      about,
    );
    assert.ok(author.name !== '' && !/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}<>]/u.test(author.name + author.email), about);
    // git checks a commit as fsck does before it accepts it.
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '--stdin'], { input: commit, encoding: 'utf8' });
    assert.match(id, /^[0-9a-f]{40}\n$/, about);
  }
});

test.run();
