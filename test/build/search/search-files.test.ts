import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fold, toWords } from '../../../src/build/search/client.js';
import { documentTerms, eachTerm, type SearchDocument } from '../../../src/build/search/document-terms.ts';
import { decodeLine, encodeLine } from '../../../src/build/search/postings.ts';
import { publicTexts } from '../../../src/build/search/public-texts.ts';
import { createSearchFiles, updateSearchFiles } from '../../../src/build/search/search-files.ts';
import { decodePage } from '../../../src/build/search/title-pages.ts';
import { fold as foldOfService } from '../../../src/search/engine/fold.ts';
import { createTextIndex } from '../../../src/search/engine/text-index.ts';
import { createChanceDocuments, LOCALES, openSearch } from './search-world.ts';

const SEED = Number(process.env.SEED) || 7;

function manyDocuments(count: number, { make, text }: ReturnType<typeof createChanceDocuments>): SearchDocument[] {
  // Long texts of few beginnings: pieces split at several levels.
  return Array.from({ length: count }, (_, i) => ({
    ...make(`/posts/${i}/`),
    texts: [text(20), ...Array.from({ length: 60 }, (_, k) => `co${((i * 31 + k * 17) % 5000).toString(36)}`)],
  }));
}

test('an update gives byte for byte the files of all documents', () => {
  const chance = createChanceDocuments(SEED);
  let documents = manyDocuments(400, chance);
  let files = createSearchFiles(documents, LOCALES);
  assert.ok(
    [...files.keys()].some((path) => path.startsWith('search/co-')),
    'a piece is split',
  );
  for (let round = 0; round < 8; round++) {
    const before: SearchDocument[] = [];
    const after: SearchDocument[] = [];
    const next = new Map(documents.map((document) => [document.path, document]));
    for (let n = Math.floor(chance.random() * (round % 5 === 0 ? 60 : 3)); n >= 0; n--) {
      const old = chance.pick(documents);
      if (before.includes(old)) continue;
      const kind = Math.floor(chance.random() * 5);
      if (kind === 4) {
        after.push(chance.make(`/new/${round}-${n}/`));
        next.set(after.at(-1)!.path, after.at(-1)!);
        continue;
      }
      before.push(old);
      next.delete(old.path);
      if (kind === 0) continue;
      const changed =
        kind === 1
          ? { ...old, title: chance.text(3) }
          : kind === 2
            ? { ...old, texts: [chance.text(9)] }
            : { ...chance.make(old.path), path: chance.random() < 0.5 ? old.path : `/moved/${round}-${n}/` };
      after.push(changed);
      next.set(changed.path, changed);
    }
    const updated = new Map(files);
    for (const [path, text] of updateSearchFiles((path) => files.get(path)!, { before, after }, LOCALES)) {
      assert.is.not(text, files.get(path), `${path} is given although it is the same`);
      if (text === undefined) updated.delete(path);
      else updated.set(path, text);
    }
    documents = [...next.values()];
    files = createSearchFiles(documents, LOCALES);
    assert.equal([...updated].sort(), [...files].sort(), `round ${round}, seed ${SEED}`);
  }
});

test('the order of documents changes nothing, and names of files are safe on every host', () => {
  const chance = createChanceDocuments(SEED);
  const documents = manyDocuments(300, chance);
  const files = createSearchFiles(documents, LOCALES);
  assert.equal([...createSearchFiles(documents.toReversed(), LOCALES)].sort(), [...files].sort());
  for (const path of files.keys()) {
    assert.match(path, /^search\/[a-z0-9-]+\.(txt|json)$/);
    assert.not.match(path, /\/(con|prn|aux|nul|com\d|lpt\d)\./);
  }
});

