// Source fields in the real editor: JSON, HTML, Markdown that runs from right to left, and pictures inside pasted text.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../../support/browser.ts';
import { PIXEL } from '../richtext/page.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { SAVED, stored, untilState } from './steps.ts';

const CONFIG = {
  locales: ['ar', 'en'],
  defaultLocale: 'ar',
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      fields: [
        { name: 'title', label: 'Title', type: 'text' as const },
        { name: 'facts', label: 'Facts', type: 'json' as const },
        { name: 'page', label: 'Page', type: 'htmldoc' as const },
        { name: 'body', label: 'Text', type: 'richtext' as const },
      ],
    },
  ],
};
const BODY = 'المد والجزر\n\nAn English line\n\n123\n\n```js\nconst a = "المد";\n// المد\n```\n';

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('JSON and HTML are typed, undone and saved, and what is no JSON yet is reported and not stored', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const data = { title: 'a', facts: { a: 1 }, page: '<p>One</p>' };
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const facts = box(page, 'Facts');
  await facts.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"a": [2, ');
  await page.getByText('This is no JSON yet, so the last valid text counts').waitFor();
  assert.is(await facts.getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Control+s');
  assert.equal((await stored(admin)).data.facts, { a: 1 });
  await page.keyboard.type('3]}');
  await page.getByText('This is no JSON yet').waitFor({ state: 'detached' });
  // The attribute follows a frame later.
  while ((await facts.getAttribute('aria-invalid')) !== null) await page.waitForTimeout(10);

  const html = box(page, 'Page');
  await html.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n<script>hurt()</script>');
  await html.getByText('hurt()').waitFor();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  const written = (await stored(admin)).data;
  assert.equal(written.facts, { a: [2, 3] });
  assert.is(written.page, '<p>One</p>\n<script>hurt()</script>');

  // Undo goes back to what was there, and is saved like everything.
  await html.focus();
  while ((await html.textContent())?.includes('hurt')) await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.is((await stored(admin)).data.page, '<p>One</p>');
  for (const name of ['Facts', 'Page']) assert.is(await box(page, name).getAttribute('dir'), 'ltr');
  // Chromium itself wants to carry the colour of replaced text over to what is typed, which the policy does not let in.
  assertQuiet(complaints, /^Applying inline style/);
});

test('the source of Markdown runs as its letters and its language do, and code in it from left to right', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'a', body: BODY } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('toolbar', { name: 'Text formatting' }).getByRole('button', { name: 'Source' }).click();
  const source = box(page, 'Text source');
  await source.getByText('An English line').waitFor();
  const lines = source.locator('.cm-line');
  const directions = async (): Promise<unknown[]> =>
    lines.evaluateAll((all) => all.map((one) => (one as unknown as { dir: string }).dir));
  const expected = ['rtl', 'rtl', 'ltr', 'rtl', 'rtl', 'rtl', 'ltr', 'ltr', 'ltr', 'ltr', 'rtl'];
  assert.equal(await directions(), expected);
  assert.equal([await source.getAttribute('dir'), await source.getAttribute('lang')], ['rtl', 'ar']);
  // What is typed turns its line.
  await source.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Ebb ');
  await untilTrue(page, `document.querySelector('[aria-label="Text source"] .cm-line').dir === 'ltr'`);
  // The language of the document is the base of lines without letters.
  await page.getByRole('combobox', { name: 'Locale' }).selectOption('en');
  await untilTrue(page, `document.querySelectorAll('[aria-label="Text source"] .cm-line')[4].dir === 'ltr'`);
  assertQuiet(complaints);
});

test('pictures inside of pasted text become files of the library, and those that cannot are reported', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'a' } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const text = box(page, 'Text');
  const paste = async (html: string, plain: string): Promise<void> => {
    await text.click();
    await page.keyboard.press('Control+End');
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/html', ${JSON.stringify(html)});
      if (${JSON.stringify(plain)}) data.setData('text/plain', ${JSON.stringify(plain)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
  };
  const pixel = `<img alt="A" src="data:image/png;base64,${PIXEL.toString('base64')}">`;
  await paste(`<p>Before ${pixel}</p>`, 'Before');
  await text.locator('img[src^="/uploads/"]').waitFor();
  await paste(`<img src="data:image/svg+xml;utf8,<svg onload=hurt()>"><p>After</p>`, 'After');
  await page.getByText('Pictures inside the pasted text were left out.').waitFor();
  // With a picture alone, as some programs copy it.
  await paste(pixel, '');
  await untilTrue(page, `document.querySelectorAll('.ProseMirror img[src^="/uploads/"]').length === 2`);
  await page.getByText('Pictures inside the pasted text were left out.').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  const { body } = (await stored(admin)).data;
  assert.match(body, /Before/);
  assert.match(body, /After/);
  assert.not.match(body, /data:|svg/);
  assert.is((await admin.world.admin.get('/api/media')).json.total, 1, 'the same bytes are one file');
  assertQuiet(complaints);
});

test.run();
