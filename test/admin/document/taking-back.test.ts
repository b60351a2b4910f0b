// What was taken out of a field comes back by the message about it, which waits for people who are at it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../../support/browser.ts';
import { upload } from '../../support/upload.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';

const FIELDS = [
  { name: 'title', type: 'text' as const, label: 'Title' },
  { name: 'tags', type: 'tags' as const, label: 'Tags' },
  { name: 'next', type: 'relation' as const, label: 'Next', collection: 'posts' },
  { name: 'picture', type: 'image' as const, label: 'Picture' },
];
const CONFIG = { collections: [{ name: 'posts', label: 'Posts', fields: FIELDS }], blocks: [] };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('tags, relations and files that were removed come back where they were, by mouse and by keys', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { url } = (await upload(admin.world.admin, 'a.png', PIXEL)).json;
  await admin.world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B' } });
  await admin.world.admin.post('/api/cms/posts', { slug: 'c', data: { title: 'C' } });
  const data = { title: 'A', tags: ['one', 'two', 'three'], next: 'b', picture: url };
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data });
  const { page, complaints } = await admin.signedIn('/content/posts/a');
  const messages = page.getByRole('status', { name: 'Messages' });
  const chips = (): Promise<string[]> => page.locator('.chip > :is(a, span)').allTextContents();

  await page.getByRole('button', { name: 'Remove two' }).click();
  await messages.getByText('two removed.').waitFor();
  assert.equal(await chips(), ['one', 'three', 'B']);
  await page.keyboard.press('F8');
  await untilTrue(page, "document.activeElement.textContent === 'Undo'");
  await page.keyboard.press('Enter');
  await untilTrue(page, "document.activeElement.getAttribute('aria-label') === 'Remove two'");
  assert.equal(await chips(), ['one', 'two', 'three', 'B']);
  // Backspace in an empty box takes the last one.
  await page.getByRole('combobox', { name: 'Tags' }).press('Backspace');
  await messages.getByText('three removed.').waitFor();
  await messages.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await chips(), ['one', 'two', 'three', 'B']);

  await page.getByRole('button', { name: 'Remove B' }).click();
  await page.getByRole('combobox', { name: 'Next' }).fill('C');
  await page.getByRole('option', { name: 'C' }).click();
  assert.equal(await chips(), ['one', 'two', 'three', 'C']);
  await messages.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await chips(), ['one', 'two', 'three', 'B']);

  const address = page.getByRole('textbox', { name: 'Address of Picture' });
  await page.getByRole('button', { name: 'Remove Picture' }).click();
  assert.is(await address.inputValue(), '');
  await messages.getByRole('button', { name: 'Undo' }).click();
  assert.is(await address.inputValue(), url);
  await page.getByRole('status', { name: 'Save state' }).getByText('All changes saved').waitFor();
  assertQuiet(complaints);
});

test('a message waits while the pointer or the focus is on it, and goes some time after', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A', tags: ['one', 'two'] } });
  const { page } = await admin.signedIn();
  await page.clock.install();
  await page.goto(`${admin.world.url}/admin/content/posts/a`);
  const undo = page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Remove one' }).click();
  await undo.waitFor();
  await page.keyboard.press('F8');
  await untilTrue(page, "document.activeElement.textContent === 'Undo'");
  await page.clock.runFor(60_000);
  assert.is(await undo.count(), 1);
  await undo.hover();
  await page.getByRole('textbox', { name: 'Title' }).focus();
  await page.clock.runFor(60_000);
  assert.is(await undo.count(), 1);
  await page.mouse.move(1, 1);
  await page.clock.runFor(4000);
  assert.is(await undo.count(), 1);
  await page.clock.runFor(10_000);
  assert.is(await undo.count(), 0);
});

test('a file that the library has already says so, with the way to it', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await upload(admin.world.admin, 'first.png', PIXEL);
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { page, complaints } = await admin.signedIn('/content/posts/a');
  const again = { name: 'again.png', mimeType: 'image/png', buffer: PIXEL };
  const link = page.getByRole('status', { name: 'Messages' }).getByRole('link', { name: 'images/first.png' });
  await page.locator('.type-image input[type="file"]').setInputFiles(again);
  await link.waitFor();
  await link.click();
  await page.getByRole('dialog', { name: 'first.png' }).waitFor();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'detached' });
  const fresh = { name: 'words.txt', mimeType: 'text/plain', buffer: Buffer.from('words') };
  await page.locator('.library-bar input[type="file"]').setInputFiles([again, fresh]);
  await link.waitFor();
  await page.getByText('“words.txt” is in the library.').waitFor();
  assertQuiet(complaints);
});

test.run();
