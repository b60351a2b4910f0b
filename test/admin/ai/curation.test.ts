// The curation queue as people work through it.
import type { Page, Route } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BODY } from '../../agents/world.ts';
import { path, proposeNew, QUEUE, writer } from '../../curation/queue.ts';
import type { Script } from '../../support/ai/script.ts';
import { LOOKS } from '../../support/browser.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from '../world.ts';
import { makeAiAdminWorld, messagesOf, openAs } from './world.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const DOCUMENT = '/api/cms/posts/tides';
const TIDES = { title: 'Tides', body: 'The tide comes in.', rank: 1, tags: ['sea', 'moon'] };

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** One change of a published post, and one post that is new. */
const PROPOSES: Script = [
  {
    calls: [
      {
        tool: 'update_document',
        input: {
          collection: 'posts',
          slug: 'tides',
          data: {
            title: `Tides ${HOSTILE}`,
            body: 'The tide comes in and out.',
            rank: 2,
            tags: ['sea', 'salt', 'moon'],
          },
          reason: `Readers ask for salt ${HOSTILE}`,
        },
      },
      { tool: 'create_document', input: { collection: 'posts', data: { title: 'Ebb', body: 'New' } } },
    ],
  },
  { text: 'Done.' },
];

test('what an agent proposes is edited, approved in part, rejected with feedback, and taken back', async () => {
  await using admin = await makeAiAdminWorld(PROPOSES);
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'published', data: TIDES });
  const { json: agent } = await world.admin.post('/api/cms/agents', BODY);
  const run = await world.admin.post(`/api/cms/agents/${agent.id}/run`, { prompt: 'Go', collection: 'posts' });
  assert.is(run.json.itemIds.length, 2);
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('link', { name: 'Curation 2 waiting' }).click();
  await page.getByRole('heading', { level: 1, name: 'Curation' }).waitFor();
  const queue = page.getByRole('list', { name: 'Queue' });
  // The newest is open; the key leads to the other one.
  await heading(page, 'Ebb').waitFor();
  assert.is(await queue.getByRole('listitem').count(), 2);
  await page.keyboard.press('j');
  await heading(page, `Tides ${HOSTILE}`).waitFor();
  await page.getByText(`Readers ask for salt ${HOSTILE}`).waitFor();
  assert.equal(await page.locator('.item-field ins').allTextContents(), [` ${HOSTILE}`, ' and out', '2', 'salt']);
  assert.is(await page.getByRole('button', { name: 'Approve as draft' }).count(), 0);

  await page.keyboard.press('e');
  const title = page.getByRole('textbox', { name: 'title', exact: true });
  await title.fill('Tides, mine');
  await button(page, 'Save changes').click();
  await messagesOf(page).getByText('The proposal is changed').waitFor();
  await page.getByText('Edited by a person').waitFor();
  await page.getByRole('checkbox', { name: 'tags' }).uncheck();
  await page.getByText('3 of 4 fields are taken over').waitFor();
  await heading(page, 'Tides, mine').focus();
  await page.keyboard.press('a');
  await messagesOf(page).getByText('“Tides, mine” is approved and published').waitFor();
  await heading(page, 'Ebb').waitFor();
  const { json: stored } = await world.admin.get(DOCUMENT);
  assert.equal(stored.data, {
    title: 'Tides, mine',
    body: 'The tide comes in and out.',
    rank: 2,
    tags: ['sea', 'moon'],
  });
  await page.getByRole('link', { name: 'Curation 1 waiting' }).waitFor();

  // With the keyboard alone: the next item has the focus.
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject' });
  await dialog.getByLabel('Feedback').waitFor();
  await page.keyboard.type('Too short a');
  await page.route('**/reject', (route) => route.fulfill({ status: 500, json: { error: 'it broke' } }));
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('alert').getByText('It broke').waitFor();
  await page.unrouteAll();
  await page.keyboard.press('Control+Enter');
  await messagesOf(page).getByText('“Ebb” is rejected').waitFor();
  await page.getByText('Nothing waits').waitFor();
  const rejected = (await world.admin.get(`${QUEUE}?status=rejected`)).json.items[0];
  assert.equal([rejected.title, rejected.feedback], ['Ebb', 'Too short a']);
  const undo = messagesOf(page).getByRole('button', { name: 'Undo' });
  await undo.last().click();
  await queue.getByRole('link', { name: 'Ebb' }).waitFor();
  // The approval: the document becomes what it was.
  await undo.first().click();
  await messagesOf(page).getByText('The document is as it was before').waitFor();
  assert.equal((await world.admin.get(DOCUMENT)).json.data, TIDES);
  assertQuiet(complaints, /status of 500/);
});

