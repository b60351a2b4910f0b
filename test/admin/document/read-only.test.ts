// People who may not change a document read, select and copy every value of it, by mouse and by keys.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toWritten } from '../../../src/admin/fields/dates.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { PASSWORD } from '../../support/world.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const CONFIG: SiteConfigInput = {
  locales: ['en', 'de'],
  defaultLocale: 'en',
  forms: [{ name: 'mail', label: 'Write to us', fields: [{ name: 'text', type: 'text' }] }],
  collections: [
    {
      name: 'things',
      label: 'Things',
      ui: { titleField: 'text' },
      translatable: true,
      fields: [
        { name: 'text', type: 'text', label: 'Words' },
        { name: 'ink', type: 'color', label: 'Ink' },
        { name: 'count', type: 'number', label: 'Count' },
        { name: 'day', type: 'date', label: 'Day' },
        { name: 'hour', type: 'date', label: 'Hour' },
        { name: 'on', type: 'boolean', label: 'Shown' },
        { name: 'kind', type: 'select', label: 'Kind', options: [{ label: 'Number one', value: 1 }, 'two'] },
        { name: 'lost', type: 'select', label: 'Lost', options: ['two'] },
        { name: 'moods', type: 'select', label: 'Moods', multiple: true, options: ['glad', 'grim'] },
        { name: 'form', type: 'form', label: 'Form' },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'friends', type: 'relation', label: 'Friends', collection: 'things', multiple: true },
        { name: 'foe', type: 'relation', label: 'Foe', collection: 'things' },
        { name: 'cover', type: 'image', label: 'Cover' },
      ],
    },
  ],
};

/** The browser of the tests reads English as in Britain. */
function inBritain(at: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return format.format(new Date(`${at.slice(0, 16)}Z`));
}

test('a viewer has the value of every field as text, and nothing that is switched off', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const data = {
    ...{ text: HOSTILE, ink: '#aa3322', count: 3, day: '2026-02-03', hour: '2026-02-03T04:05:06Z', on: true, kind: 1 },
    ...{ moods: ['glad', 'grim'], form: 'mail', tags: ['wet', HOSTILE], friends: ['other'], cover: '/uploads/a.png' },
  };
  for (const body of [
    { slug: 'other', data: { text: 'Another' } },
    { slug: 'one', data },
  ]) {
    assert.is((await admin.world.admin.post('/api/cms/things', body)).status, 200);
  }
  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login?next=/admin/content/things/one');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const form = page.getByRole('form', { name: 'Document' });
  const texts = {
    ...{ Words: HOSTILE, Ink: '#aa3322', Day: '3 February 2026', Hour: inBritain(data.hour), Shown: 'Yes' },
    ...{ Kind: 'Number one', Lost: '', Moods: 'glad, grim', Form: 'Write to us', Tags: `wet, ${HOSTILE}`, Foe: '' },
  };
  for (const [name, text] of Object.entries(texts)) {
    const box = form.getByRole('textbox', { name, exact: true });
    assert.is(await box.inputValue(), text, name);
    assert.not(await box.isEditable(), name);
  }
  await form.getByRole('list', { name: 'Friends' }).getByRole('link', { name: 'Another' }).waitFor();
  assert.is(await page.locator('main :disabled').count(), 0);
  assert.is(await form.getByRole('combobox').count(), 0);
  assert.is(await form.getByRole('checkbox').count(), 0);

  // From one to the next by Tab, and the whole of it selected by a key.
  await form.getByRole('textbox', { name: 'Shown' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+a');
  assert.is(await page.evaluate('getSelection().toString()'), 'Number one');
  await page.keyboard.type('x');
  assert.is(await form.getByRole('textbox', { name: 'Kind' }).inputValue(), 'Number one');
  await page.getByRole('tab', { name: 'Details' }).click();
  assert.match(await page.getByRole('textbox', { name: 'Locale' }).inputValue(), /English/);
  assertQuiet(complaints, /404/);
});

test('a date is written as people write it, and what is no date stays', () => {
  assert.equal(['2026-02-30x', 'soon', '', '2026-13-01'].map(toWritten), ['2026-02-30x', 'soon', '', '2026-13-01']);
  assert.match(toWritten('2026-02-03'), /3.*2026/);
  assert.match(toWritten('2026-12-31T23:30:00+05:00'), /31.*2026.*23:30|31.*2026.*11:30/);
});

test.run();
