// The rich text and source fields on a page of their own, under the policy of the admin, in a real browser.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { toPolicy } from '../../../src/admin-files/page.ts';
import { type OpenPage, openBrowser } from '../../support/browser.ts';
import { ROOT } from '../../support/source.ts';

export interface FieldOptions {
  value?: unknown;
  field?: 'rich-text' | 'source';
  /** Further properties of the field. */
  props?: Record<string, unknown>;
}

export interface FieldPage extends OpenPage {
  /** The text box of the field, which is called Body. */
  box: Locator;
  toolbar: Locator;
  /** The value that the field said last, after what is waiting was said. */
  value(): Promise<unknown>;
  /** Every value that the field said. */
  said(): Promise<unknown[]>;
  /** A value from another user. */
  give(value: unknown): Promise<void>;
  /** Pastes as a program does that has these kinds of data. */
  paste(data: Record<string, string>): Promise<void>;
}

export interface FieldWorld extends AsyncDisposable {
  open(options?: FieldOptions, context?: BrowserContextOptions): Promise<FieldPage>;
}

let bundle: Promise<Map<string, Uint8Array>> | undefined;

/** One bundle for all tests of a file. */
function bundled(): Promise<Map<string, Uint8Array>> {
  bundle ??= build({
    entryPoints: [path.join(ROOT, 'test/admin/richtext/field-page.js')],
    outdir: '/assets',
    entryNames: 'page',
    ...{ bundle: true, splitting: true, minify: true, write: false, logLevel: 'silent' },
    ...{ format: 'esm', target: 'es2023', jsx: 'automatic', jsxImportSource: 'preact' },
  }).then(({ outputFiles }) => new Map(outputFiles.map(({ path: file, contents }) => [path.basename(file), contents])));
  return bundle;
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function makeFieldWorld(): Promise<FieldWorld> {
  const files = await bundled();
  const browser = await openBrowser();
  let options: FieldOptions = {};
  const server = http.createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    const file = files.get(name);
    const nonce = randomBytes(12).toString('base64url');
    if (file) {
      response.setHeader('content-type', name.endsWith('.css') ? 'text/css' : 'text/javascript').end(file);
    } else if (request.url?.startsWith('/uploads/')) response.setHeader('content-type', 'image/png').end(PIXEL);
    else {
      response.setHeader('content-security-policy', toPolicy(nonce, undefined));
      response.setHeader('content-type', 'text/html; charset=utf-8').end(toPage(options, nonce));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin`;
  return {
    async open(wanted = {}, context = {}) {
      options = wanted;
      const opened = await browser.open(context);
      await opened.page.goto(url);
      const box = opened.page.getByRole('textbox', { name: 'Body', exact: true });
      if (wanted.field !== 'source') await box.or(opened.page.getByRole('textbox', { name: 'Body source' })).waitFor();
      return toFieldPage(opened, box);
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toFieldPage(opened: OpenPage, box: Locator): FieldPage {
  const { page } = opened;
  const said = (): Promise<unknown[]> => page.evaluate('window.said');
  return {
    ...opened,
    ...{ box, said },
    toolbar: page.getByRole('toolbar', { name: 'Body formatting' }),
    async value() {
      // A key with Ctrl that nothing listens to: what is waiting is said before the shortcuts of the document.
      await page.keyboard.press('Control+F8');
      return (await said()).at(-1);
    },
    give: (value) => page.evaluate(`window.give(${JSON.stringify(value)})`),
    paste: (data) =>
      page.evaluate(`{
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(${JSON.stringify(data)})) data.setData(type, text);
        document.activeElement.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }`),
  };
}

function toPage(options: FieldOptions, nonce: string): string {
  const json = JSON.stringify(options).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Field</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csp-nonce" nonce="${nonce}"><link rel="stylesheet" href="/assets/page.css"></head>
<body><div id="app"></div><script type="application/json" id="options">${json}</script>
<script type="module" src="/assets/page.js"></script></body></html>`;
}
