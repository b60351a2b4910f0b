// One's own account, as its owner meets it.
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toDeviceName } from '../../src/admin/screens/account/device-name.ts';
import { listGrantable } from '../../src/admin/screens/account/permissions.ts';
import { toFontSize } from '../../src/admin/shell/scale.ts';
import { LOOKS } from '../support/browser.ts';
import { type Client, PASSWORD } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, EMAIL, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const NEW_PASSWORD = 'a battery and a staple';

test('browsers and systems have the names that people call them by', () => {
  const names: [userAgent: string, browser: string | undefined, system: string | undefined][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge', 'Windows'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome', 'Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari', 'iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari', 'macOS'],
    ['curl/8.14.1', 'curl', undefined],
    ['', undefined, undefined],
  ];
  for (const [userAgent, browser, system] of names) {
    assert.equal(toDeviceName(userAgent), { browser, system }, userAgent);
  }
});

test('a token may get the smaller permissions that a larger one contains', () => {
  assert.equal(listGrantable(['media:read', 'content:write']), ['content:draft', 'content:write', 'media:read']);
  assert.equal(listGrantable(['content:read', 'content:read-published']), ['content:read', 'content:read-published']);
});

test('a scale is the size of the root, within what can be used', () => {
  assert.is(toFontSize(100), '');
  assert.is(toFontSize(125), '125%');
  assert.is(toFontSize(1), '50%');
  assert.is(toFontSize(1000), '300%');
});

test('people keep their account: profile, scale, tokens, sessions and one-time codes', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  assert.is(await page.title(), 'Account · Colophon');

  await changeScale(page, admin);
  await makeTokenByKeyboard(page, admin);
  await revokeTokens(page, admin.world.admin);
  await endSession(page, admin.world.admin);
  await changeProfile(page, admin);
  await turnCodesOnAndOff(page);
  await findMcpAddress(page, admin.world.url);
  await page.getByRole('table', { name: 'Sessions' }).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.is(await page.evaluate('document.documentElement.style.fontSize'), '');
  assertQuiet(complaints, /status of 400/);
});

async function changeScale(page: Page, admin: AdminWorld): Promise<void> {
  const sizeOf = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).fontSize');
  assert.is(await sizeOf(), '16px');
  await page.getByLabel('Scale').fill('125');
  await page.keyboard.press('Tab');
  await messagesOf(page).getByText('The scale is 125 %').waitFor();
  assert.is(await sizeOf(), '20px');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  assert.is(await sizeOf(), '20px');
  assert.is(await page.getByLabel('Scale').inputValue(), '125');
  await page.getByLabel('Scale').fill('5');
  await page.keyboard.press('Enter');
  assert.is((await admin.world.admin.get('/api/admin/profile')).json.user.zoom, 125);
  await page.getByLabel('Scale').fill('100');
  await page.keyboard.press('Enter');
  await messagesOf(page).getByText('The scale is 100 %').waitFor();
  assert.is(await sizeOf(), '16px');
}

async function makeTokenByKeyboard(page: Page, { world }: AdminWorld): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.waitFor();
  await page.keyboard.type(`Importer ${HOSTILE}`);
  await page.keyboard.press('Enter');
  await dialog.getByText('Choose at least one permission').waitFor();
  const checkbox = dialog.getByRole('checkbox', { name: 'content:read', exact: true });
  for (let n = 0; n < 30 && !(await isFocused(checkbox)); n++) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const token = dialog.getByRole('textbox', { name: 'Token' });
  await token.waitFor();
  assert.ok(await isFocused(token));
  const value = await token.inputValue();
  assert.match(value, /^cms_[0-9a-f]{64}$/);
  const bearer = world.client({ authorization: `Bearer ${value}` });
  assert.is((await bearer.get('/api/cms/posts')).status, 200);
  assert.is((await bearer.post('/api/cms/posts', { data: { title: 'A' } })).status, 403);
  // A slip of a key does not take away what nobody can show again.
  await page.keyboard.press('Escape');
  assert.is(await token.inputValue(), value);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await messagesOf(page).getByText('Copied.').waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), value);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await isFocused(page.getByRole('button', { name: 'New token' })));
  assert.not.match(await page.content(), value);
  await page
    .getByRole('list', { name: 'Access tokens' })
    .getByText(`${value.slice(0, 10)}…${value.slice(-4)}`)
    .waitFor();
}

