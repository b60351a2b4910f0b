// What one reads while one writes, before anything is saved; and in which order Tab goes through a field.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, untilTrue } from '../../support/browser.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { SAVED, stored, UNSAVED, untilState } from './steps.ts';

const CONFIG = {
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      fields: [
        { name: 'title', label: 'Title', type: 'text' as const, required: true },
        { name: 'code', label: 'Code', type: 'text' as const, unique: true },
        {
          name: 'room',
          label: 'Room',
          type: 'text' as const,
          pattern: { value: '^[A-Z][0-9]+$', message: 'expected a letter and a number, such as B12' },
        },
        { name: 'shown', label: 'Shown', type: 'boolean' as const },
      ],
    },
  ],
};

test('the slug of a new document, what is taken and what does not fit are shown while one types', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides', code: 'T1' } });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/cms/')) writes.push(request.url());
  });
  const box = (name: string) => page.getByRole('textbox', { name, exact: true });
  await box('Title').pressSequentially('Tides', { delay: 20 });
  // As it would be stored: the plain one is taken.
  await page.getByText('It will be “tides-2”, unless you write another one.').waitFor();
  assert.is(await box('Slug').inputValue(), '');
  assert.equal(
    writes.map((url) => new URL(url).search),
    ['?dryRun=true'],
  );
  assert.is((await admin.world.admin.get('/api/cms/posts?status=all')).json.total, 1);

  await box('Code').fill('T1');
  await page.locator('[id="field-data.code-error"]').waitFor();
  assert.is(await box('Code').getAttribute('aria-invalid'), 'true');
  assert.is(
    await page
      .getByRole('alert')
      .filter({ hasText: /missing or wrong/ })
      .count(),
    0,
  );
  await box('Room').fill('b12');
  await page.getByText('such as B12').waitFor();
  // The slug is known all the same.
  await box('Title').fill('Ebb');
  await page.getByText('It will be “ebb”').waitFor();
  await box('Title').fill('Tides');
  assert.equal(await findViolations(page), []);
  await box('Code').fill('T2');
  await box('Room').fill('B12');
  await page.locator('[id="field-data.code-error"]').waitFor({ state: 'detached' });
  await page.getByText('such as B12').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  await page.waitForURL('**/admin/content/posts/tides-2');
  assert.is(await box('Slug').inputValue(), 'tides-2');

  // A document that exists is asked about its touched fields alone; a service that is away says nothing.
  await box('Code').fill('T1');
  await page.locator('[id="field-data.code-error"]').waitFor();
  await page.route('**/*dryRun=true', (route) => route.abort());
  await box('Code').fill('T3');
  await page.locator('[id="field-data.code-error"]').waitFor({ state: 'detached' });
  await untilState(page, UNSAVED);
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.is((await stored(admin, 'tides-2')).data.code, 'T3');
  assertQuiet(complaints, /400|409|ERR_FAILED/);
});

test('Tab goes from a field to its lock, which is seen beside the label', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('button', { name: 'Lock Title' }).waitFor();
  await page.getByRole('textbox', { name: 'Title', exact: true }).focus();
  for (const name of ['Lock Title', 'Code', 'Lock Code']) {
    await page.keyboard.press('Tab');
    const has = `document.activeElement?.textContent?.trim() === '${name}'`;
    await untilTrue(page, `${has} || document.activeElement?.labels?.[0]?.textContent === '${name}'`);
  }
  const lock = await page.getByRole('button', { name: 'Lock Title' }).boundingBox();
  const label = await page.getByText('Title', { exact: true }).first().boundingBox();
  assert.ok(lock && label && Math.abs(lock.y + lock.height / 2 - label.y - label.height / 2) < 8);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Unlock Code' }).and(page.locator(':focus')).waitFor();
  assert.equal(await findViolations(page), []);
  assertQuiet(complaints);
});

test.run();
