// Each kind of text that strangers and editors send, grown tenfold: processing it takes ten times as long, and never
// the hundred times of code that compares each character with each other one. One table, so that a new kind is one
// line.
import { test } from 'uvu';
import { Email, LoginBody, Name, NewTokenBody, Password } from '../src/access/input.ts';
import { findCookie } from '../src/access/sessions/cookie.ts';
import { emailKey } from '../src/access/users/user.ts';
import { CreateDocumentBody } from '../src/content/input.ts';
import { ListQueryInput } from '../src/content/lists/list-query.ts';
import { unlockedIn } from '../src/content/locks/pushed-locks.ts';
import { parseFile } from '../src/content/stored.ts';
import { checkFields } from '../src/forms/check-fields.ts';
import { parseUrlencoded } from '../src/forms/sent-body.ts';
import { findTokens } from '../src/git/http/credentials.ts';
import { forgeryOf } from '../src/git/push/forged.ts';
import { checkJsonType } from '../src/http/body.ts';
import { matchesIfMatch, matchesIfNoneMatch } from '../src/http/conditional.ts';
import { addressKey } from '../src/lib/address-key.ts';
import { ServiceError } from '../src/lib/errors.ts';
import { checkJson, parseJson } from '../src/lib/json.ts';
import { parsePointer } from '../src/lib/lfs-pointer.ts';
import { parseInput } from '../src/lib/parse-input.ts';
import { linkHeader, parseQuery } from '../src/lib/query.ts';
import { isLocale } from '../src/lib/text/locale.ts';
import { nearest } from '../src/lib/text/nearest.ts';
import { isSlug, toSlug } from '../src/lib/text/slug.ts';
import { foldName, normalize } from '../src/lib/text/stream-safe.ts';
import { decodeToken, toPathToken } from '../src/lib/text/trailer-token.ts';
import { cronProblem, isTimeZone } from '../src/lib/time/cron.ts';
import { toTarget } from '../src/links/target.ts';
import { findTextKind } from '../src/media/kinds/detect-text.ts';
import { extensionOf } from '../src/media/kinds/kinds.ts';
import { folderProblem, toName } from '../src/media/names.ts';
import { createHeaderWatch } from '../src/media/part-headers.ts';
import { attached } from '../src/media/serve/headers.ts';
import { parseRange } from '../src/media/serve/range.ts';
import { parseMeta } from '../src/media/stored.ts';
import { cleanCss } from '../src/media/svg/css.ts';
import { isSvgText, measureSvg } from '../src/media/svg/root.ts';
import { sanitizeSvg } from '../src/media/svg/svg.ts';
import { htmlText } from '../src/schema/html-text.ts';
import { markdownTexts } from '../src/schema/markdown-text.ts';
import { dateValue, slugValue, urlValue } from '../src/schema/values.ts';
import { fold } from '../src/search/engine/fold.ts';
import { parseTerms } from '../src/search/engine/terms.ts';
import { eachChunk, eachWord } from '../src/search/engine/words.ts';
import { COMMITTER } from '../src/store/committer.ts';
import { parseCommit, parseTrailers, toPersonText } from '../src/store/git/objects.ts';
import { nameProblem, pathProblem } from '../src/store/intake/intake-names.ts';
import { parseFrontMatter } from '../src/transfer/front-matter.ts';
import { SMALL_CHARS, textOf, tooSlow } from './support/linear-time.ts';

type Work = (text: string) => unknown;

/**
 * Two marks that change places, each time; marks that remain when accents are removed; and other text that grows or
 * hides.
 */
