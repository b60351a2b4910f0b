// Pages as text: their content, and what cannot get into them. test/browser/ tests how they look and work.
import { parseDocument } from 'htmlparser2';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type FormConfig, type FormConfigInput, FormSchema } from '../../src/config/form-config.ts';
import { type FormPage, renderFormPage, renderRefusalPage, renderSentPage, toBackLink } from '../../src/forms/pages.ts';

const HOSTILE = `<img src=x onerror=alert(1)>"'&</textarea></title></style><script>`;

function makeForm(form: Partial<FormConfigInput> = {}): FormConfig {
  return FormSchema.parse({ name: 'contact', fields: [{ name: 'email', type: 'email' }], ...form });
}

interface Element {
  name: string;
  attribs: Record<string, string>;
  text: string;
}

interface Node {
  type: string;
  name?: string;
  attribs?: Record<string, string>;
  data?: string;
  children?: Node[];
}

/** Every element of the page, as a parser sees it. */
function elementsOf({ html }: FormPage): Element[] {
  const textOf = (node: Node): string => node.data ?? (node.children ?? []).map(textOf).join('');
  const collect = (node: Node): Element[] => {
    const own = node.attribs ? [{ name: node.name ?? '', attribs: node.attribs, text: textOf(node) }] : [];
    return [...own, ...(node.children ?? []).flatMap(collect)];
  };
  return collect(parseDocument(html) as unknown as Node);
}

const find = (page: FormPage, name: string): Element[] => elementsOf(page).filter((element) => element.name === name);
const policyOf = ({ headers }: FormPage): string => headers['Content-Security-Policy'] ?? '';

test('every field type becomes the matching input', () => {
  const types = ['text', 'email', 'number', 'phone', 'url', 'date', 'checkbox', 'hidden'] as const;
  const page = renderFormPage(makeForm({ fields: types.map((type) => ({ name: `a-${type}`, type })) }));
  assert.equal(
    find(page, 'input')
      .filter(({ attribs }) => attribs.name?.startsWith('a-'))
      .map(({ attribs }) => attribs.type),
    ['text', 'email', 'number', 'tel', 'url', 'date', 'checkbox', 'hidden'],
  );
  const more = renderFormPage(
    makeForm({
      fields: [
        { name: 'message', type: 'textarea', defaultValue: '\nsecond line' },
        { name: 'topic', type: 'select', options: [{ label: 'A & B', value: 'a"b' }] },
      ],
    }),
  );
  assert.is(find(more, 'textarea')[0]!.attribs.rows, '4');
  // The parser drops the first line break.
  assert.is(find(more, 'textarea')[0]!.text, '\n\nsecond line');
  assert.equal(
    find(more, 'option').map(({ attribs, text }) => [attribs.value, text]),
    [
      ['', ''],
      ['a"b', 'A & B'],
    ],
  );
});

test('the inputs have the constraints of the definition', () => {
  const validation = { pattern: '[A-Z]"+', minLength: 2, maxLength: 5 };
  const page = renderFormPage(
    makeForm({ fields: [{ name: 'code', type: 'text', required: true, placeholder: 'ABC', validation }] }),
  );
  const { type, name, placeholder, required, minlength, maxlength, pattern } = find(page, 'input')[0]!.attribs;
  assert.equal(
    { type, name, placeholder, required, minlength, maxlength, pattern },
    {
      type: 'text',
      name: 'code',
      placeholder: 'ABC',
      required: '',
      minlength: '2',
      maxlength: '5',
      pattern: '[A-Z]"+',
    },
  );
  assert.is(find(page, 'label')[0]!.text, 'code *');
});

test('the form is sent to its own address, or to the one that a built page names', () => {
  assert.is(find(renderFormPage(makeForm()), 'form')[0]!.attribs.action, undefined);
  const action = 'https://cms.example/api/forms/contact?site=a&b';
  const built = renderFormPage(makeForm(), { action });
  assert.equal(find(built, 'form')[0]!.attribs, { method: 'post', action });
  assert.match(policyOf(built), /form-action 'self' https:\/\/cms\.example;/);
});

test('a redirect after the form is allowed by the policy of its page', () => {
  const page = renderFormPage(makeForm({ successRedirect: 'https://site.example/thanks' }));
  assert.match(policyOf(page), /form-action 'self' https:\/\/site\.example;/);
  assert.match(policyOf(renderFormPage(makeForm({ successRedirect: '/thanks' }))), /form-action 'self';/);
});

test('the honeypot is out of sight and out of reach, and absent if the definition has none', () => {
  const trap = find(renderFormPage(makeForm()), 'input').find(({ attribs }) => attribs.name === '_hp_email');
  assert.equal(trap?.attribs, { name: '_hp_email', tabindex: '-1', autocomplete: 'off' });
  assert.not.match(renderFormPage(makeForm({ spam: { honeypot: false } })).html, /_hp_email/);
});

