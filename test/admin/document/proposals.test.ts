// A translation that a model proposes, in front of a real service and a scripted provider.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openScriptedProvider, type ScriptedOptions, type ScriptedProvider } from '../../support/ai/provider.ts';
import type { Script } from '../../support/ai/script.ts';
import { translator } from '../../support/ai/translator.ts';
import { findViolations } from '../../support/browser.ts';
import { PASSWORD } from '../../support/world.ts';
import { type AdminWorld, assertQuiet, makeAdminWorld } from '../world.ts';

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
        { name: 'lead', label: 'Lead', type: 'text' as const },
        { name: 'rank', label: 'Rank', type: 'number' as const },
        { name: 'body', label: 'Text', type: 'richtext' as const },
      ],
    },
  ],
};
const TIDES = { title: 'Tides', lead: 'Two a day', rank: 3, body: 'See [the moon](/moon) and `sea`.' };
const PROPOSE = { name: 'Propose the texts by AI' };

interface ProposalWorld extends AsyncDisposable {
  admin: AdminWorld;
  provider: ScriptedProvider;
}

async function makeProposalWorld(script: Script, options?: ScriptedOptions): Promise<ProposalWorld> {
  const provider = await openScriptedProvider(script, options);
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

const NEW_TRANSLATION = '/content/posts/new?from=tides&locale=de';
const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
const textIn = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true }).inputValue();

test('a model fills in a translation, which a person reads, changes and saves', async () => {
  await using made = await makeProposalWorld(translator());
  const { admin, provider } = made;
  const { world } = admin;
  const { page, complaints } = await admin.signedIn(NEW_TRANSLATION);
  await page.getByRole('textbox', { name: 'Lead', exact: true }).fill('Zweimal am Tag');
  await page.getByRole('button', PROPOSE).click();
  await page.getByText('2 fields have proposed texts.').waitFor();
  assert.equal([await textIn(page, 'Title'), await textIn(page, 'Lead')], ['«Tides»', 'Zweimal am Tag']);
  assert.is(await page.getByText('Proposed by scripted-1.').count(), 2);
  assert.equal(await findViolations(page), []);
  // Nothing is stored by it.
  assert.is((await world.admin.get('/api/cms/posts?status=all')).json.total, 1);

  await titleOf(page).fill('Gezeiten');
  await page.getByText('Proposed by scripted-1, changed by you.').waitFor();
  await page.waitForTimeout(400);
  await page.reload();
  await page.getByText('Proposed by scripted-1, changed by you.').waitFor();
  await page.keyboard.press('Control+s');
  await page.waitForURL('**/admin/content/posts/tides-*');
  await page.getByRole('status', { name: 'Save state' }).getByText('All changes saved').waitFor();
  await page.getByText(/^Written by scripted-1/).waitFor();

  const [slug] = page.url().split('/').slice(-1);
  const { json } = await world.admin.get(`/api/cms/posts/${slug}`);
  assert.equal(json.data, {
    title: 'Gezeiten',
    lead: 'Zweimal am Tag',
    rank: 3,
    body: '«See [the moon](/moon) and `sea`.»',
  });
  assert.equal([json.locale, json.translationOf, json.status], ['de', 'tides', 'draft']);
  const meta = (await world.admin.get(`/api/content/posts/${slug}/_fieldMeta`)).json;
  assert.equal([meta.body.aiGenerated, meta.body.aiModel], [true, 'scripted-1']);
  assert.equal([meta.title.aiGenerated, meta.title.reason], [false, 'user-edit']);
  assert.equal([meta.lead?.aiModel, meta.rank], [undefined, undefined]);
  assert.is(provider.requests.length, 1);
  assertQuiet(complaints);
});

test('a proposal is taken back with one button, and published in one go', async () => {
  await using made = await makeProposalWorld(translator());
  const { admin } = made;
  const { page, complaints } = await admin.signedIn(NEW_TRANSLATION);
  await page.getByRole('button', PROPOSE).click();
  await page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Proposed by scripted-1.').first().waitFor({ state: 'detached' });
  assert.is(await textIn(page, 'Title'), 'Tides');
  await page.getByRole('button', PROPOSE).click();
  await page.getByText('Proposed by scripted-1.').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status', { name: 'Document status' }).getByText('Published').waitFor();
  const { json } = await admin.world.admin.get('/api/cms/posts?locale=de');
  assert.equal([json.total, json.documents[0].data.title], [1, '«Tides»']);
  assertQuiet(complaints);
});

