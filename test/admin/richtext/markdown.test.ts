// Markdown in and out of the editor without loss: bytes that were not edited stay, and what was edited is read again.
// With BENCH_POSTS the same holds for a folder of real posts.
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isFaithful, openMarkdown } from '../../../src/admin/richtext/markdown/markdown-out.ts';
import { toMeaning } from '../../../src/admin/richtext/markdown/same-text.ts';
import { MARKDOWN } from '../../../src/admin/richtext/schema.ts';
import { listPosts, listSamples } from './corpus.ts';
import { changeWords, createRandom, editAnywhere, replaceText } from './edits.ts';

const TEXTS = [...listSamples(), ...listPosts()];

/** The text after a change of its document. */
function edit(text: string, change: (document: Node) => Node): string {
  const opened = openMarkdown(text);
  const { text: written, isFaithful: isSame } = opened.write(change(opened.document));
  assert.ok(isSame, written);
  return written;
}

/** The position of a text in a document. */
function find(document: Node, text: string): number {
  let found = -1;
  document.descendants((node, position) => {
    const at = node.text?.indexOf(text) ?? -1;
    if (at >= 0 && found < 0) found = position + at;
  });
  assert.ok(found >= 0, `"${text}" is not in ${document}`);
  return found;
}

const replace =
  (old: string, text: string) =>
  (document: Node): Node => {
    const from = find(document, old);
    return replaceText(document, from, from + old.length, text);
  };

const mark =
  (text: string, name: string) =>
  (document: Node): Node => {
    const from = find(document, text);
    const change = new Transform(document);
    return change.addMark(from, from + text.length, MARKDOWN.marks[name]!.create()).doc;
  };

function changedLines(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return old.length === now.length ? old.filter((line, at) => line !== now[at]).length : Number.POSITIVE_INFINITY;
}

test('a text that nobody edited is written byte by byte', () => {
  assert.ok(listSamples().length > 2);
  for (const { name, text } of TEXTS) {
    const opened = openMarkdown(text);
    opened.document.check();
    assert.is(opened.write(opened.document).text, text, name);
    assert.ok(opened.write(opened.document).isFaithful, name);
    assert.ok(isFaithful(text, opened.document), name);
  }
});

test('every kind of line end stays, also in a text that mixes them', () => {
  for (const { name, text } of listSamples()) {
    for (const other of [text.replaceAll('\n', '\r\n'), text.replace(/\n\n/g, '\r\n\n'), text.replaceAll('\n', '\r')]) {
      const opened = openMarkdown(other);
      assert.is(opened.write(opened.document).text, other, name);
    }
  }
  assert.is(edit('one\r\n\r\ntwo\r\n\r\nthree\r\n', replace('two', 'changed')), 'one\r\n\r\nchanged\r\n\r\nthree\r\n');
  assert.is(edit('one\r\n\r\ntwo\n\nthree', replace('two', 'changed')), 'one\r\n\r\nchanged\n\nthree');
});

test('one word changed in a block of each kind changes one line, and taking it back gives the bytes back', () => {
  let [edits, lines] = [0, 0];
  const repeated = [...Array(8)].flatMap(() => listSamples());
  [...repeated, ...listPosts()].forEach(({ name, text }, seed) => {
    for (const { document, kind } of changeWords(openMarkdown(text).document, createRandom(seed))) {
      const opened = openMarkdown(text);
      const { text: written, isFaithful: isSame } = opened.write(document);
      edits++;
      if (changedLines(text, written) === 1) lines++;
      assert.is(isFaithful(written, document), isSame, `${name}, a ${kind}`);
      assert.is(opened.write(opened.document).text, text, name);
    }
  });
  console.log(`${lines} of ${edits} edits changed one line`);
  assert.ok(edits >= 100 && lines / edits > 0.96, `${lines} of ${edits}`);
});

test('random edits are written as what the screen says, or the editor knows that they are not', () => {
  let [edits, faithful] = [0, 0];
  for (const { name, text } of listSamples()) {
    for (let seed = 0; seed < 60; seed++) {
      const random = createRandom(seed * 7919 + name.length);
      const opened = openMarkdown(text);
      let document = opened.document;
      for (let step = 0; step < 5; step++) {
        document = editAnywhere(document, random);
        const { text: written, isFaithful: isSame } = opened.write(document);
        edits++;
        if (isSame) faithful++;
        assert.ok(!isSame || isFaithful(written, document), `${name}, seed ${seed}, step ${step}: ${written}`);
      }
      assert.is(opened.write(opened.document).text, text, `${name}, seed ${seed}: back again`);
    }
  }
  // Most of the others put code marks around signs of Markdown, which no Markdown can say.
  assert.ok(faithful / edits > 0.85, `${faithful} of ${edits}`);
});

