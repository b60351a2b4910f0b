// What the service would store, asked while one types, of a service that is scripted here.
import { signal } from '@preact/signals';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError, type Client, OfflineError } from '../../../src/admin/api/client.ts';
import { createDryRun } from '../../../src/admin/document/dry-run.ts';
import type { Edits } from '../../../src/admin/document/edits.ts';
import type { Latest, SaveState } from '../../../src/admin/document/open-document.ts';
import { dataKey, type StoredDocument } from '../../../src/admin/document/stored-document.ts';

const COLLECTION = {
  ...{ name: 'posts', label: 'Posts' },
  fields: [
    { name: 'title', type: 'text' },
    { name: 'code', type: 'text', unique: true },
  ],
};
const STORED = { id: 'a1B2c3D4e5F6', slug: 'tides', data: {} } as unknown as StoredDocument;

type Answer = (body: { data?: Record<string, unknown> }) => unknown;

function make(latest: Latest | undefined, answer: Answer) {
  const asked: string[] = [];
  const aborted: string[] = [];
  const request: Client = async (method, url, { body, signal: stopped } = {}) => {
    const line = `${method} ${url} ${JSON.stringify(body)}`;
    asked.push(line);
    stopped?.addEventListener('abort', () => aborted.push(line));
    return { status: 200, data: (await answer(body as object)) as never, etag: undefined };
  };
  const document = {
    edits: signal<Edits>(new Map()),
    latest: signal(latest),
    saveState: signal<SaveState>({ kind: 'saved' }),
    isGone: signal(false),
  };
  const type = (name: string, value: unknown): void => {
    document.edits.value = new Map(document.edits.value).set(dataKey(name), { base: undefined, value });
  };
  const dryRun = createDryRun({ request, collection: COLLECTION, document, restMs: 5 });
  return { asked, aborted, document, type, dryRun };
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 30));
const refuse = (path: string) => {
  throw new ApiError(400, { error: 'no', details: [{ path, message: 'is taken' }] }, new Headers());
};

test('a new document shows its slug once one rests, and never that of an answer that came too late', async () => {
  const held: PromiseWithResolvers<void>[] = [];
  const { asked, aborted, type, dryRun } = make(undefined, async ({ data }) => {
    held.push(Promise.withResolvers());
    await held.at(-1)?.promise;
    return { slug: String(data?.title).toLowerCase() };
  });
  type('title', 'T');
  type('title', 'Ti');
  await rest();
  assert.equal(asked, ['POST /api/cms/posts?dryRun=true {"data":{"title":"Ti"}}']);
  type('title', 'Tides');
  assert.is(aborted.length, 1);
  await rest();
  held[0]?.resolve();
  await rest();
  assert.is(dryRun.slug.value, undefined);
  held[1]?.resolve();
  await rest();
  assert.is(dryRun.slug.value, 'tides');
  dryRun.stop();
  type('title', 'Ebb');
  await rest();
  assert.is(asked.length, 2);
});

test('only fields whose values the service alone can judge are asked about, and only what is touched has a problem', async () => {
  let answer: Answer = () => refuse('data.code');
  const { asked, document, type, dryRun } = make({ document: STORED, etag: '"1"' }, (body) => answer(body));
  type('title', 'Tides');
  await rest();
  assert.equal(asked, []);
  type('code', 'a');
  await rest();
  assert.equal(asked, ['PATCH /api/cms/posts/a1B2c3D4e5F6?dryRun=true {"data":{"title":"Tides","code":"a"}}']);
  assert.equal(dryRun.problems.value, [{ path: 'data.code', message: 'is taken' }]);
  // Saving asks nothing, and what is stored has no problem of ours.
  document.saveState.value = { kind: 'saving' };
  document.edits.value = new Map();
  assert.equal(dryRun.problems.value, []);
  document.saveState.value = { kind: 'saved' };
  answer = () => refuse('data.rank');
  type('code', 'b');
  await rest();
  assert.equal(dryRun.problems.value, []);
  dryRun.stop();
});

test('a service that is away, or refuses, says nothing', async () => {
  let failure: Error = new OfflineError(undefined);
  const { document, type, dryRun } = make(undefined, () => {
    throw failure;
  });
  type('code', 'a');
  await rest();
  failure = new ApiError(429, { error: 'slow down' }, new Headers());
  type('code', 'b');
  await rest();
  assert.equal([dryRun.slug.value, dryRun.problems.value], [undefined, []]);
  document.isGone.value = true;
  dryRun.stop();
});

test.run();
