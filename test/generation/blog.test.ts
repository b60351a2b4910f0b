// Posts of a real blog, if they are beside the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { translator } from '../support/ai/translator.ts';
import { createPost, makeGenerationWorld } from './world.ts';

const CORPUS = join(import.meta.dirname, '../../..', 'shared', 'corpus', 'rust-blog', 'content');

test('posts of a blog are translated through the route without loss', async () => {
  if (!existsSync(CORPUS)) return;
  await using made = await makeGenerationWorld(translator());
  const { world } = made;
  const names = readdirSync(CORPUS).filter((name) => name.endsWith('.md'));
  for (const [at, name] of names.slice(0, 50).entries()) {
    const text = readFileSync(join(CORPUS, name), 'utf8').replace(/^\+\+\+[\s\S]*?\n\+\+\+\n/, '');
    const slug = `post-${at}`;
    await createPost(world, { title: `Post ${at}`, body: text }, { slug });
    const { json } = await world.admin.post('/api/cms/ai/translate', {
      ...{ collection: 'posts', slug, locale: 'de', apply: true },
    });
    assert.equal([json.translationOf, json.warnings], [slug, undefined], name);
    assert.ok(json.data.body.includes('«'), name);
  }
});

test.run();
