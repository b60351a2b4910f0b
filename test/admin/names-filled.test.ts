// A site that is in use, by the names that people and machines find its parts under; those too that stand there only
// once something was done.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BODY } from '../agents/world.ts';
import { PATH as VOICE_PATH } from '../brand-voice/world.ts';
import { proposeChange, proposeNew } from '../curation/queue.ts';
import { makeHost } from '../deploy/fakes.ts';
import { openScriptedProvider } from '../support/ai/provider.ts';
import { untilTrue } from '../support/browser.ts';
import { FLY_TOKEN, startFly } from '../support/hosts/fly.ts';
import { upload } from '../support/upload.ts';
import { CONFIG, PASSWORD } from '../support/world.ts';
import { send } from './inbox-world.ts';
import { assertScreen, seen } from './named.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from './world.ts';

const CONTACT = {
  name: 'contact',
  label: 'Contact',
  fields: ['name', 'email', 'message'].map((name) => ({ name, type: 'text' as const })),
};

async function must(reply: Promise<{ status: number; text: string; json: { id: string; commit: string } }>) {
  const { status, text, json } = await reply;
  assert.ok(status < 300, text);
  return json;
}

const goer =
  (page: Page, { world }: AdminWorld) =>
  (path: string) =>
    page.goto(`${world.url}/admin${path}`);
const press = async (page: Page, name: string): Promise<void> => (await seen(page, 'button', name)).first().click();

