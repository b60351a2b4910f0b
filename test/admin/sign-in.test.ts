// Set-up, sign-in and the end of a session, as a person meets them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../support/world.ts';
import { assertQuiet, EMAIL, makeAdminWorld, signIn } from './world.ts';

test('a new service asks for its first account, and then shows the dashboard', async () => {
  await using admin = await makeAdminWorld({ admin: false, env: { CMS_SETUP_TOKEN: 'a-token-from-the-log' } });
  const { page, complaints } = await admin.open('/content/posts');
  await page.getByRole('heading', { level: 1, name: 'Set up Colophon' }).waitFor();
  assert.is(new URL(page.url()).pathname, '/admin/setup');
  await page.goto(`${admin.world.url}/admin/setup?token=a-token-from-the-log`);
  assert.is(await page.getByLabel('Set-up token').inputValue(), 'a-token-from-the-log');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Password').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  assert.is(await page.title(), 'Dashboard · Colophon');
  await page.goto(`${admin.world.url}/admin/setup`);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  assertQuiet(complaints, /status of 400/);
});

test('a stranger signs in and arrives where they wanted to go, and nowhere else', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.open('/nowhere?x=1');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.is(await page.title(), 'Sign in · Colophon');
  await signIn(page, 'not the password');
  await page
    .getByRole('alert')
    .getByText(/wrong|password/i)
    .waitFor();
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assert.is(new URL(page.url()).pathname + new URL(page.url()).search, '/admin/nowhere?x=1');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.goto(`${admin.world.url}/admin/login?next=${encodeURIComponent('https://evil.example/admin')}`);
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  assert.is(new URL(page.url()).origin, new URL(admin.world.url).origin);
  assertQuiet(complaints, /status of 401/);
});

test('after too many attempts the page counts down, and the button waits', async () => {
  await using admin = await makeAdminWorld();
  for (let n = 0; n < 10; n++) {
    await admin.world.anonymous.post('/api/auth/login', { email: EMAIL, password: `wrong ${n}` });
  }
  const { page } = await admin.open('/login');
  await signIn(page, 'wrong again');
  await page
    .getByRole('alert')
    .getByText(/Try again in [\d,]+ seconds?/)
    .waitFor();
  assert.ok(await page.getByRole('button', { name: 'Sign in' }).isDisabled());
});

test('a session that is over is asked for over the page, and the same person goes on', async () => {
  await using admin = await makeAdminWorld();
  const { page } = await admin.signedIn();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  const { sessions } = (await admin.world.admin.get('/api/admin/sessions')).json;
  for (const { id, current } of sessions) {
    if (!current) assert.is((await admin.world.admin.delete(`/api/admin/sessions/${id}`)).status, 200);
  }
  // What the dashboard still asks may have met the end of the session already.
  await page
    .getByRole('link', { name: 'Team' })
    .click({ timeout: 5000 })
    .catch(() => undefined);
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  assert.is(await dialog.getByLabel('E-mail').inputValue(), EMAIL);
  await page.keyboard.press('Escape');
  assert.ok(await dialog.isVisible(), 'there is nothing behind it that would work');
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Users' }).waitFor();
  assert.is(await page.getByRole('alert').count(), 0);
});

test('signing in is all that a stranger sees', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  const { page } = await admin.open('/content/posts/tides');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  await page.goto(`${admin.world.url}/admin/content/posts/nowhere`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  await page.goto(`${admin.world.url}/admin/content/nowhere/tides`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
});

test.run();
