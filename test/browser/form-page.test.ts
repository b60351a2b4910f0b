// Forms without a script: the service's own page, and the plain HTML form of another site.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormConfigInput } from '../../src/config/form-config.ts';
import { FormSchema } from '../../src/config/form-config.ts';
import { renderFormPage } from '../../src/forms/pages.ts';
import { findViolations, openBrowser } from '../support/browser.ts';
import { embedForms, serveVerifier } from './embedding.ts';

const FORM: FormConfigInput = {
  name: 'contact',
  label: 'Contact us',
  successMessage: 'We will write.',
  fields: [
    { name: 'name', label: 'Your name', type: 'text', required: true },
    { name: 'site', label: 'Web site', type: 'url' },
    { name: 'topic', label: 'Topic', type: 'select', options: [{ label: 'Help', value: 'help' }] },
    { name: 'text', label: 'Text', type: 'textarea', validation: { maxLength: 20 } },
    { name: 'terms', label: 'I agree', type: 'checkbox', required: true },
    { name: 'source', type: 'hidden', defaultValue: 'page' },
  ],
};

const noScript = { javaScriptEnabled: false };

test('the form has a page that works without JavaScript, also after a mistake', async () => {
  await using embedding = await embedForms([FORM]);
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open(noScript);
  await page.goto(`${embedding.world.url}/api/forms/contact`);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Web site').fill('mailto:ada@example.com');
  await page.getByLabel('Topic').selectOption('Help');
  await page.getByLabel('Text').fill('\nHello\nyou');
  await page.getByLabel('I agree').check();
  await page.getByRole('button', { name: 'Send' }).click();

  await page.getByRole('alert').getByText('This was not sent:').waitFor();
  assert.is(await page.title(), 'Not sent: Contact us');
  assert.is(await page.getByLabel('Your name').inputValue(), 'Ada');
  assert.is(await page.getByLabel('Text').inputValue(), '\nHello\nyou');
  assert.is(await page.getByLabel('Topic').inputValue(), 'help');
  assert.ok(await page.getByLabel('I agree').isChecked());
  await page.getByRole('link', { name: 'Web site' }).click();
  assert.is(await page.locator('[name=site]:focus').count(), 1, 'the link leads to the field');
  await page.getByLabel('Web site').fill('');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').getByText('We will write.').waitFor();
  const [{ data }] = await embedding.sent('contact');
  assert.equal(data, { name: 'Ada', topic: 'help', text: '\nHello\nyou', terms: true, source: 'page' });
  assert.ok(
    complaints.every((one) => /status of 400/.test(one)),
    complaints.join('\n'),
  );
});

test('axe-core finds no fault with the pages, on small screens, light and dark', async () => {
  await using embedding = await embedForms([FORM]);
  await using browser = await openBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await browser.open({ viewport: { width: 320, height: 640 }, colorScheme });
    await page.goto(`${embedding.world.url}/api/forms/contact`);
    assert.equal(await findViolations(page), []);
    await page.getByLabel('Your name').fill(colorScheme);
    await page.getByLabel('Web site').fill('mailto:ada@example.com');
    await page.getByLabel('I agree').check();
    await page.getByRole('button').click();
    await page.getByRole('alert').waitFor();
    assert.equal(await findViolations(page), []);
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), 320);
    await page.getByLabel('Web site').fill('');
    await page.getByRole('button').click();
    await page.getByRole('status').waitFor();
    assert.equal(await findViolations(page), []);
    await page.context().close();
  }
});

test("a site's own HTML form is answered with a page that links back to it", async () => {
  await using embedding = await embedForms([FORM]);
  await using browser = await openBrowser();
  const { page } = await browser.open(noScript);
  const { world, site } = embedding;
  const html = `<form method="post" action="${world.url}/api/forms/contact">
    <label>Name <input name="name"></label><label>Terms <input type="checkbox" name="terms"></label>
    <button>Go</button></form>`;
  await page.goto(site.show('/contact', html, { headers: { 'referrer-policy': 'no-referrer-when-downgrade' } }));
  await page.getByLabel('Name').fill('Ada & Bob');
  await page.getByLabel('Terms').check();
  await page.getByRole('button').click();
  await page.getByText('We will write.').waitFor();
  assert.is(page.url(), `${world.url}/api/forms/contact`);
  assert.is((await embedding.sent('contact'))[0].data.name, 'Ada & Bob');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(`${site.origin}/contact`);
});

test('a form with its own success page goes there, from our page and from the site', async () => {
  await using embedding = await embedForms([]);
  const { world, site } = embedding;
  const thanks = site.show('/thanks', '<p>Thanks from the site</p>');
  await world.restart({ config: { collections: [], forms: [{ ...FORM, successRedirect: thanks }] } });
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open(noScript);
  const built = renderFormPage(FormSchema.parse(FORM), { action: `${world.url}/api/forms/contact` });
  const pages = [`${world.url}/api/forms/contact`, site.show('/forms/contact/', built.html)];
  for (const address of pages) {
    await page.goto(address);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('I agree').check();
    await page.getByRole('button').click();
    await page.getByText('Thanks from the site').waitFor();
    assert.is(page.url(), thanks);
  }
  assert.is((await embedding.sent('contact')).length, 2);
  assert.equal(complaints, []);
});

test('a page with a challenge admits its script, and nothing else', async () => {
  await using verifier = await serveVerifier();
  const spam = { turnstile: { siteKey: 'site-key', secretEnv: 'TURNSTILE_SECRET', verifyUrl: verifier.url } };
  await using embedding = await embedForms([{ ...FORM, spam }], { variables: { TURNSTILE_SECRET: 'of-the-tests' } });
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  // As Cloudflare's script does by default: it puts an input with the token into every box of its class.
  const body = `for (const box of document.querySelectorAll('.cf-turnstile'))
    box.append(Object.assign(document.createElement('input'), {
      type: 'hidden', name: 'cf-turnstile-response', value: box.dataset.sitekey + ':1' }));`;
  await page.route('https://challenges.cloudflare.com/turnstile/v0/api.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  await page.goto(`${embedding.world.url}/api/forms/contact`);
  await page.locator('[name=cf-turnstile-response]').waitFor({ state: 'attached' });
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('I agree').check();
  await page.getByRole('button').click();
  await page.getByText('We will write.').waitFor();
  assert.is((await embedding.sent('contact')).length, 1);
  assert.equal(complaints, []);
});

test('a user who is signed in to the service can send a form', async () => {
  await using embedding = await embedForms([FORM]);
  const { world, site } = embedding;
  await using browser = await openBrowser();
  const context = await browser.context();
  const [name = '', value = ''] = String(world.admin.headers.cookie).split('=');
  await context.addCookies([{ name, value, url: world.url }]);
  const page = await context.newPage();
  const html = `<form method="post" action="${world.url}/api/forms/contact"><input name="name" value="Ada">
    <input name="terms" value="on"><button>Go</button></form>`;
  for (const address of [site.show('/', html), `${world.url}/api/forms/contact`]) {
    await page.goto(address);
    if (address.startsWith(world.url)) {
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('I agree').check();
    }
    await page.getByRole('button').click();
    await page.getByText('We will write.').waitFor();
  }
  await page.goto(site.show('/embedded', embedding.embed('contact')));
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('I agree').check();
  await page.getByRole('button').click();
  await page.getByText('We will write.').waitFor();
  assert.is((await embedding.sent('contact')).length, 3);
});

test.run();
