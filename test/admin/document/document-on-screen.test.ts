// A document on the screen against a service that refuses, is slow, loses answers, and is used by others as well.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocument } from '../../../src/admin/document/document-on-screen.ts';
import { acceptField, fillIn, isUnchanged, toProposal } from '../../../src/admin/document/proposal.ts';
import { makeDrafts, open } from './on-screen.ts';

test('a save sends what was changed and nothing else, and an emptied field that was absent is taken out', async () => {
  const { document, service } = await open({ title: 'a', rank: 1 });
  document.set('data.title', 'b');
  assert.is(document.saveState.value.kind, 'unsaved');
  document.set('data.mood', 'glad');
  assert.ok(await document.save());
  document.set('data.mood', '');
  document.set('data.title', '');
  assert.ok(await document.save({ status: 'published' }));
  assert.ok(await document.save());
  assert.equal(
    service.sent.map(({ body }) => body),
    [{ data: { title: 'b', mood: 'glad' } }, { unset: ['mood'], data: { title: '' }, status: 'published' }],
  );
  assert.is(document.saveState.value.kind, 'saved');
});

test('a third change that leaves nothing to decide is reported, and the save goes on', async () => {
  const { document, service, events } = await open({ title: 'a', rank: 1 });
  document.set('data.title', 'mine');
  document.set('data.rank', 2);
  service.change({ title: 'theirs' });
  assert.not(await document.save({ status: 'published' }));
  assert.is(document.conflicts.value.length, 1);
  service.change({ title: 'mine' });
  await document.follow(undefined);
  assert.equal([events[0], document.conflicts.value.length], ['settled', 0]);
  assert.ok(await document.save());
  assert.equal([service.stored?.status, service.stored?.data], ['published', { title: 'mine', rank: 2 }]);
  // After going back nothing is wanted any more.
  document.set('data.title', 'mine again');
  service.change({ title: 'theirs again' });
  assert.not(await document.save());
  document.postpone();
  const before = service.sent.length;
  service.change({ title: 'mine' });
  await document.follow(undefined);
  assert.equal([events.filter((one) => one === 'settled').length, service.sent.length], [1, before]);
});

test('accepted texts of a model are stored as the model’s, each by itself, and the rest as the person’s', async () => {
  const drafts = makeDrafts();
  const { document, service, parts } = await open({ title: 'a', lead: 'b', rank: 1 }, drafts);
  acceptField(document, { name: 'title', value: 'A', model: 'm-1' });
  acceptField(document, { name: 'lead', value: 'B', model: 'm-1' });
  const undo = acceptField(document, { name: 'body', value: 'C', model: 'm-1' });
  undo();
  assert.is(document.value('data.body').value, undefined);
  document.set('data.lead', 'B, by me');
  await document.keep();
  // It is so after a reload as well.
  const latest = { document: service.stored!, etag: service.etag };
  document.close();
  const again = await openDocument(parts, latest);
  assert.equal(again.proposal.value?.fields, ['title', 'lead']);
  assert.ok(await again.save({ status: 'published' }));
  assert.equal(
    service.sent.map(({ method, url, body }) => [method, url, body]),
    [
      [
        'POST',
        '/api/cms/ai/rewrite',
        {
          ...{ collection: 'posts', slug: 'tides', field: 'title', instruction: 'as accepted' },
          ...{ apply: true, data: { title: 'A' } },
        },
      ],
      ['PATCH', '/api/cms/posts/tides', { data: { lead: 'B, by me' }, status: 'published' }],
    ],
  );
  assert.equal([again.proposal.value, again.saveState.value.kind], [undefined, 'saved']);
  assert.equal(service.stored?.data, { title: 'A', lead: 'B, by me', rank: 1 });
});

test('others changes of other fields merge silently, and what is typed meanwhile stays', async () => {
  const { document, service, events } = await open({ title: 'a', rank: 1 });
  document.set('data.title', 'b');
  service.before = () => {
    service.change({ rank: 2 });
    document.set('data.title', 'bc');
  };
  assert.ok(await document.save());
  assert.equal(events, ['merged']);
  assert.equal(service.stored?.data, { title: 'bc', rank: 2 });
  // A change that was seen before the save is said with it as well.
  document.set('data.title', 'bcd');
  service.change({ rank: 3 });
  await document.follow(undefined);
  assert.is(document.value('data.rank').value, 3);
  service.before = () => document.set('data.title', 'bcde');
  assert.ok(await document.save());
  assert.is(service.stored?.data.title, 'bcd');
  assert.equal(events, ['merged', 'merged']);
  assert.is(document.value('data.title').value, 'bcde');
  assert.is(document.saveState.value.kind, 'unsaved');
});

