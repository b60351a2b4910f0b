// Our change on top of an external change of the same document. One file, because all tests are about one function.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRebase } from '../../../src/content/commits/rebase.ts';
import type { StoredDocument } from '../../../src/content/document.ts';
import { pathOf, SHARDED } from '../../../src/content/files/paths.ts';
import { toFile } from '../../../src/content/stored.ts';
import type { Rebase } from '../../../src/store/log/replant.ts';
import type { FileChange } from '../../../src/store/log/tree-set.ts';
import { makeDesk, makeStored } from '../world.ts';

const { schema } = makeDesk();
const LATER = '2026-01-02T12:00:00.500Z';
const PATH = 'content/posts/a.json';

const doc = (change: Partial<StoredDocument> = {}): StoredDocument => makeStored(schema, change);

function newRebase(): Rebase {
  return createRebase((name) => (name === 'posts' ? schema : undefined));
}

/** The files of our change after its replay, if `base` became `theirs`. */
function rebase(
  files: FileChange[],
  base: Record<string, StoredDocument>,
  theirs: Record<string, StoredDocument | string>,
  rebaseOne = newRebase(),
) {
  const around = {
    base: (path: string) => base[path] && toFile(base[path], 0, schema),
    theirs(path: string) {
      const there = theirs[path];
      return typeof there === 'string' ? Buffer.from(there) : there && toFile(there, 0, schema);
    },
    changed: () => Object.keys(theirs).filter((path) => theirs[path] !== base[path]),
  };
  return rebaseOne(files, around);
}

/** Slugs and titles by path; null for removed files. */
function outcome(files: FileChange[]): Record<string, unknown> {
  return Object.fromEntries(
    files.map(({ path, content }) => {
      const found = content && (JSON.parse(String(content)) as StoredDocument);
      return [path, found && [found.slug, found.data.title]];
    }),
  );
}

const fileOf = (content: StoredDocument, path = PATH): FileChange => ({ path, content: toFile(content, 0, schema) });

test('files that only we changed stay the very same', () => {
  const files = [fileOf(doc({ updatedAt: LATER })), { path: 'content/posts/b.json', content: null }];
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: doc() }), files);
  assert.is(rebase(files, {}, {}), files);
  assert.is(rebase(files, { [PATH]: doc() }, {}), files);
});

test('if an external commit put a copy of a document where we rename it to, the copy stays and the document goes beside it', () => {
  const files = [fileOf(doc({ slug: 'z', updatedAt: LATER }), 'content/posts/z.json'), { path: PATH, content: null }];
  const copy = doc({ slug: 'z', data: { title: 'copy' } });
  const rebased = rebase(files, { [PATH]: doc() }, { [PATH]: doc(), 'content/posts/z.json': copy });
  assert.equal(outcome(rebased), { [PATH]: null, 'content/posts/z-2.json': ['z-2', 'T'] });
});

test('our rename keeps an external change', () => {
  const renamed = 'content/posts/z.json';
  const files = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z', updatedAt: LATER }), renamed)];
  const [removed, written] = rebase(files, { [PATH]: doc() }, { [PATH]: doc({ data: { title: 'theirs' } }) });
  assert.equal(removed, { path: PATH, content: null });
  assert.is(written?.path, renamed);
  assert.equal(JSON.parse(String(written?.content)), doc({ slug: 'z', updatedAt: LATER, data: { title: 'theirs' } }));
});

const OTHER = 'Z1B2c3D4e5F6';
const at = (slug: string) => `content/posts/${slug}.json`;

test('a document that we deleted and restored comes back with an external change', () => {
  const replay = newRebase();
  const theirs = doc({ locale: 'de', data: { title: 'T', rank: 1, own: 'theirs' } });
  const [removed] = rebase([{ path: PATH, content: null }], { [PATH]: doc() }, { [PATH]: theirs }, replay);
  assert.equal(removed, { path: PATH, content: null });
  const restored = doc({ updatedAt: LATER, data: { title: 'ours', rank: 1, own: 'o' } });
  const [written] = rebase([fileOf(restored)], {}, {}, replay);
  assert.equal(JSON.parse(String(written?.content)), {
    ...doc({ updatedAt: LATER, locale: 'de' }),
    data: { title: 'ours', rank: 1, own: 'theirs' },
  });
  const files = [fileOf(restored)];
  assert.is(rebase(files, {}, {}, replay), files, 'a second time it is as we have it');
});

