// Deploys as people see them: one press, what happens in every tab, what failed, and the way back.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { broken, type FakeHost, makeHost } from '../deploy/fakes.ts';
import { LOOKS } from '../support/browser.ts';
import { makeReceiver } from '../support/receiver.ts';
import { CONFIG, PASSWORD, type WorldOptions } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

interface DeployScreen extends AdminWorld {
  host: FakeHost;
  set(settings: object): Promise<void>;
}

/** With a host in memory, which is set up unless `settings` say otherwise. */
async function makeDeployScreen(
  settings: object = { deployProvider: 'vercel', vercelToken: 'token-of-the-fake' },
  options: WorldOptions = {},
): Promise<DeployScreen> {
  const host = makeHost();
  const builds: FakeHost['builds'] = {
    ...host.builds,
    // The newest commit, so that documents can be compared with it.
    async build(request) {
      const built = await host.builds.build(request);
      return { ...built, commit: admin.world.headCommit() ?? built.commit };
    },
  };
  const admin = await makeAdminWorld({ findProvider: async () => host.provider, builds, ...options });
  async function set(change: object): Promise<void> {
    const { status, text } = await admin.world.admin.post('/api/admin/site-config', change);
    assert.is(status, 200, text);
  }
  await set(settings);
  return {
    ...{ ...admin, host, set },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      host.close();
    },
  };
}

const stateOf = (page: Page) => page.getByRole('status', { name: 'Deploy state' });
const messagesOf = (page: Page) => page.getByRole('status', { name: 'Messages' });

async function signInAs(admin: AdminWorld, page: Page, email: string, path: string): Promise<void> {
  const data = { email, password: PASSWORD };
  await page.context().request.post(`${admin.world.url}/api/auth/login`, { data });
  await page.goto(`${admin.world.url}/admin${path}`);
}

