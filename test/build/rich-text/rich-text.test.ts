import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { richTextHtml, richTextPlain } from '../../../src/build/rich-text/rich-text.ts';
import { sanitizeHtml } from '../../../src/build/rich-text/sanitize.ts';
import { makePage } from '../../support/theme.ts';

const html = (value: unknown, shift: number | undefined = 0): string =>
  richTextHtml(value, makePage(), { shift }).trim();
const doc = (...content: object[]): object => ({ type: 'doc', content });
const text = (words: string, ...marks: object[]): object => ({ type: 'text', text: words, marks });

test('Markdown becomes HTML, with ids for headings and their levels moved', () => {
  assert.is(html('# Über uns\n\n## Über uns'), '<h1 id="ueber-uns">Über uns</h1>\n<h2 id="ueber-uns-2">Über uns</h2>');
  assert.is(html('# A', 1), '<h2 id="a">A</h2>');
  assert.is(html('###### A', 3), '<h6 id="a">A</h6>');
  assert.is(html('```ts title="x"\na < b\n```'), '<pre tabindex="0"><code class="language-ts">a &lt; b\n</code></pre>');
  assert.ok(html('| a |\n|---|\n| b |').includes('<td>b</td>'));
  assert.is(html('<pre tabindex="5">a</pre>'), '<pre tabindex="0">a</pre>');
  assert.ok(html('- [x] done').includes('<input type="checkbox" disabled checked aria-label="✓">'));
});

test('addresses, titles and descriptions say what their entities mean', () => {
  assert.is(
    html('[a](https://e.com/?a=1&amp;b=2 "A &amp; B")'),
    '<p><a href="https://e.com/?a=1&amp;b=2" title="A &amp; B">a</a></p>',
  );
  assert.ok(html('![A &amp; *B*](https://e.com/a.png)').includes('alt="A &amp; B"'));
  assert.is(
    html('## A [link](/a) & `code`'),
    '<h2 id="a-link-and-code">A <a href="/a">link</a> &amp; <code>code</code></h2>',
  );
});

test('without a wish the highest heading of a text is below the title of the page', () => {
  const levels = (value: unknown): string => (richTextHtml(value, makePage()).match(/<h\d/g) ?? []).join(' ');
  assert.is(levels('# A\n\n## B'), '<h2 <h3');
  assert.is(levels('### A\n\n#### B'), '<h2 <h3');
  assert.is(levels('<h4>A</h4>\n\n##### B'), '<h2 <h3');
  assert.is(levels(doc({ type: 'heading', attrs: { level: 1 }, content: [text('A')] })), '<h2');
});

test('headings in HTML move as those in Markdown do, and no id is on a page twice', () => {
  assert.is(html('<h1>A</h1>', 1), '<h2>A</h2>');
  const page = makePage();
  richTextHtml('# A', page);
  assert.is(richTextHtml('# A', page, { shift: 0 }).trim(), '<h1 id="a-2">A</h1>');
  assert.is(html('# A\n\n# A 2\n\n# A'), '<h1 id="a">A</h1>\n<h1 id="a-2">A 2</h1>\n<h1 id="a-3">A</h1>');
});

test('tasks and cells that are not at the left have classes', () => {
  assert.ok(html('- [ ] a').startsWith('<ul class="tasks">'));
  assert.ok(html('| a |\n|--:|\n| b |').includes('<td class="align-right">b</td>'));
});

test('footnotes are a list at the end, in the order in which the text refers to them', () => {
  const notes = html('A[^b] and B[^a], again[^b]. None[^c]\n\n[^a]: *One*\n[^b]: Two\n    goes on\n\n    and on');
  assert.ok(
    notes.startsWith(
      '<p>A<sup id="fnref-1"><a href="#fn-1">1</a></sup> and B<sup id="fnref-2"><a href="#fn-2">2</a></sup>, again<sup><a href="#fn-1">1</a></sup>. None[^c]</p>',
    ),
    notes,
  );
  assert.ok(notes.includes('<li id="fn-2"><p><em>One</em> <a href="#fnref-2" aria-label="↩ 2">↩</a></p></li>'), notes);
  assert.ok(notes.includes('and on <a href="#fnref-1"'), notes);
});

test('what would be a frame of another site is a link', () => {
  const video = doc({ type: 'youtube', attrs: { src: 'https://www.youtube.com/watch?v=a' } });
  assert.is(html(video), '<p><a href="https://www.youtube.com/watch?v=a">https://www.youtube.com/watch?v=a</a></p>');
  assert.is(html('<iframe src="https://e.com/"></iframe>'), '');
});