test('if an external commit gave the slug of our new document to another one, ours gets the next free slug', () => {
  const theirs = {
    [PATH]: doc({ id: OTHER, data: { title: 'theirs' } }),
    [at('a-2')]: doc({ id: OTHER, slug: 'a-2' }),
  };
  assert.equal(outcome(rebase([fileOf(doc({ data: { title: 'ours' } }))], {}, theirs)), {
    [at('a-3')]: ['a-3', 'ours'],
  });
});

test('a document that gives way again gets a number after its present slug, which may be its own', () => {
  const theirs = { [at('a-2')]: doc({ id: OTHER, slug: 'a-2' }) };
  assert.equal(outcome(rebase([fileOf(doc({ slug: 'a-2' }), at('a-2'))], {}, theirs)), {
    [at('a-2-2')]: ['a-2-2', 'T'],
  });
});

test('our later changes follow a document that had to give way', () => {
  const base = { [PATH]: doc() };
  const theirs = { [PATH]: doc({ id: OTHER }), [at('a-2')]: doc({ slug: 'a-2' }) };
  const changed = fileOf(doc({ updatedAt: LATER, data: { title: 'later' } }));
  assert.equal(outcome(rebase([changed], base, theirs)), { [at('a-2')]: ['a-2', 'later'] });
  assert.equal(outcome(rebase([{ path: PATH, content: null }], base, theirs)), { [at('a-2')]: null });
  const renamed = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z' }), at('z'))];
  assert.equal(outcome(rebase(renamed, base, theirs)), { [at('a-2')]: null, [at('z')]: ['z', 'T'] });
});

test('a change of ours follows a document that an external commit renamed, and so does a deletion', () => {
  const base = { [PATH]: doc() };
  const theirs = { [at('new')]: doc({ slug: 'new', data: { title: 'T', rank: 9 } }) };
  const files = rebase([fileOf(doc({ updatedAt: LATER, data: { title: 'ours', rank: 1 } }))], base, theirs);
  assert.equal(outcome(files), { [at('new')]: ['new', 'ours'] });
  assert.is(JSON.parse(String(files[0]?.content)).data.rank, 9);
  assert.equal(outcome(rebase([{ path: PATH, content: null }], base, theirs)), { [at('new')]: null });
});

test('a document that both sides renamed has our slug and exists once', () => {
  const files = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z', updatedAt: LATER }), at('z'))];
  assert.equal(outcome(rebase(files, { [PATH]: doc() }, { [at('new')]: doc({ slug: 'new' }) })), {
    [at('new')]: null,
    [at('z')]: ['z', 'T'],
  });
});

test('our deletion leaves alone the document that an external commit put in its place', () => {
  const files = [{ path: PATH, content: null }];
  assert.equal(rebase(files, { [PATH]: doc() }, { [PATH]: doc({ id: OTHER }) }), []);
});

test('a document that an external commit deleted and we changed exists again', () => {
  const files = [fileOf(doc({ updatedAt: LATER }))];
  assert.is(rebase(files, { [PATH]: doc() }, {}), files);
});

test('files that are not documents are kept as we wrote them', () => {
  const files = [{ path: 'media/a.txt', content: Buffer.from('ours') }];
  assert.is(rebase(files, {}, { 'media/a.txt': 'theirs' }), files);
});

test('our deletion deletes the external version', () => {
  const files = [{ path: PATH, content: null }];
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: doc({ data: {} }) }), files);
});

// Several changes of ours in a row, when both sides worked on the same documents and slugs.

const shard = (slug: string) => pathOf({ collection: 'posts', slug }, SHARDED);
const remove = (slug: string): FileChange => ({ path: at(slug), content: null });
const put = (content: StoredDocument, path = at(content.slug)): FileChange => fileOf(content, path);
const byPath = (...docs: StoredDocument[]) => Object.fromEntries(docs.map((one) => [at(one.slug), one]));

type Files = Record<string, StoredDocument | string>;

