// Agents, from making one to what it proposes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { clashesOf, editForm, onTopOf, withFormEdits, withoutSent } from '../../../src/admin/ai/form-edits.ts';
import { NEW_AGENT, toAgentBody, toAgentForm, toShareUsed } from '../../../src/admin/screens/agents/agent-form.ts';
import { BODY } from '../../agents/world.ts';
import type { Script } from '../../support/ai/script.ts';
import { findViolations, LOOKS, untilTrue } from '../../support/browser.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from '../world.ts';
import { makeAiAdminWorld, messagesOf, openAs } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const AGENTS = '/api/cms/agents';
const WRITES: Script = [
  { calls: [{ tool: 'create_document', input: { collection: 'posts', data: { title: `By an agent ${HOSTILE}` } } }] },
  { text: 'Written.' },
];

test('what is typed is what the service gets, and comes back the same', () => {
  const form = { ...NEW_AGENT, name: 'A', dailyUsd: ' 0,5 ', cron: '0 8 * * 1', isScheduled: true, locale: 'de' };
  const body = toAgentBody(form);
  assert.equal(
    [body.budget, body.schedule, body.locale],
    [{ dailyUsd: 0.5, monthlyUsd: null }, { cron: '0 8 * * 1', timezone: '', enabled: true }, 'de'],
  );
  // JSON has no NaN and no Infinity: they would arrive as null, which is no limit.
  const typed = ['5 USD', 'Infinity', '1e999'].map((dailyUsd) => toAgentBody({ ...form, dailyUsd }).budget?.dailyUsd);
  assert.equal(JSON.stringify(typed), '["5 USD","Infinity","1e999"]');
  const agent = { ...body, budget: { dailyUsd: 0.5, monthlyUsd: null } };
  assert.equal(toAgentForm(agent as never), { ...form, dailyUsd: '0.5' });
  assert.equal(
    [toShareUsed(1, 4), toShareUsed(5, 4), toShareUsed(0, 0), toShareUsed(1, null)],
    [0.25, 1, 1, undefined],
  );
});

test('edits of an agent lie on top of what the service has, and clash only with other changes of the same setting', () => {
  let edits = editForm({}, { name: 'Mine', role: 'r', collections: ['a'] }, NEW_AGENT);
  edits = editForm(edits, { role: '' }, NEW_AGENT);
  assert.equal(Object.keys(edits), ['name', 'collections']);
  const theirs = { ...NEW_AGENT, name: 'Theirs', role: 'new', collections: ['a'] };
  assert.equal(withFormEdits(theirs, edits), { ...theirs, name: 'Mine' });
  assert.equal([clashesOf(edits, NEW_AGENT), clashesOf(edits, theirs)], [[], ['name']]);
  assert.equal(clashesOf(onTopOf(theirs, edits), theirs), []);
  const later = editForm(edits, { name: 'Later' }, NEW_AGENT);
  assert.equal(Object.keys(withoutSent(later, edits)), ['name']);
});

