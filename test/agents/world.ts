// A site with an agent and a scripted provider.
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { openScriptedProvider, type ScriptedProvider } from '../support/ai/provider.ts';
import type { Script } from '../support/ai/script.ts';
import { CONFIG, makeWorld, type World } from '../support/world.ts';

export const AGENTS = '/api/cms/agents';
export const TASK = { prompt: 'Write the secret-prompt post.', collection: 'posts' };

export interface AgentWorld extends AsyncDisposable {
  world: World;
  provider: ScriptedProvider;
  /** Makes an agent; returns its id. */
  agent(change?: object): Promise<string>;
}

export async function makeAgentWorld(
  script: Script,
  ai: Partial<NonNullable<SiteConfigInput['ai']>> = {},
  config: Partial<SiteConfigInput> = {},
): Promise<AgentWorld> {
  const provider = await openScriptedProvider(script);
  const world = await makeWorld({ config: { ...CONFIG, ...config, ai: { ...provider.ai, ...ai } }, env: provider.env });
  return {
    world,
    provider,
    async agent(change = {}) {
      const { status, text, json } = await world.admin.post(AGENTS, { ...BODY, ...change });
      if (status !== 201) throw new Error(text);
      return json.id;
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export const BODY = {
  name: 'Writer',
  role: 'writes posts',
  systemPrompt: 'You write secret-instructions posts.',
  collections: ['posts'],
};

/** Creates a document, then says that it is done. */
export const WRITES: Script = [
  { calls: [{ tool: 'create_document', input: { collection: 'posts', data: { title: 'By an agent' } } }] },
  { text: 'I have secret-answer written it.' },
];
