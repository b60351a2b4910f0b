// Drawings as a browser shows them: nothing in them runs, however they came in, and clean ones look as before.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitizeSvg } from '../../src/media/svg/svg.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { download } from '../support/download.ts';
import { upload } from '../support/upload.ts';
import { makeWorld } from '../support/world.ts';
import { serveOtherSite } from './embedding.ts';

const PRESS = join(import.meta.dirname, '../../content/media/press');

/** A drawing with every way to run a script, each of which would request an address. */
function evil(origin: string): string {
  const call = (what: string): string => `fetch('${origin}/called?${what}')`;
  return `<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY run "<script>${call('entity')}</script>">]>
<?xml-stylesheet href="${origin}/called?stylesheet"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10"
     onload="${call('onload')}">
  <script>${call('script')}</script>
  <script href="${origin}/called?src"/>
  <style>@import url(${origin}/called?import); rect { fill: url(${origin}/called?fill#a) }</style>
  <image href="${origin}/called?image" onerror="${call('onerror')}" width="5" height="5"/>
  <image href="x" onerror="${call('onerror2')}" width="5" height="5"/>
  <use href="${origin}/called?use#a"/>
  <foreignObject width="20" height="10"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${origin}/called?frame"/>
    <img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="${call('img')}"/></foreignObject>
  <set attributeName="onmouseover" to="${call('set')}" begin="0s"/>
  <animate attributeName="x" onbegin="${call('onbegin')}" dur="1s" begin="0s"/>
  <a href="javascript:${call('link')}"><rect width="20" height="10"/></a>&run;
</svg>`;
}

interface Listener extends AsyncDisposable {
  origin: string;
  /** The requested paths, except the drawing's. */
  asked: string[];
  /** Serves the drawing with these headers, and returns its address. */
  show(drawing: string, headers: Record<string, string>): string;
}

