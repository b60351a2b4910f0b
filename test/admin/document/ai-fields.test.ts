// Texts that a model proposes for a document that exists: rewritten, for search engines, and translated again. A real
// service, a real browser, and a scripted provider.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openScriptedProvider, type ScriptedProvider } from '../../support/ai/provider.ts';
import type { Script } from '../../support/ai/script.ts';
import { translator } from '../../support/ai/translator.ts';
import { findViolations } from '../../support/browser.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from '../world.ts';
import { SAVED, stored, UNSAVED, untilState } from './steps.ts';

const CONFIG = {
  locales: ['en', 'de'],
  defaultLocale: 'en',
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      translatable: true,
      fields: [
        { name: 'title', label: 'Title', type: 'text' as const, required: true },
        { name: 'lead', label: 'Lead', type: 'textarea' as const },
        { name: 'rank', label: 'Rank', type: 'number' as const },
        { name: 'body', label: 'Text', type: 'richtext' as const },
        { name: 'seoTitle', label: 'Search title', type: 'text' as const },
        { name: 'description', label: 'Description', type: 'textarea' as const },
      ],
    },
  ],
};
const TIDES = { title: 'Tides', lead: 'Two a day', rank: 3, body: 'See [the moon](/moon).' };

interface AiWorld extends AsyncDisposable {
  admin: AdminWorld;
  provider: ScriptedProvider;
}

