// What is done with a document besides writing it, in several tabs, languages and states.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { makePost, SAVED, stored, UNSAVED, untilState } from './steps.ts';

const TRANSLATED: SiteConfigInput = {
  locales: ['en', 'de'],
  defaultLocale: 'en',
  collections: [
    { name: 'posts', label: 'Posts', translatable: true, fields: [{ name: 'title', type: 'text', required: true }] },
  ],
};

test('tabs of one browser show one unsaved text, and new documents of two tabs are two', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a', rank: 1 });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const other = await page.context().newPage();
  await other.goto(page.url());
  const titleIn = (tab: Page) => tab.getByRole('textbox', { name: 'title', exact: true }).first();
  await titleIn(other).waitFor();
  // Also what had no time to be kept before its tab was left.
  await titleIn(page).fill('b');
  await page.reload();
  await other.getByRole('heading', { level: 1, name: 'b', exact: true }).waitFor();
  await other.getByRole('spinbutton', { name: 'rank' }).fill('2');
  await titleIn(other).fill('bc');
  await page.getByRole('heading', { level: 1, name: 'bc', exact: true }).waitFor();
  await titleIn(page).press('Control+s');
  await untilState(page, SAVED);
  await untilState(other, SAVED);
  assert.equal((await stored(admin)).data, { title: 'bc', rank: 2 });

  for (const tab of [page, other]) await tab.goto(`${admin.world.url}/admin/content/posts/new`);
  await titleIn(page).fill('One');
  await titleIn(other).fill('Two');
  for (const tab of [page, other]) {
    await tab.waitForTimeout(400);
    await tab.reload();
    await tab.getByText('Unsaved changes of this device were restored.').waitFor();
    await tab.getByRole('button', { name: 'Save', exact: true }).click();
    await untilState(tab, SAVED);
  }
  assert.equal([(await stored(admin, 'one')).data.title, (await stored(admin, 'two')).data.title], ['One', 'Two']);
  assertQuiet(complaints);
});

test('a translation begins with its source, whatever else waits on the device', async () => {
  await using admin = await makeAdminWorld({ config: TRANSLATED });
  await makePost(admin, { title: 'Tides' });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const title = page.getByRole('textbox', { name: 'title', exact: true });
  await title.fill('Half an idea');
  await untilState(page, UNSAVED);
  await page.waitForTimeout(400);
  await page.goto(`${admin.world.url}/admin/content/posts/tides`);
  await page.getByRole('tab', { name: 'Translations' }).click();
  await page.getByRole('button', { name: 'Translate to German (de)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  await page.waitForURL('**/new?from=tides&locale=de');
  await title.fill('Gezeiten');
  await page.waitForTimeout(400);
  await page.goto(`${admin.world.url}/admin`);
  const drafts = page.getByRole('region', { name: 'Your drafts' });
  await drafts.getByRole('link', { name: 'Half an idea' }).waitFor();
  await drafts.getByRole('link', { name: 'Gezeiten' }).click();
  await page.getByText('Unsaved changes of this device were restored.').waitFor();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.equal(await stored(admin, 'gezeiten').then(({ locale, data }) => [locale, data.title]), ['de', 'Gezeiten']);
  assertQuiet(complaints);
});

test('rename, duplicate, archive, unpublish, schedule and delete, with the ways back', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'Tides' }, { status: 'published' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const act = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const status = page.getByRole('status', { name: 'Document status' });
  const undo = page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last();
  // What is unsaved stays so.
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('Half a title');
  await untilState(page, UNSAVED);
  await act('Unpublish');
  await status.getByText('Draft').waitFor();
  await undo.click();
  await status.getByText('Published').waitFor();
  await act('Archive');
  await status.getByText('Archived').waitFor();
  assert.equal([(await stored(admin)).data.title, await title.inputValue()], ['Tides', 'Half a title']);
  await act('Discard changes');

  await act('Rename');
  const rename = page.getByRole('dialog', { name: 'Rename' });
  await rename.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).and(page.locator(':focus')).waitFor();
  await act('Rename');
  await rename.getByLabel('Slug').fill('low-tides');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await page.waitForURL('**/posts/low-tides');
  assert.is((await stored(admin, 'low-tides')).data.title, 'Tides');

  await page.getByRole('button', { name: 'Schedule' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule' });
  await schedule.getByLabel('Publish at', { exact: true }).fill('2126-03-01T09:30');
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await schedule.waitFor({ state: 'detached' });
  await status.getByText(/goes live/).waitFor();
  assert.is((await stored(admin, 'low-tides')).publishAt, '2126-03-01T09:30:00.000Z');
  await page.getByRole('button', { name: 'Schedule' }).click();
  await schedule.getByRole('button', { name: 'Clear schedule' }).click();
  await schedule.waitFor({ state: 'detached' });

  // A copy has what is on the screen.
  await title.fill('High tides');
  await act('Duplicate');
  await page.waitForURL('**/posts/new?from=low-tides');
  await page.getByRole('heading', { level: 1, name: 'High tides' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/\/posts\/high-tides/);
  assert.is((await stored(admin, 'low-tides')).data.title, 'Tides');
  await act('Delete');
  await page.getByText('“High tides” is in the trash.').waitFor();
  await undo.click();
  await page.waitForURL(/\/posts\/high-tides/);
  await untilState(page, SAVED);
  assertQuiet(complaints);
});

test('a new document has a schedule, which saves it, and a way to let it go', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const more = page.getByRole('button', { name: 'More actions' });
  await more.click();
  assert.equal(await page.getByRole('menuitem').allInnerTexts(), ['Discard changes']);
  await page.getByRole('menuitem', { name: 'Discard changes' }).click();
  await page.waitForURL('**/content/posts');
  await page.getByRole('link', { name: 'New document' }).first().click();
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('Tides');
  await page.getByRole('button', { name: 'Schedule' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule' });
  await schedule.getByLabel('Publish at', { exact: true }).fill('2126-03-01T09:30');
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await page.waitForURL('**/posts/tides');
  await page
    .getByRole('status', { name: 'Document status' })
    .getByText(/goes live/)
    .waitFor();
  const { status, publishAt } = await stored(admin);
  assert.equal([status, publishAt], ['draft', '2126-03-01T09:30:00.000Z']);
  assertQuiet(complaints);
});

test('a document that is deleted meanwhile keeps its text, and becomes a new one', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'Tides', rank: 3 });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('Ebbs');
  await untilState(page, UNSAVED);
  await page.waitForTimeout(400);
  await admin.world.admin.delete('/api/cms/posts/tides');
  const keep = page.getByRole('button', { name: 'Keep as new document' });
  await keep.waitFor();
  // The same after the page was closed: what it was, with the draft of this device.
  await page.goto(`${admin.world.url}/admin`);
  await page.getByRole('region', { name: 'Your drafts' }).getByRole('link', { name: 'Ebbs' }).waitFor();
  await page.goto(`${admin.world.url}/admin/content/posts/tides`);
  await page.getByRole('alert').getByText('This document has been deleted.').waitFor();
  assert.is(await title.inputValue(), 'Ebbs');
  assert.is(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
  await keep.click();
  await page.waitForURL('**/posts/new?draft=*');
  await page.reload();
  await page.getByText('Unsaved changes of this device were restored.').waitFor();
  assert.is(await title.inputValue(), 'Ebbs');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/posts/ebbs');
  assert.equal((await stored(admin, 'ebbs')).data, { title: 'Ebbs', rank: 3 });
  assertQuiet(complaints, /404/);
});

test.run();
