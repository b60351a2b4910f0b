// Webhooks in the settings: added, tested, delivered, redelivered and deleted, in front of a real receiver.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteWebhook } from '../../src/admin/screens/settings/settings-shape.ts';
import {
  clashOf,
  groupEvents,
  withoutWebhook,
  withWebhook,
} from '../../src/admin/screens/settings/webhooks/webhook-list.ts';
import { LOOKS } from '../support/browser.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const CONFIG_URL = '/api/admin/site-config';

/** Answers with the status that it has at the time. */
async function openReceiver() {
  const got: { event: string }[] = [];
  const receiver = { status: 200, got, url: '', [Symbol.asyncDispose]: async () => void server.close() };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

test('a list of webhooks goes back as it was read, but for what is changed', () => {
  const one: SiteWebhook = { id: 'a', url: 'https://x/…', events: ['*'], secret: { set: true, last4: 'abcd' } };
  const fields = { url: '', events: ['content.created'], secret: '', isSecretNew: false };
  assert.equal(withWebhook([one], one, fields).webhooks, [{ ...one, events: ['content.created'] }]);
  assert.equal(withWebhook([one], one, { ...fields, url: 'https://y/', isSecretNew: true }).webhooks, [
    { ...one, url: 'https://y/', events: ['content.created'], secret: { generate: true } },
  ]);
  assert.equal(withWebhook([one], undefined, { ...fields, url: 'https://z/', secret: 'own' }).webhooks, [
    one,
    { url: 'https://z/', events: ['content.created'], secret: 'own' },
  ]);
  assert.equal(withoutWebhook([one], 'a').webhooks, []);
  // What another person changed meanwhile stays, unless both changed the same.
  const theirs = { ...one, events: ['form.submitted'] };
  const asBefore = { ...fields, events: ['*'], url: 'https://y/' };
  assert.equal(withWebhook([theirs], one, asBefore).webhooks, [{ ...theirs, url: 'https://y/' }]);
  assert.is(clashOf([theirs], one, asBefore), undefined);
  assert.is(clashOf([theirs], one, { ...fields, events: theirs.events }), undefined);
  assert.is(clashOf([one], one, fields), undefined);
  assert.equal([clashOf([theirs], one, fields), clashOf([], one, fields)], ['changed', 'gone']);
  const moved = { ...one, url: 'https://w/…', secret: { set: true, last4: 'wxyz' } };
  assert.is(clashOf([moved], one, fields), undefined);
  for (const own of [{ url: 'https://y/' }, { secret: 'own' }, { isSecretNew: true }])
    assert.is(clashOf([moved], one, { ...fields, events: ['*'], ...own }), 'changed');
  assert.equal(groupEvents(['*', 'content.created', 'form.submitted', 'content.deleted']), [
    ['content', ['content.created', 'content.deleted']],
    ['form', ['form.submitted']],
  ]);
});

const says = (page: Page, text: string): Promise<void> =>
  page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor();

test('webhooks are added, tested, edited and deleted, and deliveries are followed', async () => {
  await using receiver = await openReceiver();
  await using admin = await makeAdminWorld();
  await admin.world.admin.post(CONFIG_URL, { allowPrivateTargets: true });
  const { page, complaints } = await admin.signedIn('/settings/webhooks');
  const webhooks = async () => (await admin.world.admin.get(CONFIG_URL)).json.webhooks;

  await page.getByText('No webhooks yet').waitFor();
  await page.getByText('Nothing has been sent yet').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('Address').fill('not an address');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must be an http or https URL').waitFor();
  // Meanwhile another admin saves something: the list is read again and the change repeated.
  await admin.world.admin.post(CONFIG_URL, { timezone: 'Asia/Tokyo' });
  await dialog.getByLabel('Address').fill(`${receiver.url}/in/secret-path`);
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await dialog.getByText('With this secret').waitFor();
  assert.match(await dialog.getByRole('textbox', { name: 'Secret' }).inputValue(), /^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const [added] = await webhooks();
  assert.equal(added.events, ['*']);

  await page.getByRole('button', { name: `Test ${receiver.url}/…` }).dblclick();
  await says(page, 'A ping is on its way');
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.getByRole('row').filter({ hasText: 'ping' }).getByText('Delivered').waitFor();
  assert.is(receiver.got.filter(({ event }) => event === 'ping').length, 1, 'a double click is one test');

  receiver.status = 500;
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: '<b>A</b>' } });
  const row = table.getByRole('row').filter({ hasText: 'content.created' });
  await row.getByText('answered 500').waitFor();
  await row.getByText('Next try').waitFor();
  receiver.status = 200;
  await row.getByRole('button', { name: 'Show' }).click();
  const shown = page.getByRole('dialog', { name: 'Delivery' });
  await shown.getByText('"title": "<b>A</b>"').waitFor();
  await shown.getByRole('button', { name: 'Redeliver' }).click();
  await says(page, 'on its way again');
  await row.getByText('Delivered').waitFor();
  assert.ok(receiver.got.some(({ event }) => event === 'content.created'));

  await page.getByRole('button', { name: `Edit ${receiver.url}/…` }).click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await edit.getByRole('checkbox', { name: 'All events, and those to come' }).uncheck();
  await edit.getByRole('checkbox', { name: 'form.submitted' }).check();
  // Meanwhile another admin changes the same: neither is overwritten.
  await admin.world.admin.post(CONFIG_URL, { webhooks: [{ ...added, events: ['content.created'] }] });
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await edit.getByRole('alert').getByText('another person has changed this webhook meanwhile').waitFor();
  assert.equal(await webhooks(), [{ ...added, events: ['content.created'] }]);
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: `Edit ${receiver.url}/…` }).click();
  await edit.getByRole('checkbox', { name: 'content.created' }).uncheck();
  await edit.getByRole('checkbox', { name: 'form.submitted' }).check();
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await says(page, 'The webhook is changed');
  assert.equal(await webhooks(), [{ ...added, events: ['form.submitted'] }]);

  await page.getByLabel('State').selectOption('failed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: `Delete ${receiver.url}/…` }).click();
  await page.getByRole('alertdialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  const add = page.getByRole('button', { name: 'Add webhook' });
  assert.ok(await add.evaluate((one) => one === one.ownerDocument.activeElement));
  assert.equal(await webhooks(), []);
  await table.getByText('webhook removed').first().waitFor();
  assertQuiet(complaints, /status of (400|412)/);
});

test('axe-core finds no fault and nothing scrolls sideways', async () => {
  await using receiver = await openReceiver();
  await using admin = await makeAdminWorld();
  const webhooks = [{ url: `${receiver.url}/a`, events: ['content.created', 'media.uploaded'] }];
  await admin.world.admin.post(CONFIG_URL, { allowPrivateTargets: true, webhooks });
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/settings/webhooks', look);
    await page.getByRole('table', { name: 'Deliveries' }).waitFor();
    await assertAccessible(page, 'webhooks', look);
    await page.getByRole('button', { name: `Edit ${receiver.url}/…` }).click();
    await assertAccessible(page, 'edit', look);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('dialog').getByText('"event"').waitFor();
    await assertAccessible(page, 'delivery', look);
    assertQuiet(complaints);
  }
});

test.run();
