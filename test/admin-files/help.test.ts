// The guide for editors (content/help): every page can be drawn, and names what is on the screen by its name.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { HelpText } from '../../src/admin/screens/help/help-page.ts';
import { readHelp, readPage } from '../../src/admin-files/help.ts';
import { hashSources, helpFolderOf } from '../../src/admin-files/sources.ts';
import { ALL_TEXTS } from '../admin/all-texts.ts';
import { makeFolder } from '../support/backup-archive.ts';
import { ROOT } from '../support/source.ts';

const SOURCES = path.join(ROOT, 'src/admin');
const pages = readHelp(helpFolderOf(SOURCES));

const page = (text: string): string => `---\ntitle: A\nsummary: B.\norder: 1\n---\n${text}`;
const textsOf = (text: string): readonly HelpText[] => {
  const [block] = readPage('a.md', page(text)).blocks;
  assert.ok(block?.kind === 'paragraph');
  return block.content;
};

/** Every text of a page, and of what is inside of one. */
function flatten(texts: readonly HelpText[]): HelpText[] {
  return texts.flatMap((text) =>
    typeof text !== 'string' && 'content' in text ? [text, ...flatten(text.content)] : [text],
  );
}

const all = pages.flatMap(({ slug, blocks }) =>
  blocks.flatMap((block) => {
    if (block.kind === 'heading') return [];
    const texts = flatten(block.kind === 'list' ? block.items.flat() : block.content);
    return texts.map((text) => ({ slug, text }));
  }),
);

/** What stands on screens as it is. */
const said = new Set(
  Object.values(ALL_TEXTS).flatMap((entry): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry))),
);

test('the pages have a place each, and their links lead to pages', () => {
  assert.ok(pages.length >= 12);
  assert.is(pages[0]?.slug, 'writing');
  assert.is(new Set(pages.map(({ title }) => title)).size, pages.length);
  const slugs = new Set(pages.map(({ slug }) => slug));
  for (const { slug, text } of all) {
    if (typeof text !== 'string' && text.kind === 'link') assert.ok(slugs.has(text.page), `${slug}: ${text.page}`);
  }
});

test('a name in bold is a name on the screen, letter by letter', () => {
  const names = all.flatMap(({ slug, text }) =>
    typeof text !== 'string' && text.kind === 'strong' ? [{ slug, name: text.content.join('') }] : [],
  );
  assert.ok(names.length > 100);
  const unknown = names.filter(({ name }) => !said.has(name));
  assert.equal(unknown, []);
});

test('a page is text, keys, names, lists and links to pages, read as they stand', () => {
  assert.equal(textsOf('Press **Save** or\n`Ctrl S`, *not* <'), [
    'Press ',
    { kind: 'strong', content: ['Save'] },
    ' or ',
    { kind: 'key', text: 'Ctrl S' },
    ', ',
    { kind: 'em', content: ['not'] },
    ' <',
  ]);
  assert.equal(textsOf('[Trash](trash.md)'), [{ kind: 'link', page: 'trash', content: ['Trash'] }]);
  assert.equal(readPage('a.md', page('## One\n\n1. *a*\n2. b & c')).blocks, [
    { kind: 'heading', text: 'One' },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'em', content: ['a'] }], ['b & c']] },
  ]);
});

test('a page that the screen could not draw as it is meant stops the build, by its name', () => {
  const bad = [
    '<b>bold</b>',
    'an <img src=x onerror=alert(1)> inside',
    '# One',
    '> quoted',
    '| a |\n|---|\n| b |',
    '- a\n\n  b',
    '- a\n  - b',
    '[out](https://example.org)',
    '[run](javascript:alert(1))',
    '![](a.png)',
    '```\ncode\n```',
  ];
  for (const text of bad) assert.throws(() => readPage('a.md', page(text)), /^content\/help\/a\.md: /, text);
  assert.throws(() => readPage('a.md', 'no front matter'), /title, summary and order/);
});

test('pages are a part of the sources that a build is kept for', () => {
  using place = makeFolder();
  const [sources, help] = ['src/admin', 'content/help'].map((name) => path.join(place.path, name));
  for (const folder of [sources!, help!]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(sources!, 'main.tsx'), 'a');
  const before = hashSources(sources!);
  writeFileSync(path.join(help!, 'a.md'), 'a');
  const after = hashSources(sources!);
  assert.is.not(after, before);
  assert.is(hashSources(sources!), after);
});

test.run();
