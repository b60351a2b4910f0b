// HTML of other editors as Markdown: what it becomes, that no word is lost, and that hostile HTML is bounded.
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { marked } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { htmlToMarkdown } from '../../src/transfer/html-to-markdown.ts';

const BLOCKS = '<!-- wp:paragraph -->';

test('paragraphs, headings, emphasis, links and pictures become Markdown', () => {
  for (const [html, text] of [
    ['<p>One &amp; <b>two </b>three</p>\n\n<p><em>four</em><br>five</p>', 'One & **two** three\n\n*four*\\\nfive'],
    ['<h2>A <i>title</i></h2>text', '## A *title*\n\ntext'],
    ['<a href="/a b">there</a>', '[there](</a b>)'],
    ['<img src="https://e.org/a.png" alt="A [b]" title="T">', '![A \\[b\\]](https://e.org/a.png "T")'],
    [
      '<figure><a href="/big"><img src="/s.jpg" alt=""></a><figcaption>C</figcaption></figure>',
      '[![](/s.jpg)](/big)\n\nC',
    ],
    ['<a href="javascript:x()">t</a><script>x()</script>', 't'],
    ['<pre class="language-js"><code>a &lt; `b`\n\nc</code></pre>', '```js\na < `b`\n\nc\n```'],
    ['<p><code>a`b</code></p>', '``a`b``'],
    ['<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
    ['<p>&lt;b>x&lt;/b> &lt;!a &amp;lt;</p>', '\\<b>x\\</b> \\<!a \\&lt;'],
  ] as const)
    assert.is(htmlToMarkdown(BLOCKS + html), text);
});

test('lists and quotations keep their nesting', () => {
  const html = '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li><p>x</p><p>y</p></li><li>z</li></ol>';
  assert.is(htmlToMarkdown(html), '- a\n  - b\n\n3. x\n\n   y\n4. z');
  assert.is(htmlToMarkdown('<blockquote><p>q</p><ul><li>r</li></ul></blockquote>'), '> q\n>\n> - r');
});

test('lines of the classic editor are breaks and paragraphs', () => {
  assert.is(htmlToMarkdown('One\ntwo\n\n<strong>Three</strong> four'), 'One\\\ntwo\n\n**Three** four');
});

test('what Markdown has no words for stays HTML', () => {
  assert.is(
    htmlToMarkdown('<p>x</p><table><tr><td>1</td></tr>\n\n</table><p>y</p>'),
    'x\n\n<table><tr><td>1</td></tr>\n</table>\n\ny',
  );
});

type Node = ReturnType<typeof parseDocument>['children'][number] | ReturnType<typeof parseDocument>;
function textOf(node: Node): string {
  if (node.type === 'text') return (node as { data: string }).data;
  return 'children' in node ? (node.children as Node[]).map(textOf).join('') : '';
}
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

test('any text is the same after Markdown has been read', () => {
  const characters = fc.constantFrom(...'ab1<<! .)*_`~[]()<>&;#!+-=|\\"\'{}/:'.split(''));
  const text = fc.string({ unit: characters, minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(text, fc.constantFrom('p', 'h2', 'li', 'blockquote'), (given, tag) => {
      const encoded = given.replace(/&/g, '&amp;').replace(/</g, '&lt;');
      const markdown = htmlToMarkdown(`${BLOCKS}<${tag}>${encoded}</${tag}>`);
      const html = marked.parse(markdown, { async: false });
      assert.is(plain(textOf(parseDocument(html))), plain(given), `${markdown}\n${html}`);
    }),
    {
      numRuns: 1_000,
      examples: [
        ['<!a', 'p'],
        ['<b>', 'li'],
        ['&lt;', 'h2'],
      ],
    },
  );
});

test('HTML that is nested without end stays as it is, and long runs take time in proportion', () => {
  const deep = '<div>'.repeat(200_000);
  assert.is(htmlToMarkdown(deep), deep);
  const time = (html: string) => {
    const start = performance.now();
    htmlToMarkdown(html);
    return performance.now() - start;
  };
  const runs = ['<p><br>', ' ', '\n \t', '`', '<i>x</i>', '<li>x', '*', '&amp;'];
  for (const run of runs) {
    const [small, large] = [2e4, 2e5].map((count) => time(`<p>${run.repeat(count)}x</p>`)) as [number, number];
    assert.ok(large < 40 * (small + 25), `${JSON.stringify(run)}: ${small} ms, ${large} ms for ten times as much`);
  }
});

test.run();
