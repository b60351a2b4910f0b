// A site with a chat and a scripted provider, and a client that reads the events of a turn.
import { request } from 'node:http';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { openScriptedProvider, type ScriptedOptions, type ScriptedProvider } from '../support/ai/provider.ts';
import type { Script } from '../support/ai/script.ts';
import { type Client, CONFIG, makeWorld, type World } from '../support/world.ts';

export const CHAT = '/api/cms/chat';

export interface ChatWorld extends AsyncDisposable {
  world: World;
  provider: ScriptedProvider;
}

export interface ChatWorldOptions extends ScriptedOptions {
  config?: Partial<SiteConfigInput>;
  sites?: Record<string, SiteConfigInput>;
  env?: Record<string, string>;
}

export async function makeChatWorld(script: Script, options: ChatWorldOptions = {}): Promise<ChatWorld> {
  const { config = {}, sites = {}, env = {}, ...rest } = options;
  const provider = await openScriptedProvider(script, rest);
  const world = await makeWorld({
    config: { ...CONFIG, ai: provider.ai, ...config },
    sites: Object.fromEntries(Object.entries(sites).map(([id, one]) => [id, { ...one, ai: provider.ai }])),
    env: { ...provider.env, ...env },
  });
  return {
    world,
    provider,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export interface SentEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events are looked into by the tests
  data: any;
}

export interface Turn {
  status: number;
  events: SentEvent[];
  /** All text. */
  text: string;
  /** Results by the name of the tool. */
  // biome-ignore lint/suspicious/noExplicitAny: results are looked into by the tests
  results: [tool: string, result: any][];
  conversationId: string | undefined;
  /** The body as it was sent. */
  body: string;
}

/** A turn with one message of the user, or with a whole body. */
export async function chat(client: Client, said: string | object, site = ''): Promise<Turn> {
  const body = typeof said === 'string' ? { messages: [{ role: 'user', content: said }] } : said;
  const { status, text } = await client.post(`${CHAT}${site && `?site=${site}`}`, body);
  return toTurn(status, text);
}

function toTurn(status: number, body: string): Turn {
  const events = body
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
  return {
    ...{ status, events, body },
    text: events.flatMap(({ event, data }) => (event === 'text' ? [data.text] : [])).join(''),
    results: events.flatMap(({ event, data }) =>
      event === 'tool_result' ? [[data.tool, data.result] as const] : [],
    ) as Turn['results'],
    conversationId: events.find(({ event }) => event === 'done')?.data.conversationId,
  };
}

/** A turn that is read as it comes: `first` resolves with the first bytes, `leave` hangs up. */
export function openTurn({ world }: ChatWorld, client: Client, body: object) {
  const req = request({
    ...{ host: '127.0.0.1', port: world.port, method: 'POST', path: CHAT, agent: false },
    headers: { ...client.headers, 'content-type': 'application/json' },
  });
  const first = Promise.withResolvers<string>();
  const all = Promise.withResolvers<string>();
  req.on('error', () => {});
  req.on('response', (res) => {
    let text = '';
    res.on('data', (piece: Buffer) => {
      text += piece;
      first.resolve(text);
    });
    res.on('error', () => {});
    res.on('close', () => all.resolve(text));
  });
  req.end(JSON.stringify(body));
  return { first: first.promise, all: all.promise, leave: () => void req.destroy() };
}
