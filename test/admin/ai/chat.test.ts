// Talking with a model that has the tools of the person.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LOOKS, untilTrue } from '../../support/browser.ts';
import { assertAccessible, assertQuiet, makeAdminWorld } from '../world.ts';
import { makeAiAdminWorld, messagesOf } from './world.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const CONVERSATIONS = '/api/cms/chat/conversations';

test('an answer comes piece by piece, with what the tools did, and its links lead to documents', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld([
    {
      text: 'I look it up.',
      calls: [{ tool: 'create_document', input: { collection: 'posts', data: { title: 'Ebb' } } }],
    },
    {
      text: `Here is **Ebb**, [open it](/admin/content/posts/ebb).\n\n- one\n- ${HOSTILE}\n\n[bad](javascript:alert(1))`,
      hold: hold.promise,
    },
    { text: 'Second answer.' },
  ]);
  const { page, complaints } = await admin.signedIn();
  await page.getByRole('link', { name: 'Chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'Chat' }).waitFor();
  const box = page.getByRole('textbox', { name: 'Message' });
  const log = page.getByRole('log', { name: 'Conversation' });
  await box.fill('Half a thought');
  await page.reload();
  await log.getByText('Ask about the content').waitFor();
  assert.is(await box.inputValue(), 'Half a thought');
  await box.fill(`Make a post ${HOSTILE}`);
  await page.keyboard.press('Enter');
  await log.getByText('I look it up.').waitFor();
  await log.getByText('Used create_document').waitFor();
  assert.is(await log.getAttribute('aria-busy'), 'true');
  hold.resolve();
  await log.getByRole('link', { name: 'open it' }).waitFor();
  await untilTrue(page, `document.querySelector('[role=log]').getAttribute('aria-busy') === 'false'`);
  await log.getByText('Used create_document').click();
  await log.getByText('"title": "Ebb"').first().waitFor();
  assert.is(await log.getByRole('link', { name: 'Ebb', exact: true }).getAttribute('href'), '/admin/content/posts/ebb');
  assert.is(await log.locator('strong').textContent(), 'Ebb');
  assert.is(await log.locator('img, script').count(), 0);
  assert.is(await log.getByRole('link', { name: 'bad' }).count(), 0);
  assert.is(await page.title(), 'Chat · Colophon');

  // The next message goes on with it, also after a reload.
  assert.match(page.url(), /\?c=/);
  await page.reload();
  await log.getByRole('link', { name: 'open it' }).waitFor();
  await box.fill('And then?');
  await page.getByRole('button', { name: 'Send' }).click();
  await log.getByText('Second answer.').waitFor();
  await untilTrue(page, `document.querySelector('[role=log]').getAttribute('aria-busy') === 'false'`);
  assert.is(await log.getByText('Second answer.').count(), 1);
  const { conversations } = (await admin.world.admin.get(CONVERSATIONS)).json;
  assert.equal([conversations.length, conversations[0].messageCount], [1, 4]);
  // What was said on this page is there when one comes back to it.
  const past = page.getByRole('list', { name: 'Conversations' });
  await page.getByRole('button', { name: 'New conversation' }).click();
  await log.getByText('Ask about the content').waitFor();
  await past.getByRole('link').first().click();
  await log.getByText('Second answer.').waitFor();
  assert.is(await log.getByText('And then?').count(), 1);
  // The next person in this tab does not see what was typed and not sent.
  await box.fill('For nobody else');
  await log.getByRole('link', { name: 'open it' }).click();
  await page.waitForURL('**/admin/content/posts/ebb');
  const { headers } = await admin.world.user('editor');
  const [name = '', value = ''] = String(headers.cookie).split('=');
  await page.context().addCookies([{ name, value, url: admin.world.url }]);
  await page.goto(`${admin.world.url}/admin/chat`);
  await log.getByText('Ask about the content').waitFor();
  assert.is(await box.inputValue(), '');
  assertQuiet(complaints);
});

test('what one tab says in a conversation is in the other one, and a reload in the middle gives the question back', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld((_request, index) => ({
    text: `Answer ${index}.`,
    ...(index === 2 ? { hold: hold.promise } : {}),
  }));
  const { page, complaints } = await admin.signedIn('/chat');
  const ask = async (tab: Page, text: string): Promise<void> => {
    await tab.getByRole('textbox', { name: 'Message' }).fill(text);
    await tab.keyboard.press('Enter');
  };
  const logOf = (tab: Page) => tab.getByRole('log', { name: 'Conversation' });
  await ask(page, 'First');
  await logOf(page).getByText('Answer 0.').waitFor();
  await page.waitForURL(/\?c=/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await logOf(other).getByText('Answer 0.').waitFor();
  await ask(other, 'Second');
  for (const tab of [other, page]) await logOf(tab).getByText('Answer 1.').waitFor();
  assert.is(await logOf(page).getByText('Second').count(), 1);
  await ask(page, 'Third');
  await admin.provider.haveCome(3);
  await page.reload();
  await logOf(page).getByText('Answer 1.').waitFor();
  const box = page.getByRole('textbox', { name: 'Message' });
  assert.is(await box.inputValue(), 'Third');
  hold.resolve();
  await page.keyboard.press('Tab');
  await box.press('Enter');
  for (const tab of [other, page]) await logOf(tab).getByText('Answer 3.').waitFor();
  const said = await logOf(other).locator('.said').allInnerTexts();
  const texts = said.map((one) => one.split('\n').filter(Boolean)[1]);
  assert.equal(texts, ['First', 'Answer 0.', 'Second', 'Answer 1.', 'Third', 'Answer 3.']);
  await page.reload();
  await logOf(page).getByText('Answer 3.').waitFor();
  assert.is(await box.inputValue(), '');
  assertQuiet(complaints);
});

test('an answer without end, and one that nests without end, leave the page usable', async () => {
  const long = Array.from({ length: 800 }, (_, at) => `Paragraph **${at}** with [a link](/admin) and more`).join(
    '\n\n',
  );
  await using admin = await makeAiAdminWorld([
    { text: long, pieceChars: 16 },
    { text: '> '.repeat(5000) },
    { text: 'Still here.' },
  ]);
  const { page, complaints } = await admin.signedIn('/chat');
  const log = page.getByRole('log', { name: 'Conversation' });
  const box = page.getByRole('textbox', { name: 'Message' });
  for (const [question, answer] of [
    ['Long', /^799$/],
    ['Deep', /> > > >/],
    ['Last', /Still here/],
  ] as const) {
    await box.fill(question);
    await page.keyboard.press('Enter');
    await log.getByText(answer).last().waitFor();
    await untilTrue(page, `document.querySelector('[role=log]').getAttribute('aria-busy') === 'false'`);
  }
  // Its end is in view, and it can be read again.
  await untilTrue(
    page,
    `(({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight < 80)(
    document.querySelector('[role=log]'))`,
  );
  await page.reload();
  await log.getByText('Still here').waitFor();
  assertQuiet(complaints);
});

test('an answer is stopped, a failure says why and is tried again, a conversation is deleted', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld([
    { text: 'It begins and goes on and on', hold: hold.promise },
    { status: 400, message: 'The prompt is too long' },
    { text: 'Now it works.' },
  ]);
  const { page, complaints } = await admin.signedIn('/chat');
  const box = page.getByRole('textbox', { name: 'Message' });
  const log = page.getByRole('log', { name: 'Conversation' });
  await box.fill('First');
  await page.keyboard.press('Enter');
  await log.getByText('It begins').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await log.getByText('This answer is not kept').waitFor();
  await admin.provider.haveLeft(1);
  hold.resolve();
  assert.is((await admin.world.admin.get(CONVERSATIONS)).json.conversations.length, 0);
  await page.getByRole('button', { name: 'Send again' }).click();
  await log.getByRole('alert').waitFor();
  assert.match((await log.getByRole('alert').textContent()) ?? '', /^No answer: /);
  await page.getByRole('button', { name: 'Send again' }).click();
  await log.getByText('Now it works.').waitFor();
  await page.getByRole('button', { name: 'Delete “First”' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  // Refused, the focus is on what was pressed.
  await page.route('**/conversations/*', (route) =>
    route.fulfill({ status: 507, json: { error: 'the disk is full', code: 'storage_full' } }),
  );
  await page.getByRole('button', { name: 'Delete “First”' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alert').getByText('The disk is full').waitFor();
  assert.is(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Delete “First”');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Delete “First”' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await messagesOf(page).getByText('The conversation is deleted').waitFor();
  await log.getByText('Ask about the content').waitFor();
  assert.is((await admin.world.admin.get(CONVERSATIONS)).json.conversations.length, 0);
  // An address of one that is gone says so.
  await page.goto(`${admin.world.url}/admin/chat?c=gone`);
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  assert.is(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  assertQuiet(complaints, /status of (404|507)/);
});

test('for one who leaves while an answer comes, a message says that what its tools wrote stays', async () => {
  const hold = Promise.withResolvers<void>();
  await using admin = await makeAiAdminWorld([
    {
      text: 'I make it.',
      calls: [{ tool: 'create_document', input: { collection: 'posts', data: { title: 'Ebb' } } }],
    },
    { text: 'It is there now, and waits.', hold: hold.promise },
  ]);
  const { page, complaints } = await admin.signedIn('/chat');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('Make a post');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Conversation' }).getByText('Used create_document').waitFor();
  await page.getByRole('link', { name: 'Trash', exact: true }).click();
  await messagesOf(page).getByText('What its tools changed stays').waitFor();
  hold.resolve();
  assert.is((await admin.world.admin.get('/api/cms/posts/ebb')).status, 200);
  await page.goBack();
  await box.waitFor();
  assert.is(await box.inputValue(), 'Make a post');
  const note = page.getByText('Look at what they changed before you send it again');
  await note.waitFor();
  await page.reload();
  await note.waitFor();
  await box.fill('');
  await note.waitFor({ state: 'detached' });
  await page.reload();
  await box.waitFor();
  assert.is(await note.count(), 0);
  assertQuiet(complaints);
});

test('questions that were not answered are all there after a reload, once, and those that were are not', async () => {
  await using admin = await makeAiAdminWorld((_request, index) =>
    index === 1 ? { text: 'Answered.' } : { status: 400, message: `no ${index}` },
  );
  const { page, complaints } = await admin.signedIn('/chat');
  const log = page.getByRole('log', { name: 'Conversation' });
  const box = page.getByRole('textbox', { name: 'Message' });
  const ask = async (text: string, ending: string, count: number): Promise<void> => {
    await box.fill(text);
    await page.keyboard.press('Enter');
    await log.getByText(ending).nth(count).waitFor();
    // Until the answer is kept, a next question waits in the box.
    await untilTrue(page, `document.querySelector('[role=log]').getAttribute('aria-busy') === 'false'`);
  };
  await ask('First', 'No answer:', 0);
  await ask('Second', 'Answered.', 0);
  await ask('Third', 'No answer:', 1);
  await ask('Fourth', 'No answer:', 2);
  await box.fill('Typed');
  await page.reload();
  await log.getByText('Answered.').waitFor();
  assert.is(await box.inputValue(), 'First\n\nThird\n\nFourth\n\nTyped');
  // Thrown away is thrown away.
  await box.fill('');
  await page.reload();
  await log.getByText('Answered.').waitFor();
  assert.is(await box.inputValue(), '');
  assertQuiet(complaints);
});

test('an answer that was lost on the way is found again, and not asked for twice', async () => {
  await using admin = await makeAiAdminWorld((_request, index) => ({ text: `Answer ${index}.` }));
  const { page, complaints } = await admin.signedIn('/chat');
  const log = page.getByRole('log', { name: 'Conversation' });
  const box = page.getByRole('textbox', { name: 'Message' });
  for (const [at, question] of ['First', 'Second'].entries()) {
    await page.route('**/api/cms/chat', async (route) => {
      await route.fetch();
      if (at === 0) await route.abort('connectionreset');
      else await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway timeout</h1>' });
    });
    await box.fill(question);
    await page.keyboard.press('Enter');
    await log
      .getByRole('alert')
      .or(log.getByText(`Answer ${at}.`))
      .first()
      .waitFor();
    await page.unrouteAll();
    // In a conversation that is known it may be found without being asked for.
    const again = page.getByRole('button', { name: 'Send again' });
    await again.dblclick({ timeout: 5000 }).catch((error: Error) => at === 1 || Promise.reject(error));
    await log.getByText(`Answer ${at}.`).first().waitFor();
    await log.getByRole('alert').waitFor({ state: 'detached' });
    assert.is(await log.getByText(`Answer ${at}.`).count(), 1);
  }
  const { conversations } = (await admin.world.admin.get(CONVERSATIONS)).json;
  assert.is(conversations.length, 1);
  assert.is((await admin.world.admin.get(`${CONVERSATIONS}/${conversations[0].id}`)).json.messages.length, 4);
  // One that never arrived is asked.
  await page.route('**/api/cms/chat', (route) => route.abort('connectionreset'));
  await box.fill('Second');
  await page.keyboard.press('Enter');
  await log.getByRole('alert').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Send again' }).click();
  await log.getByText('Answer 2.').waitFor();
  // Deleted in another tab meanwhile: what was typed begins a new one.
  await admin.world.admin.delete(CONVERSATIONS);
  await box.fill('After');
  await page.keyboard.press('Enter');
  await log.getByText('The conversation was deleted meanwhile').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await log.getByText('Answer 3.').waitFor();
  await untilTrue(page, `document.querySelector('[role=log]').getAttribute('aria-busy') === 'false'`);
  assert.is((await admin.world.admin.get(CONVERSATIONS)).json.conversations.length, 1);
  assertQuiet(complaints, /ERR_CONNECTION|status of (404|504)/);
});

test('without a provider the screen says what to set, and every pair of theme and width can be used', async () => {
  await using admin = await makeAdminWorld();
  const without = await admin.signedIn('/chat');
  await without.page.getByText('"ai.provider"').waitFor();
  await without.page.getByRole('textbox', { name: 'Message' }).fill('Kept for later');
  assert.is(await without.page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled'), 'true');
  assertQuiet(without.complaints);
  const table = `| a | b |\n| - | - |\n| ${'w'.repeat(60)} | x |\n\n\`\`\`\n${'code '.repeat(40)}\n\`\`\`\n\n> q\n\n1. one`;
  await using talking = await makeAiAdminWorld(() => ({ text: table }));
  for (const look of LOOKS) {
    const { page, complaints } = await talking.signedIn('/chat', look);
    await page.getByRole('textbox', { name: 'Message' }).fill('W'.repeat(80));
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('15 tokens').waitFor();
    await assertAccessible(page, 'chat', look);
    assertQuiet(complaints);
  }
});

test.run();