test('a document that changed meanwhile is asked about with both versions, and one that is deleted says so', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'published', data: TIDES });
  const { aiWrites } = world.site().curation;
  const change = { title: 'Theirs', rank: 5, loose: 'x' };
  const { queued = '' } = await aiWrites.update('posts', 'tides', { data: change }, writer());
  const { page, complaints } = await admin.signedIn(`/curation/${queued}`);
  await heading(page, 'Theirs').waitFor();
  await world.admin.patch(DOCUMENT, { data: { title: 'Ours' } });
  await world.admin.put('/api/content/posts/tides/_fieldMeta/loose/lock', {});
  await page.getByText('Changed in the document since').waitFor();
  await page.getByText('Locked for AI').waitFor();
  assert.ok(await page.getByRole('checkbox', { name: 'loose' }).isDisabled());
  await button(page, 'Approve').click();
  const dialog = page.getByRole('dialog', { name: 'Conflict' });
  await dialog.getByRole('radiogroup', { name: 'title' }).getByLabel('As it is now').check();
  await dialog.getByRole('button', { name: 'Approve merged version' }).click();
  await messagesOf(page).getByText('is approved and published').waitFor();
  const { json } = await world.admin.get(DOCUMENT);
  assert.equal([json.data.title, json.data.rank, json.data.loose], ['Ours', 5, undefined]);

  const { queued: late = '' } = await aiWrites.update('posts', 'tides', { data: { rank: 6 } }, writer());
  await page.goto(`${world.url}/admin/curation/${late}`);
  await heading(page, 'Ours').waitFor();
  await world.admin.delete(DOCUMENT);
  await page.getByText('The document was deleted meanwhile').waitFor();
  assert.is(await button(page, 'Approve').getAttribute('aria-disabled'), 'true');
  await button(page, 'Reject').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await messagesOf(page).getByText('is rejected').waitFor();
  await page.goto(`${world.url}/admin/curation/none`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assertQuiet(complaints, /status of (409|404)/);
});

test('before a change of a draft is approved, it says that the rest of the draft goes live with it', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'draft', data: TIDES });
  const { aiWrites } = world.site().curation;
  const { queued = '' } = await aiWrites.propose('posts', { slug: 'tides' }, { rank: 5 }, writer());
  const { page, complaints } = await admin.signedIn(`/curation/${queued}`);
  const note = page.getByText('“Approve” publishes the whole document, also what is not shown here');
  await note.waitFor();
  await button(page, 'Approve as draft').waitFor();
  await world.admin.patch(DOCUMENT, { status: 'published' });
  await button(page, 'Approve as draft').waitFor({ state: 'detached' });
  assert.is(await note.count(), 0);
  await world.admin.patch(DOCUMENT, { status: 'archived' });
  await note.waitFor();
  assertQuiet(complaints);
});

test('a third change while a conflict is decided is asked about again, and nothing is written in between', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'published', data: TIDES });
  const { aiWrites } = world.site().curation;
  const change = { title: 'Proposed', rank: 5 };
  const { queued = '' } = await aiWrites.propose('posts', { slug: 'tides' }, change, writer(), [{ title: 'Other' }]);
  const { page, complaints } = await admin.signedIn(`/curation/${queued}`);
  await page.getByRole('radio', { name: 'Proposal 2' }).check();
  await world.admin.patch(DOCUMENT, { data: { title: 'Second' } });
  const item = (await world.admin.get(path(queued))).json;
  await page.getByText('Changed in the document since').waitFor();
  await button(page, 'Approve').click();
  const dialog = page.getByRole('dialog', { name: 'Conflict' });
  const choices = dialog.getByRole('radiogroup', { name: 'title' });
  await choices.getByLabel('Proposed').check();
  await world.admin.patch(DOCUMENT, { data: { title: 'Third' } });
  await dialog.getByRole('button', { name: 'Approve merged version' }).click();
  await dialog.getByText('was changed once more').waitFor();
  assert.is((await world.admin.get(DOCUMENT)).json.data.title, 'Third');
  assert.equal(await choices.getByRole('radio', { checked: true }).count(), 0);
  await dialog.getByRole('button', { name: 'Back to the proposal' }).click();
  assert.equal((await world.admin.get(path(queued))).json, item);

  await button(page, 'Approve').click();
  await choices.getByLabel('Proposed').check();
  await dialog.getByRole('button', { name: 'Approve merged version' }).click();
  await messagesOf(page).getByText('is approved and published').waitFor();
  const { data } = (await world.admin.get(DOCUMENT)).json;
  // The second proposal says nothing about the rank.
  assert.equal([data.title, data.rank], ['Other', 1]);
  assertQuiet(complaints, /status of 409/);
});

