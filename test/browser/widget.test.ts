// The embedded form as a visitor of another site meets it: filled by keyboard, sent, refused, read aloud.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import { findViolations, openBrowser } from '../support/browser.ts';
import { CONTACT, embedForms, fillContact } from './embedding.ts';

const EVERY_TYPE: FormConfigInput = {
  name: 'every',
  label: 'Every type',
  fields: [
    { name: 'text', label: 'Text', type: 'text', required: true, validation: { pattern: '[A-Z][a-z]+' } },
    { name: 'email', label: 'E-mail', type: 'email' },
    { name: 'message', label: 'Message', type: 'textarea', placeholder: 'Say it' },
    {
      name: 'topic',
      label: 'Topic',
      type: 'select',
      required: true,
      placeholder: 'Choose one',
      options: [
        { label: 'Sales & more', value: 'sales' },
        { label: 'Help', value: '"help"' },
      ],
    },
    { name: 'news', label: 'Send me news', type: 'checkbox' },
    { name: 'terms', label: 'I agree', type: 'checkbox', required: true },
    { name: 'age', label: 'Age', type: 'number' },
    { name: 'phone', label: 'Phone', type: 'phone' },
    { name: 'site', label: 'Web site', type: 'url' },
    { name: 'day', label: 'Day', type: 'date' },
    { name: 'source', type: 'hidden', defaultValue: 'home page' },
  ],
};

/** The focused element's name, or its tag. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.name || document.activeElement.className || document.activeElement.tagName');

test('every type of field is filled and sent from a page of another origin, by keyboard alone', async () => {
  await using embedding = await embedForms([EVERY_TYPE]);
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('every')));
  await page.getByLabel('Text').waitFor();
  assert.equal(
    await page.evaluate(
      `[...document.querySelectorAll('#cms-form-every [name]')].map((one) => one.name + ' ' + one.type).join(', ')`,
    ),
    'text text, email email, message textarea, topic select-one, news checkbox, terms checkbox, age number, ' +
      'phone tel, site url, day date, source hidden, _hp_email text',
  );
  assert.is(await page.getAttribute('[name=message]', 'rows'), '4');
  assert.equal(await findViolations(page), []);

  const { keyboard } = page;
  const type = async (name: string, text: string): Promise<void> => {
    await keyboard.press('Tab');
    assert.is(await focused(page), name);
    await keyboard.type(text);
  };
  await type('text', 'Ada');
  await type('email', 'ada@example.com');
  await type('message', 'Hello\nyou');
  await type('topic', 'Help');
  await type('news', '');
  await type('terms', ' ');
  await type('age', '36.5');
  await type('phone', '+49 30 123456');
  await type('site', 'https://example.com/');
  // The same whether the machine puts days or months first.
  await type('day', '02022026');
  while ((await focused(page)) === 'day') await keyboard.press('Tab');
  assert.is(await focused(page), 'BUTTON', 'the trap is not on the way');
  await keyboard.press('Enter');

  await page.getByText('Thank you.').waitFor();
  assert.is(await focused(page), 'cms-form-status');
  assert.is(await page.locator('form').count(), 0);
  assert.equal(await findViolations(page), []);
  const [submission] = await embedding.sent('every');
  assert.equal(submission.data, {
    text: 'Ada',
    email: 'ada@example.com',
    message: 'Hello\nyou',
    topic: '"help"',
    news: false,
    terms: true,
    age: 36.5,
    phone: '+49 30 123456',
    site: 'https://example.com/',
    day: '2026-02-02',
    source: 'home page',
  });
  assert.equal(complaints, []);
});

test('a form with a missing value that the browser notices is not sent', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await page.getByRole('button', { name: 'Send' }).click();
  assert.is(await focused(page), 'name');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada');
  await page.keyboard.press('Enter');
  assert.is(await focused(page), 'email');
  assert.equal(posts, []);
  assert.is(await page.locator('label', { hasText: 'Your name' }).textContent(), 'Your name *');
  await page.getByText('* required').waitFor();
});

test("the service's refusal is shown at its field, and read aloud; once corrected, the form is sent", async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await fillContact(page);
  // Addresses that a browser accepts and the service refuses.
  await page.getByLabel('Web site').fill('mailto:ada@example.com');
  await page.getByLabel('Message').fill('🙂🙂');
  await page.getByRole('button').click();

  await page.getByRole('alert').getByText('Please check what is marked above.').waitFor();
  assert.is(await focused(page), 'site');
  for (const name of ['site', 'message']) {
    const input = page.locator(`[name=${name}]`);
    assert.is(await input.getAttribute('aria-invalid'), 'true');
    const note = page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`);
    assert.match(String(await note.textContent()), /^must /);
  }
  assert.is(await page.locator('[name=email]').getAttribute('aria-invalid'), 'false');
  assert.equal(await findViolations(page), []);

  await page.getByLabel('Web site').fill('');
  await page.getByLabel('Message').fill('Hello');
  await page.getByRole('button').click();
  await page.getByRole('status').getByText('Thank you, <b>we</b> will write.').waitFor();
  assert.is((await embedding.sent('contact')).length, 1);
});

test('what was typed stays if the network fails, and is sent the next time', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await fillContact(page);
  const address = `${embedding.world.url}/api/forms/contact`;
  await page.route(address, (route) => route.abort());
  await page.getByRole('button').click();
  await page.getByRole('alert').getByText('What you typed is still here').waitFor();
  assert.is(await page.getByLabel('Your name').inputValue(), 'Ada');
  assert.is(await focused(page), 'BUTTON');
  assert.ok(await page.getByRole('button', { name: 'Send' }).isEnabled());

  await page.unroute(address);
  // A proxy on the way that answers itself, in HTML.
  await page.route(address, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('What you typed is still here').waitFor();
  await page.unroute(address);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('we will write').or(page.getByRole('status').getByText('Thank you')).waitFor();
});

test('pressing the button twice sends a form once', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await fillContact(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`${embedding.world.url}/api/forms/contact`, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('E-mail').press('Enter');
  const button = page.getByRole('button', { name: 'Sending…' });
  await button.waitFor();
  assert.ok(await button.isDisabled());
  await page.getByLabel('E-mail').press('Enter');
  release();
  await page.getByRole('status').getByText('Thank you').waitFor();
  assert.is((await embedding.sent('contact')).length, 1);
});

test('too many submissions in an hour are refused with a sentence', async () => {
  await using embedding = await embedForms([{ ...CONTACT, spam: { rateLimit: 1 } }]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  const address = embedding.site.show('/', embedding.embed('contact'));
  for (const expected of ['Thank you', 'too many submissions']) {
    await page.goto(address);
    await fillContact(page);
    await page.getByRole('button').click();
    await page.getByText(expected).waitFor();
  }
  assert.is(await page.getByLabel('Your name').inputValue(), 'Ada');
  assert.is(await page.getByRole('alert').count(), 1);
});

test('a submission that falls into the trap is answered like any other, and not kept', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await fillContact(page);
  const trap = page.locator('[name=_hp_email]');
  assert.equal(
    await page.evaluate(
      `(({ tabIndex, autocomplete, parentNode }) => [tabIndex, autocomplete, parentNode.getAttribute('aria-hidden')])(document.querySelector('[name=_hp_email]'))`,
    ),
    [-1, 'off', 'true'],
  );
  assert.is(await page.getByRole('textbox').count(), 4, 'the trap is not read aloud');
  await trap.fill('bot@example.com', { force: true });
  await page.getByRole('button').click();
  await page.getByRole('status').getByText('Thank you').waitFor();
  assert.equal(await embedding.sent('contact'), []);
});

test.run();
