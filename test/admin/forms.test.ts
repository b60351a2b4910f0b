// What visitors sent, in front of a real service: read, answered, archived, deleted, while more comes in.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS, untilTrue } from '../support/browser.ts';
import { CONFIG, HOSTILE, message, opened, send, statusOf, submissions, until } from './inbox-world.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

test('what is sent shows up by itself, is read by being opened, archived and deleted, each with a way back', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  const { page, complaints } = await admin.signedIn('/forms');
  const forms = page.getByRole('list', { name: 'Forms' });
  await forms.getByText('nothing was sent yet').first().waitFor();
  const ada = await send(world, `Ada ${HOSTILE}`, { message: `Line one\n${HOSTILE}`, page: 'javascript:alert(1)' });
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Forms 1 new', exact: true })
    .waitFor();
  // On a phone the button of the navigation says it.
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole('button', { name: 'Menu: Forms 1 new', exact: true }).waitFor();
  await page.setViewportSize({ width: 1280, height: 720 });
  await forms.getByText('1 submission').waitFor();
  await forms.getByRole('link', { name: `Contact ${HOSTILE}` }).click();
  await page.getByRole('heading', { level: 1, name: `Contact ${HOSTILE}` }).waitFor();
  await submissions(page)
    .getByRole('link', { name: `Ada ${HOSTILE}` })
    .click();
  await opened(page).getByText('Line one').waitFor();
  const reply = await opened(page).getByRole('link', { name: 'Reply' }).getAttribute('href');
  assert.match(reply ?? '', /^mailto:ada\w*@example\.com\?subject=Re%3A%20Contact%20%3Cimg/);
  assert.is(await opened(page).getByRole('link', { name: 'javascript' }).count(), 0);
  await page.getByRole('link', { name: 'Forms', exact: true }).waitFor();
  assert.is(await statusOf(world, ada), 'read');

  // More arrives while one reads: neither the place nor the focus is lost.
  const bob = await send(world, 'Bob');
  await submissions(page)
    .getByRole('link', { name: /^New: Bob/ })
    .waitFor();
  await page.getByRole('link', { name: 'Forms 1 new', exact: true }).waitFor();
  await untilTrue(page, "document.activeElement?.tagName === 'H2'");
  await opened(page).getByRole('button', { name: 'Mark as new' }).click();
  await message(page).getByText('is new again').waitFor();
  await until(async () => (await statusOf(world, ada)) === 'new');
  await opened(page).getByRole('button', { name: 'Archive' }).click();
  await message(page).getByText('is archived').waitFor();
  // It was the last one, so the one before it opens.
  await opened(page).getByRole('heading', { name: 'Bob' }).waitFor();
  await page.getByRole('tab', { name: 'Archived' }).click();
  await submissions(page).getByRole('link', { name: /Ada/ }).waitFor();
  // Until the tab is read, the rows of the one before stay.
  await submissions(page).getByRole('link', { name: /Bob/ }).waitFor({ state: 'detached' });
  assert.is(await submissions(page).getByRole('link').count(), 1);
  await message(page).getByText('is archived').locator('..').getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await statusOf(world, ada)) !== 'archived');

  // A deletion is true once its message has gone.
  await page.getByRole('tab', { name: 'All' }).click();
  await submissions(page).getByRole('link', { name: /Bob/ }).click();
  await opened(page).getByRole('button', { name: 'Delete' }).click();
  await message(page).getByText('deleted for good once this message goes').waitFor();
  await submissions(page).getByRole('link', { name: /Bob/ }).waitFor({ state: 'detached' });
  assert.is(await statusOf(world, bob), 'read');
  await message(page).getByRole('button', { name: 'Undo' }).last().click();
  await opened(page).getByRole('heading', { name: 'Bob' }).waitFor();
  await opened(page).getByRole('button', { name: 'Delete' }).click();
  await submissions(page).getByRole('link', { name: /Bob/ }).waitFor({ state: 'detached' });
  // Leaving the page does not keep what one has deleted.
  await page.goto('about:blank');
  await until(async () => (await statusOf(world, bob)) === 404);
  assertQuiet(complaints);
});

