// What a browser keeps for one person is not shown to the next one.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { proposeNew } from '../curation/queue.ts';
import { untilTrue } from '../support/browser.ts';
import { CONFIG, PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const EMAIL = 'next@example.com';
const text = { name: 'title', type: 'text' } as const;
const SITE = {
  ...CONFIG,
  blocks: [{ name: 'quote', label: 'Quote', fields: [text] }],
  collections: [
    ...CONFIG.collections,
    { name: 'pages', label: 'Pages', fields: [text, { name: 'parts', type: 'blocks' as const, blocks: ['quote'] }] },
  ],
};

test('edits of an item, copied blocks and places in lists are one person’s own', async () => {
  await using admin = await makeAdminWorld({ config: SITE });
  const { world } = admin;
  await world.admin.post('/api/admin/users', { email: EMAIL, name: 'Next', role: 'admin', password: PASSWORD });
  await world.admin.post('/api/cms/pages', {
    slug: 'p',
    data: { title: 'W', parts: [{ _block: 'quote', title: 'q' }] },
  });
  const item = await proposeNew(world, { title: 'As proposed' });
  const { page, complaints } = await admin.signedIn('/content/pages?q=W');
  await page.getByRole('link', { name: 'W', exact: true }).click();
  await page.getByRole('button', { name: 'Copy block' }).click();
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Paste copied block' }).waitFor();
  await page.getByRole('menuitem', { name: 'Quote', exact: true }).click();
  await page.getByText('Unsaved changes, kept on this device').waitFor();
  await page.getByRole('link', { name: 'Curation' }).click();
  await page.getByRole('list', { name: 'Queue' }).getByRole('link', { name: 'As proposed' }).click();
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.click();
  const title = page.getByRole('textbox', { name: 'title' }).first();
  await title.fill('Typed by Ada');
  const { user } = (await world.admin.get('/api/admin/profile')).json;
  const names = JSON.parse(
    String(await page.evaluate('JSON.stringify(Object.keys({...localStorage, ...sessionStorage}))')),
  );
  assert.ok(names.length >= 3, names.join());
  assert.equal(
    names.filter((name: string) => !name.includes(user.id)),
    [],
  );

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await untilTrue(page, `location.pathname === '/admin/curation/${item}'`);
  await edit.click();
  await title.waitFor();
  assert.is(await title.inputValue(), 'As proposed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${world.url}/admin/content/pages/p`);
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('menuitem', { name: 'Quote', exact: true }).waitFor();
  assert.is(await page.getByRole('menuitem', { name: 'Paste copied block' }).count(), 0);
  assertQuiet(complaints);
});

test.run();
