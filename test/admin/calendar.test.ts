// The calendar in front of a real service: what is planned, moved by buttons, keys and drag, and its feed.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS, untilTrue } from '../support/browser.ts';
import { PASSWORD, type World } from '../support/world.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const DAY_MS = 86_400_000;
const today = new Date().toISOString().slice(0, 10);
const dayAt = (count: number): string => new Date(Date.parse(today) + count * DAY_MS).toISOString().slice(0, 10);
const timeAt = (count: number): string => `${dayAt(count)}T09:30:00.000Z`;

async function plan(world: World, slug: string, at: string, more: object = {}): Promise<void> {
  const body = { slug, data: { title: `${slug} ${HOSTILE}` }, publishAt: at, ...more };
  assert.is((await world.admin.post('/api/cms/posts', body)).status, 200);
}

const list = (page: Page) => page.getByRole('list', { name: 'Scheduled' });
const message = (page: Page) => page.getByRole('status', { name: 'Messages' });
const cell = (page: Page, day: string) => page.locator(`[data-day="${day}"]`);
async function untilAt(world: World, slug: string, at: string): Promise<void> {
  const read = async () => (await world.admin.get(`/api/cms/posts/${slug}`)).json.publishAt;
  for (let n = 0; n < 200 && (await read()) !== at; n++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is(await read(), at);
}

test('what is planned is listed and moved by buttons, keys and drag, each with a way back', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  // High enough for a drag to see both days.
  const { page, complaints } = await admin.signedIn('/calendar', { viewport: { width: 1280, height: 1400 } });
  await page.getByText('Nothing is planned').waitFor();
  await plan(world, 'apples', timeAt(3));
  const row = list(page).getByRole('listitem').filter({ hasText: 'apples' });
  await row.getByText('goes live').waitFor();
  const mover = row.getByRole('button', { name: `Move apples ${HOSTILE}` });
  await mover.click();
  const dialog = page.getByRole('dialog', { name: `Move apples ${HOSTILE}` });
  await dialog.getByText('The time stays 09:30').waitFor();
  await dialog.getByRole('button', { name: 'A week later' }).click();
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await message(page).getByText('is planned for').waitFor();
  await untilAt(world, 'apples', timeAt(10));
  // Its text may have changed since: the way back is about its time.
  await world.admin.patch('/api/cms/posts/apples', { data: { tags: ['fruit'] } });
  await message(page).getByRole('button', { name: 'Undo' }).click();
  await untilAt(world, 'apples', timeAt(3));

  // By keyboard, in the month: the day opens the document, and Alt with an arrow moves it.
  await page.goto(`${world.url}/admin/calendar?month=${dayAt(3).slice(0, 7)}`);
  await cell(page, dayAt(3)).getByText('apples').first().waitFor();
  assert.is(await page.locator('[role="gridcell"][tabindex="0"]').count(), 1);
  await cell(page, dayAt(3)).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await untilAt(world, 'apples', timeAt(10));
  await untilTrue(page, `document.activeElement?.dataset.day === '${dayAt(10)}'`);
  await cell(page, dayAt(10)).getByText('apples').first().waitFor();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageUp');
  await untilTrue(page, `document.activeElement?.dataset.day?.startsWith('${dayAt(10).slice(0, 7)}')`);
  await cell(page, dayAt(10)).focus();
  await page.keyboard.press('Space');
  await page
    .getByRole('list', { name: 'Planned on this day' })
    .getByRole('button', { name: /^Move apples/ })
    .click();
  await dialog.getByLabel('Day').fill(dayAt(11));
  await page.keyboard.press('Enter');
  await untilAt(world, 'apples', timeAt(11));
  await dialog.waitFor({ state: 'detached' });
  await untilTrue(page, `document.activeElement?.dataset.day === '${dayAt(10)}'`);
  await page.goto(`${world.url}/admin/calendar?month=${dayAt(11).slice(0, 7)}`);
  await cell(page, dayAt(11)).focus();
  await cell(page, dayAt(11)).getByText('apples').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/content/posts/apples');
  await page.goBack();

  // A day of the month beside that has the focus by a click is the one that keys are about.
  await page.goto(`${world.url}/admin/calendar?month=2031-09`);
  await plan(world, 'quinces', '2031-09-01T09:30:00.000Z');
  await plan(world, 'melons', '2031-10-01T09:30:00.000Z');
  await cell(page, '2031-10-01').getByText('melons').first().waitFor();
  await cell(page, '2031-10-02').click();
  await page.keyboard.press('ArrowLeft');
  await untilTrue(page, `document.activeElement?.dataset.day === '2031-10-01'`);
  await page.goto(`${world.url}/admin/calendar?month=2031-09`);
  await cell(page, '2031-10-01').getByText('melons').first().waitFor();
  await cell(page, '2031-10-01').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await untilAt(world, 'melons', '2031-10-02T09:30:00.000Z');
  // If it is refused, the focus comes back to what was not moved.
  await cell(page, '2031-10-02').getByText('melons').first().waitFor();
  await page.route('**/api/cms/posts/melons', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 403, json: { error: 'you may not' } })
      : route.fallback(),
  );
  await cell(page, '2031-10-02').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.getByRole('alert').getByText('You may not').waitFor();
  await untilTrue(page, `document.activeElement?.dataset.day === '2031-10-02'`);
  await page.unrouteAll();
  await page.goto(`${world.url}/admin/calendar?month=${dayAt(11).slice(0, 7)}`);

  // By drag, within the weeks that the month shows.
  const to = monthDays(dayAt(11)).find((day) => day > today && day !== dayAt(11))!;
  await cell(page, dayAt(11)).getByRole('link').dragTo(cell(page, to));
  await untilAt(world, 'apples', `${to}T09:30:00.000Z`);
  assertQuiet(complaints, /status of 403/);
});