test('what is typed about an agent survives a reload, and the changes of another person', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  const { id } = (await world.admin.post(AGENTS, BODY)).json;
  const { page, complaints } = await admin.signedIn(`/agents/${id}`);
  const [name, role] = [page.getByLabel('Name'), page.getByLabel('Role')];
  await role.fill('typed and not saved');
  await page.reload();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  assert.is(await role.inputValue(), 'typed and not saved');
  await world.admin.request('PUT', `${AGENTS}/${id}`, { ...BODY, name: 'By another', role: 'by another' });
  await page.getByRole('link', { name: 'All agents' }).click();
  await page.getByRole('link', { name: 'By another' }).click();
  await page.getByRole('heading', { level: 1, name: 'By another' }).waitFor();
  assert.equal([await name.inputValue(), await role.inputValue()], ['By another', 'typed and not saved']);
  const save = page.getByRole('button', { name: 'Save agent' });
  await save.click();
  await page.getByRole('alert').getByText('changed these as well meanwhile: Role').waitFor();
  assert.is((await world.admin.get(`${AGENTS}/${id}`)).json.role, 'by another');
  await save.click();
  await messagesOf(page).getByText('is saved').waitFor();
  const { json } = await world.admin.get(`${AGENTS}/${id}`);
  assert.equal([json.name, json.role], ['By another', 'typed and not saved']);
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'hidden' });
  // Another person saves in the moment between reading and writing.
  await role.fill('mine again');
  let isFirst = true;
  await page.route(`**${AGENTS}/${id}`, async (route) => {
    if (isFirst && route.request().method() === 'PUT') {
      isFirst = false;
      await world.admin.put(`${AGENTS}/${id}`, { ...BODY, name: 'By another', role: 'in between' });
    }
    await route.continue();
  });
  await save.click();
  await page.getByRole('alert').getByText('changed these as well meanwhile: Role').waitFor();
  assert.is((await world.admin.get(`${AGENTS}/${id}`)).json.role, 'in between');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await name.fill('Thrown away');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.is(await name.inputValue(), 'By another');
  assert.is(await page.evaluate('document.activeElement.textContent'), 'Save agent');
  assertQuiet(complaints, /status of 412/);
});

test('an agent is made, run, watched, and what it proposes is one step away', async () => {
  await using admin = await makeAiAdminWorld(WRITES);
  const { world } = admin;
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('link', { name: 'Agents' }).click();
  await page.getByText('No agents yet').waitFor();
  await page.getByRole('link', { name: 'New agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'New agent' }).waitFor();
  await page.getByLabel('Name').fill(`Writer ${HOSTILE}`);
  await page.getByLabel('Role').fill('writes posts');
  await page.getByLabel('USD a day').fill('many');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Instructions').getAttribute('aria-invalid'), 'true');
  await untilTrue(page, `document.activeElement === document.querySelector('[aria-invalid=true]')`);
  await page.getByLabel('Instructions').fill('Write short posts.');
  await page.getByRole('checkbox', { name: 'Posts' }).check();
  await page.getByLabel('USD a day').fill('1.5');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await messagesOf(page).getByText('is there').waitFor();
  const { agents } = (await world.admin.get(AGENTS)).json;
  assert.equal([agents[0].budget.dailyUsd, agents[0].collections], [1.5, ['posts']]);

  await page.getByRole('heading', { level: 1, name: `Writer ${HOSTILE}` }).waitFor();
  await page.getByLabel('Task').fill('Write about the sea');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const log = page.getByRole('log', { name: 'Run' });
  await log.getByText('Used create_document').waitFor();
  await log.getByText('Completed.').waitFor();
  await page.getByRole('list', { name: 'Runs' }).getByText('Completed').waitFor();
  await page.getByText(/of US\$1\.50/).waitFor();
  await log.getByRole('link', { name: 'Proposal 1' }).click();
  await page.getByRole('heading', { level: 2, name: `By an agent ${HOSTILE}` }).waitFor();
  await page.goBack();

  await page.getByRole('checkbox', { name: 'Active' }).uncheck();
  await page.getByRole('button', { name: 'Save agent' }).click();
  await page.getByText('The agent is not active').waitFor();
  assert.is(await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await messagesOf(page).getByText('is deleted').waitFor();
  await page.getByText('No agents yet').waitFor();
  assertQuiet(complaints, /status of 400/);
});

test('a run is cancelled from its page and from another one; a budget that is used up says so; editors only run', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld(() => ({ text: 'It thinks about the sea for long', hold: hold.promise }));
  const { world } = admin;
  const id = (await world.admin.post(AGENTS, BODY)).json.id;
  const ada = await admin.signedIn(`/agents/${id}`);
  const run = ada.page.getByRole('button', { name: 'Run', exact: true });
  const task = ada.page.getByLabel('Task');
  await task.fill('Think');
  await ada.page.reload();
  await task.waitFor();
  assert.is(await task.inputValue(), 'Think');
  // The second click hits "Cancel", which is about to stand there.
  await run.dblclick();
  await ada.page.getByRole('log').getByText('Working').waitFor();
  await ada.page.getByText('Leaving this page cancels the run').waitFor();
  const bob = await openAs(admin, 'editor', `/agents/${id}`);
  assert.is(await bob.page.getByRole('button', { name: 'Save agent' }).count(), 0);
  assert.is(await bob.page.getByRole('button', { name: 'Delete' }).count(), 0);
  await bob.page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: 'Cancel' }).click();
  await ada.page.getByRole('log').getByText('Cancelled. Nothing is queued').waitFor();
  await run.focus();
  await ada.page.keyboard.press('Enter');
  await ada.page.keyboard.press('Enter');
  await ada.page.getByRole('log').getByText('Working').waitFor();
  await admin.provider.haveCome(2);
  await ada.page.locator('form').getByRole('button', { name: 'Cancel' }).first().click();
  await messagesOf(ada.page).getByText('The run is cancelled').waitFor();
  hold.resolve();
  await world.admin.put(`${AGENTS}/${id}`, { ...BODY, budget: { dailyUsd: 0, monthlyUsd: null } });
  await run.click();
  await ada.page
    .getByRole('log')
    .getByText(/budget of agent "Writer" is used up/)
    .waitFor();
  const viewer = await openAs(admin, 'viewer', '/agents');
  await viewer.page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assert.is(await viewer.page.getByRole('link', { name: 'Agents' }).count(), 0);
  assertQuiet(ada.complaints, /status of 402/);
  assertQuiet([...bob.complaints, ...viewer.complaints]);
});

