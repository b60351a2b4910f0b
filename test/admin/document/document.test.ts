// The document editor in real browsers: writing, publishing, several people at once, and everything that goes wrong.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../../support/browser.ts';
import { PASSWORD } from '../../support/world.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { makePost, SAVED, stored, UNSAVED, untilState } from './steps.ts';

test('one writes a new document, saves it, publishes it, and finds it under its address', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  await page.getByRole('heading', { level: 1, name: 'New Posts' }).waitFor();
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('High tides');
  await page.getByRole('spinbutton', { name: 'rank' }).fill('7');
  await page.getByRole('combobox', { name: 'mood' }).selectOption({ label: 'glad' });
  await page.getByRole('combobox', { name: 'tags' }).fill('sea');
  await page.keyboard.press('Enter');
  await untilState(page, UNSAVED);
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  await page.waitForURL('**/admin/content/posts/high-tides');
  assert.is(await page.title(), 'High tides · Colophon');
  assert.equal((await stored(admin, 'high-tides')).data, { title: 'High tides', rank: 7, mood: 'glad', tags: ['sea'] });

  await title.fill('Higher tides');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('status', { name: 'Document status' }).getByText('Published').waitFor();
  await page.getByRole('status', { name: 'Messages' }).getByText('Published.').waitFor();
  const after = await stored(admin, 'high-tides');
  assert.equal([after.status, after.data.title], ['published', 'Higher tides']);

  // A published document is not changed by saving: its changes stay here until they are published.
  await title.fill('Highest tides');
  await page.keyboard.press('Control+s');
  await page.getByRole('status', { name: 'Messages' }).getByText('Kept on this device').waitFor();
  assert.is((await stored(admin, 'high-tides')).data.title, 'Higher tides');
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await untilState(page, SAVED);
  assert.is((await stored(admin, 'high-tides')).data.title, 'Highest tides');
  assertQuiet(complaints);
});

test('publishing with problems leads to the fields', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  await page.getByRole('spinbutton', { name: 'rank' }).fill('-1');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'missing or wrong' });
  await alert.waitFor();
  await untilState(page, /^Not saved: some fields have problems/);
  await alert.getByRole('link', { name: /^title/ }).click();
  await untilTrue(page, "document.activeElement?.id === 'field-data.title'");
  assert.is(
    await page.getByRole('textbox', { name: 'title', exact: true }).first().getAttribute('aria-invalid'),
    'true',
  );
  await page.keyboard.type('Tides');
  await page.getByRole('spinbutton', { name: 'rank' }).fill('1');
  await page.keyboard.press('Control+Enter');
  await untilState(page, SAVED);
  assert.is((await stored(admin)).status, 'published');
  assertQuiet(complaints, /400/);
});

test('two people at one document: other fields merge and show at once, the same field is asked', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a', rank: 1, loose: 'x' });
  const ada = await admin.signedIn('/content/posts/tides');
  const bea = await admin.signedIn('/content/posts/tides');
  const titleOf = (page: Page) => page.getByRole('textbox', { name: 'title', exact: true }).first();
  await titleOf(ada.page).fill('mine');
  await titleOf(bea.page).waitFor();
  // Bea changes another field, and Ada sees it at once, while her own change waits.
  await bea.page.getByRole('spinbutton', { name: 'rank' }).fill('2');
  await bea.page.keyboard.press('Control+s');
  await untilState(bea.page, SAVED);
  await untilTrue(ada.page, "document.getElementById('field-data.rank')?.value === '2'");
  assert.is(await titleOf(ada.page).inputValue(), 'mine');
  // A lock in between moves the tag and changes no field.
  await admin.world.admin.put('/api/content/posts/tides/_fieldMeta/loose/lock', { reason: 'legal' });
  await ada.page.getByText('Locked by Ada: legal').waitFor();
  await ada.page.keyboard.press('Control+s');
  await untilState(ada.page, SAVED);
  assert.equal((await stored(admin)).data, { title: 'mine', rank: 2, loose: 'x' });

  // The same field.
  await titleOf(ada.page).fill('of Ada');
  await admin.world.admin.patch('/api/cms/posts/tides', { data: { title: 'of Bea' } });
  await untilState(ada.page, 'Conflict');
  await ada.page.keyboard.press('Control+s');
  const dialog = ada.page.getByRole('dialog', { name: 'Conflict' });
  await dialog.waitFor();
  assert.is((await stored(admin)).data.title, 'of Bea');
  // Nothing is chosen for one. A third change asks again, and after going back one is in the same field.
  assert.is(await dialog.getByRole('radio', { checked: true }).count(), 0);
  await dialog.getByRole('radio', { name: 'Mine' }).and(ada.page.locator(':focus')).waitFor();
  await ada.page.keyboard.press('ArrowDown');
  assert.ok(await dialog.getByRole('radio', { name: 'Theirs' }).isChecked());
  await admin.world.admin.patch('/api/cms/posts/tides', { data: { title: 'of Bea again' } });
  await dialog.getByText('once more while you decide').waitFor();
  await dialog.getByRole('button', { name: 'Save merged version' }).click();
  await dialog.getByRole('alert').getByText('Not decided yet: title.').waitFor();
  await dialog.getByRole('radio', { name: 'Mine' }).and(ada.page.locator(':focus')).waitFor();
  assert.is(await dialog.getByRole('radio', { checked: true }).count(), 0);
  await ada.page.keyboard.press('Escape');
  await titleOf(ada.page).and(ada.page.locator(':focus')).waitFor();
  await ada.page.keyboard.press('Control+s');
  const choices = dialog.getByRole('radiogroup', { name: 'title' });
  await choices.getByRole('radio', { name: 'Mine' }).check();
  await dialog.getByRole('button', { name: 'Save merged version' }).click();
  await dialog.waitFor({ state: 'detached' });
  await untilState(ada.page, SAVED);
  assert.is((await stored(admin)).data.title, 'of Ada');
  assertQuiet(ada.complaints, /412/);
  assertQuiet(bea.complaints);
});

