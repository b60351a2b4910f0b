// The settings of the site, as an admin meets them; and as those meet them who may only read.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toCronText } from '../../src/admin/screens/settings/cron-text.ts';
import { byDocument } from '../../src/admin/screens/settings/links/link-report.ts';
import {
  afterSave,
  conflictsOf,
  forgottenSecrets,
  parseKept,
  type SettingEdits,
  secretsAtStake,
  setEdit,
  toKept,
  toPatch,
  undoOf,
} from '../../src/admin/screens/settings/settings-edits.ts';
import {
  kindOf,
  type SettingsOutline,
  type SettingValues,
  sectionOf,
  toSettingProblems,
} from '../../src/admin/screens/settings/settings-shape.ts';
import { toSettingsShape } from '../../src/settings/shape.ts';
import { LOOKS, untilTrue } from '../support/browser.ts';
import { type Client, PASSWORD } from '../support/world.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const CONFIG_URL = '/api/admin/site-config';
const OUTLINE = toSettingsShape({}) as unknown as SettingsOutline;
const TOKEN = 'a-token-that-is-long-1234';

const values = (part: object): SettingValues => ({ webhooks: [], problems: [], ...part });

test('the schema decides which control a setting has, and problems name it and its section', () => {
  const kinds = ['timezone', 'deployOnSave', 'backupRetention', 'deployProvider', 'deployCron', 'vercelToken'];
  assert.equal(
    kinds.map((name) => kindOf(OUTLINE.properties[name]!)),
    ['time-zone', 'switch', 'number', 'choice', 'cron', 'secret'],
  );
  assert.is(kindOf(OUTLINE.properties.deployHookUrl!), 'secret');
  assert.is(kindOf(OUTLINE.properties.backupTarget!), 'group');
  assert.is(sectionOf(OUTLINE, 'backupTarget.bucket'), 'backups');
  assert.equal(toSettingProblems([{ path: 'backupTarget.bucket', message: 'must be there' }], OUTLINE), [
    { path: 'backupTarget.bucket', section: 'backups', text: 'Bucket: must be there', message: 'must be there' },
  ]);
});

test('only what is changed is sent, and what others changed meanwhile is a conflict', () => {
  let edits: SettingEdits = setEdit({}, 'timezone', 'Asia/Tokyo', 'UTC');
  edits = setEdit(edits, 'backupTarget', {}, null);
  edits = setEdit(edits, 'backupTarget.bucket', 'b', undefined);
  assert.equal(toPatch(edits), { timezone: 'Asia/Tokyo', backupTarget: { bucket: 'b' } });
  assert.equal(toPatch(setEdit(edits, 'backupTarget', null, null)), { timezone: 'Asia/Tokyo' });
  const there = { backupTarget: { bucket: 'a' } };
  assert.equal(toPatch(setEdit(edits, 'backupTarget', null, there)).backupTarget, null);
  assert.equal(setEdit({ timezone: { value: 'x', base: 'UTC' } }, 'timezone', 'UTC', 'UTC'), {});

  const stored = (timezone: string) => conflictsOf(edits, values({ timezone, backupTarget: null }));
  assert.equal([stored('UTC'), stored('Asia/Tokyo'), stored('Europe/Paris')], [[], [], ['timezone']]);
  const typed = setEdit(edits, 'timezone', 'Europe/Oslo', 'UTC');
  const after = values({ timezone: 'Asia/Tokyo', backupTarget: { bucket: 'b' } });
  assert.equal(afterSave(typed, edits, after), { timezone: { value: 'Europe/Oslo', base: 'Asia/Tokyo' } });
});