const UNITS: Record<string, string> = {
  marks: '\u0301\u0323',
  'marks that are no accents': '\u3099\u0f71',
  'halfwidth marks': '\uff9e\u0f71',
  'letters with marks': `a${'\u0301\u0323'.repeat(15)}`,
  'letters that become many': '\ufdfa',
  'letters that become long in lower case': '\u0130',
  letters: 'e',
  'pairs of surrogates': '\u{1d15e}',
  'lone surrogates': '\ud800',
  spaces: ' ',
  lines: '\n',
  'carriage returns': '\r',
  dots: '.',
  hyphens: '-',
  'at signs': 'a@',
  commas: ',',
  'commas and spaces': ' ,',
  semicolons: 'a=b; ',
  equals: '=',
  quotes: '"',
  'escaped quotes': '\\"',
  backslashes: '\\',
  slashes: '/a',
  digits: '1',
  'digits and dots': '1.',
  percent: '%',
  'percent codes': '%41',
  ampersands: '&',
  references: '&amp;',
  'less than': '<',
  tags: '<a ',
  'tags with quotes': '<a b="',
  comments: '<!--',
  instructions: '<?',
  'angle brackets': '<>',
  brackets: '[',
  links: '[a](',
  'links with titles': '[a](b "',
  definitions: '[a]: ',
  backticks: '` ',
  'more backticks': '``` `` ',
  stars: '*a ',
  underscores: '_',
  tildes: '~~',
  'quoted lines': '> ',
  lists: '- ',
  fences: '```\n',
  tables: '|',
  headings: '# ',
  parentheses: '(',
  braces: '{',
  imports: '@import ',
  addresses: 'url(',
  'addresses with spaces': 'url  ',
  'CSS comments': '/*',
  colons: ':',
  entity: 'W/"a", ',
  'half an entity': 'W/"',
  types: 'image/webp;q=0.1,',
  NUL: '\0',
};

