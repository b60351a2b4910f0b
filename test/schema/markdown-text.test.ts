import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { htmlText } from '../../src/schema/html-text.ts';
import { markdownTexts } from '../../src/schema/markdown-text.ts';

const same = (markdown: string, ...texts: string[]) => assert.equal(markdownTexts(markdown), texts, markdown);

test('headings, paragraphs, quotes, list items, tasks and rows are separate texts', () => {
  same(
    '# One #\ntwo\nthree\n\n> four\n- five\n* six\n1. seven\n2) - [x] eight',
    'One',
    'two\nthree',
    'four',
    'five',
    'six',
    'seven',
    'eight',
  );
  same('Title\n=====\ntext\n---\n***', 'Title', 'text');
  same('| a | b |\n|---|:-:|\n| c | **d** |', 'a   b', 'c   d');
});

test('emphasis markers are removed, even inside a word, and the words stay whole', () => {
  same('wo**rd**s *and* __more__ ~~gone~~ ***all***', 'words and more gone all');
});

test('characters that are not markup stay', () => {
  same('snake_case_name 2 * 3 a*b ~ _ [sic] (x) !', 'snake_case_name 2 * 3 a*b ~ _ [sic] (x) !');
  same('\\*not\\* C:\\dir', '*not* C:\\dir');
});

test('links and images give their words and titles, not their addresses', () => {
  same('[the *words*](https://hidden.example/a_(b) "A title")!', 'the words A title!');
  same('![a cat](<hidden me.png>) [x][hidden] [y][] [](hidden)', 'a cat x y');
  same('[ref]: https://hidden.example "Seen"', 'Seen');
  same(
    '<https://seen.example/a_b_c> and https://plain.example/x_y_z',
    'https://seen.example/a_b_c and https://plain.example/x_y_z',
  );
});

test('code is kept verbatim', () => {
  same('use `a_*b*_c` and ``x ` y``', 'use a_*b*_c and x ` y');
  same('```js\nconst **x** = `1`;\n\n# no heading\n```\nafter', 'const **x** = `1`;\n\n# no heading', 'after');
  same('~~~\nnever closed [x](y)', 'never closed [x](y)');
  same('`never closed *x*', '`never closed x');
});

test('tags are removed and character references are resolved', () => {
  same('wo<b>rd</b> a<br>b <!-- hidden --> 1 < 2 &amp; &eacute;&#233;&#xe9;', 'word a b   1 < 2 & &eacute;éé');
});

test('an empty text has no texts', () => {
  same('');
  same('\n \n---\n');
});

test('HTML gives what a reader sees', () => {
  assert.is(htmlText('<h1>A</h1><p>b<b>c</b></p><td>1</td><td>2</td>'), 'A bc 1 2');
  assert.is(htmlText('<style>p{}</style><script>if (a < b) hidden()</script>x<!-- y -->z'), 'x z');
  assert.is(htmlText('a < b &lt;i&gt; &nbsp;&#0;&#xD800;&nope;'), 'a < b <i> \u00a0&#0;&#xD800;&nope;');
  assert.is(htmlText('<a title="1 > 0">x</a> <unclosed'), 'x <unclosed');
  assert.is(htmlText('<script>never closed'), '');
});

test('no input of a megabyte takes longer than a moment', () => {
  const tick = '`';
  const inputs = [
    '['.repeat(1e6),
    ']('.repeat(5e5),
    '!['.repeat(3e5) + ']'.repeat(3e5),
    '[a](x "'.repeat(1e5),
    '*a _b '.repeat(1.5e5),
    ' _a'.repeat(1.5e5) + 'b* '.repeat(1.5e5),
    ' *a'.repeat(1.5e5) + 'b* '.repeat(1.5e5),
    Array.from({ length: 1_400 }, (_, index) => tick.repeat(index + 1)).join(' '),
    '<a '.repeat(3e5),
    '<a "'.repeat(2e5),
    '<script>'.repeat(1e5),
    '> - '.repeat(2e5),
    `${'- '.repeat(5e5)}x`,
    `${'-'.repeat(1e6)}x|`,
    ' \t'.repeat(5e5),
    '&#'.repeat(5e5),
  ];
  for (const input of inputs) {
    const started = performance.now();
    markdownTexts(input);
    htmlText(input);
    // Quadratic time would take minutes; the bound leaves room for a busy machine.
    assert.ok(performance.now() - started < 5_000, `${input.slice(0, 20)} took ${performance.now() - started} ms`);
  }
});

test.run();
