// A provider of language models on 127.0.0.1 that answers from a script, streamed or not, refuses what the real one
// refuses, and fails as it fails. The key is in no answer but where the real one quotes it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { listen } from '../../../src/http/server.ts';
import { chatCompletions } from './chat-completions.ts';
import { anthropicMessages } from './messages.ts';
import { openaiResponses } from './responses.ts';
import { ApiRefusal, type Script, type ScriptedApi, type ScriptedRequest, type ScriptedTurn } from './script.ts';

export type { Script, ScriptedRequest, ScriptedTurn } from './script.ts';

export type ScriptedKind = 'anthropic' | 'openai' | 'openai-compatible';

export const PROVIDER_KEY = 'sk-scripted-0123456789-secret';
export const SCRIPTED_MODEL = 'scripted-1';
/** USD for a million tokens each. */
export const SCRIPTED_PRICE = { inputPerMillion: 2, outputPerMillion: 10 };

const APIS: Record<ScriptedKind, ScriptedApi> = {
  anthropic: anthropicMessages,
  openai: openaiResponses,
  'openai-compatible': chatCompletions,
};

export interface ScriptedProvider extends AsyncDisposable {
  baseURL: string;
  /** What was accepted so far. */
  requests: ScriptedRequest[];
  /** Refusals of requests that the real API would refuse, with their reason. */
  refused: string[];
  /** Requests whose other side left before the answer ended. */
  left: number;
  /** Resolves once that many were accepted. */
  haveCome(count: number): Promise<void>;
  /** Resolves once that many have left. */
  haveLeft(count: number): Promise<void>;
  /** The script from now on. */
  play(script: Script): void;
  /** `ai` of a site's configuration that uses it. */
  ai: NonNullable<SiteConfigInput['ai']>;
  /** The environment of a service that uses it. */
  env: Record<string, string>;
  keys: { anthropicApiKey: string; openaiApiKey: string };
}

export interface ScriptedOptions {
  kind?: ScriptedKind;
  /** Whether an `openai-compatible` server takes a JSON Schema. */
  structured?: boolean;
}

/** A script that has come to its end answers 500. */
export async function openScriptedProvider(
  script: Script,
  { kind = 'openai-compatible', structured }: ScriptedOptions = {},
): Promise<ScriptedProvider> {
  const api = APIS[kind];
  let playing = script;
  let played = 0;
  const comers: Waiting[] = [];
  const leavers: Waiting[] = [];

  const open = new Set<ServerResponse>();
  const listening = await listen(
    (req, res) => {
      open.add(res);
      res.on('close', () => {
        open.delete(res);
        if (res.writableFinished) return;
        provider.left++;
        notify(provider.left, leavers);
      });
      void answer(req, res);
    },
    { host: '127.0.0.1', port: 0 },
  );

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    let request: ScriptedRequest;
    try {
      if (req.url !== `/v1${api.path}`) throw new ApiRefusal(`no such address: ${req.url}`, 404, 'not_found_error');
      request = api.read(JSON.parse(Buffer.concat(chunks).toString('utf8')), req.headers, PROVIDER_KEY);
    } catch (error) {
      const { status = 400, code = 'invalid_request_error', message } = error as ApiRefusal;
      provider.refused.push(message);
      return sendJson(res, status, api.error(status, code, message));
    }
    provider.requests.push(request);
    notify(provider.requests.length, comers);
    const index = played++;
    const turn = typeof playing === 'function' ? playing(request, index) : playing[index];
    await play(api, turn ?? { status: 500, message: 'the script is over' }, request, res);
  }

  const provider: ScriptedProvider = {
    baseURL: `${listening.url}/v1`,
    requests: [],
    refused: [],
    left: 0,
    haveCome: (count) => waitFor(count, provider.requests.length, comers),
    haveLeft: (count) => waitFor(count, provider.left, leavers),
    play(next) {
      playing = next;
      played = 0;
    },
    ai: {
      provider: kind,
      model: SCRIPTED_MODEL,
      baseURL: `${listening.url}/v1`,
      price: SCRIPTED_PRICE,
      ...(structured === undefined ? {} : { structured }),
    },
    env: { ANTHROPIC_API_KEY: PROVIDER_KEY, OPENAI_API_KEY: PROVIDER_KEY },
    keys: { anthropicApiKey: PROVIDER_KEY, openaiApiKey: PROVIDER_KEY },
    async [Symbol.asyncDispose]() {
      for (const res of open) res.destroy();
      await listening.close(0);
    },
  };
  return provider;
}

interface Waiting {
  count: number;
  resolve(): void;
}

function waitFor(count: number, now: number, waiting: Waiting[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (now >= count) resolve();
  else waiting.push({ count, resolve });
  return promise;
}

function notify(now: number, waiting: readonly Waiting[]): void {
  for (const { count, resolve } of waiting) if (now >= count) resolve();
}

async function play(
  api: ScriptedApi,
  turn: ScriptedTurn,
  request: ScriptedRequest,
  res: ServerResponse,
): Promise<void> {
  if ('silence' in turn) {
    if (turn.silence === 'after headers') res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return;
  }
  if ('redirect' in turn) return void res.writeHead(307, { location: turn.redirect }).end();
  if ('raw' in turn) return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(turn.raw);
  if ('html' in turn) {
    return void res.writeHead(turn.status ?? 200, { 'content-type': 'text/html' }).end(turn.html);
  }
  if ('status' in turn) {
    const { status, retryAfter, code = status === 529 ? 'overloaded_error' : 'api_error', message } = turn;
    if (retryAfter !== undefined) res.setHeader('retry-after', retryAfter);
    // As the real ones do: a part of what was sent comes back.
    const quoted = message ?? `failed for ${JSON.stringify(request.messages.at(-1)?.text).slice(0, 200)}`;
    return sendJson(res, status, api.error(status, code, quoted));
  }
  if (!request.stream || turn.whole) return sendJson(res, 200, api.whole(turn, request));
  const { pieces, end } = api.events(turn, request);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [at, piece] of pieces.entries()) {
    if (at === turn.cutAfter) return void res.destroy();
    if (at === turn.overloadedAfter) return void res.end(api.overloaded);
    res.write(piece);
    if (at === Math.min(1, pieces.length - 1)) await turn.hold;
  }
  if (turn.cutAfter !== undefined) return void res.destroy();
  if (turn.overloadedAfter !== undefined) return void res.end(api.overloaded);
  res.end(end.join(''));
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
