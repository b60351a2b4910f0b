// Toolbars are one stop of the Tab key, and keys of one letter can be turned off.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim()');

test('toolbars of documents and lists are one stop of Tab, with arrows, Home and End inside', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const toolbar = page.getByRole('toolbar', { name: 'Document' });
  await toolbar.getByRole('button', { name: 'Save', exact: true }).focus();
  const visited: string[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End']) {
    await page.keyboard.press(key);
    visited.push(await focused(page));
  }
  const more = 'More actions';
  assert.equal(visited, ['Publish', 'Schedule', more, 'Save', more, 'Save', more]);
  // The menu has the arrows while it is open, and gives the focus back.
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Archive' }).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.is(await focused(page), 'Duplicate');
  await page.keyboard.press('Escape');
  assert.is(await focused(page), more);
  await page.keyboard.press('Tab');
  const isInside = () => page.evaluate('document.activeElement?.closest("[role=toolbar]")?.ariaLabel === "Document"');
  assert.not(await isInside());
  await page.keyboard.press('Shift+Tab');
  assert.is(await focused(page), more, 'where it was left');

  await page.goto(`${admin.world.url}/admin/content/posts`);
  await page.getByRole('checkbox', { name: 'Select Tides' }).check();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Archive' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.is(await focused(page), 'Delete');
  await page.keyboard.press('End');
  assert.is(await focused(page), 'Clear selection');
  assertQuiet(complaints);
});

test('the list of keys is read from its top on a phone, and in a low window', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('', { viewport: { width: 320, height: 256 } });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  assert.is(await page.evaluate('document.querySelector("dialog").scrollTop'), 0);
  assert.is(await focused(page), 'Close');
  const { bottom } = (await page.evaluate('document.activeElement.getBoundingClientRect().toJSON()')) as {
    bottom: number;
  };
  assert.ok(bottom <= 256);
  assertQuiet(complaints);
});

test('keys of one letter are turned off in the account, on each device; other keys stay', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  await admin.world.admin.post('/api/cms/posts', { slug: 'moons', data: { title: 'Moons' } });
  const { page, complaints } = await admin.signedIn('/account');
  const box = page.getByRole('checkbox', { name: 'Keys of one letter' });
  await box.uncheck();
  await page.getByText('Keys of one letter are off.').waitFor();
  assert.is((await admin.world.admin.get('/api/admin/profile')).json.preferences.letterKeys, false);

  const other = await admin.signedIn('/content/posts?sort=title&order=asc');
  for (const { page: each } of [{ page }, other]) {
    await each.goto(`${admin.world.url}/admin/content/posts?sort=title&order=asc`);
    await each.getByRole('link', { name: 'Moons' }).focus();
    for (const key of ['?', '/', 'n', 'j']) await each.keyboard.press(key);
    assert.is(await focused(each), 'Moons');
    assert.is(await each.getByRole('dialog').count(), 0);
    await each.keyboard.press('ArrowDown');
    await untilTrue(each, 'document.activeElement?.textContent === "Tides"');
    await each.keyboard.press('Space');
    await each.getByRole('toolbar', { name: 'Selection' }).waitFor();
  }

  await page.goto(`${admin.world.url}/admin/account`);
  await box.check();
  await page.getByText('Keys of one letter are on.').waitFor();
  assert.equal((await admin.world.admin.get('/api/admin/profile')).json.preferences, {});
  // They lead into a list from wherever one is, to the row that one was in last.
  await page.goto(`${admin.world.url}/admin/content/posts?sort=title&order=asc`);
  await page.getByRole('link', { name: 'Moons' }).waitFor();
  await page.keyboard.press('j');
  await untilTrue(page, 'document.activeElement?.textContent === "Tides"');
  await page.keyboard.press('k');
  await untilTrue(page, 'document.activeElement?.textContent === "Moons"');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  assertQuiet([...complaints, ...other.complaints]);
});

test.run();
