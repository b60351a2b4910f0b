// The brand voice, from the interview to an earlier version.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listFilled, toTypedVoice, toVoiceBody } from '../../../src/admin/screens/voice/voice-record.ts';
import { PATH, VOICE } from '../../brand-voice/world.ts';
import { LOOKS, untilTrue } from '../../support/browser.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from '../world.ts';
import { makeAiAdminWorld, messagesOf, openAs } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

test('what is typed is what the service gets, without what is empty', () => {
  const typed = toTypedVoice({ name: 'Tide', contentGoals: ['a', 'b'] });
  assert.equal([typed.name, typed.contentGoals, typed.industry], ['Tide', 'a\nb', '']);
  assert.equal(toVoiceBody({ ...typed, industry: '  ', avoidTopics: ' x \n\n y' }), {
    ...{ name: 'Tide', contentGoals: ['a', 'b'], avoidTopics: ['x', 'y'] },
  });
  assert.equal(listFilled({ name: 'a', seoKeywords: [] }, { primaryTone: 'b' }), ['name', 'primaryTone']);
});

test('an interview survives a reload and a failure, ends in a version to review, and earlier ones come back', async () => {
  const record = { ...VOICE, primaryTone: `Plain ${HOSTILE}` };
  await using admin = await makeAiAdminWorld([
    { text: `What is your brand called? ${HOSTILE}` },
    { status: 400, message: 'no' },
    { text: 'And what do you do?' },
    { text: 'Thank you.', calls: [{ tool: 'save_brand_voice', input: record }] },
  ]);
  const { world } = admin;
  await world.admin.post(PATH, { primaryTone: 'The first one' });
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('link', { name: 'Brand voice' }).click();
  await page.getByText('The first one').waitFor();
  await page.getByRole('button', { name: 'Start interview' }).click();
  const log = page.getByRole('log', { name: 'Interview' });
  await log.getByText('What is your brand called?').waitFor();
  const answer = page.getByRole('textbox', { name: 'Answer' });
  await answer.fill('Tide & Co');
  await page.reload();
  await log.getByText('What is your brand called?').waitFor();
  assert.is(await answer.inputValue(), 'Tide & Co');
  await answer.focus();
  await page.keyboard.press('Enter');
  await log.getByRole('alert').waitFor();
  await page.reload();
  await log.getByText('And what do you do?').waitFor();
  await log.getByText('Tide & Co').waitFor();
  // What is typed goes along.
  await answer.fill('By the way, we sail');
  await page.getByRole('button', { name: 'Finish now' }).click();
  await page.getByRole('heading', { level: 2, name: 'New version' }).waitFor();
  assert.match(admin.provider.requests.at(-1)?.messages.at(-1)?.text ?? '', /^By the way, we sail\n\n\S/);
  await page.locator('.voice-parts').getByText(`Plain ${HOSTILE}`).waitFor();
  assert.ok((await page.locator('.changes ins').count()) > 0);
  assert.is((await world.admin.get(PATH)).json.primaryTone, record.primaryTone);
  await page.getByRole('button', { name: 'Keep it' }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  await versions.getByRole('listitem').nth(1).waitFor();
  assert.is(await versions.getByRole('listitem').count(), 2);
  await versions.getByRole('button', { name: 'Show changes' }).click();
  await page.getByText('Compared with the active version').waitFor();
  await versions.getByRole('button', { name: 'Activate' }).click();
  await messagesOf(page).getByText('is active').waitFor();
  assert.is((await world.admin.get(PATH)).json.primaryTone, 'The first one');
  await messagesOf(page).getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`Plain ${HOSTILE}`).first().waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Start interview' }).waitFor();
  assertQuiet(complaints);
});

