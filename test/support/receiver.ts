// An external server that webhooks are sent to: keeps what it receives and answers as the test chooses. For outbound,
// outbox and webhook tests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './process.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by the tests
  json: any;
}

/** Returns the status, or writes the answer itself. */
export type Answer = (request: Received, response: ServerResponse) => number | undefined;

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival, including refused ones. */
  readonly received: Received[];
  answer: Answer;
  /** Resolves once this many requests have arrived. */
  count(requests: number, withinMs?: number): Promise<void>;
}

export async function makeReceiver(answer: Answer = () => 204, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A client that is killed in the middle has sent nothing.
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = Buffer.concat(chunks);
      const isJson = headers['content-type'] === 'application/json';
      const one = { method, path, headers, body, json: isJson ? JSON.parse(body.toString('utf8')) : undefined };
      received.push(one);
      const status = receiver.answer(one, response);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: actualPort } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${actualPort}/hook`,
    port: actualPort,
    received,
    answer,
    count: (requests, withinMs = 10_000) =>
      eventually(() => {
        if (received.length < requests) throw new Error(`${received.length} of ${requests} requests came`);
      }, withinMs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
