// An answer of a host, read whole within a limit, and what is shown of it. Texts of a host reach people only through
// `toShown`: one line, short, without the token.
import { isObject } from '../../lib/json.ts';
import { toPlainName } from '../../lib/text/plain-name.ts';

export interface HostAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined if it is empty or not JSON. */
  json: unknown;
  /** The body as it came. */
  text: string;
}

/** The answer's body is longer than the limit. */
export class LongAnswerError extends Error {
  override name = 'LongAnswerError';
}

/** @throws LongAnswerError, or the error of the connection */
export async function readAnswer(response: Response, maxBytes: number): Promise<HostAnswer> {
  const text = await readText(response, maxBytes);
  return { status: response.status, headers: response.headers, json: parseJson(text), text };
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early cancels the body, which closes the connection.
  for await (const chunk of response.body) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new LongAnswerError(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The code of an error in the forms of the hosts: `{code}`, `{error: {code}}`, `{errors: [{code}]}`, `{status}`; as text.
 * Undefined if there is none.
 */
export function errorCodeOf(json: unknown): string | undefined {
  const code = errorPart(json)?.code ?? (isObject(json) ? json.status : undefined);
  return typeof code === 'string' || typeof code === 'number' ? `${code}` : undefined;
}

/** What the host says for people, or the first line of an answer that is not JSON; empty if there is nothing. */
export function messageOf({ json, text }: Pick<HostAnswer, 'json' | 'text'>): string {
  if (json === undefined) return firstLine(text);
  const part = errorPart(json);
  const message = part?.message ?? (isObject(json) ? (json.error ?? json.error_message) : undefined);
  return typeof message === 'string' ? message : '';
}

function errorPart(json: unknown): Record<string, unknown> | undefined {
  if (!isObject(json)) return undefined;
  if (isObject(json.error)) return json.error;
  if (Array.isArray(json.errors) && isObject(json.errors[0])) return json.errors[0];
  return json;
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? '';
}

/** One line of at most 200 characters, without the secrets that the request carried. */
export function toShown(text: string, secrets: readonly string[]): string {
  let shown = text.slice(0, 4000);
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, '***');
  return toPlainName(shown);
}
