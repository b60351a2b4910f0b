// Server-sent events as the body of an answer: their text, their comments, and every way in which they end.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventStream, type ServerEvent } from '../../src/http/event-stream.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';

/** Keeps the process running as a socket would; the comments alone do not. */
function stayAlive(): Disposable {
  const timer = setInterval(() => undefined, 1000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const event = (n: number): ServerEvent => ({ event: 'change', id: `c${n}`, data: { n } });

/** Yields some events, then waits until the client stops listening; records that it ended. */
function makeSource(events: readonly ServerEvent[]) {
  const state = { asked: 0, ended: false };
  async function* source(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    state.asked++;
    try {
      yield* events;
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      state.ended = true;
    }
  }
  return { source, state };
}

test('an event has its name, its id if it has one, and its data on one line', async () => {
  async function* source() {
    yield { event: 'change', data: { text: 'a\nb' } };
    yield event(1);
  }
  assert.is(
    await text(createEventStream(source)),
    'event: change\ndata: {"text":"a\\nb"}\n\nid: c1\nevent: change\ndata: {"n":1}\n\n',
  );
});

test('between events there are comments', async () => {
  using _ = stayAlive();
  const { source } = makeSource([event(1)]);
  const stream = createEventStream(source, { commentMs: 5 });
  let read = '';
  for await (const chunk of stream) {
    read += chunk;
    if (/^id: c1\n.*\n.*\n\n(: .*\n\n){2}/.test(read)) break;
  }
  assert.match(read, /^id: c1/);
});

test('the source is notified when the client leaves', async () => {
  using _ = stayAlive();
  const { source, state } = makeSource([event(1)]);
  const stream = createEventStream(source);
  await once(stream, 'readable');
  stream.destroy();
  await nextTurn();
  assert.equal(state, { asked: 1, ended: true });
});

test('a stopped stream ends after the events that were sent before', async () => {
  using _ = stayAlive();
  const stop = new AbortController();
  const { source, state } = makeSource([event(1), event(2)]);
  const stream = createEventStream(source, { stop: stop.signal });
  stream.once('data', () => stop.abort());
  assert.match(await text(stream), /^id: c1/);
  assert.is(state.ended, true);
  assert.is(await text(createEventStream(source, { stop: stop.signal })), '');
});

test('a client whose credentials are gone is disconnected', async () => {
  using _ = stayAlive();
  let isAllowed = true;
  const { source, state } = makeSource([event(1)]);
  const stream = createEventStream(source, { commentMs: 5, mayGoOn: () => isAllowed });
  stream.once('data', () => (isAllowed = false));
  await text(stream);
  assert.is(state.ended, true);
});

test('an event after the credentials are gone is not sent', async () => {
  using _ = stayAlive();
  let isAllowed = true;
  async function* source() {
    yield event(1);
    isAllowed = false;
    yield event(2);
  }
  const stream = createEventStream(source, { mayGoOn: () => isAllowed });
  assert.is(await text(stream), 'id: c1\nevent: change\ndata: {"n":1}\n\n');
});

test('a client that does not read is sent no more than the buffer holds', async () => {
  let yielded = 0;
  async function* source(signal: AbortSignal) {
    while (!signal.aborted) {
      yielded++;
      yield { event: 'change', data: 'x'.repeat(1000) };
    }
  }
  const stream = createEventStream(source, { commentMs: 1 });
  await once(stream, 'readable');
  await new Promise((done) => setTimeout(done, 20));
  assert.ok(yielded < 200, `${yielded}`);
  stream.destroy();
});

test('a source that fails breaks off the stream', async () => {
  async function* source() {
    yield event(1);
    throw new Error('no more');
  }
  const error = await text(createEventStream(source)).catch((thrown: Error) => thrown.message);
  assert.is(error, 'no more');
});

test.run();
