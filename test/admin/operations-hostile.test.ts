// Operations under adverse conditions: names as people with bad intentions write them, refusals, and lost answers.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { git } from '../support/store-world.ts';
import { PASSWORD } from '../support/world.ts';
import { messagesOf } from './ai/world.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from './world.ts';

const LONG = 'W'.repeat(200);
const MARKUP = '<img src=x onerror=alert(1)>';
const SCREENS = ['', '/team', '/account', '/backups', '/activity'];

async function addAdmin({ world }: AdminWorld, name: string, email: string) {
  const body = { email, name, role: 'admin', password: PASSWORD };
  assert.is((await world.admin.post('/api/admin/users', body)).status, 200);
  const { headers } = await world.anonymous.post('/api/auth/login', { email, password: PASSWORD });
  return world.client({ cookie: String(headers['set-cookie']).split(';')[0]! });
}

test('names of 200 letters and names with markup are text, and press nothing out of its place', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  for (const [index, name] of [LONG, MARKUP].entries()) {
    const own = await addAdmin(admin, name, `h${index}@example.com`);
    await own.post('/api/cms/posts', { slug: `p${index}`, data: { title: name.slice(0, 40) } });
    assert.is((await own.post('/api/admin/backups')).status, 200);
    await world.admin.post('/api/admin/access-tokens', { name, permissions: ['content:read'] });
  }
  // Marks that turn the direction of what follows are no part of a name.
  const turned = { email: 't@example.com', name: '\u202egnp.exe', role: 'viewer', password: PASSWORD };
  assert.is((await world.admin.post('/api/admin/users', turned)).status, 400);
  for (const width of [320, 1280]) {
    const { page, complaints } = await admin.signedIn('', { viewport: { width, height: 800 } });
    for (const path of SCREENS) {
      await page.goto(`${world.url}/admin${path}`);
      await page.getByText(LONG).filter({ visible: true }).first().waitFor();
      await page.getByText(MARKUP).filter({ visible: true }).first().waitFor();
      assert.is(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0, path);
      assert.is(await page.locator('img').count(), 0);
      if (width === 1280 && (path === '/backups' || path === '/team')) await assertWhole(page);
    }
    assertQuiet(complaints);
  }
});

/** Words of the other columns stay on one line. */
async function assertWhole(page: Page): Promise<void> {
  const texts = page.locator('main table').getByText(/^(Restore …|Commit|Admin|Active|[0-9a-f]{10})$/);
  for (const text of await texts.all()) {
    const lines = await text.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    assert.is(lines, 1, (await text.textContent()) ?? '');
  }
}

interface Write {
  path: string;
  begin(page: Page): Promise<unknown>;
  /** What was typed stays. */
  typed?: string;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const confirm = (page: Page, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

const WRITES: readonly Write[] = [
  {
    path: '/team',
    typed: 'Typed',
    async begin(page) {
      await press(page, 'Add user');
      await page.getByLabel('Name').fill('Typed');
      await page.getByLabel('E-mail').fill('typed@example.com');
      await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    },
  },
  {
    path: '/settings/webhooks',
    typed: 'https://typed.example.com/',
    async begin(page) {
      await press(page, 'Add webhook');
      await page.getByRole('dialog').getByRole('textbox').first().fill('https://typed.example.com/');
      await page.keyboard.press('Enter');
    },
  },
  {
    path: '/settings',
    typed: 'https://typed.example.com/',
    async begin(page) {
      await page.getByLabel('Preview').first().fill('https://typed.example.com/');
      await press(page, 'Save settings');
    },
  },
  { path: '/backups', begin: (page) => press(page, 'Back up now') },
  { path: '/settings/links', begin: (page) => press(page, 'Check links') },
  { path: '/activity', begin: (page) => press(page, 'Keep ours').then(() => confirm(page, 'Keep ours')) },
];

test('what the service refuses is said in its words, and nothing that was typed is lost', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  for (const slug of ['a', 'b']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  const { log, repository } = world.site().store;
  await log.flush();
  git(repository, 'update-ref', 'refs/heads/main', String(git(repository, 'rev-parse', 'main~1')).trim());
  log.poll();
  const { page, complaints } = await admin.signedIn();
  let status = 0;
  await page.route('**/api/**', (route) => {
    const isRead = route.request().method() === 'GET';
    const json = { error: `the test refuses with ${status}`, code: 'conflict', requestId: 'r1' };
    return isRead ? route.fallback() : route.fulfill({ status, json });
  });
  for (const [index, { path, begin, typed }] of WRITES.entries()) {
    // Each status with a form, and with an action.
    for (status of index % 2 ? [403, 507] : [409, 412]) {
      if (status === 412 && path === '/settings') continue;
      await page.goto(`${world.url}/admin${path}`);
      await begin(page);
      await page.getByRole('alert').getByText(`The test refuses with ${status}`).first().waitFor();
      if (typed === undefined) continue;
      const isKept = `[...document.querySelectorAll('input')].some(({ value }) => value === '${typed}')`;
      await untilTrue(page, isKept);
    }
  }
  assertQuiet(complaints, /status of (403|409|412|507)/);
});

test('after a lost answer the team says what became of a change, and of a removal', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await addAdmin(admin, 'Grace', 'grace@example.com');
  const { page, complaints } = await admin.signedIn('/team');
  const act = async (action: string): Promise<void> => {
    await press(page, 'Actions for Grace');
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const lose = (isDone: boolean): Promise<unknown> =>
    page.route(
      '**/api/admin/users/*',
      async (route) => {
        if (isDone) await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  await lose(true);
  await act('Suspend');
  await confirm(page, 'Suspend');
  await messagesOf(page).getByText('Grace is suspended').waitFor();
  await lose(false);
  await act('Change');
  await page.getByLabel('Role').selectOption('viewer');
  await press(page, 'Save user');
  await page.getByRole('alert').getByText('nothing was changed').waitFor();
  assert.is(await page.getByLabel('Role').inputValue(), 'viewer');
  await page.keyboard.press('Escape');
  await lose(true);
  await act('Delete');
  await confirm(page, 'Delete');
  await messagesOf(page).getByText('Grace is deleted').waitFor();
  assertQuiet(complaints, /ERR_FAILED|status of 404/);
});

test('the last admin stays, also if there were two when the page was opened', async () => {
  await using admin = await makeAdminWorld();
  const grace = await addAdmin(admin, 'Grace', 'grace@example.com');
  const { page, complaints } = await admin.signedIn('/team');
  await press(page, 'Actions for Grace');
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const { users } = (await grace.get('/api/admin/users')).json as { users: { id: string; name: string }[] };
  const ada = users.find(({ name }) => name !== 'Grace')!;
  assert.is((await grace.patch(`/api/admin/users/${ada.id}`, { role: 'editor' })).status, 200);
  await confirm(page, 'Delete');
  await page.getByRole('alert').first().waitFor();
  assert.is((await grace.get('/api/admin/users')).json.users.length, 2);
  const own = users.find(({ name }) => name === 'Grace')!;
  const refusals = [
    await grace.delete(`/api/admin/users/${own.id}`),
    await grace.patch(`/api/admin/users/${own.id}`, { role: 'editor' }),
    await grace.patch(`/api/admin/users/${own.id}`, { suspended: true }),
  ];
  for (const { status, json } of refusals) assert.match(`${status} ${json.error}`, /^409 .*admin/);
  assertQuiet(complaints, /status of 403/);
});

test.run();
