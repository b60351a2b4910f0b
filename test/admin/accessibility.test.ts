// Every screen of the admin by axe-core, in both themes, on phones and desktops.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations } from '../support/browser.ts';
import { makeAdminWorld } from './world.ts';

test('axe-core finds no fault, in both themes, on phones and desktops, and nothing scrolls sideways at 320 px', async () => {
  await using admin = await makeAdminWorld();
  const long = { slug: 'a', data: { title: `A ${'very'.repeat(5)} long title` } };
  assert.is((await admin.world.admin.post('/api/cms/posts', long)).status, 200);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1280]) {
      const viewport = { width, height: 800 };
      const { page } = await admin.signedIn('', { colorScheme, viewport });
      await page.getByRole('region', { name: 'Recent changes' }).getByText(/very/).waitFor();
      const faults = async (place: string): Promise<void> => {
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        assert.ok(wide <= 0, `${place} is ${wide} px too wide in ${width}`);
        assert.equal(await findViolations(page), [], `${place} ${colorScheme} ${width}`);
      };
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
  }
});

test.run();
