// Backups, restores and link checks in two tabs and over a reload: each who looks sees them begin, and how they ended.
import type { ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, BODY } from '../agents/world.ts';
import { PATH as VOICE_PATH } from '../brand-voice/world.ts';
import { untilTrue } from '../support/browser.ts';
import { makeReceiver } from '../support/receiver.ts';
import { makeAiAdminWorld, messagesOf } from './ai/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const LISTENS = /admin\/events/;

/** Calls of the function wait until they are let go. */
function hold<K extends string, F extends (...given: never[]) => Promise<unknown>>(owner: Record<K, F>, name: K) {
  const real = owner[name];
  let release = (_failure?: Error): void => undefined;
  const held = new Promise<void>((resolve, reject) => {
    release = (failure) => (failure ? reject(failure) : resolve());
  });
  owner[name] = (async (...given: Parameters<F>) => {
    await held;
    return real.apply(owner, given);
  }) as unknown as F;
  return (failure?: Error): void => {
    owner[name] = real;
    release(failure);
  };
}

const isGone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'detached' });

test('a backup and a restore show in other tabs and after a reload, with how they ended', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'Old' } });
  const { page, complaints } = await admin.signedIn('/backups');
  await page.waitForRequest(LISTENS);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const tabs = [page, other];
  const each = (look: (tab: Page) => Promise<unknown>) => Promise.all(tabs.map(look));
  const tableOf = (tab: Page) => tab.getByRole('table', { name: 'Backups' });
  await each((tab) => tab.getByText('No backups yet').waitFor());

  const { log } = world.site().store;
  const finish = hold(log as never, 'flush' as never);
  await page.getByRole('button', { name: 'Back up now' }).click();
  await other.getByText('A backup is being made…').waitFor();
  await page.reload();
  await each((tab) => tableOf(tab).getByText('Being made…').waitFor());
  finish();
  await each((tab) => tableOf(tab).getByText('1 document').waitFor());
  await each((tab) => isGone(tab.getByText('A backup is being made…')));

  for (const failure of [undefined, new Error('of the test')]) {
    const end = hold(world.site().store as never, 'commitTree' as never);
    await tableOf(page).getByRole('button', { name: 'Restore …' }).last().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await each((tab) => tab.getByText('A backup is being restored…').waitFor());
    await page.reload();
    await each((tab) => tab.getByText('A backup is being restored…').waitFor());
    end(failure);
    await each((tab) => isGone(tab.getByText('A backup is being restored…')));
    const said = failure ? 'Internal error; see the process log' : 'The site was already as it was on';
    await each((tab) =>
      (failure
        ? tab.getByRole('alert').getByText(said)
        : messagesOf(tab).getByText('The site is as it was on')
      ).waitFor(),
    );
  }
  const [newest] = (await world.admin.get('/api/admin/backups')).json.snapshots;
  await world.admin.delete(`/api/admin/backups/${newest.id}`);
  await each((tab) => isGone(tableOf(tab).getByText('Before a restore').nth(1)));
  assertQuiet(complaints);
});

test('a link check that is begun in one tab is followed to its end in the other', async () => {
  const waiting: ServerResponse[] = [];
  await using target = await makeReceiver((_, response) => void waiting.push(response));
  await using admin = await makeAdminWorld();
  const { world } = admin;
  assert.is((await world.admin.post('/api/admin/site-config', { allowPrivateTargets: true })).status, 200);
  const data = { title: 'Old', body: `[gone](${target.url})` };
  await world.admin.post('/api/cms/posts', { slug: 'links', status: 'published', data });
  const { page, complaints } = await admin.signedIn('/settings/links');
  await page.waitForRequest(LISTENS);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('have not been checked yet').waitFor();
  await page.getByRole('button', { name: 'Check links' }).click();
  await other.getByRole('progressbar').waitFor();
  await target.count(1);
  // It asks again in another way before it calls a link broken.
  target.answer = () => 404;
  for (const response of waiting) response.writeHead(404).end();
  await isGone(other.getByRole('progressbar'));
  await other.getByRole('list', { name: 'Broken links' }).getByText('404').waitFor();
  assertQuiet(complaints);
});

test('agents, the brand voice and settings follow a restored backup', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  const other = await world.user('admin');
  await other.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  await other.post(VOICE_PATH, { primaryTone: 'Dry and short' });
  const { id } = (await other.post(AGENTS, BODY)).json;
  await other.post('/api/admin/site-config', { timezone: 'Europe/Paris' });
  const backup = (await other.post('/api/admin/backups')).json;
  await other.delete(`${AGENTS}/${id}`);
  await other.post(VOICE_PATH, { primaryTone: 'Warm and long' });
  await other.post('/api/admin/site-config', { timezone: 'Europe/Berlin' });
  const { page, complaints } = await admin.signedIn('/agents');
  await page.getByText('No agents yet').waitFor();
  const context = page.context();
  const [voice, settings] = [await context.newPage(), await context.newPage()];
  await voice.goto(`${world.url}/admin/voice`);
  await voice.getByText('Warm and long').first().waitFor();
  await settings.goto(`${world.url}/admin/settings`);
  const zone = settings.getByLabel('Time zone');
  await zone.waitFor();
  assert.is(await zone.inputValue(), 'Europe/Berlin');
  const restored = await other.post(`/api/admin/backups/${backup.id}/restore`, { includeData: true });
  assert.is(restored.status, 200);
  await page.getByRole('link', { name: BODY.name }).waitFor();
  await voice.getByText('Dry and short').first().waitFor();
  await untilTrue(settings, `document.getElementById('${await zone.getAttribute('id')}').value === 'Europe/Paris'`);
  assertQuiet(complaints);
});

test.run();
