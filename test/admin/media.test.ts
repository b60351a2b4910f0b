// The library of files, in front of a real service: put in, found, described, used, deleted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { upload } from '../support/upload.ts';
import { PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const HOSTILE = '<img src=x onerror=alert(1)>';
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL });

test('files are put in, found again, described, seen in use, and deleted after a question', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/media');
  const files = page.getByRole('list', { name: 'Files' });
  const message = page.getByRole('status', { name: 'Messages' });
  await page.getByText('No files yet').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ]);
  await chooser.setFiles([
    picture(`${HOSTILE}.png`),
    { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
  ]);
  await message.getByText('2 files are in the library').waitFor();
  await files.getByRole('link', { name: 'words.txt' }).waitFor();
  const [{ url, name }] = (await admin.world.admin.get('/api/media?type=image')).json.files;

  const post = { slug: 'user', data: { title: `Uses ${HOSTILE}`, body: `![](${url})` } };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  await files.getByRole('link', { name }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel('Alt text').fill(`A pixel ${HOSTILE}`);
  await dialog.getByLabel('Tags').fill(`tiny, ${HOSTILE}`);
  await dialog.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'Uses' }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await message.getByText('is saved').waitFor();
  const stored = async () => (await admin.world.admin.get('/api/media?type=image')).json.files[0];
  assert.equal([(await stored()).alt, (await stored()).tags], [`A pixel ${HOSTILE}`, ['tiny', HOSTILE]]);
  await message.getByText('is saved').locator('..').getByRole('button', { name: 'Undo' }).click();
  for (let n = 0; n < 100 && (await stored()).alt !== ''; n++) await page.waitForTimeout(50);
  assert.is((await stored()).alt, '');

  await page.getByRole('searchbox', { name: 'Search media' }).fill('words');
  await files.getByRole('link', { name }).waitFor({ state: 'detached' });
  await files.getByRole('link', { name: 'words.txt' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'words.txt' }).getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  await question.getByText('No document uses it').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog', { name: 'words.txt' }).getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await message.getByText('is deleted').waitFor();
  assert.is((await admin.world.admin.get('/api/media')).json.total, 1);
  await page.getByText('Nothing fits').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await files.getByRole('link', { name }).waitFor();
  assertQuiet(complaints);
});

test('folders are made by their first file; files are dropped anywhere, with progress, and a refusal names its file', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/media');
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('Name').fill('Fotos 2026');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/media/fotos-2026');
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/upload', async (route) => {
    await held;
    await route.continue();
  });
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(${JSON.stringify([...PIXEL])})], 'dropped.png', { type: 'image/png' }));
    data.items.add(new File(['<script>alert(1)</script>'], 'page.html', { type: 'text/html' }));
    return data;
  })()`);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  await page.getByText('Drop to upload').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  await page.getByRole('progressbar', { name: 'dropped.png' }).waitFor();
  letGo();
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'dropped.png' }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/page\.html: /)
    .waitFor();
  await page.getByRole('button', { name: 'Dismiss page.html' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'All files' }).click();
  await page.getByRole('list', { name: 'Folders' }).getByRole('link', { name: 'fotos-2026' }).click();
  await page.waitForURL('**/admin/media/fotos-2026');
  assertQuiet(complaints, /415/);
});

test('with the keyboard one walks through the files, opens one, and comes back to it', async () => {
  await using admin = await makeAdminWorld();
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    assert.is((await upload(admin.world.admin, name, name)).status, 200);
  }
  const { page, complaints } = await admin.signedIn('/media');
  const focused = (name: string) => untilTrue(page, `document.activeElement?.textContent === '${name}'`);
  await page.getByRole('link', { name: 'c.txt' }).focus();
  await page.keyboard.press('ArrowRight');
  await focused('b.txt');
  await page.keyboard.press('End');
  await focused('a.txt');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'a.txt' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'a.txt' }).waitFor({ state: 'detached' });
  await focused('a.txt');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'a.txt' }).waitFor();
  assertQuiet(complaints);
});

test('a viewer sees the files and their descriptions, and changes nothing', async () => {
  await using admin = await makeAdminWorld();
  await upload(admin.world.admin, 'a.txt', 'a');
  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login?next=/admin/media');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'a.txt' }).click();
  const dialog = page.getByRole('dialog', { name: 'a.txt' });
  assert.not(await dialog.getByLabel('Alt text').isEditable());
  assert.equal(await dialog.getByRole('button').allTextContents(), ['Copy address', 'Close']);
  assert.is(await page.getByRole('button', { name: 'Upload' }).count(), 0);
  await page.goto(`${admin.world.url}/admin/media?file=gone.txt`);
  await page.getByText('There is no such file').waitFor();
  assertQuiet(complaints);
});

test('the picker of a field offers the files of its kind, by the keyboard too', async () => {
  await using admin = await makeAdminWorld({
    config: {
      collections: [
        {
          name: 'posts',
          label: 'Posts',
          fields: [
            { name: 'title', type: 'text' },
            { name: 'cover', type: 'image', label: 'Cover' },
          ],
        },
      ],
    },
  });
  for (const [name, bytes] of [
    ['pixel.png', PIXEL],
    ['words.txt', Buffer.from('words')],
  ] as const) {
    assert.is((await upload(admin.world.admin, name, bytes)).status, 200);
  }
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  await page.getByRole('button', { name: 'Choose Cover' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a file' });
  await dialog.getByRole('button', { name: 'Choose pixel.png' }).waitFor();
  assert.is(await dialog.getByRole('button', { name: 'Choose words.txt' }).count(), 0);
  await dialog.getByRole('button', { name: 'Choose pixel.png' }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Cover' }).getByRole('button', { name: 'Remove Cover' }).waitFor();
  assertQuiet(complaints);
});

test.run();
