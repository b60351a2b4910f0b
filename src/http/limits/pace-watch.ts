// Ends requests whose client sends its body, or takes its answer, too slowly: a client that stalls would hold a place
// for as long as it likes. Looks at the sockets a few times in each window, and counts only the time in which the
// service waits for the client: not while a pack is prepared, and not between the events of a stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPace, type PaceLimit, type PeerPace } from '../../lib/time/pace.ts';
import { isWaitingForContinue } from '../body.ts';
import { type FindUnacknowledged, readUnacknowledged } from './unacknowledged.ts';

/** What the service waits for: the body, or that the answer is taken. */
type PaceDirection = 'in' | 'out';

export interface PaceWatch {
  /** Watches the request. Returns the function that stops it, for when the answer is closed. */
  follow(req: IncomingMessage, res: ServerResponse): () => void;
  close(): void;
}

export interface PaceWatchParts extends PaceLimit {
  /** Ends the request of a client that is too slow. */
  end(req: IncomingMessage, res: ServerResponse, direction: PaceDirection): void;
}

interface Followed {
  req: IncomingMessage;
  res: ServerResponse;
  pace: PeerPace;
  /** As of the last look. */
  direction: PaceDirection | undefined;
  moved: number;
  atMs: number;
}

const LOOKS = 10;

export function createPaceWatch({ end, ...limit }: PaceWatchParts): PaceWatch {
  const followed = new Set<Followed>();
  let isLooking = false;

  function look(one: Followed, findUnacknowledged: FindUnacknowledged): void {
    const { req, res, pace } = one;
    const before = { ...one };
    one.direction = directionOf(req, res);
    one.atMs = performance.now();
    if (one.direction === undefined) return;
    one.moved = movedOf(req.socket, one.direction, findUnacknowledged);
    if (one.direction !== before.direction) return;
    if (pace.note(one.atMs - before.atMs, one.moved - before.moved)) end(req, res, one.direction);
  }

  async function lookAtAll(): Promise<void> {
    if (isLooking || followed.size === 0) return;
    isLooking = true;
    try {
      const isSending = [...followed].some(({ req, res }) => directionOf(req, res) === 'out');
      const find = isSending ? await readUnacknowledged() : () => undefined;
      for (const one of followed) look(one, find);
    } finally {
      isLooking = false;
    }
  }

  const timer = setInterval(() => void lookAtAll(), limit.windowMs / LOOKS).unref();

  return {
    follow(req, res) {
      const pace = createPace(limit);
      const one: Followed = { req, res, pace, direction: undefined, moved: 0, atMs: performance.now() };
      followed.add(one);
      return () => void followed.delete(one);
    },
    close: () => clearInterval(timer),
  };
}

function directionOf(req: IncomingMessage, res: ServerResponse): PaceDirection | undefined {
  // Another answer on the same connection comes first.
  if (res.socket === null || res.destroyed) return undefined;
  if (isReading(req)) return 'in';
  if (!res.headersSent || String(res.getHeader('content-type')).startsWith('text/event-stream')) return undefined;
  return queuedOf(req.socket) > 0 ? 'out' : undefined;
}

/** The service has asked for the body and has space for more of it. */
function isReading(req: IncomingMessage): boolean {
  if (req.complete || isWaitingForContinue(req)) return false;
  const isWanted = req.readableFlowing === true || req.readableDidRead || req.listenerCount('readable') > 0;
  return isWanted && req.readableLength < req.readableHighWaterMark;
}

/** Node's socket counts what it was given; its handle counts what it still has. */
interface SocketHandle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

function handleOf(socket: Socket): SocketHandle {
  return (socket as { _handle?: SocketHandle | null })._handle ?? {};
}

function queuedOf(socket: Socket): number {
  return Math.max(handleOf(socket).writeQueueSize ?? 0, socket.writableLength);
}

/** Bytes that have arrived, or that the client has acknowledged. */
function movedOf(socket: Socket, direction: PaceDirection, findUnacknowledged: FindUnacknowledged): number {
  if (direction === 'in') return socket.bytesRead;
  const { bytesWritten, writeQueueSize = 0 } = handleOf(socket);
  if (bytesWritten === undefined) return socket.bytesWritten - socket.writableLength;
  return bytesWritten - writeQueueSize - (findUnacknowledged(socket) ?? 0);
}
