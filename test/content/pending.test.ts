// The state that decisions see while writes are on their way to the disk.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import type { StoredDocument } from '../../src/content/document.ts';
import { createPendingState, type PendingChange } from '../../src/content/pending.ts';
import { toRow } from '../../src/content/rows/row.ts';
import { createContentView } from '../../src/content/rows/view.ts';
import { createDecisions } from '../../src/lib/queues/decisions.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { CONFIG } from '../support/world.ts';
import { NOON } from './world.ts';

function makeState() {
  const schema = compileSite(parseConfig(CONFIG));
  const view = createContentView(schema, 'c0');
  const pending = createPendingState(view, createDecisions());
  return {
    view,
    pending,
    /** What the view does when a write is durable. */
    show(before: StoredDocument | undefined, after: StoredDocument | undefined, etag: string): void {
      if (after) view.put(toRow(after, etag, schema.collections.get('posts')!), 'c1');
      else view.remove(view.byId(before!.id)!, 'c1');
    },
  };
}

function doc(slug: string, change: Partial<StoredDocument> = {}): StoredDocument {
  const own = { id: `Id-${slug}`, slug, collection: 'posts', status: 'draft' as const };
  return { ...own, createdAt: NOON, updatedAt: NOON, data: {}, ...change };
}

test('a write is seen at once, and the view takes over when it is durable', () => {
  const { pending, show } = makeState();
  const a = doc('a');
  const change = pending.push(undefined, a, 'e1');
  assert.equal(pending.findBySlug('posts', 'a'), { doc: a, etag: 'e1' });
  assert.equal(pending.findById('posts', 'Id-a'), { doc: a, etag: 'e1' });
  assert.ok(pending.hasId('Id-a'));
  show(undefined, a, 'e1');
  change.settle();
  assert.equal(pending.findBySlug('posts', 'a'), { doc: a, etag: 'e1' });
  assert.is(pending.findById('notes', 'Id-a'), undefined);
  assert.is(pending.findBySlug('notes', 'a'), undefined);
});

test('a rename frees the old slug and keeps the id', () => {
  const { pending, show } = makeState();
  const a = doc('a');
  show(undefined, a, 'e1');
  const b = doc('b', { id: 'Id-a' });
  const change = pending.push(a, b, 'e2');
  assert.is(pending.findBySlug('posts', 'a'), undefined);
  assert.is(pending.findBySlug('posts', 'b')?.doc, b);
  assert.is(pending.findById('posts', 'Id-a')?.doc, b);
  show(a, b, 'e2');
  change.settle();
  assert.is(pending.findBySlug('posts', 'a'), undefined);
  assert.equal(pending.findBySlug('posts', 'b')?.doc, b);
});

test('an older write that becomes durable does not hide a newer one', () => {
  const { pending, show } = makeState();
  const [one, two] = [doc('a', { data: { n: 1 } }), doc('a', { data: { n: 2 } })];
  const first = pending.push(undefined, one, 'e1');
  const second = pending.push(one, two, 'e2');
  show(undefined, one, 'e1');
  first.settle();
  assert.is(pending.findBySlug('posts', 'a')?.doc, two);
  show(one, two, 'e2');
  second.settle();
  assert.equal(pending.findBySlug('posts', 'a')?.doc, two);
});

test('writes that fail are undone to what the view shows', () => {
  const { pending, show } = makeState();
  const a = doc('a');
  show(undefined, a, 'e0');
  const changes: PendingChange[] = [];
  const renamed = doc('b', { id: 'Id-a' });
  changes.push(pending.push(a, renamed, 'e1'));
  const other = doc('a', { id: 'Id-other' });
  changes.push(pending.push(undefined, other, 'e2'));
  changes.push(pending.push(renamed, undefined, ''));
  assert.is(pending.findBySlug('posts', 'a')?.doc, other);
  assert.is(pending.findBySlug('posts', 'b'), undefined);
  for (const change of changes.reverse()) change.undo();
  assert.equal(pending.findBySlug('posts', 'a'), { doc: a, etag: 'e0' });
  assert.is(pending.findBySlug('posts', 'b'), undefined);
  assert.not.ok(pending.hasId('Id-other'));
});

test('a write that fails after an earlier one became durable leaves the earlier one', () => {
  const { pending, show } = makeState();
  const [one, two] = [doc('a', { data: { n: 1 } }), doc('a', { data: { n: 2 } })];
  const first = pending.push(undefined, one, 'e1');
  const second = pending.push(one, two, 'e2');
  show(undefined, one, 'e1');
  first.settle();
  second.undo();
  assert.equal(pending.findBySlug('posts', 'a'), { doc: one, etag: 'e1' });
});

test('a deleted document is gone for decisions before it is for readers', () => {
  const { pending, show, view } = makeState();
  const a = doc('a');
  show(undefined, a, 'e1');
  pending.push(a, undefined, '');
  assert.is(pending.findBySlug('posts', 'a'), undefined);
  assert.is(pending.findById('posts', 'Id-a'), undefined);
  assert.ok(pending.hasId('Id-a'));
  assert.ok(view.bySlug('posts', 'a'));
});

test('translations are those of the newest state', () => {
  const { pending, show } = makeState();
  show(undefined, doc('de', { translationOf: 'en' }), 'e1');
  show(undefined, doc('fr', { translationOf: 'en' }), 'e2');
  pending.push(doc('fr'), doc('fr', { translationOf: 'other' }), 'e3');
  pending.push(undefined, doc('it', { translationOf: 'en' }), 'e4');
  const slugs = pending.translationsOf('posts', 'en').map(({ slug }) => slug);
  assert.equal(slugs.sort(), ['de', 'it']);
  assert.equal(pending.translationsOf('notes', 'en'), []);
});

test.run();
