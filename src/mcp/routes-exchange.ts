// Between the service's requests and those of the protocol: one POST with one JSON-RPC message in, one JSON answer out.
import type { Call } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
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
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export async function exchange(call: Call<unknown, unknown, unknown>, session: McpSession): Promise<ExchangeAnswer> {
  const message = await readMessage(call);
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
async function readMessage(call: Call<unknown, unknown, unknown>): Promise<Read> {
  let value: unknown;
  try {
    value = parseJson(UTF_8.decode(await call.bytes()));
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
