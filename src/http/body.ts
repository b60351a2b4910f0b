// Reads request bodies: bounded while they stream in, strict about their type. Bytes are never logged.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import { invalid, ServiceError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** A client that takes longer than this for a body of 1 MiB holds a connection and does not send. */
const BODY_TIMEOUT_MS = 60_000;
/** A client that sends nothing for this long in the middle of a large body is cut off. */
const SILENCE_MS = 60_000;
/** How much of a refused body the service still reads and discards, so that the client gets to read the refusal. */
const DISCARD_LIMIT_BYTES = 16 * 1024 * 1024;

const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json)$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The client went away; nobody is left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('client disconnected');
    this.name = 'ClientGone';
  }
}

/** The whole body. @throws ServiceError 413, 415 (Content-Encoding), 408; ClientGone. */
export function readBytes(
  req: IncomingMessage,
  res: ServerResponse,
  { limitBytes = BODY_LIMIT_BYTES, timeoutMs = BODY_TIMEOUT_MS } = {},
): Promise<Buffer> {
  if (req.readableDidRead) throw new Error('the request body has already been read');
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== '') {
    throw new ServiceError('unsupported_media_type', `Content-Encoding "${encoding}" is not supported`);
  }
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  continueIfAsked(req, res);

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const settle = (done: () => void): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // Nobody waits for later errors (the client resets the connection).
      req.on('error', () => {});
      done();
    };
    const onData = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) settle(() => reject(tooLarge(limitBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onClose = (): void => settle(() => reject(new ClientGone()));
    const timer = setTimeout(() => settle(() => reject(tookTooLong())), timeoutMs);
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (req.destroyed) onClose();
  });
}

/** A large body on its way to the disk; it has the headers of its request for parsers that want them. */
export type StreamedBody = Transform & {
  headers: IncomingMessage['headers'];
  /** Why the body was cut off, for the answer: a reader of the stream sees only that it breaks off. */
  refusal: Error | undefined;
  /** Call it in any case. */
  stop(): void;
};

/**
 * Streams a body of any size: cut off with 408 if the client is silent for a minute, with ClientGone if it leaves, and
 * with the error that `check` returns for a chunk. The request itself stays open, so that the client gets its answer.
 */
export function streamBody(
  req: IncomingMessage,
  check: (chunk: Buffer) => Error | undefined,
  silenceMs = SILENCE_MS,
): StreamedBody {
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh();
      const refusal = check(chunk);
      if (refusal) refuse(refusal);
      else done(null, chunk);
    },
  }) as StreamedBody;
  const refuse = (error: Error): void => {
    body.refusal ??= error;
    req.unpipe(body);
    body.destroy(error);
  };
  const onClose = (): void => {
    if (!req.complete) refuse(new ClientGone());
  };
  const timer = setTimeout(() => refuse(tookTooLong()), silenceMs);
  body.headers = req.headers;
  body.refusal = undefined;
  body.stop = () => {
    clearTimeout(timer);
    req.off('close', onClose).off('error', onClose);
    req.unpipe(body);
    body.on('error', () => undefined).destroy();
  };
  req.on('close', onClose).on('error', onClose);
  req.pipe(body);
  if (req.destroyed) onClose();
  return body;
}

function tookTooLong(): ServiceError {
  return new ServiceError('request_timeout', 'the request body took too long', { headers: { Connection: 'close' } });
}

/** @throws ServiceError 415 if the announced body is not JSON in UTF-8. */
export function checkJsonType(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!JSON_TYPE.test(type)) {
    const what = type === '' ? 'Content-Type is missing' : `Content-Type "${type}" is not supported`;
    throw new ServiceError('unsupported_media_type', `${what}; send application/json`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new ServiceError('unsupported_media_type', `charset "${charset}" is not supported; send utf-8`);
  }
}

/** Parses the bytes as a JSON object. Skips a byte order mark in front, as RFC 8259 allows. */
export function parseJsonObject(bytes: Buffer, bounds?: { maxMembers?: number }): Record<string, unknown> {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch (cause) {
    throw new ServiceError('invalid_input', 'body is not valid UTF-8', { cause });
  }
  const value = parseJson(text, bounds);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

/** Returns true if the request declares that it has no body. */
export function isBodyless(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
}

const continued = new WeakSet<IncomingMessage>();

/** Answers `Expect: 100-continue` only when the body is wanted, so that a refusal saves the upload. */
export function continueIfAsked(req: IncomingMessage, res: ServerResponse): void {
  if (!isWaitingForContinue(req)) return;
  continued.add(req);
  res.writeContinue();
}

export function isWaitingForContinue(req: IncomingMessage): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue' && !continued.has(req);
}

/** Keeps reading after a refusal, within a bound, so that the connection stays usable; cuts it past the bound. */
export function discardBody(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  // A reader that gave up may still listen, and with a `readable` listener nothing flows.
  req.unpipe();
  req.removeAllListeners('readable');
  let leftBytes = DISCARD_LIMIT_BYTES;
  req.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) req.destroy();
  });
  req.on('error', () => {});
  req.resume();
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError('too_large', `body is larger than ${limitBytes} bytes`);
}
