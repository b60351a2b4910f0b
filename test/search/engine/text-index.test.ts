import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fold } from '../../../src/search/engine/fold.ts';
import { createTextIndex, loadTextIndex, type SearchEntry } from '../../../src/search/engine/text-index.ts';
import { entry, find, makeIndex } from '../world.ts';

const refused = { code: 'invalid_input' };

async function code(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error) => error.code,
  );
}

test('every term must appear, wherever it is in the document', async () => {
  const index = makeIndex(
    entry('a', { slug: 'first-post', title: 'Gardening', texts: ['roses and lilies'] }),
    entry('b', { slug: 'second-post', title: 'Cooking', texts: ['roses in a salad'] }),
  );
  assert.equal(await find(index, 'roses gardening'), ['a']);
  assert.equal(await find(index, 'first,lilies'), ['a']);
  assert.equal((await find(index, 'roses, post')).sort(), ['a', 'b']);
  assert.equal(await find(index, 'lilies salad'), []);
});

test('a term is found inside words', async () => {
  const index = makeIndex(entry('a', { texts: ['Donaudampfschiff'] }));
  for (const q of ['donau', 'dampf', 'schiff', 'd', 'on', 'ff']) assert.equal(await find(index, q), ['a'], q);
  assert.equal(await find(index, 'donauschiff'), []);
  assert.equal(await find(index, 'x'), []);
});

test('case and accents make no difference on either side', async () => {
  const index = makeIndex(
    entry('a', { texts: ['Crème brûlée, Straße, ÆRØ, Łódź, İstanbul, ΟΔΟΣ, Ёлка, ﬁne'] }),
    entry('b', { texts: ['creme brulee strasse aero lodz istanbul οδος елка fine'] }),
  );
  for (const q of [
    'BRÛLÉE',
    'brulee',
    'STRASSE',
    'straße',
    'ærø',
    'Lodz',
    'łódź',
    'ISTANBUL',
    'οδός',
    'ёлка',
    'fine',
  ]) {
    assert.equal((await find(index, q)).sort(), ['a', 'b'], q);
  }
});

test('words of every script are found', async () => {
  const index = makeIndex(
    entry('ru', { texts: ['Съешь же ещё этих мягких французских булок'] }),
    entry('ar', { texts: ['العَرَبِيَّة'] }),
    entry('hi', { texts: ['हिन्दी किताब'] }),
    entry('num', { texts: ['version ١٢٣ and 2024'] }),
    entry('am', { texts: ['ሰላም ለዓለም'] }),
    entry('got', { texts: ['𐌲𐌿𐍄 𠮷野家'] }),
  );
  for (const [q, key] of [
    ['мягк', 'ru'],
    ['العربية', 'ar'],
    ['किताब', 'hi'],
    ['١٢', 'num'],
    ['02', 'num'],
    ['𐌿𐍄', 'got'],
    ['ላ', 'am'],
    ['ዓለ', 'am'],

    ['𠮷野家', 'got'],
    ['野家', 'got'],
  ] as const) {
    assert.equal(await find(index, q), [key], q);
  }
});

test('text without spaces is searched by any part of it', async () => {
  const index = makeIndex(
    entry('a', { texts: ['東京都庁は新宿にあります。'] }),
    entry('b', { texts: ['京都と東京'] }),
    entry('c', { texts: ['안녕하세요 세계'] }),
    entry('d', { texts: ['สวัสดีชาวโลก'] }),
    entry('e', { texts: ['Node東京meetup'] }),
  );
  assert.equal(await find(index, '東京都'), ['a']);
  assert.equal((await find(index, '京都')).sort(), ['a', 'b']);
  assert.equal((await find(index, '京')).sort(), ['a', 'b', 'e']);
  assert.equal(await find(index, '녕하'), ['c']);
  assert.equal(await find(index, 'ชาว'), ['d']);
  assert.equal(await find(index, 'e東京m'), ['e']);
  assert.equal(await find(index, 'が'), []);
});

test('punctuation in a term has to be in the text', async () => {
  const index = makeIndex(
    entry('a', { texts: ['I write C++ and node.js, not C#'] }),
    entry('b', { texts: ['c plus js node foo bar'] }),
    entry('c', { slug: 'foo-bar', texts: ['Rust’s “borrow checker” — see https://example.org/a?b=1'] }),
  );
  assert.equal(await find(index, 'c++'), ['a']);
  assert.equal(await find(index, 'node.js'), ['a']);
  assert.equal(await find(index, 'e.j'), ['a']);
  assert.equal(await find(index, 'foo-bar'), ['c']);
  assert.equal(await find(index, "rust's"), ['c']);
  assert.equal(await find(index, '"borrow'), ['c']);
  assert.equal(await find(index, 'example.org/a?b'), ['c']);
  assert.equal(await find(index, 'see —'), ['c']);
  assert.equal(await find(index, 'js.node'), []);
});

