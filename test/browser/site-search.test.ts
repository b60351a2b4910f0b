import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { searchBoxHtml, searchClient } from '../../src/build/search/box.ts';
import { createSearchFiles } from '../../src/build/search/search-files.ts';
import { findViolations, openBrowser } from '../support/browser.ts';

const TEXTS: Record<string, string> = {
  search: 'Search',
  search_label: 'Search this site',
  search_none: 'Nothing found',
};

/** A built site with a search box, served as strictly as a host can. */
async function openSite() {
  const files = new Map(
    createSearchFiles(
      ['Herring in spring', 'The herring, again', 'Crème brûlée <b>'].map((title, at) => ({
        path: `/posts/${at}/`,
        title,
        slug: `${at}`,
        texts: [`text ${at}`],
        time: at * 86_400_000,
      })),
      { locales: [''] },
    ),
  );
  const box = searchBoxHtml({
    script: `/${searchClient().file}`,
    index: '/search/index.json',
    locale: 'en',
    text: (key, values) => TEXTS[key] ?? `${values?.count} ${values?.count === 1 ? 'result' : 'results'}`,
  });
  const page = `<!doctype html><html lang="en"><title>A site</title><main><h1>A site</h1>${box}</main></html>`;
  const server = createServer((request, response) => {
    const path = decodeURI(request.url ?? '').slice(1);
    const text = path === searchClient().file ? searchClient().bytes : (files.get(path) ?? page);
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'",
    );
    response.setHeader(
      'Content-Type',
      path.endsWith('.js') ? 'text/javascript' : files.has(path) ? 'text/plain' : 'text/html',
    );
    response.end(text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

test('a visitor finds a page by keyboard alone', async () => {
  await using site = await openSite();
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.goto(site.url);
  const input = page.getByRole('combobox', { name: 'Search this site' });
  await page.keyboard.press('Tab');
  assert.ok(
    await input.evaluate((field) => field === field.ownerDocument.activeElement),
    'the field is reached by Tab',
  );
  await page.keyboard.type('HERR');
  await page.getByRole('option').nth(1).waitFor();
  assert.is(await page.getByRole('status').textContent(), '2 results');
  assert.is(await input.getAttribute('aria-expanded'), 'true');
  assert.equal(await page.getByRole('option').locator('span').allTextContents(), [
    'The herring, again',
    'Herring in spring',
  ]);
  assert.equal(await page.getByRole('option').locator('mark').allTextContents(), ['herring', 'Herring']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const active = page.locator('[aria-selected=true]');
  assert.is(await input.getAttribute('aria-activedescendant'), await active.getAttribute('id'));
  assert.equal(await findViolations(page), []);
  await page.keyboard.press('Escape');
  assert.is(await input.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('Escape');
  assert.is(await input.inputValue(), '');
  await page.keyboard.type('creme');
  await page.getByRole('option').waitFor();
  assert.equal(await page.getByRole('option').locator('span').allTextContents(), ['Crème brûlée <b>']);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/posts/2/');
  assert.equal(complaints, []);
});

test('a word that no page has gives no results, and says so', async () => {
  await using site = await openSite();
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.goto(site.url);
  await page.getByRole('combobox').fill('zeppelin');
  await page.locator('[data-empty]').waitFor();
  assert.is(await page.getByRole('status').textContent(), 'Nothing found');
  assert.is(await page.getByRole('option').count(), 0);
  assert.equal(complaints, []);
});

test('without JavaScript no box is shown', async () => {
  await using site = await openSite();
  await using browser = await openBrowser();
  const { page } = await browser.open({ javaScriptEnabled: false });
  await page.goto(site.url);
  assert.is(await page.getByRole('combobox').isVisible(), false);
});

test.run();
