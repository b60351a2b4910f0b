// Markdown that is made to be slow: whatever reads it takes a time that grows with its length. And what people write is
// read as marked reads it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Lexer, Marked } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readMarkdown } from '../../../src/admin/richtext/markdown/markdown-in.ts';
import { richTextHtml } from '../../../src/build/rich-text/rich-text.ts';
import { sanitizeHtml } from '../../../src/build/rich-text/sanitize.ts';
import { createSafeText } from '../../../src/chat/safe-text.ts';
import { mapMarkdown } from '../../../src/generation/texts/markdown.ts';
import { LinearLexer } from '../../../src/lib/markdown/linear-lexer.ts';
import { mergeTexts } from '../../../src/lib/text/merge/merge-text.ts';
import { htmlLinks, markdownLinks } from '../../../src/links/text-links.ts';
import { markdownTexts } from '../../../src/schema/markdown-text.ts';
import { htmlToMarkdown } from '../../../src/transfer/html-to-markdown.ts';
import { textOf, tooSlow } from '../../support/linear-time.ts';
import { ROOT } from '../../support/source.ts';
import { makePage } from '../../support/theme.ts';

const SMALL_CHARS = 4_000;

/** Repeated until they are long. */
const UNITS = [
  ...[
    '_a',
    '*a',
    '*a **a ',
    '*a_ ',
    '_a* ',
    'a**b',
    'a***b_',
    'a* ',
    'a_',
    '*.',
    'a*b*',
    '**あ',
    '\\*a',
    '*_~`[',
    '~~a ',
    'a~ ',
  ],
  ...[
    '[',
    '![',
    '[a](',
    '[a](b "',
    '[a](<b',
    ') [a](b',
    ') [a](b (',
    '[a](b)',
    '[[a](b)',
    '[a][b] ',
    '[a] ',
    '\\[',
    ']',
    '[](',
  ],
  ...['[^a]', '[^a]: b\n', '[^a]:\n\n', '[a]: b\n', '[a]: b "c\n', '[a]:\n', '{{', '{%', '&', '&amp;', '&#1'],
  ...[
    '<',
    '<a ',
    '<a b="',
    '<a>',
    '<b><i>',
    '</b>',
    '<div>\n',
    '<div>\n\n',
    'a <!-- ',
    '<!-- >',
    '<?',
    '<!A ',
    '<![CDATA[',
  ],
  ...[
    '`',
    '` ',
    '`a',
    '\\``|',
    '```\n',
    '~~~a\n',
    '``a`',
    'a@',
    'a@a.',
    'a.',
    'http',
    'http://a.',
    'http://a(',
    'http://a)',
    'www.',
  ],
  ...[
    '>',
    '> ',
    '> a\n',
    '>\n',
    '- ',
    '- a\n',
    '* a\n- b\n',
    '1. ',
    '- a\n\n',
    '+ - ',
    '- > ',
    '- [ ] ',
    '- a\n  - b\n',
    '- - ',
  ],
  ...['|', '|a|b|\n|-|-|\n', '|-', 'a|', 'a\n', 'a\n=\n', '=\n', 'a\n-', '* * *\n', '#', '# a\n', ' #', '# a #'],
  ...[' ', '\n', '\t', ' \n', 'a  \n', '\\\n', '    a\n', 'a ', '!', '.', '"', '\u00a0', '\r\n', 'a\n\n', '\u{1f600}'],
];