const UNIT_WORKS: Record<string, Work> = {
  'an address at a sign-in': (text) =>
    attempt(() => emailKey(parseInput(LoginBody, { email: text, password: 'x' }).email)),
  'an address': (text) => attempt(() => parseInput(Email, text)),
  'an address without a bound': (text) => emailKey(text),
  'a password': (text) => attempt(() => parseInput(Password, text)),
  'a name': (text) => attempt(() => parseInput(Name, text)),
  normalisation: (text) => normalize(text, 'NFKD'),
  'a name of a file': (text) => [foldName(text), nameProblem(text), pathProblem(text), extensionOf(text)],
  'a name of an upload': (text) => [
    toName(text, 'png'),
    toName(`${text}.png`, 'png'),
    folderProblem(text),
    attached(text),
  ],
  'a slug': (text) => [toSlug(text), isSlug(text), isSlug(`a${text}`)],
  'search of a text': (text) => {
    const folded = fold(text);
    eachChunk(folded, (start, end) => eachWord(folded, start, end, () => undefined));
  },
  'a query': (text) => attempt(() => parseTerms(text)),
  'text of Markdown': (text) => [
    markdownTexts(text),
    markdownTexts(`a${text}b`),
    // Valid until its last character.
    markdownTexts(`${text}\u2028`),
    markdownTexts(`${text}~\``),
    markdownTexts(`[a]: ${text} \u2028`),
  ],
  'text of HTML': (text) => [htmlText(text), htmlText(`<script>${text}`)],
  'a value of a field': (text) => [urlValue(), dateValue(), slugValue()].map((value) => value.safeParse(`/${text}`)),
  'JSON text': (text) => [attempt(() => parseJson(text)), attempt(() => parseJson(`{"a":"${text}`))],
  'a string in JSON': (text) => attempt(() => parseJson(JSON.stringify({ [text]: text }))),
  'parts of an upload': (text) => [
    createHeaderWatch('multipart/form-data; boundary=x')(Buffer.from(`--x\r\n\r\n${text}`)),
    createHeaderWatch(`multipart/form-data; boundary=${text}`)(Buffer.from(`--${text}`)),
  ],
  'a query string': (text) => [parseQuery(text), parseQuery(`a=${text}`)],
  'pages around one': (text) => linkHeader({ pathname: '/', search: `?a=${text}` }, { limit: 1 }, 5),
  'a list in a query': (text) => attempt(() => parseInput(ListQueryInput, { tags: text, fields: text, locale: text })),
  'a form in a body': (text) => attempt(() => parseUrlencoded(Buffer.from(text))),
  'fields of a form': (text) => {
    const fields = (['email', 'url', 'date', 'phone', 'number', 'textarea', 'checkbox'] as const).map((type) => ({
      name: type,
      label: type,
      type,
    }));
    const values = Object.fromEntries(fields.map(({ name }) => [name, text]));
    checkFields({ fields } as never, { values, repeated: new Set() });
  },
  cookies: (text) => findCookie({ cookie: text }, 'session', true),
  'a content type': (text) => [
    attempt(() => checkJsonType(text)),
    attempt(() => checkJsonType(`application/json;${text}`)),
  ],
  'a range': (text) => [parseRange(`bytes=${text}`, 5), parseRange(`bytes=1${text}-`, 5), parseRange(text, 5)],
  'entity tags': (text) => [matchesIfNoneMatch(text, '"a"'), matchesIfMatch(`"${text}`, '"a"')],
  credentials: (text) => [findTokens(`Basic ${text}`), findTokens(`Bearer ${text}x`)],
  'an IP address': (text) => addressKey(`::${text}`),
  'a language': (text) => [isLocale(`en-${text}`), isLocale(`x-${text}`)],
  'a schedule': (text) => [cronProblem(`${text} * * * *`), cronProblem(text), isTimeZone(`A${text}`)],
  'a mistyped word': (text) => nearest(text, ['webhooks', 'permissions']),
  'words of trailers': (text) => decodeToken(toPathToken(text)),
  'a link': (text) => toTarget(text, '/a', new Set()),
  'CSS of a drawing': (text) => [cleanCss(`:${text}`), cleanCss(`url(${text}`)],
  'the head of a drawing': (text) => [
    isSvgText(text),
    isSvgText(`<!DOCTYPE svg [${text}`),
    measureSvg(`<svg width="${text}" height="1${text}x" viewBox="${text}">`),
    measureSvg(`<svg ${text}>`),
  ],
  'a kind of text': (text) => [findTextKind(text, 'a.txt'), findTextKind(text, 'a.json')],
  'a commit': (text) => {
    parseCommit(Buffer.from(`tree a\nauthor ${text}\ncommitter a <${text}> 1\n\n${text}`));
    parseTrailers(`a\n\n${text}`);
    parseTrailers(`a\n\nA: ${text}`);
  },
  'a pushed commit': (text) => {
    forgeryOf(Buffer.from(`tree a\nauthor a <a> 1\ncommitter ${text} <${text}> 1\nencoding ${text}\n\nx`), COMMITTER);
    forgeryOf(Buffer.from(`tree a\nauthor a <a> 1\ncommitter a <a> 1\n\nx\n\nEvent: x${text}y`), COMMITTER);
    unlockedIn(`x\n\nUnlock: ${text}y`);
  },
  'an author': (text) => toPersonText({ name: `x${text}x`, email: text }),
  'a pointer': (text) => parsePointer(Buffer.from(text)),
  'the description of a file': (text) => parseMeta(Buffer.from(JSON.stringify({ alt: text, createdAt: text }))),
  'a file with front matter': (text) => attempt(() => parseFrontMatter(text)),
};

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join();
const unbounded = { maxMembers: Number.POSITIVE_INFINITY };

