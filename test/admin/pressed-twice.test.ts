// Two presses where one was meant, a dialog that is closed while its request runs, and answers that are lost: nothing
// happens twice, and nothing fails in silence.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../src/admin/api/client.ts';
import { toSentence } from '../../src/admin/api/sentence.ts';
import { CONFIG, opened, send, statusOf, submissions, until } from './inbox-world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const USERS = '/api/admin/users';
/** What the tests provoke. */
const PROVOKED = /status of 500|ERR_CONNECTION/;

const addUser = (page: Page) => page.getByRole('dialog', { name: 'Add user' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function fillUser(page: Page, name: string): Promise<void> {
  await addUser(page).getByLabel('Name').fill(name);
  await addUser(page).getByLabel('E-mail').fill(`${name.toLowerCase()}@example.com`);
}

test('a refusal says when to try again, and which request to report', () => {
  const refusal = (status: number, headers: Record<string, string>) =>
    toSentence(new ApiError(status, { error: 'no' }, new Headers(headers)));
  assert.is(refusal(429, { 'retry-after': '3' }), 'No. Try again in 3 seconds.');
  assert.is(refusal(500, { 'x-request-id': 'r1' }), 'No. Request r1.');
  assert.is(refusal(409, { 'x-request-id': 'r1' }), 'No');
});

test('a double click archives one submission, and opens a dialog instead of closing it', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  const ids = [await send(world, 'Ines'), await send(world, 'Jo')];
  const { page, complaints } = await admin.signedIn('/forms/contact');
  await submissions(page).getByRole('link').first().click();
  await button(page, 'Archive').dblclick();
  await until(async () => (await statusOf(world, ids[1]!)) === 'archived');
  await opened(page).getByRole('heading', { name: 'Ines' }).waitFor();
  await page.waitForTimeout(300);
  assert.is(await statusOf(world, ids[0]!), 'read');

  await page.goto(`${world.url}/admin/team`);
  await button(page, 'Add user').dblclick();
  await fillUser(page, 'Grace');
  assertQuiet(complaints);
});

test('a user whose answer was lost is not added twice, and a dialog stays while its link is made', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const { page, complaints } = await admin.signedIn('/team');
  let count = 0;
  const gate = Promise.withResolvers<void>();
  await page.route(`**${USERS}/invite`, async (route) => {
    const answer = await route.fetch();
    if (++count === 1) return route.abort('connectionreset');
    await gate.promise;
    await route.fulfill({ response: answer });
  });
  await button(page, 'Add user').click();
  await fillUser(page, 'Grace');
  await addUser(page).getByRole('button', { name: 'Add user' }).click();
  await until(async () => count === 2);
  await page.keyboard.press('Escape');
  gate.resolve();
  await addUser(page).getByRole('textbox', { name: 'Invitation link' }).waitFor();
  const { users } = (await world.admin.get(USERS)).json;
  assert.is(users.length, 2);
  await button(page, 'Done').click();

  // What fails after its form was closed is said beside the page.
  await page.unrouteAll();
  const late = Promise.withResolvers<void>();
  await page.route(`**${USERS}/invite`, async (route) => {
    await late.promise;
    await route.fulfill({ status: 500, json: { error: 'it broke', code: 'internal' } });
  });
  await button(page, 'Add user').click();
  await fillUser(page, 'Late');
  await addUser(page).getByRole('button', { name: 'Add user' }).click();
  await addUser(page).getByRole('button', { name: 'Cancel' }).click();
  late.resolve();
  await page.getByRole('alert').getByText('It broke').waitFor();
  assertQuiet(complaints, PROVOKED);
});

test.run();
