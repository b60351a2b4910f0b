// Every screen of a site that is new and empty, by the names that people and machines find its parts under: a list
// without rows is still the list.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS, untilTrue } from '../support/browser.ts';
import { CONFIG, PASSWORD } from '../support/world.ts';
import { assertScreen, type Named, seen } from './named.ts';
import { assertAccessible, assertQuiet, EMAIL, makeAdminWorld } from './world.ts';

const FORMS = [{ name: 'contact', label: 'Contact', fields: [{ name: 'name', type: 'text' as const }] }];
const TABS: readonly Named[] = ['All', 'Draft', 'Published', 'Archived', 'Scheduled'].map((name) => ['tab', name]);

interface Row {
  path: string;
  heading: string;
  names: readonly Named[];
  /** What says what belongs here. */
  text?: string;
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const EMPTY: readonly Row[] = [
  {
    path: '',
    heading: 'Dashboard',
    names: ['Recent changes', 'Scheduled', 'Your drafts', 'Deploy', 'Health'].map((name) => ['region', name]),
  },
  {
    path: '/content/posts',
    heading: 'Posts',
    names: [
      ['grid', 'Posts'],
      ['searchbox', 'Search Posts'],
      ['tablist', 'Status'],
      ...TABS,
      ['combobox', 'Locale'],
      ['combobox', 'Tag'],
      ['button', 'Columns'],
      ['link', 'New document'],
    ],
    text: 'nothing here yet',
  },
  {
    path: '/content/posts/new',
    heading: 'New Posts',
    names: [
      ['form', 'Document'],
      ['toolbar', 'Document'],
      ['button', 'Save'],
      ['button', 'Publish'],
      ['status', 'Save state'],
      ['status', 'Document status'],
      ['tablist', 'Panels'],
      ['tabpanel', 'Details'],
    ],
  },
  {
    path: '/media',
    heading: 'Media',
    names: [
      ['button', 'Upload'],
      ['list', 'Folders'],
      ['list', 'Files'],
      ['searchbox', 'Search media'],
    ],
    text: 'No files yet',
  },
  {
    path: '/forms',
    heading: 'Forms',
    names: [
      ['list', 'Forms'],
      ['tablist', 'Submissions'],
      ...['All', 'New', 'Read', 'Archived'].map((name) => ['tab', name] as const),
      ['list', 'Submissions'],
    ],
    text: 'nothing was sent yet',
  },
  {
    path: '/forms/contact',
    heading: 'Contact',
    names: [
      ['tablist', 'Submissions'],
      ...['All', 'New', 'Read', 'Archived'].map((name) => ['tab', name] as const),
      ['list', 'Submissions'],
      ['link', 'Download CSV'],
    ],
    text: 'Nothing was sent yet',
  },
  { path: '/search', heading: 'Search', names: [['list', 'Results']], text: 'Type a few words' },
  { path: '/search?q=nothing', heading: 'Search', names: [['list', 'Results']], text: 'Nothing fits' },
  {
    path: '/calendar',
    heading: 'Calendar',
    names: [
      ['list', 'Scheduled'],
      ['grid', MONTH.format(Date.now())],
      ['textbox', 'Calendar link'],
      ['button', 'Copy link'],
      ['button', 'Make a new link'],
    ],
    text: 'Nothing is planned',
  },
  { path: '/trash', heading: 'Trash', names: [], text: 'Nothing was deleted' },
  { path: '/curation', heading: 'Curation', names: [['list', 'Queue']], text: 'Nothing waits' },
  {
    path: '/agents',
    heading: 'Agents',
    names: [
      ['list', 'Agents'],
      ['link', 'New agent'],
    ],
    text: 'No agents yet',
  },
  { path: '/agents/new', heading: 'New agent', names: [['textbox', 'Name']] },
  {
    path: '/voice',
    heading: 'Brand voice',
    names: [
      ['list', 'Versions'],
      ['button', 'Start interview'],
    ],
    text: 'No voice yet',
  },
  {
    path: '/chat',
    heading: 'Chat',
    names: [
      ['textbox', 'Message'],
      ['log', 'Conversation'],
    ],
    text: 'Ask about the content',
  },
  {
    path: '/deploy',
    heading: 'Deploy',
    names: [
      ['button', 'Deploy'],
      ['status', 'Deploy state'],
      ['table', 'Runs'],
      ['log', 'Run log'],
      ['table', 'Revalidations'],
      ['button', 'Send all again'],
    ],
    text: 'Nothing has been deployed from here yet',
  },
  {
    path: '/deploy/docker',
    heading: 'New instance',
    names: [
      ['list', 'Steps'],
      ['radiogroup', 'Template'],
      ['button', 'Continue'],
    ],
  },
  {
    path: '/backups',
    heading: 'Backups',
    names: [
      ['button', 'Back up now'],
      ['table', 'Backups'],
    ],
    text: 'No backups yet',
  },
  {
    path: '/settings',
    heading: 'Settings',
    names: [
      ['combobox', 'Time zone'],
      ['button', 'Save settings'],
    ],
  },
  {
    path: '/settings/webhooks',
    heading: 'Settings',
    names: [
      ['list', 'Webhooks'],
      ['table', 'Deliveries'],
      ['button', 'Add webhook'],
    ],
    text: 'Nothing has been sent yet',
  },
  {
    path: '/team',
    heading: 'Team',
    names: [
      ['table', 'Users'],
      ['button', 'Add user'],
    ],
  },
  {
    path: '/account',
    heading: 'Account',
    names: [
      ['textbox', 'Name'],
      ['spinbutton', 'Scale'],
      ['list', 'Access tokens'],
      ['button', 'New token'],
      ['table', 'Sessions'],
      ['button', 'Sign out'],
      ['textbox', 'MCP address'],
    ],
    text: 'No tokens yet',
  },
  { path: '/activity', heading: 'Activity', names: [['list', 'Activity']] },
];

/** Rows of a named list, table or grid, without its header. */
const ROWS: Partial<Record<Named[0], string>> = {
  list: 'li:not([aria-hidden])',
  table: 'tbody tr',
  grid: '.rows-box > *',
};
/** Not of the site, or never without rows. */
const FILLED = /^(Forms|Steps|Users|Sessions|Activity|\w+ \d{4})$/;

test('a new site is set up and signed in to by the names of its fields', async () => {
  await using admin = await makeAdminWorld({ admin: false });
  const { page, complaints } = await admin.open('/setup');
  await page.getByRole('heading', { level: 1, name: 'Set up Colophon', exact: true }).waitFor();
  assert.is(await page.title(), 'Set up Colophon · Colophon');
  assert.is(await page.getByRole('heading', { level: 1 }).count(), 1);
  await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await (await seen(page, 'button', 'Create account')).click();
  await assertScreen(page, 'Dashboard', []);
  await page.getByRole('button', { name: 'Account menu' }).click();
  for (const name of ['Light', 'Dark', 'System']) await seen(page, 'menuitemradio', name);
  for (const name of ['Account', 'Sign out']) await seen(page, 'menuitem', name);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in', exact: true }).waitFor();
  assert.is(await page.title(), 'Sign in · Colophon');
  for (const name of ['E-mail', 'Password']) await page.getByLabel(name, { exact: true }).waitFor();
  await seen(page, 'button', 'Sign in');
  assertQuiet(complaints);
});

test('on an empty site every screen has its heading, its title and its names, and says what belongs there', async () => {
  await using admin = await makeAdminWorld({ config: { ...CONFIG, forms: FORMS } });
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('', look);
    const isPhone = look.viewport.width < 400;
    for (const { path, heading, names, text } of EMPTY) {
      await page.goto(`${admin.world.url}/admin${path}`);
      // On a phone the panels of a document are sheets.
      const shown = names.filter(([, name]) => !isPhone || (name !== 'Panels' && name !== 'Details'));
      await assertScreen(page, heading, shown);
      if (text) await page.getByRole('main').getByText(text).first().waitFor();
      for (const [role, name] of names) {
        const rows = ROWS[role];
        if (!rows || FILLED.test(String(name))) continue;
        assert.is(await page.getByRole(role, { name, exact: true }).locator(rows).count(), 0, `rows of ${name}`);
      }
      await assertAccessible(page, path, look);
      if (!isPhone) await skips(page);
    }
    assertQuiet(complaints);
  }
});

