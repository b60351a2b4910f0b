// The embedded form and the page around it: where the script may be, what the page's policy forbids, how it fits small
// screens and dark pages, and what form definitions can do to it.
import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findViolations, openBrowser } from '../support/browser.ts';
import { CONTACT, embedForms, fillContact, serveOtherSite } from './embedding.ts';

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

test('a visitor of an unknown site sees that the form cannot be shown', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using stranger = await serveOtherSite();
  await using browser = await openBrowser();
  const { page, complaints, warnings } = await browser.open();
  await page.goto(stranger.show('/', embedding.embed('contact')));
  await page.getByRole('alert').getByText('This form cannot be shown right now.').waitFor();
  assert.is(await page.locator('form').count(), 0);
  assert.ok(
    complaints.every((one) => /CORS policy|net::ERR_FAILED/.test(one)),
    complaints.join('\n'),
  );
  assert.match(warnings.join(), /cms-form-contact/);
  assert.equal(await findViolations(page), []);
});

test('a page with a strict policy needs our origin in two places and nothing else', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  const { url } = embedding.world;
  const headers = {
    'content-security-policy': `default-src 'none'; script-src ${url}; connect-src ${url}; require-trusted-types-for 'script'`,
  };
  await page.goto(embedding.site.show('/', embedding.embed('contact'), { headers }));
  await fillContact(page);
  const trap = await page.evaluate(`document.querySelector('[name=_hp_email]').parentNode.clientWidth`);
  assert.is(trap, 1, 'the trap is out of sight');
  await page.getByRole('button').click();
  await page.getByRole('status').getByText('Thank you').waitFor();
  assert.equal(complaints, []);
});

test('the script may be anywhere: before the form, deferred, as a module, twice, or without its element', async () => {
  await using embedding = await embedForms([CONTACT, { ...CONTACT, name: 'other', label: 'Another' }]);
  await using browser = await openBrowser();
  const { site, embed, world } = embedding;
  const src = `${world.url}/api/forms/contact/widget.js`;
  const box = '<div id="cms-form-contact">Please wait</div>';
  const pages: Record<string, [body: string, head?: string]> = {
    inFront: [box, `<script src="${src}"></script>`],
    deferred: [box, `<script defer src="${src}"></script>`],
    async: [box, `<script async src="${src}"></script>`],
    module: [box, `<script type="module" src="${src}"></script>`],
    crossorigin: [`${box}<script crossorigin src="${src}"></script>`],
    twice: [`${embed('contact')}<script src="${src}"></script>`],
    late: [
      `${box}<script>setTimeout(() => document.body.append(Object.assign(document.createElement('script'), { src: '${src}' })))</script>`,
    ],
  };
  for (const [name, [body, head = '']] of Object.entries(pages)) {
    const { page, complaints } = await browser.open();
    await page.goto(site.show(`/${name}`, body, { head }));
    await page.getByLabel('Your name').waitFor();
    await page.waitForLoadState('networkidle');
    assert.is(await page.locator('form').count(), 1, name);
    assert.is(await page.getByText('Please wait').count(), 0, name);
    assert.equal(complaints, [], name);
    await page.context().close();
  }

  const { page, complaints, warnings } = await browser.open();
  await page.goto(site.show('/missing', `<script src="${src}"></script>`));
  await page.waitForLoadState('networkidle');
  assert.equal(complaints, []);
  assert.equal(warnings, ['cms-form-contact: no element has this id']);

  await page.goto(site.show('/both', embed('contact') + embed('other')));
  await page.locator('#cms-form-contact form').waitFor();
  await page.locator('#cms-form-other form').waitFor();
  assert.equal(await findViolations(page), []);
  await page.locator('#cms-form-contact').getByLabel('Your name').fill('Ada');
  await page.locator('#cms-form-contact').getByLabel('E-mail').fill('ada@example.com');
  await page.locator('#cms-form-contact').getByRole('button').click();
  await page.locator('#cms-form-contact').getByText('Thank you').waitFor();
  assert.ok(await page.locator('#cms-form-other form').isVisible());
});

