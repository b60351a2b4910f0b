// What the screens about what happens around documents have in common, and the ways between them.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../support/world.ts';
import { CONFIG, send } from './inbox-world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

/** Each by what it asks for first. */
const SCREENS = [
  { path: '/forms', heading: 'Forms', asks: '/api/admin/forms' },
  { path: '/forms/visit', heading: 'Come by', asks: '/api/admin/forms' },
  { path: '/calendar', heading: 'Calendar', asks: '/api/cms/scheduled*' },
  { path: '/deploy', heading: 'Deploy', asks: '/api/admin/deploys' },
  { path: '/deploy/docker', heading: 'New instance', asks: '/api/admin/provision/*' },
  { path: '/activity', heading: 'Activity', asks: '/api/cms/changes*' },
  { path: '/backups', heading: 'Backups', asks: '/api/admin/backups' },
] as const;
const REFUSED = /status of 500/;

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('each screen has one heading and its title, and says what failed with a way to try again', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await send(admin.world, 'Ada', {}, 'visit');
  const { page, complaints } = await admin.signedIn();
  const body = { error: 'the index is being built', code: 'internal', requestId: 'r-1' };
  for (const { path, heading: name, asks } of SCREENS) {
    await page.route(`**${asks}`, (route) => route.fulfill({ status: 500, json: body }));
    await page.goto(`${admin.world.url}/admin${path}`);
    await page.getByRole('alert').getByText('The index is being built').first().waitFor();
    assert.is(await heading(page).count(), 1, path);
    await page.unroute(`**${asks}`);
    // The stream's greeting asks again too, if this machine is slow.
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' }).first();
    const isGone = page.getByRole('alert').waitFor({ state: 'detached' });
    await Promise.any([again.click(), isGone]);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.is(await heading(page).count(), 1, path);
    assert.is(await page.title(), `${name} · Colophon`);
  }
  assertQuiet(complaints, REFUSED);
});

test('the dashboard leads on to what it shows a part of, and nobody to what they may not see', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const viewer = { email: 'v@example.com', name: 'Vera', role: 'viewer', password: PASSWORD };
  assert.is((await admin.world.admin.post('/api/admin/users', viewer)).status, 200);
  const { page, complaints } = await admin.browser.open();
  await page.context().request.post(`${admin.world.url}/api/auth/login`, { data: viewer });
  const status = { ready: true, warnings: ['content/posts/a.md: is not a document'] };
  await page.route('**/api/admin/status', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...status } });
  });
  await page.goto(`${admin.world.url}/admin`);
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText('content/posts/a.md: is not a document').waitFor();
  assert.is(await health.getByRole('link').count(), 0);
  await page.getByRole('region', { name: 'Scheduled' }).getByRole('link', { name: 'Everything planned' }).click();
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
  await page.goBack();
  const changes = page.getByRole('region', { name: 'Recent changes' });
  await changes.getByRole('link', { name: 'Everything that happened' }).click();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  assertQuiet(complaints);
});

test('on a phone the deploy is one press away too', async () => {
  await using admin = await makeAdminWorld();
  const settings = { deployProvider: 'vercel', vercelToken: 'token-of-the-fake', vercelProject: 'site' };
  assert.is((await admin.world.admin.post('/api/admin/site-config', settings)).status, 200);
  const { page, complaints } = await admin.signedIn('/backups', { viewport: { width: 320, height: 640 } });
  await page.getByRole('banner').getByRole('button', { name: 'Deploy', exact: true }).waitFor();
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  await page.goto(`${admin.world.url}/admin/deploy`);
  await page.getByRole('status', { name: 'Deploy state' }).waitFor();
  assertQuiet(complaints);
});

test.run();