test('a version that another person saved meanwhile is merged, and what both changed is asked about', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  await world.admin.post(PATH, { ...VOICE, name: 'Start', industry: 'Boats' });
  const { page, complaints } = await admin.signedIn('/voice');
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Primary tone').fill('Mine');
  // What is untouched follows at once; what is typed stays, also over a reload.
  await world.admin.post(PATH, { ...VOICE, name: 'Theirs' });
  await page.getByText('Another version is active by now').waitFor();
  assert.equal([await field('Name').inputValue(), await field('Primary tone').inputValue()], ['Theirs', 'Mine']);
  await page.reload();
  await field('Name').waitFor();
  assert.equal([await field('Name').inputValue(), await field('Primary tone').inputValue()], ['Theirs', 'Mine']);
  // In the moment between reading and writing, the service refuses, and the screen asks.
  let isFirst = true;
  await page.route(`**${PATH}`, async (route) => {
    if (isFirst && route.request().method() === 'POST') {
      isFirst = false;
      await world.admin.post(PATH, { ...VOICE, name: 'Theirs', primaryTone: 'From another' });
    }
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Save as new version' });
  await save.click();
  await page.getByRole('alert').getByText('Not saved: another person changed the same parts').waitFor();
  const clash = page.getByRole('alert', { name: 'Primary tone' });
  await untilTrue(page, `document.activeElement.textContent === 'Keep mine'`);
  await clash.getByText('From another').waitFor();
  assert.is(await field('Primary tone').inputValue(), 'Mine');
  assert.is((await world.admin.get(PATH)).json.primaryTone, 'From another');
  await page.reload();
  await clash.getByRole('button', { name: 'Keep mine' }).focus();
  await page.keyboard.press('Enter');
  await clash.waitFor({ state: 'detached' });
  assert.match(String(await page.evaluate('document.activeElement.id')), /primaryTone/);
  await save.click();
  await messagesOf(page).getByText('A new version is saved').waitFor();
  const { json } = await world.admin.get(PATH);
  assert.equal([json.name, json.primaryTone, json.industry], ['Theirs', 'Mine', 'Boats']);
  // Theirs instead.
  await page.getByRole('button', { name: 'Edit' }).click();
  await field('Primary tone').fill('Mine again');
  await world.admin.post(PATH, { ...VOICE, primaryTone: 'Theirs again' });
  await clash.getByRole('button', { name: 'Take theirs' }).click();
  assert.is(await field('Primary tone').inputValue(), 'Theirs again');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  assert.is((await world.admin.get(`${PATH}?versions=1`)).json.versions.length, 5);
  assertQuiet(complaints, /status of 412/);
});

test('an earlier version does not replace one that another person saved in the same moment', async () => {
  await using admin = await makeAiAdminWorld([]);
  const { world } = admin;
  await world.admin.post(PATH, { name: 'First' });
  await world.admin.post(PATH, { name: 'Second' });
  const { page, complaints } = await admin.signedIn('/voice');
  let isFirst = true;
  await page.route(`**${PATH}/versions/*`, async (route) => {
    if (isFirst) await world.admin.post(PATH, { name: 'Third' });
    isFirst = false;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('alert').getByText('Another version was saved or activated meanwhile').waitFor();
  assert.is((await world.admin.get(PATH)).json.name, 'Third');
  const versions = page.getByRole('list', { name: 'Versions' });
  await versions.getByRole('listitem').nth(2).waitFor();
  await versions.getByRole('listitem').nth(2).getByRole('button', { name: 'Activate' }).click();
  await messagesOf(page).getByText('is active').waitFor();
  assert.is((await world.admin.get(PATH)).json.name, 'First');
  await messagesOf(page).getByRole('button', { name: 'Undo' }).click();
  await page.locator('.voice-parts').getByText('Third').waitFor();
  assertQuiet(complaints, /status of 412/);
});

const CHAT = `${PATH}/chat`;
const toStream = (...events: [string, object][]): string =>
  events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');

test('half a question is no question: it is asked again, and the answers so far stay', async () => {
  await using admin = await makeAiAdminWorld([{ text: 'What are you called?' }, { text: 'What do you do?' }]);
  const { world } = admin;
  const { page, complaints } = await admin.signedIn('/voice');
  // Before anything is answered, a reload goes on as well.
  await page.route(`**${CHAT}`, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: 'Start interview' }).click();
  const log = page.getByRole('log', { name: 'Interview' });
  await log.getByRole('alert').waitFor();
  await page.unrouteAll();
  await page.reload();
  await log.getByText('What are you called?').waitFor();
  const half = toStream(['text', { text: 'And what do' }]);
  await page.route(`**${CHAT}`, (route) => route.fulfill({ contentType: 'text/event-stream', body: half }));
  const answer = page.getByRole('textbox', { name: 'Answer' });
  await answer.fill('Tide & Co');
  await page.keyboard.press('Enter');
  await log.getByRole('alert').getByText('The connection ended in the middle of the question').waitFor();
  assert.is(await log.getByText('And what do').count(), 0);
  await page.unrouteAll();
  await log.getByRole('button', { name: 'Ask again' }).click();
  await log.getByText('What do you do?').waitFor();
  assert.equal(
    admin.provider.requests
      .at(-1)
      ?.messages.slice(-2)
      .map(({ text }) => text),
    ['What are you called?', 'Tide & Co'],
  );
  assert.is(await log.getByText('Tide & Co').count(), 1);
  // The last answer was lost, and the version that it made is there: it is not made twice.
  await page.route(`**${CHAT}`, async (route) => {
    await world.admin.post(PATH, { name: 'Made by the interview' });
    await route.fulfill({ contentType: 'text/event-stream', body: toStream(['text', { text: 'Thank' }]) });
  });
  await answer.fill('Boats');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'New version' }).waitFor();
  await page.locator('.voice-parts').getByText('Made by the interview').waitFor();
  assert.is(admin.provider.requests.length, 2);
  await page.reload();
  await page.getByRole('button', { name: 'Start interview' }).waitFor();
  assertQuiet(complaints, /ERR_CONNECTION/);
});

