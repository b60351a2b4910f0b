// A new instance, made by the wizard against a recorder of Fly's API.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS } from '../support/browser.ts';
import { FLY_TOKEN, type RecordedFly, startFly } from '../support/hosts/fly.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const PATH = '/deploy/docker';
/** Refusals that the tests provoke. */
const REFUSED = /status of 400/;

interface WizardWorld extends AdminWorld {
  fly: RecordedFly;
}

async function makeWizardWorld(env: Record<string, string> = { CMS_PROVISION_IMAGE: 'colophon-image:1' }) {
  const fly = await startFly();
  const admin = await makeAdminWorld({ env: { FLY_API_URL: fly.url, ...env } });
  const world: WizardWorld = {
    ...{ ...admin, fly },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await fly[Symbol.asyncDispose]();
    },
  };
  return world;
}

const stepOf = (page: Page) => page.getByRole('list', { name: 'Steps' }).locator('[aria-current="step"]');
const progressOf = (page: Page) => page.getByRole('log', { name: 'Progress' });
const isFocused = (page: Page, label: string) =>
  page.evaluate(`document.activeElement?.labels?.[0]?.textContent === '${label}'`);
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

async function toDeploy(page: Page, appName: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Template' }).waitFor();
  await proceed(page);
  await page.getByLabel('App name').fill(appName);
  await proceed(page);
  await page.getByLabel('Token').fill(FLY_TOKEN);
  await proceed(page);
  await page.getByRole('button', { name: 'Deploy', exact: true }).waitFor();
}

