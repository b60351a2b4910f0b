// Our moves and replacements of media, replayed on external commits.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { createMediaRebase } from '../../../src/media/commits/rebase.ts';
import type { MediaMeta } from '../../../src/media/media.ts';
import { metaPath, pointerPath, toMetaFile } from '../../../src/media/stored.ts';
import type { Rebase, RebaseFiles } from '../../../src/store/log/replant.ts';
import type { FileChange } from '../../../src/store/log/tree-set.ts';

type Tree = Record<string, Buffer>;

const pointer = (digit: string): Buffer => toPointerFile({ sha256: digit.repeat(64), sizeBytes: 5 });

function media(slug: string, digit: string, meta: MediaMeta = {}): Tree {
  return { [metaPath(slug)]: toMetaFile(meta), [pointerPath(slug)]: pointer(digit) };
}

const put = (tree: Tree): FileChange[] => Object.entries(tree).map(([path, content]) => ({ path, content }));
const move = (from: string, to: string, digit: string, meta: MediaMeta = {}, documents: Tree = {}): FileChange[] => [
  ...[pointerPath(from), metaPath(from)].map((path) => ({ path, content: null })),
  ...put(media(to, digit, meta)),
  ...put(documents),
];

const DOCUMENT = 'content/posts/p.json';

/** Documents stay as they are. */
const others: Rebase = (files) => files;

function replay(base: Tree, theirs: Tree, ours: FileChange[][]) {
  const mine = { ...base };
  const onto = { ...theirs };
  const around: RebaseFiles = { base: (path) => mine[path], theirs: (path) => onto[path], changed: () => [] };
  const rebase = createMediaRebase(others);
  const results = ours.map((files) => {
    const result = rebase(files, around);
    for (const [tree, changes] of [
      [onto, result],
      [mine, files],
    ] as const) {
      for (const { path, content } of changes) {
        if (content) tree[path] = content;
        else delete tree[path];
      }
    }
    return result;
  });
  return { rebase, results, tree: onto };
}

test('a move of a file that external commits left alone stays as it is', () => {
  const base = media('images/a.gif', '1');
  for (const documents of [{}, { [DOCUMENT]: Buffer.from('{}') }] as Tree[]) {
    const files = move('images/a.gif', 'trips/a.gif', '1', {}, documents);
    assert.is(replay(base, { ...base, ...media('images/b.gif', '2') }, [files]).results[0], files);
  }
});

test('a move takes along what they made of the file: its bytes, and keys of its description', () => {
  const base = media('a.gif', '1', { alt: 'Base', tags: ['base'] });
  const theirs = media('a.gif', '2', { alt: 'Base', tags: ['theirs'], width: 7 });
  const { tree } = replay(base, theirs, [move('a.gif', 'b.gif', '1', { alt: 'Ours', tags: ['base'] })]);
  assert.equal(tree, media('b.gif', '2', { alt: 'Ours', tags: ['theirs'], width: 7 }));
});

test('a file that they deleted is there at the place that we gave it', () => {
  const { tree } = replay(media('a.gif', '1'), {}, [move('a.gif', 'b.gif', '1', { alt: 'Ours' })]);
  assert.equal(tree, media('b.gif', '1', { alt: 'Ours' }));
});

test('a file that both sides moved to one place is there once, with both descriptions', () => {
  const base = media('a.gif', '1', { alt: 'Base', tags: ['base'] });
  const theirs = media('b.gif', '1', { alt: 'Theirs', tags: ['base'] });
  const { tree } = replay(base, theirs, [move('a.gif', 'b.gif', '1', { alt: 'Base', tags: ['ours'] })]);
  assert.equal(tree, media('b.gif', '1', { alt: 'Theirs', tags: ['ours'] }));
});

test('a place that they gave to another file keeps it; ours gets the next name, which documents and message have', () => {
  const base = media('images/a.gif', '1');
  const theirs = { ...base, ...media('images/b.gif', '9') };
  const text = (name: string) =>
    Buffer.from(
      `{"cover": "/uploads/images/${name}?w=1", "other": "/uploads/images/b.gif.png", "x": "/uploads/images/c.gif"}`,
    );
  const ours = move('images/a.gif', 'images/b.gif', '1', { alt: 'Ours' }, { [DOCUMENT]: text('b.gif') });
  const { rebase, results, tree } = replay(base, theirs, [ours]);
  assert.equal(tree, {
    ...media('images/b.gif', '9'),
    ...media('images/b-2.gif', '1', { alt: 'Ours' }),
    [DOCUMENT]: text('b-2.gif'),
  });
  const message = (to: string) =>
    `media/${to}: rename from images/a.gif\n\nEvent: media.updated\nMedia: ${to}\nRenamed-From: images/a.gif\n`;
  assert.is(rebase.reword!(message('images/b.gif'), ours, results[0]!), message('images/b-2.gif'));
});

test('later changes follow a file whose move, or upload before the move, got another name', () => {
  const base = media('a.gif', '1');
  const theirs = { ...base, ...media('b.gif', '9') };
  const described = put({ [metaPath('b.gif')]: toMetaFile({ alt: 'Later' }) });
  const back = move('b.gif', 'c.gif', '1', { alt: 'Later' });
  assert.equal(replay(base, theirs, [move('a.gif', 'b.gif', '1'), described, back]).tree, {
    ...media('b.gif', '9'),
    ...media('c.gif', '1', { alt: 'Later' }),
  });
  const uploaded = put(media('b.gif', '3'));
  const moved = replay({}, media('b.gif', '9'), [uploaded, move('b.gif', 'c.gif', '3')]);
  assert.equal(moved.tree, { ...media('b.gif', '9'), ...media('c.gif', '3') });
});

test('new bytes of a file stay with it, whatever they made of it', () => {
  const base = media('a.gif', '1', { alt: 'Base' });
  const ours = put(media('a.gif', '2', { alt: 'Base', width: 3 }));
  assert.equal(
    replay(base, media('a.gif', '9', { alt: 'Theirs' }), [ours]).tree,
    media('a.gif', '2', { alt: 'Theirs', width: 3 }),
  );
  assert.equal(replay(base, {}, [ours]).tree, media('a.gif', '2', { alt: 'Base', width: 3 }));
});

test('a move cannot be put on something that is no file any more', () => {
  const theirs = { [pointerPath('a.gif')]: Buffer.alloc(0) };
  assert.throws(() => replay(media('a.gif', '1'), theirs, [move('a.gif', 'b.gif', '1')]), /not a media file any more/);
});

test.run();