test('without a form chosen, what was sent by all of them is one inbox with the same tabs and keys', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  const ada = await send(world, 'Ada');
  const visit = await send(world, 'Bob', { day: '2026-12-24' }, 'visit');
  await world.admin.patch(`/api/admin/forms/contact/submissions/${ada}`, { status: 'read' });
  const { page, complaints } = await admin.signedIn('/forms');
  const rows = submissions(page).getByRole('link');
  await rows.getByText('Come by').waitFor();
  assert.match((await rows.allTextContents()).join('|'), /^New: .*Bob.*\|Ada.*Contact/);
  await send(world, 'Cyd');
  await submissions(page)
    .getByRole('link', { name: /^New: Cyd/ })
    .waitFor();
  await page.getByRole('tab', { name: 'New' }).click();
  await submissions(page).getByRole('link', { name: /Ada/ }).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'New' }).and(page.locator('[aria-description="2 submissions"]')).waitFor();
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('e');
  await message(page).getByText('“Bob” is archived.').waitFor();
  await until(async () => (await statusOf(world, visit, 'visit')) === 'archived');
  await rows.filter({ hasText: 'Bob' }).waitFor({ state: 'detached' });
  await untilTrue(page, "document.activeElement?.textContent.includes('Cyd')");
  await page.keyboard.press('j');
  await page.waitForURL(/\/admin\/forms\/contact\/.+\?status=new/);
  await opened(page).getByRole('heading', { name: 'Cyd' }).waitFor();
  await page.goBack();
  await page.getByText('Nothing is new').waitFor();
  assert.match(page.url(), /\/admin\/forms\?status=new$/);
  assertQuiet(complaints);
});

test('the keyboard alone goes through an inbox; single letters can be turned off', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const { world } = admin;
  const [first, second] = [await send(world, 'First'), await send(world, 'Second'), await send(world, 'Third')];
  const { page, complaints } = await admin.signedIn('/');
  let reads = 0;
  page.on('response', (response) => {
    if (response.url().includes('/submissions?')) reads++;
  });
  await page.goto(`${world.url}/admin/forms/contact?status=new`);
  await submissions(page).getByRole('link', { name: 'Third' }).waitFor();
  // The list is read again when the stream greets the page, without what was opened before.
  await until(async () => reads >= 2);
  const isOpen = (name: string) => opened(page).getByRole('heading', { name }).waitFor();
  await page.keyboard.press('j');
  await isOpen('Third');
  await page.keyboard.press('j');
  await isOpen('Second');
  await page.keyboard.press('k');
  await isOpen('Third');
  await page.keyboard.press('j');
  await isOpen('Second');
  await page.keyboard.press('e');
  await isOpen('First');
  await until(async () => (await statusOf(world, second!)) === 'archived');
  await page.keyboard.press('u');
  await until(async () => (await statusOf(world, first!)) === 'new');
  await page.keyboard.press('Escape');
  await untilTrue(
    page,
    "document.activeElement?.closest('li') && document.activeElement.textContent.includes('First')",
  );
  await page.keyboard.press('Home');
  // Those that were opened are read, and leave the tab when it is read again.
  await untilTrue(
    page,
    "document.activeElement?.matches('a') && document.activeElement.textContent.includes('First') && document.querySelectorAll('.submissions a').length === 1",
  );
  await page.keyboard.press(' ');
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('1 selected').waitFor();
  // A row that leaves the tab gives the focus to the one in its place, which Enter opens.
  await page.goto(`${world.url}/admin/forms/contact?status=new`);
  await send(world, 'Fourth');
  await submissions(page).getByRole('link', { name: 'Fourth' }).focus();
  await page.keyboard.press('e');
  await untilTrue(page, "document.activeElement?.matches('a') && document.activeElement.textContent.includes('First')");

  await world.admin.patch('/api/admin/profile', { preferences: { letterKeys: false } });
  await page.reload();
  await submissions(page).getByRole('link', { name: 'First' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.waitForTimeout(300);
  assert.is(await opened(page).count(), 0);
  assertQuiet(complaints);
});

test('an inbox is accessible in both themes, on a desktop and a phone', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const id = await send(admin.world, `Ada ${HOSTILE}`, { message: 'w'.repeat(300) });
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/forms', look);
    await page.getByRole('list', { name: 'Forms' }).waitFor();
    await assertAccessible(page, 'forms', look);
    await page.goto(`${admin.world.url}/admin/forms/contact`);
    await submissions(page).getByRole('link').waitFor();
    await submissions(page).getByRole('checkbox').check();
    await assertAccessible(page, 'inbox', look);
    await page.goto(`${admin.world.url}/admin/forms/contact/${id}`);
    await opened(page).getByText('Your name').waitFor();
    await assertAccessible(page, 'submission', look);
    assertQuiet(complaints);
  }
});

test.run();