test('one press by keyboard deploys, and every tab sees it happen and end', async () => {
  await using admin = await makeDeployScreen();
  const { host, world } = admin;
  const post = { slug: 'tides', status: 'published', data: { title: 'Tides' } };
  assert.is((await world.admin.post('/api/cms/posts', post)).status, 200);
  const { page, complaints } = await admin.signedIn('/deploy');
  await stateOf(page).getByText('Nothing has been deployed yet').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${world.url}/admin/content/posts/tides`);
  const document = other.getByRole('status', { name: 'Document status' });
  await document.getByText(/Published/).waitFor();

  host.output = ['compiling <img src=x onerror=alert(1)>\n'];
  const gate = host.hold('send');
  await page.getByRole('button', { name: 'Deploy', exact: true }).focus();
  await page.keyboard.press('Enter');
  await gate.reached;
  await stateOf(page)
    .getByText(/^Uploading/)
    .waitFor();
  const log = page.getByRole('log', { name: 'Run log' });
  await log.getByText('compiling <img src=x onerror=alert(1)>').waitFor();
  await messagesOf(page).getByText('The deploy is queued.').waitFor();
  // The other tab has the state in its bar, which leads to the log.
  await other.getByRole('link', { name: /^Uploading/ }).waitFor();
  gate.open();
  await stateOf(page)
    .getByText(/^Live, deployed/)
    .waitFor();
  await log.getByText('done: https://').waitFor();
  await document.getByText(/The site shows this version/).waitFor();
  await messagesOf(other).getByText('The site is live.').waitFor();
  assert.is(await other.getByRole('link', { name: /^Uploading/ }).count(), 0);
  const said = await other.getByRole('button', { name: 'Deploy', exact: true }).getAttribute('title');
  assert.match(said ?? '', /^Live, deployed/);
  const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
  assert.match(String(await row.textContent()), /Ada, by hand.*vercel.*Success.*Live/s);

  // A change that is not deployed yet shows at once, and the button of the other tab deploys it.
  await world.admin.patch('/api/cms/posts/tides', { data: { title: 'Tides again' } });
  await document.getByText(/The site shows an older version/).waitFor();
  host.files = { 'index.html': 'second' };
  await other.getByRole('button', { name: 'Deploy', exact: true }).click();
  await document.getByText(/The site shows this version/).waitFor();
  await page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(2).waitFor();
  // What is no longer published stands on the site until the next deploy.
  await world.admin.patch('/api/cms/posts/tides', { status: 'draft' });
  await document.getByText(/Draft.*The site shows an older version/).waitFor();
  host.files = { 'index.html': 'third' };
  await other.getByRole('button', { name: 'Deploy', exact: true }).click();
  await document.getByText(/^Draft$/).waitFor();

  // Without an address of the frontend it says which settings are missing, as they are called.
  await page.getByRole('button', { name: 'Send all again' }).click();
  await page.getByRole('alert').getByText('Nothing was sent: revalidateUrl is not set').waitFor();
  assertQuiet(complaints, /status of 400/);
});

test('what failed is shown first; a run is cancelled, and an earlier one goes live again and back', async () => {
  await using admin = await makeDeployScreen();
  const { host, world } = admin;
  const { page, complaints } = await admin.signedIn('/deploy');
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await deploy.click();
  await stateOf(page)
    .getByText(/^Live, deployed/)
    .waitFor();
  host.files = { 'index.html': 'second' };
  await deploy.click();
  await rows.nth(2).waitFor();
  await page.getByText('Roll back').waitFor();

  host.output = [
    ...Array.from({ length: 80 }, (_, n) => `page ${n}\n`),
    'index.liquid:3 Error: no such filter\n',
    '  at x\n',
  ];
  host.fail('build', broken());
  await deploy.click();
  await stateOf(page)
    .getByText(/^Failed/)
    .waitFor();
  await page.getByText('What was live stays live.').waitFor();
  await page.getByText('What failed').waitFor();
  const mark = page.getByRole('log', { name: 'Run log' }).getByText('index.liquid:3 Error: no such filter');
  await mark.waitFor();
  assert.ok(await mark.evaluate((one) => one.tagName === 'MARK'));
  const isSeen = `(() => { const box = document.querySelector('.run-log').getBoundingClientRect();
    const mark = document.querySelector('mark').getBoundingClientRect();
    return mark.top >= box.top && mark.bottom <= box.bottom; })()`;
  assert.is(await page.evaluate(isSeen), true);

  host.output = [];
  const gate = host.hold('build');
  await deploy.click();
  await gate.reached;
  await stateOf(page).getByText('Building').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await messagesOf(page).getByText('The deploy is cancelled.').waitFor();
  await stateOf(page)
    .getByText(/^Cancelled/)
    .waitFor();

  // With two successes the older one can become the live one again, and Undo brings back the newer one.
  const { json } = await world.admin.get('/api/admin/deploys/live');
  await page.getByRole('button', { name: 'Roll back' }).click();
  await stateOf(page)
    .getByText(/^Live, deployed/)
    .waitFor();
  const liveUrl = async () => (await world.admin.get('/api/admin/deploys/live')).json.url;
  assert.is.not(await liveUrl(), json.url);
  await messagesOf(page).getByRole('button', { name: 'Undo' }).click();
  await rows.nth(6).waitFor();
  await stateOf(page)
    .getByText(/^Live, deployed/)
    .waitFor();
  for (let n = 0; n < 100 && (await liveUrl()) !== `https://host-${json.id}.example`; n++)
    await page.waitForTimeout(50);
  assert.is(await liveUrl(), `https://host-${json.id}.example`);

  // The log of an older run has an address of its own, and takes the focus.
  await rows.nth(4).getByRole('link').click();
  await page.getByRole('log', { name: 'Run log' }).getByText('no such filter').first().waitFor();
  assert.match(page.url(), /\/admin\/deploy\/.+/);
  assert.is(await page.evaluate('document.activeElement?.getAttribute("role")'), 'log');
  // If the session is over by then, it is asked for before the log is.
  await page.context().clearCookies();
  await rows.nth(3).getByRole('link').click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('log', { name: 'Run log' }).getByText('cancelled').first().waitFor();
  await page.goto(`${world.url}/admin/deploy/none`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assertQuiet(complaints, /status of 401/);
});

test('without a target it says what to set and who can; nobody sees or requests what they may not', async () => {
  await using admin = await makeDeployScreen({});
  const { world, host } = admin;
  const { page } = await admin.signedIn('/deploy');
  await stateOf(page).getByText('No target yet').waitFor();
  assert.is(await page.getByRole('link', { name: 'Open the settings' }).getAttribute('href'), '/admin/settings/deploy');
  assert.is(
    await page.getByRole('button', { name: 'Deploy', exact: true }).getAttribute('aria-disabled'),
    'true',
    'it stays in its place',
  );
  await admin.set({ deployProvider: 'vercel' });
  await page.reload();
  await stateOf(page).getByText('Not ready').waitFor();
  await page.getByText('vercelToken').waitFor();
  await admin.set({ vercelToken: 'token-of-the-fake' });
  host.provider.hasPreviews = false;

  await world.user('viewer');
  await world.user('author');
  const viewer = await admin.browser.open();
  await signInAs(admin, viewer.page, 'viewer1@example.com', '/deploy');
  await stateOf(viewer.page).getByText('Nothing has been deployed yet').waitFor();
  await viewer.page.getByText('The frontend has not been notified').waitFor();
  for (const name of ['Deploy', 'Send all again', 'Cancel', 'Roll back']) {
    assert.is(await viewer.page.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.is(await viewer.page.getByRole('link', { name: /new instance/ }).count(), 0);
  await viewer.page.goto(`${world.url}/admin/deploy/docker`);
  await viewer.page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assertQuiet(viewer.complaints);

  const author = await admin.browser.open();
  const asked: string[] = [];
  author.page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await signInAs(admin, author.page, 'author2@example.com', '/deploy');
  await author.page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  await author.page.getByRole('navigation', { name: 'Main' }).getByText('Posts').waitFor();
  assert.is(await author.page.getByRole('link', { name: 'Deploy' }).count(), 0);
  assert.equal(
    asked.filter((path) => /deploy|revalidation/.test(path) && path.startsWith('/api/')),
    [],
  );
  assertQuiet(author.complaints);
});

test('a profile is chosen if there are several, and one of drafts makes a preview', async () => {
  const build = { profiles: [{ name: 'default' }, { name: 'drafts', drafts: true }] };
  await using admin = await makeDeployScreen(undefined, { config: { ...CONFIG, build } });
  const { page, complaints } = await admin.signedIn('/deploy');
  const profile = page.getByRole('combobox', { name: 'Profile' });
  await profile.waitFor();
  const preview = page.getByRole('checkbox', { name: 'As a preview' });
  assert.is(await preview.isChecked(), false);
  await profile.selectOption('drafts');
  assert.equal([await preview.isChecked(), await preview.isDisabled()], [true, true]);
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await messagesOf(page).getByText('The preview is queued.').waitFor();
  const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
  await row.getByText('Success').waitFor();
  assert.match(String(await row.textContent()), 'drafts, preview');
  // What is live stays: nothing is.
  await stateOf(page).getByText('Nothing has been deployed yet').waitFor();
  assertQuiet(complaints);
});

test('what the frontend was notified of is listed, and all is sent again; the git host’s workflow is shown', async () => {
  await using frontend = await makeReceiver(({ json }) => (json.slug === 'bad' ? 500 : 200));
  const run = {
    id: 1,
    status: 'in_progress',
    html_url: 'https://github.com/o/r/actions/runs/1',
    run_started_at: '2026-01-02T03:04:05Z',
  };
  const github = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ workflow_runs: [run] }));
  });
  await new Promise<void>((listening) => github.listen(0, '127.0.0.1', listening));
  await using admin = await makeDeployScreen({
    ...{ deployAppName: 'o/r', deployApiToken: 'github_pat_0123456789' },
    githubApiUrl: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
    ...{ revalidateUrl: `${frontend.url}/api/revalidate`, revalidateSecret: 's'.repeat(32), allowPrivateTargets: true },
  });
  const { page, complaints } = await admin.signedIn('/deploy');
  await page.getByRole('link', { name: 'Open the run' }).waitFor();
  await page.getByText(/^Running, started/).waitFor();
  for (const slug of ['good', 'bad']) {
    await admin.world.admin.post('/api/cms/posts', { slug, status: 'published', data: { title: slug } });
  }
  const table = page.getByRole('table', { name: 'Revalidations' });
  await table.getByRole('link', { name: 'posts/good' }).waitFor();
  await table.getByText('500', { exact: true }).waitFor();
  await table.getByText('/blog/good').waitFor();
  const before = frontend.received.length;
  await page.getByRole('button', { name: 'Send all again' }).click();
  await messagesOf(page).getByText('2 published documents are on their way').waitFor();
  await frontend.count(before + 1);
  assertQuiet(complaints);
  github.closeAllConnections();
  github.close();
});

