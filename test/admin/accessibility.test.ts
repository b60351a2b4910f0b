// Every screen of the admin by axe-core, in both themes, on phones and desktops.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS } from '../support/browser.ts';
import { assertAccessible, makeAdminWorld } from './world.ts';

test('axe-core finds no fault, in both themes, on phones and desktops, and nothing scrolls sideways at 320 px', async () => {
  await using admin = await makeAdminWorld();
  const long = { slug: 'a', data: { title: `A ${'very'.repeat(5)} long title` } };
  assert.is((await admin.world.admin.post('/api/cms/posts', long)).status, 200);
  for (const look of LOOKS) {
    const { page } = await admin.signedIn('', look);
    await page
      .getByRole('region', { name: 'Recent changes' })
      .getByText(/veryvery/)
      .waitFor();
    const faults = (place: string): Promise<void> => assertAccessible(page, place, look);
    await faults('dashboard');
    await page.keyboard.press('Control+k');
    await faults('palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await faults('menu');
    await page.goto(`${admin.world.url}/admin/nowhere`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await faults('not found');
    await page.context().clearCookies();
    await page.goto(`${admin.world.url}/admin/login`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await faults('sign-in');
  }
});

test.run();
