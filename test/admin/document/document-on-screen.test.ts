// A document on the screen against a service that refuses, is slow, loses answers, and is used by others as well.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, type Client, OfflineError } from '../../../src/admin/api/client.ts';
import { openDocument } from '../../../src/admin/document/document-on-screen.ts';
import type { DraftStore, KeptDraft } from '../../../src/admin/document/draft-store.ts';
import type { OpenDocumentParts } from '../../../src/admin/document/open-document.ts';
import { fillIn, isUnchanged, toProposal } from '../../../src/admin/document/proposal.ts';
import type { StoredDocument } from '../../../src/admin/document/stored-document.ts';

interface Sent {
  method: string;
  url: string;
  body: Record<string, unknown>;
  key: string | undefined;
}

/** A service with one document and Idempotency-Keys. */
function makeService(data: Record<string, unknown> | undefined) {
  let version = 1;
  let stored: StoredDocument | undefined = data && {
    id: 'a1B2c3D4e5F6',
    slug: 'tides',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data,
  };
  const sent: Sent[] = [];
  const answers = new Map<string, StoredDocument>();
  const service = {
    sent,
    /** Run before the next answer. */
    before: undefined as (() => void | Promise<void>) | undefined,
    /** The next requests end without an answer, after they were done or before. */
    losing: undefined as 'request' | 'answer' | undefined,
    get stored() {
      return stored;
    },
    get etag() {
      return `"${version}"`;
    },
    change(next: Record<string, unknown>) {
      version++;
      if (stored) stored = { ...stored, data: { ...stored.data, ...next } };
    },
    remove() {
      stored = undefined;
    },
  };
  const fail = (status: number, code: string): never => {
    throw new ApiError(status, { error: code, code }, new Headers());
  };
  const request: Client = async <T>(method: string, url: string, options: Parameters<Client>[2] = {}) => {
    const body = (options.body ?? {}) as Record<string, unknown>;
    const key = options.headers?.['Idempotency-Key'];
    if (method !== 'GET') sent.push({ method, url, body: structuredClone(body), key });
    const run = service.before;
    service.before = undefined;
    await run?.();
    const lost = service.losing;
    if (lost) service.losing = undefined;
    if (lost === 'request') throw new OfflineError(undefined);
    const known = key === undefined ? undefined : answers.get(key);
    if (method === 'POST' && !known) {
      version++;
      stored = { ...makeStored(body), ...{ status: (body.status as 'draft') ?? 'draft' } };
      if (key) answers.set(key, stored);
    } else if (method === 'PATCH') {
      if (!stored) return fail(404, 'not_found');
      if (options.headers?.['If-Match'] !== service.etag) return fail(412, 'precondition_failed');
      const { data: changes = {}, unset = [], ...own } = body as { data?: object; unset?: string[] };
      const merged: Record<string, unknown> = { ...stored.data, ...changes };
      for (const name of unset) delete merged[name];
      version++;
      stored = { ...stored, ...own, data: merged };
    } else if (!stored) return fail(404, 'not_found');
    if (lost === 'answer') throw new OfflineError(undefined);
    return { status: 200, data: (known ?? stored) as T, etag: service.etag };
  };
  return { service, request };
}

function makeStored(body: Record<string, unknown>): StoredDocument {
  return {
    id: 'n1B2c3D4e5F6',
    slug: 'made',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data: (body.data ?? {}) as Record<string, unknown>,
  };
}

function makeDrafts(): DraftStore & { all: Map<string, KeptDraft> } {
  const all = new Map<string, KeptDraft>();
  return {
    all,
    read: async (key) => structuredClone(all.get(key)),
    write: async (key, draft) => void all.set(key, structuredClone(draft)),
    writeNow: (key, draft) => all.set(key, structuredClone(draft)) === all,
    remove: async (key) => void all.delete(key),
    list: async () => [...all].map(([key, draft]) => ({ key, draft })),
  };
}

async function open(
  data: Record<string, unknown> | undefined,
  drafts = makeDrafts(),
  more: Partial<OpenDocumentParts> = {},
) {
  const { service, request } = makeService(data);
  let keys = 0;
  const events: string[] = [];
  const parts: OpenDocumentParts = {
    ...{ request, drafts, draftPrefix: 'ada//posts/', collection: 'posts', newQuery: '' },
    titleOf: (values) => String(values.title ?? ''),
    now: () => new Date(0),
    makeKey: () => `key-${++keys}`,
    onMoved: (slug) => events.push(`moved ${slug}`),
    onMerged: () => events.push('merged'),
    ...more,
  };
  const latest = service.stored && { document: service.stored, etag: service.etag };
  return { service, parts, drafts, events, document: await openDocument(parts, latest) };
}

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

test('a schedule or an address of a published document does not publish what waits beside it', async () => {
  const { document, service, drafts } = await open({ title: 'a' });
  assert.ok(await document.save({ status: 'published' }));
  document.set('data.title', 'half a sen');
  assert.ok(await document.save({ unpublishAt: '2126-03-01T09:30:00.000Z' }));
  assert.ok(await document.save({ slug: 'ebb', updateReferences: true }));
  assert.equal([service.stored?.slug, service.stored?.data.title], ['ebb', 'a']);
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
  const { document } = await open(undefined, drafts, { initial, newQuery: '?from=tides&locale=de' });
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
  drafts.write = async () => {
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
