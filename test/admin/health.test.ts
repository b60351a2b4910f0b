// How the site is doing: on the dashboard with what to do, and above every screen while nothing can be saved.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteStatus } from '../../src/admin/api/status.ts';
import { listHealthNotes, spaceOf } from '../../src/admin/screens/dashboard/health-notes.ts';
import { PASSWORD } from '../support/world.ts';
import { assertQuiet, makeAdminWorld } from './world.ts';

const WELL: SiteStatus = {
  ...{ ready: true, refusal: null, version: '0.3.0', index: { documents: 1, media: 0, commit: null } },
  ...{ problems: [], warnings: [], queue: [], remote: null, disk: { freeBytes: 5e10, totalBytes: 1e11 } },
};
const toSize = (bytes: number): string => `${bytes} B`;

test('a disk is nearly full by what is left, and large disks not by their part alone', () => {
  assert.is(spaceOf({ freeBytes: 5e10, totalBytes: 1e11 }), undefined);
  assert.is(spaceOf({ freeBytes: 5e9, totalBytes: 1e12 }), undefined);
  assert.is(spaceOf({ freeBytes: 1e9, totalBytes: 5e10 }), 'warned');
  assert.is(spaceOf({ freeBytes: 1e9, totalBytes: 1e11 }), 'bad');
  assert.is(spaceOf({ freeBytes: 2e8, totalBytes: 1e9 }), 'bad');
  assert.is(spaceOf({ freeBytes: 1e9, totalBytes: 4e9 }), undefined);
});

test('what is wrong is listed with what to do, the worst first, and each thing once', () => {
  assert.equal(listHealthNotes(WELL, toSize), []);
  assert.equal(listHealthNotes({ ready: true, refusal: null, version: '1', index: WELL.index }, toSize), []);
  const late = { unpushedCommits: 2, unpushedSeconds: 900, secondsSinceFetch: 5 };
  const notes = listHealthNotes(
    {
      ...WELL,
      problems: ['branch "main" was moved'],
      warnings: ['content/posts/a.json: is no JSON', 'remote: has not answered for 15 min'],
      queue: [{ topic: 'webhooks', pending: 1, failed: 2 }],
      remote: late,
      disk: { freeBytes: 1e8, totalBytes: 1e11 },
    },
    toSize,
  );
  assert.equal(
    notes.map(({ tone }) => tone),
    ['bad', 'bad', 'warned', 'warned', 'warned'],
  );
  assert.ok(notes.slice(1).every(({ advice, link }) => advice !== undefined || link !== undefined));
  assert.is(listHealthNotes({ ...WELL, remote: late }, toSize).length, 1, 'said by us if the service does not');
});

test('the dashboard says how the site is, and a full disk is said above every screen until it is over', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'One' } });
  const { page, complaints } = await admin.signedIn();
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText('Everything is well.').waitFor();
  await health.getByText('1 document, 0 files').waitFor();
  await health.getByText(/of .* free/).waitFor();
  const refused = page.getByRole('alert', { name: 'Changes are refused' });
  assert.is(await refused.count(), 0);

  let refusal: string | null = 'the disk is full; free space and try again';
  await page.route('**/api/admin/status', async (route) => {
    const answer = await route.fetch();
    const disk = { freeBytes: 1000, totalBytes: 1e11 };
    await route.fulfill({ response: answer, json: { ...(await answer.json()), refusal, ready: false, disk } });
  });
  await page.route('**/api/admin/backups', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 507,
          json: { error: 'the disk is full; free space and try again', code: 'storage_full' },
        })
      : route.fallback(),
  );
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backups' }).click();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await refused.getByText('the disk is full').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await health.getByText('The disk is nearly full: 1 kB are free.').waitFor();
  refusal = null;
  await refused.waitFor({ state: 'detached' });
  assertQuiet(complaints, /507/);

  // A viewer is refused nothing, and learns only whether all is well.
  await admin.world.user('viewer');
  const viewer = await admin.open('/login?next=/admin');
  await viewer.page.getByLabel('E-mail').fill('viewer1@example.com');
  await viewer.page.getByLabel('Password').fill(PASSWORD);
  await viewer.page.getByRole('button', { name: 'Sign in' }).click();
  const seen = viewer.page.getByRole('region', { name: 'Health' });
  await seen.getByText('Everything is well.').waitFor();
  assert.is(await seen.getByText('Disk').count(), 0);
  assertQuiet(viewer.complaints);
});

test.run();