test('lists, histories, the trash, files and the search have their names', async () => {
  await using admin = await makeAdminWorld();
  const client = admin.world.admin;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  for (const [slug, more] of [
    ['tides', {}],
    ['dunes', { publishAt: later }],
    ['gone', {}],
  ] as const) {
    await must(client.post('/api/cms/posts', { slug, data: { title: `The ${slug}`, tags: ['sea'] }, ...more }));
  }
  await must(client.patch('/api/cms/posts/tides', { data: { title: 'The tides again' } }));
  await client.delete('/api/cms/posts/gone');
  await must(upload(client, 'loose.txt', 'a'));
  await must(upload(client, 'filed.txt', 'b', { folder: 'papers' }));
  const { page, complaints } = await admin.signedIn('/content/posts');
  const go = goer(page, admin);

  const grid = await seen(page, 'grid', 'Posts');
  await assertScreen(page, 'Posts', [['link', 'The tides again']]);
  assert.is(await grid.getAttribute('aria-rowcount'), '3');
  assert.is(await page.getByRole('row').filter({ hasText: 'The tides again' }).getAttribute('aria-rowindex'), '2');
  for (const name of ['The tides again', 'The dunes'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const toolbar = await seen(page, 'toolbar', 'Selection');
  await toolbar.getByText('2 selected').waitFor();
  for (const name of ['Publish', 'Archive', 'Delete', 'Add tags', 'Export']) {
    await toolbar.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
  }

  await go('/content/posts/tides/history');
  await assertScreen(page, 'The tides again', [['list', 'Versions']]);
  await (await seen(page, 'button', 'Show changes')).nth(1).click();
  await seen(page, 'button', 'Restore this version');
  await page.getByRole('list', { name: 'Versions' }).getByRole('link').nth(1).click();
  await assertScreen(page, 'The tides again', [['button', 'Restore this version']]);

  await go('/trash');
  await assertScreen(page, 'Trash', [['button', 'Restore The gone']]);
  await press(page, 'Restore The gone');
  await (await seen(page, 'status', 'Messages')).getByRole('button', { name: 'Undo', exact: true }).click();
  await seen(page, 'button', 'Restore The gone');

  await go('/search?q=tides');
  await assertScreen(page, 'Search', [['list', 'Results']]);
  await seen(page.getByRole('list', { name: 'Results' }), 'link', 'The tides again');

  await go('/calendar');
  await assertScreen(page, 'Calendar', [['list', 'Scheduled']]);
  await seen(page.getByRole('list', { name: 'Scheduled' }), 'link', 'The dunes');
  await press(page, 'Make a new link');
  await (await seen(page, 'alertdialog', 'Make a new link')).getByRole('button', { name: 'Cancel' }).click();

  await go('/media');
  await assertScreen(page, 'Media', []);
  await seen(page.getByRole('list', { name: 'Folders' }), 'link', 'papers');
  await (await seen(page.getByRole('list', { name: 'Files' }), 'link', 'loose.txt')).click();
  const file = await seen(page, 'dialog', 'loose.txt');
  await file.getByLabel('Alt text', { exact: true }).waitFor();
  await file.getByLabel('Tags', { exact: true }).waitFor();
  for (const name of ['Save', 'Delete', 'Copy address']) await seen(file, 'button', name);
  await file.getByText('Used in', { exact: true }).waitFor();
  await file.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = await seen(page, 'alertdialog', 'Delete');
  await seen(question, 'button', 'Delete');
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  await go('/media/papers');
  await assertScreen(page, 'Media', [['list', 'Files']]);
  await seen(page, 'link', 'filed.txt');
  assertQuiet(complaints);
});

test('the inbox, backups, settings, the team and the account have their names, and their dialogs too', async () => {
  await using admin = await makeAdminWorld({ config: { ...CONFIG, forms: [CONTACT] } });
  const client = admin.world.admin;
  const id = await send(admin.world, 'Bob');
  for (const name of ['Cyd', 'Dee']) await send(admin.world, name);
  await must(client.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } }));
  const { page, complaints } = await admin.signedIn('');
  const go = goer(page, admin);
  await seen(page, 'link', 'Forms 3 new');
  await go(`/forms/contact/${id}`);
  await assertScreen(page, 'Contact', [['list', 'Submissions']]);
  await seen(page, 'link', 'Forms 2 new');
  const submission = await seen(page, 'region', 'Submission');
  for (const name of ['Archive', 'Delete', 'Mark as new']) await seen(submission, 'button', name);
  await seen(page, 'link', 'Download CSV');
  await press(page, 'Mark as new');
  await seen(page, 'link', 'Forms 3 new');

  await go('/backups');
  await press(page, 'Back up now');
  await assertScreen(page, 'Backups', [['table', 'Backups']]);
  await press(page, 'Restore …');
  const restore = await seen(page, 'alertdialog', 'Restore');
  await seen(restore, 'button', 'Restore');
  await restore.getByRole('button', { name: 'Cancel', exact: true }).click();

  await must(
    client.post('/api/admin/site-config', {
      ...{ deployProvider: 'vercel', vercelToken: 'token-of-the-test-1234' },
      webhooks: [{ url: 'https://hooks.example.com/in', events: ['*'] }],
    }),
  );
  await go('/settings/deploy');
  await assertScreen(page, 'Settings', [['button', 'Save settings']]);
  const secret = page.getByLabel('Vercel token', { exact: true });
  assert.is(await secret.inputValue(), '');
  await page.getByText(/set, ends in 1234/).waitFor();
  await go('/settings/webhooks');
  await press(page, 'Test https://hooks.example.com/…');
  await seen(page, 'table', 'Deliveries');
  await seen(page, 'button', 'Redeliver');
  await go('/settings/links');
  await assertScreen(page, 'Settings', []);

  await go('/team');
  await press(page, 'Add user');
  const user = await seen(page, 'dialog', 'Add user');
  for (const name of ['Name', 'E-mail', 'Role', 'Password']) await user.getByLabel(name, { exact: true }).waitFor();
  await user.getByLabel('Name', { exact: true }).fill('Bob');
  await user.getByLabel('E-mail', { exact: true }).fill('bob@example.com');
  await user.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await user.getByRole('button', { name: 'Add user', exact: true }).click();
  await (await seen(page, 'table', 'Users')).getByText('bob@example.com').waitFor();

  await go('/account');
  await press(page, 'New token');
  const token = await seen(page, 'dialog', 'New token');
  await token.getByLabel('Name', { exact: true }).fill('Importer');
  await token.getByRole('checkbox', { name: 'content:read', exact: true }).check();
  await token.getByRole('button', { name: 'Create token', exact: true }).click();
  assert.match(await (await seen(page, 'textbox', 'Token')).inputValue(), /^cms_/);
  await token.getByRole('button', { name: 'Done', exact: true }).click();
  await token.waitFor({ state: 'detached' });
  assert.is(await page.getByRole('textbox', { name: 'Token', exact: true }).count(), 0, 'only once');
  const sessions = page.getByRole('table', { name: 'Sessions', exact: true });
  assert.is(
    await sessions.getByRole('button', { name: 'Sign out', exact: true }).count(),
    await sessions.locator('tbody tr').count(),
  );
  await go('/activity');
  await assertScreen(page, 'Activity', [['list', 'Activity']]);
  assertQuiet(complaints);
});

