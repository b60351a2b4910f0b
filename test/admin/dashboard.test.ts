// The dashboard and the palette: what to begin with, one's own work, what was opened last, and where the focus goes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { untilTrue } from '../support/browser.ts';
import { PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

test('an empty site names three first steps; then one has one’s drafts, and a key into each card', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.signedIn();
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Read the guide' }).waitFor();
  assert.is(await steps.getByRole('listitem').count(), 3);
  assert.is(
    await steps.getByRole('link', { name: 'Write something' }).getAttribute('href'),
    '/admin/content/posts/new',
  );
  const make = (slug: string, body: object) => admin.world.admin.post('/api/cms/posts', { slug, ...body });
  await make('own', { data: { title: `Mine ${HOSTILE}` } });
  await make('done', { data: { title: 'Done' }, status: 'published' });
  await (await admin.world.user('editor')).post('/api/cms/posts', { slug: 'theirs', data: { title: 'Theirs' } });
  const drafts = page.getByRole('region', { name: 'Your drafts' });
  await drafts.getByRole('link', { name: `Mine ${HOSTILE}` }).waitFor();
  await steps.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Recent changes' }).getByRole('link', { name: 'Theirs' }).waitFor();
  assert.is(await drafts.getByRole('link').count(), 1);

  await page.keyboard.press('3');
  await untilTrue(page, `document.activeElement?.textContent === ${JSON.stringify(`Mine ${HOSTILE}`)}`);
  await page.keyboard.press('5');
  await page.getByRole('region', { name: 'Health' }).locator(':focus').waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/content/posts/theirs');
  assertQuiet(complaints);
});

test('what is past due stands first among what is scheduled, with the reason', async () => {
  await using admin = await makeAdminWorld();
  const plan = (slug: string, publishAt: number) => {
    const at = new Date(publishAt).toISOString();
    return admin.world.admin.post('/api/cms/posts', { slug, data: { title: slug }, publishAt: at });
  };
  await plan('soon', Date.now() + 86_400_000);
  await plan('far', Date.now() + 400 * 86_400_000);
  await plan('late', Date.now() + 500);
  await admin.world.admin.patch('/api/cms/posts/late', { unset: ['title'] });
  await new Promise((resolve) => setTimeout(resolve, 600));
  await admin.world.site().schedule.publish();
  const { page, complaints } = await admin.signedIn();
  const rows = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem');
  await rows.first().getByText('Past due. Title: ').waitFor();
  assert.equal(await rows.getByRole('link').allTextContents(), ['late', 'soon', 'far']);
  assert.is(await rows.last().getByText('Past due').count(), 0);
  assertQuiet(complaints);
});

test('the palette offers what was opened last, of this person only, and nothing that is gone', async () => {
  await using admin = await makeAdminWorld();
  for (const slug of ['tides', 'moons']) {
    await admin.world.admin.post('/api/cms/posts', { slug, data: { title: `${slug} ${HOSTILE}` } });
  }
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const recent = palette.getByRole('option').filter({ hasText: 'Recent' });
  // The heading stands before the document does; a page that is left in the same frame was not opened.
  const opened = (title: string) => untilTrue(page, `document.querySelector('input')?.value.startsWith('${title}')`);
  await opened('tides');
  await page.goto(`${admin.world.url}/admin/content/posts/moons`);
  await opened('moons');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Media' }).click();
  await heading('Media');
  await page.keyboard.press('Control+k');
  await recent.first().waitFor();
  assert.equal(await recent.locator('bdi').allTextContents(), [`moons ${HOSTILE}`, `tides ${HOSTILE}`]);
  await page.keyboard.press('Enter');
  await heading('moons');

  await admin.world.admin.delete('/api/cms/posts/tides');
  await admin.world.admin.patch('/api/cms/posts/moons', { data: { title: 'Other moons' } });
  await page.goto(`${admin.world.url}/admin/trash`);
  await heading('Trash');
  await page.keyboard.press('Control+k');
  await palette.getByRole('option', { name: 'Other moons' }).waitFor();
  await palette.getByRole('option', { name: 'tides' }).waitFor({ state: 'detached' });
  await page.keyboard.type('new document posts');
  await palette.getByRole('option', { name: 'New document in Posts' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/content/posts/new**');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('sign out');
  await palette.getByRole('option', { name: /^Sign out/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await heading('Sign in');
  await admin.world.user('viewer');
  await page.getByLabel('E-mail').fill('viewer1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor();
  assert.is(await palette.getByRole('option', { name: 'moons' }).count(), 0);
  assert.is(await palette.getByRole('option', { name: 'New document' }).count(), 0);
  // What was asked for while one signed out is refused.
  assertQuiet(complaints, /404|401/);
});

test('what takes the focus away gives it to its neighbour, and an address without a document is not found', async () => {
  await using admin = await makeAdminWorld();
  for (const slug of ['a', 'b', 'c']) {
    await admin.world.admin.post('/api/cms/posts', { slug, data: { title: slug.toUpperCase() } });
    await admin.world.admin.delete(`/api/cms/posts/${slug}`);
  }
  const { page, complaints } = await admin.signedIn('/trash');
  await page.getByRole('button', { name: 'Restore B' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Messages' }).getByText('“B” is back').waitFor();
  await untilTrue(page, `document.activeElement?.ariaLabel === 'Restore A'`);
  await page.keyboard.press('Enter');
  await untilTrue(page, `document.activeElement?.ariaLabel === 'Restore C'`);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing was deleted').waitFor();
  await untilTrue(page, `document.activeElement?.textContent === 'Trash'`);

  await admin.world.admin.delete('/api/cms/posts/a');
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'In the way' } });
  await page.getByRole('button', { name: 'Restore A' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByRole('link', { name: 'Open it' }).waitFor();
  await untilTrue(page, `document.activeElement?.ariaLabel === 'Restore A'`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'In the way' }).waitFor();

  await admin.world.admin.patch('/api/cms/posts/b', { data: { rank: 1 } });
  await page.goto(`${admin.world.url}/admin/content/posts/b/history`);
  await page.getByRole('list', { name: 'Versions' }).waitFor();
  for (const [key, place] of [
    ['[', 0],
    ['[', 1],
    [']', 0],
  ] as const) {
    await page.keyboard.press(key);
    const hide = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Hide changes' }) });
    await hide.waitFor();
    const opened = `document.querySelectorAll('.versions > li')[${place}].querySelector('[aria-expanded=true]')`;
    await untilTrue(page, `document.activeElement === ${opened}`);
  }

  await page.goto(`${admin.world.url}/admin/content/posts/nowhere/history`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  await page.route('**/api/manifest', (route) => route.fulfill({ status: 500, body: '{"error":"It broke"}' }));
  await page.goto(`${admin.world.url}/admin/content/posts`);
  await page.getByRole('heading', { level: 1, name: 'This could not be loaded' }).waitFor();
  assertQuiet(complaints, /404|409|500/);
});

test.run();