async function skips(page: Page): Promise<void> {
  await untilTrue(page, `document.querySelector('main h1') !== null`);
  const first = `[...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')]
    .find((one) => one.checkVisibility())?.textContent.trim()`;
  assert.is(await page.evaluate(first), 'Skip to content');
  await page.getByRole('link', { name: 'Skip to content', exact: true }).focus();
  await page.getByRole('link', { name: 'Skip to content', exact: true }).waitFor();
}

test('without a target, a model or a provider a button stays, is off, and says why', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn('/deploy');
  const offs = [
    ['/deploy', 'Deploy', 'Nothing says where this site is deployed to.'],
    ['/voice', 'Start interview', 'No AI provider is set up'],
    ['/chat', 'Send', 'No AI provider is set up'],
  ] as const;
  for (const [path, name, reason] of offs) {
    await page.goto(`${admin.world.url}/admin${path}`);
    const button = page.getByRole('main').getByRole('button', { name, exact: true });
    await button.waitFor();
    await untilTrue(
      page,
      `[...document.querySelectorAll('main button[aria-disabled="true"][aria-describedby]')].some((one) =>
        one.textContent.trim() === '${name}' &&
        document.getElementById(one.getAttribute('aria-describedby')).textContent.includes('${reason}'))`,
    );
    // As people do who did not read the reason.
    await button.dispatchEvent('click');
  }
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello?');
  await page.keyboard.press('Enter');
  await page.goto(`${admin.world.url}/admin/deploy`);
  await seen(page, 'table', 'Runs');
  assert.is((await admin.world.admin.get('/api/admin/deploys')).json.deploys.length, 0);
  assert.equal((await admin.world.admin.get('/api/cms/chat/conversations')).json.conversations, []);
  assertQuiet(complaints);
});

test('while a screen is loading it has one heading too, and the title says the same', async () => {
  await using admin = await makeAdminWorld({ config: { ...CONFIG, forms: FORMS } });
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'The tides' } });
  const places = [
    ...EMPTY.map(({ path, heading }) => ({ path, heading })),
    { path: '/content/posts/tides', heading: 'The tides' },
    { path: '/content/posts/tides/history', heading: 'The tides' },
  ];
  const { page, complaints } = await admin.signedIn('');
  for (const { path, heading } of places) {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route(/\/api\/(?!auth|admin\/profile|admin\/events)/, async (route) => {
      await opened;
      await route.fallback();
    });
    await page.goto(`${world.url}/admin${path}`);
    const title = page.getByRole('heading', { level: 1 });
    await title.waitFor();
    assert.is(await title.count(), 1, path);
    await untilTrue(page, `document.title === document.querySelector('h1').textContent.trim() + ' · Colophon'`);
    // Whatever comes, there is one.
    await page.evaluate(`globalThis.counts = new Set();
      new MutationObserver(() => counts.add(document.querySelectorAll('h1').length))
        .observe(document.body, { childList: true, subtree: true });`);
    open();
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    assert.equal(await page.evaluate('[...counts].filter((count) => count !== 1)'), [], path);
  }
  assertQuiet(complaints);
});

test.run();
