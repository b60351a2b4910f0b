// The preview panel: the page of the site's theme follows what is typed, in its frame and in a window.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, makeAdminWorld } from '../world.ts';

test('the preview shows what is typed, without a reload, in the panel and in a window', async () => {
  await using admin = await makeAdminWorld();
  const body = `${'A long text. '.repeat(300)}\n\n[Elsewhere](/blog/other/)`;
  await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides', body } });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('tab', { name: 'Preview' }).click();
  const frame = page.frameLocator('iframe[title="Preview"]');
  await frame.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open preview' }).click();
  const window = await opening;
  await window.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  assert.is(await window.evaluate('opener'), null);
  await window.evaluate('scrollTo(0, 200); globalThis.isSame = true');

  await page.getByRole('textbox', { name: 'title', exact: true }).first().fill('High <i>tides');
  await frame.getByRole('heading', { level: 1, name: 'High <i>tides' }).waitFor();
  await window.getByRole('heading', { level: 1, name: 'High <i>tides' }).waitFor();
  assert.equal(await window.evaluate('[isSame, scrollY]'), [true, 200]);
  assert.match(await window.title(), /^High <i>tides/);
  // It has no origin, and so no cookie of the admin.
  assert.is(await window.evaluate('origin'), 'null');

  // Other pages of the site are not here.
  await frame.getByRole('link', { name: 'Elsewhere' }).click();
  await frame.getByRole('heading', { level: 1, name: 'High <i>tides' }).waitFor();
  assert.is((await admin.world.admin.get('/api/cms/posts/tides')).json.data.title, 'Tides');
  assertQuiet(complaints);
});

test.run();