test('secrets are not kept in the tab, not undone, and named if a new address makes the service forget them', () => {
  const edits: SettingEdits = {
    timezone: { value: 'Asia/Tokyo', base: 'UTC' },
    deployBranch: { value: 'main', base: 'live' },
    vercelToken: { value: TOKEN, base: { set: false } },
  };
  const { vercelToken: _, ...plain } = edits;
  assert.equal(toKept(edits, OUTLINE), plain);
  assert.equal(parseKept(JSON.stringify({ ...edits, gone: { value: 1, base: 2 } }), OUTLINE), plain);
  assert.equal(parseKept(null, OUTLINE), {});
  assert.is(undoOf(edits, OUTLINE), undefined);
  assert.equal(undoOf(plain, OUTLINE), { timezone: null, deployBranch: 'live' });
  const before = values({ vercelToken: { set: true, last4: '1234' }, flyToken: { set: true, last4: '' } });
  const after = values({ vercelToken: { set: false }, flyToken: { set: true, last4: '' } });
  assert.equal(forgottenSecrets(before, after, {}, OUTLINE), ['vercelToken']);
});

test('a secret is at stake if what it acts on is another, and it is not entered anew', () => {
  const shape = {
    ...OUTLINE,
    properties: {
      vercelToken: { title: 'Vercel token', writeOnly: true },
      vercelApiUrl: { title: 'Address', default: 'https://api.vercel.com', forgets: ['vercelToken'] },
    },
  };
  const stored = values({ vercelToken: { set: true, last4: '1234' }, vercelApiUrl: 'https://api.vercel.com' });
  const atStake = (value: unknown, more: SettingEdits = {}) =>
    secretsAtStake('vercelApiUrl', { vercelApiUrl: { value, base: stored.vercelApiUrl }, ...more }, stored, shape);
  assert.equal(atStake('https://api.elsewhere.example'), ['vercelToken']);
  for (const same of ['https://api.vercel.com/', ' https://api.vercel.com', '', null]) assert.equal(atStake(same), []);
  assert.equal(atStake('https://x.example', { vercelToken: { value: TOKEN, base: stored.vercelToken } }), []);
  assert.equal(secretsAtStake('vercelApiUrl', {}, stored, shape), []);
});

test('usual schedules are said in words', () => {
  const said: [string, string | undefined][] = [
    ['', 'Never.'],
    ['*/15 * * * *', 'Every 15 minutes.'],
    ['5 * * * *', 'Every hour, 05 minutes past.'],
    ['0 3 * * *', 'Every day at 03:00.'],
    ['30 4 * * 7', 'Every Sunday at 04:30.'],
    ['0 3 1 * *', 'On day 1 of each month at 03:00.'],
    ['0 3 1 6 *', undefined],
    ['nonsense', undefined],
  ];
  for (const [expression, text] of said) assert.is(toCronText(expression), text, expression);
});

test('broken links stand with their documents, and are filtered', () => {
  const place = (slug: string) => ({ collection: 'posts', slug, field: 'body' });
  const link = { status: null, error: 'not_found', places: 1 };
  const broken = [
    { ...link, url: '/gone', kind: 'internal' as const, documents: [place('a'), place('b')] },
    { ...link, url: 'https://x.example/', kind: 'external' as const, documents: [place('b')] },
  ];
  const urls = (kind: '' | 'external', words: string) =>
    byDocument({ broken } as never, { kind, words }).map(({ slug, links }) => [slug, ...links.map(({ url }) => url)]);
  assert.equal(urls('', ''), [
    ['a', '/gone'],
    ['b', '/gone', 'https://x.example/'],
  ]);
  assert.equal(urls('external', ''), [['b', 'https://x.example/']]);
  assert.equal(urls('', 'GONE'), [
    ['a', '/gone'],
    ['b', '/gone'],
  ]);
  const findTitle = (_: string, slug: string) => (slug === 'b' ? 'Tide tables' : undefined);
  const titled = byDocument({ broken } as never, { kind: '', words: 'tide' }, findTitle);
  assert.equal(
    titled.map(({ slug, links }) => [slug, links.length]),
    [['b', 2]],
  );
});

const says = (page: Page, text: string): Promise<void> =>
  page.getByRole('status', { name: 'Messages' }).getByText(text).waitFor();
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save settings' }).click();
const openSection = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();
const settingsOf = async (client: Client) => (await client.get(CONFIG_URL)).json;

