// The pages behind mailed links in a real browser: an invitation that is accepted by keyboard, on a small screen.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, openBrowser } from '../support/browser.ts';
import { makeWorld } from '../support/world.ts';

const NEW = 'a password of her own';

test('an invitation is accepted by keyboard, in light and dark, on a small screen', async () => {
  await using world = await makeWorld({});
  await using browser = await openBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    const email = `${colorScheme}@example.com`;
    const { json } = await world.admin.post('/api/admin/users/invite', { email, role: 'editor' });
    const { page, complaints } = await browser.open({ viewport: { width: 320, height: 640 }, colorScheme });
    await page.goto(json.inviteUrl);
    assert.is(new URL(page.url()).hash, '', 'the token leaves the address bar');
    assert.equal(await findViolations(page), []);
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Grace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('password123');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    assert.equal(await findViolations(page), []);
    await page.getByLabel('New password').fill(NEW);
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: email }).waitFor();
    assert.equal(await findViolations(page), []);
    assert.is((await world.anonymous.post('/api/auth/login', { email, password: NEW })).status, 200);
    // The browser itself reports the answer that refused the first password.
    assert.equal(
      complaints.filter((complaint) => !complaint.includes('400')),
      [],
    );
    await page.context().close();
  }
});

test.run();
