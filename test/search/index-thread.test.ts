// The index in a separate thread, compared with the same index on this thread, and what happens when the thread ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEntryReader } from '../../src/content/search-entry.ts';
import { createHomeHere, type IndexChange, type IndexHome } from '../../src/search/index-home.ts';
import type { TextSchema } from '../../src/search/index-messages.ts';
import { createIndexThread } from '../../src/search/index-thread.ts';
import { writeSavedFile } from '../../src/store/disk/saved-file.ts';
import { createRandom } from '../support/random.ts';

const SCHEMA: TextSchema = {
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
        { name: 'parts', type: 'blocks', blocks: ['quote'] },
      ],
    },
  ],
  blocks: [{ name: 'quote', fields: [{ name: 'html', type: 'htmldoc' }] }],
};

const WORDS = 'heron stork crane Ærø été c++ a.b foo-bar 東京タワー Straße x y ﬁne 1.5 e-mail:me@example.org'.split(
  ' ',
);
const QUERIES = [
  ...WORDS,
  'her',
  'or',
  'e',
  '東京',
  'ron crane',
  'stork, heron',
  'title',
  'quoted',
  'hidden',
  'k1',
  '.b',
];

/** Batches of documents that are written, changed, unpublished and removed. */
function makeChanges(seed: number, count: number): IndexChange[][] {
  const random = createRandom(seed);
  const below = (n: number): number => random.whole(0, Math.floor(n) - 1);
  const words = (n: number): string => Array.from({ length: n }, () => WORDS[below(WORDS.length)]).join(' ');
  const batches: IndexChange[][] = [];
  for (let i = 0; i < count; i++) {
    const key = `k${below(count / 3)}`;
    const doc = {
      id: key,
      slug: `slug-${key}`,
      collection: 'posts',
      status: below(3) === 0 ? 'draft' : 'published',
      locale: ['en', 'de', undefined][below(3)],
      updatedAt: new Date(1e12 + below(1000) * 1000).toISOString(),
      data: {
        title: `Title ${words(2)}`,
        body: `**${words(1)}** ${words(8)}`,
        parts: [{ _block: 'quote', html: `<p class="hidden">quoted ${words(2)}</p>` }],
      },
    };
    const bytes = below(6) === 0 ? undefined : Buffer.from(JSON.stringify(doc));
    if (i % 20 === 0) batches.push([]);
    batches.at(-1)!.push({ key, bytes });
  }
  return batches;
}

async function answers(home: IndexHome): Promise<object[]> {
  const found: object[] = [];
  for (const q of QUERIES)
    for (const filter of [{}, { status: 'published' }, { locale: 'de' }, { collection: 'none' }])
      for (const [limit, offset] of [
        [500, 0],
        [7, 5],
      ] as const)
        found.push({ q, filter, ...(await home.query({ q, filter, limit, offset })) });
  return found;
}

const noEnd = (cause: unknown): void => assert.unreachable(`the thread ended: ${cause}`);

async function code(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error) => error.code,
  );
}

async function read(home: IndexHome): Promise<Buffer> {
  const saved = home.save();
  const pieces: Buffer[] = [];
  for await (const piece of saved.pieces) pieces.push(piece);
  saved.end();
  return Buffer.concat(pieces);
}

test('the thread finds what this thread finds: the same items, order, totals and pages', async () => {
  const here = createHomeHere(createEntryReader(SCHEMA));
  const there = createIndexThread().open({ schema: SCHEMA, onEnd: noEnd });
  assert.is(await there.opened, false);
  for (const batch of makeChanges(1, 900)) for (const home of [here, there]) void home.put(batch);
  assert.equal(await answers(there), await answers(here));
  await there.close();
});

test('a query finds what was put before it, without waiting for it', async () => {
  const home = createIndexThread().open({ schema: SCHEMA, onEnd: noEnd });
  const [batch] = makeChanges(2, 20) as [IndexChange[]];
  const { bytes } = batch.find((change) => change.bytes)!;
  for (let i = 0; i < 50; i++) {
    void home.put([{ key: 'one', bytes }]);
    const found = home.query({ q: 'title', limit: 10, offset: 0 });
    void home.put([{ key: 'one', bytes: undefined }]);
    const gone = home.query({ q: 'title', limit: 10, offset: 0 });
    assert.is((await found).total, 1);
    assert.is((await gone).total, 0);
  }
  await home.close();
});

