// `.gitattributes` of the content repository: in the first commit, or in one of its own.
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../src/access/actor.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { ATTRIBUTES_PATH, newAttributes } from '../../src/lib/git-attributes.ts';
import { createAttributesRebase } from '../../src/sites/configure-repository.ts';
import { openSite } from '../../src/sites/open-site.ts';
import { NO_DOCUMENT } from '../../src/store/log/replant.ts';
import { git } from '../support/git.ts';
import { commitBeside } from '../support/store-world.ts';
import { CONFIG, START } from '../support/world.ts';

const DOCUMENT = {
  ...{ id: 'Theirs000001', slug: 'theirs', collection: 'posts', status: 'published' },
  ...{ createdAt: START, updatedAt: START, data: { title: 'theirs' } },
};

function makeFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'colophon-configures-'));
  const repository = join(folder.path, 'content.git');
  const empty = join(folder.path, 'no-starter');
  mkdirSync(empty);
  return {
    repository,
    open: (starterFolder?: string) =>
      openSite({
        ...{ id: 'default', org: 'default', config: parseConfig(CONFIG), folder: folder.path },
        starterFolder,
      }),
    log: () => git(repository, 'log', '--reverse', '--format=%s|%(trailers:key=Event,valueonly,separator=)', 'main'),
    show: () => git(repository, 'show', `main:${ATTRIBUTES_PATH}`),
    empty,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('the first commit of a site has the attributes, which git reads as they are meant, and the next has no others', async () => {
  using site = makeFolder();
  const { content, close } = await site.open(site.empty);
  await content.create('posts', { slug: 'one', data: { title: 'one' } }, SYSTEM);
  await content.create('posts', { slug: 'two', data: { title: 'two' } }, SYSTEM);
  await close();
  assert.is(await git(site.repository, 'rev-list', '--count', 'main'), '2\n');
  assert.is(await git(site.repository, 'rev-list', '--count', 'main', '--', ATTRIBUTES_PATH), '1\n');
  const paths = ['media/a.png', 'media/images/2026/a.png', 'media/.meta/a.json', 'media/images/.meta/a.png.json'];
  const files = [...paths, 'content/posts/one.json', 'content/many/ab/two.json'];
  await git(site.repository, 'read-tree', 'main');
  const attributes = await git(site.repository, 'check-attr', '--cached', 'filter', 'text', 'diff', '--', ...files);
  const lfs = (file: string) => [`${file}: filter: lfs`, `${file}: text: unset`, `${file}: diff: lfs`];
  const plain = (file: string, diff = 'unspecified') =>
    ['filter: unspecified', 'text: unspecified', `diff: ${diff}`].map((line) => `${file}: ${line}`);
  assert.equal(attributes.trim().split('\n'), [
    ...paths.slice(0, 2).flatMap(lfs),
    ...paths.slice(2).flatMap((file) => plain(file)),
    ...files.slice(4).flatMap((file) => plain(file, 'colophon-json')),
  ]);
});

test('a repository without them gets one commit at the next start, on top of what people have in the file', async () => {
  using site = makeFolder();
  await (await site.open()).close();
  const theirs = { 'content/posts/theirs.json': JSON.stringify(DOCUMENT), '.gitattributes': '*.md text' };
  commitBeside(site.repository, theirs, { parents: [] });
  for (let start = 0; start < 2; start++) await (await site.open(site.empty)).close();
  const [, ...own] = (await site.log()).trim().split('\n');
  assert.equal(own, ['repository: extend .gitattributes|repository.configured']);
  assert.is(await site.show(), `*.md text\n${newAttributes()}`);
  assert.is(await git(site.repository, 'fsck', '--strict'), '');
});

test('a replay keeps the file that the remote has, and adds what it lacks', () => {
  const others = Object.assign((files: { path: string; content: Buffer | null }[]) => files, {});
  const rebase = createAttributesRebase(others);
  const own = { path: ATTRIBUTES_PATH, content: newAttributes() };
  const document = { path: 'content/posts/a.json', content: Buffer.from('{}') };
  const onto = (theirs: Buffer | undefined) =>
    rebase([document, own], { base: () => undefined, theirs: () => theirs, changed: () => [] });
  assert.equal(onto(undefined), [document, own]);
  assert.equal(onto(newAttributes()), [document]);
  assert.equal(onto(NO_DOCUMENT), [document]);
  const extended = Buffer.concat([Buffer.from('*.md text\n'), newAttributes()]);
  assert.equal(onto(Buffer.from('*.md text\n')), [document, { path: ATTRIBUTES_PATH, content: extended }]);
});

test.run();
