// When a check begins and ends: with a check that the test finishes.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type VerifiedSite, verifyRoutes } from '../../../src/git/verify/routes.ts';
import type { SiteReport } from '../../../src/git/verify/site-report.ts';
import type { Route } from '../../../src/http/route.ts';
import { type FakeSite, makeWorld } from '../../http/world.ts';

const REPORT: SiteReport = {
  counts: { commits: 1, objects: 1, packs: 1, files: 1, documents: 1 },
  problems: [],
  warnings: [],
};
const ADMIN = { authorization: 'Bearer token sites:write' };

interface Running {
  progress(text: string): void;
  finish(): void;
  ended: Promise<unknown>;
}

/** `next` returns each check that begins. */
function makeChecks() {
  const begun: Running[] = [];
  let wake = (): void => undefined;
  const closing = new AbortController();
  const routes = verifyRoutes<VerifiedSite>({
    recordUnlessFull: async () => undefined,
    verify: (_, { onProgress, signal }) =>
      new Promise((resolve, reject) => {
        begun.push({ progress: onProgress, finish: () => resolve(REPORT), ended: once(signal, 'abort') });
        signal.addEventListener('abort', () => reject(signal.reason));
        wake();
      }),
  }) as unknown as Route<FakeSite>[];
  const resolveSite = (): FakeSite => ({ id: 'main', isPublic: false, closing: closing.signal }) as unknown as FakeSite;
  async function next(): Promise<Running> {
    if (begun.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return begun.shift()!;
  }
  return { routes, ports: { resolveSite }, next, closing };
}

function ask(url: string, headers: Record<string, string> = {}): ClientRequest {
  const req = request(`${url}/api/admin/repository/verify`, {
    method: 'POST',
    agent: false,
    headers: { ...ADMIN, ...headers },
  });
  req.on('error', () => undefined);
  req.end();
  return req;
}

async function answerOf(req: ClientRequest): Promise<{ status: number | undefined; text: string }> {
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of res) text += chunk;
  return { status: res.statusCode, text };
}

test('a second check of a site is refused while the first one is running', async () => {
  const { routes, ports, next } = makeChecks();
  await using world = await makeWorld({ routes, ports });
  const first = answerOf(ask(world.url));
  const check = await next();
  assert.is((await answerOf(ask(world.url))).status, 409);
  check.finish();
  assert.equal(JSON.parse((await first).text), { site: 'main', ...REPORT });
  const again = answerOf(ask(world.url));
  (await next()).finish();
  assert.is((await again).status, 200);
});

for (const accept of ['application/json', 'text/event-stream']) {
  test(`a check ends when its client hangs up, and the next one may begin (${accept})`, async () => {
    const { routes, ports, next } = makeChecks();
    await using world = await makeWorld({ routes, ports });
    const req = ask(world.url, { accept });
    const check = await next();
    req.destroy();
    await check.ended;
    const again = answerOf(ask(world.url));
    (await next()).finish();
    assert.is((await again).status, 200);
  });

  test(`a service that stops cancels a check and reports that (${accept})`, async () => {
    const { routes, ports, next, closing } = makeChecks();
    await using world = await makeWorld({ routes, ports });
    const answer = answerOf(ask(world.url, { accept }));
    const check = await next();
    closing.abort();
    await check.ended;
    const { status, text } = await answer;
    assert.is(status, accept === 'application/json' ? 503 : 200);
    assert.match(text, /"the check of site \\"main\\" was cancelled"/);
  });
}

test('progress is sent as it comes', async () => {
  const { routes, ports, next } = makeChecks();
  await using world = await makeWorld({ routes, ports });
  const req = ask(world.url, { accept: 'text/event-stream' });
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const check = await next();
  check.progress('packs: 1 of 2');
  const [chunk] = await once(res, 'data');
  assert.is(String(chunk), 'event: progress\ndata: {"text":"packs: 1 of 2"}\n\n');
  check.finish();
  const [last] = await once(res, 'data');
  assert.match(String(last), /^event: report\n/);
});

test.run();
