// The files of an output folder: what they lead to, and what cannot be published.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError } from '../../src/build/build.ts';
import { findOutput, listOutput } from '../../src/build/output.ts';

/** A folder in which a script has run. */
function makeTree(script: string): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-output-'));
  execFileSync('sh', ['-c', script], { cwd: folder });
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const list = (folder: string) => listOutput(findOutput(folder, 'dist'));

for (const [what, script] of [
  ['no folder', 'true'],
  ['an empty folder', 'mkdir -p dist/a'],
  ['a file in the place of the folder', 'echo a > dist'],
  ['a folder that is a link out', 'ln -s /etc dist'],
  ['a folder that is a link to nothing', 'ln -s nothing dist'],
  ['a link that leads out', 'mkdir dist && ln -s /etc/passwd dist/users.txt'],
  ['a folder of it that leads out', 'mkdir dist && ln -s /etc dist/etc'],
  ['a link to what is beside it', 'mkdir dist content && ln -s ../content dist/content'],
  [
    'a link to a folder with its name as a prefix',
    'mkdir dist dist-old && echo a > dist-old/a && ln -s ../dist-old dist/old',
  ],
  ['a link to nothing', 'mkdir dist && ln -s nothing dist/a'],
  ['a link to itself', 'mkdir dist && ln -s a dist/a'],
  ['a link to a folder that it is in', 'mkdir -p dist/a && ln -s .. dist/a/b'],
  ['a pipe', 'mkdir dist && mkfifo dist/pipe'],
  ['a name that is not UTF-8', `mkdir dist && touch "$(printf 'dist/\\377')"`],
  ['a name with a line break', `mkdir dist && touch "$(printf 'dist/a\\nb')"`],
  ['a name with a backslash', `mkdir dist && touch 'dist/a\\b'`],
] as const) {
  test(`${what} is refused`, () => {
    using tree = makeTree(script);
    assert.throws(
      () => list(tree.folder),
      (error: unknown) => error instanceof BuildError,
    );
  });
}

test('files are sorted, with their hashes, and links inside are what they lead to', () => {
  using tree = makeTree(`mkdir -p dist/v2 dist/.git dist/.well-known && echo x > dist/.git/config
    echo two > dist/v2/a.txt && ln -s v2 dist/latest && ln -s v2/a.txt dist/b.txt && : > 'dist/ä #?.html'
    echo w > dist/.well-known/x`);
  const files = list(tree.folder);
  assert.equal(
    files.map(({ path }) => path),
    ['.well-known/x', 'b.txt', 'latest/a.txt', 'v2/a.txt', 'ä #?.html'],
  );
  const { sizeBytes, sha256 } = files[1]!;
  assert.equal([sizeBytes, sha256], [4, hash('sha256', 'two\n')]);
  assert.equal([files[2]!.sha256, files[4]!.sizeBytes], [sha256, 0]);
});

test('files that are larger than a chunk are hashed whole', () => {
  using tree = makeTree('mkdir dist && head -c 3000001 /dev/zero > dist/large');
  assert.equal(list(tree.folder), [
    { path: 'large', sizeBytes: 3_000_001, sha256: hash('sha256', Buffer.alloc(3_000_001)) },
  ]);
});

test('there are bounds', () => {
  using tree = makeTree('mkdir dist && echo a > dist/a && echo b > dist/b');
  const folder = join(tree.folder, 'dist');
  for (const limits of [
    { files: 1, bytes: 100 },
    { files: 10, bytes: 3 },
  ])
    assert.throws(
      () => listOutput(folder, limits),
      (error: unknown) => error instanceof BuildError,
    );
  assert.is(listOutput(folder, { files: 2, bytes: 4 }).length, 2);
  // Reading it would take hours.
  using huge = makeTree('mkdir dist && truncate -s 2T dist/big');
  assert.throws(() => listOutput(join(huge.folder, 'dist')), /the build made more than/);
});

test.run();
