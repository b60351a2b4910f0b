// A hostile editor and the real Eleventy: nothing that an editor publishes or uploads is run by the build of the site.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toBuildCollections } from '../../../src/build/command/build-file.ts';
import { writeTree } from '../../../src/build/command/write-tree.ts';
import { ROOT } from '../../support/source.ts';
import { upload } from '../../support/upload.ts';
import { type Client, makeWorld, type World } from '../../support/world.ts';

const ELEVENTY = path.join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs');
const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'richtext' },
];
/** What Eleventy, and Jekyll, Hugo and Astro, take for settings of theirs. */
const ATTACK = {
  templateEngineOverride: 'njk',
  eleventyComputed: { computed: 'COMPUTED{{ 7 * 191 }}' },
  permalink: '../../escaped/{{ 7 * 191 }}.html',
  layout: '../content/posts/plain.md',
  pagination: { data: 'process', size: 1 },
  eleventyDataSchema: 'x',
  '<<': { templateEngineOverride: 'njk' },
  __proto: { permalink: 'x' },
  cascade: { outputs: ['x'] },
};
/** 1337 shows that it was run. */
const BODY = 'RUN{{ 7 * 191 }}{% set x = 7 * 191 %}{{ x }}';
const RUN = /1337/;

const scriptOf = (marker: string): string =>
  `---js\n{ title: require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'run') }\n---\nRUN\n`;

interface Built extends Disposable {
  folder: string;
  /** What the build wrote, by path. */
  pages: Record<string, string>;
  output: string;
}

/** Runs Eleventy in a folder, with the settings that it has by itself unless `settings` says otherwise. */
function runEleventy(folder: string, settings?: string): Built {
  if (settings !== undefined) writeFileSync(path.join(folder, 'eleventy.config.mjs'), settings);
  let output = '';
  try {
    output = execFileSync(process.execPath, [ELEVENTY], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    output = `${(error as { stdout: string }).stdout}${(error as { stderr: string }).stderr}`;
  }
  const site = path.join(folder, '_site');
  const names = existsSync(site) ? readdirSync(site, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => name.endsWith('.html'));
  const pages = Object.fromEntries(files.map((name) => [name, readFileSync(path.join(site, name), 'utf8')]));
  return {
    folder,
    pages,
    output,
    [Symbol.dispose]: () => rmSync(path.dirname(folder), { recursive: true, force: true }),
  };
}

function makeFolder(): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'colophon-eleventy-')), 'deep', 'tree');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The tree that a build command gets. */
async function treeOf(world: World): Promise<string> {
  const folder = makeFolder();
  const { store, config } = world.site();
  await store.log.flush();
  const media = path.join(world.dataDir, 'sites/default/media');
  const commit = store.log.status().gitHead!;
  writeTree(store.odb, { commit, folder, media, collections: toBuildCollections(config), drafts: false, ignored: [] });
  return folder;
}