test('an agent that stopped with its colleague says why, and another admin activates it again by keyboard', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  const colleague = await world.user('admin');
  const { id: userId } = (await colleague.get('/api/auth/me')).json.user;
  const { id } = (await colleague.post(AGENTS, BODY)).json;
  await world.admin.patch(`/api/admin/users/${userId}`, { suspended: true });
  const { page, complaints } = await admin.signedIn('/agents');
  await page.getByRole('listitem').filter({ hasText: BODY.name }).getByText('stopped', { exact: true }).waitFor();
  await page.getByRole('link', { name: BODY.name }).click();
  const again = page.getByRole('button', { name: 'Activate again' });
  await page.getByRole('status').getByText('the account is suspended').waitFor();
  assert.equal(await findViolations(page), []);
  const editor = await openAs(admin, 'editor', `/agents/${id}`);
  await editor.page.getByText('the account is suspended').first().waitFor();
  assert.is(await editor.page.getByRole('button', { name: 'Activate again' }).count(), 0);
  // What is typed stays typed.
  await page.getByLabel('Role').fill('typed and not saved');
  await again.focus();
  await page.keyboard.press('Enter');
  await messagesOf(page).getByText('is active again').waitFor();
  await again.waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Role').inputValue(), 'typed and not saved');
  const { json: agent } = await world.admin.get(`${AGENTS}/${id}`);
  assert.equal([agent.stats.stoppedAt, agent.warnings, agent.role], [null, [], BODY.role]);
  assertQuiet([...complaints, ...editor.complaints]);
});