test('curation, agents, the brand voice and the chat have their names', async () => {
  await using provider = await openScriptedProvider(() => ({ text: 'Here it is.' }));
  await using admin = await makeAdminWorld({ config: { ...CONFIG, ai: provider.ai }, env: provider.env });
  const { world } = admin;
  await proposeChange(world, { title: 'Hello again' });
  const fresh = await proposeNew(world, { title: 'Dunes' });
  const { id } = await must(world.admin.post('/api/cms/agents', BODY));
  for (const primaryTone of ['Dry', 'Warm']) await must(world.admin.post(VOICE_PATH, { primaryTone }));
  const { page, complaints } = await admin.signedIn(`/curation/${fresh}`);
  const go = goer(page, admin);
  await assertScreen(page, 'Curation', [
    ['list', 'Queue'],
    ['button', 'Approve'],
    ['button', 'Approve as draft'],
    ['button', 'Reject'],
  ]);
  await press(page, 'Reject');
  const reject = await seen(page, 'dialog', 'Reject');
  await reject.getByLabel('Feedback', { exact: true }).fill('Too short');
  await reject.getByRole('button', { name: 'Reject', exact: true }).click();
  await seen(page.getByRole('list', { name: 'Queue' }), 'link', /Hello again/);

  await go(`/agents/${id}`);
  await assertScreen(page, BODY.name, [
    ['button', 'Run'],
    ['log', 'Run'],
  ]);
  await page.getByRole('textbox', { name: 'Task' }).fill('Write');
  await press(page, 'Run');
  await page.getByRole('log', { name: 'Run', exact: true }).getByText('Completed.').waitFor();

  await go('/voice');
  await assertScreen(page, 'Brand voice', [
    ['list', 'Versions'],
    ['button', 'Activate'],
    ['button', 'Start interview'],
  ]);
  await press(page, 'Activate');
  await page.getByRole('status', { name: 'Messages' }).getByText('is active').waitFor();

  await go('/chat');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Conversation', exact: true }).getByText('Here it is.').waitFor();
  assertQuiet(complaints);
});

test('a deploy and the wizard have their names while they run and after', async () => {
  const host = makeHost();
  await using fly = await startFly();
  await using admin = await makeAdminWorld({
    ...{ findProvider: async () => host.provider, builds: host.builds },
    env: { CMS_PROVISION_IMAGE: 'colophon-image:1', FLY_API_URL: fly.url },
  });
  const settings = { deployProvider: 'vercel', vercelToken: 'token-of-the-fake' };
  await must(admin.world.admin.post('/api/admin/site-config', settings));
  const { page, complaints } = await admin.signedIn('/deploy');
  const state = await seen(page, 'status', 'Deploy state');
  const runs = (await seen(page, 'table', 'Runs')).locator('tbody tr');
  assert.is(await runs.count(), 0);
  for (const count of [1, 2]) {
    host.files = { 'index.html': `${count}` };
    await press(page, 'Deploy');
    await runs.nth(count - 1).waitFor();
    await state.getByText(/^Live/).waitFor();
    await seen(page, 'log', 'Run log');
  }
  await seen(page, 'button', 'Roll back');
  const gate = host.hold('build');
  await press(page, 'Deploy');
  await gate.reached;
  await press(page, 'Cancel');
  await state.getByText(/^Cancelled/).waitFor();
  await runs.last().getByRole('link').click();
  await assertScreen(page, 'Deploy', [
    ['log', 'Run log'],
    ['table', 'Runs'],
  ]);

  await goer(page, admin)('/deploy/docker');
  await assertScreen(page, 'New instance', [['radiogroup', 'Template']]);
  assert.is(await page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem').count(), 4);
  assert.is(await page.getByRole('radiogroup', { name: 'Template' }).getByRole('radio').count(), 12);
  await press(page, 'Continue');
  for (const name of ['App name', 'Region', 'Size', 'Admin e-mail'])
    await page.getByLabel(name, { exact: true }).waitFor();
  await page.getByLabel('App name', { exact: true }).fill('ada-blog');
  await press(page, 'Continue');
  await page.getByLabel('Token', { exact: true }).fill(FLY_TOKEN);
  await seen(page, 'button', 'Back');
  await press(page, 'Continue');
  await (await seen(page.getByRole('main'), 'button', 'Deploy')).click();
  await seen(page, 'log', 'Progress');
  await untilTrue(page, `document.querySelectorAll('h1').length === 1`);
  assertQuiet(complaints);
  host.close();
});

test.run();
