// Blocks whose type left the configuration: nothing in them is lost, and they are in nobody's way.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, untilTrue } from '../../support/browser.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { SAVED, UNSAVED, untilState } from './steps.ts';

const CONFIG = {
  collections: [{ name: 'things', fields: [{ name: 'parts', type: 'blocks' as const, label: 'Parts' }] }],
  blocks: [
    { name: 'note', label: 'Note', fields: [{ name: 'body', type: 'textarea' as const, label: 'Body' }] },
    { name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text' as const, label: 'Said' }] },
  ],
};

test('beside a block that the configuration has no more one writes, moves it, and reads all of it by keys', async () => {
  const left = { ...CONFIG, blocks: CONFIG.blocks.filter(({ name }) => name !== 'quote') };
  await using admin = await makeAdminWorld({ config: CONFIG });
  const quote = {
    _block: 'quote',
    words: 'a long line of them '.repeat(20),
    more: Array.from({ length: 60 }, (_, at) => at),
  };
  const data = { parts: [{ _block: 'note', body: 'before' }, quote] };
  await admin.world.admin.post('/api/cms/things', { slug: 't', data });
  await admin.world.restart({ config: left });
  const { page, complaints } = await admin.signedIn('/content/things/t');
  const parts = page.getByRole('group', { name: 'Parts' });
  await parts.getByText('The configuration has no block “quote” any more.').waitFor();
  assert.equal(await findViolations(page), []);
  await parts.getByRole('group', { name: 'Note 1' }).getByRole('textbox', { name: 'Body' }).fill('after');
  await parts.getByRole('group', { name: 'quote 1' }).getByRole('button', { name: 'Move up' }).click();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.equal((await admin.world.admin.get('/api/cms/things/t')).json.data, {
    parts: [quote, { _block: 'note', body: 'after' }],
  });
  // It comes back after a save without it, and a copy, which never had it, says what to do about it.
  await parts.getByRole('group', { name: 'quote 1' }).getByRole('button', { name: 'Remove' }).click();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await untilState(page, UNSAVED);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await untilState(page, SAVED);
  const { json } = await admin.world.admin.get('/api/cms/things/t');
  assert.equal([json.status, json.data.parts[0]], ['published', quote]);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: 'New Thing' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const link = page.getByRole('alert').getByRole('link', { name: /the configuration has no block “quote” any more/ });
  await link.click();
  await untilTrue(page, "document.activeElement?.id === 'field-data.parts.0'");
  assertQuiet(complaints, /400/);
});

test.run();
