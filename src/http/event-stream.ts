// Server-sent events (HTML Living Standard, section 9.2) as the body of an answer: the events of a source, a comment
// now and then so that proxies keep the connection, and an end when the client leaves or the source stops.
import { Readable } from 'node:stream';
import { ServiceError } from '../lib/errors.ts';
import { createSharedBreathe } from '../lib/queues/slices.ts';

export interface ServerEvent {
  event: string;
  /**
   * What a client that lost the connection sends back as `Last-Event-ID`; if absent, the client keeps the previous id.
   */
  id?: string;
  /** Sent as JSON. */
  data: unknown;
}

export interface EventStreamOptions {
  /** Ends the stream; the client connects again. */
  stop?: AbortSignal;
  /** Called before every comment and every event: may the client go on listening? Must be quick. */
  mayGoOn?(): boolean;
  commentMs?: number;
}

const COMMENT_MS = 15_000;
/** Shared by all streams, because an event goes to hundreds of them at once. */
const breathe = createSharedBreathe();

/** Calls `source` once; its signal aborts when the client stops listening. The stream ends when the source ends. */
/** For `mayGoOn`: whether the credentials of a request are still valid, by its `call.again`. */
export function isHeld(again: () => void): boolean {
  try {
    again();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

export function createEventStream(
  source: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  { stop, mayGoOn = () => true, commentMs = COMMENT_MS }: EventStreamOptions = {},
): Readable {
  const left = new AbortController();
  const end = (): void => left.abort();
  /** Resolves when the client has read what was sent. */
  let demand: (() => void) | undefined;
  let isRunning = false;

  const stream = new Readable({
    read() {
      demand?.();
      demand = undefined;
      if (isRunning) return;
      isRunning = true;
      run().catch((error: Error) => stream.destroy(error));
    },
    destroy(error, done) {
      finish();
      done(error);
    },
  });
  const comment = setInterval(() => {
    if (!mayGoOn()) end();
    // If the client does not read, sending it more is no sign of life.
    else if (!demand) stream.push(': still here\n\n');
  }, commentMs).unref();
  stop?.addEventListener('abort', end, { once: true });
  if (stop?.aborted) end();

  function finish(): void {
    clearInterval(comment);
    stop?.removeEventListener('abort', end);
    end();
    demand?.();
  }

  async function run(): Promise<void> {
    for await (const event of source(left.signal)) {
      if (left.signal.aborted || !mayGoOn()) break;
      if (!stream.push(toEventText(event))) await new Promise<void>((resolve) => (demand = resolve));
      if (left.signal.aborted) break;
      await breathe();
    }
    finish();
    if (!stream.destroyed) stream.push(null);
  }

  return stream;
}

/** The first event of a source for `openEventStream`; it is not sent. */
export const BEGIN_EVENT: ServerEvent = { event: 'begin', data: null };

/**
 * The same for a source that may refuse: resolves once the source has yielded BEGIN_EVENT, so that what it throws before
 * becomes the answer's status.
 */
export async function openEventStream(
  source: (signal: AbortSignal) => AsyncGenerator<ServerEvent>,
  options: EventStreamOptions = {},
): Promise<Readable> {
  const left = new AbortController();
  const events = source(left.signal);
  await events.next();
  const stream = createEventStream((signal) => {
    signal.addEventListener('abort', () => left.abort(), { once: true });
    return events;
  }, options);
  // A client that has left by now never reads: then nothing else ends the source.
  stream.once('close', () => {
    left.abort();
    void events.return(undefined).catch(() => undefined); // `run` has the error
  });
  return stream;
}

/** JSON text has no line breaks, so one `data:` line holds it. */
export function toEventText({ event, id, data }: ServerEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
