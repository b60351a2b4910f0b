// The backups of a site, as its admin meets them: making, restoring with its way back, carrying away, deleting.
import '../../src/admin/text/en-operations.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type RestoreChanges, toChangeTexts } from '../../src/admin/screens/backups/backup.ts';
import { LOOKS, untilTrue } from '../support/browser.ts';
import { PASSWORD } from '../support/world.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

test('what a restore changes is said in numbers, and only what changes', () => {
  const none = { added: 0, changed: 0, removed: 0 };
  const changes: RestoreChanges = { documents: none, media: none, otherFiles: 0, commit: null };
  assert.equal(toChangeTexts(changes), []);
  const some = { ...changes, documents: { added: 1, changed: 0, removed: 1200 }, media: { ...none, changed: 2 } };
  assert.equal(toChangeTexts(some), ['1 document appears again', '1,200 newer documents go', '2 files change']);
  assert.equal(toChangeTexts({ ...changes, otherFiles: 1 }), ['1 other file of the repository changes']);
});

test('a backup is made, restored with the keyboard, taken back, carried away and deleted', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const titleOf = async (slug: string) => (await world.admin.get(`/api/cms/posts/${slug}`)).json.data?.title;
  const { page, complaints } = await admin.signedIn('/backups');
  const message = page.getByRole('status', { name: 'Messages' });
  await page.getByText('No backups yet').waitFor();
  // A site without a commit has nothing to back up, and the failure stays in the list with its reason.
  await page.getByRole('button', { name: 'Back up now' }).click();
  const table = page.getByRole('table', { name: 'Backups' });
  await page.getByRole('alert').getByText('nothing to back up').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await table.getByText('nothing to back up').waitFor();

  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'Old' } });
  await world.admin.post('/api/cms/posts', { slug: 'gone', data: { title: 'There' } });
  await page.getByRole('button', { name: 'Back up now' }).click();
  await message.getByText('Backed up, with 2 documents.').waitFor();
  const row = table.getByRole('row').nth(1);
  await row.getByText('By hand').waitFor();
  // What another person does is seen as soon as one comes back to the window.
  await world.admin.post('/api/admin/backups', { trigger: 'manual' });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await untilTrue(page, "document.querySelectorAll('.backups tbody tr').length === 3");
  await row.getByRole('cell', { name: 'Ada' }).waitFor();

  await world.admin.patch('/api/cms/posts/kept', { data: { title: 'New' } });
  await world.admin.delete('/api/cms/posts/gone');
  for (const slug of ['late', 'later']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  await row.getByRole('button', { name: 'Restore …' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Restore' });
  for (const text of ['1 document appears again', '1 document changes', '2 newer documents go']) {
    await question.getByText(text).waitFor();
  }
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.is(await titleOf('kept'), 'New');
  await untilTrue(page, "document.activeElement.textContent.trim() === 'Restore …'");

  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Restore', exact: true }).click();
  await message.getByText('The site is as it was on').waitFor();
  assert.equal([await titleOf('kept'), await titleOf('gone'), await titleOf('late')], ['Old', 'There', undefined]);
  await table.getByText('Before a restore').waitFor();
  await message.getByRole('button', { name: 'Undo' }).click();
  await message.getByText('as it was before the restore').waitFor();
  assert.equal([await titleOf('kept'), await titleOf('gone'), await titleOf('late')], ['New', undefined, 'late']);

  const downloading = page.waitForEvent('download');
  await table.getByRole('link', { name: 'Download' }).last().click();
  assert.match((await downloading).suggestedFilename(), /^colophon-default-.*\.tar\.gz$/);

  const count = await table.getByRole('row').count();
  await table.getByRole('button', { name: 'Delete' }).last().click();
  await page.getByRole('alertdialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await message.getByText('is deleted').waitFor();
  await table.getByText('nothing to back up').waitFor({ state: 'detached' });
  assert.is(await table.getByRole('row').count(), count - 1);
  assertQuiet(complaints, /409/);

  for (const look of LOOKS) {
    const { page: looked } = await admin.signedIn('/backups', look);
    await looked.getByRole('table', { name: 'Backups' }).waitFor();
    await assertAccessible(looked, 'backups', look);
    await looked.getByRole('button', { name: 'Restore …' }).first().click();
    await looked.getByRole('alertdialog').getByText('newer').first().waitFor();
    await assertAccessible(looked, 'the question before a restore', look);
  }
});

test('an editor has no backups: nothing leads there, nothing is asked for', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.user('editor');
  const { page, complaints } = await admin.open('/login?next=/admin/backups');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.getByLabel('E-mail').fill('editor1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assert.is(await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backups' }).count(), 0);
  assert.equal(
    asked.filter((url) => url.includes('backups') && url.includes('/api/')),
    [],
  );
  assertQuiet(complaints);
});

test.run();
