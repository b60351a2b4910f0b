// What the form shows is what happens: defaults, tags, relations, drafts with problems, and times of publication.
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withDefaults } from '../../../src/admin/fields/defaults.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { fillDefaults } from '../../../src/schema/fill-defaults.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { makePost, SAVED, stored, UNSAVED, untilState } from './steps.ts';

const ON = { name: 'on', type: 'boolean', label: 'Shown', defaultValue: true } as const;

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      fields: [
        { name: 'title', type: 'text', label: 'Title', defaultValue: 'Untitled' },
        ON,
        { name: 'mail', type: 'email', label: 'Mail' },
        {
          name: 'size',
          type: 'object',
          label: 'Size',
          fields: [{ name: 'width', type: 'number', label: 'Width' }, ON],
        },
        { name: 'steps', type: 'array', label: 'Step', fields: [{ name: 'what', type: 'text', label: 'What' }, ON] },
        { name: 'parts', type: 'blocks', label: 'Parts' },
        { name: 'friend', type: 'relation', label: 'Friend', collection: 'posts' },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
  ],
  blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text', label: 'Said' }, ON] }],
};

const group = (page: Page | Locator, name: string) => page.getByRole('group', { name, exact: true });
const shown = (place: Page | Locator) => place.getByRole('checkbox', { name: 'Shown', exact: true }).first();

test('defaults are filled in as the service fills them in', () => {
  const [collection] = CONFIG.collections;
  const blocks = CONFIG.blocks ?? [];
  const byName = new Map(blocks.map((block) => [block.name, block]));
  const given = [
    {},
    { title: null, on: false, size: {} },
    { steps: [{ on: null }, {}], parts: [{ _block: 'quote' }, { _block: 'gone' }] },
  ];
  for (const data of given) {
    const filled = fillDefaults(data, collection?.fields as never, byName as never);
    assert.equal(withDefaults(data, collection?.fields as never, blocks as never), filled);
  }
});

test('a new document, item and block show the default values, and what is shown is stored', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.waitFor();
  assert.is(await title.inputValue(), 'Untitled');
  assert.is(await shown(page).isChecked(), true);
  await shown(page).uncheck();
  await group(page, 'Size').getByRole('spinbutton', { name: 'Width' }).fill('3');
  assert.is(await shown(group(page, 'Size')).isChecked(), true);
  await page.getByRole('button', { name: 'Add to Step' }).click();
  assert.is(await shown(group(page, 'Step 1')).isChecked(), true);
  await page.getByRole('button', { name: 'Add to Step' }).click();
  await shown(group(page, 'Step 2')).uncheck();
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Quote' }).click();
  assert.is(await shown(group(page, 'Quote 1')).isChecked(), true);
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.equal((await stored(admin, 'untitled')).data, {
    title: 'Untitled',
    on: false,
    size: { width: 3, on: true },
    steps: [{ on: true }, { on: false }],
    parts: [{ _block: 'quote', on: true }],
  });
  assertQuiet(complaints);
});

test('a click after Enter adds no tag, and a relation that was not chosen does not look set', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await makePost(admin, { title: 'Tides', tags: ['alpha', 'beta', 'gamma'] });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.pressSequentially('mine');
  await page.keyboard.press('Enter');
  // As long as suggestions take to come.
  await page.waitForTimeout(500);
  assert.is(await page.getByRole('option', { name: 'alpha' }).count(), 0, 'a list lies over the text');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.click({ position: { x: 20, y: 10 }, force: true });
  await page.keyboard.type('Words');
  const friend = page.getByRole('combobox', { name: 'Friend' });
  await friend.fill('Tid');
  await page.getByRole('option', { name: 'Tides' }).waitFor();
  await page.getByRole('textbox', { name: 'Title' }).click();
  assert.is(await friend.inputValue(), '');
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  const { data } = await stored(admin, 'untitled');
  assert.equal([data.tags, data.body, data.friend], [['mine'], 'Words', undefined]);
  assertQuiet(complaints);
});

test('a draft with a value that does not fit is saved, and its field says so until it fits', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { page, complaints } = await admin.signedIn('/content/posts/new');
  const mail = page.getByRole('textbox', { name: 'Mail' });
  await mail.fill('not a mail');
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.is((await stored(admin, 'untitled')).data.mail, 'not a mail');
  await page.getByText('Saved, with one thing to put right:').waitFor();
  await mail.and(page.locator('[aria-invalid="true"]')).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await untilState(page, 'some fields have problems');
  await page.getByText('One thing is missing or wrong:').waitFor();
  await mail.fill('ada@example.com');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await untilState(page, SAVED);
  assert.is(await page.getByText('to put right').count(), 0);
  assertQuiet(complaints, /400/);
});

test('changes of a published document are not offered a time, and the screen says what to do', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await makePost(admin, { title: 'Tides' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const schedule = page.getByRole('dialog', { name: 'Schedule' });
  const advice = /changes of it cannot wait for a time/;
  const publishAt = schedule.getByLabel('Publish at', { exact: true });
  await page.getByRole('textbox', { name: 'Title' }).fill('Low tides');
  await untilState(page, UNSAVED);
  // Another user publishes it between the choice of the time and the press; the page learns of it from the answer.
  await page.route('**/api/admin/live*', (route) => route.abort());
  await page.getByRole('button', { name: 'Schedule' }).click();
  await publishAt.fill('2126-12-24T09:00');
  await page.route('**/api/cms/posts/tides', async (route) => {
    if (route.request().method() === 'PATCH') await admin.world.admin.post('/api/cms/posts/bulk', PUBLISH);
    await page.unroute('**/api/cms/posts/tides');
    await route.continue();
  });
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await untilState(page, advice);
  const now = await stored(admin);
  assert.equal([now.status, now.publishAt, now.data.title], ['published', undefined, 'Tides']);
  await page.getByRole('button', { name: 'Schedule' }).click();
  await schedule.getByText(advice).waitFor();
  assert.is(await publishAt.count(), 0);
  await schedule.getByLabel('Unpublish at', { exact: true }).fill('2126-12-25T09:00');
  await schedule.getByRole('button', { name: 'Save schedule' }).click();
  await schedule.waitFor({ state: 'detached' });
  await page.getByRole('status', { name: 'Document status' }).filter({ hasText: 'goes offline' }).waitFor();
  assert.is((await stored(admin)).data.title, 'Tides');
  assertQuiet(complaints, /409|412|ERR_FAILED/);
});

const PUBLISH = { operations: [{ op: 'publish', id: 'tides' }] };

test.run();
