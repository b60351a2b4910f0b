// Many files at a time: selected by mouse and keys, moved, tagged and deleted, with what failed and the way back.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, untilTrue } from '../support/browser.ts';
import { gif, upload } from '../support/upload.ts';
import { PASSWORD } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

async function plant(admin: AdminWorld, folder: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at++) {
    const { status } = await upload(admin.world.admin, `${folder}-${at}.gif`, gif(at), { folder });
    assert.is(status, 200);
  }
}

const filesIn = async (admin: AdminWorld, folder: string) =>
  (await admin.world.admin.get(`/api/media?folder=${folder}&orderBy=name`)).json.files as {
    name: string;
    tags: string[];
  }[];
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' });
const pick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
const press = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click();

test('files of several folders are moved and tagged with the documents that use them, and come back by Undo', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 'a', 3);
  await plant(admin, 'b', 1);
  await upload(admin.world.admin, 'a-2.gif', gif(9), { folder: 'trips' });
  const post = { slug: 'user', data: { title: 'Uses', body: '![](/uploads/a/a-1.gif)' } };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  const bodyOf = async () => (await admin.world.admin.get('/api/cms/posts/user')).json.data.body;
  const { page, complaints } = await admin.signedIn('/media/a');
  const message = page.getByRole('status', { name: 'Messages' });
  await pick(page, 'a-1.gif');
  await pick(page, 'a-2.gif');
  // The selection stays from folder to folder.
  await page.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'All files' }).click();
  await page.getByRole('list', { name: 'Folders' }).getByRole('link', { name: 'b', exact: true }).click();
  await page.waitForURL('**/media/b');
  await pick(page, 'b-1.gif');
  await bar(page).getByText('3 selected').waitFor();
  await press(page, 'Move');
  await page.getByRole('dialog', { name: 'Move' }).getByLabel('Folder').fill('trips');
  await page.keyboard.press('Enter');
  await message.getByText('2 files are in trips now').waitFor();
  const failures = page.getByRole('alert');
  await failures.getByText('1 file could not be changed').waitFor();
  await failures.getByRole('link', { name: 'a-2.gif' }).waitFor();
  assert.is(await bodyOf(), '![](/uploads/trips/a-1.gif)');
  await failures.getByRole('button', { name: 'Dismiss' }).click();
  await message.getByRole('button', { name: 'Undo' }).click();
  await message.getByText('2 files are as they were').waitFor();
  assert.is(await bodyOf(), '![](/uploads/a/a-1.gif)');
  assert.equal((await filesIn(admin, 'trips')).length, 1);

  // What was moved and came back is still selected.
  await bar(page).getByText('3 selected').waitFor();
  await press(page, 'Add tags');
  await page.getByRole('dialog', { name: 'Add tags' }).getByLabel('Tags').fill(`wet, ${HOSTILE}`);
  await page.keyboard.press('Enter');
  await message.getByText('3 files tagged').waitFor();
  assert.equal((await filesIn(admin, 'b'))[0]!.tags, ['wet', HOSTILE]);
  await message.getByText('3 files tagged').locator('..').getByRole('button', { name: 'Undo' }).click();
  await message.getByText('3 files are as they were').waitFor();
  assert.equal((await filesIn(admin, 'a'))[0]!.tags, []);
  assertQuiet(complaints, /409/);
});

test('with keys one selects a range, everything, and deletes after a question that says what is used', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 'a', 130);
  await plant(admin, 'b', 1);
  const body = '![](/uploads/a/a-129.gif)';
  await admin.world.admin.post('/api/cms/posts', { slug: 'user', data: { title: 'Uses', body } });
  const { page, complaints } = await admin.signedIn('/media/a');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  const message = page.getByRole('status', { name: 'Messages' });
  await link('a-130.gif').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+Space');
  await bar(page).getByText('3 selected').waitFor();
  await page.keyboard.press('Delete');
  await question.getByText('Delete 3 files?').waitFor();
  await question.getByRole('listitem').filter({ hasText: 'a-129.gif' }).getByText('1 place').waitFor();
  await page.keyboard.press('Escape');
  await untilTrue(page, `document.activeElement?.textContent === 'a-127.gif'`);
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await message.getByText('3 files deleted').waitFor();
  await link('a-129.gif').waitFor({ state: 'detached' });
  await bar(page).waitFor({ state: 'detached' });
  await untilTrue(page, 'document.activeElement !== document.body');

  await link('a-126.gif').focus();
  await page.keyboard.press('Control+a');
  await bar(page).getByText('127 selected').waitFor();
  await page.keyboard.press('Space');
  await press(page, 'Delete');
  await question.getByText('Delete 126 files?').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('progressbar', { name: 'Delete' }).waitFor();
  await message.getByText('126 files deleted').waitFor();
  assert.equal(
    (await filesIn(admin, 'a')).map(({ name }) => name),
    ['a-126.gif'],
  );
  assert.is((await filesIn(admin, 'b')).length, 1);

  await link('a-126.gif').focus();
  await page.keyboard.press('Space');
  await bar(page).getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await untilTrue(page, `document.activeElement?.ariaLabel === 'Search media'`);
  // Pictures that were asked for while their files were deleted.
  assertQuiet(complaints, /404.*\/uploads\/a\//);
});

test('an author moves and tags, and is not offered to delete; a viewer selects nothing', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 'a', 1);
  for (const role of ['author', 'viewer'] as const) await admin.world.user(role);
  for (const [email, buttons] of [
    ['author1@example.com', ['Move', 'Add tags', '']],
    ['viewer2@example.com', undefined],
  ] as const) {
    const { page, complaints } = await admin.open('/login?next=/admin/media');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'a-1.gif' }).waitFor();
    if (buttons) {
      await pick(page, 'a-1.gif');
      assert.equal(await bar(page).getByRole('button').allTextContents(), buttons);
      assert.equal(await findViolations(page), []);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 320, height: 800 });
      await assertAccessible(page, 'files selected', { colorScheme: 'dark', viewport: { width: 320, height: 800 } });
    } else assert.is(await page.getByRole('checkbox').count(), 0);
    assertQuiet(complaints);
  }
});

test.run();
