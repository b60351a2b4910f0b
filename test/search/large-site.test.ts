// A site that is large enough for an index in a separate thread, through the same services as requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../src/access/actor.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { createIndexThread, type IndexThread } from '../../src/search/index-thread.ts';
import { openSite } from '../../src/sites/open-site.ts';
import type { Site } from '../../src/sites/site.ts';
import { CONFIG } from '../support/world.ts';

const DOCUMENTS = 1200;
const WRITERS = 64;

interface Large extends AsyncDisposable {
  site: Site;
  thread: IndexThread;
  warnings: string[];
  reopen(): Promise<void>;
  /** Slugs, in no order. */
  find(q: string): Promise<string[]>;
}

async function makeLargeSite(): Promise<Large> {
  const folder = mkdtempSync(join(tmpdir(), 'large-'));
  const warnings: string[] = [];
  const open = async (): Promise<Pick<Large, 'site' | 'thread'>> => {
    const thread = createIndexThread();
    const warn = (message: string): void => void warnings.push(message);
    const options = { id: 'default', org: 'default', config: parseConfig(CONFIG), folder, indexThread: thread, warn };
    return { thread, site: await openSite(options) };
  };
  const large: Large = {
    ...(await open()),
    warnings,
    async reopen() {
      await large.site.close();
      Object.assign(large, await open());
    },
    async find(q) {
      const { items, total } = await large.site.search.search({ q, limit: 500 });
      assert.is(items.length, Math.min(total, 500), q);
      return items.map(({ slug }) => slug).sort();
    },
    async [Symbol.asyncDispose]() {
      await large.site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const { content } = large.site;
  const all = Array.from({ length: DOCUMENTS }, (_, i) => ({ slug: `doc-${i}`, data: { title: `first w${i}x` } }));
  await Promise.all(all.map((input) => content.create('many', input, SYSTEM)));
  return large;
}

async function refusal(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error) => error.code ?? String(error),
  );
}

test('each of 64 writers finds what it wrote, renamed and deleted as soon as it is answered', async () => {
  await using large = await makeLargeSite();
  const { site, find, thread } = large;
  const { content } = site;
  assert.equal(await find(`w${DOCUMENTS - 1}x`), [`doc-${DOCUMENTS - 1}`]);
  assert.ok(thread.worker(), 'the index is not in a thread');
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) {
      const n = turn * WRITERS + writer;
      const slug = `doc-${n}`;
      await content.update('many', { slug }, { data: { title: `second n${n}x` } }, SYSTEM);
      assert.equal(await find(`n${n}x`), [slug]);
      assert.equal(await find(`w${n}x`), []);
      await content.update('many', { slug }, { slug: `renamed-${n}-r` }, SYSTEM);
      assert.equal(await find(`renamed-${n}-r`), [`renamed-${n}-r`]);
      await content.remove('many', { slug: `renamed-${n}-r` }, SYSTEM);
      assert.equal(await find(`n${n}x`), []);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  assert.is((await large.site.search.search({ q: 'first' })).total, DOCUMENTS - 4 * WRITERS);
});

test('an anonymous reader never finds an unpublished document, even while it is being unpublished', async () => {
  await using large = await makeLargeSite();
  const { content, search } = large.site;
  const slugs = Array.from({ length: 200 }, (_, i) => `doc-${i}`);
  await Promise.all(slugs.map((slug) => content.update('many', { slug }, { status: 'published' }, SYSTEM)));
  const look = async (): Promise<void> => {
    const { items } = await search.search({ q: 'first', limit: 500 }, { publishedOnly: true });
    for (const { slug, status } of items) {
      assert.is(status, 'published', slug);
      assert.is(large.site.view.bySlug('many', slug)?.status, 'published', slug);
    }
  };
  const taking = Promise.all(slugs.map((slug) => content.update('many', { slug }, { status: 'draft' }, SYSTEM)));
  for (let i = 0; i < 50; i++) await look();
  await taking;
  assert.is((await search.search({ q: 'first' }, { publishedOnly: true })).total, 0);
});

test('a thread that dies loses no write, and search is right again once its index is rebuilt', async () => {
  await using large = await makeLargeSite();
  const { content } = large.site;
  await large.find('first');
  const writes = Array.from({ length: 400 }, (_, i) =>
    content.update('many', { slug: `doc-${i}` }, { data: { title: `second n${i}x` } }, SYSTEM),
  );
  const searches = Array.from({ length: 20 }, () => refusal(large.find('first')));
  await large.thread.worker()!.terminate();
  assert.equal(
    (await Promise.allSettled(writes)).filter(({ status }) => status === 'rejected'),
    [],
  );
  for (const code of await Promise.all(searches)) assert.ok(code === undefined || code === 'unavailable', code);
  while (await refusal(large.find('first'))) await delay(5);
  assert.is((await large.site.search.search({ q: 'second' })).total, 400);
  assert.is((await large.site.search.search({ q: 'first' })).total, DOCUMENTS - 400);
  assert.equal(await large.find('n399x'), ['doc-399']);
  assert.ok(large.warnings.some((message) => message.startsWith('the search thread ended')));
});

test('a site that closes during indexing ends its thread, and finds everything when it opens again', async () => {
  await using large = await makeLargeSite();
  const asked = refusal(large.find('first'));
  const { thread } = large;
  const worker = thread.worker();
  assert.ok(worker);
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  await large.reopen();
  await exited;
  assert.is(thread.worker(), undefined);
  const code = await asked;
  assert.ok(code === undefined || code === 'unavailable', code);
  assert.is(large.site.opened.from, 'snapshot');
  assert.is((await large.site.search.search({ q: 'first' })).total, DOCUMENTS);
  assert.equal(await large.find('w7x'), ['doc-7']);
});

test.run();