test('a visitor finds what the service finds, but for parts within words and for punctuation', async () => {
  const chance = createChanceDocuments(SEED);
  const documents = Array.from({ length: 250 }, (_, i) => chance.make(`/p/${i}/`));
  const files = createSearchFiles(documents, LOCALES);
  const index = createTextIndex();
  for (const document of documents)
    index.put({ ...document, texts: [...document.texts], key: document.path, collection: 'p', status: 'published' });
  const paths = new Map<number, string>();
  for (const [path, text] of files) {
    const page = /index-(\d+)\.json$/.exec(path)?.[1];
    for (const entry of page ? decodePage(text, Number(page)) : []) paths.set(entry.number, entry.path);
  }
  const { search, loaded } = openSearch(files);
  const words = new Set(documents.flatMap((document) => [...documentTerms(document).keys()]));
  let same = 0;
  for (let n = 0; n < 150; n++) {
    const query = Array.from({ length: 1 + (n % 3) }, () => {
      const word = chance.pick([...words]);
      return word.slice(0, 2 + Math.floor(chance.random() * word.length));
    }).join(' ');
    const found = await search(query);
    const mine = new Set(found!.numbers.map((number) => paths.get(number)!));
    const { items } = await index.query({ q: query, limit: 500, offset: 0 });
    const theirs = new Set(items.map(({ key }) => key));
    const wanted = toWords(query);
    for (const document of documents) {
      const terms = [...documentTerms(document).keys()];
      const begins = wanted.every((word) =>
        /^[\x00-\u0dff]$/.test(word) ? terms.includes(word) : terms.some((term) => term.startsWith(word)),
      );
      assert.is(mine.has(document.path), begins, `"${query}" and ${document.path}`);
      if (begins) assert.ok(theirs.has(document.path), `the service does not find ${document.path} for "${query}"`);
    }
    if (mine.size === theirs.size) same++;
  }
  assert.ok(same > 100, `only ${same} of 150 answers are the same`);
  assert.ok(
    loaded.every((path) => files.has(path)),
    'no file is asked for in vain',
  );
});

/** Signs are no part of any word. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ');

test('the client folds and splits as the service does', () => {
  const { random } = createChanceDocuments(SEED);
  const ranges = [
    0x20, 0xa0, 0x250, 0x370, 0x5d0, 0x600, 0x900, 0xe00, 0x1e00, 0x2000, 0x3040, 0x4e00, 0xac00, 0xff00, 0x1d400,
  ];
  for (let n = 0; n < 1000; n++) {
    const text = Array.from({ length: 12 }, () =>
      String.fromCodePoint(ranges[Math.floor(random() * ranges.length)]! + Math.floor(random() * 200)),
    ).join('');
    assert.is(lettersOf(fold(text)), lettersOf(foldOfService(text)));
    const terms: string[] = [];
    eachTerm(text, (folded, start, end) => terms.push(folded.slice(start, end)));
    for (const word of toWords(text)) assert.ok(terms.includes(word), JSON.stringify({ text, word }));
  }
});

test('pages with every word in the title come first, then the newest', async () => {
  const make = (path: string, title: string, body: string, day: number): SearchDocument => ({
    path,
    title,
    slug: 'x',
    texts: [body],
    time: day * 86_400_000,
  });
  const files = createSearchFiles(
    [
      make('/old/', 'Other', 'herring', 1),
      make('/new/', 'Other', 'herring', 3),
      make('/titled/', 'Herring', '', 0),
      make('/often/', 'Other', 'herring herring herring', 0),
    ],
    LOCALES,
  );
  const found = await openSearch(files).search('HERR');
  assert.equal(
    found?.items.map(({ path }) => path),
    ['/titled/', '/often/', '/new/', '/old/'],
  );
});

test('each locale has an index of its own, even without documents', () => {
  const document = { path: '/de/a/', locale: 'de', title: 'Eins', slug: 'a', texts: [], time: 0 };
  const files = createSearchFiles([document], { locales: ['en', 'de', 'pt-BR'] });
  assert.equal([...files.keys()].sort(), [
    'search/de/a.txt',
    'search/de/e.txt',
    'search/de/index-0.json',
    'search/de/index.json',
    'search/index.json',
    'search/pt-br/index.json',
  ]);
});

test('numbers of any size survive', () => {
  const postings = [[0, 71, 72, 5000, 200_000, 9_000_000], [], [3]];
  assert.equal(decodeLine(encodeLine('term', postings)), postings);
});

test('the slugs of other documents are not in the index', () => {
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'author', type: 'relation' as const, collection: 'people' },
    {
      name: 'items',
      type: 'array' as const,
      fields: [
        { name: 'of', type: 'relation' as const },
        { name: 'n', type: 'text' as const },
      ],
    },
  ];
  const data = { title: 'T', author: 'secret-draft', items: [{ of: 'secret-draft', n: 'shown' }] };
  assert.equal(publicTexts(data, fields, new Map()), ['T', 'shown']);
});

test.run();
