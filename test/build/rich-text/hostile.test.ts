// Hostile texts in every field: whatever they are, the page has no script, no handler and no unsafe address. The HTML is
// parsed as a browser would, not searched.
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldConfig } from '../../../src/config/site-config.ts';
import { makeEngine, makePage } from '../../support/theme.ts';

const { engine } = await makeEngine(undefined, [
  { name: 'quote', label: 'Quote', fields: [{ name: 'text', type: 'text' }] },
]);

const FORBIDDEN = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'form',
  'base',
  'meta',
  'link',
  'svg',
  'math',
  'template',
]);
const ADDRESSES = new Set(['href', 'src', 'poster', 'action', 'formaction', 'data', 'xlink:href', 'background']);
/** What browsers leave out of an address before they look for its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const IGNORED = /[\u0000-\u0020\u007f-\u009f]/g;

function problemsOf(html: string): string[] {
  const problems: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // A frame without the page's origin may run what an editor wrote.
        const isApart = name === 'iframe' && attributes.sandbox === 'allow-scripts' && attributes.src === undefined;
        if (FORBIDDEN.has(name) && !isApart) problems.push(`<${name}>`);
        for (const [key, value] of Object.entries(attributes)) {
          if (isApart && key === 'srcdoc') continue;
          if (key.startsWith('on') || key === 'style' || key === 'srcdoc') problems.push(`${name} ${key}`);
          if (ADDRESSES.has(key) && /^(javascript|vbscript|data|file|blob):/i.test(value.replace(IGNORED, '')))
            problems.push(`${name} ${key}=${value}`);
        }
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  return problems;
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '![x](data:text/html;base64,PHNjcmlwdD4=)',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '<a href="vbscript:x">x</a>',
  '<form><button formaction=javascript:alert(1)>x',
  '```"><script>\nx\n```',
  '<base href="https://evil.example/">',
  '{{ "<script>" | raw }}',
];
const TYPES: FieldConfig['type'][] = [
  ...([
    'text',
    'textarea',
    'richtext',
    'htmldoc',
    'interactive',
    'form',
    'number',
    'boolean',
    'date',
    'image',
    'video',
  ] as const),
  ...([
    'audio',
    'file',
    'image-gallery',
    'tags',
    'select',
    'relation',
    'array',
    'object',
    'blocks',
    'column-slots',
    'map',
  ] as const),
];

test('the check itself finds scripts, handlers and addresses', () => {
  assert.is(problemsOf('<script></script><a href="java&#9;script:x">').length, 2);
  assert.is(problemsOf('<p onclick="x">').length, 1);
  assert.is(problemsOf('<iframe sandbox="allow-scripts allow-same-origin" srcdoc="x"></iframe>').length, 2);
  assert.equal(problemsOf('<a href="/a">b</a><iframe sandbox="allow-scripts" srcdoc="<script>"></iframe>'), []);
});

/** A hostile text in each shape that a field's value can have. */
function shapesOf(text: string): unknown[] {
  return [
    text,
    [text],
    {
      type: 'doc',
      content: [
        { type: 'paragraph', content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href: text } }] }] },
      ],
    },
    {
      type: 'doc',
      content: [
        { type: 'image', attrs: { src: text, alt: text } },
        { type: text, content: [{ type: 'text', text }] },
      ],
    },
    { type: 'doc', content: [{ type: 'codeBlock', attrs: { language: text }, content: [{ type: 'text', text }] }] },
    [{ url: text, alt: text }],
    [{ _block: text, text }],
    [{ _block: 'quote', text }],
    { title: text, url: text },
    { lat: 1, lng: 2, address: text },
    { a: text, b: [{ _block: 'quote', text }] },
  ];
}

function check(text: string): void {
  for (const type of TYPES) {
    const field: FieldConfig = { name: 'a', type, label: text, fields: [{ name: 'a', type: 'richtext', label: text }] };
    for (const value of shapesOf(text)) {
      const { html } = engine.renderField(field, value, {}, makePage());
      assert.equal(problemsOf(html), [], `${type}: ${JSON.stringify(value)} gives ${html}`);
    }
  }
}

test('no hostile text of the list gets through in any field', () => {
  for (const text of HOSTILE) check(text);
});

test('nor does any mixture of them', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('<', '>', '"', "'", '`', '\n\n', '](', '&#', '\\'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => check(pieces.join(''))),
    { numRuns: 60, seed: 20261125 },
  );
});

test.run();
