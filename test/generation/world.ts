// A site with a scripted provider, for tests of generation.
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { openScriptedProvider, type ScriptedOptions, type ScriptedProvider } from '../support/ai/provider.ts';
import type { Script } from '../support/ai/script.ts';
import { makeWorld, type World } from '../support/world.ts';

export interface GenerationWorld extends AsyncDisposable {
  world: World;
  provider: ScriptedProvider;
}

const COLLECTIONS: SiteConfigInput['collections'] = [
  {
    name: 'posts',
    label: 'Posts',
    fields: [
      { name: 'title', type: 'text', required: true, maxLength: 40, ai: { hint: 'short and dry' } },
      { name: 'body', type: 'richtext' },
      { name: 'rank', type: 'number', min: 0 },
      { name: 'mood', type: 'select', options: ['glad', 'grim'] },
      { name: 'image', type: 'image' },
      {
        name: 'seo',
        type: 'object',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'description', type: 'text' },
        ],
      },
      { name: 'blocks', type: 'blocks' },
    ],
  },
  { name: 'plain', translatable: false, fields: [{ name: 'title', type: 'text' }] },
  { name: 'english', locales: ['en'], fields: [{ name: 'title', type: 'text' }] },
];

const BLOCKS: SiteConfigInput['blocks'] = [
  {
    name: 'hero',
    fields: [
      { name: 'heading', type: 'text' },
      { name: 'id', type: 'number' },
    ],
  },
];

export async function makeGenerationWorld(script: Script, options?: ScriptedOptions): Promise<GenerationWorld> {
  const provider = await openScriptedProvider(script, options);
  const config = {
    ...{ defaultLocale: 'en', locales: ['en', 'de', 'pt-BR'], collections: COLLECTIONS, blocks: BLOCKS },
    ai: provider.ai,
  };
  const world = await makeWorld({ config, env: provider.env });
  return {
    world,
    provider,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** A post of the admin; returns its ETag. */
export async function createPost({ admin }: World, data: object = {}, more: object = {}): Promise<string> {
  const body = { slug: 'tides', data: { title: 'Tides', body: 'Some *words* of `code`', rank: 3, ...data }, ...more };
  const { headers, status, text } = await admin.post('/api/cms/posts', body);
  if (status !== 200) throw new Error(text);
  return headers.etag!;
}