test('the page shows texts in its own language', async () => {
  await using embedding = await embedForms([CONTACT]);
  await using browser = await openBrowser();
  const { page } = await browser.open();
  const html = embedding.embed('contact').replace('<div', '<div data-submit="Senden" data-required="* Pflichtfeld"');
  await page.goto(embedding.site.show('/', html));
  await page.getByRole('button', { name: 'Senden' }).waitFor();
  await page.getByText('* Pflichtfeld').waitFor();
});

test('a script that names a site shows the form of that site', async () => {
  await using embedding = await embedForms([CONTACT], {
    sites: { other: { collections: [], forms: [{ ...CONTACT, label: 'Other', successMessage: 'Other thanks' }] } },
  });
  const { world, site, embed } = embedding;
  await world.admin.post('/api/admin/site-config?site=other', { previewSiteUrl: site.origin });
  await using browser = await openBrowser();
  const { page } = await browser.open();
  await page.goto(site.show('/', embed('contact', '?site=other')));
  await fillContact(page);
  await page.getByRole('button').click();
  await page.getByText('Other thanks').waitFor();
  const count = async (id: string): Promise<number> =>
    (await world.admin.get(`/api/admin/forms/contact/submissions?site=${id}`)).json.total;
  assert.equal([await count('other'), await count('default')], [1, 0]);
});

test('a small screen needs no sideways scrolling, however long the texts, and dark pages stay dark', async () => {
  const long = 'W'.repeat(200);
  await using embedding = await embedForms([
    {
      name: 'contact',
      label: long,
      fields: [
        { name: 'a', label: long, type: 'text', required: true, placeholder: long },
        { name: 'b', label: long, type: 'select', options: [{ label: long, value: long }] },
        { name: 'c', label: long, type: 'textarea' },
        { name: 'd', label: long, type: 'checkbox' },
        { name: 'e', label: 'Day', type: 'date' },
      ],
    },
  ]);
  await using browser = await openBrowser();
  const { page } = await browser.open({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
  const head = '<style>:root{color-scheme:light dark}body{background:#111;color:#eee}</style>';
  await page.goto(embedding.site.show('/', embedding.embed('contact'), { head }));
  await page.locator('[name=a]').waitFor();
  assert.is(await overflow(page), 0);
  assert.equal(await findViolations(page), []);
  const colour = (selector: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
  for (const selector of ['label', '.cms-form-error', '.cms-form-alert']) {
    assert.is(await colour(selector), 'rgb(238, 238, 238)', selector);
  }
});

test('definitions are shown as they are, however hostile, and shadow nothing', async () => {
  const hostile = `<img src=x onerror="document.title='broken'">'"&lt;`;
  const names = ['submit', 'action', 'style', 'append', 'remove', 'addEventListener', 'elements', 'nodeName', 'ställe'];
  await using embedding = await embedForms([
    {
      name: 'contact',
      label: hostile,
      successMessage: hostile,
      fields: [
        ...names.map((name) => ({ name, label: `${name} ${hostile}`, type: 'text' as const, placeholder: hostile })),
        { name: 'choice', label: 'Choice', type: 'select', options: [{ label: hostile, value: hostile }] },
        { name: 'text', label: 'Text', type: 'textarea', defaultValue: hostile },
        ...Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, label: `Field ${i}`, type: 'text' as const })),
      ],
    },
  ]);
  await using browser = await openBrowser();
  const { page, complaints } = await browser.open();
  await page.goto(embedding.site.show('/', embedding.embed('contact')));
  await page.getByLabel('Field 199').fill('last');
  for (const name of names) await page.locator(`[name=${name}]`).fill(name);
  await page.locator('[name=choice]').selectOption({ label: hostile });
  assert.is(await page.locator('label').first().textContent(), `submit ${hostile}`);
  await page.getByRole('button').click();
  await page.getByRole('status').getByText(hostile).waitFor();
  assert.is(await page.locator('img').count(), 0);
  assert.is(await page.title(), 'Site');
  assert.equal(complaints, []);
  const [{ data }] = await embedding.sent('contact');
  assert.equal(
    data,
    Object.fromEntries([
      ...names.map((name) => [name, name]),
      ['choice', hostile],
      ['text', hostile],
      ['f199', 'last'],
    ]),
  );
});

test.run();
