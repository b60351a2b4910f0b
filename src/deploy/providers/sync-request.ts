// One signed request to the sync server, with its deadline and retries. Refusals become HostErrors.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { OutboundError } from '../../outbound/error.ts';
import { CONTENT_HEADER, SIGNATURE_HEADER, sha256Of, sign, TIMESTAMP_HEADER } from '../../sync/signature.ts';
import { HostError, type HostReason } from './host-error.ts';
import type { ProviderContext } from './provider.ts';

export interface SyncClientParts {
  /** The address of the server. */
  url: string;
  secret: string;
  /** True if this is the address that the machine's host gives it: only then is shown what it says. */
  isOwnAddress: boolean;
  context: Pick<ProviderContext, 'fetch' | 'delay' | 'now' | 'signal' | 'log' | 'progress' | 'resume' | 'limits'>;
}

export interface SyncCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_icd/`, with its query. */
  path: string;
  /** A text, or a file that is sent from the disk. */
  body?: string | { file: string; sha256: string; sizeBytes: number };
  /** False if it must not be carried out twice. */
  isRepeatable?: boolean;
  /** The server copies or syncs a whole tree before it answers. */
  isLong?: boolean;
}

/** The JSON of the answer. @throws HostError, and the reason of the signal */
export type SendSyncCall = (call: SyncCall) => Promise<unknown>;

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const CALL_MS = 60_000;
/** How much longer a call that `isLong` may take. */
const LONG = 5;
/** A slower line than this is as good as none. */
const SLOWEST_BYTES_PER_MS = 50;
/** Longer files are streamed: one of 2 GB needs as much memory as one of 2 MB. */
const SMALL_BYTES = 1 << 20;
const CHUNK_BYTES = 256 << 10;
const FIRST_LINE_LENGTH = 200;

export function createSyncRequests({ url, secret, isOwnAddress, context }: SyncClientParts): SendSyncCall {
  const { signal } = context;

  async function attempt({ method, path, body = '', isLong = false }: SyncCall): Promise<unknown> {
    const isFile = typeof body !== 'string';
    // Two requests that are alike within a second would have one signature.
    const nonce = method === 'GET' ? '' : `${path.includes('?') ? '&' : '?'}n=${randomBytes(8).toString('hex')}`;
    // Parsed before it is signed: that escapes some characters, the apostrophe among them.
    const address = new URL(`${url.replace(/\/$/, '')}/_icd/${path}${nonce}`);
    const target = address.pathname + address.search;
    const timestamp = `${Math.floor(context.now().getTime() / 1000)}`;
    const sha256 = isFile ? body.sha256 : sha256Of(body);
    const deadlineMs =
      (context.limits?.callMs ?? CALL_MS) * (isLong ? LONG : 1) + (isFile ? body.sizeBytes / SLOWEST_BYTES_PER_MS : 0);
    const headers = {
      ...(isFile && { 'content-length': `${body.sizeBytes}` }),
      [TIMESTAMP_HEADER]: timestamp,
      [SIGNATURE_HEADER]: sign(secret, { timestamp, method, target, sha256 }),
      [CONTENT_HEADER]: sha256,
    };
    const bounded = { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(deadlineMs))]) };
    if (isFile) await checkReadable(body.file);
    const sent = { ...bounded, method, redirect: 'manual' as const };
    return readAnswer(await context.fetch(address, { ...sent, ...(await toBody(method, body)) }), url, isOwnAddress);
  }

  return async (call) => {
    for (let count = 1; ; count++) {
      try {
        return await attempt(call);
      } catch (error) {
        signal.throwIfAborted();
        const found = toHostError(error, url);
        if (!isPassing(found) || call.isRepeatable === false || count === ATTEMPTS) throw found;
        const pauseMs = Math.min(found.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
        context.log(`${found.message}; attempt ${count + 1} of ${ATTEMPTS} follows`);
        await context.delay(pauseMs, signal);
      }
    }
  };
}

/** @throws HostError */
async function checkReadable(file: string): Promise<void> {
  try {
    await fs.promises.access(file, fs.constants.R_OK);
  } catch (error) {
    const message = `"${file}" of the built site cannot be read: ${(error as Error).message}`;
    throw new HostError('refused_input', message, { cause: error });
  }
}

async function toBody(method: SyncCall['method'], body: NonNullable<SyncCall['body']>): Promise<RequestInit> {
  if (method === 'GET') return {};
  if (typeof body === 'string') return { body };
  if (body.sizeBytes <= SMALL_BYTES) return { body: await fs.promises.readFile(body.file) };
  return { body: ReadableStream.from(readChunks(body.file)), duplex: 'half' } as RequestInit;
}

/** Opens the file when the first chunk is asked for. */
async function* readChunks(file: string): AsyncGenerator<Buffer> {
  yield* fs.createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

/** @throws HostError */
async function readAnswer(response: Response, url: string, isOwn: boolean): Promise<unknown> {
  const text = await response.text();
  const { status } = response;
  const parsed = parseObject(text);
  if (response.ok && parsed) return parsed;
  const [reason, advice] = reasonOf(status);
  const words = typeof parsed?.error === 'string' ? parsed.error : firstLine(text);
  const location = response.headers.get('location');
  const said = isOwn ? `${location ? ` to ${location}` : ''}: ${words.slice(0, FIRST_LINE_LENGTH)}` : '';
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = `the sync server at ${url} answered ${status}${said}${advice}`;
  throw new HostError(reason, message, {
    status,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

function reasonOf(status: number): [HostReason, advice: string] {
  if (status === 401 || status === 403) {
    return ['refused_token', '. Check that syncSecret is the SYNC_SECRET of the server, and the clocks of both'];
  }
  if (status === 404) return ['not_found', ''];
  if (status === 409) return ['conflict', ''];
  if (status === 429) return ['rate_limited', ''];
  if (status === 408) return ['timeout', ''];
  if (status >= 300 && status < 400) return ['refused_input', '. Set syncUrl to the address that answers itself'];
  if (status >= 400 && status < 500) return ['refused_input', ''];
  return ['host_failed', ''];
}

/** Another attempt may succeed: the server restarts, a proxy is not ready, the line was cut. */
function isPassing({ reason, status }: HostError): boolean {
  if (status === 501 || status === 507) return false;
  return ['rate_limited', 'timeout', 'unreachable', 'host_failed'].includes(reason) || status === 425;
}

function toHostError(error: unknown, url: string): HostError {
  if (error instanceof HostError) return error;
  if ((error as Error).name === 'TimeoutError') {
    return new HostError('timeout', `the sync server at ${url} did not answer in time`, { cause: error });
  }
  const { message, cause } = error as Error;
  if (cause instanceof OutboundError) {
    const why = `the sync server at ${url} was not asked: ${cause.message}`;
    return new HostError('refused_input', why, { cause: error });
  }
  // fetch says "fetch failed"; its cause has the reason.
  const why = cause instanceof Error ? cause.message || `${(cause as NodeJS.ErrnoException).code}` : message;
  return new HostError('unreachable', `the sync server at ${url} cannot be reached: ${why}`, { cause: error });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line === '' ? 'an empty body' : line.slice(0, FIRST_LINE_LENGTH);
}