/** The files after our changes, oldest first, on top of theirs. */
function replay(base: Files, theirs: Files, ...changes: FileChange[][]): Files {
  const rebaseOne = newRebase();
  const bytesOf = (files: Files) =>
    new Map(
      Object.entries(files).map(([path, found]) => [
        path,
        typeof found === 'string' ? Buffer.from(found) : toFile(found, 0, schema),
      ]),
    );
  const [old, now] = [bytesOf(base), bytesOf(theirs)];
  const apply = (to: Map<string, Buffer>, files: readonly FileChange[]): void => {
    for (const { path, content } of files) {
      if (content) to.set(path, content);
      else to.delete(path);
    }
  };
  const changed = [...now.keys()].filter((path) => !old.get(path)?.equals(now.get(path)!));
  const around = {
    base: (path: string) => old.get(path),
    theirs: (path: string) => now.get(path),
    changed: () => changed,
  };
  for (const files of changes) {
    const rebased = rebaseOne(files, around);
    apply(old, files);
    apply(now, rebased);
  }
  return Object.fromEntries(
    [...now].sort().map(([path, bytes]) => {
      const text = bytes.toString();
      return [path, text.startsWith('{ broken') ? text : (JSON.parse(text) as StoredDocument)];
    }),
  );
}

/** Id, slug and data by path. */
function seen(files: Files): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([path, found]) => [
      path,
      typeof found === 'string' ? found : [found.id, found.slug, found.data],
    ]),
  );
}

const X = 'X1B2c3D4e5F6';
const Y = 'Y1B2c3D4e5F6';
const Z = 'Z1B2c3D4e5F6';
const x = (data: Record<string, unknown> = {}, change: Partial<StoredDocument> = {}) => doc({ id: X, data, ...change });
const y = (data: Record<string, unknown> = {}, change: Partial<StoredDocument> = {}) => doc({ id: Y, data, ...change });
const z = (data: Record<string, unknown> = {}, change: Partial<StoredDocument> = {}) => doc({ id: Z, data, ...change });

test('deleted, and another made in its place: an external document keeps that slug, and the deleted one does not come back', () => {
  const ours = [[remove('a')], [put(y({ n: 1 }))]];
  assert.equal(seen(replay(byPath(x()), byPath(x({ theirs: 1 })), ...ours)), { [PATH]: [Y, 'a', { n: 1 }] });
  const renamed = byPath(x({ theirs: 1 }, { slug: 'b' }));
  assert.equal(seen(replay(byPath(x()), renamed, ...ours)), { [PATH]: [Y, 'a', { n: 1 }] });
  const replaced = byPath(z({ theirs: 1 }));
  assert.equal(seen(replay(byPath(x()), replaced, ...ours)), {
    [PATH]: [Z, 'a', { theirs: 1 }],
    [at('a-2')]: [Y, 'a-2', { n: 1 }],
  });
});

test('renamed, and another made with the old slug: an external change goes with the document', () => {
  const ours = [[remove('a'), put(x({}, { slug: 'z', updatedAt: LATER }))], [put(y({ n: 1 }))]];
  assert.equal(seen(replay(byPath(x()), byPath(x({ theirs: 1 })), ...ours)), {
    [PATH]: [Y, 'a', { n: 1 }],
    [at('z')]: [X, 'z', { theirs: 1 }],
  });
  const renamed = byPath(x({ theirs: 1 }, { slug: 'b' }), z({ theirs: 2 }));
  assert.equal(seen(replay(byPath(x()), renamed, ...ours)), {
    [PATH]: [Z, 'a', { theirs: 2 }],
    [at('a-2')]: [Y, 'a-2', { n: 1 }],
    [at('z')]: [X, 'z', { theirs: 1 }],
  });
});

test('renamed to a slug that an external commit gave away, and deleted: our document is the one that goes', () => {
  const ours = [[remove('a'), put(x({}, { slug: 'z', updatedAt: LATER }))]];
  const theirs = byPath(x({ theirs: 1 }), z({ theirs: 2 }, { slug: 'z' }));
  assert.equal(seen(replay(byPath(x()), theirs, ...ours)), {
    [at('z')]: [Z, 'z', { theirs: 2 }],
    [at('z-2')]: [X, 'z-2', { theirs: 1 }],
  });
  assert.equal(seen(replay(byPath(x()), theirs, ...ours, [remove('z')])), { [at('z')]: [Z, 'z', { theirs: 2 }] });
});