test('what is new follows the habits of the text', () => {
  const text = 'Some _emphasis_ here.\n\n*   wide\n*   bullets\n\n1)  a\n2)  b\n\nWords.\n';
  assert.is(edit(text, mark('Words', 'italic')), text.replace('Words', '_Words_'));
  assert.is(edit('Some *emphasis*.\n\nWords.\n', mark('Words', 'italic')), 'Some *emphasis*.\n\n*Words*.\n');
  const { listItem, paragraph } = MARKDOWN.nodes;
  const added = edit(text, (document) => {
    const list = document.child(1);
    const item = listItem!.create(null, paragraph!.create(null, MARKDOWN.text('third')));
    return document.replace(
      0,
      document.content.size,
      wrap(document.children.with(1, list.copy(list.content.addToEnd(item)))),
    );
  });
  assert.is(added, text.replace('*   bullets\n', '*   bullets\n*   third\n'));
});

function wrap(blocks: readonly Node[]) {
  const document = MARKDOWN.nodes.doc!.create(null, blocks);
  return document.slice(0, document.content.size);
}

test('numbers of a list go on counting when an item is removed', () => {
  const removed = edit('1. one\n2. two\n3. three\n', (document) => {
    const list = document.child(0);
    return document.replace(
      0,
      document.content.size,
      wrap([
        list.copy(
          list.content
            .cut(0, list.child(0).nodeSize)
            .append(list.content.cut(list.child(0).nodeSize + list.child(1).nodeSize)),
        ),
      ]),
    );
  });
  assert.is(removed, '1. one\n2. three\n');
});

test('an edit keeps reference links, escapes, entities, footnotes and shortcodes beside it as they are written', () => {
  const text =
    'See [the docs][d], AT&amp;T, \\*stars\\*[^1] and {{< fig a="b_c" >}} once.\n\n[d]: https://example.com\n';
  assert.is(edit(text, replace('once', 'twice')), text.replace('once', 'twice'));
  assert.is(edit(text, replace('the docs', 'all docs')), text.replace('the docs', 'all docs'));
  assert.is(edit(text, replace('example.com', 'example.org')), text.replace('.com', '.org'));
});

test('typed signs of Markdown are what was typed', () => {
  for (const typed of [
    '*stars*',
    '# no heading',
    '- no item',
    '[a](b)',
    '<b>',
    '&lt;',
    '`code`',
    '1. one',
    '> no',
    '\\',
  ]) {
    const written = edit('one\n\nword\n\nthree\n', replace('word', typed));
    const [, block] = openMarkdown(written).document.children;
    assert.is(block!.textContent, typed, written);
    assert.is(block!.type.name, 'paragraph');
    assert.ok(!block!.children.some(({ marks }) => marks.length > 0), written);
  }
});

test('lists beside each other, and a text that ends a paragraph early, stay apart', () => {
  const apart = edit('* one\n\nbetween\n\n* two\n', (document) =>
    document.replace(0, document.content.size, wrap([document.child(0), document.child(2)])),
  );
  assert.is(openMarkdown(apart).document.childCount, 2, apart);
  const close = edit('## Heading\nText\n', (document) =>
    document.replace(
      0,
      document.content.size,
      wrap([MARKDOWN.nodes.paragraph!.create(null, MARKDOWN.text('Plain')), document.child(1)]),
    ),
  );
  assert.is(close, 'Plain\n\nText\n');
});

test('an empty text stays one, and is filled', () => {
  assert.is(openMarkdown('').write(openMarkdown('').document).text, '');
  const opened = openMarkdown('');
  const document = MARKDOWN.nodes.doc!.create(null, MARKDOWN.nodes.paragraph!.create(null, MARKDOWN.text('Hello')));
  assert.is(opened.write(document).text, 'Hello');
  assert.is(opened.write(opened.document).text, '');
});

test('a text of any shape is read, and nothing in it is lost', () => {
  const deep = `${'> '.repeat(200)}deep\n`;
  const wide = '- '.repeat(300);
  for (const text of [
    deep,
    wide,
    '\0',
    '\ufeff# x',
    '[',
    '```',
    '<!--',
    '| a |\n|-|',
    '\t',
    '    ',
    '[^1]: a\n    b\n',
  ]) {
    const opened = openMarkdown(text);
    assert.is(opened.write(opened.document).text, text, JSON.stringify(text.slice(0, 20)));
    assert.type(toMeaning(opened.document), 'string');
  }
});

test.run();