/** The commit as git has it. */
async function checkOut(world: World): Promise<string> {
  const folder = makeFolder();
  await world.site().store.log.flush();
  const repository = path.join(world.dataDir, 'sites/default/content.git');
  const noLfs = ['process=', 'smudge=', 'required=false'].flatMap((setting) => ['-c', `filter.lfs.${setting}`]);
  execFileSync('git', [
    ...noLfs,
    '--git-dir',
    repository,
    '--work-tree',
    folder,
    'checkout',
    '--force',
    'main',
    '--',
    '.',
  ]);
  const sha256 = /sha256:([0-9a-f]{64})/.exec(
    readFileSync(path.join(folder, 'media/documents/script.md'), 'utf8'),
  )![1]!;
  const bytes = path.join(world.dataDir, 'sites/default/media', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  copyFileSync(bytes, path.join(folder, 'media/documents/script.md'));
  return folder;
}

async function must(reply: ReturnType<Client['post']>): Promise<void> {
  const { status, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

async function makeHostile(format: 'markdown' | 'json'): Promise<World> {
  const world = await makeWorld({ config: { collections: [{ name: 'posts', format, fields: FIELDS as never }] } });
  const editor = await world.user('editor');
  const publish = (slug: string, data: object) =>
    must(editor.post('/api/cms/posts', { slug, status: 'published', data }));
  await publish('plain', { title: 'Plain', body: 'Just **text**.' });
  for (const slug of ['attack', 'posts', 'plain.11tydata', 'x.11ty', 'x.njk', 'plain.liquid'])
    await publish(slug, { title: slug, body: BODY, ...ATTACK });
  await publish('fence', { title: 'fence', body: `---js\n{ x: ${7} }\n---\n---\npermalink: x\n---` });
  const marker = path.join(world.dataDir, 'marker');
  await must(upload(editor, 'script.md', scriptOf(marker), { folder: 'documents' }));
  await must(upload(editor, 'documents.json', JSON.stringify(ATTACK), { folder: 'documents' }));
  await must(upload(editor, 'words.txt', 'Words', { folder: 'documents' }));
  return world;
}

/** Templates in texts are the site's own choice: the guide says to turn them off. */
const GUIDE = /```js built-by-the-service\/eleventy\.config\.js\n([\s\S]*?)```/.exec(
  readFileSync(path.join(ROOT, 'content/guide/frontends.md'), 'utf8'),
)?.[1];

test('the same files, checked out by git, do run what an editor writes', async () => {
  await using world = await makeWorld({
    config: { collections: [{ name: 'posts', format: 'markdown', fields: FIELDS as never }] },
  });
  const editor = await world.user('editor');
  const data = { title: 'x', body: BODY, templateEngineOverride: 'njk' };
  await must(editor.post('/api/cms/posts', { slug: 'attack', status: 'published', data }));
  const marker = path.join(world.dataDir, 'marker');
  await must(upload(editor, 'script.md', scriptOf(marker), { folder: 'documents' }));
  using built = runEleventy(await checkOut(world));
  assert.ok(existsSync(marker), built.output);
  assert.match(built.pages['content/posts/attack/index.html'] ?? '', RUN, built.output);
});

for (const format of ['markdown', 'json'] as const) {
  test(`nothing of what an editor publishes as ${format} or uploads is run by a build of Eleventy`, async () => {
    await using world = await makeHostile(format);
    const folder = await treeOf(world);
    // A page of the site's own beside the documents, for which JSON files of its name or folder are data.
    mkdirSync(path.join(folder, 'content/posts'), { recursive: true });
    for (const own of ['content/posts/own.md', ...(format === 'json' ? ['content/posts/plain.html'] : [])])
      writeFileSync(path.join(folder, own), '---\ntitle: Own\n---\n# {{ title }}\n');
    assert.ok(GUIDE, 'the guide shows a configuration');
    using built = runEleventy(folder, GUIDE);
    assert.not.ok(existsSync(path.join(world.dataDir, 'marker')), built.output);
    for (const [name, text] of Object.entries(built.pages)) assert.not.match(`${name} ${text}`, RUN);
    assert.not.match(built.output, RUN);
    assert.equal(readdirSync(path.dirname(folder)), ['tree'], 'nothing was written beside the tree');
    assert.equal(readdirSync(path.dirname(path.dirname(folder))), ['deep']);
    assert.match(built.pages['content/posts/own/index.html'] ?? '', '{{ title }}', built.output);
    assert.not.ok(existsSync(path.join(folder, 'media/documents/script.md')));
    assert.not.ok(existsSync(path.join(folder, 'media/documents/documents.json')));
    assert.ok(existsSync(path.join(folder, 'media/documents/words.txt')));
    if (format === 'json') return;
    assert.match(built.pages['content/posts/attack/index.html']!, 'RUN{{ 7 * 191 }}');
    assert.match(built.pages['content/posts/plain/index.html']!, '<strong>text</strong>');
  });
}

test('front matter alone chooses nothing, also with the settings that Eleventy has by itself', async () => {
  await using world = await makeHostile('markdown');
  using built = runEleventy(await treeOf(world));
  assert.not.ok(existsSync(path.join(world.dataDir, 'marker')), built.output);
  // Liquid, which Markdown goes through there, knows neither `*` nor `set`.
  assert.not.match(JSON.stringify(built.pages), RUN);
  assert.not.match(built.output, /escaped/);
});

test.run();