test('nobody decides about a proposal that another person changes in that moment', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const id = await proposeNew(world, { title: 'Seen', body: 'Text' });
  const { page, complaints } = await admin.signedIn(`/curation/${id}`);
  await heading(page, 'Seen').waitFor();
  const meanwhile = (fields: object) => async (route: Route) => {
    await world.admin.patch(path(id), { fields });
    await route.continue();
  };
  await page.route('**/approve', meanwhile({ title: 'Unseen' }), { times: 1 });
  await button(page, 'Approve').click();
  await page.getByRole('alert').getByText('The proposal was changed meanwhile').waitFor();
  await heading(page, 'Unseen').waitFor();
  assert.is((await world.admin.get('/api/cms/posts/unseen')).status, 404);

  await page.route('**/reject', meanwhile({ title: 'Better' }), { times: 1 });
  await button(page, 'Reject').click();
  const dialog = page.getByRole('dialog', { name: 'Reject' });
  await dialog.getByLabel('Feedback').fill('No');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('alert').getByText('The proposal was changed meanwhile').waitFor();
  assert.is(await dialog.getByLabel('Feedback').inputValue(), 'No');
  await page.keyboard.press('Escape');
  await heading(page, 'Better').waitFor();
  await button(page, 'Approve').click();
  await messagesOf(page).getByText('“Better” is approved and published').waitFor();
  assertQuiet(complaints, /status of 412/);
});

test('two people edit one proposal: different fields both stay, and the same field is asked about', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const id = await proposeNew(world, { title: 'First', body: 'Text', rank: 1 });
  const { page, complaints } = await admin.signedIn(`/curation/${id}`);
  const title = page.getByRole('textbox', { name: 'title', exact: true });
  await button(page, 'Edit').click();
  await title.fill('Ada');
  let isFirst = true;
  await page.route(`**${path(id)}`, async (route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false;
      await world.admin.patch(path(id), { fields: { rank: 2 } });
    }
    await route.continue();
  });
  await button(page, 'Save changes').click();
  await messagesOf(page).getByText('The proposal is changed').waitFor();
  const { data } = (await world.admin.get(path(id))).json;
  assert.equal([data.title, data.rank], ['Ada', 2]);

  await button(page, 'Edit').click();
  await title.fill('Ada again');
  await world.admin.patch(path(id), { fields: { title: 'Bob' } });
  await page.getByRole('list', { name: 'Queue' }).getByText('Bob').waitFor();
  await button(page, 'Save changes').click();
  const dialog = page.getByRole('dialog', { name: 'Conflict' });
  await dialog.getByText('Another person changed the proposal').waitFor();
  assert.is((await world.admin.get(path(id))).json.data.title, 'Bob');
  await world.admin.patch(path(id), { fields: { title: 'Bob again' } });
  await dialog.getByText('once more').waitFor();
  await dialog.getByRole('radiogroup', { name: 'title' }).getByLabel('Mine').check();
  await dialog.getByRole('button', { name: 'Save merged version' }).click();
  await heading(page, 'Ada again').waitFor();
  assert.is((await world.admin.get(path(id))).json.data.title, 'Ada again');

  // A value that is taken away is taken away.
  await button(page, 'Edit').click();
  await page.getByRole('spinbutton', { name: 'rank' }).fill('');
  await button(page, 'Save changes').click();
  await button(page, 'Approve').waitFor();
  assert.is((await world.admin.get(path(id))).json.data.rank, null);
  assertQuiet(complaints, /status of 412/);
});