test('punctuation alone, and runs longer than any word, are found too', async () => {
  const address = `https://example.org/${'path/'.repeat(20)}end.html`;
  const index = makeIndex(
    entry('a', { title: 'Stop.', texts: ['so it ends'] }),
    entry('b', { texts: [`see ${address} and stop`] }),
    entry('c', { texts: ['stop - go'] }),
  );
  assert.equal((await find(index, 'stop')).sort(), ['a', 'b', 'c']);
  assert.equal(await find(index, 'stop.'), ['a']);
  assert.equal((await find(index, 'stop .')).sort(), ['a', 'b']);
  assert.equal(await find(index, 'stop -'), ['c']);
  assert.equal(await find(index, address.slice(3)), ['b']);
  assert.equal(await find(index, 'end.html'), ['b']);
  const { items } = await index.query({ q: 'stop.', limit: 1, offset: 0 });
  assert.is(items[0]?.matchedIn, 'title');
});

test('a query without a letter or digit is refused', async () => {
  const index = makeIndex(entry('a'));
  for (const q of ['', '   ', '!!', '++ --', ', ,', '🚀']) {
    assert.is(await code(find(index, q)), refused.code, JSON.stringify(q));
  }
  assert.is(await code(find(index, 'a'.repeat(1001))), refused.code);
  assert.is(await code(find(index, Array.from({ length: 33 }, (_, i) => `t${i}`).join(' '))), refused.code);
  assert.equal(await find(index, 'a '.repeat(400)), ['a']);
});

test('a match in the title means every term is in it, and comes first', async () => {
  const index = makeIndex(
    entry('body', { title: 'Tea', texts: ['coffee and tea '.repeat(20)], time: 9 }),
    entry('title', { title: 'Coffee and tea', time: 1 }),
    entry('dotted', { title: 'About node.js', texts: ['node.js'], time: 2 }),
    entry('undotted', { title: 'About node js', texts: ['node.js'], time: 3 }),
  );
  const found = async (q: string) => (await index.query({ q, limit: 10, offset: 0 })).items;
  assert.equal(await found('tea coffee'), [
    { key: 'title', matchedIn: 'title' },
    { key: 'body', matchedIn: 'body' },
  ]);
  assert.equal(await found('node.js'), [
    { key: 'dotted', matchedIn: 'title' },
    { key: 'undotted', matchedIn: 'body' },
  ]);
  assert.equal((await found('o')).map(({ matchedIn }) => matchedIn).sort(), ['body', 'title', 'title', 'title']);
});

test('the more relevant document comes first, then the newest', async () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(20);
  const index = makeIndex(
    entry('once', { texts: [`rust ${filler}`], time: 5 }),
    entry('often', { texts: [`rust rust rust rust ${filler}`], time: 1 }),
    entry('part', { texts: [`rustaceans ${filler}`], time: 9 }),
    entry('same-but-newer', { texts: [`rust ${filler}`], time: 6 }),
  );
  assert.equal(await find(index, 'rust'), ['often', 'same-but-newer', 'once', 'part']);
});

test('pages follow one another without gaps', async () => {
  const index = createTextIndex();
  for (let i = 0; i < 1000; i++)
    index.put(entry(`k${i}`, { title: i % 3 ? 'x' : 'word', texts: ['word'], time: i % 17 }));
  const all = await index.query({ q: 'word', limit: 1000, offset: 0 });
  assert.is(all.total, 1000);
  const paged: unknown[] = [];
  for (let offset = 0; offset < 1100; offset += 90) {
    const page = await index.query({ q: 'word', limit: 90, offset });
    assert.is(page.total, 1000);
    paged.push(...page.items);
  }
  assert.equal(paged, all.items);
  assert.is(
    all.items.findIndex(({ matchedIn }) => matchedIn === 'body'),
    334,
  );
});

test('filters narrow matches and total', async () => {
  const index = makeIndex(
    entry('a', { texts: ['word'], locale: 'en' }),
    entry('b', { texts: ['word'], status: 'draft', locale: 'de' }),
    entry('c', { texts: ['word'], collection: 'pages' }),
  );
  const keys = async (filter: object) =>
    (await index.query({ q: 'word', filter, limit: 10, offset: 0 })).items.map(({ key }) => key).sort();
  assert.equal(await keys({ collection: 'posts' }), ['a', 'b']);
  assert.equal(await keys({ collection: 'posts', status: 'published' }), ['a']);
  assert.equal(await keys({ locale: 'de' }), ['b']);
  assert.equal(await keys({ collection: 'nope' }), []);
});

test('an update is found at once, and the text that it replaced is not', async () => {
  const index = makeIndex(entry('a', { texts: ['before c++'] }));
  index.put(entry('a', { texts: ['after c#'] }));
  assert.equal(await find(index, 'before'), []);
  assert.equal(await find(index, 'c++'), []);
  assert.equal(await find(index, 'after c#'), ['a']);
  assert.is(index.stats().documents, 1);
  index.remove('a');
  assert.is(index.stats().documents, 0);
  index.remove('never-there');
  assert.equal(await find(index, 'after'), []);
});

