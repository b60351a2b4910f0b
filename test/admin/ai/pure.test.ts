// What the screens about AI decide without a browser.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isDrawable } from '../../../src/admin/ai/drawable.ts';
import { toSafeLink } from '../../../src/admin/ai/safe-link.ts';
import { type AnswerPart, linksOf, toShownJson, withEvent } from '../../../src/admin/ai/steps.ts';
import { createPostForEvents, readEvents } from '../../../src/admin/api/posted-events.ts';
import { toSentence } from '../../../src/admin/api/sentence.ts';
import type { ChatTurn } from '../../../src/admin/screens/chat/chat-turn.ts';
import { withKept } from '../../../src/admin/screens/chat/with-kept.ts';
import {
  chosenOf,
  nextAfter,
  type QueueItem,
  toApprovedFields,
  toConflicts,
  toItemFields,
} from '../../../src/admin/screens/curation/item-fields.ts';
import { toUsd } from '../../../src/admin/text/money.ts';
import { toReadable } from '../../../src/admin/ui/readable.ts';

const collection = {
  name: 'posts',
  label: 'Posts',
  fields: [
    { name: 'title', type: 'text', label: 'Title' },
    { name: 'body', type: 'richtext' },
  ],
};

function item(change: Partial<QueueItem>): QueueItem {
  const base = { data: {}, alternatives: [], base: {}, change: {}, editedFields: [], skippedFields: [] };
  return { ...base, leftOutFields: [], ...change } as unknown as QueueItem;
}

test('Markdown that nests or is marked without end is not read as such', () => {
  for (const text of ['> '.repeat(30), `a\n${'- '.repeat(30)}`, '1. '.repeat(30), '_a'.repeat(6000), ' '.repeat(90)]) {
    assert.not(isDrawable(text), text.slice(0, 20));
  }
  for (const text of ['', '-'.repeat(200), '> > > quoted', '| a |\n| --- |', '  - a\n    - b', '**a** '.repeat(1000)]) {
    assert.ok(isDrawable(text), text.slice(0, 20));
  }
});

test('turns of another tab stand where they were said, and those of this one keep what the tools did', () => {
  const turn = (question: string, state: ChatTurn['state'], text: string): ChatTurn => {
    return { question, state, parts: [{ kind: 'text', text }], reason: undefined, usage: undefined };
  };
  const [mine, stopped, again] = [turn('a', 'done', 'shown'), turn('b', 'stopped', ''), turn('b', 'done', 'shown')];
  const kept = (...texts: string[]) =>
    texts.map((content, at) => ({ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), content }));
  const theirs = turn('x', 'done', 'y');
  assert.equal(withKept([], kept('x', 'y')), [theirs]);
  assert.equal(withKept([mine, stopped, again], kept('x', 'y', 'a', 'kept', 'b', 'kept')), [
    theirs,
    mine,
    stopped,
    again,
  ]);
  assert.equal(withKept([mine, stopped], kept('a', 'kept', 'x', 'y')), [mine, theirs, stopped]);
  assert.equal(withKept([mine], []), [mine]);
});

test('the fields of an item are in the order of the form, against the document as it is now', () => {
  const one = item({
    data: { extra: 1, body: 'new', title: 'T' },
    base: { body: 'old', title: 'T0' },
    editedFields: ['body'],
  });
  const document = { body: 'other', title: 'T' };
  const fields = toItemFields(one, undefined, { document, locked: new Set(['body', 'extra']) }, collection);
  assert.equal(
    fields.map(({ label, before, after }) => [label, before, after]),
    [
      ['Title', 'T', 'T'],
      ['body', 'other', 'new'],
      ['extra', undefined, 1],
    ],
  );
  const [title, body, extra] = fields;
  assert.equal([title!.isSame, title!.isChanged], [true, false]);
  assert.equal([body!.isChanged, body!.isEdited, body!.isLocked], [true, true, false]);
  assert.equal([extra!.isChanged, extra!.isLocked], [false, true]);
  // Until the document is there, what it was when it was proposed stands for it.
  const early = toItemFields(one, undefined, { document: undefined, locked: new Set() }, undefined);
  assert.equal(
    early.map(({ name, before, isChanged }) => [name, before, isChanged]),
    [
      ['extra', undefined, false],
      ['body', 'old', false],
      ['title', 'T0', false],
    ],
  );
});

test('an alternative replaces all of it, and a part names its fields', () => {
  const one = item({ data: { title: 'A' }, alternatives: [{ title: 'B', body: 'C' }], editedFields: ['title'] });
  assert.equal(
    [chosenOf(one, undefined), chosenOf(one, 0), chosenOf(one, 5)],
    [{ title: 'A' }, one.alternatives[0], {}],
  );
  const fields = toItemFields(one, 0, { document: {}, locked: new Set(['title']) }, collection);
  assert.equal([fields[0]!.isEdited, fields[0]!.isLocked], [false, true]);
  assert.is(toApprovedFields({ fields, without: new Set() }), undefined);
  assert.equal(toApprovedFields({ fields, without: new Set(['body']) }), ['title']);
});

