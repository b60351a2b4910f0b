// What an actor without content:write may change, decided on the documents before and after.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DocumentEvent, StoredDocument } from '../../../src/content/document.ts';
import { refusePublic, refusePublicChange } from '../../../src/content/lists/drafts-only.ts';
import type { ServiceError } from '../../../src/lib/errors.ts';
import { makeDesk, USER } from '../world.ts';

const AUTHOR = { ...USER, draftsOnly: true };
const AT = '2030-01-01T00:00:00.000Z';

function isRefused(decide: () => void): boolean {
  try {
    decide();
    return false;
  } catch (error) {
    assert.is((error as ServiceError).code, 'forbidden');
    return true;
  }
}

test('published and scheduled documents are refused, before and after, but not to actors who may write everything', () => {
  const refuses = (...sides: Parameters<typeof refusePublic>[1][]) => isRefused(() => refusePublic(AUTHOR, ...sides));
  assert.is(refuses({ status: 'draft' }), false);
  assert.is(refuses({ status: 'archived', publishAt: null }, undefined, {}), false);
  assert.is(refuses({ status: 'published' }), true);
  assert.is(refuses({ status: 'draft' }, { status: 'published' }), true);
  assert.is(refuses({ status: 'draft', publishAt: AT }), true);
  assert.is(
    isRefused(() => refusePublic(USER, { status: 'published' })),
    false,
  );
});

test('a public document that changes along with another may gain the group that the server makes, and nothing else', () => {
  const desk = makeDesk();
  const made = desk.create({ slug: 'source', status: 'published', data: { title: 'T' } }).after;
  const { translationGroup: _, ...source } = made;
  const draft = (more: Partial<StoredDocument>): StoredDocument => ({ ...source, id: 'D', status: 'draft', ...more });
  const event = (before: StoredDocument | undefined, group: string, other: Partial<StoredDocument>): DocumentEvent => ({
    name: before ? 'document.updated' : 'document.created',
    before,
    after: draft({ translationOf: 'source', translationGroup: group }),
    also: [{ before: source, after: { ...source, translationGroup: group, ...other } }],
    fields: [],
    actor: AUTHOR,
  });
  const refuses = (one: DocumentEvent, given?: string) => isRefused(() => refusePublicChange(one, given));
  assert.is(refuses(event(undefined, 'g1', {})), false);
  assert.is(refuses(event(draft({}), 'g1', {})), false);
  assert.is(refuses(event(undefined, 'g1', {}), 'g1'), true, 'a group of their choice');
  assert.is(refuses(event(draft({ translationGroup: 'g1' }), 'g1', {})), true, 'the group of their document');
  assert.is(refuses(event(undefined, 'g1', { translationOf: 'other' })), true, 'another source');
});

test.run();
