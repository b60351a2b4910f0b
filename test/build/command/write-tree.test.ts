// What of a pushed tree is written for a command: nothing outside of its folder, nothing that is not public.
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { linkProblem, nameProblem } from '../../../src/build/command/tree-names.ts';
import { type WriteTreeOrder, writeTree } from '../../../src/build/command/write-tree.ts';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { makeGitFolder } from './git-folder.ts';
import { listFiles } from './world.ts';

const at = '2026-01-02T03:04:05.678Z';
const document = (slug: string, more: object = {}): string =>
  JSON.stringify({
    ...{ id: `A${slug.padStart(11, '0').slice(-11)}`, slug, collection: 'posts', status: 'published' },
    ...{ createdAt: at, updatedAt: at, data: { title: slug }, ...more },
  });

test('documents that are published, and other files as they are', () => {
  using git = makeGitFolder();
  const meta = { _fieldMeta: { title: { lockedBy: 'Ada' } } };
  git.write({
    'content/posts/a.json': document('a'),
    'content/posts/b.json': document('b', meta),
    'content/posts/draft.json': document('draft', { status: 'draft' }),
    'content/posts/old.json': document('old', { status: 'archived' }),
    'content/posts/copy.json': document('copy'),
    'content/posts/broken.json': '{"status": "published"',
    'content/posts/.gitkeep': '',
    'content/gone/x.json': document('x', { collection: 'gone' }),
    'content/README.md': 'Notes on drafts',
    'package.json': '{}',
    'src/build.sh': '#!/bin/sh',
  });
  git.chmod('src/build.sh');
  const { written, folder } = writeAll(git, { ignored: ['content/posts/copy.json'] });
  assert.equal(listFiles(folder), ['content/posts/a.json', 'content/posts/b.json', 'package.json', 'src/build.sh']);
  assert.equal(written, { files: 4, remarks: [] });
  assert.is(readFileSync(join(folder, 'content/posts/a.json'), 'utf8'), document('a'));
  assert.not.ok(readFileSync(join(folder, 'content/posts/b.json'), 'utf8').includes('Ada'));
  assert.is(lstatSync(join(folder, 'src/build.sh')).mode & 0o777, 0o755);
});

test('media are their bytes, which a command may change without changing ours', () => {
  using git = makeGitFolder();
  const sha256 = 'a'.repeat(64);
  const pointer = (hash: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize 5\n`;
  git.write({
    'media/2026/a.png': pointer(sha256),
    'media/2026/gone.png': pointer('b'.repeat(64)),
    'media/2026/.meta/a.png.json': '{"alt": "A"}',
    'media/large.bin': 'not a pointer',
  });
  const media = join(git.root, 'media-bytes');
  mkdirSync(join(media, 'aa', 'aa'), { recursive: true });
  writeFileSync(join(media, 'aa', 'aa', sha256), 'bytes');
  const { written, folder } = writeAll(git, { media });
  assert.equal(listFiles(folder), ['media/2026/.meta/a.png.json', 'media/2026/a.png']);
  assert.is(written.remarks.length, 2);
  writeFileSync(join(folder, 'media/2026/a.png'), 'other');
  assert.is(readFileSync(join(media, 'aa', 'aa', sha256), 'utf8'), 'bytes');
});

test('links lead nowhere out of the tree, and documents that are links are left out', () => {
  using git = makeGitFolder();
  git.write({ 'theme/a.css': 'a', 'content/posts/a.json': document('a') });
  git.link('theme/b.css', 'a.css');
  git.link('up/root', '../theme');
  git.link('out', '../../secret');
  git.link('passwd', '/etc/passwd');
  git.link('theme/around', '../up/root/../../../etc');
  git.link('content/posts/linked.json', '../../theme/a.css');
  git.link('media', 'theme');
  const { written, folder } = writeAll(git);
  assert.equal(readlinkSync(join(folder, 'theme/b.css')), 'a.css');
  assert.equal(readlinkSync(join(folder, 'up/root')), '../theme');
  for (const left of ['out', 'passwd', 'theme/around', 'content/posts/linked.json', 'media'])
    assert.not.ok(lstatSync(join(folder, left), { throwIfNoEntry: false }), left);
  assert.is(written.remarks.length, 4);
});

test('a tree that no git writes reaches nothing outside of the folder', () => {
  using git = makeGitFolder();
  const blob = git.blob('escaped');
  const inner = git.tree([{ mode: '100644', name: 'evil', oid: blob }]);
  const hooks = git.tree([{ mode: '100644', name: 'config', oid: blob }]);
  git.commitTree(
    git.tree([
      { mode: '40000', name: '..', oid: inner },
      { mode: '40000', name: '.git', oid: hooks },
      { mode: '100644', name: '../up', oid: blob },
      { mode: '120000', name: 'a', oid: git.blob('/tmp') },
      { mode: '40000', name: 'a', oid: inner },
      { mode: '100644', name: 'fine', oid: blob },
    ]),
  );
  const { folder } = writeAll(git);
  assert.not.ok(existsSync(join(folder, '..', 'evil')));
  assert.not.ok(existsSync(join(folder, '..', 'up')));
  assert.not.ok(existsSync(join(folder, '.git')));
  assert.not.ok(existsSync('/tmp/evil'));
});

test('names and links are judged by what they lead to', () => {
  for (const name of ['', '.', '..', 'a/b', 'a\0', '.git', '.GIT', '.git ', 'x\ufffd'])
    assert.ok(nameProblem(name), name);
  for (const name of ['a', '.github', '.gitignore', 'über?', '...']) assert.not.ok(nameProblem(name), name);
  for (const [file, target] of [
    ['a', '../b'],
    ['a/b', '../../c'],
    ['a/b', 'c/../d'],
    ['a', '/'],
    ['a', ''],
  ] as const)
    assert.ok(linkProblem(file, target), target);
  for (const [file, target] of [
    ['a', 'b'],
    ['a/b', '../c'],
    ['a/b', './c/d'],
    ['a/b/c', '../../d'],
  ] as const)
    assert.not.ok(linkProblem(file, target), target);
});

function writeAll(git: ReturnType<typeof makeGitFolder>, more: Partial<WriteTreeOrder> = {}) {
  const folder = join(git.root, 'written', 'tree');
  mkdirSync(folder, { recursive: true });
  const odb = createOdb(nodeDisk, git.repository);
  try {
    const order = {
      media: join(git.root, 'none'),
      collections: { posts: { textFields: ['body'], keys: ['title', 'body'] } },
      drafts: false,
      ignored: [],
      ...more,
    };
    return { folder, written: writeTree(odb, { commit: git.head(), folder, ...order }) };
  } finally {
    odb.close();
  }
}

test.run();
