// Our changes of media, replayed on external commits.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { createMediaRebase } from '../../../src/media/commits/rebase.ts';
import type { MediaMeta } from '../../../src/media/media.ts';
import { metaPath, pointerPath, toMetaFile } from '../../../src/media/stored.ts';
import type { RebaseFiles } from '../../../src/store/log/replant.ts';
import type { FileChange } from '../../../src/store/log/tree-set.ts';

type Tree = Record<string, Buffer>;

const pointer = (digit: string): Buffer => toPointerFile({ sha256: digit.repeat(64), sizeBytes: 5 });

/** A file with its description. */
function media(slug: string, digit: string, meta: MediaMeta = {}): Tree {
  return { [metaPath(slug)]: toMetaFile(meta), [pointerPath(slug)]: pointer(digit) };
}

const upload = (slug: string, digit: string, meta?: MediaMeta): FileChange[] =>
  Object.entries(media(slug, digit, meta)).map(([path, content]) => ({ path, content }));
const change = (slug: string, meta: MediaMeta): FileChange[] => [{ path: metaPath(slug), content: toMetaFile(meta) }];
const remove = (slug: string): FileChange[] =>
  [pointerPath(slug), metaPath(slug)].map((path) => ({ path, content: null }));

/** Replays our changes on theirs, one after another; returns the result of each, and the tree at the end. */
function replay(base: Tree, theirs: Tree, ours: FileChange[][]) {
  const mine = { ...base };
  const onto = { ...theirs };
  const around: RebaseFiles = { base: (path) => mine[path], theirs: (path) => onto[path], changed: () => [] };
  const rebase = createMediaRebase(() => {
    throw new Error('not a change of media');
  });
  const results = ours.map((files) => {
    const result = rebase(files, around);
    apply(onto, result);
    apply(mine, files);
    return result;
  });
  return { results, tree: onto };
}

function apply(tree: Tree, files: readonly FileChange[]): void {
  for (const { path, content } of files) {
    if (content) tree[path] = content;
    else delete tree[path];
  }
}

test('a change of a file that external commits left alone stays as it is', () => {
  const base = media('images/a.gif', '1');
  const other = { ...base, ...media('images/b.gif', '2') };
  for (const files of [upload('images/c.gif', '3'), change('images/a.gif', { alt: 'One' }), remove('images/a.gif')]) {
    assert.is(replay(base, other, [files]).results[0], files);
  }
});

test('a name that an external commit gave to other bytes keeps them, and our file gets the next one', () => {
  const theirs = { ...media('images/a.gif', '1', { alt: 'Theirs' }), ...media('images/a-2.gif', '2') };
  const ours = upload('images/a.gif', '3', { alt: 'Ours' });
  const { tree } = replay({}, theirs, [ours]);
  assert.equal(tree, { ...theirs, ...media('images/a-3.gif', '3', { alt: 'Ours' }) });
});

test('later changes follow a file that got another name', () => {
  const theirs = media('images/a.gif', '1');
  const changed = replay({}, theirs, [upload('images/a.gif', '3'), change('images/a.gif', { alt: 'Ours' })]);
  assert.equal(changed.tree, { ...theirs, ...media('images/a-2.gif', '3', { alt: 'Ours' }) });
  const removed = replay({}, theirs, [upload('images/a.gif', '3'), remove('images/a.gif')]);
  assert.equal(removed.tree, theirs);
});

test('the same bytes under the same name are one file, with the descriptions of both sides', () => {
  const theirs = media('images/a.gif', '1', { alt: 'Theirs', tags: ['theirs'] });
  const { tree } = replay({}, theirs, [upload('images/a.gif', '1', { createdAt: '2026-01-01T00:00:00.000Z' })]);
  assert.equal(
    tree,
    media('images/a.gif', '1', { createdAt: '2026-01-01T00:00:00.000Z', alt: 'Theirs', tags: ['theirs'] }),
  );
});

test('alt text and tags are merged, and those that we changed stay ours', () => {
  const base = media('a.gif', '1', { alt: 'Old', tags: ['old'], width: 5 });
  const theirs = media('a.gif', '1', { alt: 'Theirs', tags: ['theirs'], width: 5 });
  const alone = replay(base, theirs, [change('a.gif', { alt: 'Ours', tags: ['old'], width: 5 })]);
  assert.equal(alone.tree, media('a.gif', '1', { alt: 'Ours', tags: ['theirs'], width: 5 }));
  const cleared = replay(base, theirs, [change('a.gif', { tags: ['old'], width: 5 })]);
  assert.equal(cleared.tree, media('a.gif', '1', { tags: ['theirs'], width: 5 }));
});

test('our description of a file that an external commit removed is dropped; one that it replaced gets our description', () => {
  const base = media('a.gif', '1', { alt: 'Old' });
  assert.equal(replay(base, {}, [change('a.gif', { alt: 'Ours' })]).results, [[]]);
  const replaced = replay(base, media('a.gif', '2', { alt: 'Old' }), [change('a.gif', { alt: 'Ours' })]);
  assert.equal(replaced.tree, media('a.gif', '2', { alt: 'Ours' }));
});

test('a file that we removed is removed from the external commits too', () => {
  const base = media('a.gif', '1');
  assert.equal(replay(base, media('a.gif', '1', { alt: 'Theirs' }), [remove('a.gif')]).tree, {});
  assert.equal(replay(base, {}, [remove('a.gif')]).tree, {});
});

test.run();
