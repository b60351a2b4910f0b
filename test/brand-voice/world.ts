// A site with a scripted provider, for tests of the brand voice.
import { openScriptedProvider, type ScriptedOptions, type ScriptedProvider } from '../support/ai/provider.ts';
import type { Script } from '../support/ai/script.ts';
import { CONFIG, makeWorld, type World } from '../support/world.ts';

export interface VoiceWorld extends AsyncDisposable {
  world: World;
  provider: ScriptedProvider;
}

export const VOICE = {
  name: 'Tide & Co',
  industry: 'Boats',
  description: 'Boats for everyone',
  language: 'en',
  targetAudience: 'sailors',
  primaryTone: 'Dry and friendly',
  brandPersonality: ['dry', 'warm', 'exact'],
  contentGoals: ['teach'],
  contentPillars: ['knots', 'weather'],
  avoidTopics: ['politics'],
  seoKeywords: ['sailing'],
  examplePhrases: ['Mind the boom.'],
};

const { language: _, ...TEXTS } = VOICE;
/** What a scripted translator answers. */
export const GERMAN = { ...TEXTS, primaryTone: 'Trocken und freundlich' };

export const PATH = '/api/cms/brand-voice';

export async function makeVoiceWorld(script: Script = [], options?: ScriptedOptions): Promise<VoiceWorld> {
  const provider = await openScriptedProvider(script, options);
  const world = await makeWorld({ config: { ...CONFIG, ai: provider.ai }, env: provider.env });
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

/** The events of a whole stream. */
export function eventsOf(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}
