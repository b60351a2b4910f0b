import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cleanCss } from '../../../src/media/svg/css.ts';
import { SVG_LIMIT_BYTES, sanitizeSvg } from '../../../src/media/svg/svg.ts';

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const PRESS = join(import.meta.dirname, '../../../content/media/press');

async function clean(svg: string | Buffer): Promise<string | undefined> {
  return (await sanitizeSvg(Buffer.from(svg as string)))?.toString();
}

/** The clean form of a drawing with this content. */
async function left(content: string): Promise<string> {
  const result = (await clean(`<svg>${content}</svg>`)) ?? '';
  return result
    .replace(`<svg ${NAMESPACES}`, '')
    .replace(/^>/, '')
    .replace(/(<\/svg>|\/>)\n$/, '');
}

test('a clean drawing has nothing that runs', async () => {
  const running = [
    '<script>alert(1)</script>',
    '<script href="data:text/javascript,alert(1)"/>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<svg:script>alert(1)</svg:script>',
    '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></body></foreignObject>',
    '<iframe src="javascript:alert(1)"/>',
    '<html:img xmlns:html="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>',
    '<handler type="text/javascript">alert(1)</handler>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<animate attributeName="xlink:href" values="javascript:alert(1)"/>',
    '<animate attributeName=" onload " to="alert(1)"/>',
    '<embed src="x"/><object data="x"/><audio src="x"/><video src="x"/>',
    '<metadata><rdf:RDF/></metadata>',
    '<?xml-stylesheet href="http://x/a.xsl"?><!-- <script/> -->',
  ];
  for (const content of running) assert.is(await left(content), '', content);
});

test('attributes that run or lead out of the drawing are removed, and their elements stay', async () => {
  const cases: [string, string][] = [
    ['<rect onclick="alert(1)" ONLOAD="x" x="1"/>', '<rect x="1"/>'],
    ['<a href="javascript:alert(1)"><text>a</text></a>', '<a><text>a</text></a>'],
    ['<a xlink:href="https://example.com/">a</a>', '<a>a</a>'],
    ['<use href="http://x/y.svg#a"/>', '<use/>'],
    ['<use xlink:href="#a"/>', '<use xlink:href="#a"/>'],
    ['<use ns1:href=" #a "/>', '<use xlink:href="#a"/>'],
    ['<image href="file:///etc/passwd"/>', '<image/>'],
    ['<image href="//x/a.png"/>', '<image/>'],
    ['<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', '<image/>'],
    ['<image href="data:text/html,a"/>', '<image/>'],
    ['<image href="data:image/png;base64,AAAA"/>', '<image href="data:image/png;base64,AAAA"/>'],
    ['<use href="data:image/png;base64,AAAA"/>', '<use/>'],
    ['<feImage href="http://x/a.png"/>', '<feImage/>'],
    ['<rect fill="url(#g)"/>', '<rect fill="url(#g)"/>'],
    ['<rect fill="url(http://x/y#g)"/>', '<rect fill="url(#)"/>'],
    ['<rect fill="u\\72l(http://x)"/>', '<rect fill=""/>'],
    ['<rect style="fill:url(//x)"/>', '<rect style="fill:url(#)"/>'],
    [
      '<animate attributeName="fill" values="url(http://x);red"/>',
      '<animate attributeName="fill" values="url(#);red"/>',
    ],
    ['<g xml:base="http://x/"/>', '<g/>'],
    ['<g aria-label="a" data-name="b" data-="c" role="img"/>', '<g aria-label="a" data-name="b" role="img"/>'],
  ];
  for (const [before, after] of cases) assert.is(await left(before), after, before);
});

test('styles keep whatever draws and lose whatever loads', () => {
  const cases: [string, string][] = [
    ['.a > .b { fill: red }', '.a > .b { fill: red }'],
    ['@import url(http://x/a.css); .a{}', ' .a{}'],
    ['@IMPORT "http://x/a.css"', ''],
    ['@im\\70ort "x";', ''],
    ['.a{fill:url(#g)}', '.a{fill:url(#g)}'],
    ['.a{fill:url("#g")}', '.a{fill:url("#g")}'],
    ['.a{fill:URL( http://x )}', '.a{fill:url(#)}'],
    ['.a{background:u/**/rl(http://x)}', '.a{background:u rl(http://x)}'],
    ['.a{background:\\75 rl(http://x)}', ''],
    ['.a{background:url(data:image/svg+xml,x)}', '.a{background:url(#)}'],
    ['.a{background:url(data:image/png;base64,AA)}', '.a{background:url(data:image/png;base64,AA)}'],
    ['@font-face{src:url(data:font/woff2;base64,AA)}', '@font-face{src:url(data:font/woff2;base64,AA)}'],
    ['.a{background:url(http://x', '.a{background:'],
    ['.a{background:image-set("http://x" 1x)}', ''],
    ['.a{width:expression(alert(1))}', ''],
    ['.a{behavior:url(#x)}', ''],
    ['.a{scroll-behavior:smooth}', '.a{scroll-behavior:smooth}'],
    ['.a\\:b{fill:red}', '.a\\:b{fill:red}'],
    ['/* a: */.a{}/* b', ' .a{}'],
  ];
  for (const [before, after] of cases) assert.is(cleanCss(before), after, before);
});

