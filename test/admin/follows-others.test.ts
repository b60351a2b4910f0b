// Screens of operations follow what others do, without a reload.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, BODY, TASK } from '../agents/world.ts';
import { PATH as VOICE_PATH } from '../brand-voice/world.ts';
import { makeReceiver } from '../support/receiver.ts';
import { PASSWORD } from '../support/world.ts';
import { makeAiAdminWorld } from './ai/world.ts';
import { assertQuiet } from './world.ts';

/** The stream begins a moment after the first screen, and greets it. */
const LISTENS = /admin\/events/;

test('the team, agents with their runs, the brand voice and revalidations follow another person', async () => {
  await using receiver = await makeReceiver(() => 204);
  await using admin = await makeAiAdminWorld([{ text: 'Nothing to do.' }]);
  // All of it is done by another admin, in another browser.
  const other = await admin.world.user('admin');
  const { page, complaints } = await admin.signedIn('/');
  await page.waitForRequest(LISTENS);
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

  await go('Team');
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  const users = page.getByRole('table', { name: 'Users' });
  await users.getByRole('row').nth(2).waitFor();
  const email = 'grace@example.com';
  const made = await other.post('/api/admin/users', { email, name: 'Grace', role: 'editor', password: PASSWORD });
  const grace = users.getByRole('row').filter({ hasText: email });
  await grace.getByText('never').waitFor();
  await admin.world.anonymous.post('/api/auth/login', { email, password: PASSWORD });
  await grace.getByText('never').waitFor({ state: 'detached' });
  await other.patch(`/api/admin/users/${made.json.id}`, { role: 'viewer' });
  await grace.getByText('Viewer').waitFor();
  await other.delete(`/api/admin/users/${made.json.id}`);
  await grace.waitFor({ state: 'detached' });

  await go('Agents');
  await page.getByText('No agents yet').waitFor();
  const { id } = (await other.post(AGENTS, BODY)).json;
  await page.getByRole('link', { name: BODY.name }).click();
  const role = page.getByLabel('Role');
  await role.waitFor();
  await other.post(`${AGENTS}/${id}/run`, TASK);
  await page.getByRole('list', { name: 'Runs' }).getByText('Completed').waitFor();
  await other.put(`${AGENTS}/${id}`, { ...BODY, name: 'Renamed' });
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
  await page.getByRole('link', { name: 'All agents' }).click();
  await other.delete(`${AGENTS}/${id}`);
  await page.getByText('No agents yet').waitFor();

  await go('Brand voice');
  await page.getByRole('button', { name: 'Start interview' }).waitFor();
  await other.post(VOICE_PATH, { primaryTone: 'Dry and short' });
  await page.getByText('Dry and short').first().waitFor();

  const settings = { revalidateUrl: receiver.url, revalidateSecret: 's'.repeat(32), allowPrivateTargets: true };
  assert.is((await other.post('/api/admin/site-config', settings)).status, 200);
  await go('Deploy');
  await page.getByText('has not been notified of anything yet').waitFor();
  await other.post('/api/cms/posts', { slug: 'good', status: 'published', data: { title: 'Good' } });
  await page.getByRole('table', { name: 'Revalidations' }).getByText('204').waitFor();
  assertQuiet(complaints);
});

test.run();
