// Plain JSON-RPC requests of both eras of MCP, as a client sends them, without a client.
import type { Client, Reply } from '../world.ts';

export const OLD = '2025-11-25';
export const NEW = '2026-07-28';
export type Era = typeof OLD | typeof NEW;

let lastId = 0;

/** The message with what the era puts around it. */
export function toMessage(era: Era, method: string, params: Record<string, unknown> = {}): Record<string, unknown> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': NEW,
    'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const sent = era === NEW ? { ...params, _meta: meta } : params;
  return { jsonrpc: '2.0', id: ++lastId, method, params: sent };
}

export function headersOf(era: Era, method: string, params: Record<string, unknown> = {}): Record<string, string> {
  const name = params.name ?? params.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era,
    ...(era === NEW ? { 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) } : {}),
  };
}

export function send(
  client: Client,
  path: string,
  era: Era,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Reply> {
  return client.post(path, toMessage(era, method, params), headersOf(era, method, params));
}

/** Calls a tool; throws unless the answer is a result. */
export async function callTool(
  client: Client,
  path: string,
  era: Era,
  name: string,
  input: Record<string, unknown> = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
): Promise<any> {
  const reply = await send(client, path, era, 'tools/call', { name, arguments: input });
  if (reply.status !== 200 || !reply.json.result) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json.result;
}
