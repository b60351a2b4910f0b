// The screens of lists, of the search, the trash and the library by axe-core, in both themes, on phones and desktops.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS } from '../support/browser.ts';
import { upload } from '../support/upload.ts';
import { type AdminWorld, assertAccessible, makeAdminWorld } from './world.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaftspreis';
const ARABIC = 'فن الطباعة القديمة وأسرار الحروف';

async function plant({ world: { admin } }: AdminWorld): Promise<void> {
  const posts = [LONG, ARABIC, '<b>bold</b>'].map((title, at) => ({
    ...{ op: 'create', slug: `p${at}`, data: { title, tags: [LONG, ARABIC, 'c'] } },
    ...(at === 0 ? { publishAt: '2126-12-01T09:00:00Z' } : {}),
  }));
  const { status, json } = await admin.post('/api/cms/posts/bulk', { operations: posts, atomic: true });
  assert.is(status, 200, JSON.stringify(json));
  await admin.post('/api/cms/posts', { slug: 'gone', data: { title: LONG } });
  await admin.delete('/api/cms/posts/gone');
  assert.is(
    (await upload(admin, 'kapitaen-der-donaudampfschifffahrtsgesellschaft.txt', 'text', { folder: 'papers' })).status,
    200,
  );
}

test('axe-core finds no fault in lists, search, trash and library, and nothing scrolls sideways at 320 px', async () => {
  await using admin = await makeAdminWorld();
  await plant(admin);
  for (const look of LOOKS) {
    const { page } = await admin.signedIn('/content/posts', look);
    const faults = (place: string): Promise<void> => assertAccessible(page, place, look);
    await lists(page, faults);
    const go = (path: string) => page.goto(`${admin.world.url}/admin${path}`);
    await go('/content/posts?q=nowhere');
    await page.getByRole('button', { name: 'Clear search and filters' }).waitFor();
    await faults('no result');
    await go(`/search?q=${LONG}`);
    await page.getByRole('list', { name: 'Results' }).waitFor();
    await faults('search');
    await go('/trash');
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await faults('trash');
    await go('/media');
    await page.getByRole('list', { name: 'Files' }).getByRole('link').click();
    await page.getByRole('dialog').getByText('No document uses this file').waitFor();
    await faults('file');
    await page.keyboard.press('Escape');
    await page.getByRole('list', { name: 'Folders' }).getByRole('link').click();
    await page.getByRole('navigation', { name: 'Folder path' }).waitFor();
    await faults('media');
  }
});

async function lists(page: Page, faults: (place: string) => Promise<void>): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${LONG}` }).check();
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor();
  await faults('list');
  await page.getByRole('button', { name: 'Columns' }).click();
  await faults('columns');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('dialog', { name: 'Add tags' }).waitFor();
  await faults('add tags');
  await page.keyboard.press('Escape');
}

test.run();
