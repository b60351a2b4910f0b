// The frame around every screen: keys, menus, theme, live changes, and what a slow or lost connection shows.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { PASSWORD } from '../support/world.ts';
import { assertAccessible, assertQuiet, makeAdminWorld, signIn } from './world.ts';

test('the dashboard follows what others do, without a reload', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  const changes = page.getByRole('region', { name: 'Recent changes' });
  await changes.getByText('Nothing has been changed yet').waitFor();
  for (const name of ['Scheduled', 'Your drafts', 'Deploy', 'Health']) {
    await page.getByRole('region', { name }).waitFor();
  }
  // The stream of events has begun once a first change arrived; a change before that would be in the first reading.
  const post = { slug: 'tides', data: { title: 'Tides & <b>moons</b>' }, publishAt: '2126-12-01T09:00:00Z' };
  assert.is((await admin.world.admin.post('/api/cms/posts', post)).status, 200);
  await changes.getByText('Tides & <b>moons</b>').waitFor();
  await changes.getByText(/Ada created/).waitFor();
  assertQuiet(complaints);
});

test('a page has one heading of level 1 also before its first screen is there', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/login');
  const gate = Promise.withResolvers<void>();
  await page.route('**/admin/assets/trash-*.js', async (route) => {
    await gate.promise;
    await route.continue();
  });
  const headings = page.getByRole('heading', { level: 1 });
  await page.goto(`${admin.world.url}/admin/trash`, { waitUntil: 'commit' });
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await headings.getByText('Loading').waitFor();
  assert.is(await headings.count(), 1);
  gate.resolve();
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  assert.is(await headings.count(), 1);
  // The next one is waited for behind the one before.
  await page.getByRole('link', { name: 'Media', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
  assert.is(await headings.count(), 1);
  assertQuiet(complaints);
});

test('everything in the shell works by keyboard, and the focus comes back', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Tab');
  // The focus moves once the browser has drawn what it moves to.
  const untilIs = async (script: string, expected: string): Promise<void> => {
    for (let n = 0; n < 50 && (await page.evaluate(script)) !== expected; n++) await page.waitForTimeout(50);
    assert.is(await page.evaluate(script), expected);
  };
  const untilFocused = (text: string) => untilIs('document.activeElement?.textContent?.trim()', text);
  const untilInContent = () => untilIs('document.activeElement?.id', 'content');
  await untilFocused('Skip to content');
  await page.keyboard.press('Enter');
  await untilInContent();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.waitFor();
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
  assert.is(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
  await untilInContent();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  const menu = page.getByRole('button', { name: 'Account menu' });
  await menu.focus();
  await page.keyboard.press('ArrowDown');
  await untilFocused('Light');
  await page.keyboard.press('End');
  await untilFocused('Sign out');
  await page.keyboard.press('s');
  await untilFocused('System');
  await page.keyboard.press('Escape');
  assert.is(await page.evaluate("document.activeElement?.getAttribute('aria-label')"), 'Account menu');
  assertQuiet(complaints);
});

test('the chosen theme is there before the first paint of the next visit', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.signedIn('', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const html = (await admin.world.anonymous.get('/admin', { cookie })).text;
  assert.match(html, /<html lang="en" data-theme="dark">/);
  await page.getByRole('button', { name: 'Account menu' }).click();
  assert.is(await page.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked'), 'true');
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  assert.match((await admin.world.anonymous.get('/admin', {})).text, /<html lang="en">/);
});

test('offline says so and keeps what is there; the connection brings what was missed', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.signedIn();
  const changes = page.getByRole('region', { name: 'Recent changes' });
  await changes.getByText('Nothing has been changed yet').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('status', { name: 'Connection' }).waitFor();
  assert.ok(await changes.isVisible());
  await admin.world.admin.post('/api/cms/posts', { slug: 'meanwhile', data: { title: 'Meanwhile' } });
  await page.context().setOffline(false);
  await changes.getByText('Meanwhile').waitFor();
  await page.getByRole('status', { name: 'Connection' }).waitFor({ state: 'detached' });
});

test('after signing out by the palette, the next user of the page sees nothing of the one before', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.user('viewer');
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Seen by Ada' } });
  const { page } = await admin.signedIn();
  await page.getByText('Seen by Ada').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sign out');
  await page.getByRole('option', { name: /^Sign out/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  // The answers of the service for the next user never come.
  await page.route('**/api/cms/**', () => undefined);
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('region', { name: 'Health' }).getByText('Everything is well').waitFor();
  assert.is(await page.getByText('Seen by Ada').count(), 0);
});

test('a viewer sees what a viewer may see, and nothing else is asked for', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('region', { name: 'Health' }).waitFor();
  await page.waitForLoadState('load');
  assert.equal(refused, []);
  assertQuiet(complaints);
});

test('a screen that cannot be loaded without a connection says so, and comes once there is one', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.signedIn();
  await page.getByRole('region', { name: 'Health' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  assert.is(await page.getByText('Colophon was updated').count(), 0);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Users' }).waitFor();
  assert.is(await page.title(), 'Team · Colophon');
});

test('a screen whose file is gone after an upgrade says so, with a button that loads the new one', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.open('/login');
  const gone = '**/dashboard-*.js';
  await page.route(gone, (route) => route.fulfill({ status: 404, body: '{}' }));
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Colophon was updated' }).waitFor();
  await page.unroute(gone);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
});

test('on a phone a button that names the screen opens the navigation, by keyboard too', async () => {
  await using admin = await makeAdminWorld();
  const look = { colorScheme: 'light', viewport: { width: 320, height: 640 } } as const;
  const { page, complaints } = await admin.signedIn('', look);
  const nav = page.getByRole('navigation', { name: 'Main' });
  const button = nav.getByRole('button');
  const isFocused = () => button.evaluate((element) => element === element.ownerDocument.activeElement);
  const untilLinks = async (count: number): Promise<void> => {
    for (let n = 0; n < 100 && (await nav.getByRole('link').count()) !== count; n++) await page.waitForTimeout(50);
    assert.is(await nav.getByRole('link').count(), count);
  };
  await nav.getByRole('button', { name: 'Menu: Dashboard' }).focus();
  assert.is(await nav.getByRole('link').count(), 0);
  await page.keyboard.press('Enter');
  await nav.getByRole('link', { name: 'Calendar' }).waitFor();
  assert.is(await button.getAttribute('aria-expanded'), 'true');
  await assertAccessible(page, 'the navigation', look);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await untilLinks(0);
  assert.ok(await isFocused());

  await page.keyboard.press('Enter');
  await nav.getByRole('link', { name: 'Calendar' }).focus();
  await page.keyboard.press('Enter');
  await nav.getByRole('button', { name: 'Menu: Calendar' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  await untilTrue(page, "document.activeElement?.tagName === 'H1'");
  assert.is(await button.getAttribute('aria-expanded'), 'false');

  // One is there already: nothing new takes the focus.
  await button.click();
  await nav.getByRole('link', { name: 'Calendar' }).click();
  assert.ok(await isFocused());
  await button.click();
  await untilTrue(page, `document.querySelector('.nav-panel').checkVisibility()`);
  // It is listened to from the next frame on.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
  await page.mouse.click(100, 20);
  await untilLinks(0);

  await page.setViewportSize({ width: 1280, height: 800 });
  await nav.getByRole('link', { name: 'Calendar' }).waitFor();
  assert.is(await button.count(), 0);
  assertQuiet(complaints);
});

test('what is chosen is seen in the colours of the system', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('', { forcedColors: 'active' });
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option').nth(1).waitFor();
  const colourOf = (isChosen: boolean): Promise<string> =>
    page.evaluate(
      `getComputedStyle(document.querySelector('[role=option][aria-selected=${isChosen}]')).backgroundColor`,
    );
  assert.is.not(await colourOf(true), await colourOf(false));

  assertQuiet(complaints);
});

test.run();