async function makeAiWorld(script: Script): Promise<AiWorld> {
  const provider = await openScriptedProvider(script);
  const admin = await makeAdminWorld({ config: { ...CONFIG, ai: provider.ai }, env: provider.env });
  const { status, text } = await admin.world.admin.post('/api/cms/posts', { slug: 'tides', data: TIDES });
  assert.is(status, 200, text);
  return {
    ...{ admin, provider },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const say = (answer: object) => ({ text: JSON.stringify(answer), pieceChars: 2000 });
const message = (page: Page, text: string) => page.getByRole('status', { name: 'Messages' }).getByText(text);

test('a text is rewritten as one asks for it, compared, accepted, and stored as the model’s', async () => {
  await using made = await makeAiWorld(() => say({ text: 'Two <b>tides</b> a day' }));
  const { admin, provider } = made;
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await box(page, 'Lead').fill('Twice each day the sea comes and goes');
  await page.getByRole('button', { name: 'AI for Lead' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Shorter' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rewrite Lead' });
  await dialog.getByRole('button', { name: 'Accept' }).and(page.locator(':focus')).waitFor();
  assert.match(
    await dialog
      .locator('ins')
      .allTextContents()
      .then((all) => all.join('')),
    /<b>tides/,
  );
  assert.equal(await findViolations(page), []);
  // The text on the screen was sent, and nothing is in the form or stored.
  assert.match(provider.requests[0]?.messages[0]?.text ?? '', /Twice each day/);
  assert.is(await box(page, 'Lead').inputValue(), 'Twice each day the sea comes and goes');
  provider.play(() => say({ text: 'Two a day, always' }));
  await dialog.getByRole('textbox', { name: 'Instruction' }).fill('Say that it never ends');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('always').waitFor();
  assert.match(provider.requests[1]?.system ?? '', /Say that it never ends/);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('button', { name: 'AI for Lead' }).and(page.locator(':focus')).waitFor();
  assert.is(await box(page, 'Lead').inputValue(), 'Twice each day the sea comes and goes');

  await page.getByRole('button', { name: 'AI for Lead' }).click();
  await page.getByRole('menuitem', { name: 'Correct spelling' }).click();
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await message(page, 'Lead has the proposed text.').waitFor();
  assert.is(await box(page, 'Lead').inputValue(), 'Two a day, always');
  await page.getByText('Proposed by scripted-1.').waitFor();
  await untilState(page, UNSAVED);
  assert.is((await stored(admin)).data.lead, 'Two a day');
  await box(page, 'Title').fill('Tides, by me');
  await page.waitForTimeout(400);
  await page.reload();
  await page.getByText('Proposed by scripted-1.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status', { name: 'Document status' }).getByText('Published').waitFor();
  await page.getByText(/^Written by scripted-1/).waitFor();
  const after = await stored(admin);
  assert.equal([after.data.lead, after.data.title, after.status], ['Two a day, always', 'Tides, by me', 'published']);
  const meta = (await admin.world.admin.get('/api/content/posts/tides/_fieldMeta')).json;
  assert.equal([meta.lead.aiGenerated, meta.lead.aiModel, meta.title?.aiModel], [true, 'scripted-1', undefined]);

  // The empty instruction waits; a refusal is reported in its own words, and Escape takes the question back.
  provider.play(() => ({ status: 429, retryAfter: '30', message: 'slow down' }));
  await page.getByRole('button', { name: 'AI for Text' }).click();
  await page.getByRole('menuitem', { name: 'With an instruction…' }).click();
  const other = page.getByRole('dialog', { name: 'Rewrite Text' });
  await other.getByRole('textbox', { name: 'Instruction' }).fill('Be brief');
  await other.getByRole('button', { name: 'Propose' }).click();
  await other.getByRole('alert').getByText(/busy/i).waitFor();
  provider.play(() => ({ silence: 'before' }));
  await other.getByRole('button', { name: 'Try again' }).click();
  await other.getByText('The AI writes…').waitFor();
  await page.keyboard.press('Escape');
  await provider.haveLeft(1);

  // A locked field is not offered, nor one without a text.
  await page.getByRole('button', { name: 'Lock Text' }).click();
  await page.getByRole('button', { name: 'AI for Text' }).waitFor({ state: 'detached' });
  assert.is(await page.getByRole('button', { name: 'AI for Rank' }).count(), 0);
  assert.is(await page.getByRole('button', { name: 'AI for Description' }).count(), 0);
  assertQuiet(complaints, /502/);
});

test('title and description for search engines are proposed in their panel, and taken one by one, with Undo', async () => {
  await using made = await makeAiWorld(() => say({ seoTitle: 'Tides at sea', description: 'Why the sea moves.' }));
  const { admin } = made;
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  await page.getByRole('tab', { name: 'SEO' }).click();
  // By keys alone: the focus goes from the question to its answer.
  await page.getByRole('button', { name: 'Propose title and description by AI' }).press('Enter');
  await page.getByRole('button', { name: 'Accept Search title' }).and(page.locator(':focus')).press('Enter');
  await page.getByRole('button', { name: 'Accept Description' }).and(page.locator(':focus')).waitFor();
  assert.is(await box(page, 'Search title').inputValue(), 'Tides at sea');
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  assert.is(await box(page, 'Search title').inputValue(), '');
  await page.getByRole('button', { name: 'Accept Description' }).click();
  await page.getByText('Nothing is left to decide.').waitFor();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.equal((await stored(admin)).data, { ...TIDES, description: 'Why the sea moves.' });
  const meta = (await admin.world.admin.get('/api/content/posts/tides/_fieldMeta')).json;
  assert.is(meta.description.aiModel, 'scripted-1');
  assertQuiet(complaints);
});

test('a translation that is out of date is translated again, field by field, except what is locked', async () => {
  await using made = await makeAiWorld(translator());
  const { admin } = made;
  const { world } = admin;
  const data = { title: 'Gezeiten', lead: 'Zwei am Tag', body: 'Siehe [den Mond](/moon).' };
  await world.admin.post('/api/cms/posts', { slug: 'gezeiten', locale: 'de', translationOf: 'tides', data });
  await world.admin.put('/api/content/posts/gezeiten/_fieldMeta/body/lock', { reason: 'legal' });
  const first = await admin.signedIn('/content/posts/gezeiten');
  await first.page.getByRole('tab', { name: 'Translations' }).click();
  await first.page.getByRole('region', { name: 'Source: English' }).waitFor();
  const button = { name: 'Propose new texts by AI' };
  assert.is(await first.page.getByRole('button', button).count(), 0);
  // Versions have dates of a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await world.admin.patch('/api/cms/posts/tides', { data: { title: 'Higher tides' } });
  const { page, complaints } = first;
  await page.getByRole('button', button).click();
  const title = page.getByRole('region', { name: 'Title', exact: true });
  await title.waitFor();
  assert.equal(
    [await title.locator('del').textContent(), await title.locator('ins').textContent()],
    ['Gezeiten', '«Higher tides»'],
  );
  assert.is(await page.getByRole('button', { name: 'Accept Text' }).count(), 0);
  assert.equal(await findViolations(page), []);
  await page.getByRole('button', { name: 'Reject Lead' }).click();
  await title.getByRole('button', { name: 'Accept Title' }).click();
  await page.keyboard.press('Control+s');
  await untilState(page, SAVED);
  assert.equal((await stored(admin, 'gezeiten')).data, { ...data, title: '«Higher tides»' });
  const meta = (await world.admin.get('/api/content/posts/gezeiten/_fieldMeta')).json;
  assert.equal([meta.title.aiModel, meta.lead?.aiModel], ['scripted-1', undefined]);
  assertQuiet(complaints);
});

test('without a provider an admin reads what is missing, and nobody is offered a model', async () => {
  await using plain = await makeAdminWorld({ config: CONFIG });
  await plain.world.admin.post('/api/cms/posts', { slug: 'tides', data: TIDES });
  const { page, complaints } = await plain.signedIn('/content/posts/new?from=tides&locale=de');
  await page.getByText('once a provider is set up').waitFor();
  await page.goto(`${plain.world.url}/admin/content/posts/tides`);
  await page.getByRole('button', { name: 'Lock Lead' }).waitFor();
  assert.is(await page.getByRole('button', { name: /^AI for/ }).count(), 0);
  assertQuiet(complaints);
});

test.run();