test('text without any space is searched however long it is', async () => {
  const long = Array.from({ length: 12_000 }, (_, i) => i.toString(36)).join('');
  const index = makeIndex(entry('a', { texts: [`${long}.`] }), entry('b', { texts: ['東京'.repeat(40_000)] }));
  for (let at = 16_200; at < 16_500; at++) {
    assert.equal(await find(index, long.slice(at, at + 25)), ['a']);
    assert.equal(await find(index, long.slice(at, at + 70)), ['a']);
  }
  assert.equal(await find(index, '京東京'), ['b']);
});

test('a long document is found by the next query, and can be written again before that', async () => {
  const prose = (word: string) => `${word} and more `.repeat(20_000);
  const index = makeIndex(entry('a', { texts: [prose('first')] }), entry('b', { texts: [prose('second')] }));
  index.put(entry('a', { texts: [prose('third')] }));
  index.put(entry('c', { texts: ['third'] }));
  index.remove('b');
  assert.equal((await find(index, 'third')).sort(), ['a', 'c']);
  assert.equal(await find(index, 'first'), []);
  assert.equal(await find(index, 'second'), []);
  index.put(entry('d', { texts: [prose('fourth')] }));
  const loaded = loadTextIndex(Buffer.concat([...index.save()]))!;
  assert.equal(await find(loaded, 'fourth'), ['d']);
});

test('very long words are found by their parts', async () => {
  const long = Array.from({ length: 300 }, (_, i) => i.toString(36)).join('');
  const index = makeIndex(entry('a', { texts: [`data:${long}`] }), entry('b', { texts: [long.slice(50, 90)] }));
  assert.equal((await find(index, long.slice(51, 80))).sort(), ['a', 'b']);
  assert.equal(await find(index, long.slice(30, 40)), ['a']);
  assert.equal(await find(index, long), ['a']);
  assert.equal(await find(index, long.slice(3, 200)), ['a']);
  assert.equal(await find(index, `${long.slice(3, 200)}x`), []);
});

// The oracle: the words of section 8 of decisions.md, as a scan over folded texts.
const IS_WORD = /^[\p{L}\p{N}\p{M}]+$/u;
const SEPARATORS = /[\s\p{Cc},]+/u;

function scan(entries: Map<string, SearchEntry>, q: string): Map<string, 'title' | 'body'> {
  const terms = fold(q).split(SEPARATORS).filter(Boolean);
  const has = (texts: string[], term: string) =>
    texts.some((text) =>
      fold(text)
        .split(SEPARATORS)
        .some((chunk) => chunk.includes(term)),
    );
  const found = new Map<string, 'title' | 'body'>();
  for (const [key, { slug, title, texts }] of entries) {
    if (!terms.every((term) => has([slug, title, ...texts], term))) continue;
    found.set(key, terms.every((term) => has([title], term)) ? 'title' : 'body');
  }
  return found;
}

const SYLLABLES = [
  'an',
  'ba',
  'c',
  'é',
  'ing',
  'Ø',
  'ß',
  'x1',
  '京',
  '都',
  '東',
  '한',
  'ж',
  'ላ',
  '+',
  '.',
  '-',
  "'",
  '_',
  '🚀',
  '𐌲',
];
const word = fc.array(fc.constantFrom(...SYLLABLES), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const query = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', ','))
  .map(([words, separator]) => words.join(separator))
  .filter((q) => q.split(/[ ,]/).some((term) => [...fold(term)].some((char) => IS_WORD.test(char))));
const key = fc.integer({ min: 0, max: 30 }).map((n) => `k${n}`);
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: key, title: text, texts: fc.array(text, { maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ remove: key }) },
  { weight: 4, arbitrary: fc.record({ query }) },
  { weight: 1, arbitrary: fc.constant({ reload: true }) },
);

const seed = Number(process.env.FC_SEED ?? 20_260_731);
console.log(`fast-check seed ${seed} (FC_SEED)`);

test('any sequence of writes, removals, reloads and queries finds what a scan finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 60 }), async (actions) => {
      let index = createTextIndex();
      const entries = new Map<string, SearchEntry>();
      for (const [time, step] of actions.entries()) {
        if ('put' in step) {
          const put = entry(step.put, { title: step.title, texts: step.texts, time });
          entries.set(step.put, put);
          index.put(put);
        } else if ('remove' in step) {
          entries.delete(step.remove);
          index.remove(step.remove);
        } else if ('query' in step) {
          const { items, total } = await index.query({ q: step.query, limit: 100, offset: 0 });
          const expected = scan(entries, step.query);
          assert.equal(new Map(items.map(({ key, matchedIn }) => [key, matchedIn])), expected, step.query);
          assert.is(total, expected.size);
          assert.equal(
            items.map(({ matchedIn }) => matchedIn),
            items
              .map(({ matchedIn }) => matchedIn)
              .sort()
              .reverse(),
          );
        } else index = loadTextIndex(Buffer.concat([...index.save()]))!;
      }
    }),
    { seed, numRuns: 400 },
  );
});

test('folding a folded text changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (s) => assert.is(fold(fold(s)), fold(s))),
    { seed, numRuns: 5000 },
  );
  for (let c = 0; c < 0x10000; c++) {
    const once = fold(String.fromCharCode(c));
    if (fold(once) !== once) assert.unreachable(c.toString(16));
  }
});

test.run();
