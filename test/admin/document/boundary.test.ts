// A mistake of ours in one part of a page: the rest of it goes on, and what was written stays.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeAdminWorld } from '../world.ts';
import { makePost, SAVED, stored, UNSAVED, untilState } from './steps.ts';

/** What two parts of the admin draw with fails while the page says so. */
const BREAK = `{
  const { stringify } = JSON;
  JSON.stringify = (value, ...more) => {
    if (value?.fragile && more.length > 1 && globalThis.isBroken) throw new Error('it broke');
    return stringify(value, ...more);
  };
  const { format } = Intl.RelativeTimeFormat.prototype;
  Intl.RelativeTimeFormat.prototype.format = function (...parts) {
    if (globalThis.isBroken) throw new Error('it broke');
    return format.apply(this, parts);
  };
  globalThis.isBroken = true;
}`;

test('a field, a panel or a screen that breaks says so in its place, and is tried again', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'Tides', own: { fragile: true } });
  await admin.world.admin.post('/api/cms/posts', { slug: 'gone', data: { title: 'Gone' } });
  await admin.world.admin.delete('/api/cms/posts/gone');
  const { page } = await admin.open('/login');
  await page.addInitScript(BREAK);
  const opened = await admin.signedIn();
  await page.context().addCookies(await opened.page.context().cookies());
  await page.goto(`${admin.world.url}/admin/content/posts/tides`);
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('Ebbs');
  await untilState(page, UNSAVED);
  await page.getByRole('tab', { name: 'History' }).click();
  const form = page.getByRole('form', { name: 'Document' });
  const panel = page.getByRole('tabpanel', { name: 'History' });
  for (const part of [form, panel]) await part.getByRole('alert').getByText('This part cannot be shown.').waitFor();
  assert.is(await page.getByRole('alert').count(), 2);
  await page.evaluate('isBroken = false');
  for (const part of [form, panel]) {
    const again = part.getByRole('alert').getByRole('button', { name: 'Try again' });
    // A document that is read again at that moment tries its fields by itself.
    await again.click({ timeout: 5000 }).catch(() => undefined);
    await part.getByRole('alert').waitFor({ state: 'detached' });
  }
  assert.match(await form.getByRole('textbox', { name: 'own' }).inputValue(), /fragile/);
  await panel.getByRole('link', { name: /Ada/ }).waitFor();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.is((await stored(admin)).data.title, 'Ebbs');

  await page.evaluate('isBroken = true');
  await page.getByRole('link', { name: 'Trash', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'This could not be loaded' }).waitFor();
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText('This part cannot be shown.').waitFor();
  assert.is(await page.getByRole('heading', { level: 1 }).count(), 1);
  await page.evaluate('isBroken = false');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Restore Gone' }).waitFor();
});

test('a field whose file is gone says so, and the others go on', async () => {
  await using admin = await makeAdminWorld();
  await makePost(admin, { title: 'Tides', body: 'In and out' });
  const { page } = await admin.signedIn('/login');
  const files = '**/admin/assets/rich-text-field-*.js';
  await page.route(files, (route) => route.fulfill({ status: 404, json: { error: 'gone' } }));
  await page.goto(`${admin.world.url}/admin/content/posts/tides`);
  const alert = page.getByRole('form', { name: 'Document' }).getByRole('alert');
  await alert.getByText('This field could not be loaded').waitFor();
  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('Ebbs');
  await untilState(page, UNSAVED);
  await page.unroute(files);
  await alert.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('textbox', { name: 'body', exact: true }).getByText('In and out').waitFor();
  assert.is(await page.getByRole('textbox', { name: 'title', exact: true }).first().inputValue(), 'Ebbs');
});

test.run();