/** A server of another origin, to which drawings would send requests. */
async function listen(): Promise<Listener> {
  const asked: string[] = [];
  let shown = { drawing: '', headers: {} };
  const server = createServer((req, res) => {
    if (req.url === '/drawing.svg') return void res.writeHead(200, shown.headers).end(shown.drawing);
    if (req.url !== '/favicon.ico') asked.push(req.url ?? '');
    res.writeHead(204, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    show(drawing, headers) {
      shown = { drawing, headers };
      return `${origin}/drawing.svg`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens the drawing by itself, waits for a while and clicks on it. */
async function visit(browser: TestBrowser, address: string): Promise<void> {
  const { page } = await browser.open();
  await page.goto(address);
  await page.mouse.click(400, 300);
  await page.waitForTimeout(300);
  await page.context().close();
}

test('an evil drawing that a visitor opens runs nothing and requests nothing', async () => {
  await using world = await makeWorld();
  await using browser = await openBrowser();
  await using listener = await listen();
  const { status, json } = await upload(world.admin, 'evil.svg', evil(listener.origin));
  assert.is(status, 200);
  await visit(browser, `${world.url}${json.url}`);
  assert.equal(listener.asked, []);
});

test('even without cleaning, the headers of a drawing let nothing run', async () => {
  await using world = await makeWorld();
  await using browser = await openBrowser();
  await using listener = await listen();
  const { json } = await upload(world.admin, 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { headers } = await download(world, json.url);
  const type = { 'content-type': headers['content-type'] ?? '' };
  // An undefined entity would end the page before anything of it ran.
  const drawing = evil(listener.origin)
    .replace(/<!DOCTYPE.*\]>/, '')
    .replace('&run;', '');
  await visit(browser, listener.show(drawing, type));
  assert.ok(
    ['script', 'onload', 'image'].every((what) => listener.asked.includes(`/called?${what}`)),
    'else it runs',
  );
  listener.asked.length = 0;
  const policy = { 'content-security-policy': headers['content-security-policy'] ?? '' };
  await visit(browser, listener.show(drawing, { ...type, ...policy }));
  assert.equal(listener.asked, []);
});

/** Drawings with what design programs write. */
async function drawings(): Promise<Record<string, string>> {
  const dot = (
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  ).toString('base64');
  const svg = (content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 60">${content}</svg>`;
  return {
    gradients: svg(
      '<defs><linearGradient id="a" gradientTransform="rotate(30)"><stop offset="5%" stop-color="gold"/><stop offset="1" style="stop-color:red;stop-opacity:.5"/></linearGradient>' +
        '<radialGradient id="b" xlink:href="#a" fx=".3"/></defs><rect width="50" height="60" fill="url(#a)"/><circle cx="75" cy="30" r="25" style="fill:url(#b)"/>',
    ),
    styles: svg(
      '<style><![CDATA[ .a > rect { fill: #369; stroke: url("#g") } @media (min-width: 1px) { .b { fill: none; stroke: #000; stroke-dasharray: 2 1 } } ]]></style>' +
        '<linearGradient id="g"><stop stop-color="red"/></linearGradient><g class="a"><rect x="5" y="5" width="40" height="40" stroke-width="4"/></g><path class="b" d="M50 5 C 60 50, 80 -20, 95 55"/>',
    ),
    clips: svg(
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5"/></clipPath><mask id="m" maskContentUnits="objectBoundingBox"><rect width="1" height=".5" fill="#fff"/></mask>' +
        '<rect width="50" height="60" fill="purple" clip-path="url(#c)"/><rect x="50" width="50" height="60" mask="url(#m)"/>',
    ),
    filters: svg(
      '<filter id="f" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur in="SourceAlpha" stdDeviation="3" result="s"/><feOffset dx="3" dy="3"/><feMerge><feMergeNode in="s"/><feMergeNode in="SourceGraphic"/></feMerge></filter>' +
        '<filter id="t"><feTurbulence baseFrequency=".05" numOctaves="2" seed="3"/><feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1"/></filter><rect x="10" y="10" width="30" height="30" fill="orange" filter="url(#f)"/><rect x="50" width="50" height="60" filter="url(#t)"/>',
    ),
    symbols: svg(
      '<symbol id="s" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol><use href="#s" width="30" height="30" fill="red"/><use xlink:href="#s" x="40" width="20" height="50"/>' +
        '<pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><circle cx="4" cy="4" r="3" fill="navy"/></pattern><rect x="65" width="35" height="60" fill="url(#p)"/>',
    ),
    text: svg(
      '<defs><path id="l" d="M5 50 Q50 20 95 50"/></defs><text x="5" y="20" font-family="serif" font-size="12" font-weight="bold">A <tspan fill="red" dy="2">b &amp; c</tspan> &lt;d&gt;</text><text font-size="9"><textPath xlink:href="#l">along the line</textPath></text>',
    ),
    images: svg(
      `<image width="40" height="40" xlink:href="data:image/png;base64,${dot}" preserveAspectRatio="none"/><a href="https://example.com/"><rect x="50" width="40" height="40"/></a>`,
    ),
    markers: svg(
      '<marker id="m" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="6" markerHeight="6" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker><polyline points="10,50 50,10 90,50" fill="none" stroke="#000" marker-start="url(#m)" marker-end="url(#m)"/>',
    ),
    prefixed: svg('<rect width="50" height="60" fill="green"/>')
      .replaceAll(/<(\/?)(svg|rect)/g, '<$1s:$2')
      .replace('xmlns=', 'xmlns:s='),
    illustrator: `<?xml version="1.0" encoding="utf-8"?><!-- Generator: some program --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [ <!ENTITY ns_ai "http://ns.adobe.com/a/"> ]>
      <svg version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:i="&ns_ai;" x="0px" y="0px" viewBox="0 0 100 60" style="enable-background:new 0 0 100 60;" xml:space="preserve">
      <style type="text/css">.st0{fill:#FF0000;}.st1{fill:none;stroke:#00F;stroke-miterlimit:10;}</style><metadata><x/></metadata><switch><foreignObject requiredExtensions="&ns_ai;" x="0" width="1" height="1"><i:pgfRef/></foreignObject><g i:extraneous="self"><rect class="st0" width="50" height="60"/><circle class="st1" cx="70" cy="30" r="20"/></g></switch></svg>`,
  };
}

async function draw(page: Page, svg: Buffer): Promise<Buffer> {
  const address = `data:image/svg+xml;base64,${svg.toString('base64')}`;
  await page.setContent(
    `<body style="margin:0;background:#fff"><img style="display:block;width:400px;height:300px" src="${address}">`,
  );
  await page.evaluate('document.querySelector("img").decode()');
  return page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } });
}

test('clean drawings look as they did', async () => {
  await using browser = await openBrowser();
  const { page } = await browser.open();
  const blank = await draw(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const starter = readdirSync(PRESS).map((name) => [name, readFileSync(join(PRESS, name), 'utf8')]);
  for (const [name, svg] of [...starter, ...Object.entries(await drawings())] as [string, string][]) {
    const clean = await sanitizeSvg(Buffer.from(svg));
    assert.ok(clean, name);
    const [before, after] = [await draw(page, Buffer.from(svg)), await draw(page, clean)];
    assert.not.ok(before.equals(blank), `${name} shows nothing`);
    assert.ok(before.equals(after), `${name} looks different`);
  }
});

test('pages of another site may show and frame media, and read it where api.cors allows', async () => {
  await using world = await makeWorld({ config: { collections: [], api: { cors: '*' } } });
  await using browser = await openBrowser();
  await using site = await serveOtherSite();
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>';
  const { json } = await upload(world.admin, 'a.svg', drawing);
  const address = `${world.url}${json.url}`;
  const { page, complaints } = await browser.open();
  await page.goto(site.show('/', `<img crossorigin src="${address}"><iframe src="${address}"></iframe>`));
  const seen = await page.evaluate(async (url) => {
    const { document, fetch } = globalThis as unknown as {
      document: { querySelector(name: string): { naturalWidth: number } };
      fetch(url: string): Promise<{ status: number }>;
    };
    return [document.querySelector('img').naturalWidth, (await fetch(url)).status];
  }, address);
  assert.equal(seen, [20, 200]);
  const [, frame] = page.frames();
  assert.is(await frame?.locator('rect').count(), 1);
  assert.equal(complaints, []);
});

test.run();