test('entities are never expanded, and the document type is removed', async () => {
  const laughs = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
    <svg xmlns="&ns;" width="1"><text>&b; &amp; &#60;</text></svg>`;
  assert.is(await clean(laughs), `<svg ${NAMESPACES} width="1"><text>&amp;b; &amp; &lt;</text></svg>\n`);
});

test('a drawing with a prefix, in another encoding or with rubbish around it comes out clean in UTF-8', async () => {
  const simple = `<svg ${NAMESPACES}><rect id="ü"/></svg>\n`;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect id="ü"/></svg>';
  assert.is(await clean(svg), simple);
  assert.is(await clean(`${svg}<script>alert(1)</script><svg/>`), simple);
  assert.is(await clean(svg.replace('svg xmlns', 'ns0:svg xmlns:ns0').replace('<rect', '<ns0:rect')), simple);
  assert.is(await clean(Buffer.from(`\ufeff${svg}`, 'utf16le')), simple);
  assert.is(await clean(Buffer.from(`<?xml version="1.0" encoding="latin1"?>${svg}`, 'latin1')), simple);
  assert.is(await clean(`<?xml version="1.0" encoding="nobody-knows"?>${svg}`), simple);
});

test('a file that is not a drawing, too large or too deep gives undefined', async () => {
  assert.is(await clean('<p>text</p>'), undefined);
  assert.is(await clean('<html><svg/></html>'), undefined);
  assert.is(await clean(`<svg>${'<g>'.repeat(300)}${'</g>'.repeat(300)}</svg>`), undefined);
  assert.is(await clean(`<svg>${'<x>'.repeat(300)}${'</x>'.repeat(300)}</svg>`), undefined);
  assert.is(await clean(`<svg><desc>${' '.repeat(SVG_LIMIT_BYTES)}</desc></svg>`), undefined);
});

test('the elements and attributes of a drawing keep their spelling', async () => {
  const drawing =
    '<defs><linearGradient id="g" gradientUnits="userSpaceOnUse" gradientTransform="rotate(45)"><stop offset="0"/></linearGradient>' +
    '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect/></clipPath>' +
    '<filter id="f" filterUnits="userSpaceOnUse"><feGaussianBlur in="SourceGraphic" stdDeviation="2"/></filter></defs>' +
    '<text xml:space="preserve">  a <tspan dx="1">b</tspan> </text><textPath xlink:href="#p" startOffset="5"/>' +
    '<style type="text/css">.a&gt;.b{fill:url(#g)}</style>' +
    '<animateTransform attributeName="transform" type="rotate" repeatCount="indefinite"/>';
  assert.is(await left(drawing), drawing);
});

test('the images of the starter keep everything but the order of their namespaces', async () => {
  const names = readdirSync(PRESS);
  assert.ok(names.length > 0);
  for (const name of names) {
    const before = readFileSync(join(PRESS, name), 'utf8');
    const body = (svg: string): string => svg.replace(/ xmlns(:xlink)?="[^"]*"/g, '').trim();
    assert.is(body((await clean(before)) ?? ''), body(before));
  }
});

test('cleaning a clean drawing changes nothing, and no result has characters that XML forbids', async () => {
  const piece = fc.oneof(
    fc.constantFrom('<g>', '</g>', '<rect x="', '">', '"/>', '<style>', '</style>', '<![CDATA[', ']]>', '<!--', '-->'),
    fc.constantFrom(
      'url(',
      ')',
      '#a',
      '@import',
      ';',
      '/*',
      '*/',
      '\\72',
      '&amp;',
      '&#0;',
      '&#x1f600;',
      '&lt;',
      '<a href=',
    ),
    fc.constantFrom(
      '<script>',
      '</script>',
      'onload=',
      '<text',
      ' xlink:href="#a"',
      '<svg',
      '</svg>',
      '\r\n',
      '\u0001',
      '\ud83d',
    ),
    fc.string({ maxLength: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const once = await clean(`<svg>${pieces.join('')}</svg>`);
      if (once === undefined) return;
      assert.is(await clean(once), once);
      assert.not.match(once, /<script|onload=["']|[\x00-\x08\x0b\x0c\x0e-\x1f]/i);
    }),
    { seed: 2026, numRuns: 400 },
  );
});

test('a drawing of megabytes is cleaned in small steps', async () => {
  const path = '<path d="M10 20 L30 40" fill="#fff" transform="translate(1 2)"/>';
  const drawings = [
    path.repeat(20_000),
    `<path${' data-a="b"'.repeat(100_000)}/>`,
    `<style>${'url('.repeat(300_000)}</style>`,
  ];
  for (const drawing of drawings) {
    const svg = Buffer.from(`<svg>${drawing}</svg>`);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await sanitizeSvg(svg);
    isDone = true;
    // Other work gets a turn every few kilobytes.
    assert.ok(turns > svg.length / 64_000, `${turns} turns for ${svg.length} bytes of ${drawing.slice(0, 20)}`);
  }
});

test.run();
