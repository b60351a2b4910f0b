// An inbox with many submissions, and what is gone, refused or out of reach.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { PASSWORD } from '../support/world.ts';
import { CONFIG, message, opened, send, statusOf, submissions, until } from './inbox-world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

test('many are marked at a time with a way back, and a tab says when it is empty', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  for (let n = 0; n < 13; n++) {
    await Promise.all(Array.from({ length: 20 }, (_, at) => send(world, `Reader ${n * 20 + at}`)));
  }
  const { page, complaints } = await admin.signedIn('/forms/contact');
  const list = submissions(page);
  await list.getByRole('link').first().waitFor();
  assert.ok((await list.getByRole('listitem').count()) < 60);
  await list.getByRole('link').first().focus();
  await page.keyboard.press('End');
  await untilTrue(page, "document.activeElement?.closest('li')?.ariaPosInSet === '260'");
  await page.keyboard.press('Home');
  await untilTrue(page, "document.activeElement?.closest('li')?.ariaPosInSet === '1'");
  await list.getByRole('checkbox').first().check();
  const toolbar = page.getByRole('toolbar', { name: 'Selection' });
  await toolbar.getByRole('button', { name: 'Select all 260' }).click();
  await toolbar.getByText('260 selected').waitFor();
  await toolbar.getByRole('button', { name: 'Archive' }).click();
  await message(page).getByText('260 submissions archived').waitFor();
  await page.getByRole('tab', { name: 'New' }).click();
  await page.getByText('Nothing is new').waitFor();
  await message(page).getByRole('button', { name: 'Undo' }).click();
  await message(page).getByText('260 submissions are as they were').waitFor();
  // What is refused in the middle stays selected, and what was done before has its way back.
  await list.getByRole('checkbox').first().check();
  await toolbar.getByRole('button', { name: 'Select all 260' }).click();
  await toolbar.getByText('260 selected').waitFor();
  let batches = 0;
  await page.route('**/submissions/bulk', (route) =>
    ++batches < 2 ? route.fallback() : route.fulfill({ status: 507, json: { error: 'the disk is full' } }),
  );
  await toolbar.getByRole('button', { name: 'Mark as read' }).click();
  await page.getByRole('alert').getByText('The disk is full').waitFor();
  await untilTrue(page, "document.activeElement?.textContent === 'Mark as read'");
  await message(page).getByText('100 submissions marked as read').waitFor();
  await toolbar.getByText('160 selected').waitFor();
  await toolbar.getByRole('button', { name: 'Mark as read' }).click();
  await page.waitForTimeout(300);
  assert.is(
    await message(page)
      .getByText(/^0 submissions/)
      .count(),
    0,
  );
  await toolbar.getByText('160 selected').waitFor();
  await page.unrouteAll();
  await message(page).getByRole('button', { name: 'Undo' }).last().click();
  await message(page).getByText('100 submissions are as they were').waitFor();
  await toolbar.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('link', { name: 'Forms 260 new' }).waitFor();
  await list.getByRole('checkbox').nth(1).check();
  await toolbar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await message(page).getByText('1 submission deleted').waitFor();
  await page.getByRole('tab', { name: 'Read' }).click();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await list.waitFor();
  assertQuiet(complaints, /status of 507/);
});

test('forms that are gone, submissions that are gone, readers without the right, and no connection', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  const kept = await send(world, 'Kept', {}, 'visit');
  const other = await send(world, 'Other', {}, 'visit');
  await world.restart({ config: { ...CONFIG, forms: [CONFIG.forms![0]!] } });
  const { page, complaints } = await admin.signedIn(`/forms/visit/${other}`);
  await page.getByText('no longer has this form').waitFor();
  await opened(page).getByText('other@example.com').waitFor();
  // Another person deletes it.
  await world.admin.delete(`/api/admin/forms/visit/submissions/${other}`);
  await opened(page).getByText('This submission is not here').waitFor();
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  assert.is(download.suggestedFilename(), 'visit.csv');
  assert.match(readFileSync(await download.path(), 'utf8'), /^\uFEFF[^\n]*\n[^\n]*kept@example\.com/);
  const csv = '**/api/admin/forms/visit/export*';
  await page.route(csv, (route) => route.fulfill({ status: 429, json: { error: 'too many downloads' } }));
  await page.getByRole('link', { name: 'Download CSV' }).click();
  await page.getByRole('alert').getByText('Too many downloads').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.unroute(csv);
  // If it was deleted before the stream began, the page has asked for it and was refused.
  assertQuiet(complaints, /404|429/);

  await page.context().setOffline(true);
  await submissions(page).getByRole('link', { name: 'Kept' }).click();
  await opened(page).getByText('kept@example.com').waitFor();
  await opened(page).getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  // What was opened then counts as read once the connection is back.
  await page.context().setOffline(false);
  await until(async () => (await statusOf(world, kept, 'visit')) === 'read');
  await page.goto(`${world.url}/admin/forms/nowhere`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();

  await world.user('viewer');
  const viewer = await admin.open('/login?next=/admin/forms/contact');
  const asked: string[] = [];
  viewer.page.on('request', (one) => asked.push(one.url()));
  await viewer.page.getByLabel('E-mail').fill('viewer1@example.com');
  await viewer.page.getByLabel('Password').fill(PASSWORD);
  await viewer.page.getByRole('button', { name: 'Sign in' }).click();
  await viewer.page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assert.is(await viewer.page.getByRole('link', { name: /^Forms/ }).count(), 0);
  assert.not(asked.some((url) => url.includes('/api/admin/forms')));
  assertQuiet(viewer.complaints);
});

test.run();