/** Made for a length. */
const WHOLES: Record<string, (length: number) => string> = {
  'emphasis within emphasis': (n) => '*a '.repeat(n / 6) + ' b*'.repeat(n / 6),
  'both kinds of emphasis within one another': (n) => '*a **b '.repeat(n / 14) + ' b** a*'.repeat(n / 14),
  'runs of backticks, each longer': (n) => growing(n, (i) => `${'`'.repeat(i)} `),
  'quotes, each deeper': (n) => growing(n, (i) => `${'>'.repeat(i)} a\n`),
  'lists, each deeper': (n) => growing(n, (i) => `${' '.repeat(2 * i)}- a\n`),
  'quotes without end, and a line after them': (n) => `${'>'.repeat(n / 2)}a${'\n>'.repeat(n / 4)}`,
  'a table with as many columns as rows': (n) =>
    `${'|a'.repeat(n / 8)}|\n${'|-'.repeat(n / 8)}|\n${'|\n'.repeat(n / 4)}`,
  'an item with many lines': (n) => `- a\n${'b\n'.repeat(n / 2)}`,
  'an item with many lines, and a footnote': (n) => `- a\n${'b\n'.repeat(n / 2)}[^a]`,
  'an item with many lines, and a heading after them': (n) => `- a\n${'b\n'.repeat(n / 2)}# c\n===\n`,
  'paragraphs, and a footnote at the end': (n) => `${'a\n\n'.repeat(n / 3)}[^a]\n\n[^a]: b`,
  'many footnotes': (n) => growing(n / 2, (i) => `[^${i}]`) + growing(n / 2, (i) => `\n[^${i}]: a\n`),
  'many definitions': (n) => `${growing(n / 2, (i) => `[a${i}]: b\n`)}\n${'[a1] '.repeat(n / 10)}`,
  'an address with brackets at its end': (n) => `http://a${')'.repeat(n)}`,
  'an address with entities at its end': (n) => `http://a${'&a;'.repeat(n / 3)}`,
  'an address of mail without a host': (n) => `${'a.'.repeat(n / 2)}@`,
  'elements within one another': (n) => '<b>'.repeat(n / 7) + '</b>'.repeat(n / 7),
  'elements that others close': (n) => '<b>'.repeat(n / 7) + '</i>'.repeat(n / 7),
  'a list that looks like a rule': (n) => `${'- '.repeat(n / 2)}a`,
  'spaces in a line': (n) => `a${' '.repeat(n)}b`,
};

function growing(length: number, item: (index: number) => string): string {
  let text = '';
  for (let i = 1; text.length < length; i++) text += item(i);
  return text;
}

const NOT_CHANGED = { map: () => undefined, keep: () => undefined };

const WORKS: Record<string, (text: string) => unknown> = {
  'Markdown as tokens': (text) => new LinearLexer().lex(text),
  'rich text as HTML': (text) => [richTextHtml(text, makePage()), richTextHtml(`[^z]\n\n${text}`, makePage())],
  'HTML of people': (text) => sanitizeHtml(text, makePage()),
  'words for the search': (text) => markdownTexts(text),
  'links of a text': (text) => [markdownLinks(text), htmlLinks(text)],
  'Markdown in the editor': (text) => readMarkdown(text),
  'texts for a model': (text) => mapMarkdown(text, 'data.body', NOT_CHANGED),
  'what a model says': (text) => {
    const safe = createSafeText({ isOwn: () => false, isOwnDestination: () => false });
    for (let at = 0; at < text.length; at += 100) safe.push(text.slice(at, at + 100));
    safe.end();
  },
  'HTML of an import': (text) => htmlToMarkdown(text),
  'two versions of a text': (text) => mergeTexts(text, `${text}a`, `b${text}`),
};

for (const [what, work] of Object.entries(WORKS)) {
  test(`${what} takes a time that grows with its length, whatever is in it`, async () => {
    const slow: string[] = [];
    const units = UNITS.map((unit): [string, (length: number) => string] => [
      JSON.stringify(unit),
      (length) => textOf(unit, length),
    ]);
    for (const [name, make] of [...units, ...Object.entries(WHOLES)]) {
      const [small, large] = [make(SMALL_CHARS), make(10 * SMALL_CHARS)];
      const said = await tooSlow(
        () => work(small),
        () => work(large),
      );
      if (said !== undefined) slow.push(`${name}: ${said}`);
    }
    assert.is(slow.join('\n'), '');
  });
}

test('what people write is read as marked reads it', () => {
  const marked = new Marked({ gfm: true });
  const folders = ['content', '.github', 'src'].map((name) => path.join(ROOT, name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const texts = files.filter((file) => file.endsWith('.md')).map((file) => readFileSync(file, 'utf8'));
  assert.ok(texts.length > 100);
  for (const text of texts) {
    const lexer = new LinearLexer(marked.defaults);
    assert.is(marked.parser(lexer.lex(text)), marked.parser(marked.lexer(text)));
    assert.is(lexer.unread, 0);
  }
});

test('short texts are read as marked reads them, whatever is in them', () => {
  const parts = fc.constantFrom(
    ...UNITS,
    ...' \n*_`[]()<>!#-=|~.:@&',
    '\n\n',
    'word',
    '**b**',
    '[a](/b)',
    '> ',
    '  - ',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 24 }), (all) => {
      const text = all.join('');
      assert.equal([...new LinearLexer().lex(text)], [...new Lexer({ gfm: true }).lex(text)]);
    }),
    { numRuns: 3000 },
  );
});

test('a paragraph that cannot be read is its words, and those around it are read', () => {
  const lexer = new LinearLexer();
  const hostile = '_a'.repeat(30_000);
  const [first, , second, , third] = lexer.lex(`*one*\n\n${hostile}\n\n*three*`) as unknown as {
    tokens: { type: string; raw: string }[];
  }[];
  assert.is(lexer.unread, 1);
  assert.equal([first!.tokens[0]!.type, third!.tokens[0]!.type], ['em', 'em']);
  assert.equal(
    second!.tokens.map(({ type, raw }) => [type, raw === hostile]),
    [['text', true]],
  );
});

test.run();
