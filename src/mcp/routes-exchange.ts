// Between the service's requests and those of the protocol: one POST with one JSON-RPC message in, one JSON answer out.
import type { Call } from '../http/route.ts';
import { invalid, ServiceError } from '../lib/errors.ts';
import { parseJson } from '../lib/json.ts';
import type { McpSession } from './mcp-site.ts';
import { answerExchange } from './protocol.ts';

interface ExchangeAnswer {
  status: number;
  type?: string;
  body?: Buffer;
  headers: Record<string, string>;
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
/**
 * The SDK checks and copies a message several times: 50,000 keys in `_meta` held the process for seconds. Clients send
 * about twenty.
 */
const MAX_ENVELOPE_MEMBERS = 500;
/** Strangers ask for lists, documents and words. */
const MAX_STRANGERS_BYTES = 64 << 10;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export async function exchange(call: Call<unknown, unknown, unknown>, session: McpSession): Promise<ExchangeAnswer> {
  const message = await readMessage(call, session.actor === undefined);
  if ('refused' in message) return message.refused;
  const leaving = new AbortController();
  const onClose = (): void => leaving.abort();
  call.ctx.res.once('close', onClose);
  try {
    const response = await answerExchange(session, {
      url: 'http://localhost/api/mcp',
      headers: toHeaders(call),
      body: message.body,
      signal: leaving.signal,
    });
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type');
    return { status: response.status, headers: {}, ...(body.length > 0 ? { body, ...(type ? { type } : {}) } : {}) };
  } finally {
    call.ctx.res.off('close', onClose);
  }
}

type Read = { body: Record<string, unknown> } | { refused: ExchangeAnswer };

/** Clients read the reason of a 400 from a JSON-RPC error. */
async function readMessage(call: Call<unknown, unknown, unknown>, isStranger: boolean): Promise<Read> {
  let value: unknown;
  try {
    const bytes = await call.bytes();
    if (isStranger && bytes.length > MAX_STRANGERS_BYTES) {
      throw new ServiceError('too_large', `without a token a message has at most ${MAX_STRANGERS_BYTES} bytes`);
    }
    value = parseJson(UTF_8.decode(bytes), isStranger ? { maxMembers: MAX_ENVELOPE_MEMBERS } : {});
    if (!isStranger) checkEnvelope(value);
  } catch (error) {
    if (error instanceof TypeError) return { refused: refuse(PARSE_ERROR, 'the body is not valid UTF-8') };
    const isRefused = error instanceof ServiceError && (error.code === 'invalid_input' || error.code === 'too_large');
    if (!isRefused) throw error;
    return { refused: refuse(error.code === 'too_large' ? INVALID_REQUEST : PARSE_ERROR, error.message) };
  }
  if (Array.isArray(value)) return { refused: refuse(INVALID_REQUEST, 'batches are not supported; send one message') };
  const message = value as { jsonrpc?: unknown; method?: unknown } | null;
  if (typeof message !== 'object' || message?.jsonrpc !== '2.0') {
    return { refused: refuse(INVALID_REQUEST, 'the body is not a JSON-RPC 2.0 message') };
  }
  return { body: message as Record<string, unknown> };
}

/** The message apart from the arguments of its tool, which the tool's own schema bounds. */
function checkEnvelope(value: unknown): void {
  const isArguments = (key: string, holder: unknown): boolean =>
    key === 'arguments' && holder === (value as { params?: unknown } | null)?.params;
  if (countMembers(value, isArguments) > MAX_ENVELOPE_MEMBERS) {
    throw invalid(`the message has more than ${MAX_ENVELOPE_MEMBERS} keys and items beside its arguments`);
  }
}

/** Stops counting once there are too many. */
function countMembers(value: unknown, isLeftOut: (key: string, holder: unknown) => boolean): number {
  let count = 0;
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined && count <= MAX_ENVELOPE_MEMBERS; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      if (isLeftOut(key, next)) continue;
      count++;
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return count;
}

function refuse(code: number, message: string): ExchangeAnswer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
  return { status: 400, type: 'application/json; charset=utf-8', headers: {}, body };
}

/**
 * The headers that the protocol reads. The answer is JSON whatever the client accepts, so that a plain POST works; the
 * credentials stay here.
 */
function toHeaders(call: Call<unknown, unknown, unknown>): Headers {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(call.ctx.headers)) {
    if (typeof value === 'string' && (name === 'content-type' || name.startsWith('mcp-'))) headers.set(name, value);
  }
  return headers;
}
