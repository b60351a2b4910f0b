// A form with a challenge in a real browser; local stand-ins replace Cloudflare's script and its verifier.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import { findViolations, openBrowser } from '../support/browser.ts';
import { embedForms, serveVerifier } from './embedding.ts';

/** The part of turnstile.render and its functions that a form uses: a box that gives a new token for each reset. */
const STAND_IN = `
  let count = 0;
  const tokens = {};
  window.loads = (window.loads ?? 0) + 1;
  window.turnstile = {
    render(box, { sitekey }) {
      if (!(box instanceof HTMLElement) || !sitekey) throw new Error('wrong call');
      const id = 'widget-' + ++count;
      box.textContent = 'No robot';
      tokens[id] = sitekey + ':' + count * 100;
      return id;
    },
    getResponse: (id) => tokens[id],
    reset(id) {
      const [key, number] = tokens[id].split(':');
      tokens[id] = key + ':' + (Number(number) + 1);
    },
  };
`;

async function standIn(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route('https://challenges.cloudflare.com/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/javascript', body: STAND_IN });
  });
  return asked;
}

function makeForm(name: string, verifyUrl: string): FormConfigInput {
  return {
    name,
    fields: [{ name: 'code', label: 'Code', type: 'url', required: true }],
    spam: { turnstile: { siteKey: 'site-key', secretEnv: 'TURNSTILE_SECRET', verifyUrl } },
  };
}

const variables = { TURNSTILE_SECRET: 'secret-of-the-tests' };

test('the challenge is shown and its answer sent, a new one for each attempt', async () => {
  await using verifier = await serveVerifier();
  await using embedding = await embedForms([makeForm('contact', verifier.url)], { variables });
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  const asked = await standIn(page);
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await page.getByText('No robot').waitFor();
  assert.equal(asked, ['https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit']);
  assert.equal(await findViolations(page), []);

  // The first token is used up elsewhere: the service refuses it, and the form gets another.
  await fetch(verifier.url, { method: 'POST', body: new URLSearchParams({ response: 'site-key:100' }) });
  await page.getByLabel('Code').fill('https://example.com');
  await page.getByRole('button').click();
  await page.getByRole('alert').getByText('the challenge was not solved').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('Thank you').waitFor();
  assert.equal(
    (await embedding.sent('contact')).map(({ data }) => data),
    [{ code: 'https://example.com' }],
  );
  assert.ok(
    complaints.every((one) => /status of 400/.test(one)),
    complaints.join('\n'),
  );
});

test('two forms of a page share one script, and each has its own challenge', async () => {
  await using verifier = await serveVerifier();
  const forms = ['contact', 'other'].map((name) => makeForm(name, verifier.url));
  await using embedding = await embedForms(forms, { variables });
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  const asked = await standIn(page);
  await page.goto(embedding.site.show('/', embedding.embed('contact') + embedding.embed('other')));
  for (const name of ['contact', 'other']) {
    const box = page.locator(`#cms-form-${name}`);
    await box.getByText('No robot').waitFor();
    await box.getByLabel('Code').fill('https://example.com');
    await box.getByRole('button').click();
    await box.getByText('Thank you').waitFor();
  }
  assert.is(asked.length, 1);
  assert.equal(complaints, []);
});

test('if the challenge cannot be loaded the form says that it was not solved, and keeps what was typed', async () => {
  await using verifier = await serveVerifier();
  await using embedding = await embedForms([makeForm('contact', verifier.url)], { variables });
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await page.getByLabel('Code').fill('https://example.com');
  await page.getByRole('button').click();
  await page.getByRole('alert').getByText('the challenge was not solved').waitFor();
  assert.is(await page.getByLabel('Code').inputValue(), 'https://example.com');
  assert.ok(
    complaints.every((one) => /ERR_FAILED|status of 400/.test(one)),
    complaints.join('\n'),
  );
});

test.run();
