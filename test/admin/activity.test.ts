// Who did what, as people of each role see it; the repository and its remote, with the choice after a force-push.
import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  AUDIT_KINDS,
  parseActivity,
  TEAM_KINDS,
  toActivityPath,
  toAuditUrl,
  toChangesUrl,
} from '../../src/admin/screens/activity/activity-query.ts';
import { actionText, valueChanges } from '../../src/admin/screens/activity/entry.ts';
import { mergeSources, type TimedItem } from '../../src/admin/screens/activity/merge-sources.ts';
import { LOOKS } from '../support/browser.ts';
import { startGitServer } from '../support/git-server.ts';
import { commitBeside, git } from '../support/store-world.ts';
import { upload } from '../support/upload.ts';
import { CONFIG, PASSWORD, type World } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

test('sources are merged by time, page by page, without a gap and without an item twice', async () => {
  const toItem = (at: number): TimedItem => ({ key: `${at}`, at: `2026-01-01T00:00:${String(at).padStart(2, '0')}Z` });
  const toReads = (pages: number[][]) => async () => ({
    items: (pages.shift() ?? []).map(toItem),
    isLast: pages.length === 0,
  });
  const list = mergeSources([toReads([[9, 7], [], [7, 2, 1]]), toReads([[8, 3]])]);
  const keys = async (count: number) => {
    const { items, isLast } = await list.next(count);
    return [items.map(({ key }) => Number(key)), isLast];
  };
  assert.equal(await keys(3), [[9, 8, 7], false]);
  assert.equal(await keys(3), [[3, 2, 1], true]);
  assert.equal(await mergeSources([]).next(5), { items: [], isLast: true });
  const endless = mergeSources([async () => ({ items: [], isLast: false })]);
  assert.equal(await endless.next(5), { items: [], isLast: false }, 'it gives up for now');
});

test('filters stand in the address, and ask only those sources that can have something', () => {
  const query = parseActivity('kind=settings&who=u1&from=2026-01-02&to=not-a-day');
  assert.is(toActivityPath(query), '/admin/activity?kind=settings&who=u1&from=2026-01-02');
  assert.is(toActivityPath(parseActivity('kind=unheard-of')), '/admin/activity');
  assert.is(toChangesUrl(query, 50), undefined);
  assert.match(toAuditUrl(query, 50)!, /^\/api\/admin\/audit\?limit=50&action=settings\.&user=u1&from=2026-01-0/);
  assert.is(toAuditUrl(parseActivity('collection=posts'), 50), undefined);
  assert.is(toChangesUrl(parseActivity('kind=media'), 9), '/api/cms/changes?order=desc&limit=9&collection=media');
  assert.is(actionText({ action: 'settings.updated' }), 'changed settings');
  assert.is(actionText({ action: 'toString' }), undefined);
  const changes = [{ key: 'a', before: null, after: `sha256:${'0'.repeat(64)}` }];
  assert.equal(valueChanges({ changes }), [{ key: 'a', before: '', after: 'a long text' }]);
});