/** Inputs that grow in number: `count` items. */
const COUNT_WORKS: Record<string, (count: number) => () => unknown> = {
  'keys of JSON': (count) => json(`{${many(count, (i) => `"key${i}":1`)}}`),
  'keys of JSON with lone surrogates': (count) => json(`{${many(count, (i) => `"\\ud800${i}":1`)}}`),
  'forbidden keys of JSON': (count) => json(`[${many(count, () => '{"__proto__":1}')}]`),
  'numbers of JSON with exponents': (count) => json(`[${many(count, () => '1e5')}]`),
  'numbers of JSON that a double does not hold': (count) => json(`[${many(count, () => '12345678901234567891')}]`),
  'problems below a long key': (count) => json(`{"${'k'.repeat(count)}":[${many(count, () => '"\\ud800"')}]}`),
  'lists of JSON side by side': (count) => json(`[${many(count, () => '[[[[]]]]')}]`),
  'levels of JSON': (count) => json('['.repeat(count)),
  'keys of a document': (count) => {
    const body = { data: Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i])) };
    return () => [checkJson(body), parseInput(CreateDocumentBody, body)];
  },
  'unknown keys': (count) => {
    const body = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
    return () => attempt(() => parseInput(LoginBody, body));
  },
  'unknown permissions': (count) => {
    const body = { name: 'a', permissions: Array.from({ length: count }, (_, i) => `x${i}`) };
    return () => attempt(() => parseInput(NewTokenBody, body));
  },
  'keys of a pushed document': (count) => {
    const data = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
    const at = '2026-01-02T03:04:05.678Z';
    const doc = { id: 'ABCDEFGHIJKL', slug: 'a', collection: 'b', status: 'draft', createdAt: at, updatedAt: at, data };
    const file = Buffer.from(JSON.stringify(doc));
    return () => parseFile(file, 'content/b/a.json');
  },
  'aliases of YAML': (count) => {
    const text = `---\na: &a [1]\nb: [${many(count, () => '*a')}]\n---\n`;
    return () => attempt(() => parseFrontMatter(text));
  },
  'aliases of YAML in levels': (count) => {
    const levels = Array.from({ length: Math.min(count, 1000) }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`);
    const text = `---\na0: &a0 [1]\n${levels.join('\n')}\n---\n`;
    return () => attempt(() => parseFrontMatter(text));
  },
};

/** Drawings, which are read in turns. */
const SVG_UNITS = ['&', '&amp;', '<g>', '<g/>', '<a b="', '<style>', '<![CDATA[', '<!--', '\u0301', '<', '>'];

function json(text: string): () => unknown {
  return () => attempt(() => parseJson(text, unbounded));
}

/** A refusal is an answer; any other error is a bug. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

for (const [what, work] of Object.entries(UNIT_WORKS)) {
  test(`${what} takes a time that grows with its length, whatever is in it`, async () => {
    const slow: string[] = [];
    for (const [name, unit] of Object.entries(UNITS)) {
      const [small, large] = [textOf(unit, SMALL_CHARS), textOf(unit, 10 * SMALL_CHARS)];
      const said = await tooSlow(
        () => work(small),
        () => work(large),
      );
      if (said !== undefined) slow.push(`${name}: ${said}`);
    }
    equal(slow);
  });
}

for (const [what, make] of Object.entries(COUNT_WORKS)) {
  test(`${what} take a time that grows with their number`, async () => {
    const said = await tooSlow(make(5_000), make(50_000));
    equal(said === undefined ? [] : [said]);
  });
}

test('a drawing takes a time that grows with its length, whatever is in it', async () => {
  const slow: string[] = [];
  for (const unit of SVG_UNITS) {
    for (const [open, close] of [
      ['<svg>', '</svg>'],
      ['<svg d="', '"/>'],
      ['<svg><style>', '</style></svg>'],
    ]) {
      const [small, large] = [SMALL_CHARS, 10 * SMALL_CHARS].map((length) =>
        Buffer.from(`${open}${textOf(unit, length)}${close}`),
      );
      const said = await tooSlow(
        () => sanitizeSvg(small!),
        () => sanitizeSvg(large!),
      );
      if (said !== undefined) slow.push(`${open}${unit}: ${said}`);
    }
  }
  equal(slow);
});

function equal(slow: string[]): void {
  if (slow.length > 0) throw new Error(slow.join('\n'));
}

test.run();
