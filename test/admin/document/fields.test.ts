// Every type of field, by the names that people and machines find them under, by mouse and by keys.
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { findViolations, untilTrue } from '../../support/browser.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from '../world.ts';

const CONFIG: SiteConfigInput = {
  locales: ['en', 'de'],
  defaultLocale: 'en',
  collections: [
    {
      name: 'things',
      label: 'Things',
      translatable: true,
      ui: { singular: 'Thing', titleField: 'text' },
      fields: [
        { name: 'text', type: 'text', label: 'Words', required: true, maxLength: 20, ui: { help: 'A few of them.' } },
        { name: 'area', type: 'textarea', label: 'Lines' },
        { name: 'mail', type: 'email', label: 'Mail' },
        { name: 'site', type: 'url', label: 'Web site' },
        { name: 'ink', type: 'color', label: 'Ink' },
        { name: 'count', type: 'number', label: 'Count', ui: { width: 'half' } },
        { name: 'day', type: 'date', label: 'Day', ui: { width: 'half' } },
        { name: 'on', type: 'boolean', label: 'Shown' },
        {
          name: 'kind',
          type: 'select',
          label: 'Kind',
          options: [{ label: 'One', value: 1 }, 'two'],
          ui: { showIf: 'on' },
        },
        { name: 'moods', type: 'select', label: 'Moods', multiple: true, options: ['glad', 'grim'] },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'friends', type: 'relation', label: 'Friends', collection: 'things', multiple: true },
        { name: 'picture', type: 'image', label: 'Picture' },
        { name: 'shots', type: 'image-gallery', label: 'Shots' },
        { name: 'place', type: 'map', label: 'Place' },
        { name: 'size', type: 'object', label: 'Size', fields: [{ name: 'width', type: 'number', label: 'Width' }] },
        { name: 'names', type: 'array', label: 'Names' },
        {
          name: 'steps',
          type: 'array',
          label: 'Step',
          fields: [{ name: 'what', type: 'text', label: 'What', required: true }],
        },
        { name: 'parts', type: 'blocks', label: 'Parts' },
        { name: 'slots', type: 'column-slots', label: 'Slots' },
        { name: 'facts', type: 'json', label: 'Facts', ui: { tab: 'More' } },
        { name: 'page', type: 'htmldoc', label: 'Page', ui: { tab: 'More' } },
      ],
    },
  ],
  blocks: [
    { name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text', label: 'Said', required: true }] },
    { name: 'note', label: 'Note', fields: [{ name: 'body', type: 'textarea', label: 'Body' }] },
    { name: 'prose', label: 'Prose', fields: [{ name: 'text', type: 'richtext', label: 'Prose text' }] },
  ],
};

async function stored(admin: AdminWorld, slug: string) {
  return (await admin.world.admin.get(`/api/cms/things/${slug}`)).json.data;
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByRole('status', { name: 'Save state' }).filter({ hasText: 'All changes saved' }).waitFor();
}

const group = (page: Page | Locator, name: string) => page.getByRole('group', { name, exact: true });

test('each type is found by its label, and stores what was entered', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/things', { slug: 'other', data: { text: 'Another' } });
  const { page, complaints } = await admin.signedIn('/content/things/new');
  await page.getByRole('heading', { level: 1, name: 'New Thing' }).waitFor();
  await page.getByRole('textbox', { name: 'Words' }).fill('First thing');
  await page.getByRole('textbox', { name: 'Lines' }).fill('a\nb');
  await page.getByRole('textbox', { name: 'Mail' }).fill('a@example.com');
  await page.getByRole('textbox', { name: 'Web site' }).fill('https://example.com/');
  await page.getByRole('textbox', { name: 'Ink', exact: true }).fill('#a8321e');
  await page.getByRole('spinbutton', { name: 'Count' }).fill('2.5');
  await page.getByLabel('Day', { exact: true }).fill('2026-03-01');
  // A field that depends on another one appears with it.
  assert.is(await page.getByRole('combobox', { name: 'Kind' }).count(), 0);
  await page.getByRole('checkbox', { name: 'Shown' }).check();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'One' });
  await group(page, 'Moods').getByRole('checkbox', { name: 'grim' }).check();
  await page.getByRole('combobox', { name: 'Tags' }).fill('x');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Friends' }).fill('anoth');
  await page.getByRole('option', { name: 'Another' }).click();
  await page.getByRole('link', { name: 'Another' }).waitFor();
  await group(page, 'Picture').getByRole('textbox').fill('https://example.com/a.png');
  await group(page, 'Place').getByRole('spinbutton', { name: 'Latitude' }).fill('51.5');
  await group(page, 'Size').getByRole('spinbutton', { name: 'Width' }).fill('3');
  await page.getByRole('button', { name: 'Add to Names' }).click();
  await page.getByRole('textbox', { name: 'Names 1' }).fill('Ann');
  await page.getByRole('button', { name: 'Add to Step' }).click();
  await group(page, 'Step 1').getByRole('textbox', { name: 'What' }).fill('begin');
  await save(page);
  const slug = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.equal(await stored(admin, slug), {
    text: 'First thing',
    area: 'a\nb',
    mail: 'a@example.com',
    site: 'https://example.com/',
    ink: '#a8321e',
    count: 2.5,
    day: '2026-03-01',
    on: true,
    kind: 1,
    moods: ['grim'],
    tags: ['x'],
    friends: ['other'],
    picture: 'https://example.com/a.png',
    place: { lat: 51.5 },
    size: { width: 3 },
    names: ['Ann'],
    steps: [{ what: 'begin' }],
  });
  const words = page.getByRole('textbox', { name: 'Words' });
  assert.is(await words.getAttribute('aria-describedby'), 'field-data.text-help');
  assertQuiet(complaints);
});

