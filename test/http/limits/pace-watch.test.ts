// Clients that stall, with a window that a test can wait for.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../../src/http/server.ts';

const SLOWEST = { bytesPerSecond: 10_000, windowMs: 500 };
/** More than the buffers of a socket hold. */
const LARGE_BYTES = 32 << 20;

interface Ended {
  text: string;
  ms: number;
}

/** A connection that sent this; resolves when the service has closed it. */
function send(port: number, text: string): { socket: Socket; ended: Promise<Ended> } {
  const socket = connect(port, '127.0.0.1');
  const beganAt = performance.now();
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined); // the service cuts the connection, as expected
  socket.write(text);
  const ended = once(socket, 'close').then(() => ({
    text: Buffer.concat(chunks).toString('latin1'),
    ms: performance.now() - beganAt,
  }));
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return { socket, ended };
}

async function open(handler: (req: IncomingMessage, res: ServerResponse) => void) {
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, limits: { slowest: SLOWEST } });
  return { port: listening.port, [Symbol.asyncDispose]: () => listening.close(0) };
}

async function readBody(req: IncomingMessage): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of req) sizeBytes += chunk.length;
  return sizeBytes;
}

test('an upload that stalls is 408, and its handler learns that the client is gone', async () => {
  const failed = Promise.withResolvers<unknown>();
  await using world = await open((req) => void readBody(req).catch(failed.resolve));
  const { ended } = send(world.port, 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc');
  const { text, ms } = await ended;
  assert.match(text, /^HTTP\/1\.1 408 /);
  assert.match(text, /"code":"request_timeout"/);
  assert.ok(ms >= SLOWEST.windowMs && ms < 10 * SLOWEST.windowMs, `${ms} ms`);
  assert.instance(await failed.promise, Error);
});

test('an upload that trickles is ended too, and one above the limit is not', async () => {
  await using world = await open(
    (req, res) =>
      void readBody(req).then(
        (size) => res.end(`${size}`),
        () => undefined,
      ),
  );
  const total = 200_000;
  const upload = (stepBytes: number) => {
    const head = `PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`;
    const { socket, ended } = send(world.port, head);
    const timer = setInterval(() => socket.write('x'.repeat(stepBytes)), 20);
    return ended.finally(() => clearInterval(timer));
  };
  const [slow, fast] = await Promise.all([upload(20), upload(2000)]);
  assert.match(slow.text, /^HTTP\/1\.1 408 /);
  assert.match(fast.text, /^HTTP\/1\.1 200 /);
});

test('a download that nobody reads is cut off', async () => {
  await using world = await open((_, res) => void Readable.from([Buffer.alloc(LARGE_BYTES)]).pipe(res));
  const { socket } = send(world.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.pause();
  const beganAt = performance.now();
  // A paused socket does not see its end.
  await delay(4 * SLOWEST.windowMs);
  socket.resume();
  await once(socket, 'close');
  assert.ok(performance.now() - beganAt < 20 * SLOWEST.windowMs);
  assert.ok(socket.bytesRead < LARGE_BYTES, `${socket.bytesRead} bytes`);
});

test('a download that is read slowly, but not too slowly, comes whole', async () => {
  const sizeBytes = 6 << 20;
  await using world = await open((_, res) => void res.end(Buffer.alloc(sizeBytes)));
  const { socket, ended } = send(world.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const timer = setInterval(() => {
    socket.resume();
    setTimeout(() => socket.pause(), 2);
  }, 100);
  const { text } = await ended.finally(() => clearInterval(timer));
  assert.ok(text.length > sizeBytes, `${text.length} bytes`);
});

test('a service that takes its time, and an event stream that has nothing to say, are no slow clients', async () => {
  await using world = await open((req, res) => {
    if (req.url === '/events') {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(': hello\n\n');
      setTimeout(() => res.end('data: 1\n\n'), 3 * SLOWEST.windowMs);
    } else setTimeout(() => void readBody(req).then(() => res.end('done')), 3 * SLOWEST.windowMs);
  });
  const close = 'Host: x\r\nConnection: close\r\n';
  const answers = await Promise.all([
    send(world.port, `GET /events HTTP/1.1\r\n${close}\r\n`).ended,
    send(world.port, `PUT / HTTP/1.1\r\n${close}Content-Length: 3\r\n\r\nabc`).ended,
  ]);
  for (const { text } of answers) assert.match(text, /^HTTP\/1\.1 200 /);
  assert.match(answers[0]!.text, /data: 1/);
  assert.match(answers[1]!.text, /done/);
});

test.run();
