// TipTap's JSON in and out of the editor: what was not edited is the same JSON, known or not.
import * as fc from 'fast-check';
import { Fragment, type Node } from 'prosemirror-model';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isJsonDocument, openJson } from '../../../src/admin/richtext/json-document.ts';
import { openValue } from '../../../src/admin/richtext/rich-text-value.ts';
import { replaceText } from './edits.ts';

const text = (words: string, marks?: unknown[]) => ({ type: 'text', ...(marks ? { marks } : {}), text: words });
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content });

const KNOWN = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2, textAlign: 'center', id: 'x' }, content: [text('Title')] },
    paragraph(text('plain '), text('heavy', [{ type: 'bold' }]), { type: 'hardBreak' }, text('end')),
    paragraph(
      text('a link', [
        { type: 'link', attrs: { href: 'https://a.b', target: '_blank', rel: 'nofollow', class: null } },
      ]),
      text('coloured', [{ type: 'textStyle', attrs: { color: '#f00' } }, { type: 'bold' }]),
    ),
    {
      type: 'bulletList',
      content: [
        { type: 'listItem', content: [paragraph(text('one')), { type: 'mystery', attrs: { a: [1, { b: 2 }] } }] },
      ],
    },
    { type: 'taskList', content: [{ type: 'taskItem', attrs: { checked: true }, content: [paragraph(text('done'))] }] },
    { type: 'image', attrs: { src: '/uploads/a.png', alt: null, title: null, width: 120 } },
    paragraph(
      text('with '),
      { type: 'image', attrs: { src: '/uploads/b.png' } },
      { type: 'mention', attrs: { id: 7 } },
    ),
    {
      type: 'bullet_list',
      content: [{ type: 'list_item', content: [paragraph(text('of ProseMirror', [{ type: 'em' }]))] }],
    },
    { type: 'callout', attrs: { tone: 'warm' }, content: [paragraph(text('unknown'))] },
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [
            { type: 'tableCell', attrs: { colspan: 2, rowspan: 1, colwidth: [100, 50] }, content: [paragraph()] },
          ],
        },
      ],
    },
  ],
};

function edit(value: object, old: string, words: string): unknown {
  const opened = openJson(value as Record<string, unknown>);
  let from = -1;
  opened.document.descendants((node: Node, position) => {
    if (node.text?.startsWith(old)) from = position;
  });
  assert.ok(from >= 0, old);
  return opened.write(replaceText(opened.document, from, from + old.length, words));
}

test('a document that nobody edited is the same value', () => {
  const opened = openJson(KNOWN);
  opened.document.check();
  assert.is(opened.write(opened.document), KNOWN);
  const empty = { type: 'doc', content: [] };
  assert.is(openJson(empty).write(openJson(empty).document), empty);
});

test('an edit changes its words and nothing else, whatever is around them', () => {
  for (const old of ['Title', 'heavy', 'a link', 'one', 'done', 'with', 'of ProseMirror']) {
    const expected = JSON.parse(JSON.stringify(KNOWN).replace(`"${old}`, '"edited'));
    assert.equal(edit(KNOWN, old, 'edited'), expected, old);
  }
});

test('what is not known stays word by word when its neighbour is edited', () => {
  const value = {
    type: 'doc',
    version: 3,
    content: [
      {
        type: 'blockquote',
        extra: true,
        content: [{ type: 'widget', content: [{ type: 'deep', x: 1 }] }, paragraph(text('word'))],
      },
    ],
  };
  assert.equal(edit(value, 'word', 'other'), JSON.parse(JSON.stringify(value).replace('word', 'other')));
});

test('a mark that stands twice, and marks that exclude each other, are given back', () => {
  const y = { type: 'y' };
  const links = ['/a', '/b'].map((href) => ({ type: 'link', attrs: { href } }));
  for (const marks of [[y, y], links, [{ type: 'bold' }, y, { type: 'bold' }]]) {
    const content = [
      {
        type: 'paragraph',
        content: [
          { type: 'image', marks },
          { type: 'text', text: 'a', marks },
        ],
      },
    ];
    const opened = openJson({ type: 'doc', content });
    opened.document.check();
    const { nodes } = opened.document.type.schema;
    const [paragraph] = opened.document.children;
    const longer = paragraph!.copy(paragraph!.content.addToEnd(nodes.hardBreak!.create()));
    const written = opened.write(opened.document.copy(Fragment.from(longer))) as { content: { content: unknown[] }[] };
    assert.equal(written.content[0]!.content.slice(0, 2), content[0]!.content);
  }
});

test('JSON of any shape is opened and given back', () => {
  const { node } = fc.letrec((tie) => ({
    node: fc.record(
      {
        type: fc.constantFrom(
          'paragraph',
          'heading',
          'bulletList',
          'listItem',
          'image',
          'table',
          'text',
          'hardBreak',
          'x',
        ),
        attrs: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
        content: fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'node' }),
        text: fc.string({ maxLength: 5 }),
        marks: fc.array(
          fc.oneof(fc.record({ type: fc.constantFrom('bold', 'y', 'link') }), fc.jsonValue({ maxDepth: 1 })),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['type'] },
    ),
  }));
  fc.assert(
    fc.property(fc.array(fc.oneof(node, fc.jsonValue({ maxDepth: 1 })), { maxLength: 4 }), (content) => {
      const value = { type: 'doc', content };
      const opened = openJson(value);
      opened.document.check();
      assert.is(opened.write(opened.document), value);
      // With a block more, every other one is still the same JSON.
      const { nodes } = opened.document.type.schema;
      const more = opened.document.copy(opened.document.content.addToEnd(nodes.horizontalRule!.create()));
      const written = opened.write(more) as { content: unknown[] };
      assert.equal(written.content.slice(0, content.length), content);
    }),
    { numRuns: 300 },
  );
});

test('a value never changes its kind, and one that is no rich text is not opened', () => {
  assert.is(openValue(undefined)?.write(openValue(undefined)!.document).value, undefined);
  assert.is(openValue(null)?.write(openValue(null)!.document).value, null);
  assert.is(openValue('')?.write(openValue('')!.document).value, '');
  assert.is(openValue(KNOWN)?.kind, 'json');
  for (const other of [1, true, [], {}, { type: 'paragraph' }]) assert.is(openValue(other), undefined);
  assert.ok(!isJsonDocument([]) && !isJsonDocument('doc'));
});

test.run();