test('what both changed is asked, nothing is written until it is decided, and a third change asks again', async () => {
  const { document, service } = await open({ title: 'a' });
  document.set('data.title', 'mine');
  service.change({ title: 'theirs' });
  assert.not(await document.save({ status: 'published' }));
  assert.is(document.conflicts.value.length, 1);
  assert.is(document.saveState.value.kind, 'conflict');
  assert.is(service.stored?.data.title, 'theirs');
  service.change({ title: 'a third' });
  assert.not(await document.resolve(new Map([['data.title', 'both']])));
  assert.is(document.conflicts.value[0]?.theirs, 'a third');
  assert.is(service.stored?.data.title, 'a third');
  assert.ok(await document.resolve(new Map([['data.title', 'all three']])));
  assert.equal([service.stored?.data.title, service.stored?.status], ['all three', 'published']);
});

test('a create whose answer was lost is made once, and what was typed since is saved after it', async () => {
  const drafts = makeDrafts();
  const { document, service, events, parts } = await open(undefined, drafts);
  document.set('data.title', 'a');
  service.losing = 'answer';
  assert.not(await document.save());
  assert.is(document.saveState.value.kind, 'failed');
  document.set('data.title', 'ab');
  await document.keep();
  document.close();
  // The page is closed and opened again in between.
  const again = await openDocument(parts, undefined);
  assert.ok(again.isRestored.value);
  assert.is(again.value('data.title').value, 'ab');
  assert.ok(await again.save());
  assert.equal(
    service.sent.map(({ method, key }) => `${method} ${key ?? ''}`),
    ['POST key-1', 'POST key-1', 'PATCH '],
  );
  assert.equal(service.stored?.data, { title: 'ab' });
  assert.equal(events, ['moved made']);
  assert.is(drafts.all.size, 0);
});

test('without a connection the text stays, on the device too, and is sent once it is back', async () => {
  const { document, service, drafts } = await open({ title: 'a' });
  document.set('data.title', 'b');
  service.losing = 'request';
  assert.not(await document.save({ status: 'published' }));
  assert.is(drafts.all.get('ada//posts/a1B2c3D4e5F6')?.title, 'b');
  assert.ok(await document.retry());
  assert.equal([service.stored?.data.title, service.stored?.status], ['b', 'published']);
  assert.is(drafts.all.size, 0);
  // An answer that was lost: the second request finds everything done.
  document.set('data.title', 'c');
  service.losing = 'answer';
  assert.not(await document.save());
  assert.ok(await document.retry());
  assert.is(service.stored?.data.title, 'c');
});

test('a draft whose document has moved on goes through the merge first', async () => {
  const drafts = makeDrafts();
  const { document, service, parts } = await open({ title: 'a', body: 'x' }, drafts);
  document.set('data.title', 'mine');
  document.set('data.body', 'y');
  await document.keep();
  document.close();
  service.change({ title: 'theirs', body: 'y' });
  const again = await openDocument(parts, { document: service.stored!, etag: service.etag });
  assert.equal([...again.edits.value.keys()], ['data.title']);
  assert.is(again.saveState.value.kind, 'conflict');
  assert.not(await again.save());
  await again.discard();
  assert.is(again.value('data.title').value, 'theirs');
  assert.is(drafts.all.size, 0);
});

test('a deleted document keeps its text, and can become a new one', async () => {
  const { document, service } = await open({ title: 'a', rank: 1 });
  document.set('data.title', 'b');
  service.remove();
  assert.not(await document.save());
  assert.ok(document.isGone.value);
  document.keepAsNew();
  assert.ok(await document.save());
  assert.equal(service.stored?.data, { title: 'b', rank: 1 });
});

test('what is chosen after a lost create is done as well', async () => {
  const { document, service } = await open(undefined);
  document.set('data.title', 'a');
  service.losing = 'request';
  assert.not(await document.save());
  assert.ok(await document.save({ status: 'published' }));
  assert.is(service.stored?.status, 'published');
});

test('a schedule, an address or a status does not store what waits beside it', async () => {
  const { document, service, drafts } = await open({ title: 'a' });
  assert.ok(await document.save({ status: 'published' }));
  document.set('data.title', 'half a sen');
  assert.ok(await document.change({ unpublishAt: '2126-03-01T09:30:00.000Z' }));
  assert.ok(await document.change({ slug: 'ebb', updateReferences: true }));
  assert.equal([service.stored?.slug, service.stored?.data.title], ['ebb', 'a']);
  // Neither does another status, nor the way back from it.
  for (const status of ['draft', 'published', 'archived', 'published'] as const) {
    assert.ok(await document.change({ status }));
    assert.equal([service.stored?.status, service.stored?.data.title], [status, 'a']);
  }
  assert.is(document.value('data.title').value, 'half a sen');
  assert.is(drafts.all.size, 1);
  assert.ok(await document.save({ status: 'published' }));
  assert.is(service.stored?.data.title, 'half a sen');
});

test('a draft that waits for the connection goes on waiting while one types, a publication does not', async () => {
  const { document, service } = await open({ title: 'a' });
  document.set('data.title', 'b');
  service.losing = 'request';
  assert.not(await document.save());
  document.set('data.title', 'bc');
  assert.is(document.saveState.value.kind, 'failed');
  assert.ok(await document.retry());
  assert.is(service.stored?.data.title, 'bc');
  service.losing = 'request';
  assert.not(await document.save({ status: 'published' }));
  document.set('data.title', 'half a sen');
  assert.is(document.saveState.value.kind, 'unsaved');
});

