// Texts that run from right to left, in an admin that runs from left to right.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, makeAdminWorld } from './world.ts';

const CONFIG = {
  locales: ['ar', 'en'],
  defaultLocale: 'ar',
  collections: [
    {
      name: 'posts',
      label: 'مقالات',
      fields: [
        { name: 'title', label: 'العنوان', type: 'text' as const },
        { name: 'tags', label: 'وسوم', type: 'tags' as const },
        { name: 'body', label: 'النص', type: 'richtext' as const },
      ],
    },
  ],
};
const BODY = 'المد والجزر حركة `code` يومية.\n\nAn English line.\n\n- أولا\n\n| قمر | 1 |\n|---|---|\n| بحر | 2 |\n';

test('each text runs as its own letters do, and the page around it stays as it is', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const post = { slug: 'tides', data: { title: 'المد (Tides) 2026', body: BODY } };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const text = page.getByRole('textbox', { name: 'النص', exact: true });
  await text.getByRole('listitem').waitFor();
  const startOf = async (selector: string): Promise<number> =>
    Number(
      await page.evaluate(`(() => {
        const range = document.createRange();
        const node = document.querySelector('${selector}').firstChild;
        range.setStart(node, 0);
        range.setEnd(node, 1);
        return range.getBoundingClientRect().x;
      })()`),
    );
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return box;
  };
  const root = await boxOf('.ProseMirror');
  const middle = root.x + root.width / 2;
  const arabic = await startOf('.ProseMirror > p');
  const code = await boxOf('.ProseMirror > p code');
  assert.ok(arabic > middle && code.x < arabic, 'the sentence begins on the right, and goes on to the left of it');
  assert.ok((await startOf('.ProseMirror > p:nth-of-type(2)')) < middle, 'the English one begins on the left');
  assert.is(await page.evaluate(`getComputedStyle(document.querySelector('.ProseMirror ul')).direction`), 'rtl');
  assert.ok((await startOf('.ProseMirror th:first-child p')) > (await startOf('.ProseMirror th:last-child p')));

  // The heading of the page stays on its side.
  const heading = await page.evaluate(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('h1'));
    return range.getBoundingClientRect().x - document.querySelector('h1').getBoundingClientRect().x;
  })()`);
  assert.ok(Math.abs(Number(heading)) < 2, `${heading}`);
  const directions = `[...document.querySelectorAll('[role=form] :is(input, textarea)')].map((one) => one.matches(':dir(rtl)'))`;
  assert.equal(await page.evaluate(directions), [true, false], 'the title, and no tag yet');
  await page.getByRole('combobox', { name: 'وسوم' }).fill('بحر');
  assert.equal(await page.evaluate(directions), [true, true]);
  await page.getByRole('combobox', { name: 'وسوم' }).fill('');
  const title = `getComputedStyle(document.querySelector('[role=form][aria-label="Document"] input')).unicodeBidi`;
  assert.is(await page.evaluate(title), 'plaintext');
  assertQuiet(complaints);
});

test('in an admin that runs from right to left a lock stands at the end of its line, not on the label', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const lock = page.getByRole('button', { name: 'Lock Title' });
  await lock.waitFor();
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  const [locked, label] = [await lock.boundingBox(), await page.locator('label[for="field-data.title"]').boundingBox()];
  assert.ok(locked && label && locked.x + locked.width <= label.x, JSON.stringify({ locked, label }));
  assertQuiet(complaints);
});

test.run();
