// Ours on top of somebody else's change of the same document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../src/content/document.ts';
import { createRebase, mergeDocuments } from '../../src/content/rebase.ts';
import { inOrder, toFile } from '../../src/content/stored.ts';
import type { Rebase } from '../../src/store/replant.ts';
import type { FileChange } from '../../src/store/tree-set.ts';
import { makeDesk, NOON } from './world.ts';

const { schema } = makeDesk();
const LATER = '2026-01-02T12:00:00.500Z';
const PATH = 'content/posts/a.json';

function doc(change: Partial<StoredDocument> = {}): StoredDocument {
  const own = { id: 'a1B2c3D4e5F6', slug: 'a', collection: 'posts', status: 'draft' as const };
  return inOrder(
    { ...own, createdAt: NOON, updatedAt: NOON, data: { title: 'T', rank: 1, own: 'o' }, ...change },
    schema,
  );
}

function newRebase(): Rebase {
  return createRebase((name) => (name === 'posts' ? schema : undefined));
}

/** What the files of a change of ours come to where `base` became `theirs`. */
function rebase(
  files: FileChange[],
  base: Record<string, StoredDocument>,
  theirs: Record<string, StoredDocument | string>,
  rebaseOne = newRebase(),
) {
  const around = {
    base: (path: string) => base[path] && toFile(base[path]),
    theirs(path: string) {
      const there = theirs[path];
      return typeof there === 'string' ? Buffer.from(there) : there && toFile(there);
    },
    added: () => Object.keys(theirs).filter((path) => !base[path]),
  };
  return rebaseOne(files, around);
}

/** Paths to slugs and titles, null for what is removed. */
function outcome(files: FileChange[]): Record<string, unknown> {
  return Object.fromEntries(
    files.map(({ path, content }) => {
      const found = content && (JSON.parse(String(content)) as StoredDocument);
      return [path, found && [found.slug, found.data.title]];
    }),
  );
}

const fileOf = (content: StoredDocument, path = PATH): FileChange => ({ path, content: toFile(content) });

test('each side keeps the keys that it changed; of two values for one key ours stays', () => {
  const merged = mergeDocuments(
    doc(),
    doc({ updatedAt: LATER, status: 'published', data: { title: 'ours', rank: 1, own: 'o', mine: null } }),
    doc({ locale: 'de', data: { title: 'theirs', rank: 2, own: 'theirs', yours: 1 } }),
  );
  assert.equal(inOrder(merged, schema), {
    ...doc({ status: 'published', locale: 'de', updatedAt: LATER }),
    data: { title: 'ours', rank: 2, own: 'theirs', yours: 1, mine: null },
  });
});

test('keys that either side took away are gone', () => {
  const ours = doc({ updatedAt: LATER, data: { title: 'T', rank: 1 } });
  const theirs = doc({ data: { rank: 1, own: 'o' } });
  assert.equal(mergeDocuments(doc(), ours, theirs).data, { rank: 1 });
  const cleared = mergeDocuments(doc({ publishAt: LATER }), doc(), doc({ publishAt: LATER, locale: 'de' }));
  assert.is(cleared.publishAt, undefined);
  assert.is(cleared.locale, 'de');
});

test('locks are merged field by field, and a lock of ours moves no date', () => {
  const lock = { lockedBy: 'user' as const, lockedAt: NOON };
  const merged = mergeDocuments(
    doc({ _fieldMeta: { rank: lock } }),
    doc({ _fieldMeta: { rank: lock, title: lock } }),
    doc({ updatedAt: LATER, data: { title: 'theirs' }, _fieldMeta: { own: lock } }),
  );
  assert.equal(merged._fieldMeta, { own: lock, title: lock });
  assert.is(merged.updatedAt, LATER);
});

test('updatedAt is later than both', () => {
  const theirs = doc({ updatedAt: '2030-01-01T00:00:00.000Z' });
  assert.is(mergeDocuments(doc(), doc({ updatedAt: LATER }), theirs).updatedAt, '2030-01-01T00:00:00.001Z');
});

