// The admin over http on a network, as on a small server without a certificate: browsers lack locks, random UUIDs and the
// clipboard there.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PLAIN_HOST, untilTrue } from '../support/browser.ts';
import { assertQuiet, makeAdminWorld, signIn } from './world.ts';

/** Headers that count on https only. */
const NO_HTTPS = /Cross-Origin-Opener-Policy header has been ignored/;

test('one signs in, writes a document and sees the changes of others over plain http', async () => {
  await using admin = await makeAdminWorld();
  const { page, complaints } = await admin.browser.open();
  const service = `http://${PLAIN_HOST}:${admin.world.port}`;
  await page.goto(`${service}/admin/login?next=/admin/content/posts/new`);
  assert.is(await page.evaluate('isSecureContext'), false);
  await signIn(page);
  const title = page.getByRole('textbox', { name: 'title', exact: true }).first();
  await title.fill('Half a');
  await page.getByRole('status', { name: 'Save state' }).getByText('Unsaved changes, kept on this device').waitFor();
  await page.waitForTimeout(400);
  await page.reload();
  await page.getByText('Unsaved changes of this device were restored.').waitFor();
  await title.fill('Tides');
  await page.keyboard.press('Control+s');
  await page.waitForURL('**/admin/content/posts/tides');
  await admin.world.admin.patch('/api/cms/posts/tides', { data: { rank: 3 } });
  await untilTrue(page, "document.getElementById('field-data.rank')?.value === '3'");
  await page.goto(`${service}/admin/content/posts`);
  await page.getByRole('checkbox', { name: 'Select Tides' }).check();
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).waitFor();
  assert.is((await admin.world.admin.get('/api/cms/posts/tides')).json.status, 'published');
  assertQuiet(complaints, NO_HTTPS);
});

test.run();