/** Days of the same month. */
function monthDays(day: string): string[] {
  return Array.from({ length: 28 }, (_, at) => `${day.slice(0, 8)}${String(28 - at).padStart(2, '0')}`).concat(
    `${day.slice(0, 8)}01`,
  );
}

test('what is past due says why; what was changed meanwhile or has passed is not moved', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await plan(world, 'late', new Date(Date.now() + 800).toISOString());
  await world.admin.patch('/api/cms/posts/late', { unset: ['title'] });
  await plan(world, 'pears', timeAt(2), { unpublishAt: timeAt(4) });
  await new Promise((resolve) => setTimeout(resolve, 900));
  await world.site().schedule.publish();
  const { page, complaints } = await admin.signedIn('/calendar');
  const late = list(page).getByRole('listitem').first();
  await late.getByText('Past due. Title: ').waitFor();
  await late.getByRole('button', { name: 'Move late' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move late' });
  await dialog.getByLabel('Day').fill(dayAt(5));
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await late.getByText('Past due').waitFor({ state: 'detached' });

  // It has to go live before it goes offline.
  await page
    .getByRole('button', { name: /^Move pears/ })
    .first()
    .click();
  const pears = page.getByRole('dialog', { name: /^Move pears/ });
  await pears.getByRole('button', { name: 'A week later' }).click();
  await pears.getByRole('button', { name: 'Move', exact: true }).click();
  await pears.getByText('before it goes offline').waitFor();
  // Another person has moved it since, in a tab that hears of nothing.
  await page.route('**/api/cms/scheduled?*', (route) => route.abort());
  await world.admin.patch('/api/cms/posts/pears', { publishAt: timeAt(1) });
  await pears.getByLabel('Day').fill(dayAt(3));
  await pears.getByRole('button', { name: 'Move', exact: true }).click();
  await pears.getByText('It was moved meanwhile, to').waitFor();
  await untilAt(world, 'pears', timeAt(1));
  assert.is(await pears.getByLabel('Day').inputValue(), dayAt(3), 'what was chosen stays');
  // Just then its text changes too, which is no reason to ask again.
  await page.route(
    '**/api/cms/posts/pears',
    async (route) => {
      await world.admin.patch('/api/cms/posts/pears', { data: { tags: ['fruit'] } });
      await route.fallback();
    },
    { times: 2 },
  );
  await page.keyboard.press('Enter');
  await pears.waitFor({ state: 'detached' });
  await untilAt(world, 'pears', timeAt(3));
  assertQuiet(complaints, /ERR_FAILED|status of 412/);
});

test('the link of the feed is copied, and a new one ends the old; readers move nothing', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await plan(world, 'plums', timeAt(1));
  const { page, complaints } = await admin.signedIn('/calendar', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const link = page.getByRole('textbox', { name: 'Calendar link' });
  const before = await link.inputValue();
  assert.match((await world.anonymous.get(before.replace(world.url, ''))).text, /plums/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await message(page).getByText('Copied').waitFor();
  await page.getByRole('button', { name: 'Make a new link' }).click();
  const question = page.getByRole('alertdialog', { name: 'Make a new link' });
  await question.getByText('those of other people').waitFor();
  await question.getByRole('button', { name: 'Make a new link' }).click();
  await message(page).getByText('There is a new link').waitFor();
  for (let n = 0; n < 100 && (await link.inputValue()) === before; n++) await page.waitForTimeout(50);
  assert.is((await world.anonymous.get(before.replace(world.url, ''))).status, 401);
  assertQuiet(complaints);

  await world.user('viewer');
  const viewer = await admin.open('/login?next=/admin/calendar');
  await viewer.page.getByLabel('E-mail').fill('viewer1@example.com');
  await viewer.page.getByLabel('Password').fill(PASSWORD);
  await viewer.page.getByRole('button', { name: 'Sign in' }).click();
  await list(viewer.page).getByText('plums').waitFor();
  assert.is(await viewer.page.getByRole('button', { name: /^Move|new link/ }).count(), 0);
  assertQuiet(viewer.complaints);
});

test('the calendar is accessible in both themes; on a phone the list leads', async () => {
  await using admin = await makeAdminWorld();
  await plan(admin.world, 'cherries', timeAt(1));
  await admin.world.admin.post('/api/admin/site-config', { backupSchedule: '0 3 * * *' });
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn(`/calendar?month=${dayAt(1).slice(0, 7)}`, look);
    await list(page).getByText('cherries').waitFor();
    await list(page).getByText('Backup').first().waitFor();
    await assertAccessible(page, 'calendar', look);
    const [first, second] = await Promise.all([list(page).boundingBox(), page.getByRole('grid').boundingBox()]);
    assert.ok(look.viewport.width > 400 || first!.y < second!.y);
    await page.getByLabel('Show backups').uncheck();
    await list(page).getByText('Backup').first().waitFor({ state: 'detached' });
    assertQuiet(complaints);
  }
});

test.run();
