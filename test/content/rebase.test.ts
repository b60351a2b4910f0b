// Ours on top of somebody else's change of the same document.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../src/content/document.ts';
import { mergeDocuments, rebaseFiles } from '../../src/content/rebase.ts';
import { inOrder, toFile } from '../../src/content/stored.ts';
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

/** What the files of a change of ours come to where `base` became `theirs`. */
function rebase(
  files: FileChange[],
  base: Record<string, StoredDocument>,
  theirs: Record<string, StoredDocument | string>,
) {
  return rebaseFiles(
    files,
    (path) => base[path] && toFile(base[path]),
    (path) => {
      const there = theirs[path];
      return typeof there === 'string' ? Buffer.from(there) : there && toFile(there);
    },
    (name) => (name === 'posts' ? schema : undefined),
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
  assert.is(rebase(files, {}, { [PATH]: doc({ id: 'Z1B2c3D4e5F6' }) }), files);
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

test('a deletion of ours is a deletion', () => {
  const files = [{ path: PATH, content: null }];
  assert.is(rebase(files, { [PATH]: doc() }, { [PATH]: doc({ data: {} }) }), files);
});

test.run();