test('it goes on behind another panel, and Cancel ends it at the provider too', async () => {
  await using made = await makeProposalWorld(() => ({ silence: 'before' }));
  const { admin, provider } = made;
  const { page, complaints } = await admin.signedIn(NEW_TRANSLATION);
  await page.getByRole('button', PROPOSE).click();
  await provider.haveCome(1);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('tab', { name: 'Translations' }).click();
  await page.getByText('The AI translates.').waitFor();
  await page.getByRole('tabpanel').getByRole('button', { name: 'Cancel' }).click();
  await provider.haveLeft(1);
  await page.getByRole('button', PROPOSE).waitFor();
  assert.is(await textIn(page, 'Title'), 'Tides');
  assertQuiet(complaints);
});

test('a provider that refuses, or is busy, is reported in its own words, and nothing changes', async () => {
  await using made = await makeProposalWorld(() => ({ status: 429, retryAfter: '30', message: 'slow down' }));
  const { admin, provider } = made;
  const { page, complaints } = await admin.signedIn(NEW_TRANSLATION);
  await page.getByRole('button', PROPOSE).click();
  const alert = page.getByRole('tabpanel').getByRole('alert');
  await alert.getByText(/busy/i).waitFor();
  provider.play(() => ({ status: 401, message: 'bad key' }));
  await page.getByRole('button', PROPOSE).click();
  await alert.getByText(/refused/i).waitFor();
  assert.is(await textIn(page, 'Title'), 'Tides');
  assertQuiet(complaints, /502/);
});

test('hostile words of a model are words', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  await using made = await makeProposalWorld(translator(() => hostile));
  const { admin } = made;
  const { page, complaints } = await admin.signedIn(NEW_TRANSLATION);
  page.on('dialog', () => complaints.push('a script of the text ran'));
  await page.getByRole('button', PROPOSE).click();
  await page.getByText(/fields? ha(s a|ve) proposed/).waitFor();
  assert.is(await textIn(page, 'Title'), hostile);
  assert.is(await page.locator('main img').count(), 0);
  assertQuiet(complaints);
});

test('a colleague who was faster is not overwritten', async () => {
  await using made = await makeProposalWorld(translator());
  const { admin } = made;
  const { world } = admin;
  const { page } = await admin.signedIn(NEW_TRANSLATION);
  await page.getByRole('button', PROPOSE).click();
  await page.getByText('Proposed by scripted-1.').first().waitFor();
  const faster = { slug: 'gezeiten', locale: 'de', translationOf: 'tides', data: { title: 'Gezeiten' } };
  assert.is((await world.admin.post('/api/cms/posts', faster)).status, 200);
  await page.keyboard.press('Control+s');
  await page
    .getByRole('status', { name: 'Save state' })
    .getByText(/^Not saved/)
    .waitFor();
  assert.equal((await world.admin.get('/api/cms/posts/gezeiten')).json.data, { title: 'Gezeiten' });
  assert.is(await textIn(page, 'Title'), '«Tides»');
});

test('a translation says that its source has got other words, with the way to them, and not that it was published', async () => {
  await using plain = await makeAdminWorld({ config: CONFIG });
  const { admin } = plain.world;
  await admin.post('/api/cms/posts', { slug: 'tides', data: TIDES });
  const german = { slug: 'gezeiten', locale: 'de', translationOf: 'tides', data: { title: 'Gezeiten' } };
  await admin.post('/api/cms/posts', german);
  // Versions have dates of a second.
  const wait = () => new Promise((resolve) => setTimeout(resolve, 1100));
  await wait();
  await admin.patch('/api/cms/posts/tides', { status: 'published' });
  const { page, complaints } = await plain.signedIn('/content/posts/gezeiten');
  await page.getByRole('tab', { name: 'Translations' }).click();
  await page.getByRole('region', { name: 'Source: English' }).waitFor();
  const mark = page.getByRole('link', { name: 'its source was changed later' });
  assert.is(await mark.count(), 0);
  await wait();
  await admin.patch('/api/cms/posts/tides', { data: { title: 'Higher tides' } });
  await mark.click();
  await page.waitForURL('**/posts/tides/history');
  assertQuiet(complaints);
});

test('nobody without a provider, or without the right to it, is offered it', async () => {
  await using plain = await makeAdminWorld({ config: CONFIG });
  await plain.world.admin.post('/api/cms/posts', { slug: 'tides', data: TIDES });
  const without = await plain.signedIn(NEW_TRANSLATION);
  await without.page.getByRole('region', { name: 'Source: English' }).waitFor();
  assert.is(await without.page.getByRole('button', PROPOSE).count(), 0);

  await using made = await makeProposalWorld(translator());
  await made.admin.world.user('author');
  const { page } = await made.admin.open('/login');
  await page.getByLabel('E-mail').fill('author1@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.goto(`${made.admin.world.url}/admin${NEW_TRANSLATION}`);
  await page.getByRole('region', { name: 'Source: English' }).waitFor();
  assert.is(await page.getByRole('button', PROPOSE).count(), 0);
});

test.run();