test('files that nobody else changed stay the very same', () => {
  const files = [fileOf(doc({ updatedAt: LATER })), { path: 'content/posts/b.json', content: null }];
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: doc() }), files);
  assert.is(rebase(files, {}, {}), files);
  assert.is(rebase(files, { [PATH]: doc() }, {}), files);
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: '{ broken' }), files);
});

test('a rename of ours takes their change along', () => {
  const renamed = 'content/posts/z.json';
  const files = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z', updatedAt: LATER }), renamed)];
  const [removed, written] = rebase(files, { [PATH]: doc() }, { [PATH]: doc({ data: { title: 'theirs' } }) });
  assert.equal(removed, { path: PATH, content: null });
  assert.is(written?.path, renamed);
  assert.equal(JSON.parse(String(written?.content)), doc({ slug: 'z', updatedAt: LATER, data: { title: 'theirs' } }));
});

const OTHER = 'Z1B2c3D4e5F6';
const at = (slug: string) => `content/posts/${slug}.json`;

test('a document that we deleted and brought back comes back with their change of it', () => {
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

test('where they gave the slug of a new document of ours to another one, ours gets the next that is free', () => {
  const theirs = {
    [PATH]: doc({ id: OTHER, data: { title: 'theirs' } }),
    [at('a-2')]: doc({ id: OTHER, slug: 'a-2' }),
  };
  assert.equal(outcome(rebase([fileOf(doc({ data: { title: 'ours' } }))], {}, theirs)), {
    [at('a-3')]: ['a-3', 'ours'],
  });
});

test('later changes of ours follow a document that had to give way', () => {
  const base = { [PATH]: doc() };
  const theirs = { [PATH]: doc({ id: OTHER }), [at('a-2')]: doc({ slug: 'a-2' }) };
  const changed = fileOf(doc({ updatedAt: LATER, data: { title: 'later' } }));
  assert.equal(outcome(rebase([changed], base, theirs)), { [at('a-2')]: ['a-2', 'later'] });
  assert.equal(outcome(rebase([{ path: PATH, content: null }], base, theirs)), { [at('a-2')]: null });
  const renamed = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z' }), at('z'))];
  assert.equal(outcome(rebase(renamed, base, theirs)), { [at('a-2')]: null, [at('z')]: ['z', 'T'] });
});

test('a change of ours follows a document that they renamed, and so does a deletion', () => {
  const base = { [PATH]: doc() };
  const theirs = { [at('new')]: doc({ slug: 'new', data: { title: 'T', rank: 9 } }) };
  const files = rebase([fileOf(doc({ updatedAt: LATER, data: { title: 'ours', rank: 1 } }))], base, theirs);
  assert.equal(outcome(files), { [at('new')]: ['new', 'ours'] });
  assert.is(JSON.parse(String(files[0]?.content)).data.rank, 9);
  assert.equal(outcome(rebase([{ path: PATH, content: null }], base, theirs)), { [at('new')]: null });
});

test('where both renamed a document it has our slug and is there once', () => {
  const files = [{ path: PATH, content: null }, fileOf(doc({ slug: 'z', updatedAt: LATER }), at('z'))];
  assert.equal(outcome(rebase(files, { [PATH]: doc() }, { [at('new')]: doc({ slug: 'new' }) })), {
    [at('new')]: null,
    [at('z')]: ['z', 'T'],
  });
});

test('a deletion of ours leaves the document alone that they put in its place', () => {
  const files = [{ path: PATH, content: null }];
  assert.equal(rebase(files, { [PATH]: doc() }, { [PATH]: doc({ id: OTHER }) }), []);
});

test('what they deleted and we changed is there again', () => {
  const files = [fileOf(doc({ updatedAt: LATER }))];
  assert.is(rebase(files, { [PATH]: doc() }, {}), files);
});

test('files of no document are ours as they are', () => {
  const files = [{ path: 'media/a.txt', content: Buffer.from('ours') }];
  assert.is(rebase(files, {}, { 'media/a.txt': 'theirs' }), files);
});

test('a deletion of ours is a deletion', () => {
  const files = [{ path: PATH, content: null }];
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: doc({ data: {} }) }), files);
});

test.run();