test('what was saved during an interview is what its version is compared with, and the way back', async () => {
  await using admin = await makeAiAdminWorld([
    { text: 'What are you called?' },
    { text: 'Thank you.', calls: [{ tool: 'save_brand_voice', input: { name: 'By the interview' } }] },
  ]);
  const { world } = admin;
  await world.admin.post(PATH, { name: 'Before' });
  const { page, complaints } = await admin.signedIn('/voice');
  await page.getByRole('button', { name: 'Start interview' }).click();
  await page.getByRole('log', { name: 'Interview' }).getByText('What are you called?').waitFor();
  await world.admin.post(PATH, { name: 'Meanwhile' });
  await page.getByRole('textbox', { name: 'Answer' }).fill('By the interview');
  await page.keyboard.press('Enter');
  await page.getByText('saved one during the interview').waitFor();
  await page.locator('.changes').getByText('Meanwhile').waitFor();
  await page.getByRole('button', { name: 'Back to the version before' }).click();
  await messagesOf(page).getByText('is active').waitFor();
  assert.is((await world.admin.get(PATH)).json.name, 'Meanwhile');
  assertQuiet(complaints);
});

test('a voice is written by hand and translated; editors read it, viewers do not', async () => {
  const words = { texts: [] as string[] };
  await using admin = await makeAiAdminWorld(() => ({ text: JSON.stringify(words) }));
  const { world } = admin;
  const { page, complaints } = await admin.signedIn('/voice');
  await page.getByText('No voice yet').waitFor();
  await page.getByRole('button', { name: 'Write it yourself' }).click();
  await page.getByLabel('Personality').fill('dry');
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await page.getByRole('alert').waitFor();
  assert.is(await page.getByLabel('Personality').getAttribute('aria-invalid'), 'true');
  // What is wrong may be far above the button.
  await untilTrue(page, `document.activeElement.getAttribute('aria-invalid') === 'true'`);
  await page.getByLabel('Personality').fill('');
  await page.getByLabel('Content goals').fill(`teach\n\n${'x'.repeat(301)}`);
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await page.getByText('Item 2: Must have at most 300 characters').waitFor();
  await untilTrue(page, `document.activeElement.id.endsWith('contentGoals')`);
  await page.getByLabel('Content goals').fill('');
  await page.getByLabel('Personality').fill('dry');
  await page.reload();
  await page.getByRole('form', { name: 'Edit the voice' }).waitFor();
  assert.is(await page.getByLabel('Personality').inputValue(), 'dry');
  await page.getByLabel('Personality').fill('dry\nwarm\nbrief');
  await page.getByLabel('Primary tone').fill('As at the kitchen table');
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await messagesOf(page).getByText('A new version is saved').waitFor();
  const { json } = await world.admin.get(PATH);
  assert.equal([json.brandPersonality, json.primaryTone], [['dry', 'warm', 'brief'], 'As at the kitchen table']);

  await page.route('**/api/cms/brand-voice?locale=de', (route) =>
    route.fulfill({
      json: {
        locale: 'de',
        versionId: json.id,
        translatedAt: json.createdAt,
        model: null,
        primaryTone: 'Wie zu Hause',
      },
    }),
  );
  await page.getByRole('button', { name: 'Show German' }).click();
  await page.getByText('Wie zu Hause').waitFor();
  const bob = await openAs(admin, 'editor', '/voice');
  await bob.page.getByText('As at the kitchen table').waitFor();
  assert.is(await bob.page.getByRole('button', { name: 'Start interview' }).count(), 0);
  assert.is(await bob.page.getByRole('button', { name: 'Activate' }).count(), 0);
  const viewer = await openAs(admin, 'viewer', '/voice');
  await viewer.page.getByRole('heading', { level: 1, name: 'No access' }).waitFor();
  assertQuiet(complaints, /status of 400/);
  assertQuiet([...bob.complaints, ...viewer.complaints]);
});

test('every pair of theme and width can be used, and without a provider the screen says what to set', async () => {
  await using admin = await makeAdminWorld();
  await admin.world.admin.post(PATH, { ...VOICE, name: 'N'.repeat(90) });
  await admin.world.admin.post(PATH, VOICE);
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn('/voice', look);
    await page.getByText('"ai.provider"').waitFor();
    await page.getByRole('button', { name: 'Show changes' }).first().click();
    await page.getByText('Compared with').waitFor();
    await assertAccessible(page, 'voice', look);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Primary tone').waitFor();
    await assertAccessible(page, 'voice form', look);
    await page.getByLabel('Primary tone').fill(`Mine, ${look.colorScheme} ${look.viewport.width}`);
    const theirs = `Theirs ${'W'.repeat(80)} ${look.colorScheme} ${look.viewport.width}`;
    await admin.world.admin.post(PATH, { ...VOICE, primaryTone: theirs });
    await page.getByRole('button', { name: 'Take theirs' }).waitFor();
    await assertAccessible(page, 'voice form that clashes', look);
    await page.screenshot({
      path: `/tmp/h/a/walk/clash-${look.colorScheme}-${look.viewport.width}.png`,
      fullPage: true,
    });
    assertQuiet(complaints);
  }
});

test.run();