test('a picture of the library has its sizes, another one is as it is', () => {
  assert.ok(html('![A](/uploads/a.png "T")').includes('srcset="/uploads/a-400.png 400w, /uploads/a-800.png 800w"'));
  assert.ok(
    html('![A](https://example.com/a.png)').includes('<img src="https://example.com/a.png" alt="A" loading="lazy">'),
  );
  assert.is(html('![A](javascript:alert(1))'), '<p>A</p>');
});

test('a ProseMirror document becomes the same HTML by either of its spellings', () => {
  const item = (name: string): object => ({ type: name, content: [{ type: 'paragraph', content: [text('a')] }] });
  const list = '<ul><li><p>a</p>\n</li>\n</ul>';
  assert.is(html(doc({ type: 'bulletList', content: [item('listItem')] })), list);
  assert.is(html(doc({ type: 'bullet_list', content: [item('list_item')] })), list);
  const marks = [{ type: 'bold' }, { type: 'link', attrs: { href: '/a' } }];
  assert.is(
    html(doc({ type: 'heading', attrs: { level: 2 }, content: [text('A & B', ...marks)] })),
    '<h2 id="a-and-b"><strong><a href="/a">A &amp; B</a></strong></h2>',
  );
  const cell = {
    type: 'tableCell',
    attrs: { colspan: 2, rowspan: 1 },
    content: [{ type: 'paragraph', content: [text('x')] }],
  };
  assert.ok(
    html(doc({ type: 'table', content: [{ type: 'tableRow', content: [cell] }] })).includes('<td colspan="2"><p>x</p>'),
  );
  assert.is(
    html(doc({ type: 'codeBlock', attrs: { language: 'js' }, content: [text('a<b')] })),
    '<pre tabindex="0"><code class="language-js">a&lt;b\n</code></pre>',
  );
});

test('the content of a node that is not known is shown', () => {
  assert.is(html(doc({ type: 'callout', attrs: { onload: 'x' }, content: [text('still here')] })), 'still here');
});

test('liquid in a text is text', () => {
  assert.is(html('{{ site.name }} {% raw %}'), '<p>{{ site.name }} {% raw %}</p>');
});

test('HTML in Markdown keeps what is harmless', () => {
  assert.is(html('<details open><summary>A</summary>b</details>'), '<details open><summary>A</summary>b</details>');
  assert.ok(html('H<sub>2</sub>O').includes('H<sub>2</sub>O'));
  assert.not.ok(html('<form action="/x"><button>a</button></form>').includes('form'));
});

test('HTML around blocks of Markdown holds them, and other blocks stay as they are', () => {
  assert.is(
    html('<div class="a">\n\n**b**\n\n</div>\n\n"c" <b>d</b>\n\n"e"'),
    '<div class="a"><p><strong>b</strong></p>\n</div><p>"c" <b>d</b></p>\n<p>&quot;e&quot;</p>',
  );
  assert.is(html('<div>\n\na\n\n- b'), '<div><p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</div>');
});

test('HTML that is sanitised by the piece means the same as sanitised as a whole', () => {
  const block = fc.constantFrom(
    ...['a "b" & c', '# d', '- e\n- <i>f</i>', 'g <b>h</b> <br> i', '<div>', '</div>', '<p>', '</p>', '<p>j</p>'],
    ...['<details>\n<summary>k</summary>', '</details>', '<!-- l -->', '<!-- m', '-->', '<script>n', '</script>'],
    ...['<table><tr><td>', '</td></tr></table>', '<a href="/o">', '</a>', '`<div>`', "<o p='q\">r'>", '<img src=/s>'],
    ...[
      '1 < 2',
      '<http://e.com>',
      '<div',
      '<>',
      '</',
      '<?t?>',
      '<svg><a>',
      '</svg>',
      '```\n<u>\n```',
      '> <del>v</del>',
    ],
  );
  const page = makePage();
  const normal = (text: string): string => sanitizeHtml(html(text), page).trim();
  fc.assert(
    fc.property(fc.array(block, { maxLength: 7 }), (blocks) => {
      const text = blocks.join('\n\n');
      // What is open and not allowed shows nothing, and everything behind it is one piece.
      assert.is(normal(text), normal(`<x-y>\n\n${text}`), JSON.stringify(text));
    }),
    { numRuns: 1000 },
  );
});

test('a text that is nested deeper than any stack is shown without its form', () => {
  assert.ok(html(`${'>'.repeat(20_000)} words`).length > 0);
  let node: object = text('words');
  for (let depth = 0; depth < 20_000; depth++) node = { type: 'blockquote', content: [node] };
  assert.ok(html(doc(node)).includes('words'));
});

test('a value of another type is empty', () => {
  for (const value of [undefined, null, 7, true]) assert.is(html(value), '');
  assert.is(richTextPlain(7), '');
  assert.is(richTextPlain('# A\n\nb *c*'), 'A b c');
});

test.run();
