// A proxy on 127.0.0.1 that keeps what it was asked for: it answers requests itself, and refuses every tunnel.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy extends AsyncDisposable {
  url: string;
  /** Method and address, in the order of arrival. */
  asked: string[];
}

export async function makeProxy({ isSilent = false } = {}): Promise<Proxy> {
  const asked: string[] = [];
  const open = new Set<{ destroy(): void }>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    if (!isSilent) response.end('by the proxy');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    open.add(socket);
    socket.on('error', () => undefined);
    if (!isSilent) socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