test('a refused form comes back with what was typed and with its problems', () => {
  const form = makeForm({
    fields: [
      { name: 'email', label: 'E-mail', type: 'email', required: true },
      {
        name: 'topic',
        type: 'select',
        options: ['a', 'b'].map((value) => ({ label: value, value })),
        defaultValue: 'a',
      },
      { name: 'terms', type: 'checkbox' },
      { name: 'text', type: 'textarea' },
    ],
  });
  const page = renderFormPage(form, {
    values: { email: 'ada@', topic: 'b', terms: 'on', text: 'Hello' },
    refused: {
      error: 'email: must be an e-mail address',
      details: [
        { path: 'email', message: 'must be an e-mail address' },
        { path: 'other', message: 'is not known' },
      ],
    },
  });
  const email = find(page, 'input')[0]!.attribs;
  assert.is(email.value, 'ada@');
  assert.is(email['aria-invalid'], 'true');
  const note = elementsOf(page).find(({ attribs }) => attribs.id === email['aria-describedby']);
  assert.is(note?.text, 'must be an e-mail address');
  assert.equal(
    find(page, 'option')
      .filter(({ attribs }) => 'selected' in attribs)
      .map(({ text }) => text),
    ['b'],
  );
  assert.ok('checked' in find(page, 'input').find(({ attribs }) => attribs.name === 'terms')!.attribs);
  assert.is(find(page, 'textarea')[0]!.text, '\nHello');
  assert.equal(
    find(page, 'li').map(({ text }) => text),
    ['E-mail: must be an e-mail address', 'other: is not known'],
  );
  assert.is(find(page, 'a')[0]!.attribs.href, `#${email.id}`);
  assert.is(find(page, 'title')[0]!.text, 'Not sent: contact');
});

test('nothing from a definition or a visitor becomes markup', () => {
  const form = makeForm({
    label: HOSTILE,
    fields: [
      { name: 'a', label: HOSTILE, type: 'text', placeholder: HOSTILE, defaultValue: HOSTILE },
      { name: 'b', label: HOSTILE, type: 'textarea' },
      { name: 'c', label: HOSTILE, type: 'select', options: [{ label: HOSTILE, value: HOSTILE }] },
      { name: 'd', type: 'hidden', defaultValue: HOSTILE },
    ],
  });
  const pages = [
    renderFormPage(form, {
      action: `https://cms.example/?${HOSTILE}`,
      values: { a: HOSTILE, b: HOSTILE, c: HOSTILE },
      refused: {
        error: HOSTILE,
        details: [
          { path: 'a', message: HOSTILE },
          { path: HOSTILE, message: HOSTILE },
        ],
      },
      lang: `en"><script>`,
      turnstileKey: HOSTILE,
    }),
    renderSentPage(form, { message: HOSTILE, back: `https://site.example/"><script>` }),
    renderRefusalPage({ error: HOSTILE }),
  ];
  for (const page of pages) {
    assert.equal(find(page, 'img'), [], 'no element from a value');
    assert.ok(
      find(page, 'script').every(({ attribs }) => attribs.src?.startsWith('https://challenges.cloudflare.com/')),
    );
    assert.is(find(page, 'style').length, 1);
    assert.ok(elementsOf(page).every(({ attribs }) => Object.keys(attribs).every((name) => !name.startsWith('on'))));
  }
  assert.is(find(pages[0]!, 'textarea')[0]!.text, `\n${HOSTILE}`);
  assert.is(find(pages[0]!, 'input')[0]!.attribs.value, HOSTILE);
});

test('values that are not text are not shown again', () => {
  const page = renderFormPage(makeForm(), { values: { email: { toString: () => 'x' } } });
  assert.is(find(page, 'input')[0]!.attribs.value, undefined);
});

test('a page runs no script and cannot be framed', () => {
  for (const page of [renderFormPage(makeForm()), renderSentPage(makeForm(), { message: 'Thanks' })]) {
    const policy = policyOf(page);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action /);
    assert.match(policy, /frame-ancestors 'none'$/);
    assert.not.match(policy, /script-src|unsafe/);
  }
  const page = renderFormPage(makeForm(), { turnstileKey: 'key' });
  assert.match(page.html, /<noscript><p>This form is checked for robots, which needs JavaScript\.<\/p><\/noscript>/);
  assert.match(policyOf(page), /script-src https:\/\/challenges\.cloudflare\.com; frame-src https:\/\/challenges/);
  assert.not.match(renderFormPage(makeForm(), { turnstileKey: '' }).html, /challenges|turnstile/);
});

test('the link back leads to where the visitor came from, and only to allowed origins', () => {
  const isFriend = (origin: string): boolean => origin === 'https://site.example';
  assert.is(toBackLink('https://site.example/contact?email=ada#form', isFriend), 'https://site.example/contact');
  for (const referer of [
    '',
    'contact',
    '//site.example/',
    'https://evil.example/',
    'http://site.example/',
    'https://site.example.evil.example/',
    'https://ada@site.example/',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    assert.is(toBackLink(referer, isFriend), undefined, referer);
  }
  assert.is(
    toBackLink('javascript:alert(1)', () => true),
    undefined,
  );
});

test.run();
