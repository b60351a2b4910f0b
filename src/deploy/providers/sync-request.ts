// One signed request to the sync server, with its deadline and retries. Refusals become HostErrors.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { CONTENT_HEADER, SIGNATURE_HEADER, sha256Of, sign, TIMESTAMP_HEADER } from '../../sync/signature.ts';
import { HostError, type HostReason } from './host-error.ts';
import type { SyncClientParts } from './sync-client.ts';

export interface SyncCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/_icd/`, with its query. */
  path: string;
  /** A text, or a file that is sent from the disk. */
  body?: string | { file: string; sha256: string; sizeBytes: number };
  /** False if it must not be carried out twice. */
  isRepeatable?: boolean;
  timeoutMs?: number;
}

/** The JSON of the answer. @throws HostError, and the reason of the signal */
export type SendSyncCall = (call: SyncCall) => Promise<unknown>;

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** A slower line than this is as good as none. */
const SLOWEST_BYTES_PER_MS = 50;
const SMALL_BYTES = 1 << 20;
const CHUNK_BYTES = 256 << 10;
const FIRST_LINE_LENGTH = 200;

export function createSyncRequests({ url, secret, context }: SyncClientParts): SendSyncCall {
  const { signal } = context;

  async function attempt({ method, path, body = '', timeoutMs = TIMEOUT_MS }: SyncCall): Promise<unknown> {
    const isFile = typeof body !== 'string';
    // Two requests that are alike within a second would have one signature.
    const nonce = method === 'GET' ? '' : `${path.includes('?') ? '&' : '?'}n=${randomBytes(8).toString('hex')}`;
    const base = new URL(url);
    const target = `${base.pathname.replace(/\/$/, '')}/_icd/${path}${nonce}`;
    const timestamp = `${Math.floor(context.now().getTime() / 1000)}`;
    const sha256 = isFile ? body.sha256 : sha256Of(body);
    const deadlineMs = timeoutMs + (isFile ? body.sizeBytes / SLOWEST_BYTES_PER_MS : 0);
    const response = await context.fetch(`${base.origin}${target}`, {
      method,
      redirect: 'manual',
      headers: {
        [TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: sign(secret, { timestamp, method, target, sha256 }),
        [CONTENT_HEADER]: sha256,
      },
      ...(isFile ? await openFile(body) : method === 'GET' ? {} : { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(deadlineMs))]),
    });
    return readAnswer(response, url);
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

/** A stream for a long file, because fetch holds any other body in memory. @throws HostError */
async function openFile({ file, sizeBytes }: { file: string; sizeBytes: number }): Promise<RequestInit> {
  try {
    if (sizeBytes <= SMALL_BYTES) return { body: await fs.promises.readFile(file) };
    const handle = await fs.promises.open(file, 'r');
    return { body: ReadableStream.from(handle.createReadStream({ highWaterMark: CHUNK_BYTES })), duplex: 'half' };
  } catch (error) {
    const message = `"${file}" of the built site cannot be read: ${(error as Error).message}`;
    throw new HostError('refused_input', message, { cause: error });
  }
}

/** @throws HostError */
async function readAnswer(response: Response, url: string): Promise<unknown> {
  const text = await response.text();
  const { status } = response;
  const parsed = parseObject(text);
  if (response.ok && parsed) return parsed;
  const [reason, advice] = reasonOf(status);
  const said = typeof parsed?.error === 'string' ? parsed.error : firstLine(text);
  const location = response.headers.get('location');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = `the sync server at ${url} answered ${status}${location ? ` to ${location}` : ''}: ${said}${advice}`;
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
