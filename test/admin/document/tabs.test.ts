// One document in several tabs of a browser, and the drafts of new documents: nobody loses a word.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocument } from '../../../src/admin/document/document-on-screen.ts';
import { chooseNewPlace, findDraftId } from '../../../src/admin/document/find-draft.ts';
import { makeDrafts, makeService, open, openAt } from './on-screen.ts';

const KEY = 'ada//posts/a1B2c3D4e5F6';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function openTwice(data: Record<string, unknown> | undefined) {
  const [made, drafts] = [makeService(data), makeDrafts()];
  const [one, other] = [await openAt(made, drafts), await openAt(made, drafts)];
  return { service: made.service, drafts, one, other };
}

test('what is typed in one tab is in the other, and both keep one draft', async () => {
  const { one, other, drafts } = await openTwice({ title: 'a', body: 'x' });
  one.document.set('data.title', 'b');
  other.document.set('data.body', 'y');
  await Promise.all([one.document.keep(), other.document.keep()]);
  await settle();
  for (const { document } of [one, other]) {
    assert.equal([document.value('data.title').value, document.value('data.body').value], ['b', 'y']);
  }
  assert.equal(
    drafts.all.get(KEY)?.edits.map(([key]) => key),
    ['data.title', 'data.body'],
  );
  const undo = await one.document.discard();
  await settle();
  assert.is(other.document.value('data.body').value, 'x');
  undo();
  await one.document.keep();
  await settle();
  assert.is(other.document.value('data.body').value, 'y');
});

test('a save in one tab takes nothing from the other, not even what is typed there meanwhile', async () => {
  const { service, one, other, drafts } = await openTwice({ title: 'a', body: 'x' });
  one.document.set('data.title', 'b');
  await one.document.keep();
  await settle();
  service.before = () => other.document.set('data.body', 'half a sen');
  assert.ok(await one.document.save());
  await settle();
  assert.equal(service.stored?.data, { title: 'b', body: 'x' });
  assert.is(other.document.value('data.title').value, 'b');
  assert.is(other.document.value('data.body').value, 'half a sen');
  assert.is(other.document.saveState.value.kind, 'unsaved');
  await other.document.keep();
  await settle();
  assert.equal(
    drafts.all.get(KEY)?.edits.map(([key]) => key),
    ['data.body'],
  );
  assert.ok(await one.document.save());
  await settle();
  assert.equal(service.stored?.data, { title: 'b', body: 'half a sen' });
  assert.is(drafts.all.size, 0);
});

test('two tabs of one new document make one document', async () => {
  const { service, one, other, drafts } = await openTwice(undefined);
  one.document.set('data.title', 'a');
  await one.document.keep();
  await settle();
  assert.is(other.document.value('data.title').value, 'a');
  service.before = () => other.document.set('data.mood', 'glad');
  assert.ok(await one.document.save());
  await settle();
  assert.equal(other.events, ['moved made']);
  assert.ok(await other.document.save());
  assert.equal(
    service.sent.map(({ method }) => method),
    ['POST', 'PATCH'],
  );
  assert.equal(service.stored?.data, { title: 'a', mood: 'glad' });
  assert.is(drafts.all.size, 0);
});

test('a way back from discarding asks about what others changed since', async () => {
  const { document, service } = await open({ title: 'a' });
  document.set('data.title', 'mine');
  const undo = await document.discard();
  service.change({ title: 'theirs' });
  await document.reload();
  undo();
  assert.is(document.saveState.value.kind, 'conflict');
  assert.not(await document.save());
  assert.is(service.stored?.data.title, 'theirs');
});

test('a deleted document that is opened again has its unsaved text, which becomes a draft of its own', async () => {
  const { document, service, drafts, parts } = await open({ title: 'a', rank: 1 });
  document.set('data.title', 'b');
  await document.keep();
  document.close();
  // It is found under its last address, also if it was renamed while this waited.
  const waiting = await openDocument(parts, { document: service.stored!, etag: service.etag });
  assert.ok(await waiting.change({ slug: 'ebb' }));
  assert.is(await findDraftId('ebb', { drafts, prefix: parts.draftPrefix }), 'a1B2c3D4e5F6');
  assert.ok(await waiting.change({ slug: 'tides' }));
  waiting.close();
  const last = { document: service.stored!, etag: '' };
  service.remove();
  assert.is(await findDraftId('tides', { drafts, prefix: parts.draftPrefix }), 'a1B2c3D4e5F6');
  assert.is(await findDraftId('ebb', { drafts, prefix: parts.draftPrefix }), undefined);

  // Another unsaved document stays what it is.
  const empty = await openDocument({ ...parts, newPlace: 'new?draft=x' }, undefined);
  empty.set('data.title', 'an idea');
  await empty.keep();
  const moved: string[] = [];
  const again = await openDocument({ ...parts, onMoved: (place) => moved.push(place) }, last, true);
  assert.equal([again.isGone.value, again.value('data.title').value], [true, 'b']);
  again.keepAsNew();
  await again.keep();
  assert.equal(moved, ['new?draft=key-1']);
  assert.equal(
    [...drafts.all].map(([key, { title, place }]) => [key.slice(parts.draftPrefix.length), title, place]),
    [
      ['new?draft=x', 'an idea', 'new?draft=x'],
      ['new?draft=key-1', 'b', 'new?draft=key-1'],
    ],
  );
  const later = await openDocument({ ...parts, newPlace: 'new?draft=key-1' }, undefined);
  assert.equal([later.data(), later.isRestored.value], [{ title: 'b', rank: 1 }, true]);
});

test('a new document goes on with unsaved work that no other tab has open', async () => {
  const { document, drafts, parts } = await open(undefined, makeDrafts(), { newPlace: 'new?draft=a' });
  document.set('data.title', 'an idea');
  await document.keep();
  const find = (query: string, more: Partial<typeof drafts> = {}) =>
    chooseNewPlace(new URLSearchParams(query), {
      drafts: { ...drafts, ...more },
      prefix: parts.draftPrefix,
      makeKey: () => 'fresh',
    });
  assert.is(await find(''), 'new?draft=a');
  assert.is(await find('', { claim: async (key) => !key.endsWith('=a') }), 'new?draft=fresh');
  assert.is(await find('from=tides'), 'new?from=tides&draft=fresh');
  assert.is(await find('draft=b'), 'new?draft=b');

  // A tab goes on with the one that it had before it was loaded again.
  const second = await openDocument({ ...parts, newPlace: 'new?draft=b', now: () => new Date(1) }, undefined);
  second.set('data.title', 'another');
  await second.keep();
  for (const token of ['a', 'b']) {
    const lastClaimed = (): string => `${parts.draftPrefix}new?draft=${token}`;
    assert.is(await find('', { lastClaimed }), `new?draft=${token}`);
  }
});

test.run();
