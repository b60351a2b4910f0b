// The team, as a person who manages it meets it.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { actionsFor, changesOf, findUsers, type TeamUser } from '../../src/admin/screens/team/team-user.ts';
import { LOOKS } from '../support/browser.ts';
import { type Client, CONFIG, PASSWORD } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = 'Grace <img src=x onerror=alert(1)>';
const GRACE = 'grace@example.com';

function user(part: Partial<TeamUser> = {}): TeamUser {
  return {
    ...{ id: 'grace', email: GRACE, name: 'Grace', role: 'editor', siteRole: null, zoom: 100, sites: '*' },
    ...{ createdAt: '2026-01-01T00:00:00Z', suspended: false, lastSeenAt: null, signedIn: false, manageable: true },
    ...part,
  };
}

test('only what the service would do is offered about a user', () => {
  assert.equal(actionsFor(user(), 'ada'), ['change', 'link', 'suspend', 'remove']);
  const seen = user({ signedIn: true, oneTimeCodes: true });
  assert.equal(actionsFor(seen, 'ada'), ['change', 'link', 'codesOff', 'signOut', 'suspend', 'remove']);
  assert.equal(actionsFor(user({ suspended: true }), 'ada'), ['change', 'resume', 'remove']);
  assert.equal(actionsFor(user({ lastAdmin: true }), 'ada'), ['change', 'link']);
  assert.equal(actionsFor(user({ provider: true }), 'ada'), ['change', 'suspend', 'remove']);
  assert.equal(actionsFor(user({ manageable: false }), 'ada'), []);
  assert.equal(actionsFor(user(), 'grace'), []);
});

test('users are found by name and address, and only what is new is sent', () => {
  const all = [user({ name: 'émile' }), user({ name: 'Dora', email: 'd@x.org' }), user({ name: 'Frank' })];
  assert.equal(
    findUsers(all, '').map(({ name }) => name),
    ['Dora', 'émile', 'Frank'],
  );
  assert.equal(
    findUsers(all, ' X.ORG ').map(({ name }) => name),
    ['Dora'],
  );
  const { name, email, role, sites } = user();
  const before = { name, email, role, sites };
  assert.equal(changesOf(before, { ...before, role: 'viewer', sites: ['a'] }), { role: 'viewer', sites: ['a'] });
  assert.equal(changesOf(before, { ...before }), {});
});

test('a team is added to, changed, suspended, signed out and removed', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  const own = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: 'You' });
  await own.getByText('The last admin stays').waitFor();
  await own.getByRole('link', { name: 'Account' }).waitFor();
  assert.is(await own.getByRole('button').count(), 0);

  await addByKeyboard(page, admin.world.anonymous);
  await changeRole(page, admin.world.admin);
  await suspendAndResume(page, admin);
  await inviteByLink(page, admin);
  await removeUser(page, admin.world.admin);
  assertQuiet(complaints, /status of 409/);
});