test('a run whose stream is cut says so, keeps what came, and shows what the service knows of it', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld(() => ({ text: 'It thinks for long', hold: hold.promise }));
  const { world } = admin;
  const id = (await world.admin.post(AGENTS, BODY)).json.id;
  const { page, complaints } = await admin.signedIn(`/agents/${id}`);
  const log = page.getByRole('log', { name: 'Run' });
  await page.getByLabel('Task').fill('Think');
  const call = { id: '1', tool: 'list_documents', input: {} };
  let running: Promise<{ json: { id: string } }> | undefined;
  await page.route(`**${AGENTS}/${id}/run`, async (route) => {
    running ??= world.admin.post(`${AGENTS}/${id}/run`, { prompt: 'Think', collection: 'posts' });
    await admin.provider.haveCome(1);
    const body = `event: tool_call\ndata: ${JSON.stringify(call)}\n\n`;
    await route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await log.getByRole('alert').getByText('The connection ended before the run did').waitFor();
  await log.getByText('Uses list_documents').waitFor();
  await log.getByText('It still runs').waitFor();
  assert.is(await page.getByLabel('Task').inputValue(), 'Think');
  hold.resolve();
  await running;
  // Its end comes in by itself.
  await log.getByText('Completed.').waitFor();
  await log.getByText('Uses list_documents').waitFor();
  assert.is(await log.getByText('It still runs').count(), 0);
  await page.unrouteAll();

  // While the service is away, nobody knows; once it is back, the screen does.
  const cut = { contentType: 'text/event-stream', body: 'event: step\ndata: {"step":1}\n\n' };
  await page.route(`**${AGENTS}/${id}/run`, async (route) => {
    await page.route(`**${AGENTS}/${id}/runs`, (one) => one.abort('connectionreset'));
    await world.admin.post(`${AGENTS}/${id}/run`, { prompt: 'Away', collection: 'posts' });
    await route.fulfill(cut);
  });
  await page.getByLabel('Task').fill('Away');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await log.getByText('What became of it is among the runs').waitFor();
  assert.is(await log.getByText('Completed.').count(), 0);
  await page.unrouteAll();
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  await log.getByText('Completed.').waitFor();
  // Its answer was lost before it began: the run is there all the same.
  await page.route(`**${AGENTS}/${id}/run`, async (route) => {
    await world.admin.post(`${AGENTS}/${id}/run`, { prompt: 'Again', collection: 'posts' });
    await route.abort('connectionreset');
  });
  await page.getByLabel('Task').fill('Again');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await log.getByRole('alert').getByText('cannot be reached').waitFor();
  await log.getByText('Completed.').waitFor();
  await page.unrouteAll();
  assertQuiet(complaints, /ERR_CONNECTION/);
});

test('an agent that another person deleted is made anew from what stands there, or is gone', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  const [first, second] = [
    (await world.admin.post(AGENTS, BODY)).json.id,
    (await world.admin.post(AGENTS, BODY)).json.id,
  ];
  const { page, complaints } = await admin.signedIn(`/agents/${first}`);
  await page.getByLabel('Role').fill('typed');
  await world.admin.delete(`${AGENTS}/${first}`);
  await page.getByRole('button', { name: 'Save agent' }).click();
  await page.getByRole('alert').getByText('Another person deleted the agent').waitFor();
  assert.is(await page.getByLabel('Role').inputValue(), 'typed');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await messagesOf(page).getByText('is there').waitFor();
  const { agents } = (await world.admin.get(AGENTS)).json;
  const made = agents.find(({ id }: { id: string }) => id !== second);
  assert.equal([agents.length, made.role, made.systemPrompt], [2, 'typed', BODY.systemPrompt]);
  await page.waitForURL(`**/agents/${made.id}`);
  await page.getByRole('button', { name: 'Save agent' }).waitFor();
  assert.is(await page.getByRole('button', { name: 'Discard changes' }).count(), 0);
  await page.goto(`${world.url}/admin/agents/${second}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await world.admin.delete(`${AGENTS}/${second}`);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await messagesOf(page).getByText('is deleted').waitFor();
  await page.waitForURL('**/admin/agents');
  assertQuiet(complaints, /status of 404/);
});

test('every pair of theme and width can be used, with a provider and without', async () => {
  await using admin = await makeAdminWorld();
  const agent = { ...BODY, name: 'W'.repeat(60), budget: { dailyUsd: 2, monthlyUsd: 10 } };
  const id = (await admin.world.admin.post(AGENTS, agent)).json.id;
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/agents', look);
    await page.getByText('"ai.provider"').waitFor();
    await page.getByRole('link', { name: agent.name }).waitFor();
    await assertAccessible(page, 'agents', look);
    await page.goto(`${admin.world.url}/admin/agents/${id}`);
    await page.getByText('It has not run yet').waitFor();
    await assertAccessible(page, 'agent', look);
    assertQuiet(complaints);
  }
});

test.run();
