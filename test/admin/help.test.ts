// The guide for editors, as they open it: on any site, whatever its configuration has.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations } from '../support/browser.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

test('the guide opens from the help menu by keyboard, and leads from page to page', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('button', { name: 'Help', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Guide for editors' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Guide for editors' }).waitFor();
  assert.is(await page.title(), 'Guide for editors · Colophon');
  const links = page.getByRole('list', { name: 'Pages' }).getByRole('link');
  const titles = await links.allTextContents();
  assert.ok(titles.length >= 12);
  await links.first().click();
  for (const [at, title] of titles.entries()) {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    assert.equal(await findViolations(page), []);
    if (at < titles.length - 1) await page.getByRole('link', { name: `Next: ${titles[at + 1]}` }).click();
  }
  assert.is(await page.getByRole('link', { name: /^Next/ }).count(), 0);
  await page.goto(`${admin.world.url}/admin/help/nowhere`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assertQuiet(complaints);
});

test('the palette finds a page by what it is about, and the menu has the keys', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('alt text');
  await page.getByRole('option', { name: /^Pictures and files/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Pictures and files' }).waitFor();
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  assertQuiet(complaints);
});

test('without the file of the guide the palette goes on, and the screen says that there is a newer version', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.signedIn();
  await page.route(/help-[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: '{}' }));
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dash');
  await page.getByRole('option', { name: /^Dashboard/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Guide for editors' }).click();
  await page.getByRole('heading', { level: 1, name: 'Colophon was updated' }).waitFor();
});

test.run();