test('settings are changed in sections, with their problems, secrets and conflicts', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

  await followProblems(page, admin.world.admin);
  await warnBeforeLeaving(page);
  await setSecrets(page, admin.world.admin);
  await resolveConflicts(page, admin);
  await checkLinks(page, admin.world.admin);
  assertQuiet(complaints, /status of (400|412)/);
});

async function followProblems(page: Page, client: Client): Promise<void> {
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Mars/Base');
  await openSection(page, 'Deploy');
  await page.getByLabel('Deploy schedule').fill('0 4 * * *');
  await page.getByText('Every day at 04:00').waitFor();
  await save(page);
  await page.getByRole('alert').getByRole('link', { name: 'Time zone: must be' }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await page.getByText('Must be an IANA time zone').last().waitFor();
  await page.waitForTimeout(200);
  assert.ok(await zone.evaluate((one) => one === one.ownerDocument.activeElement));
  assert.is(await zone.getAttribute('aria-invalid'), 'true');
  assert.is((await settingsOf(client)).deployCron, '');
  await zone.fill('Europe/Copenhagen');
  await page.keyboard.press('Enter');
  await says(page, 'The settings are saved');
  const { timezone, deployCron } = await settingsOf(client);
  assert.equal([timezone, deployCron], ['Europe/Copenhagen', '0 4 * * *']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await says(page, 'as they were');
  assert.is((await settingsOf(client)).timezone, 'UTC');
  assert.is(await zone.inputValue(), 'UTC');
}

async function warnBeforeLeaving(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Public MCP address' }).selectOption('Nothing');
  const toTeam = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Team' });
  await toTeam.click();
  const question = page.getByRole('alertdialog', { name: 'Leave' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await toTeam.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  await page.goBack();
  await page.getByRole('status', { name: 'Settings state' }).getByText('1 unsaved change').waitFor();
  await page.reload();
  assert.is(await page.getByRole('combobox', { name: 'Public MCP address' }).inputValue(), 'false');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.is(await page.getByRole('combobox', { name: 'Public MCP address' }).inputValue(), '');
}

async function setSecrets(page: Page, client: Client): Promise<void> {
  await openSection(page, 'Deploy');
  await page.getByLabel('Provider').selectOption('vercel');
  const token = page.getByLabel('Vercel token');
  await token.fill(TOKEN);
  await openSection(page, 'Revalidation');
  await page.getByRole('button', { name: 'Make a new Revalidation secret' }).click();
  await save(page);
  const made = page.getByRole('dialog', { name: 'New secret' });
  assert.match(await made.getByRole('textbox', { name: 'Revalidation secret' }).inputValue(), /^[0-9a-f]{64}$/);
  await made.getByRole('button', { name: 'Done' }).click();
  assert.equal((await settingsOf(client)).vercelToken, { set: true, last4: '1234' });
  await openSection(page, 'Deploy');
  await page.getByText('set, ends in 1234').waitFor();
  assert.is(await token.inputValue(), '');
  assert.not.match(await page.content(), TOKEN);

  // What is shown is what happens: nothing for the same address, the token for another one.
  const address = page.getByLabel('Vercel API address');
  const note = page.getByText('Saving this forgets: Vercel token.');
  await address.fill('https://api.vercel.com/');
  assert.is(await note.count(), 0);
  await address.fill('https://api.elsewhere.example');
  await note.waitFor();
  await save(page);
  await page.getByRole('alert').getByText('Forgotten, because they act on something else').waitFor();
  assert.equal((await settingsOf(client)).vercelToken, { set: false });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await openSection(page, 'Revalidation');
  await page.getByRole('button', { name: 'Remove Revalidation secret' }).click();
  const secret = page.getByLabel('Revalidation secret');
  assert.ok(await secret.evaluate((one) => one === one.ownerDocument.activeElement));
  await save(page);
  await page.getByText('Not set.').waitFor();
  assert.equal((await settingsOf(client)).revalidateSecret, { set: false });
}

async function resolveConflicts(page: Page, { world }: AdminWorld): Promise<void> {
  await openSection(page, 'Backups');
  await page.getByRole('spinbutton', { name: 'Backups to keep' }).fill('7');
  await world.admin.post(CONFIG_URL, { deployOnSave: true });
  await save(page);
  await page.getByRole('status', { name: 'Settings state' }).getByText('unsaved').waitFor({ state: 'detached' });
  assert.is((await settingsOf(world.admin)).backupRetention, 7);

  // Other settings are changed again and again: there is nothing to choose.
  let moves = 2;
  await page.route('**/api/admin/site-config', async (route) => {
    if (route.request().method() === 'POST' && moves-- > 0) {
      await world.admin.post(CONFIG_URL, { deployOnSave: moves % 2 === 0 });
    }
    await route.fallback();
  });
  await page.getByRole('spinbutton', { name: 'Backups to keep' }).fill('9');
  await save(page);
  await page.getByRole('status', { name: 'Settings state' }).getByText('unsaved').waitFor({ state: 'detached' });
  moves = 100;
  await page.getByRole('spinbutton', { name: 'Backups to keep' }).fill('8');
  await save(page);
  await page.getByRole('alert').getByText('Try it again').waitFor();
  assert.is(await page.getByRole('button', { name: 'Keep mine' }).count(), 0);
  await page.unroute('**/api/admin/site-config');
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await page.getByRole('spinbutton', { name: 'Backups to keep' }).focus();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await untilTrue(page, `document.activeElement?.getAttribute('type') === 'number'`);

  await world.admin.post(CONFIG_URL, { backupRetention: 20 });
  await save(page);
  await page.getByText('someone else has set this to “20”').waitFor();
  assert.is((await settingsOf(world.admin)).backupRetention, 20);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await save(page);
  await page.getByRole('status', { name: 'Settings state' }).getByText('unsaved').waitFor({ state: 'detached' });
  assert.is((await settingsOf(world.admin)).backupRetention, 8);
}

async function checkLinks(page: Page, client: Client): Promise<void> {
  const body = '[a](/blog/gone) [b](/blog/hello)';
  await client.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'Tide tables', body } });
  await openSection(page, 'Link check');
  await page.getByText('have not been checked yet').waitFor();
  await page.getByRole('button', { name: 'Check links' }).click();
  await says(page, 'The links are checked');
  const list = page.getByRole('list', { name: 'Broken links' });
  await list.getByText('There is no such page or file').waitFor();
  await list.getByRole('link', { name: 'Tide tables', exact: true }).waitFor();
  await list.getByText('hello', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search links' }).fill('tide');
  await list.getByRole('link', { name: 'Tide tables', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search links' }).fill('nothing');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await list.getByRole('link', { name: 'body of Tide tables' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tide tables' }).waitFor();
}

test('axe-core finds no fault, nothing scrolls sideways, and editors only read', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post(CONFIG_URL, { deployProvider: 'vercel', vercelToken: TOKEN });
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/settings', look);
    page.on('dialog', (dialog) => void dialog.accept());
    for (const section of ['General', 'Deploy', 'Backups', 'Link check', 'Webhooks', 'Configuration file']) {
      await openSection(page, section);
      await page.getByRole('heading', { level: 2, name: section }).waitFor();
      if (section === 'Backups') await page.getByRole('checkbox', { name: 'Copy backups elsewhere' }).check();
      await assertAccessible(page, section, look);
    }
    assertQuiet(complaints);
  }

  await admin.world.user('editor');
  const { page, complaints } = await admin.open('/login?next=/admin/settings');
  await page.getByLabel('E-mail').fill('editor1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Only admins change settings').waitFor();
  assert.is(await page.getByRole('combobox', { name: 'Time zone' }).getAttribute('readonly'), '');
  assert.is(await page.getByRole('button', { name: 'Save settings' }).count(), 0);
  await page.goto(`${admin.world.url}/admin/settings/nothing`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assertQuiet(complaints);
});

test.run();
