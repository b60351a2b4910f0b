// The list of a collection, in front of a real service: found, sorted, opened, changed many at a time.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, CONFIG, PASSWORD } from '../support/world.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

async function plant(admin: AdminWorld, count: number, change: (at: number) => object = () => ({})): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const operations = Array.from({ length: Math.min(500, count - from) }, (_, at) => {
      const title = `Post ${String(from + at).padStart(4, '0')}`;
      return { op: 'create', slug: `post-${from + at}`, data: { title, tags: ['old'] }, ...change(from + at) };
    });
    const { status, json } = await admin.world.admin.post('/api/cms/posts/bulk', { operations, atomic: true });
    assert.is(status, 200, JSON.stringify(json));
  }
}

const statusOf = async (admin: AdminWorld, slug: string) => {
  const { status, json } = await admin.world.admin.get(`/api/cms/posts/${slug}`);
  return status === 200 ? json.status : status;
};

const titles = (page: Page) => page.getByRole('grid').getByRole('link').allTextContents();

/** The browser draws after an answer; a busy machine takes its time. */
async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 100; n++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never came: ${what}`);
}

test('a relation shows titles, follows their changes, and has the slug of what is not there', async () => {
  await using admin = await makeAdminWorld({
    config: {
      collections: [
        { name: 'people', label: 'People', fields: [{ name: 'name', type: 'text' }] },
        {
          name: 'posts',
          label: 'Posts',
          ui: { columns: ['author', 'friends'] },
          fields: [
            { name: 'title', type: 'text' },
            { name: 'author', type: 'relation', collection: 'people' },
            { name: 'friends', type: 'relation', collection: 'people', multiple: true },
          ],
        },
      ],
    },
  });
  const { world } = admin;
  for (let at = 0; at < 60; at++) {
    const data = { name: `Person ${at} ${HOSTILE}` };
    assert.is((await world.admin.post('/api/cms/people', { slug: `p-${at}`, data })).status, 200);
    const post = { title: `Post ${at}`, author: `p-${at}`, friends: ['p-1', 'gone'] };
    await world.admin.post('/api/cms/posts', { slug: `post-${at}`, data: post });
  }
  const { page, complaints } = await admin.signedIn('/content/posts?sort=createdAt&order=asc');
  const row = (title: string) =>
    page
      .getByRole('grid')
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: title, exact: true }) });
  await row('Post 3').getByText(`Person 3 ${HOSTILE}`, { exact: true }).waitFor();
  await row('Post 3').getByText(`Person 1 ${HOSTILE}, gone`).waitFor();
  await world.admin.patch('/api/cms/people/p-3', { data: { name: 'Renamed' } });
  await row('Post 3').getByText('Renamed', { exact: true }).waitFor();
  await page.getByRole('grid').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await row('Post 59').getByText(`Person 59 ${HOSTILE}`, { exact: true }).waitFor();
  assertQuiet(complaints);
});

test('a list says its true size, draws what is in view, and any row is reached', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 1500);
  const { page, complaints } = await admin.signedIn('/content/posts?sort=title&order=asc');
  const grid = page.getByRole('grid', { name: 'Posts' });
  await grid.getByRole('link', { name: 'Post 0000' }).waitFor();
  assert.is(await grid.getAttribute('aria-rowcount'), '1501');
  assert.is(await page.title(), 'Posts · Colophon');
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const last = grid.getByRole('link', { name: 'Post 1499' });
  await last.waitFor();
  assert.is(await grid.getByRole('row').filter({ hasText: 'Post 1499' }).getAttribute('aria-rowindex'), '1501');
  const nodes = await page.evaluate('document.querySelectorAll("*").length');
  assert.ok(Number(nodes) < 2500, `${nodes} nodes`);

  // There and back again.
  await last.click();
  await page.waitForURL('**/admin/content/posts/post-1499');
  await page.goBack();
  await last.waitFor();
  assert.match(page.url(), /sort=title/);
  assertQuiet(complaints);
});

test('search, tabs, filters and sorting are in the address, and no result leads back to everything', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 30, (at) => ({
    status: at % 3 === 0 ? 'published' : 'draft',
    ...(at % 5 === 0 ? { locale: 'de' } : {}),
    data: { title: `Post ${at}`, rank: 100 - at, tags: at % 2 ? ['odd'] : ['even'] },
  }));
  const { page, complaints } = await admin.signedIn('/content/posts');
  const tab = (name: string) => page.getByRole('tablist', { name: 'Status' }).getByRole('tab', { name });
  await tab('Published').getByText('10').waitFor();
  await tab('Published').click();
  await until('the published ones', async () => (await titles(page)).length === 10);
  assert.match(page.url(), /status=published/);
  await page.getByRole('combobox', { name: 'Locale' }).selectOption('de');
  await until('the German ones', async () => (await titles(page)).length === 2);
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('odd');
  await until('the odd ones', async () => (await titles(page)).join() === 'Post 15');
  await page.reload();
  await until('the same after a reload', async () => (await titles(page)).join() === 'Post 15');

  await page.getByRole('searchbox', { name: 'Search Posts' }).fill('nowhere');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.locator('[role="grid"][aria-rowcount="31"]').waitFor();
  assert.not.match(page.url(), /\?/);
  await page.getByRole('searchbox', { name: 'Search Posts' }).fill('Post 29');
  await until('the one searched for', async () => (await titles(page)).join() === 'Post 29');
  await page.getByRole('searchbox', { name: 'Search Posts' }).fill('');

  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await until('the order of titles', async () => (await titles(page))[0] === 'Post 0');
  assert.is(await page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'), 'ascending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'rank' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'rank' }).getByRole('button').click();
  await until('the order of ranks', async () => (await titles(page))[0] === 'Post 29');
  await page.reload();
  await page.getByRole('columnheader', { name: 'rank' }).waitFor();
  assertQuiet(complaints);
});

test('many are changed at a time, and everything is taken back', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 3);
  const { page, complaints } = await admin.signedIn('/content/posts?sort=title&order=asc');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const message = page.getByRole('status', { name: 'Messages' });
  const pick = async (...names: string[]) => {
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  };
  await pick('Post 0000', 'Post 0001');
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  await message.getByText('2 documents published').waitFor();
  assert.is(await statusOf(admin, 'post-1'), 'published');
  assert.is(await statusOf(admin, 'post-2'), 'draft');
  await message.getByRole('button', { name: 'Undo' }).click();
  await message.getByText('2 documents are as they were').waitFor();
  assert.is(await statusOf(admin, 'post-1'), 'draft');

  await bar.getByRole('button', { name: 'Add tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add tags' });
  await dialog.getByLabel('Tags').fill(`${HOSTILE}, new`);
  await dialog.getByRole('button', { name: 'Add tags' }).click();
  await message.getByText('2 documents tagged').waitFor();
  assert.equal((await admin.world.admin.get('/api/cms/posts/post-0')).json.data.tags, ['old', HOSTILE, 'new']);

  await bar.getByRole('button', { name: 'Select all 3' }).click();
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await message.getByText('3 documents deleted').waitFor();
  assert.is(await statusOf(admin, 'post-2'), 404);
  await page.getByText('nothing here yet').waitFor();
  await message.getByText('3 documents deleted').locator('..').getByRole('button', { name: 'Undo' }).click();
  await message.getByText('3 documents are as they were').waitFor();
  assert.is(await statusOf(admin, 'post-2'), 'draft');
  await until('all of them', async () => (await titles(page)).length === 3);

  await pick('Post 0002');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Export' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const exported = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { slug: string }[];
  assert.ok(exported.some(({ slug }) => slug === 'post-2'));
  assertQuiet(complaints);
});

test('what could not be changed is named with the reason, and the rest is done', async () => {
  await using admin = await makeAdminWorld();
  const posts: [string, object][] = [
    ['good', { title: 'Good' }],
    ['bad', { rank: 1 }],
  ];
  for (const [slug, data] of posts)
    assert.is((await admin.world.admin.post('/api/cms/posts', { slug, data })).status, 200);
  const { page, complaints } = await admin.signedIn('/content/posts');
  await page.getByRole('checkbox', { name: 'Select Good' }).check();
  await page.getByRole('checkbox', { name: 'Select bad' }).check();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Publish', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('1 document could not be changed').waitFor();
  await alert.getByText(/title/).waitFor();
  assert.is(await alert.getByRole('link', { name: 'bad' }).getAttribute('href'), '/admin/content/posts/bad');
  assert.is(await statusOf(admin, 'good'), 'published');
  assertQuiet(complaints);
});

test('the keyboard alone finds, selects a range, changes it and opens a document', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 300);
  const { page, complaints } = await admin.signedIn('/content/posts?sort=title&order=asc');
  await page.getByRole('link', { name: 'Post 0000' }).waitFor();
  const focused = () => page.evaluate('document.activeElement?.textContent || document.activeElement?.ariaLabel');
  await page.keyboard.press('/');
  await page.keyboard.type('Post');
  await until('the search in the address', async () => page.url().includes('q=Post'));
  await page.getByRole('link', { name: 'Post 0000' }).focus();
  await page.keyboard.press('j');
  await until('the second row', async () => (await focused()) === 'Post 0001');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+End');
  await page.getByRole('row').filter({ hasText: 'Post 0299' }).waitFor();
  await page.keyboard.press('Shift+Space');
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('299 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' });

  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await until('the first row', async () => (await focused()) === 'Post 0000');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  // The toolbar is one stop, with arrows inside.
  const isInBar = () => page.evaluate(`document.activeElement?.closest('[aria-label="Selection"]') !== null`);
  for (let n = 0; n < 30 && !(await isInBar()); n++) await page.keyboard.press('Tab');
  for (let n = 0; n < 10 && (await focused()) !== 'Publish'; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Messages' }).getByText('2 documents published').waitFor();
  assert.is(await statusOf(admin, 'post-1'), 'published');

  await page.getByRole('link', { name: 'Post 0001' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await until('the header', async () => (await focused()) === 'Title');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/content/posts/post-0');
  await page.goBack();
  await page.getByRole('link', { name: 'Post 0000' }).waitFor();
  await page.keyboard.press('n');
  await page.waitForURL('**/admin/content/posts/new');
  assertQuiet(complaints);
});

test('a list follows what others do, and its selection stays', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 2);
  const { page, complaints } = await admin.signedIn('/content/posts');
  await page.getByRole('checkbox', { name: 'Select Post 0000' }).check();
  await page.getByRole('tab', { name: 'All' }).getByText('2').waitFor();
  await admin.world.admin.post('/api/cms/posts', { slug: 'new-one', data: { title: HOSTILE } });
  await page.getByRole('link', { name: HOSTILE }).waitFor();
  await page.getByRole('tab', { name: 'All' }).getByText('3').waitFor();
  assert.ok(await page.getByRole('checkbox', { name: 'Select Post 0000' }).isChecked());
  await admin.world.admin.delete('/api/cms/posts/new-one');
  await page.getByRole('link', { name: HOSTILE }).waitFor({ state: 'detached' });
  assertQuiet(complaints);
});

test('a viewer reads and exports, and is offered nothing else', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 1);
  await admin.world.user('viewer');
  const { page, complaints } = await admin.open('/login?next=/admin/content/posts');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('checkbox', { name: 'Select Post 0000' }).check();
  const buttons = await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button').allTextContents();
  assert.equal(buttons, ['Export', '']);
  assert.is(await page.getByRole('link', { name: 'New document' }).count(), 0);
  await page.keyboard.press('n');
  assert.match(page.url(), /posts$/);
  assertQuiet(complaints);
});

test('an author is offered what can be done to a part of the selection, which is then done to that part', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 5, (at) => ({ status: at < 3 ? 'published' : 'draft' }));
  await admin.world.user('author');
  const { page, complaints } = await admin.open('/login?next=/admin/content/posts');
  await page.getByLabel('E-mail').fill('author1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const names = () => bar.getByRole('button').evaluateAll((all) => all.map((one) => one.textContent));
  await page.getByRole('checkbox', { name: 'Select Post 0000' }).check();
  assert.equal(await names(), ['Select all 5', 'Export', '']);
  for (const at of [1, 2, 3, 4]) await page.getByRole('checkbox', { name: `Select Post 000${at}` }).check();
  assert.equal(await names(), ['Archive2 of 5', 'Delete2 of 5', 'Add tags2 of 5', 'Export', '']);
  const archive = bar.getByRole('button', { name: 'Archive', exact: true });
  assert.is(await archive.getAttribute('aria-description'), 'For 2 of the 5 selected');
  // What others do meanwhile counts.
  await admin.world.admin.post('/api/cms/posts/bulk', {
    operations: [{ op: 'publish', id: (await admin.world.admin.get('/api/cms/posts/post-4')).json.id }],
  });
  await bar.getByText('1 of 5').first().waitFor();
  await archive.click();
  await page.getByRole('status', { name: 'Messages' }).getByText('1 document archived').waitFor();
  assert.is(await page.getByRole('alert').count(), 0);
  assert.is(await statusOf(admin, 'post-3'), 'archived');
  // Archived already: only Delete and tags are left for it, and the focus is not lost with the button.
  await archive.waitFor({ state: 'detached' });
  await until('the focus', () => page.evaluate('document.activeElement !== document.body'));
  await bar.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('1 document deleted').waitFor();
  await bar.getByText('4 selected').waitFor();
  assertQuiet(complaints);
});

test('an unknown collection is not found, an empty one begins with a button, a global one opens its document', async () => {
  const collections = [
    ...CONFIG.collections!,
    { name: 'home', label: 'Home', kind: 'global' as const, fields: [{ name: 'title', type: 'text' as const }] },
  ];
  await using admin = await makeAdminWorld({ config: { ...CONFIG, collections } });
  const { page, complaints } = await admin.signedIn('/content/nowhere');
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' }).click();
  assert.is(
    await page.getByRole('link', { name: 'Write the first one' }).getAttribute('href'),
    '/admin/content/posts/new',
  );
  await admin.world.admin.post('/api/cms/home', { slug: 'start', data: { title: 'Start' } });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await page.waitForURL('**/admin/content/home/start');
  assertQuiet(complaints);
});

test('a document that one has just made and the filters hide is named, with the way to it', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin, 2, () => ({ status: 'published' }));
  const { page, complaints } = await admin.signedIn('/content/posts?status=published');
  await page.getByRole('grid').getByRole('link', { name: 'Post 0000' }).waitFor();
  const note = page.getByRole('status').filter({ hasText: 'is new' });
  const make = async (client: Client, title: string) =>
    assert.is((await client.post('/api/cms/posts', { data: { title } })).status, 200);
  await make(await admin.world.user('editor'), 'Theirs');
  await page.getByRole('tab', { name: 'Draft' }).getByText('1').waitFor();
  assert.is(await note.count(), 0);
  await make(admin.world.admin, HOSTILE);
  await note.getByRole('link', { name: HOSTILE }).waitFor();
  await page.reload();
  await note.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.locator('[role="grid"][aria-rowcount="5"]').waitFor();
  await note.waitFor({ state: 'detached' });
  assertQuiet(complaints);
});

test.run();
