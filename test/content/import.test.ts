// Importing a document: it is created or changed by its slug, and only if something differs.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCms } from '../../src/cms.ts';
import type { ImportInput } from '../../src/content/commands.ts';
import { CONFIG } from '../support/world.ts';
import { IMPORT, makeDesk, NOON, problems, refusal } from './world.ts';

const LOCK = { lockedBy: 'import', lockedAt: NOON };
const HELLO: ImportInput = { slug: 'hello', status: 'published', data: { title: 'T', own: 1 } };

test('a new document has what the file has, and the server makes the rest', () => {
  const desk = makeDesk();
  const event = desk.import(HELLO);
  assert.is(event?.name, 'content.imported');
  assert.equal(event?.fields, ['title', 'own']);
  assert.equal(event?.after, {
    id: 'Id0000000001',
    slug: 'hello',
    collection: 'posts',
    status: 'published',
    createdAt: NOON,
    updatedAt: NOON,
    data: { title: 'T', own: 1 },
    _fieldMeta: { title: LOCK, own: LOCK },
  });
  const kept = { id: 'a1B2c3D4e5F6', createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2021-01-01T00:00:00.000Z' };
  const { _fieldMeta: _, ...after } = desk.import({ ...HELLO, ...kept, slug: 'kept' })!.after;
  assert.equal(after, { ...kept, slug: 'kept', collection: 'posts', status: 'published', data: HELLO.data });
});

test('a second run with nothing new makes no event', () => {
  const desk = makeDesk();
  const full = { ...HELLO, locale: 'en', createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2021-01-01T00:00:00.000Z' };
  desk.import(full);
  desk.clock.now = '2026-05-05T00:00:00.000Z';
  assert.is(desk.import(full), undefined);
  assert.is(desk.import({ ...HELLO, data: { own: 1 } }), undefined);
});

test('only changed fields are written and locked; keys that the file does not have stay', () => {
  const desk = makeDesk();
  desk.create({ slug: 'hello', status: 'published', data: { title: 'T', rank: 5, own: { a: 1, b: 2 } } });
  const event = desk.import({ ...HELLO, data: { title: 'New', own: { b: 2, a: 1 } } });
  assert.equal(event?.fields, ['title']);
  assert.equal(event?.after.data, { title: 'New', rank: 5, own: { a: 1, b: 2 } });
  assert.equal(event?.after._fieldMeta, { title: LOCK });
  assert.is(event?.after.id, 'Id0000000001');
  assert.is(event?.after.updatedAt, '2026-01-02T12:00:00.001Z');
  assert.equal(desk.import({ ...HELLO, status: 'draft', data: {} })?.fields, ['status']);
});

test('values that do not fit are refused, and nothing is written', () => {
  const desk = makeDesk();
  assert.equal(
    problems(() => desk.import({ ...HELLO, data: { rank: 'x' } })),
    ['data.rank', 'data.title'],
  );
  assert.equal(
    problems(() => desk.import({ ...HELLO, translationOf: 'nowhere' })),
    ['translationOf'],
  );
  desk.external.add('hello');
  assert.is(refusal(() => desk.import(HELLO)).code, 'conflict');
  assert.is(desk.docs.size, 0);
});

test('the service imports once, reports what a dry run would do, and refuses conflicting ids and locales', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'import-'));
  const cms = await createCms(CONFIG, { dataDir });
  const { content, store } = cms.site;
  const input = { ...HELLO, id: 'a1B2c3D4e5F6', locale: 'en' };
  assert.is((await content.importDocument('posts', input, IMPORT, { dryRun: true })).outcome, 'created');
  assert.is(store.log.status().head, null);
  assert.is((await content.importDocument('posts', input, IMPORT)).outcome, 'created');
  const { head } = store.log.status();
  assert.is((await content.importDocument('posts', input, IMPORT)).outcome, 'unchanged');
  assert.is(store.log.status().head, head);
  const changed = { ...input, data: { title: 'U' } };
  assert.is((await content.importDocument('posts', changed, IMPORT)).outcome, 'updated');
  const refused: [string, ImportInput][] = [
    ['posts', { ...input, slug: 'other' }],
    ['notes', { ...input, slug: 'other' }],
    ['posts', { ...input, locale: 'de' }],
  ];
  for (const [collection, one] of refused) {
    const code = await content.importDocument(collection, one, IMPORT).catch((error: { code: string }) => error.code);
    assert.is(code, 'conflict', JSON.stringify(one));
  }
  await cms.close();
  rmSync(dataDir, { recursive: true });
});

test.run();