test('what a field says while it is removed with its document is kept', async () => {
  const { document, drafts } = await open({ title: 'a' });
  document.close();
  document.set('data.title', 'b');
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(drafts.all.get('ada//posts/a1B2c3D4e5F6')?.title, 'b');
});

test('a translation that is begun is another draft than a new document', async () => {
  const drafts = makeDrafts();
  const empty = await open(undefined, drafts);
  empty.document.set('data.title', 'an idea');
  await empty.document.keep();
  const initial = { data: { title: 'Tides' }, locale: 'de', translationOf: 'tides' };
  const { document } = await open(undefined, drafts, { initial, newPlace: 'new?from=tides&locale=de' });
  assert.equal([document.value('data.title').value, document.isRestored.value], ['Tides', false]);
  document.set('data.title', 'Gezeiten');
  assert.ok(await document.save());
  assert.equal(
    [...drafts.all.values()].map(({ place }) => place),
    ['new'],
  );
});

test('a device that keeps nothing is said so, and a refusal names its reason', async () => {
  const drafts = makeDrafts();
  drafts.change = async () => {
    throw new Error('the quota has been exceeded');
  };
  const { document } = await open({ title: 'a' }, drafts);
  document.set('data.title', 'b');
  await document.keep();
  assert.equal(document.saveState.value, { kind: 'unsaved', isKept: false });
  assert.ok(document.isKeeping.value);
});

const SOURCE = { title: 'Tides', lead: 'Two a day', rank: 3 };
const TRANSLATION = { data: SOURCE, locale: 'de', translationOf: 'tides' };
const PROPOSED = { title: 'Gezeiten', lead: 'Zwei am Tag', rank: 3 };
const FROM = { source: 'tides', locale: 'de', model: 'scripted-1' };

test('a proposal is what the model changed, without the fields that the person has written', () => {
  const current = { ...SOURCE, lead: 'Zweimal täglich' };
  assert.equal(toProposal({ ...FROM, data: PROPOSED }, SOURCE, current), {
    ...FROM,
    data: { ...SOURCE, title: 'Gezeiten' },
    fields: ['title'],
  });
  assert.equal(toProposal({ ...FROM, data: {} }, SOURCE, SOURCE).fields, []);
});

test('a proposal is stored as the model’s, and what the person made of it after that, as theirs', async () => {
  const drafts = makeDrafts();
  const { document, service, parts } = await open(undefined, drafts, { initial: TRANSLATION });
  fillIn(document, toProposal({ ...FROM, data: PROPOSED }, SOURCE, document.data()));
  assert.equal(document.data(), PROPOSED);
  assert.equal(service.sent, []);
  document.set('data.lead', 'Zweimal täglich');
  document.set('slug', 'gezeiten');
  await document.keep();
  document.close();
  // Read back from the device, it is still known what was proposed.
  const again = await openDocument(parts, undefined);
  const is = (name: string): boolean => isUnchanged(again.proposal.value, name, again.data()[name]);
  assert.equal(['title', 'lead', 'rank'].map(is), [true, false, false]);
  service.losing = 'answer';
  assert.not(await again.save({ status: 'published' }));
  assert.ok(await again.retry());
  const [first, repeated, second] = service.sent;
  assert.is(service.sent.length, 3);
  assert.equal(first, {
    ...{ method: 'POST', url: '/api/cms/ai/translate', key: 'key-1' },
    body: { collection: 'posts', slug: 'tides', locale: 'de', apply: true, data: PROPOSED },
  });
  assert.equal(repeated, first);
  assert.equal([second?.method, second?.url], ['PATCH', '/api/cms/posts/made']);
  assert.equal(second?.body, { slug: 'gezeiten', data: { lead: 'Zweimal täglich' }, status: 'published' });
  assert.is(again.proposal.value, undefined);
  assert.equal(again.conflicts.value, []);
});

test('the way back from a proposal leaves what was typed since; after it, the document is the person’s alone', async () => {
  const { document, service } = await open(undefined, makeDrafts(), { initial: TRANSLATION });
  const undo = fillIn(document, toProposal({ ...FROM, data: PROPOSED }, SOURCE, document.data()));
  document.set('data.lead', 'Zweimal täglich');
  undo();
  assert.equal(document.data(), { ...SOURCE, lead: 'Zweimal täglich' });
  assert.ok(await document.save());
  assert.equal(
    service.sent.map(({ url }) => url),
    ['/api/cms/posts'],
  );
});

test('what the service adds to a new document is no change by another', async () => {
  const { document, service } = await open(undefined);
  document.set('data.title', 'a');
  service.before = () => document.set('slug', 'typed-meanwhile');
  assert.ok(await document.save());
  assert.equal(document.conflicts.value, []);
  assert.is(service.sent.at(-1)?.body.slug, 'typed-meanwhile');
});

test.run();