test('both versions of a refusal are conflicts, which merge where they can', () => {
  const base = { title: 'one two three', rank: 1 };
  const conflicts = toConflicts({
    base,
    proposed: { title: 'one two four', rank: 2 },
    current: { title: 'zero two three', rank: 3 },
  });
  assert.equal(
    conflicts.map(({ key, both }) => [key, both]),
    [
      ['data.title', 'zero two four'],
      ['data.rank', undefined],
    ],
  );
});

test('after a decision the next item is open, at the end the one before, and then none', () => {
  assert.equal(
    [nextAfter(['a', 'b', 'c'], 'b'), nextAfter(['a', 'b'], 'b'), nextAfter(['a'], 'a')],
    ['c', 'a', undefined],
  );
  assert.is(nextAfter(['a', 'b'], 'gone'), 'a');
});

test('an answer consists of words and the uses of tools between them', () => {
  const events = [
    { event: 'text', data: { text: 'Ab' } },
    { event: 'text', data: { text: 'c' } },
    { event: 'tool_call', data: { id: '1', tool: 'search', input: { q: 'x' } } },
    { event: 'tool_result', data: { id: '1', tool: 'search', result: { total: 0 } } },
    { event: 'tool_call', data: { id: '1', tool: 'search', input: {} } },
    { event: 'tool_result', data: { id: '1', tool: 'search', result: { error: 'no' } } },
    { event: 'done', data: {} },
    { event: 'text', data: { text: 'd' } },
  ];
  let parts: readonly AnswerPart[] = [];
  for (const event of events) parts = withEvent(parts, event);
  assert.equal(
    parts.map((part) => (part.kind === 'text' ? part.text : part.step.state)),
    ['Abc', 'done', 'failed', 'd'],
  );
});

test('results lead to documents and to proposals, whatever they are', () => {
  assert.equal(linksOf({ queued: 'a/b' }), [{ path: '/admin/curation/a%2Fb', title: undefined }]);
  const document = { collection: 'posts', slug: 'a b', data: { title: ' ', name: 'N' } };
  assert.equal(linksOf({ document }), [{ path: '/admin/content/posts/a%20b', title: 'N' }]);
  for (const odd of [null, 'text', 3, [], {}, { document: 5 }, { document: { slug: 1 } }, { queued: 1 }]) {
    assert.equal(linksOf(odd), []);
  }
  assert.is(toShownJson({ a: 1 }), '{\n  "a": 1\n}');
  assert.is(toShownJson(undefined), '');
});

test('a link of a model leads to a screen or a page, and never runs anything', () => {
  const kinds = (address: string) => toSafeLink(address)?.kind;
  assert.equal(toSafeLink('/admin/content/posts/a'), { kind: 'screen', href: '/admin/content/posts/a' });
  assert.equal([kinds('/blog/a'), kinds('https://example.org/x'), kinds('mailto:a@b.c')], ['page', 'page', 'page']);
  assert.is(kinds('/administration'), 'page');
  assert.is(toSafeLink('/admin/../evil')?.href, '/evil');
  for (const bad of [
    'javascript:alert(1)',
    ' JaVaScRiPt:x',
    'java\nscript:x',
    'data:text/html,x',
    'vbscript:x',
    '#removed',
    '',
  ]) {
    assert.is(toSafeLink(bad), undefined, bad);
  }
  assert.is(toSafeLink('//other.example/x')?.kind, 'page');
});

test('events are read however their bytes are cut, and comments are no events', async () => {
  const text = ': still here\n\nevent: text\ndata: {"text":"é€"}\n\nevent: done\ndata: {}\n\nevent: half';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events = [];
    for await (const event of readEvents(body)) events.push(event);
    assert.equal(events, [
      { event: 'text', data: { text: 'é€' } },
      { event: 'done', data: {} },
    ]);
  }
});

test('rich text is read as its words, and small costs keep their digits', () => {
  const paragraph = {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  };
  assert.is(toReadable({ type: 'doc', content: [paragraph, { type: 'horizontalRule' }] }), 'ab\n\n[horizontalRule]');
  assert.is(toReadable('as it is'), 'as it is');
  assert.equal([toUsd(0), toUsd(1.5), toUsd(0.000142)], ['$0.00', '$1.50', '$0.00014']);
});

test('a run that broke off keeps its key, so that it is not begun a second time beside the first', async () => {
  const keys: (string | undefined)[] = [];
  const broken = () =>
    new ReadableStream<Uint8Array>({ pull: (stream) => stream.error(new TypeError('network error')) });
  const refusal = { error: 'this is still being worked on', code: 'in_progress' };
  const answers = [new Response(broken()), new Response(JSON.stringify(refusal), { status: 409 })];
  const post = createPostForEvents(async (_method, _url, options) => {
    keys.push(options?.headers?.['Idempotency-Key']);
    return answers.shift() ?? new Response('event: done\ndata: {}\n\n');
  });
  async function send(prompt: string): Promise<string> {
    try {
      const events: string[] = [];
      for await (const { event } of post('/run', { prompt }, new AbortController().signal)) events.push(event);
      return events.join();
    } catch (error) {
      return toSentence(error);
    }
  }
  const said = [await send('a'), await send('a'), await send('b'), await send('a')];
  assert.match(said[0]!, /^The service cannot be reached/);
  assert.match(said[1]!, /still being worked on/);
  assert.equal(said.slice(2), ['done', 'done']);
  assert.is(keys[1], keys[0]);
  assert.is(new Set(keys).size, 3);
});

test.run();