test('four steps by keyboard make an instance; what is wrong is said at its field, and a reload finds it again', async () => {
  await using admin = await makeWizardWorld({});
  const { fly } = admin;
  fly.organizations = ['personal', 'studio'];
  fly.foreign.add('taken');
  const { page, complaints } = await admin.signedIn(PATH);
  await page.getByRole('heading', { level: 1, name: 'New instance' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Template' }).waitFor();
  assert.is(await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').count(), 4);
  const radios = page.getByRole('radiogroup', { name: 'Template' }).getByRole('radio');
  assert.is(await radios.count(), 12);
  await radios.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.ok(await radios.first().isChecked());
  await page.keyboard.press('Enter');

  await stepOf(page).getByText('Configure').waitFor();
  assert.is(await page.getByLabel('Region').inputValue(), 'arn');
  await page.getByLabel('Region').selectOption('sea');
  await page.getByLabel('App name').fill('half-typed');
  await page.reload();
  await stepOf(page).getByText('Configure').waitFor();
  const typed = ['App name', 'Region'].map((label) => page.getByLabel(label).inputValue());
  assert.equal(await Promise.all(typed), ['half-typed', 'sea']);
  await page.getByLabel('App name').fill('Ada Blog');
  await page.getByLabel('Admin e-mail').fill('ada');
  await page.keyboard.press('Enter');
  await page.getByText(/^Must be lower-case letters/).waitFor();
  assert.is(await page.locator('[aria-invalid="true"]').count(), 3);
  assert.ok(await isFocused(page, 'App name'));
  await page.getByLabel('App name').fill('taken');
  await page.getByLabel('Admin e-mail').fill('ada@example.org');
  await page.getByLabel('Image').fill('colophon-image:1');
  await page.getByLabel('Region').selectOption('sin');
  await page.keyboard.press('Enter');

  await stepOf(page).getByText('Connect').waitFor();
  await page.getByLabel('Token').fill('not-the-token');
  assert.is(await page.getByLabel('Token').getAttribute('type'), 'password');
  await page.keyboard.press('Enter');
  await page.getByText(/^Fly refuses this token/).waitFor();
  await page.getByLabel('Token').fill(FLY_TOKEN);
  await page.keyboard.press('Enter');
  // The name is another one's: back to where it stands.
  await page.getByText(/^Someone else has this name/).waitFor();
  assert.ok(await isFocused(page, 'App name'));
  await page.getByLabel('App name').fill('ada-blog');
  await page.keyboard.press('Enter');
  await stepOf(page).getByText('Connect').waitFor();
  await page.getByLabel('Token').focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Choose the organisation/).waitFor();
  await page.getByLabel('Organisation').selectOption('studio');
  await proceed(page);

  await stepOf(page).getByText('Deploy').waitFor();
  await page.getByText('https://ada-blog.fly.dev').waitFor();
  assert.is(fly.apps.size, 0);
  fly.pollsToStart = 1_000_000;
  // The token is not kept, so a reload asks for it again; all the rest is there.
  await page.reload();
  await stepOf(page).getByText('Connect').waitFor();
  assert.is(await page.getByLabel('Token').inputValue(), '');
  await page.getByLabel('Token').fill(FLY_TOKEN);
  await proceed(page);
  await page.getByText('https://ada-blog.fly.dev').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await stepOf(page).getByText('Connect').waitFor();
  await proceed(page);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await progressOf(page).getByText('Waiting for the service').waitFor();
  // Neither the address nor anything that the browser keeps has the token.
  const kept =
    'JSON.stringify([location.href, {...localStorage}, {...sessionStorage}, document.documentElement.outerHTML])';
  assert.not.match(String(await page.evaluate(kept)), FLY_TOKEN);

  // Without its address too: the page looks for what is under way.
  await page.goto(`${admin.world.url}/admin${PATH}`);
  await progressOf(page).getByText('App "ada-blog" is made').waitFor();
  await progressOf(page).getByText('Waiting for the service').waitFor();
  fly.pollsToStart = 1;
  await page.getByRole('heading', { name: 'The new instance is ready' }).waitFor();
  await page.reload();
  const setup = await page.getByRole('link', { name: 'Set up its first account' }).getAttribute('href');
  assert.match(String(setup), /^https:\/\/ada-blog\.fly\.dev\/admin\/setup\?token=.+&email=ada%40example\.org$/);
  assert.is(fly.apps.get('ada-blog')?.organization, 'studio');
  assertQuiet(complaints, REFUSED);
});

test('in two tabs one instance is made; a begin without an answer is found again', async () => {
  await using admin = await makeWizardWorld();
  const { fly } = admin;
  const { page, complaints } = await admin.signedIn(PATH);
  await toDeploy(page, 'ada-blog');
  const other = await page.context().newPage();
  await other.goto(`${admin.world.url}/admin${PATH}`);
  await toDeploy(other, 'ada-blog');

  let begins = 0;
  await page.route('**/api/admin/provision', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    begins++;
    await route.fetch();
    await route.abort('connectionclosed');
  });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await progressOf(page).getByText('App "ada-blog" is made').waitFor();
  assert.is(begins, 2, 'by one key');
  assert.is(await page.getByRole('alert').count(), 0);
  await other.getByRole('button', { name: 'Deploy', exact: true }).click();
  // Nothing is made a second time for an instance that is there already.
  await progressOf(other).getByText('App "ada-blog" exists').waitFor();
  const { provisions } = (await admin.world.admin.get('/api/admin/provision')).json;
  assert.equal([provisions.length, fly.apps.size], [1, 1]);
  assertQuiet(complaints, /ERR_FAILED|ERR_CONNECTION|status of 409/);
});

test('it is stopped and removed only after it is said what goes; a failure says why, and is tried again', async () => {
  await using admin = await makeWizardWorld();
  const { fly, world } = admin;
  const { page, complaints } = await admin.signedIn(PATH);
  await toDeploy(page, 'ada-blog');
  fly.pollsToStart = 1_000_000;
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await progressOf(page).getByText('Waiting for the service').waitFor();
  const stop = page.getByRole('button', { name: 'Stop and remove' });
  await stop.click();
  const question = page.getByRole('alertdialog', { name: 'Stop and remove' });
  for (const text of ['https://ada-blog.fly.dev', '1 machine', '1 volume', '2 IP addresses']) {
    await question.getByText(text).waitFor();
  }
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.is(fly.apps.size, 1);
  // A removal that is refused after its question was closed says so.
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/admin/provision/*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await gate.promise;
    await route.fulfill({ status: 409, json: { error: 'it is busy' } });
  });
  await stop.click();
  await question.getByRole('button', { name: 'Stop and remove' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  gate.resolve();
  await page.getByRole('alert').getByText('It is busy').waitFor();
  await page.unrouteAll();
  await stop.click();
  await question.getByRole('button', { name: 'Stop and remove' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('“ada-blog” is removed.').waitFor();
  assert.is(fly.apps.size, 0);
  await stepOf(page).getByText('Template').waitFor();

  fly.pollsToStart = 1;
  fly.fullRegions.add('arn');
  await toDeploy(page, 'ada-shop');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('heading', { name: 'It ended before it was done' }).waitFor();
  await page.getByRole('main').getByRole('alert').waitFor();
  fly.fullRegions.clear();
  await page.route('**/api/admin/provision', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'it broke' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').getByText('It broke').waitFor();
  await page.unrouteAll();
  // The token of this page is still there; one of an earlier page would be asked for.
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'The new instance is ready' }).waitFor();
  assertQuiet(complaints, /status of (409|500)/);

  // After a restart of the service nobody has the token: a removal asks for it.
  await world.restart();
  await page.goto(`${world.url}/admin${PATH}`);
  await page.getByRole('button', { name: 'Remove ada-shop' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Remove' });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('Paste a token.').waitFor();
  await dialog.getByLabel('Token').fill(FLY_TOKEN);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('“ada-shop” is removed.').waitFor();
  assert.is(fly.apps.size, 0);

  // An answer that comes late takes nobody back from another screen.
  await toDeploy(page, 'ada-late');
  const late = Promise.withResolvers<void>();
  await page.route('**/api/admin/provision', async (route) => {
    await late.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('link', { name: 'Trash', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  late.resolve();
  for (let n = 0; n < 200 && fly.apps.size === 0; n++) await page.waitForTimeout(50);
  await page.waitForTimeout(500);
  assert.match(page.url(), /\/admin\/trash$/);
});

test('axe-core finds no fault in the wizard, in both themes, on phones and desktops', async () => {
  await using admin = await makeWizardWorld({});
  const { fly } = admin;
  fly.organizations = ['personal', 'studio'];
  for (const [at, look] of LOOKS.entries()) {
    const { page } = await admin.signedIn(PATH, look);
    await page.getByRole('radiogroup', { name: 'Template' }).waitFor();
    await assertAccessible(page, 'template', look);
    await proceed(page);
    await page.getByLabel('App name').waitFor();
    await proceed(page);
    await page.getByText(/^Must be lower-case letters/).waitFor();
    await assertAccessible(page, 'configure', look);
    await page.getByLabel('App name').fill(`ada-${'long-'.repeat(8)}${at}`);
    await page.getByLabel('Image').fill('colophon-image:1');
    await proceed(page);
    await page.getByLabel('Token').fill(FLY_TOKEN);
    await proceed(page);
    await page.getByLabel('Organisation').selectOption('studio');
    await assertAccessible(page, 'connect', look);
    await proceed(page);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('heading', { name: 'The new instance is ready' }).waitFor();
    await assertAccessible(page, 'ready', look);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog', { name: 'Remove' }).getByText('1 machine').waitFor();
    await assertAccessible(page, 'remove', look);
  }
});

test.run();
