// The types that createCms infers from a configuration: the compiler checks this file, the test only runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCms, defineConfig } from '../../src/cms.ts';

const config = defineConfig({
  blocks: [{ name: 'hero', fields: [{ name: 'text', type: 'text', required: true }] }],
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'mood', type: 'select', options: ['glad', { label: 'Grim', value: 'grim' }] },
        { name: 'parts', type: 'blocks' },
        { name: 'seo', type: 'object', fields: [{ name: 'title', type: 'text' }] },
      ],
    },
  ],
});

test('data has the types of the collection’s fields', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-'));
  const cms = await createCms(config, { dataDir: join(folder, 'data') });
  try {
    const parts = [{ _block: 'hero' as const, text: 'Hi' }];
    await cms.content.create('posts', { slug: 'a', data: { title: 'A', mood: 'glad', parts } });
    const post = (await cms.content.findBySlug('posts', 'a'))!;
    const title: string = post.data.title;
    const mood: 'glad' | 'grim' | null | undefined = post.data.mood;
    const text: string | undefined = post.data.parts?.[0]?.text;
    assert.equal([title, mood, text], ['A', 'glad', 'Hi']);
    // @ts-expect-error: no such collection
    const lost = () => cms.content.findBySlug('none', 'a');
    // @ts-expect-error: not an option
    const wrong = () => cms.content.create('posts', { status: 'published', data: { title: 'B', mood: 'mad' } });
    // @ts-expect-error: a text has no such key
    const none = () => post.data.title.nope;
    for (const refused of [lost, wrong]) {
      assert.instance(await refused().catch((error: unknown) => error), Error);
    }
    assert.is(none(), undefined);
  } finally {
    await cms.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