test('if two documents had to give way, the later one keeps its place when the other is deleted', () => {
  const w = z({ theirs: 3 }, { id: 'W1B2c3D4e5F6', slug: 'a-2' });
  const ours = [[put(x({ n: 1 }))], [remove('a-2')], [put(x({ n: 2 }, { updatedAt: LATER }))]];
  const base = byPath(w);
  assert.equal(seen(replay(base, byPath(z({ theirs: 2 }), w), ...ours)), {
    [PATH]: [Z, 'a', { theirs: 2 }],
    [at('a-3')]: [X, 'a-3', { n: 2 }],
  });
});

test('a document that an external commit renamed into the place of another exists once, with the changes of both', () => {
  const other = z({ n: 9 }, { slug: 'b' });
  const change = [[put(x({ ours: 1 }, { updatedAt: LATER }))]];
  const moved = x({ theirs: 1 }, { slug: 'b' });
  assert.equal(seen(replay(byPath(x(), other), byPath(moved), ...change)), {
    [at('b')]: [X, 'b', { theirs: 1, ours: 1 }],
  });
  const swapped = byPath(moved, z({ n: 9 }));
  assert.equal(seen(replay(byPath(x(), other), swapped, ...change)), {
    [PATH]: [Z, 'a', { n: 9 }],
    [at('b')]: [X, 'b', { theirs: 1, ours: 1 }],
  });
  assert.equal(seen(replay(byPath(x(), other), swapped, [remove('a')])), { [PATH]: [Z, 'a', { n: 9 }] });
});

test('a document that an external commit deleted and we renamed has the new slug, whatever has the old one', () => {
  const ours = [remove('a'), put(x({ n: 1 }, { slug: 'z', updatedAt: LATER }))];
  assert.equal(seen(replay(byPath(x()), {}, ours)), { [at('z')]: [X, 'z', { n: 1 }] });
  assert.equal(seen(replay(byPath(x()), byPath(z()), ours)), {
    [PATH]: [Z, 'a', {}],
    [at('z')]: [X, 'z', { n: 1 }],
  });
});

test('a document that both sides restored or imported exists once, with the keys of both', () => {
  const ours = x({ title: 'ours', mine: 1 }, { updatedAt: LATER });
  const theirs = { title: 'theirs', yours: 1 };
  const both = { title: 'ours', mine: 1, yours: 1 };
  assert.equal(seen(replay({}, byPath(x(theirs)), [put(ours)])), { [PATH]: [X, 'a', both] });
  assert.equal(seen(replay({}, byPath(x(theirs, { slug: 'b' })), [put(ours)])), { [PATH]: [X, 'a', both] });
});

test('restoring an older version undoes no later external change', () => {
  const base = byPath(x({ title: 'new', rank: 2 }));
  const older = x({ title: 'old', rank: 2 }, { updatedAt: LATER });
  const theirs = byPath(x({ title: 'new', rank: 3, theirs: 1 }, { locale: 'de' }));
  const files = replay(base, theirs, [put(older)]);
  assert.equal(seen(files), { [PATH]: [X, 'a', { title: 'old', rank: 3, theirs: 1 }] });
  assert.is((files[PATH] as StoredDocument).locale, 'de');
});

test('a document that an external commit moved into its shard, or out of it, stays there', () => {
  const ours = put(x({ ours: 1 }, { updatedAt: LATER }));
  assert.equal(seen(replay(byPath(x()), { [shard('a')]: x({ theirs: 1 }) }, [ours])), {
    [shard('a')]: [X, 'a', { theirs: 1, ours: 1 }],
  });
  assert.equal(seen(replay(byPath(x()), { [shard('a')]: x({ theirs: 1 }) }, [remove('a')])), {});
  assert.equal(seen(replay({ [shard('a')]: x() }, byPath(x({ theirs: 1 })), [put(x({ ours: 1 }), shard('a'))])), {
    [PATH]: [X, 'a', { theirs: 1, ours: 1 }],
  });
  const renamed = [remove('a'), put(x({}, { slug: 'z', updatedAt: LATER }))];
  assert.equal(seen(replay(byPath(x()), { [shard('a')]: x({ theirs: 1 }) }, renamed)), {
    [shard('z')]: [X, 'z', { theirs: 1 }],
  });
});