test('a save has what was put before it, however much is put while it is read', async () => {
  const thread = createIndexThread();
  const home = thread.open({ schema: SCHEMA, onEnd: noEnd });
  const [first, ...rest] = makeChanges(3, 900);
  void home.put(first!);
  const saving = read(home);
  for (const batch of rest) void home.put(batch);
  const now = await answers(home);
  const saved = await saving;
  const folder = mkdtempSync(join(tmpdir(), 'index-'));
  const place = { folder, version: 'v', commit: 'c' };
  await writeSavedFile(folder, place, { search: [saved] });
  const again = thread.open({ schema: SCHEMA, saved: place, onEnd: noEnd });
  assert.is(await again.opened, true);
  const here = createHomeHere(createEntryReader(SCHEMA));
  void here.put(first!);
  assert.equal(await answers(again), await answers(here));
  // Two indexes on one thread do not affect each other.
  assert.equal(await answers(home), now);
  await again.close();
  assert.equal(await answers(home), now);
  // A saved index of another commit is not loaded.
  const other = thread.open({ schema: SCHEMA, saved: { ...place, commit: 'd' }, onEnd: noEnd });
  assert.is(await other.opened, false);
  await Promise.all([other.close(), home.close()]);
  rmSync(folder, { recursive: true });
});

test('without a saved index it starts empty', async () => {
  const saved = { folder: join(tmpdir(), 'nowhere'), version: 'v', commit: 'c' };
  const home = createIndexThread().open({ schema: SCHEMA, saved, onEnd: noEnd });
  assert.is(await home.opened, false);
  assert.is((await home.query({ q: 'title', limit: 1, offset: 0 })).total, 0);
  await home.close();
});

test('a document that cannot be read is named, and the others are indexed', async () => {
  const home = createIndexThread().open({ schema: SCHEMA, onEnd: noEnd });
  const [batch] = makeChanges(4, 20) as [IndexChange[]];
  const good = batch.find((change) => change.bytes)!;
  const problems = await home.put([{ key: 'bad', bytes: Buffer.from('{') }, good]);
  assert.equal(
    problems.map(({ key }) => key),
    ['bad'],
  );
  assert.is((await home.query({ q: 'title', limit: 1, offset: 0 })).total, 1);
  await home.close();
});

test('a refusal crosses threads with its code', async () => {
  const home = createIndexThread().open({ schema: SCHEMA, onEnd: noEnd });
  assert.is(await code(home.query({ q: '?!', limit: 1, offset: 0 })), 'invalid_input');
  await home.close();
});

test('the thread ends with the last index on it, even in the middle of work', async () => {
  const thread = createIndexThread();
  assert.is(thread.worker(), undefined);
  const [one, other] = [thread.open({ schema: SCHEMA, onEnd: noEnd }), thread.open({ schema: SCHEMA, onEnd: noEnd })];
  const worker = thread.worker()!;
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await one.close();
  assert.is(thread.worker(), worker);
  for (const batch of makeChanges(5, 900)) void other.put(batch).catch(() => undefined);
  const asked = code(other.query({ q: 'title', limit: 1, offset: 0 }));
  await other.close();
  await exited;
  assert.is(thread.worker(), undefined);
  assert.is(await asked, 'unavailable');
  assert.is(await code(other.query({ q: 'title', limit: 1, offset: 0 })), 'unavailable');
});

test('a thread that dies ends its indexes with an error, and the next index starts another thread', async () => {
  const thread = createIndexThread();
  const ended: number[] = [];
  const homes = [1, 2].map((n) => thread.open({ schema: SCHEMA, onEnd: () => ended.push(n) }));
  await Promise.all(homes.map((home) => home.opened));
  // A text so long that the thread is still reading it when it ends.
  const body = Array.from({ length: 500_000 }, (_, n) => `word${n}`).join(' ');
  const bytes = Buffer.from(JSON.stringify({ id: 'long', slug: 'long', collection: 'posts', data: { body } }));
  const asked = homes.map((home) => code(home.put([{ key: 'long', bytes }])));
  const saving = code(read(homes[0]!));
  await thread.worker()!.terminate();
  assert.equal(await Promise.all(asked), ['unavailable', 'unavailable']);
  assert.is(await saving, 'unavailable');
  assert.equal(ended, [1, 2]);
  const next = thread.open({ schema: SCHEMA, onEnd: noEnd });
  assert.is(await next.opened, false);
  await next.close();
});

test.run();
