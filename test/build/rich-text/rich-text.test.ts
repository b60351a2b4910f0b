import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { richTextHtml, richTextPlain } from '../../../src/build/rich-text/rich-text.ts';
import { makePage } from '../../support/theme.ts';

const html = (value: unknown, shift = 0): string => richTextHtml(value, makePage(), { shift }).trim();
const doc = (...content: object[]): object => ({ type: 'doc', content });
const text = (words: string, ...marks: object[]): object => ({ type: 'text', text: words, marks });

test('Markdown becomes HTML, with ids for headings and their levels moved', () => {
  assert.is(html('# Über uns\n\n## Über uns'), '<h1 id="ueber-uns">Über uns</h1>\n<h2 id="ueber-uns-2">Über uns</h2>');
  assert.is(html('# A', 1), '<h2 id="a">A</h2>');
  assert.is(html('###### A', 3), '<h6 id="a">A</h6>');
  assert.is(html('```ts title="x"\na < b\n```'), '<pre><code class="language-ts">a &lt; b\n</code></pre>');
  assert.ok(html('| a |\n|---|\n| b |').includes('<td>b</td>'));
  assert.ok(html('- [x] done').includes('<input type="checkbox" disabled checked aria-label="✓">'));
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
    '<pre><code class="language-js">a&lt;b\n</code></pre>',
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