test('if we moved documents into shards, external changes of them move along', () => {
  const ours = [remove('a'), put(x(), shard('a')), remove('b'), put(z({}, { slug: 'b' }), shard('b'))];
  const base = byPath(x(), z({}, { slug: 'b' }));
  assert.equal(seen(replay(base, byPath(x({ theirs: 1 }), z({ theirs: 2 }, { slug: 'b' })), ours)), {
    [shard('a')]: [X, 'a', { theirs: 1 }],
    [shard('b')]: [Z, 'b', { theirs: 2 }],
  });
});

test('a slug that an external commit gave to a document in the other layout is taken', () => {
  assert.equal(seen(replay({}, { [shard('a')]: z() }, [put(x({ n: 1 }))])), {
    [shard('a')]: [Z, 'a', {}],
    [at('a-2')]: [X, 'a-2', { n: 1 }],
  });
});

test('an external file that is not a document keeps its slug from a new document, and stops a change of the document it replaced', () => {
  assert.equal(seen(replay({}, { [PATH]: '{ broken' }, [put(x({ n: 1 }))])), {
    [PATH]: '{ broken',
    [at('a-2')]: [X, 'a-2', { n: 1 }],
  });
  assert.throws(
    () => replay(byPath(x()), { [PATH]: '{ broken' }, [put(x({ n: 1 }))]),
    /posts\/a\.json has become a file/,
  );
  const beside = { [PATH]: x({ theirs: 1 }), [shard('a')]: '{ broken' };
  assert.equal(seen(replay(byPath(x()), beside, [put(x({ n: 1 }))])), {
    [shard('a')]: '{ broken',
    [PATH]: [X, 'a', { theirs: 1, n: 1 }],
  });
});

test('our translation names its source by the slug that it has after both changes', () => {
  const translation = y({ n: 1 }, { slug: 'a-de', locale: 'de', translationOf: 'a', translationGroup: 'g1' });
  const link = [put(translation), put(x({}, { translationGroup: 'g1' }))];
  const linkOf = (files: Files, slug: string): unknown[] => {
    const { translationOf, translationGroup } = files[at(slug)] as StoredDocument;
    return [translationOf, translationGroup];
  };
  const renamed = replay(byPath(x()), byPath(x({ theirs: 1 }, { slug: 'b' }), z()), link);
  assert.equal(Object.keys(renamed), [at('a-de'), PATH, at('b')]);
  assert.equal(
    [linkOf(renamed, 'a-de'), linkOf(renamed, 'b')],
    [
      ['b', 'g1'],
      [undefined, 'g1'],
    ],
  );

  const gaveWay = replay({}, byPath(z()), [put(x())], link);
  assert.equal(
    [linkOf(gaveWay, 'a-de'), linkOf(gaveWay, 'a-2')],
    [
      ['a-2', 'g1'],
      [undefined, 'g1'],
    ],
  );

  const both = replay(
    byPath(x(), { ...translation, translationGroup: 'g1' }),
    byPath(x({ theirs: 1 }), { ...translation, data: { theirs: 1 } }, z({}, { slug: 'z' })),
    [
      remove('a'),
      put(x({}, { slug: 'z', updatedAt: LATER })),
      put({ ...translation, translationOf: 'z', updatedAt: LATER }),
    ],
  );
  assert.equal(Object.keys(both), [at('a-de'), at('z'), at('z-2')].sort());
  assert.is(linkOf(both, 'a-de')[0], 'z-2');
  assert.equal((both[at('a-de')] as StoredDocument).data, { theirs: 1 });
});

test('if both sides made the first translation of a document, all translations are in one group', () => {
  const german = y({}, { slug: 'a-de', locale: 'de', translationOf: 'a', translationGroup: 'ours' });
  const french = z({}, { slug: 'a-fr', locale: 'fr', translationOf: 'a', translationGroup: 'theirs' });
  const danish = doc({ id: 'V1B2c3D4e5F6', slug: 'a-da', translationOf: 'a', translationGroup: 'ours' });
  const files = replay(
    byPath(x()),
    byPath(x({}, { translationGroup: 'theirs' }), french),
    [put(german), put(x({}, { translationGroup: 'ours' }))],
    [put(danish)],
  );
  const groups = Object.values(files).map((found) => (found as StoredDocument).translationGroup);
  assert.equal(groups, ['theirs', 'theirs', 'theirs', 'theirs']);
});

test.run();