async function revokeTokens(page: Page, client: Client): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByLabel('Name').fill('Agent');
  await dialog.getByRole('checkbox', { name: 'content:draft' }).check();
  await dialog.getByLabel('Used by').selectOption('ai');
  await dialog.getByLabel('End date').fill('2999-12-31');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const [agent] = (await client.get('/api/admin/access-tokens')).json.tokens.filter(
    ({ name }: { name: string }) => name === 'Agent',
  );
  assert.is(agent.actor, 'ai');
  assert.is(agent.notAfter, '2999-12-31T23:59:59.000Z');
  await page.getByRole('list', { name: 'Access tokens' }).getByText('ends 31 Dec 2999').waitFor();

  const button = page.getByRole('button', { name: 'Revoke Agent' });
  await button.click();
  const question = page.getByRole('alertdialog', { name: 'Revoke' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await button.click();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await messagesOf(page).getByText('“Agent” is revoked').waitFor();
  await button.waitFor({ state: 'detached' });
  const left = (await client.get('/api/admin/access-tokens')).json.tokens;
  assert.equal(
    left.map(({ name }: { name: string }) => name),
    [`Importer ${HOSTILE}`],
  );
}

async function endSession(page: Page, client: Client): Promise<void> {
  const table = page.getByRole('table', { name: 'Sessions' });
  const own = table.getByRole('row').filter({ hasText: 'This browser' });
  await own.getByText('Chrome').waitFor();
  assert.is(await own.count(), 1);
  const other = table
    .getByRole('row')
    .filter({ has: page.getByRole('button') })
    .filter({ hasNotText: 'This browser' });
  assert.is(await other.count(), 1);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitFor({ state: 'detached' });
  assert.is((await client.get('/api/admin/profile')).status, 401);
}

async function changeProfile(page: Page, { world }: AdminWorld): Promise<void> {
  const profile = page.getByRole('region', { name: 'Profile' });
  const save = profile.getByRole('button', { name: 'Save profile' });
  await profile.getByLabel('Name').fill(`Ada ${HOSTILE}`);
  await save.click();
  await messagesOf(page).getByText('Your profile is saved').waitFor();
  await profile.getByLabel('New password').fill(NEW_PASSWORD);
  await profile.getByLabel('E-mail').fill('countess@example.com');
  await profile.getByLabel('Current password').fill('not the password');
  await save.click();
  await profile.getByRole('alert').waitFor();
  assert.is(await profile.getByLabel('Current password').getAttribute('aria-invalid'), 'true');
  assert.is(await profile.getByLabel('New password').inputValue(), NEW_PASSWORD);
  const login = (email: string, password: string) => world.anonymous.post('/api/auth/login', { email, password });
  assert.is((await login(EMAIL, PASSWORD)).status, 200);

  await profile.getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await messagesOf(page).getByText('1 access token still works').waitFor();
  assert.is(await profile.getByRole('alert').count(), 0);
  assert.is(await profile.getByLabel('New password').inputValue(), '');
  assert.is((await login(EMAIL, PASSWORD)).status, 401);
  assert.is((await login('countess@example.com', PASSWORD)).status, 401);
  await page.reload();
  assert.is(await profile.getByLabel('E-mail').inputValue(), 'countess@example.com');
  assert.is(await profile.getByLabel('Name').inputValue(), `Ada ${HOSTILE}`);
}

async function turnCodesOnAndOff(page: Page): Promise<void> {
  const region = page.getByRole('region', { name: 'One-time codes' });
  await region.getByRole('button', { name: 'Turn on' }).click();
  const on = page.getByRole('dialog', { name: 'Turn on one-time codes' });
  await on.getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await on.getByRole('alert').waitFor();
  await on.getByLabel('Current password').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  const secret = await on.getByRole('textbox', { name: 'Secret' }).inputValue();
  assert.match((await on.getByRole('link').getAttribute('href')) ?? '', /^otpauth:\/\/totp\//);
  await on.getByLabel('One-time code').fill('123');
  await page.keyboard.press('Enter');
  await on.getByRole('alert').waitFor();
  await on.getByLabel('One-time code').fill(new TOTP({ secret }).generate());
  await page.keyboard.press('Enter');
  const codes = on.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  assert.is(await codes.count(), 10);
  const recoveryCode = (await codes.first().textContent()) ?? '';
  await on.getByRole('button', { name: 'I have kept them' }).click();
  await region.getByText('10 recovery codes are left').waitFor();

  await region.getByRole('button', { name: 'Turn off' }).click();
  const off = page.getByRole('dialog', { name: 'Turn off one-time codes' });
  await off.getByLabel('Current password').fill(NEW_PASSWORD);
  await off.getByLabel('One-time code').fill('000000');
  await page.keyboard.press('Enter');
  await off.getByRole('alert').waitFor();
  await off.getByLabel('One-time code').fill(recoveryCode);
  await page.keyboard.press('Enter');
  await region.getByText('They are off').waitFor();
}

async function findMcpAddress(page: Page, url: string): Promise<void> {
  const address = page.getByRole('textbox', { name: 'MCP address', exact: true });
  assert.is(await address.inputValue(), `${url}/api/mcp/admin`);
  await page.getByRole('button', { name: 'Copy address' }).click();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), `${url}/api/mcp/admin`);
}

