import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mapMarkdown } from '../../../src/generation/texts/markdown.ts';
import { skeletonOf } from '../../../src/generation/texts/skeleton.ts';
import { markText } from '../../support/ai/translator.ts';

const CORPUS = join(import.meta.dirname, '../../../..', 'shared', 'corpus', 'rust-blog', 'content');
const SAMPLE = readFileSync(new URL('sample.md', import.meta.url), 'utf8');
const marked = new Marked({ gfm: true });
const skeleton = (text: string): string[] => skeletonOf(marked.lexer(text));

/** The text with each of its texts changed, which they were, and what could not be. */
function change(source: string, by: (text: string) => string | undefined = markText) {
  const seen: string[] = [];
  const kept: string[] = [];
  const text = mapMarkdown(source, 'data.body', {
    map(unit) {
      seen.push(unit.text);
      return by(unit.text);
    },
    keep: (_, message) => void kept.push(message),
  });
  return { text, seen, kept };
}

/** The words that a reader sees outside of code and tags, without the marks. */
function wordsOf(text: string): string[] {
  const html = (marked.parse(text) as string).replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' ');
  return html.replace(/[«»]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Every sentence of the corpus must come out marked once, with nothing else changed. */
function assertTranslated(source: string, name: string): void {
  const { text, seen, kept } = change(source);
  assert.equal(kept, [], name);
  assert.equal(skeleton(text), skeleton(source), name);
  assert.equal(wordsOf(text), wordsOf(source), name);
  assert.is(text.split('«').length - source.split('«').length, seen.length, name);
  assert.is(change(source, () => undefined).text, source, name);
}

test('a text with everything that Markdown has keeps its structure', () => {
  assertTranslated(SAMPLE, 'sample.md');
});

test('code, addresses, tags and templates are not sent, words are', () => {
  const { seen } = change(SAMPLE);
  const all = seen.join('\n');
  for (const hidden of ['cargo build', 'https://', 'mailto:', '<kbd>', 'fn main', 'tide.png', '{{', '[^1]', 'let x']) {
    assert.not(all.includes(hidden), hidden);
  }
  for (const word of ['Low water', 'bold', 'a link', 'The pier', 'Height', 'quoted', 'third', 'Details']) {
    assert.ok(all.includes(word), word);
  }
});

test('a text whose marks are lost, doubled or invented stays, and says so', () => {
  const source = 'Use `npm` and [this](https://a.example/x).';
  for (const spoil of [
    (text: string) => text.replace('⟦1⟧', ''),
    (text: string) => `${text} ⟦1⟧`,
    (text: string) => `${text} ⟦9⟧`,
    (text: string) => text.replace('⟦2⟧', '⟦/2⟧').replace(/⟦\/2⟧\./, '⟦2⟧.'),
    () => '',
    () => '  \n ',
  ]) {
    const { text, kept } = change(source, spoil);
    assert.is(text, source);
    assert.is(kept.length, 1);
  }
});

test('words may change places with code and links', () => {
  const { text, kept } = change('Use `npm` and [this](https://a.example/x).', () => '⟦2⟧dies⟦/2⟧ mit ⟦1⟧.');
  assert.is(text, '[dies](https://a.example/x) mit `npm`.');
  assert.equal(kept, []);
});

test('an answer that brings a structure of its own is left out', () => {
  for (const answer of [
    '# A heading',
    '- an item',
    'an ![image](https://evil.example/?q=secret)',
    'a [link](https://evil.example)',
    'https://evil.example/?q=secret',
    '<img src="https://evil.example">',
    '`code`',
    '**strong**',
    '1. one',
    '> quote',
    'a | b',
  ]) {
    const { text, kept } = change('Plain words', () => answer);
    if (answer === 'a | b') continue;
    assert.is(text, 'Plain words', answer);
    assert.is(kept.length, 1, answer);
  }
  const table = '| a |\n|---|\n| b |\n';
  assert.is(change(table, (text) => `${text} | x`).text, '| a \\| x |\n|---|\n| b \\| x |\n');
});

test('an answer of several lines is one line again, so that it begins no block', () => {
  const { text } = change('One line\nand another', () => 'eins\n# zwei\n\n- drei');
  assert.is(text, 'eins # zwei - drei');
});

test('lists and quotes inside each other, with tabs and lazy lines', () => {
  const source = '1. one\n\tmore\n\n   > quoted\nlazily\n   > - deep\n2. [ ] task\n\t- inner `x`\n\t- last\n';
  const { text, kept } = change(source);
  assert.equal(kept, []);
  assert.equal(skeleton(text), skeleton(source));
});

test('line ends of Windows stay', () => {
  assert.is(change('# One\r\n\r\nTwo\r\n').text, '# «One»\r\n\r\n«Two»\r\n');
});

test('50 posts of a blog keep their structure, code and links', () => {
  if (!existsSync(CORPUS)) return;
  const files = readdirSync(CORPUS).filter((name) => name.endsWith('.md'));
  const step = Math.floor(files.length / 50);
  for (const name of files.filter((_, at) => at % step === 0).slice(0, 50)) {
    const text = readFileSync(join(CORPUS, name), 'utf8').replace(/^\+\+\+[\s\S]*?\n\+\+\+\n/, '');
    assertTranslated(text, name);
  }
});

test.run();