test('of two people who look at one item, the second sees what the first decided; readers decide nothing', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  const [second, first] = [await proposeNew(world, { title: 'Second' }), await proposeNew(world, { title: 'First' })];
  const ada = await admin.signedIn(`/curation/${first}`);
  const bob = await openAs(admin, 'editor', `/curation/${first}`);
  const vera = await openAs(admin, 'viewer', `/curation/${first}`);
  for (const { page } of [ada, bob, vera]) await heading(page, 'First').waitFor();
  assert.is(await button(vera.page, 'Approve').count(), 0);
  await vera.page.getByText('You may read the queue').waitFor();

  await button(ada.page, 'Approve as draft').click();
  await heading(ada.page, 'Second').waitFor();
  await bob.page.getByText('Ada approved it as a draft').waitFor();
  assert.is(await button(bob.page, 'Approve').count(), 0);
  await bob.page
    .getByRole('list', { name: 'Queue' })
    .getByRole('link', { name: 'First' })
    .waitFor({ state: 'detached' });
  assert.is((await world.admin.get('/api/cms/posts/first')).json.status, 'draft');

  // At the same moment: one of them wins, and the other one reads so.
  await bob.page.goto(`${world.url}/admin/curation/${second}`);
  await heading(bob.page, 'Second').waitFor();
  const { page } = ada;
  await page.route('**/api/cms/curation/*/approve', async (route) => {
    await world.admin.post(path(second, 'reject'), { feedback: 'No' });
    await route.continue();
  });
  await button(page, 'Approve').click();
  await page.getByRole('alert').getByText('is rejected already').waitFor();
  await page.getByRole('button', { name: 'Let it wait again' }).click();
  await button(page, 'Approve').waitFor();
  assert.is((await world.admin.get(QUEUE)).json.total, 1);
  assertQuiet(ada.complaints, /status of 409/);
  assertQuiet([...bob.complaints, ...vera.complaints]);
});

test('a reload in the middle keeps what was chosen and typed, and the keys lead on through a long queue', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'published', data: TIDES });
  const { aiWrites } = world.site().curation;
  const change = { title: 'Theirs', rank: 5 };
  const { queued = '' } = await aiWrites.propose('posts', { slug: 'tides' }, change, writer(), [
    { title: 'Other', rank: 7 },
  ]);
  const { page, complaints } = await admin.signedIn(`/curation/${queued}`);
  await page.getByRole('radio', { name: 'Proposal 2' }).check();
  await page.getByRole('checkbox', { name: 'rank' }).uncheck();
  await page.getByText('1 of 2 fields').waitFor();
  await page.reload();
  await page.getByText('1 of 2 fields').waitFor();
  assert.ok(await page.getByRole('radio', { name: 'Proposal 2' }).isChecked());
  assert.not(await page.getByRole('checkbox', { name: 'rank' }).isChecked());
  await page.keyboard.press('e');
  const title = page.getByRole('textbox', { name: 'title', exact: true });
  await title.fill('Half typed');
  await page.reload();
  await title.waitFor();
  assert.is(await title.inputValue(), 'Half typed');
  assert.is(await button(page, 'Approve').count(), 0);
  // What another person changes meanwhile stays.
  await world.admin.patch(path(queued), { fields: { body: 'By another person' } });
  await button(page, 'Save changes').click();
  await messagesOf(page).getByText('The proposal is changed').waitFor();
  const { data } = (await world.admin.get(path(queued))).json;
  assert.equal([data.title, data.body, data.rank], ['Half typed', 'By another person', 7]);

  await button(page, 'Reject').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Nothing waits').waitFor();
  await page.goto(`${world.url}/admin/curation/${queued}`);
  await page.getByRole('button', { name: 'Let it wait again' }).press('Enter');
  await button(page, 'Approve').waitFor();
  assert.is(await page.evaluate('document.activeElement.id'), 'item-title');

  for (let at = 0; at < 60; at++) await proposeNew(world, { title: `New ${100 + at}` });
  const { items } = (await world.admin.get(`${QUEUE}?limit=60`)).json;
  await page.goto(`${world.url}/admin/curation/${items[49].id}`);
  await heading(page, items[49].title).waitFor();
  await page.getByRole('list', { name: 'Queue' }).getByRole('link', { name: items[55].title }).waitFor();
  await page.keyboard.press('j');
  await heading(page, items[50].title).waitFor();
  assertQuiet(complaints, /status of 412/);
});

test('every pair of theme and width can be used, and without a provider the screen says what to set', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await world.admin.post('/api/cms/posts', { slug: 'tides', status: 'published', data: TIDES });
  const { aiWrites } = world.site().curation;
  const data = { title: 'T'.repeat(40), tags: ['salt'], seo: { title: HOSTILE }, rank: 4 };
  const { queued = '' } = await aiWrites.propose('posts', { slug: 'tides' }, data, writer({ reason: 'R' }), [
    { title: 'Other' },
  ]);
  for (const look of LOOKS) {
    const { page, complaints } = await admin.signedIn(`/curation/${queued}`, look);
    await page.getByText('no AI provider is set up', { exact: false }).first().waitFor();
    await heading(page, data.title).waitFor();
    await assertAccessible(page, 'curation', look);
    await button(page, 'Edit').click();
    await page.getByRole('textbox', { name: 'title' }).first().waitFor();
    await assertAccessible(page, 'curation edit', look);
    assertQuiet(complaints);
  }
});

test.run();