/** Every action that the code can put into the audit. */
function listActions(): string[] {
  const files = globSync('src/**/*.ts', { exclude: ['src/admin/**'] }).map((file) => readFileSync(file, 'utf8'));
  const found = files.flatMap((text) =>
    /audit|record/i.test(text)
      ? [
          ...text.matchAll(
            /(?:(?:recordOnSite|recordUnlessFull)\([^']*?|\baudit\(|\baction(?: =|:) )'([a-z]+\.[a-z_-]+)'/g,
          ),
        ].map((one) => one[1]!)
      : [],
  );
  const nouns = ['user', 'token', 'site'].flatMap((noun) =>
    ['added', 'changed', 'removed'].map((did) => `${noun}.${did}`),
  );
  const tools = globSync('src/tools/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bname: '([a-z_]+)',[^}]*?title:.*?annotations: (\w+|\{)/gs)]
      .filter(([, , kind]) => kind !== 'READS')
      .map(([, name]) => `mcp.${name}`),
  );
  return [...new Set([...found, ...nouns, ...tools])];
}

test('whatever the audit records has words, and a kind to look for', () => {
  const actions = listActions();
  for (const known of ['deploy.rolled_back', 'repository.push-failed', 'session.started', 'mcp.upload_media']) {
    assert.ok(actions.includes(known), `${known} is not found in the code: look for actions in another way`);
  }
  assert.ok(actions.length > 40, `${actions.length} actions`);
  assert.equal(
    actions.filter((action) => actionText({ action }) === undefined),
    [],
  );
  const kinds: readonly string[] = [...AUDIT_KINDS, ...TEAM_KINDS];
  assert.equal(
    actions.filter((action) => !kinds.includes(action.split('.')[0]!)),
    [],
  );
});

test('what an MCP client did is said in words, with a way to the document, and whether it was refused', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const record = (tool: string, document: string | null, ok: boolean): Promise<void> =>
    world.site().audit.record({
      site: world.site().id,
      actor: { id: null, name: 'Robot', email: '' },
      action: `mcp.${tool}`,
      target: document,
      changes: [
        { key: 'document', before: null, after: document },
        { key: 'ok', before: null, after: ok },
      ],
    });
  await world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  await record('create_document', 'posts/tides', true);
  await record('delete_document', 'posts/moon', true);
  await record('publish_document', 'posts/tides', false);
  const { page, complaints } = await admin.signedIn('/activity?kind=mcp');
  const items = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await items.nth(2).waitFor();
  const [refused = '', deleted = '', made = ''] = await items.allInnerTexts();
  assert.match(made, /Robot made a document[\s\S]*with an MCP client[\s\S]*posts\/tides/);
  assert.match(deleted, /Robot deleted a document/);
  assert.match(refused, /Robot published a document[\s\S]*refused/);
  assert.not.match(made + deleted + refused, /mcp\.|detail/);
  assert.equal(await items.getByRole('link').count(), 3);
  await items.nth(2).getByRole('link', { name: 'posts/tides' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  assertQuiet(complaints);
});

async function signInAs(admin: AdminWorld, name: string, path: string, asked: string[]): Promise<Page> {
  const { page } = await admin.open(`/login?next=/admin${path}`);
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.getByLabel('E-mail').fill(`${name}@example.com`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

test('changes and the audit are one list, live, with filters in the address and a way to each change', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const bob = await world.user('editor');
  for (let n = 0; n < 60; n++)
    await world.admin.post('/api/cms/notes', { slug: `n${n}`, data: { title: `Note ${n}` } });
  await world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  await bob.patch('/api/cms/posts/tides', { data: { title: HOSTILE } });
  await upload(bob, 'moon.txt', 'words');
  await world.admin.post('/api/admin/site-config', { timezone: 'Europe/Rome' });
  const { page, complaints } = await admin.signedIn('/activity');
  const list = page.getByRole('list', { name: 'Activity' });
  await list.getByText('changed settings').waitFor();
  await list.getByText('signed in').first().waitFor();
  assert.is(await list.getByRole('listitem').count(), 50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await list.getByText('Note 0', { exact: true }).waitFor();
  assert.is(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  // What happens meanwhile comes on top, and what was loaded stays.
  const before = await list.getByRole('listitem').count();
  await bob.post('/api/cms/posts', { slug: 'new', data: { title: 'Brand new' } });
  await list.getByRole('listitem').first().getByText('Brand new').waitFor();
  assert.is(await list.getByRole('listitem').count(), before + 1);

  await page.getByRole('combobox', { name: 'Who' }).selectOption({ label: 'editor' });
  await page.waitForURL('**/admin/activity?who=*');
  await list.getByText('Note 59', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Posts' });
  await page.waitForURL('**&collection=posts');
  await list.getByText('moon').waitFor({ state: 'detached' });
  await list.getByText('Brand new').waitFor();
  assert.is(await list.getByRole('listitem').count(), 2);
  await list.getByRole('link', { name: HOSTILE }).click();
  await page.waitForURL('**/history/*');
  await page.getByRole('definition').getByText(HOSTILE).waitFor();
  await page.goBack();
  await list.getByText('Brand new').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByText('Nothing fits these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await list.getByText('changed settings').waitFor();
  await page.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Settings' });
  await list.getByText('signed in').first().waitFor({ state: 'detached' });
  await list.getByText('2 details').or(list.getByText('1 detail')).click();
  await list.getByText('Europe/Rome').waitFor();
  assertQuiet(complaints);

  for (const look of LOOKS) {
    const { page: looked } = await admin.signedIn('/activity', look);
    await looked.getByRole('button', { name: 'Verify' }).waitFor();
    await assertAccessible(looked, 'activity', look);
  }
});

test('an author sees changes and asks for nothing else; an editor sees settings, and no sign-ins', async () => {
  await using admin = await makeAdminWorld();
  for (const role of ['author', 'editor'] as const) await admin.world.user(role);
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
  await admin.world.admin.post('/api/admin/site-config', { timezone: 'Europe/Rome' });
  const asked: string[] = [];
  const author = await signInAs(admin, 'author1', '/activity', asked);
  await author.getByRole('list', { name: 'Activity' }).getByRole('link', { name: 'Tides' }).waitFor();
  assert.is(await author.getByText('changed settings').count(), 0);
  for (const path of ['/api/admin/audit', '/api/admin/repository', '/api/admin/remote'])
    assert.not(asked.includes(path), path);
  const editor = await signInAs(admin, 'editor2', '/activity', asked);
  await editor.getByText('changed settings').waitFor();
  assert.is(await editor.getByText('signed in').count(), 0);
  assert.is(await editor.getByRole('option', { name: 'Sign-ins' }).count(), 0);
  assert.is(await editor.getByRole('region', { name: 'Repository' }).count(), 0);
});

/** The branch as a force-push to its second commit leaves it. */
async function moveBranch({ site }: World): Promise<void> {
  const { log, repository } = site().store;
  await log.flush();
  git(repository, 'update-ref', 'refs/heads/main', git(repository, 'rev-parse', 'main~1').trim());
  log.poll();
}

test('the repository is verified, and after a force-push the admin chooses a side, shown everywhere', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'one' } });
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'two' } });
  const { page, complaints } = await admin.signedIn('/activity');
  const repository = page.getByRole('region', { name: 'Repository' });
  await repository.getByText('Never').waitFor();
  await repository.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('Everything is sound').waitFor();
  await repository.getByText('sound').waitFor();
  await page.getByRole('region', { name: 'Remote' }).getByText('names no remote').waitFor();

  await moveBranch(world);
  await page.reload();
  const refused = page.getByRole('alert', { name: 'Changes are refused' });
  await refused.getByText('Why').click();
  await refused.getByText('was moved from').waitFor();
  await repository.getByRole('button', { name: 'Keep theirs' }).click();
  await page.getByRole('alertdialog', { name: 'Keep theirs' }).getByRole('button', { name: 'Cancel' }).click();
  await repository.getByRole('button', { name: 'Keep ours' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Keep ours' });
  await question.getByText('refs/colophon/kept').waitFor();
  await question.getByRole('button', { name: 'Keep ours' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('Ours was kept').waitFor();
  await refused.waitFor({ state: 'detached' });
  assert.is((await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } })).status, 200);
  await page.getByText('chose a side of the repository').waitFor();
  assertQuiet(complaints);
});

test('the remote is synced at once, its errors are said, and after a force-push one side is kept', async () => {
  await using host = await startGitServer();
  await using admin = await makeAdminWorld({ config: { ...CONFIG, remote: { url: host.url } } });
  const { world } = admin;
  for (const title of ['one', 'two']) await world.admin.post('/api/cms/posts', { slug: title, data: { title } });
  const { page, complaints } = await admin.signedIn('/activity');
  const remote = page.getByRole('region', { name: 'Remote' });
  await remote.getByText(new URL(host.url).host).waitFor();
  await remote.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('The remote has everything').waitFor();
  await remote.getByText('Up to date').waitFor();

  git(host.repository, 'update-ref', 'refs/heads/main', git(host.repository, 'rev-parse', 'main~1').trim());
  await remote.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('alert').getByText('force-push').first().waitFor();
  await remote.getByRole('button', { name: 'Keep ours' }).click();
  // While the question is there, the remote moves again: what nobody has seen is not dropped.
  const third = commitBeside(host.repository, { 'third.txt': 'x' }, { parents: [] });
  const keepOurs = page.getByRole('alertdialog').getByRole('button', { name: 'Keep ours' });
  await keepOurs.click();
  await page.getByRole('alert').getByText('was moved again').waitFor();
  assert.is(git(host.repository, 'rev-parse', 'main').trim(), third);
  await remote.getByText(third.slice(0, 7)).first().waitFor();
  await remote.getByRole('button', { name: 'Keep ours' }).click();
  await keepOurs.click();
  await page.getByRole('status', { name: 'Messages' }).getByText('Ours was kept').waitFor();
  await remote.getByText('Up to date').waitFor();
  assertQuiet(complaints, /409/);
});

test.run();
