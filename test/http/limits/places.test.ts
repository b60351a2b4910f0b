// Event streams: how many one caller and all callers together may hold, and that each releases its place at its end.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPlaces } from '../../../src/http/limits/places.ts';
import { route } from '../../../src/http/route.ts';
import { ServiceError } from '../../../src/lib/errors.ts';
import { type FakeSite, makeWorld } from '../world.ts';

const TOKEN = { authorization: 'Bearer token content:read' };
const SESSION = { authorization: 'Bearer session content:read' };

function makeStreams() {
  const open: Readable[] = [];
  const events = route<FakeSite>({
    method: 'get',
    path: '/stream',
    summary: 's',
    tag: 't',
    allow: 'public',
    site: false,
    answers: {},
    handle() {
      const body = new Readable({ read() {} });
      open.push(body);
      return { type: 'text/event-stream', body };
    },
  });
  return { events, open };
}

async function ask(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(`${url}/stream`, { headers, agent: new Agent() }), 'response')) as [
    IncomingMessage,
  ];
  response.on('error', () => undefined);
  return response;
}

/** Repeats until the service has noticed that another client left. */
async function askUntilLetIn(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  for (const until = performance.now() + 5000; ; ) {
    const response = await ask(url, headers);
    if (response.statusCode === 200 || performance.now() > until) return response;
    response.destroy();
  }
}

test('a caller and all callers together have a limited number of event streams, and more are refused', async () => {
  const { events } = makeStreams();
  await using world = await makeWorld({
    routes: [events],
    ports: { reserveStreamPlace: createPlaces({ perCaller: 2, all: 3 }) },
  });
  const first = await ask(world.url, TOKEN);
  const second = await ask(world.url, TOKEN);
  const third = await ask(world.url, TOKEN);
  assert.equal(
    [first, second, third].map(({ statusCode }) => statusCode),
    [200, 200, 429],
  );
  assert.is(third.headers['retry-after'], '10');
  assert.match(String(third.headers['content-type']), /^application\/json/);
  const other = await ask(world.url, SESSION);
  assert.is(other.statusCode, 200);
  assert.is((await ask(world.url, SESSION)).statusCode, 429, 'all places are taken');
  first.destroy();
  assert.is((await askUntilLetIn(world.url, SESSION)).statusCode, 200, 'one left');
  for (const response of [second, third, other]) response.destroy();
});

test('a refused stream is ended, and one that ends by itself releases its place', async () => {
  const { events, open } = makeStreams();
  await using world = await makeWorld({
    routes: [events],
    ports: { reserveStreamPlace: createPlaces({ perCaller: 1, all: 9 }) },
  });
  const first = await ask(world.url, TOKEN);
  assert.is((await ask(world.url, TOKEN)).statusCode, 429);
  assert.ok(open[1]!.destroyed);
  open[0]!.push(null);
  await once(first.resume(), 'end');
  const again = await askUntilLetIn(world.url, TOKEN);
  assert.is(again.statusCode, 200);
  again.destroy();
  const head = await fetch(`${world.url}/stream`, { method: 'HEAD', headers: SESSION });
  assert.is(head.status, 200);
  const afterHead = await askUntilLetIn(world.url, SESSION);
  assert.is(afterHead.statusCode, 200, 'a HEAD holds no place');
  afterHead.destroy();
});

test('a place that is released twice is freed once', () => {
  const reserve = createPlaces({ perCaller: 1, all: 1 });
  const release = reserve('a');
  release();
  release();
  reserve('a');
  assert.throws(
    () => reserve('b'),
    (error: unknown) => error instanceof ServiceError && error.code === 'too_many_requests',
  );
});

test.run();