function openDialog(page: Page, name: string) {
  return page.getByRole('dialog', { name });
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

function says(page: Page, text: string): Promise<void> {
  return page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor();
}

async function addByKeyboard(page: Page, anonymous: Client): Promise<void> {
  await page.getByRole('button', { name: 'Add user' }).focus();
  await page.keyboard.press('Enter');
  const dialog = openDialog(page, 'Add user');
  await dialog.waitFor();
  await page.keyboard.type(HOSTILE);
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Role').selectOption('viewer');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('exists already').waitFor();
  await dialog.getByLabel('E-mail').fill(GRACE);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await says(page, 'can sign in with the password that you set');
  await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('Viewer').waitFor();
  assert.is((await anonymous.post('/api/auth/login', { email: GRACE, password: PASSWORD })).status, 200);
  await page.reload();
}

async function changeRole(page: Page, client: Client): Promise<void> {
  const roleOf = async () => (await listUsers(client)).find(({ email }) => email === GRACE)?.role;
  await act(page, HOSTILE, 'Change');
  const dialog = openDialog(page, `Change ${HOSTILE}`);
  await dialog.getByLabel('Role').selectOption('editor');
  await dialog.getByText('Writes, publishes').waitFor();
  await dialog.getByRole('button', { name: 'Save user' }).click();
  await says(page, 'is changed');
  assert.is(await roleOf(), 'editor');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('Viewer').waitFor();
  assert.is(await roleOf(), 'viewer');
}

async function listUsers(client: Client): Promise<TeamUser[]> {
  return (await client.get('/api/admin/users')).json.users;
}

async function suspendAndResume(page: Page, { world }: AdminWorld): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: HOSTILE });
  await act(page, HOSTILE, 'Sign out everywhere');
  const signOut = page.getByRole('alertdialog', { name: 'Sign out everywhere' });
  await signOut.getByRole('button', { name: 'Sign out everywhere' }).click();
  await says(page, 'is signed out everywhere');
  // When she was seen last stays.
  await row.locator('time').waitFor();
  const grace = (await listUsers(world.admin)).find(({ email }) => email === GRACE);
  assert.equal([grace?.signedIn, typeof grace?.lastSeenAt], [false, 'string']);

  await act(page, HOSTILE, 'Suspend');
  const question = page.getByRole('alertdialog', { name: 'Suspend' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  const button = page.getByRole('button', { name: `Actions for ${HOSTILE}` });
  assert.ok(await button.evaluate((one) => one === one.ownerDocument.activeElement));
  await act(page, HOSTILE, 'Suspend');
  await question.getByRole('button', { name: 'Suspend' }).click();
  await row.getByText('Suspended').waitFor();
  const login = () => world.anonymous.post('/api/auth/login', { email: GRACE, password: PASSWORD });
  assert.is((await login()).status, 403);
  await act(page, HOSTILE, 'End suspension');
  await row.getByText('Active').waitFor();
  assert.is((await login()).status, 200);
}

async function inviteByLink(page: Page, { world }: AdminWorld): Promise<void> {
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = openDialog(page, 'Add user');
  await dialog.getByLabel('Name').fill('Linus');
  await dialog.getByLabel('E-mail').fill('linus@example.com');
  await dialog.getByRole('button', { name: 'Add user' }).click();
  const field = dialog.getByRole('textbox', { name: 'Invitation link' });
  const first = await field.inputValue();
  assert.ok(first.startsWith(`${world.url}/admin/invite#token=`), first);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Linus' });
  await row.getByText('Invited').waitFor();

  await act(page, 'Linus', 'Invite again');
  const again = openDialog(page, 'Invite again');
  await again.getByRole('button', { name: 'Make the link' }).click();
  const second = await again.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  await again.getByRole('button', { name: 'Done' }).click();
  const accept = (link: string) =>
    world.anonymous.post('/api/auth/reset', { token: link.split('#token=')[1], password: PASSWORD });
  assert.equal([(await accept(first)).status, (await accept(second)).status], [400, 200]);
  await page.reload();
  await row.getByText('Active').waitFor();
}

async function removeUser(page: Page, client: Client): Promise<void> {
  await act(page, 'Linus', 'Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  await question.getByText('history keeps the name').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await says(page, 'Linus is deleted');
  await page.getByRole('row').filter({ hasText: 'Linus' }).waitFor({ state: 'detached' });
  const add = page.getByRole('button', { name: 'Add user' });
  assert.ok(await add.evaluate((one) => one === one.ownerDocument.activeElement));
  assert.is((await listUsers(client)).length, 2);
}

test('axe-core finds no fault, nothing scrolls sideways, and others than admins have no team', async () => {
  await using admin = await makeAdminWorld();
  for (let count = 0; count < 8; count++) await admin.world.user('author');
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/team', look);
    const faults = (place: string): Promise<void> => assertAccessible(page, place, look);
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await faults('team');
    await page.getByRole('button', { name: 'Add user' }).click();
    await faults('add user');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search users' }).fill('nobody');
    await page.getByText('No user fits').waitFor();
    await faults('no result');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('table', { name: 'Users' }).waitFor();
    assertQuiet(complaints);
  }

  const editor = await admin.world.user('editor');
  assert.is((await editor.get('/api/admin/users')).status, 403);
  const { page, complaints } = await admin.open('/login?next=/admin/team');
  await page.getByLabel('E-mail').fill('author1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Team' }).count(), 0);
  assertQuiet(complaints);
});

test('an admin of some sites invites by e-mail alone, and the dialog says what to do without mail', async () => {
  await using admin = await makeAdminWorld({ sites: { blog: CONFIG, shop: CONFIG } });
  await admin.world.user('admin', ['blog']);
  await admin.world.user('editor', ['shop']);
  const { page, complaints } = await admin.open('/login?next=/admin/team');
  await page.getByLabel('E-mail').fill('admin1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await dialog.getByText('They get an invitation by e-mail').waitFor();
  assert.is(await dialog.getByLabel('Password').count(), 0);
  await dialog.getByLabel('Name').fill('Grace');
  await dialog.getByLabel('E-mail').fill(GRACE);
  await dialog.getByRole('button', { name: 'Add user' }).click();
  await dialog.getByText('ask an admin of all sites to add the person').waitFor();
  assertQuiet(complaints, /503/);
});

test.run();
