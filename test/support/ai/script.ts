// What a scripted provider answers, and what it was asked, the same for all three APIs.

/** One answer of the model, or of the machine in front of it. */
export type ScriptedTurn = ScriptedAnswer | ScriptedFailure;

export interface ScriptedAnswer {
  text?: string;
  calls?: readonly ScriptedCall[];
  /** `stop`, or `calls` if it makes some. */
  finish?: 'length' | 'withheld';
  /** Null: the provider reports none. 10 and 5 if absent. */
  usage?: { inputTokens: number; outputTokens: number } | null;
  /** Size of the pieces that it is streamed in; 8 characters if absent. */
  pieceChars?: number;
  /** The connection is cut after this many pieces. */
  cutAfter?: number;
  /** The provider says that it is overloaded after this many pieces. */
  overloadedAfter?: number;
  /** Answers in one piece, though a stream was asked for. */
  whole?: true;
  /** Waits for it after the second piece, the first one with text in all three APIs. */
  hold?: Promise<unknown>;
}

export interface ScriptedCall {
  tool: string;
  /** A text is sent as it is: arguments that are not JSON. */
  input: unknown;
}

export type ScriptedFailure =
  | { status: number; retryAfter?: string; code?: string; message?: string }
  /** A proxy's page, with status 200 if absent. */
  | { html: string; status?: number }
  /** Says nothing until the other side leaves. */
  | { silence: 'before' | 'after headers' }
  | { redirect: string }
  /** The body of a stream, as it is. */
  | { raw: string };

/** What was asked, in the shape that all APIs have in common. */
export interface ScriptedRequest {
  system: string;
  messages: { role: string; text: string }[];
  tools: string[];
  /** The JSON Schema that the answer must fit, if the request carries one outside of the prompt. */
  schema: unknown;
  strict: boolean;
  maxTokens: number | undefined;
  stream: boolean;
  model: string;
  /** All of it. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by the tests
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

export type Script = readonly ScriptedTurn[] | ((request: ScriptedRequest, index: number) => ScriptedTurn);

/** A refusal as the real API makes it. */
export class ApiRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(message: string, status = 400, code = 'invalid_request_error') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** One of the three APIs. */
export interface ScriptedApi {
  path: string;
  /** @throws ApiRefusal where the real API refuses */
  read(body: unknown, headers: ScriptedRequest['headers'], key: string | undefined): ScriptedRequest;
  /** The whole body of an answer that is not streamed. */
  whole(answer: ScriptedAnswer, request: ScriptedRequest): unknown;
  /** The events of a streamed answer: the ones before its pieces, those of each piece, and the ones after. */
  events(answer: ScriptedAnswer, request: ScriptedRequest): { pieces: string[]; end: string[] };
  overloaded: string;
  error(status: number, code: string, message: string): unknown;
}

export function piecesOf(text: string, chars = 8): string[] {
  return Array.from({ length: Math.ceil(text.length / chars) }, (_, at) => text.slice(at * chars, (at + 1) * chars));
}

export function argumentsOf({ input }: ScriptedCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

export function usageOf({ usage }: ScriptedAnswer): { inputTokens: number; outputTokens: number } | undefined {
  return usage === null ? undefined : (usage ?? { inputTokens: 10, outputTokens: 5 });
}

export function event(data: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** @throws ApiRefusal as OpenAI does for `strict: true` */
export function checkStrict(schema: unknown, path = 'schema'): void {
  if (typeof schema !== 'object' || schema === null) throw bad(path, 'is not a schema');
  const one = schema as Record<string, unknown>;
  if (path === 'schema' && one.type !== 'object') throw bad(path, "schema must have type 'object'");
  for (const key of ['allOf', 'not', 'if', 'patternProperties', 'oneOf', 'propertyNames']) {
    if (key in one) throw bad(path, `'${key}' is not permitted`);
  }
  const hasKind = ['type', 'anyOf', '$ref', 'enum', 'const'].some((key) => key in one);
  if (!hasKind) throw bad(path, "schema must have a 'type' key");
  if (one.type === 'object') {
    const properties = (one.properties ?? {}) as Record<string, unknown>;
    if (one.additionalProperties !== false) throw bad(path, "'additionalProperties' must be false");
    const required = (one.required ?? []) as string[];
    for (const [name, property] of Object.entries(properties)) {
      if (!required.includes(name)) throw bad(path, `'required' must include every key; missing '${name}'`);
      checkStrict(property, `${path}.${name}`);
    }
  }
  if (one.type === 'array') checkStrict(one.items, `${path}[]`);
  for (const [at, branch] of ((one.anyOf ?? []) as unknown[]).entries()) checkStrict(branch, `${path}|${at}`);
  for (const [name, def] of Object.entries((one.$defs ?? {}) as object)) checkStrict(def, `${path}#${name}`);
}

function bad(path: string, message: string): ApiRefusal {
  return new ApiRefusal(`Invalid schema for response_format: in ${path}, ${message}`, 400, 'invalid_json_schema');
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function checkTool(name: unknown, schema: unknown): void {
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) throw new ApiRefusal(`invalid tool name ${name}`);
  if ((schema as { type?: unknown } | undefined)?.type !== 'object') {
    throw new ApiRefusal(`the schema of ${name} must have type object`);
  }
}

/** @throws ApiRefusal if a call has no result, or a result no call */
export function checkResults(calls: readonly string[], results: readonly string[]): void {
  const missing = calls.find((id) => !results.includes(id));
  if (missing !== undefined) throw new ApiRefusal(`no result for the call ${missing}`);
  const extra = results.find((id) => !calls.includes(id));
  if (extra !== undefined) throw new ApiRefusal(`a result without a call: ${extra}`);
}

export function checkBearer(headers: ScriptedRequest['headers'], key: string | undefined): void {
  if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
    // The real ones quote a part of the key.
    throw new ApiRefusal(`Incorrect API key provided: ${headers.authorization}`, 401, 'invalid_api_key');
  }
}