test('a reload in the middle of a sentence loses no word, and one can let it go', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('half a sen');
  await untilState(page, UNSAVED);
  await page.waitForTimeout(400);
  await page.reload();
  await page.getByText('Unsaved changes of this device were restored.').waitFor();
  assert.is(await title.inputValue(), 'half a sen');
  await untilState(page, UNSAVED);
  assert.is((await stored(admin)).data.title, 'a');
  await page.getByRole('button', { name: 'Discard changes' }).first().click();
  await untilState(page, SAVED);
  assert.is(await title.inputValue(), 'a');
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await untilState(page, UNSAVED);
  assert.is(await title.inputValue(), 'half a sen');
  assertQuiet(complaints);
});

test('a reload right after a key in rich text asks nothing and loses nothing, and Ctrl+K there is about the text', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a', body: 'Tides' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const body = page.getByRole('textbox', { name: 'body', exact: true });
  await body.click();
  await page.keyboard.press('Control+End');
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked++;
    void dialog.accept();
  });
  await page.keyboard.type(' of August');
  await page.reload();
  await body.getByText('Tides of August').waitFor();
  assert.is(asked, 0);

  await body.click();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Link' }).waitFor();
  assert.is(await page.getByRole('dialog').count(), 1);
  assertQuiet(complaints);
});

test('a session that ends asks for the password over the page, and then saves', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('b');
  await page.context().clearCookies();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await untilState(page, SAVED);
  assert.is((await stored(admin)).data.title, 'b');
  assertQuiet(complaints, /401/);
});

test('a network that goes keeps the text, and the save is made once it is back', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'a' });
  const { page } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('b');
  await page.context().setOffline(true);
  // The browser may let a request more through.
  await untilTrue(page, "fetch('/healthz', { cache: 'no-store' }).then(() => false, () => true)");
  await page.keyboard.press('Control+s');
  await untilState(page, /^Not saved: The service cannot be reached/);
  await page.context().setOffline(false);
  await untilState(page, SAVED);
  assert.is((await stored(admin)).data.title, 'b');
});

test('a viewer reads, and is not offered what would be refused', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'Tides', rank: 3 });
  const user = { email: 'vera@example.com', name: 'Vera', role: 'viewer', password: PASSWORD };
  assert.is((await admin.world.admin.post('/api/admin/users', user)).status, 200);
  const { page, complaints } = await admin.open('/login?next=/admin/content/posts/tides');
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.waitFor();
  assert.not(await title.isEditable());
  const toolbar = page.getByRole('toolbar', { name: 'Document' });
  for (const name of ['Save', 'Publish', 'Schedule']) {
    assert.is(await toolbar.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.is(await page.getByRole('button', { name: /^Lock/ }).count(), 0);
  await page.getByText('You may read this document.').waitFor();
  await page.goto(`${admin.world.url}/admin/content/posts/new`);
  await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assertQuiet(complaints);
});

test('hostile text is text, in every place that shows it', async () => {
  await using admin = await makeAdminWorld();
  const hostile = '<img src=x onerror=alert(1)>"\'`{{7*7}}';
  await makePost(admin, { title: hostile.slice(0, 40), loose: hostile, tags: [hostile], mood: 'glad' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  page.on('dialog', () => complaints.push('a script of the text ran'));
  await page.getByRole('heading', { level: 1, name: hostile.slice(0, 40) }).waitFor();
  for (const name of ['History', 'Translations', 'SEO', 'References', 'Details']) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).waitFor();
  }
  assert.is(await page.locator('main img').count(), 0);
  // A word without an end does not push the page aside.
  await page.setViewportSize({ width: 320, height: 700 });
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('W'.repeat(40));
  await page.getByRole('heading', { level: 1, name: 'W'.repeat(40) }).waitFor();
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  assertQuiet(complaints);
});

test('every panel of a new document says what it is for', async () => {
  await using admin = await makeAdminWorld({
    config: {
      ...{ locales: ['en', 'de'], defaultLocale: 'en' },
      collections: [{ name: 'posts', translatable: true, fields: [{ name: 'title', type: 'text' }] }],
    },
  });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('N');
  for (const name of ['History', 'Translations', 'SEO', 'Preview', 'References']) {
    await page.getByRole('tab', { name }).click();
    await untilTrue(page, `document.querySelector('[role=tabpanel]')?.innerText.trim()`);
  }
  assertQuiet(complaints);
});

test.run();
