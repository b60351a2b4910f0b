import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { openHttpSite } from '../../src/transfer/http-site.ts';
import { importFolder } from '../../src/transfer/import-folder.ts';
import { CONFIG, makeFolder } from './world.ts';

type Answer = [status: number, body: unknown];

/** A service with the endpoints that import and export call. */
async function serve(override?: (request: IncomingMessage) => Answer | undefined) {
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (request.headers.authorization !== 'Bearer cms_t') return [401, { error: 'no', code: 'unauthenticated' }];
    const { pathname, searchParams } = new URL(request.url as string, 'http://x');
    if (searchParams.get('site') !== 'main') return [400, { error: 'name a site', code: 'site_required' }];
    if (pathname === '/api/manifest') return [200, { ...CONFIG, storage: {} }];
    return [404, { error: 'not found', code: 'not_found' }];
  };
  const server = createServer(async (request, response) => {
    const [status, body] = override?.(request) ?? (await answer(request));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
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
