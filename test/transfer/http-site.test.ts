import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../src/content/document.ts';
import type { ServiceError } from '../../src/lib/errors.ts';
import { openHttpSite } from '../../src/transfer/http-site.ts';
import { importFolder } from '../../src/transfer/import-folder.ts';
import { writeFolder } from '../../src/transfer/write-folder.ts';
import { CONFIG, makeFolder } from './world.ts';

type Answer = [status: number, body: unknown];

/** A service with the endpoints that import and export call. */
async function serve(override?: (request: IncomingMessage) => Answer | undefined) {
  const documents = new Map<string, Document>();
  const calls: string[] = [];
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (request.headers.authorization !== 'Bearer cms_t') return [401, { error: 'no', code: 'unauthenticated' }];
    const { pathname, searchParams } = new URL(request.url as string, 'http://x');
    if (searchParams.get('site') !== 'main') return [400, { error: 'name a site', code: 'site_required' }];
    if (pathname === '/api/manifest') return [200, { ...CONFIG, storage: {} }];
    const [, , , collection = '', slug] = pathname.split('/');
    const key = `${collection}/${slug}`;
    if (request.method !== 'GET') calls.push(`${request.method} ${pathname}`);
    const body = request.method === 'GET' ? {} : JSON.parse(await text(request));
    if (body.data?.views !== undefined && typeof body.data.views !== 'number') {
      const details = [{ path: 'data.views', message: 'must be a number' }];
      return [400, { error: 'views', code: 'invalid_input', details }];
    }
    if (slug === undefined && request.method === 'GET') {
      return [200, { documents: [...documents.values()].filter((one) => one.collection === collection), total: 0 }];
    }
    if (request.method === 'POST') {
      const at = '2024-01-01T00:00:00.000Z';
      const made = { ...body, id: 'A00000000000', collection, createdAt: at, updatedAt: at };
      documents.set(`${collection}/${body.slug}`, made);
      return [200, made];
    }
    const existing = documents.get(key);
    if (!existing) return [404, { error: 'not found', code: 'not_found' }];
    if (request.method === 'PATCH')
      documents.set(key, { ...existing, ...body, data: { ...existing.data, ...body.data } });
    return [200, documents.get(key)];
  };
  const server = createServer(async (request, response) => {
    const [status, body] = override?.(request) ?? (await answer(request));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    documents,
    calls,
    url,
    options: { url, token: 'cms_t', site: 'main', fetch },
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no refusal';
  } catch (error) {
    return (error as ServiceError).code;
  }
}

test('an import through the API creates, changes only what changed, and repeats without a write', async () => {
  await using service = await serve();
  using folder = makeFolder({
    'posts/a.md': '---\ntitle: A\nviews: 1\n---\nText',
    'posts/b.md': '---\nlocale: da\ntranslationOf: a\n---',
    'posts/c.md': '---\nviews: many\n---',
  });
  const run = async () => importFolder(folder.path, await openHttpSite(service.options));
  const first = await run();
  assert.equal([first.created, first.failed], [2, 1]);
  assert.equal(first.problems, [{ file: 'posts/c.md', field: 'views', message: 'must be a number' }]);
  assert.is(service.documents.get('posts/b')?.translationOf, 'a');
  service.calls.length = 0;

  folder.write('posts/c.md', '---\ntitle: C\n---');
  folder.write('posts/a.md', '---\ntitle: A\nviews: 2\ndraft: true\n---\nText');
  const second = await run();
  assert.equal([second.created, second.updated, second.unchanged], [1, 1, 1]);
  assert.equal(service.calls.sort(), ['PATCH /api/cms/posts/a', 'POST /api/cms/posts']);
  assert.is(service.documents.get('posts/a')?.status, 'draft');
  service.calls.length = 0;

  assert.is((await run()).unchanged, 3);
  assert.equal(service.calls, []);
});

test('a trial run through the API writes nothing', async () => {
  await using service = await serve();
  using folder = makeFolder({ 'posts/a.md': '# A' });
  const report = await importFolder(folder.path, await openHttpSite(service.options), { dryRun: true });
  assert.is(report.created, 1);
  assert.equal(service.calls, []);
});

test('an export through the API imports as no change', async () => {
  await using service = await serve();
  using folder = makeFolder({ 'posts/a.md': '---\ntitle: A\n---\nText', 'notes/b.json': '{"text":"x"}' });
  const site = await openHttpSite(service.options);
  await importFolder(folder.path, site);
  for (const format of ['md', 'json'] as const) {
    using target = makeFolder();
    assert.is((await writeFolder(target.path, site, { format })).written, 2);
    assert.is((await importFolder(target.path, site)).unchanged, 2);
  }
});

test('a wrong token, a missing site and a wrong address are reported as such', async () => {
  await using service = await serve();
  assert.is(await codeOf(openHttpSite({ ...service.options, token: 'x' })), 'unauthenticated');
  assert.is(await codeOf(openHttpSite({ ...service.options, site: undefined })), 'site_required');
  assert.is(await codeOf(openHttpSite({ ...service.options, url: 'ftp://x' })), 'invalid_input');
  assert.is(await codeOf(openHttpSite({ ...service.options, url: 'http://127.0.0.1:1' })), 'upstream_failed');
});

test('a service that is not Colophon is an upstream failure', async () => {
  for (const answer of [
    [200, '<html>'],
    [200, '{}'],
    [502, '<html>'],
    [302, ''],
    [500, '{"x":1}'],
  ] as Answer[]) {
    await using service = await serve(() => answer);
    assert.is(await codeOf(openHttpSite(service.options)), 'upstream_failed', JSON.stringify(answer));
  }
});

test('a permission lost in the middle ends the import', async () => {
  await using service = await serve((request) =>
    request.method === 'POST' ? [403, { error: 'no', code: 'forbidden' }] : undefined,
  );
  using folder = makeFolder({ 'posts/a.md': '# A', 'posts/b.md': '# B' });
  assert.is(await codeOf(importFolder(folder.path, await openHttpSite(service.options))), 'forbidden');
});

test.run();