test('axe-core finds no fault in deploys, in both themes, on phones and desktops', async () => {
  await using admin = await makeDeployScreen();
  const { host, world } = admin;
  const ended = async (): Promise<void> => {
    const { json } = await world.admin.post('/api/admin/deploy');
    await world.admin.get(`/api/admin/deploys/${json.deploy.id}/log`, { accept: 'text/event-stream' });
  };
  await ended();
  host.files = { 'index.html': 'second' };
  await ended();
  host.output = [`${'a-very-long-word-'.repeat(20)} error\n`];
  host.fail('build', broken());
  await ended();
  for (const look of LOOKS) {
    const { page } = await admin.signedIn('/deploy', look);
    await page.getByText('What failed').waitFor();
    await assertAccessible(page, 'deploy', look);
    await page.goto(`${world.url}/admin`);
    await page.getByRole('region', { name: 'Deploy' }).getByRole('button', { name: 'Deploy' }).waitFor();
    await assertAccessible(page, 'dashboard', look);
    await page.goto(`${world.url}/admin/trash`);
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    if (look.viewport.width > 1000) await page.getByRole('button', { name: 'Deploy', exact: true }).waitFor();
    else await page.getByRole('link', { name: 'Deploy failed' }).waitFor();
    await assertAccessible(page, 'trash', look);
  }
});

test.run();
