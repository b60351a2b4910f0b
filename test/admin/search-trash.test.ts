// Finding anything, by the palette and on the screen of the search; and bringing back what was deleted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { upload } from '../support/upload.ts';
import { PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

test('a document is found by words, with the keyboard alone, from any screen', async () => {
  await using admin = await makeAdminWorld();
  for (const [slug, title] of [
    ['tides', `Tides ${HOSTILE}`],
    ['moons', 'Moons'],
  ]) {
    assert.is(
      (await admin.world.admin.post('/api/cms/posts', { slug, data: { title, body: 'salt and water' } })).status,
      200,
    );
  }
  const { page, complaints } = await admin.signedIn();
  // The keys are heard once the screen is there.
  await page.getByRole('region', { name: 'Recent changes' }).getByRole('link', { name: 'Moons' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('water');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.getByRole('option', { name: 'Moons' }).waitFor();
  await palette.getByRole('option', { name: HOSTILE }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  const results = page.getByRole('list', { name: 'Results' });
  await results.getByRole('link', { name: 'Moons' }).waitFor();
  assert.is(await results.getByRole('listitem').count(), 2);
  await results.getByText('found in the text').first().waitFor();

  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('tides');
  await page.waitForURL('**/admin/search?q=tides');
  await results.getByRole('link', { name: 'Moons' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/content/posts/tides');
  await page.goBack();
  await page.getByRole('searchbox').fill('nowhere at all');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByText('Type a few words').waitFor();
  assertQuiet(complaints);
});

test('a file is found too, and opens in the library', async () => {
  await using admin = await makeAdminWorld();
  assert.is((await upload(admin.world.admin, 'zeppelin.txt', 'some words', { folder: 'papers/old' })).status, 200);
  const { page, complaints } = await admin.signedIn('/search?q=zeppelin');
  await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'zeppelin' }).click();
  await page.getByRole('dialog', { name: 'zeppelin.txt' }).waitFor();
  assert.match(page.url(), /\/admin\/media\/papers\/old\?file=/);
  assertQuiet(complaints);
});

test('what was deleted comes back, and goes again by Undo', async () => {
  await using admin = await makeAdminWorld();
  const statusOf = async (slug: string) => (await admin.world.admin.get(`/api/cms/posts/${slug}`)).status;
  for (const slug of ['first', 'second']) {
    await admin.world.admin.post('/api/cms/posts', { slug, data: { title: `${slug} ${HOSTILE}` } });
    await admin.world.admin.delete(`/api/cms/posts/${slug}`);
  }
  const { page, complaints } = await admin.signedIn('/trash');
  const message = page.getByRole('status', { name: 'Messages' });
  await page.getByRole('button', { name: `Restore first ${HOSTILE}` }).click();
  await message.getByText('is back').waitFor();
  assert.is(await statusOf('first'), 200);
  await page.getByRole('button', { name: 'Restore first' }).waitFor({ state: 'detached' });
  await message.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Restore first' }).waitFor();
  assert.is(await statusOf('first'), 404);

  // With the keyboard, and what cannot come back says why.
  await admin.world.admin.post('/api/cms/posts', { slug: 'second', data: { title: 'Another' } });
  await page.getByRole('button', { name: 'Restore second' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('second').waitFor();
  await page.getByRole('button', { name: 'Restore second' }).waitFor();
  assertQuiet(complaints, /409/);
});

test('a viewer takes nothing out of the trash, an author drafts; an empty one says what it is for', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login?next=/admin/trash');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Nothing was deleted').waitFor();
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Gone' } });
  await admin.world.admin.delete('/api/cms/posts/a');
  await page.getByText('Gone').waitFor();
  assert.is(await page.getByRole('button', { name: /Restore/ }).count(), 0);
  assertQuiet(complaints);
  // An author brings drafts back, and nothing that would be public again.
  await admin.world.user('author');
  await admin.world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'Public' }, status: 'published' });
  await admin.world.admin.delete('/api/cms/posts/b');
  const author = await admin.open('/login?next=/admin/trash');
  await author.page.getByLabel('E-mail').fill('author2@example.com');
  await author.page.getByLabel('Password').fill(PASSWORD);
  await author.page.getByRole('button', { name: 'Sign in' }).click();
  await author.page.getByRole('button', { name: 'Restore Gone' }).waitFor();
  await author.page.getByText('Public').waitFor();
  assert.is(await author.page.getByRole('button', { name: /Restore/ }).count(), 1);
});

test.run();
