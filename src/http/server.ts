// The listening socket: limits for slow or hostile clients, and a shutdown that loses no request in flight.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type PaceLimit, SLOWEST } from '../lib/time/pace.ts';
import { type ConnectionLimits, createAddressCount } from './limits/connections.ts';
import { createPaceWatch } from './limits/pace-watch.ts';

export interface Limits {
  /** How long the client has for all headers of a request. */
  headersTimeoutMs: number;
  /** How long the client has for the whole request, including an upload of 50 MiB over a slow line. */
  requestTimeoutMs: number;
  /** Longer than the 60 s of common proxies, so that they and not the service close an idle connection. */
  keepAliveTimeoutMs: number;
  /** How long a connection may see no byte in either direction. */
  idleTimeoutMs: number;
  /** How often Node checks the first two. */
  checkIntervalMs: number;
  /** The service closes sockets beyond these at once; default: no limit. */
  connections: ConnectionLimits;
  /** Clients that send or take less than this are ended. */
  slowest: PaceLimit;
}

const LIMITS: Limits = {
  // 10 s together with the check interval (decisions.md, section 12).
  headersTimeoutMs: 9_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 600_000,
  checkIntervalMs: 1_000,
  connections: { all: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY },
  slowest: SLOWEST,
};

/** How long shutdown waits for a connection that has sent nothing. */
const SILENCE_MS = 100;

export interface Listening {
  url: string;
  port: number;
  /** Stops accepting, lets requests in flight finish, and cuts the rest after the grace period. */
  close(graceMs: number): Promise<void>;
}

/** @throws the error of `listen` (EADDRINUSE, EACCES). */
export async function listen(
  callback: RequestListener,
  {
    host,
    port,
    limits = {},
    trustProxy = 0,
  }: { host: string; port: number; limits?: Partial<Limits>; trustProxy?: number },
): Promise<Listening> {
  const {
    headersTimeoutMs,
    requestTimeoutMs,
    keepAliveTimeoutMs,
    idleTimeoutMs,
    checkIntervalMs,
    connections,
    slowest,
  } = { ...LIMITS, ...limits };
  const addresses = createAddressCount(connections.perAddress, trustProxy > 0);
  const inFlight = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  const paceWatch = createPaceWatch({ ...slowest, end: endSlow });
  let isClosing = false;

  const onRequest: RequestListener = (req, res) => {
    inFlight.add(res);
    const unfollow = paceWatch.follow(req, res);
    res.once('close', () => {
      inFlight.delete(res);
      unfollow();
      // The connection of the last answer becomes idle only after this turn of the event loop.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
    if (isClosing) res.setHeader('Connection', 'close');
    callback(req, res);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      // Node's own refusal has no body; frame.ts refuses instead.
      requireHostHeader: false,
    },
    onRequest,
  );
  server.timeout = idleTimeoutMs;
  if (Number.isFinite(connections.all)) server.maxConnections = connections.all;
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (!addresses.enter(address)) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      addresses.leave(address);
    });
  });
  // body.ts sends 100 Continue when it reads the body, after the checks that can refuse the request.
  server.on('checkContinue', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const pending = [...inFlight].find((res) => res.socket === socket);
    refuseConnection(error, socket, pending?.headersSent === true);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    close(graceMs) {
      isClosing = true;
      paceWatch.close();
      return closeServer(server, inFlight, sockets, graceMs);
    },
  };
}

function closeServer(
  server: Server,
  inFlight: ReadonlySet<ServerResponse>,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // Browsers open connections in advance; Node does not count one that never sent a byte as idle. What a client sent
    // a moment ago is still read first.
    const silence = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SILENCE_MS);
    server.close(() => {
      clearTimeout(timer);
      clearTimeout(silence);
      resolve();
    });
    for (const res of inFlight) {
      if (!res.headersSent) res.setHeader('Connection', 'close');
      // An event stream never ends by itself; its client reconnects.
      else if (String(res.getHeader('content-type')).startsWith('text/event-stream')) res.end();
    }
    server.closeIdleConnections();
  });
}

/** A client that takes its answer too slowly is cut off; one that sends too slowly gets a 408 before. */
function endSlow({ socket }: IncomingMessage, { headersSent }: ServerResponse, direction: 'in' | 'out'): void {
  if (direction === 'out') {
    socket.destroy();
    return;
  }
  refuseConnection({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, headersSent);
  // The handler learns that its client is gone.
  socket.destroySoon();
}

/** Answers what cannot be parsed with a fixed refusal, unless half of another answer is already out. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, isAnswering: boolean): void {
  if (isAnswering || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, text, code] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'the request took too long', 'request_timeout']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'the request headers are too large', 'invalid_input']
        : ['400 Bad Request', 'the request is not valid HTTP', 'invalid_input'];
  const body = JSON.stringify({ error: text, code });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
