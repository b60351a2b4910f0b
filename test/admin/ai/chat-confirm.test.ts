// In the chat, what a model may not do by itself is a question that names document and effect.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS } from '../../support/browser.ts';
import { assertAccessible, assertQuiet } from '../world.ts';
import { type AiAdminWorld, makeAiAdminWorld, messagesOf } from './world.ts';

const target = (slug: string) => ({ collection: 'posts', slug });

/** A model that lists the posts, and then wants to delete one, publish another, and change a public one. */
async function makeWorld(): Promise<AiAdminWorld> {
  const admin = await makeAiAdminWorld((_request, index) => {
    if (index % 3 === 0) return { calls: [{ tool: 'list_documents', input: { collection: 'posts' } }] };
    if (index % 3 === 2) return { text: 'These wait for you.' };
    return {
      calls: [
        { tool: 'delete_document', input: target('ebb') },
        { tool: 'publish_document', input: target('flow') },
        { tool: 'update_document', input: { ...target('ebb'), data: { title: 'Owned' } } },
      ],
    };
  });
  const post = (slug: string, title: string, status: string) =>
    admin.world.admin.post('/api/cms/posts', { slug, status, data: { title } });
  await post('ebb', 'Ebb <b>', 'published');
  await post('flow', 'Flow', 'draft');
  return admin;
}

const regionOf = (page: Page, name: string) => page.getByRole('region', { name });
const focusOf = (page: Page) => page.evaluate('document.activeElement.textContent');

async function ask(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Tidy up');
  await page.keyboard.press('Enter');
  await regionOf(page, 'Delete “Ebb <b>” (posts/ebb)?').waitFor();
}

test('a question has the focus, is answered by keyboard, and the next one has it then', async () => {
  await using admin = await makeWorld();
  const { page, complaints } = await admin.signedIn('/chat');
  await ask(page);
  assert.is(await focusOf(page), 'Delete “Ebb <b>” (posts/ebb)?');
  assert.match(
    (await page.locator('.confirmations [role=status]').textContent()) ?? '',
    'Publish “Flow” (posts/flow)?',
  );
  await page.getByRole('log').getByText('delete_document waits for your answer').waitFor();
  // Enter on the question does nothing.
  await page.keyboard.press('Enter');
  assert.is((await admin.world.admin.get('/api/cms/posts/ebb')).status, 200);
  const refuse = regionOf(page, 'Delete “Ebb <b>” (posts/ebb)?').getByRole('button', { name: 'Refuse' });
  while ((await page.evaluate('document.activeElement.textContent')) !== 'Refuse') await page.keyboard.press('Tab');
  assert.ok(await refuse.evaluate((button) => button === button.ownerDocument.activeElement));
  await page.keyboard.press('Enter');
  await messagesOf(page).getByText('Refused: Delete “Ebb <b>” (posts/ebb)').waitFor();
  await regionOf(page, 'Delete “Ebb <b>” (posts/ebb)?').waitFor({ state: 'detached' });
  assert.is(await focusOf(page), 'Publish “Flow” (posts/flow)?');
  // It survives a reload.
  await page.waitForURL(/\?c=/);
  await page.reload();
  const publication = regionOf(page, 'Publish “Flow” (posts/flow)?');
  await publication.getByRole('button', { name: 'Confirm' }).dblclick();
  await messagesOf(page).getByText('Done: Publish “Flow” (posts/flow)').waitFor();
  assert.is((await admin.world.admin.get('/api/cms/posts/flow')).json.status, 'published');
  // What would be written can be read; the document has changed since, so it is not.
  const change = regionOf(page, 'Change “Ebb <b>” (posts/ebb), which is public?');
  await change.getByText('"title": "Owned"').waitFor();
  await admin.world.admin.patch('/api/cms/posts/ebb', { data: { title: 'By a person' } });
  await change.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('alert').getByText('has changed since').waitFor();
  await change.waitFor({ state: 'detached' });
  assert.is((await admin.world.admin.get('/api/cms/posts/ebb')).json.data.title, 'By a person');
  assert.is(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
  assertQuiet(complaints, /status of 412/);
});

test('a question does not take the focus from what is being typed', async () => {
  await using admin = await makeWorld();
  const { page, complaints } = await admin.signedIn('/chat');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('Tidy up');
  await page.keyboard.press('Enter');
  await page.keyboard.type('and then');
  await regionOf(page, 'Delete “Ebb <b>” (posts/ebb)?').waitFor();
  await page.keyboard.type(' this');
  assert.is(await box.inputValue(), 'and then this');
  assertQuiet(complaints);
});

for (const look of LOOKS) {
  test(`questions can be read and answered: ${look.colorScheme}, ${look.viewport.width} px`, async () => {
    await using admin = await makeWorld();
    const { page, complaints } = await admin.signedIn('/chat', look);
    await ask(page);
    await assertAccessible(page, 'chat with questions', look);
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/${look.colorScheme}-${look.viewport.width}.png` });
    }
    const [confirm] = await page.getByRole('button', { name: 'Confirm' }).all();
    await confirm!.scrollIntoViewIfNeeded();
    const box = await confirm!.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= look.viewport.width, JSON.stringify(box));
    assertQuiet(complaints);
  });
}

test.run();
