// A file gets another place or other bytes from its dialog; documents follow, and what is refused says why.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gif, upload } from '../support/upload.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const GIF = { name: `${HOSTILE}.gif`, mimeType: 'image/gif' };

async function makeUsed() {
  const admin = await makeAdminWorld();
  const { json } = await upload(admin.world.admin, 'a.gif', gif(1));
  const post = { slug: 'user', data: { title: `Uses ${HOSTILE}`, body: `![](${json.url})` } };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  const bodyOf = async () => (await admin.world.admin.get('/api/cms/posts/user')).json.data.body;
  return { admin, bodyOf };
}

test('a file is moved by the keyboard with the document that uses it, and back by Undo', async () => {
  const { admin, bodyOf } = await makeUsed();
  await using _ = admin;
  await upload(admin.world.admin, 'taken.gif', gif(2), { folder: 'trips/2026' });
  const { page, complaints } = await admin.signedIn('/media');
  const message = page.getByRole('status', { name: 'Messages' });
  await page.getByRole('link', { name: 'a.gif' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'a.gif' });
  await dialog.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'Uses' }).waitFor();
  await dialog.getByLabel('Alt text').fill('Typed before');
  await dialog.getByRole('button', { name: 'Rename or move' }).focus();
  await page.keyboard.press('Enter');
  const move = page.getByRole('dialog', { name: 'Rename or move' });
  await move.getByText('1 place uses this file').waitFor();
  const offered = await move.locator('option').evaluateAll((all) => all.map((one) => one.value));
  assert.equal(offered, ['images', 'trips', 'trips/2026']);
  await move.getByLabel('Folder').fill('Trips / 2026');
  await move.getByLabel('Name').fill('taken');
  await move.getByText('/uploads/trips/2026/taken.gif').waitFor();
  await page.keyboard.press('Enter');
  await move.getByRole('alert').getByText('exists').waitFor();
  await move.getByLabel('Name').fill('Köln');
  assert.ok(await move.getByRole('checkbox').isChecked());
  await page.keyboard.press('Enter');
  await message.getByText('“koeln.gif” is in trips/2026 now').waitFor();
  await move.waitFor({ state: 'detached' });
  assert.is(await bodyOf(), '![](/uploads/trips/2026/koeln.gif)');
  const fileOf = async () => (await admin.world.admin.get('/api/media?q=typed')).json.files[0];
  assert.is((await fileOf()).name, 'koeln.gif', 'with what was typed before');
  await message.getByText('is in trips').locator('..').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'a.gif', exact: true }).waitFor();
  assert.is(await bodyOf(), '![](/uploads/images/a.gif)');
  assert.is(await fileOf(), undefined);
  assertQuiet(complaints.filter((one) => !one.includes('409')));
});

test('a file is renamed alone if one wants that, and says what misses it', async () => {
  const { admin, bodyOf } = await makeUsed();
  await using _ = admin;
  const { page, complaints } = await admin.signedIn('/media?file=images/a.gif');
  await page.getByRole('button', { name: 'Rename or move' }).click();
  const move = page.getByRole('dialog', { name: 'Rename or move' });
  await move.getByRole('checkbox').uncheck();
  await move.getByText('They will miss the file').waitFor();
  await move.getByLabel('Name').fill('');
  assert.ok(await move.getByRole('button', { name: 'Move' }).isDisabled());
  await move.getByLabel('Name').fill(HOSTILE);
  await move.getByRole('button', { name: 'Move' }).click();
  await page.getByText('The file is called “img-src-x-onerror-alert-1.gif” now').waitFor();
  assert.is(await bodyOf(), '![](/uploads/images/a.gif)');
  assertQuiet(complaints);
});

test('a file is replaced with progress, refused with the reason, and not over what another person sent', async () => {
  const { admin } = await makeUsed();
  await using _ = admin;
  await admin.world.admin.patch('/api/media/images/a.gif', { alt: 'Rain' });
  const { page, complaints } = await admin.signedIn('/media');
  await page.getByRole('link', { name: 'a.gif' }).click();
  const dialog = page.getByRole('dialog', { name: 'a.gif' });
  async function choose(buffer: Buffer): Promise<void> {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Replace file' }).click(),
    ]);
    await chooser.setFiles({ ...GIF, buffer });
  }
  const hashOf = async () => (await admin.world.admin.get('/api/media')).json.files[0].sha256;
  const before = await hashOf();
  await choose(Buffer.from('<script>alert(1)</script>'));
  await dialog.getByRole('alert').getByText('a.gif:').waitFor();
  assert.is(await hashOf(), before);

  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/media/images/a.gif', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const oldPicture = await dialog.locator('img').getAttribute('src');
  await choose(gif(3));
  await dialog.getByRole('progressbar', { name: 'a.gif' }).waitFor();
  assert.is(await dialog.getByRole('alert').count(), 0);
  letGo();
  await page.getByText('“a.gif” has its new content').waitFor();
  assert.is.not(await hashOf(), before);
  assert.is.not(await dialog.locator('img').getAttribute('src'), oldPicture);
  assert.is(await dialog.getByLabel('Alt text').inputValue(), 'Rain');

  await page.route('**/api/media?*', (route) => route.abort());
  const { sha256 } = (await admin.world.admin.put('/api/media/images/a.gif', gif(4), { 'content-type': 'image/gif' }))
    .json;
  await choose(gif(5));
  await dialog.getByRole('alert').getByText('changed since').waitFor();
  assert.is(await hashOf(), sha256);
  assertQuiet(complaints.filter((one) => !/41[25]|ERR_FAILED|Failed to load/.test(one)));
});

test.run();
