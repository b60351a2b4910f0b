// A site that Eleventy makes from Markdown files, in bwrap: Node is the service's own, and Eleventy is in a folder that the
// operator lists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../../support/source.ts';
import { makeBuildWorld } from '../command/world.ts';
import { hasBwrap } from './this-machine.ts';

const MODULES = join(ROOT, 'node_modules');
const ELEVENTY = join(MODULES, '@11ty/eleventy/cmd.cjs');

const POSTS = {
  name: 'posts',
  format: 'markdown' as const,
  fields: [
    { name: 'title', type: 'text' as const },
    { name: 'body', type: 'richtext' as const },
  ],
};

test('Eleventy builds a site from Markdown files', async () => {
  if (!hasBwrap) return;
  await using it = await makeBuildWorld(
    { command: `node "${ELEVENTY}" --input=content --formats=md --output=dist` },
    { config: { collections: [POSTS] }, sandbox: { paths: [MODULES] } },
  );
  await it.publish('hello', { title: 'Hello', body: 'Some *text*' });
  const site = await it.build();
  const page = site.files.find(({ path }) => path.endsWith('hello/index.html'));
  assert.ok(page, it.printed());
  assert.ok(readFileSync(join(site.folder, page.path), 'utf8').includes('<em>text</em>'));
});

test.run();
