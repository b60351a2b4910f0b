// The editor by the names of its parts: each type of field, the toolbar of each state, and the panels. What each does is
// tested beside this.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { assertScreen, seen } from '../named.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';

const FILES = ['image', 'file', 'audio', 'video'] as const;
const ADDRESS = '/uploads/none.txt';

const CONFIG: SiteConfigInput = {
  locales: ['en'],
  defaultLocale: 'en',
  forms: [{ name: 'contact', label: 'Contact us', fields: [{ name: 'a', type: 'text' }] }],
  blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text', label: 'Said' }] }],
  collections: [
    {
      name: 'things',
      label: 'Things',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'plain', type: 'text' },
        { name: 'body', type: 'richtext', label: 'Body' },
        ...FILES.map((type) => ({ name: `a${type}`, type, label: `The ${type}` })),
        { name: 'shots', type: 'image-gallery', label: 'Shots' },
        { name: 'place', type: 'map', label: 'Place' },
        { name: 'names', type: 'array', label: 'Names' },
        { name: 'parts', type: 'blocks', label: 'Parts' },
        { name: 'slots', type: 'column-slots', label: 'Slots' },
        { name: 'ask', type: 'form', label: 'Ask' },
        { name: 'facts', type: 'json', label: 'Facts' },
        { name: 'demo', type: 'interactive', label: 'Demo' },
      ],
    },
  ],
};

const DATA = {
  body: 'Words',
  ...Object.fromEntries(FILES.map((type) => [`a${type}`, ADDRESS])),
  // A draft may lack the address.
  shots: [{ alt: 'Nothing yet' }],
  names: ['Ann', 'Bob'],
  parts: [
    { _block: 'quote', words: 'one' },
    { _block: 'quote', words: 'two' },
  ],
  slots: { layout: '1-1', slots: [[{ _block: 'quote', words: 'x' }], []] },
};

const press = async (page: Page, name: string): Promise<void> => (await seen(page, 'button', name)).first().click();

async function assertFields(page: Page): Promise<void> {
  const form = await seen(page, 'form', 'Document');
  for (const name of ['Title', 'plain', 'Names 1', 'Names 2', 'Facts', 'Demo', 'Body'])
    await seen(form, 'textbox', name);
  for (const type of FILES) {
    const group = await seen(form, 'group', `The ${type}`);
    for (const verb of ['Choose', 'Upload', 'Remove']) await seen(group, 'button', `${verb} The ${type}`);
  }
  const shots = await seen(form, 'group', 'Shots');
  for (const verb of ['Choose', 'Upload']) await seen(shots, 'button', `${verb} Shots`);
  await seen(await seen(shots, 'group', 'Shots 1'), 'textbox', 'Alt text');
  const place = await seen(form, 'group', 'Place');
  for (const name of ['Latitude', 'Longitude', 'Zoom']) await seen(place, 'spinbutton', name);
  await seen(place, 'textbox', 'Address');
  await (await seen(form, 'combobox', 'Ask'))
    .getByRole('option', { name: 'Contact us' })
    .waitFor({ state: 'attached' });
  const parts = await seen(form, 'group', 'Parts');
  const second = await seen(parts, 'group', 'Quote 2');
  for (const name of ['Move up', 'Move down', 'Duplicate', 'Remove', 'Collapse']) await seen(second, 'button', name);
  await press(page, 'Add block');
  await seen(page, 'menuitem', 'Quote');
  await page.keyboard.press('Escape');
  await seen(form, 'button', 'Add to Names');
  const slots = await seen(form, 'group', 'Slots');
  for (const name of ['Column 1', 'Column 2']) await seen(slots, 'group', name);
  await seen(form, 'button', 'Run preview');
  await seen(form, 'button', 'Lock Title');
  await (await seen(form, 'toolbar', 'Body formatting')).getByRole('button', { name: 'Source', exact: true }).click();
  await seen(form, 'textbox', 'Body source');
}

test('each type of field, each state and each panel is found by its name', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { status, text } = await admin.world.admin.post('/api/cms/things', { slug: 'a', data: { ...DATA } });
  assert.is(status, 200, text);
  const { page, complaints } = await admin.signedIn('/content/things/a');
  await assertScreen(page, 'a', [['toolbar', 'Document']]);
  await assertFields(page);
  assert.is(await page.getByRole('alert').count(), 0, 'nothing is wrong');

  for (const panel of ['Details', 'History', 'Translations', 'SEO', 'Preview', 'References']) {
    await page.getByRole('tablist', { name: 'Panels', exact: true }).getByRole('tab', { name: panel }).click();
    await seen(page, 'tabpanel', panel);
  }
  const toolbar = await seen(page, 'toolbar', 'Document');
  for (const name of ['Save', 'Publish', 'Schedule', 'More actions']) await seen(toolbar, 'button', name);
  await (await seen(page, 'status', 'Document status')).getByText('Draft', { exact: true }).waitFor();
  const state = await seen(page, 'status', 'Save state');
  await state.getByText('All changes saved', { exact: true }).waitFor();

  // One alert with a link to the field that is empty.
  await press(page, 'Publish');
  const alert = page.getByRole('alert');
  await alert.getByRole('link').first().waitFor();
  assert.is(await alert.count(), 1);
  await state.getByText(/^Not saved: /).waitFor();
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  assert.is(await title.getAttribute('aria-invalid'), 'true');
  assertQuiet(complaints, /status of (400|404)/);
});

test('a published document has the actions of one', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const body = { slug: 'a', status: 'published', data: { title: 'A thing' } };
  assert.is((await admin.world.admin.post('/api/cms/things', body)).status, 200);
  const { page, complaints } = await admin.signedIn('/content/things/a');
  await assertScreen(page, 'A thing', [['button', 'Publish changes']]);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Another');
  const state = page.getByRole('status', { name: 'Save state', exact: true });
  await state.getByText('Unsaved changes, kept on this device', { exact: true }).waitFor();
  await press(page, 'More actions');
  const actions = ['Unpublish', 'Archive', 'Duplicate', 'Rename', 'Discard changes', 'Export', 'Delete'];
  for (const name of actions) await seen(page, 'menuitem', name);
  await page.keyboard.press('Escape');
  await press(page, 'Schedule');
  const dialog = await seen(page, 'dialog', 'Schedule');
  await dialog.getByLabel('Unpublish at', { exact: true }).waitFor();
  assert.is(await dialog.getByLabel('Publish at', { exact: true }).count(), 0);
  await dialog.getByLabel('Unpublish at', { exact: true }).fill('2126-05-01T10:00');
  await dialog.getByRole('button', { name: 'Save schedule', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('status', { name: 'Document status' })
    .getByText(/goes offline/)
    .waitFor();
  await press(page, 'Schedule');
  await seen(dialog, 'button', 'Clear schedule');
  assertQuiet(complaints);
});

test.run();
