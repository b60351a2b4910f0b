// A write whose answer is lost on the way: what became of it is read again and said, and nothing is done twice.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, LostError, OfflineError } from '../../src/admin/api/client.ts';
import { untilTrue } from '../support/browser.ts';
import { gif, upload } from '../support/upload.ts';
import { CONFIG, opened, send, statusOf, submissions } from './inbox-world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const LOST = /ERR_FAILED|ERR_CONNECTION/;
const said = (page: Page) => page.getByRole('alert').getByText('No answer came. It may have been done all the same');

/** The service gets each request of a method at these addresses, and the page none of the answers; counts them. */
async function cut(page: Page, method: string, addresses: string) {
  const cuts = { count: 0, mend: () => page.unroute(addresses) };
  await page.route(addresses, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    cuts.count++;
    await route.fetch();
    await route.abort('connectionclosed');
  });
  return cuts;
}

test('only a write that left the device may have been carried out, and a proxy that gave up knows nothing of it', async () => {
  let isOff = false;
  let lost = 0;
  let answer: () => Promise<Response> = () => Promise.reject(new TypeError('network'));
  const request = createClient({
    fetch: () => answer(),
    site: () => undefined,
    signInAgain: async () => undefined,
    isSignedIn: () => true,
    onConnection: () => undefined,
    pause: async () => undefined,
    isOff: () => isOff,
    onLost: () => void lost++,
  });
  const failure = async (...args: Parameters<typeof request>): Promise<unknown> => request(...args).catch((e) => e);
  for (const method of ['PATCH', 'PUT', 'POST', 'DELETE'] as const) {
    assert.instance(await failure(method, '/api/x', method === 'DELETE' ? {} : { body: {} }), LostError, method);
  }
  assert.is(lost, 4);
  for (const url of ['/api/auth/login', '/api/x']) {
    const error = await failure(url === '/api/x' ? 'GET' : 'POST', url);
    assert.instance(error, OfflineError);
    assert.not(error instanceof LostError);
  }
  isOff = true;
  assert.not((await failure('PATCH', '/api/x', { body: {} })) instanceof LostError);
  isOff = false;
  answer = async () =>
    new Response('<h1>Gateway timeout</h1>', { status: 504, headers: { 'content-type': 'text/html' } });
  assert.instance(await failure('PATCH', '/api/x', { body: {} }), LostError);
  assert.is(lost, 5);
  const body = JSON.stringify({ error: 'it failed', code: 'upstream_failed' });
  answer = async () => new Response(body, { status: 502, headers: { 'content-type': 'application/json' } });
  assert.not((await failure('PATCH', '/api/x', { body: {} })) instanceof LostError);
  assert.is(lost, 5);
});

test('a submission that was archived without an answer is seen as archived', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const ada = await send(admin.world, 'Ada');
  await send(admin.world, 'Bob');
  const { page, complaints } = await admin.signedIn(`/forms/contact/${ada}?status=read`);
  await opened(page).getByRole('heading', { name: 'Ada' }).waitFor();
  await submissions(page).getByRole('link', { name: /Ada/ }).waitFor();
  const cuts = await cut(page, 'PATCH', '**/submissions/*');
  await opened(page).getByRole('button', { name: 'Archive' }).click();
  await said(page).waitFor();
  assert.is(await page.getByText('stays as it was').count(), 0);
  await submissions(page).getByRole('link', { name: /Ada/ }).waitFor({ state: 'detached' });
  assert.is(await statusOf(admin.world, ada), 'archived');
  assert.is(cuts.count, 1);
  await page.getByRole('tab', { name: 'Archived' }).click();
  await submissions(page).getByRole('link', { name: /Ada/ }).waitFor();
  assertQuiet(complaints, LOST);
});

test('settings that were saved without an answer are no longer unsaved; a webhook is not added twice', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const { page, complaints } = await admin.signedIn('/settings');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tokyo');
  let cuts = await cut(page, 'POST', '**/api/admin/site-config');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('saved').waitFor();
  await page.getByRole('status', { name: 'Settings state' }).getByText('unsaved').waitFor({ state: 'detached' });
  assert.is((await world.admin.get('/api/admin/site-config')).json.timezone, 'Asia/Tokyo');
  assert.is(await page.getByRole('alert').count(), 0);
  await cuts.mend();

  await page.goto(`${world.url}/admin/settings/webhooks`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('Address').fill('https://hooks.example/in');
  cuts = await cut(page, 'POST', '**/api/admin/site-config');
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await page.getByRole('alert').getByText('No answer came').waitFor();
  await cuts.mend();
  await page.waitForTimeout(1500);
  // As people do who did not read it.
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await untilTrue(page, `document.querySelectorAll('ul.webhooks > li').length === 1`);
  assert.is((await world.admin.get('/api/admin/site-config')).json.webhooks.length, 1);
  assertQuiet(complaints, LOST);
});

test('a file that was renamed without an answer has its new name in the library, and was renamed once', async () => {
  await using admin = await makeAdminWorld();
  await upload(admin.world.admin, 'a.gif', gif(1));
  const { page, complaints } = await admin.signedIn('/media?file=images/a.gif');
  await page.getByRole('button', { name: 'Rename or move' }).click();
  const move = page.getByRole('dialog', { name: 'Rename or move' });
  await move.getByLabel('Name').fill('b');
  const cuts = await cut(page, 'PATCH', '**/api/media/**');
  await move.getByRole('button', { name: 'Move' }).click();
  await said(page).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'b.gif' }).waitFor();
  assert.is(cuts.count, 1);
  assertQuiet(complaints, /ERR_FAILED|ERR_CONNECTION|status of 404/);
});

test('a document whose answer was lost is saved by itself, and an empty queue says nothing of a break', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const { page, complaints } = await admin.signedIn('/content/posts/a');
  await page.locator('[id="field-data.title"]').fill('B');
  await cut(page, 'PATCH', '**/api/cms/posts/a');
  await page.getByRole('toolbar', { name: 'Document' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status', { name: 'Save state' }).getByText('All changes saved').waitFor();
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.title, 'B');

  await page.goto(`${world.url}/admin/curation`);
  await page.getByText('Nothing waits').waitFor();
  await page.route('**/api/cms/curation*', (route) => route.abort('connectionclosed'));
  const asked = page.waitForRequest('**/api/cms/curation*');
  await page.context().setOffline(true);
  await page.getByRole('status', { name: 'Connection' }).waitFor();
  await page.context().setOffline(false);
  await asked;
  await page.getByRole('status', { name: 'Connection' }).waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
  assert.is(await page.getByRole('alert').count(), 0);
  assertQuiet(complaints, /ERR_FAILED|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED/);
});

test.run();
