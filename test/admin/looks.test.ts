// Long words, other scripts and a narrow window: parts of screens stay whole, in their place and within the window.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { proposeNew } from '../curation/queue.ts';
import { CONFIG } from '../support/world.ts';
import { makeAiAdminWorld } from './ai/world.ts';
import { send } from './inbox-world.ts';
import { assertAccessible, assertQuiet } from './world.ts';

const LONG = 'Rindfleischetikettierungsüberwachungsaufgaben';
const ARABIC = 'فن الطباعة القديمة وأسرار الحروف المتحركة في مطابع القاهرة';
const PHONE = { colorScheme: 'light', viewport: { width: 320, height: 800 } } as const;
const SITE = {
  collections: [...CONFIG.collections, { name: 'long', label: LONG, fields: [] }],
  forms: [
    { name: 'contact', label: 'Contact', fields: ['name', 'message'].map((name) => ({ name, type: 'text' as const })) },
  ],
};
const BODY = '| Port | High water | Remarks |\n|---|---|---|\n| Husum | 04:12 | a long remark about it |\n';

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box, selector);
  return box;
};

test('on a phone, words stay whole, and lists, menus and questions are where they belong', async () => {
  await using admin = await makeAiAdminWorld([], SITE);
  const { world } = admin;
  for (const slug of ['tides', 'moons']) {
    const post = { slug, data: { title: `The ${slug}`, body: BODY }, status: 'published' };
    assert.is((await world.admin.post('/api/cms/posts', post)).status, 200);
  }
  await send(world, 'Layla', { message: ARABIC });
  const item = await proposeNew(world, { title: 'Dunes', body: 'A line.\n\n'.repeat(60) });
  const { page, complaints } = await admin.signedIn('/search?q=the', PHONE);
  const go = (path: string) => page.goto(`${world.url}/admin${path}`);

  // One result a line, each as wide as the list.
  const results = page.getByRole('list', { name: 'Results' });
  await results.getByRole('listitem').nth(1).waitFor();
  const list = await results.boundingBox();
  for (const one of await results.getByRole('listitem').all()) assert.is((await one.boundingBox())?.width, list?.width);

  await go('/agents/new');
  await page.getByText(LONG).last().waitFor();
  await assertAccessible(page, 'agent', PHONE);

  // The first letters of a line that is cut are those that one sees.
  await go('/forms/contact');
  await page.getByText(ARABIC).waitFor();
  const isSeen = `(() => {
    const range = document.createRange();
    const line = document.querySelector('.submission-excerpt bdi');
    range.setStart(line.firstChild, 0);
    range.setEnd(line.firstChild, 1);
    const [letter, row] = [range, document.querySelector('.submission')].map((one) => one.getBoundingClientRect());
    return line.scrollWidth > line.clientWidth && letter.right <= row.right;
  })()`;
  assert.is(await page.evaluate(isSeen), true);

  await go('/content/posts/tides');
  const more = page.getByRole('button', { name: 'More actions' });
  await more.click();
  const menu = await boxOf(page, '[role="menu"]');
  assert.ok(menu.x >= 0 && menu.x + menu.width <= 320, JSON.stringify(menu));
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'Husum' }).waitFor();
  const [row, cell] = [await boxOf(page, '.ProseMirror tr:last-child td'), await boxOf(page, '.ProseMirror td p')];
  assert.ok(cell.height < 40, `one line, not ${cell.height} px`);
  assert.ok(row.width > 40);
  await assertAccessible(page, 'document with a table', PHONE);

  await go(`/curation/${item}`);
  await page.getByText('A line.').waitFor();
  await assertAccessible(page, 'item with a text to scroll', PHONE);
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  const dialog = await boxOf(page, 'dialog[open]');
  assert.ok(Math.abs(dialog.y - (800 - dialog.y - dialog.height)) < 3, 'the question is in the middle of the window');
  assertQuiet(complaints);
});

test('a list of changes names what every document has as people do', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'ebb', data: { title: 'Ebb' } });
  await world.admin.post('/api/cms/posts', {
    slug: 'ebbe',
    locale: 'de',
    translationOf: 'ebb',
    data: { title: 'Ebbe' },
  });
  const { page, complaints } = await admin.signedIn('/content/posts/ebb/history');
  await page.getByRole('list', { name: 'Versions' }).getByText('Translations').waitFor();
  assert.is(await page.getByText('translationGroup').count(), 0);
  assertQuiet(complaints);
});

test('the bars stay in a long document, the ring of its text is whole, and focus is no error', async () => {
  await using admin = await makeAiAdminWorld([], SITE);
  const post = { slug: 'tides', data: { title: 'Tides', body: 'A line.\n\n'.repeat(200) } };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  const { page, complaints } = await admin.signedIn('/content/posts/tides', { viewport: { width: 1280, height: 800 } });
  const text = page.getByRole('textbox', { name: 'body', exact: true });
  await text.click({ position: { x: 60, y: 60 } });
  const ring = (await page.evaluate(`(() => {
    const { outlineColor, outlineOffset, outlineWidth } = getComputedStyle(document.activeElement);
    return [outlineColor, parseFloat(outlineOffset) + parseFloat(outlineWidth)];
  })()`)) as [string, number];
  const red = await page.evaluate("getComputedStyle(document.querySelector('.brand > :first-child')).color");
  assert.ok(ring[0] !== red && ring[1] <= 0, `${ring}, ${red}`);
  await page.mouse.move(500, 500);
  await page.mouse.wheel(0, 3000);
  await page.waitForFunction('scrollY > 1000');
  const tops = [];
  for (const one of ['.bar', '.nav', '.toolbar', '.rt-toolbar']) tops.push((await boxOf(page, one)).y);
  assert.equal(tops.slice(0, 2), [0, 60]);
  assert.ok(tops[2] === 60 && Number(tops[3]) > 100 && Number(tops[3]) < 130, `${tops}`);

  await page.setViewportSize({ width: 768, height: 800 });
  await page.goto(`${admin.world.url}/admin/content/posts`);
  const filters = page.locator('.list-filters > :visible');
  await filters.nth(1).waitFor();
  const rows = await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  assert.is(Math.max(...rows) - Math.min(...rows), 0, 'filters in one row');
  await page.setViewportSize({ width: 1600, height: 800 });
  await page.goto(`${admin.world.url}/admin`);
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  const cards = await boxOf(page, '.cards');
  const ends = await page.locator('.card').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  assert.ok(Math.abs(Math.max(...ends) - cards.x - cards.width) < 2, 'no column of the dashboard is empty');
  assertQuiet(complaints);
});

test.run();
