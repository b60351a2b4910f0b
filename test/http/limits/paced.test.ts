// Streamed answers: other requests run in between, the bytes are the same, and each end notices when the other ends.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { paced } from '../../../src/http/limits/paced.ts';
import { route } from '../../../src/http/route.ts';
import { createSharedBreathe } from '../../../src/lib/queues/slices.ts';
import { type FakeSite, makeWorld } from '../world.ts';

/** Bytes that are available at once, each piece after some work. */
function* work(pieces: number, eachMs: number): Generator<Buffer> {
  for (let i = 0; i < pieces; i++) {
    for (const until = performance.now() + eachMs; performance.now() < until; );
    yield Buffer.alloc(1000, i);
  }
}

/** Counts the turns of the event loop until the work is done. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await run();
  isDone = true;
  return turns;
}

test('a source that always has more lets other requests run', async () => {
  const turns = await countTurns(() => buffer(paced(Readable.from(work(100, 1), { objectMode: false }))));
  assert.ok(turns >= 15, String(turns));
});

test('many streams share one slice of time', async () => {
  const breathe = createSharedBreathe(3);
  const run = async () => {
    for (const _ of work(20, 1)) await breathe();
  };
  const turns = await countTurns(() => Promise.all(Array.from({ length: 10 }, run)));
  // All waiting streams go on in the next turn, with one piece each.
  assert.ok(turns >= 15, String(turns));
});

test('the bytes are the same, and an error in the middle is passed on', async () => {
  const expected = Buffer.concat([...work(50, 0)]);
  assert.equal(await buffer(paced(Readable.from(work(50, 0), { objectMode: false }))), expected);
  const broken = paced(
    Readable.from(
      (function* () {
        yield Buffer.from('some');
        throw new Error('disk went away');
      })(),
    ),
  );
  try {
    await buffer(broken);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'disk went away');
  }
});

test('a source that fails before it is read, or that is never read, is closed', async () => {
  const early = new Readable({ read() {} });
  const stream = paced(early);
  const failed = once(stream, 'error');
  early.destroy(new Error('no such file'));
  assert.is(((await failed)[0] as Error).message, 'no such file');

  const unread = new Readable({ read() {} });
  const closed = once(unread, 'close');
  paced(unread).destroy();
  await closed;
  assert.ok(unread.destroyed);
});

test('a long answer to a fast reader does not hold up other requests', async () => {
  const long = route<FakeSite>({
    method: 'get',
    path: '/long',
    summary: 's',
    tag: 't',
    allow: 'public',
    site: false,
    answers: {},
    handle: () => ({ body: Readable.from(work(300, 1), { objectMode: false }) }),
  });
  await using world = await makeWorld({ routes: [long] });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  for (const coding of ['identity', 'gzip']) {
    turns = 0;
    const [response] = (await once(
      get(`${world.url}/long`, { headers: { 'accept-encoding': coding } }),
      'response',
    )) as [IncomingMessage];
    await buffer(response);
    assert.ok(turns >= 20, `${coding}: ${turns}`);
  }
  clearInterval(timer);
});

test.run();