test('blocks are added, ordered, folded, copied and removed by mouse and by keys', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const data = { text: 'T', unknown: { kept: true } };
  await admin.world.admin.post('/api/cms/things', { slug: 't', data });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  const parts = group(page, 'Parts');
  const add = async (name: string): Promise<void> => {
    await parts.getByRole('button', { name: 'Add block' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await add('Quote');
  await group(parts, 'Quote 1').getByRole('textbox', { name: 'Said' }).fill('one');
  await add('Note');
  await group(parts, 'Note 1').getByRole('textbox', { name: 'Body' }).fill('n');
  await group(parts, 'Quote 1').getByRole('button', { name: 'Duplicate' }).click();
  await group(parts, 'Quote 2').getByRole('textbox', { name: 'Said' }).fill('two');
  // By keys: the second quote goes below the note, and says so.
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('Quote 2 moved to 3 of 3.').waitFor();
  // One goes on writing: the cursor is where it was.
  await page.keyboard.type(' more');
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('Quote 2 moved to 2 of 3.').waitFor();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Control+d');
  await group(parts, 'Quote 3').getByRole('textbox', { name: 'Said' }).waitFor();
  await page.keyboard.type(' !');
  await group(parts, 'Quote 3').getByRole('button', { name: 'Remove' }).click();
  await add('Prose');
  await group(parts, 'Prose 1').getByRole('textbox', { name: 'Prose text' }).click();
  await page.keyboard.type('ab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('Prose 1 moved to 3 of 4.').waitFor();
  await page.keyboard.type('-');
  await group(parts, 'Prose 1').getByText('a-b').waitFor();
  await group(parts, 'Prose 1').getByRole('button', { name: 'Remove' }).click();
  await group(parts, 'Note 1').getByRole('button', { name: 'Move up' }).click();
  await page.getByText('Note 1 moved to 1 of 3.').waitFor();
  await group(parts, 'Note 1').getByRole('button', { name: 'Collapse' }).click();
  assert.is(await group(parts, 'Note 1').getByRole('textbox').count(), 0);
  await save(page);
  assert.equal(await stored(admin, 't'), {
    text: 'T',
    parts: [
      { _block: 'note', body: 'n' },
      { _block: 'quote', words: 'one' },
      { _block: 'quote', words: 'two more !' },
    ],
    unknown: { kept: true },
  });
  await group(parts, 'Note 1').getByRole('button', { name: 'Copy block' }).click();
  // What was removed comes back to its place, beside what was written meanwhile.
  await group(parts, 'Quote 1').getByRole('button', { name: 'Remove' }).click();
  await group(parts, 'Quote 1').getByRole('textbox', { name: 'Said' }).fill('two, later');
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click();
  assert.is(await group(parts, 'Quote 1').getByRole('textbox', { name: 'Said' }).inputValue(), 'one');
  assert.is(await group(parts, 'Quote 2').getByRole('textbox', { name: 'Said' }).inputValue(), 'two, later');
  await group(parts, 'Quote 1').getByRole('button', { name: 'Remove' }).click();
  await add('Paste copied block');
  await group(parts, 'Note 2').waitFor();
  // Dragging: the last one to the top.
  const grip = (name: string) => group(parts, name).locator('.grip').first();
  await grip('Note 2').dragTo(grip('Note 1'), { targetPosition: { x: 2, y: 1 } });
  await page.getByText(/Note 2 moved to 1 of 3/).waitFor();
  await save(page);
  assert.equal(
    (await stored(admin, 't')).parts.map(({ _block }: { _block: string }) => _block),
    ['note', 'note', 'quote'],
  );
  assertQuiet(complaints);
});

test('what is added has the focus, and items that are alike change places without taking it later', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/things', { slug: 't', data: { text: 'T' } });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  const parts = group(page, 'Parts');
  for (const _ of [1, 2]) {
    await parts.getByRole('button', { name: 'Add block' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Quote', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await untilTrue(page, `document.activeElement?.matches('[role=group] textarea, [role=group] input')`);
  }
  await group(parts, 'Quote 2').getByRole('button', { name: 'Move up' }).click();
  await page.getByText('Quote 2 moved to 1 of 2.').waitFor();
  await group(parts, 'Quote 2').getByRole('textbox', { name: 'Said' }).click();
  await page.keyboard.type('first');
  assert.is(await group(parts, 'Quote 2').getByRole('textbox', { name: 'Said' }).inputValue(), 'first');
  // The next key is the item's already.
  await page
    .evaluate(`(() => {
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Add to Names').click();
    return Promise.resolve().then(() => document.activeElement.getAttribute('aria-label'));
  })()`)
    .then((name) => assert.is(name, 'Names 1'));
  assertQuiet(complaints);
});

test('what is half typed stays, and says what counts', async () => {
  const field = {
    name: 'steps',
    type: 'array',
    label: 'Steps',
    fields: [{ name: 'what', type: 'text', label: 'What' }],
  };
  const blocks = [{ name: 'steps', label: 'Steps', fields: [field] }] as SiteConfigInput['blocks'];
  await using admin = await makeAdminWorld({ config: { ...CONFIG, blocks } });
  const data = { text: 'T', parts: [{ _block: 'steps', steps: [{ what: 'begin' }] }] };
  await admin.world.admin.post('/api/cms/things', { slug: 't', data });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  await group(page, 'Steps 1').waitFor();
  assert.is(await group(page, 'Steps 1.1').getByRole('textbox', { name: 'What' }).inputValue(), 'begin');

  const count = page.getByRole('spinbutton', { name: 'Count' });
  await count.click();
  await page.keyboard.type('1e');
  await page.keyboard.press('Tab');
  await page.getByText('This is not a number, so 1 stays.').waitFor();
  assert.is(await count.getAttribute('aria-invalid'), 'true');
  await count.fill('15');
  await page.getByText('This is not a number').waitFor({ state: 'detached' });

  const slug = page.getByRole('textbox', { name: 'Slug' });
  await slug.click();
  await page.keyboard.press('Backspace');
  assert.is(await slug.inputValue(), '');
  await page.keyboard.type('tide');
  await save(page);
  await page.waitForURL('**/things/tide');
  assert.is((await stored(admin, 'tide')).count, 15);
  // A document always has one: what is stored comes back.
  await slug.fill('');
  await page.keyboard.press('Tab');
  assert.is(await slug.inputValue(), 'tide');
  assertQuiet(complaints);
});

test('a problem in another tab and in a folded block is found by its link', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const data = { text: 'T', parts: [{ _block: 'quote' }], steps: [{ what: 'one' }, {}] };
  await admin.world.admin.post('/api/cms/things', { slug: 't', data });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  await group(page, 'Step 2').getByRole('button', { name: 'Collapse' }).click();
  await group(page, 'Quote 1').getByRole('button', { name: 'Collapse' }).click();
  await page.getByRole('tab', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const problems = page.getByRole('alert');
  await problems.getByRole('link', { name: /^Step 2, What: / }).click();
  await untilTrue(page, "document.activeElement?.id === 'field-data.steps.1.what'");
  await page.keyboard.type('two');
  await page.keyboard.press('Control+Enter');
  await problems.getByRole('link', { name: /^Parts 1, Said: / }).click();
  await untilTrue(page, "document.activeElement?.id === 'field-data.parts.0.words'");
  await page.keyboard.type('said');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status', { name: 'Document status' }).getByText('Published').waitFor();
  assertQuiet(complaints, /400/);
});

test('HTML of a document runs in a frame that reaches nothing', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const html = `<p id="said">before</p><script>
    let found = [];
    try { found.push(parent.document.title); } catch { found.push('no parent'); }
    try { found.push(localStorage.length); } catch { found.push('no storage'); }
    fetch('/api/auth/me').then(() => found.push('fetched'), () => found.push('no requests'))
      .finally(() => { said.textContent = found.join(', '); });
  </script>`;
  await admin.world.admin.post('/api/cms/things', { slug: 't', data: { text: 'T', page: html } });
  const { page } = await admin.signedIn('/content/things/t');
  await page.getByRole('tab', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Run preview' }).click();
  const frame = page.frameLocator('iframe[title="Preview of Page"]');
  await frame.getByText('no parent, no storage, no requests').waitFor();
});

test('nothing serious is in the way of anyone, in both themes, on a desktop and a phone', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const words = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';
  const data = {
    text: words.slice(0, 20),
    area: words,
    tags: [words, 'b'],
    friends: ['t', 'missing'],
    parts: [{ _block: 'quote', words }],
    names: [words],
    shots: [{ url: '/uploads/a.png', alt: '' }],
    slots: { layout: '1-1', slots: [[{ _block: 'note', body: 'x' }], []] },
  };
  await admin.world.admin.post('/api/cms/things', { slug: 't', data });
  await admin.world.admin.patch('/api/cms/things/t', { data: { area: 'changed' } });
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [320, 'dark'],
  ] as const) {
    const viewport = { width, height: 800 };
    const { page } = await admin.signedIn('/content/things/t', { viewport, colorScheme });
    await group(page, 'Quote 1').waitFor();
    assert.equal(await findViolations(page), [], `editor at ${width}`);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.is(await page.evaluate(overflow), 0, `editor at ${width} is too wide`);
    await page.goto(`${admin.world.url}/admin/content/things/t/history`);
    await page.getByRole('list', { name: 'Versions' }).waitFor();
    await page.getByRole('button', { name: 'Show changes' }).first().click();
    await page.getByText('changed', { exact: true }).waitFor();
    assert.equal(await findViolations(page), [], `history at ${width}`);
    assert.is(await page.evaluate(overflow), 0, `history at ${width} is too wide`);
  }
});

test('a version comes back, and the way back from that too', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/things', { slug: 't', data: { text: 'One' } });
  await admin.world.admin.patch('/api/cms/things/t', { data: { text: 'Two' } });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('tabpanel', { name: 'History' }).getByText('· Words').first().waitFor();
  await page.goto(`${admin.world.url}/admin/content/things/t/history`);
  await page.getByRole('list', { name: 'Versions' }).getByText('· Words').first().waitFor();
  await page.getByRole('list', { name: 'Versions' }).getByRole('link').last().click();
  await page.getByRole('heading', { level: 2, name: /^Version of/ }).waitFor();
  const restore = page.getByRole('button', { name: 'Restore this version' });
  await restore.waitFor();
  await page.keyboard.press(']');
  await restore.waitFor({ state: 'detached' });
  await page.keyboard.press('[');
  await restore.click();
  await page.getByRole('heading', { level: 1, name: 'One' }).waitFor();
  assert.is((await stored(admin, 't')).text, 'One');
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor();

  // The list offers the same for the version whose changes are open.
  await page.goto(`${admin.world.url}/admin/content/things/t/history`);
  const versions = page.getByRole('list', { name: 'Versions' });
  await versions.getByRole('button', { name: 'Show changes' }).last().click();
  await versions.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('heading', { level: 1, name: 'One' }).waitFor();
  assertQuiet(complaints);
});

test('a translation begins with its source beside it', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await admin.world.admin.post('/api/cms/things', { slug: 't', data: { text: 'Tide', area: 'High\nwater' } });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  await page.getByRole('tab', { name: 'Translations' }).click();
  await page.getByRole('button', { name: 'Translate to German (de)' }).click();
  const source = page.getByRole('region', { name: 'Source: English' });
  await source.getByText('High').waitFor();
  const words = page.getByRole('textbox', { name: 'Words' });
  assert.is(await words.inputValue(), 'Tide');
  await words.fill('Gezeiten');
  await save(page);
  const { documents } = (await admin.world.admin.get('/api/cms/things?locale=de')).json;
  assert.equal([documents.length, documents[0].data.text, documents[0].translationOf], [1, 'Gezeiten', 't']);
  await page.getByRole('link', { name: 'Tide' }).waitFor();
  assertQuiet(complaints);
});

test.run();