test('a key for an MCP client writes drafts as an AI, and an admin revokes the tokens of others', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const bob = await world.user('editor');
  const made = await bob.post('/api/admin/access-tokens', { name: `bot ${HOSTILE}`, permissions: ['content:read'] });
  assert.is(made.status, 200);
  const { page, complaints } = await admin.signedIn('/account');
  await page.getByRole('button', { name: 'New MCP key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New MCP key' });
  assert.ok(await dialog.getByRole('checkbox', { name: 'content:draft' }).isChecked());
  assert.not(await dialog.getByRole('checkbox', { name: 'content:write' }).isChecked());
  await dialog.getByLabel('Name').fill('Assistant');
  await page.keyboard.press('Enter');
  const config = JSON.parse(await dialog.getByRole('textbox', { name: 'Configuration of the client' }).inputValue());
  const { url, headers } = config.mcpServers.colophon;
  assert.is(url, `${world.url}/api/mcp/admin`);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'Access tokens' }).getByText('for an AI').waitFor();
  const client = world.client({ authorization: headers.Authorization });
  assert.is((await client.post('/api/cms/posts', { slug: 'draft', data: { title: 'By an agent' } })).status, 200);
  assert.is((await client.delete('/api/media/images/none.gif')).status, 403);

  const others = page.getByRole('region', { name: 'Tokens of others' });
  await others.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'editor (editor1@example.com)' });
  await others.getByRole('button', { name: `Revoke bot ${HOSTILE}` }).click();
  await page.getByRole('alertdialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click();
  await others.getByText('This person has no tokens').waitFor();
  assert.is((await bob.get('/api/admin/access-tokens')).json.tokens.length, 0);
  assertQuiet(complaints);
});

function messagesOf(page: Page) {
  return page.getByRole('status', { name: 'Messages' });
}

function isFocused(target: { evaluate(code: (element: unknown) => boolean): Promise<boolean> }): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page, whose types Node does not know
  return target.evaluate((element: any) => element === element.ownerDocument.activeElement);
}

test('axe-core finds no fault, nothing scrolls sideways, and a viewer is not shown tokens', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.token(['content:read', 'org:settings:write']);
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/account', look);
    const faults = (place: string): Promise<void> => assertAccessible(page, place, look);
    await page.getByRole('button', { name: 'Revoke test' }).waitFor();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.getByRole('textbox', { name: 'MCP address', exact: true }).waitFor();
    await faults('account');
    await page.getByRole('button', { name: 'New token' }).click();
    await faults('new token');
    await page.getByRole('dialog').getByLabel('Name').click({ trial: true });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke test' }).click();
    await faults('revoke');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Secret' }).waitFor();
    await faults('codes');
    assertQuiet(complaints);
  }

  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login?next=/admin/account');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  assert.is(await page.getByRole('button', { name: 'New token' }).count(), 0);
  assertQuiet(complaints);
});

test.run();
