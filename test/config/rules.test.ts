import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { field, form, pathsOf, posts, problemsOf } from './problems.ts';

test('collection names follow the rule of paths', () => {
  for (const name of ['a', 'blog-posts', '2024', 'a--b'])
    assert.equal(problemsOf({ collections: [{ name, fields: [] }] }), []);
  for (const name of ['', 'Posts', 'a_b', '-a', 'a-', 'a b', '../a', 'ä', '_posts', 'a.b', 'x'.repeat(101)]) {
    assert.equal(pathsOf({ collections: [{ name, fields: [] }] }), ['collections.0.name'], name);
  }
});

test('reserved collection names are refused', () => {
  for (const name of [
    'agents',
    'curation',
    'heartbeat',
    'scheduled',
    'brand-voice',
    'chat',
    'ai',
    'changes',
    'media',
  ]) {
    assert.equal(pathsOf({ collections: [{ name, fields: [] }] }), ['collections.0.name'], name);
  }
});

test('field names that cannot be keys of data are refused', () => {
  for (const name of ['_fieldMeta', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']) {
    assert.equal(pathsOf(posts({ name, type: 'text' })), ['collections.0.fields.0.name'], name);
    assert.equal(
      pathsOf(posts({ name: 'o', type: 'object', fields: [{ name, type: 'text' }] })),
      ['collections.0.fields.0.fields.0.name'],
      name,
    );
  }
  for (const name of ['', '1a', 'a b', 'a.b', 'a/b', '-a']) {
    assert.equal(pathsOf(posts({ name, type: 'text' })), ['collections.0.fields.0.name'], name);
  }
  for (const name of ['title', 'coverImage', 'cover-image', 'cover_image', '_seo', 'überschrift', '見出し']) {
    assert.equal(problemsOf(posts({ name, type: 'text' })), [], name);
  }
});

test('a name used twice is refused in every list', () => {
  const twice = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
    { name: 'a', type: 'number' },
  ];
  assert.equal(pathsOf(posts(...twice)), ['collections.0.fields.2.name']);
  assert.equal(pathsOf(posts({ name: 'o', type: 'object', fields: twice })), ['collections.0.fields.0.fields.2.name']);
  assert.equal(pathsOf({ collections: [], blocks: [{ name: 'q', fields: twice }] }), ['blocks.0.fields.2.name']);
  assert.equal(pathsOf(form(...twice)), ['forms.0.fields.2.name']);
  const named = [
    { name: 'a', fields: [] },
    { name: 'a', fields: [] },
  ];
  assert.equal(pathsOf({ collections: named }), ['collections.1.name']);
  assert.equal(pathsOf({ collections: [], blocks: named }), ['blocks.1.name']);
  const forms = named.map(({ name }) => ({ name, fields: [{ name: 'x', type: 'text' }] }));
  assert.equal(pathsOf({ collections: [], forms }), ['forms.1.name']);
  assert.equal(pathsOf({ collections: [], build: { profiles: [{ name: 'a' }, { name: 'a' }] } }), [
    'build.profiles.1.name',
  ]);
});

test("a block's field cannot be called _block, which holds the block's name", () => {
  const blocks = [{ name: 'q', fields: [{ name: '_block', type: 'text' }] }];
  assert.equal(pathsOf({ collections: [], blocks }), ['blocks.0.fields.0.name']);
});

test('relations, blocks and parents point to what exists', () => {
  assert.equal(pathsOf(posts({ name: 'r', type: 'relation' })), ['collections.0.fields.0.collection']);
  assert.equal(pathsOf(posts({ name: 'r', type: 'relation', collection: 'no' })), [
    'collections.0.fields.0.collection',
  ]);
  assert.equal(pathsOf(posts({ name: 'b', type: 'blocks', blocks: ['no'] })), ['collections.0.fields.0.blocks.0']);
  assert.equal(pathsOf({ collections: [{ name: 'a', fields: [], parentField: 'no' }] }), ['collections.0.parentField']);
  assert.equal(pathsOf({ collections: [], build: { defaultProfile: 'no' } }), ['build.defaultProfile']);
  assert.equal(pathsOf({ collections: [], build: { rss: { collections: ['no'] } } }), ['build.rss.collections.0']);
});

test('a select has options, each once', () => {
  assert.equal(pathsOf(field({ type: 'select' })), ['collections.0.fields.0.options']);
  assert.equal(pathsOf(field({ type: 'select', options: [] })), ['collections.0.fields.0.options']);
  assert.equal(pathsOf(field({ type: 'select', options: ['a', 'b', 'a'] })), ['collections.0.fields.0.options.2']);
  assert.equal(pathsOf(field({ type: 'select', options: ['1', 1] })), []);
  assert.equal(pathsOf(form({ name: 'a', type: 'select' })), ['forms.0.fields.0.options']);
  assert.equal(pathsOf(form({ name: 'a', type: 'select', options: [] })), ['forms.0.fields.0.options']);
});

test('a lower limit above the upper one is refused', () => {
  assert.equal(pathsOf(field({ type: 'number', min: 2, max: 1 })), ['collections.0.fields.0.min']);
  assert.equal(pathsOf(field({ minLength: 2, maxLength: 1 })), ['collections.0.fields.0.minLength']);
  assert.equal(pathsOf(field({ minLength: -1 })), ['collections.0.fields.0.minLength']);
  assert.equal(pathsOf(field({ maxLength: 1.5 })), ['collections.0.fields.0.maxLength']);
  assert.equal(pathsOf(form({ name: 'a', type: 'text', validation: { minLength: 2, maxLength: 1 } })), [
    'forms.0.fields.0.validation.minLength',
  ]);
});

test('a default value fits its field', () => {
  const refused = (more: object, path = '') =>
    assert.equal(pathsOf(field({ ...more })), [`collections.0.fields.0.defaultValue${path}`], JSON.stringify(more));
  const accepted = (more: object) => assert.equal(problemsOf(field({ ...more })), []);
  refused({ defaultValue: 1 });
  refused({ defaultValue: 'abc', maxLength: 2 });
  refused({ type: 'number', defaultValue: '1' });
  refused({ type: 'number', defaultValue: 1, min: 2 });
  refused({ type: 'boolean', defaultValue: 'true' });
  refused({ type: 'date', defaultValue: '2025-02-30' });
  refused({ type: 'image', defaultValue: 'javascript:alert(1)' });
  refused({ type: 'tags', defaultValue: 'a' });
  refused({ type: 'tags', defaultValue: ['a', 1] }, '.1');
  refused({ type: 'select', options: ['a'], defaultValue: 'b' });
  refused({ type: 'object', fields: [{ name: 'n', type: 'number' }], defaultValue: { n: 'x' } }, '.n');
  accepted({ type: 'select', options: ['a'], multiple: true, defaultValue: ['a'] });
  accepted({ type: 'boolean', defaultValue: false });
  accepted({ type: 'number', defaultValue: 0 });
  accepted({ defaultValue: null });
  assert.equal(pathsOf(form({ name: 'a', type: 'select', options: [{ label: 'A', value: 'a' }], defaultValue: 'b' })), [
    'forms.0.fields.0.defaultValue',
  ]);
  assert.equal(pathsOf(form({ name: 'a', type: 'checkbox', defaultValue: 'yes' })), ['forms.0.fields.0.defaultValue']);
  assert.equal(pathsOf(form({ name: 'a', type: 'hidden', defaultValue: 'campaign' })), []);
});

test('locales are well-formed, listed once, and the default one is among them', () => {
  const site = (more: object) => ({ collections: [], ...more });
  assert.equal(pathsOf(site({ locales: ['en', 'not a tag', 'en_GB', 'x'] })), ['locales.1', 'locales.2', 'locales.3']);
  assert.equal(pathsOf(site({ locales: ['en', 'en'] })), ['locales.1']);
  assert.equal(pathsOf(site({ locales: ['en'], defaultLocale: 'de' })), ['defaultLocale']);
  assert.equal(pathsOf(site({ defaultLocale: 'deutsch-sprache!' })), ['locales.0', 'defaultLocale']);
  assert.equal(pathsOf({ collections: [{ name: 'a', fields: [], locales: ['fr'] }], locales: ['en'] }), [
    'collections.0.locales.0',
  ]);
  assert.equal(parseConfig(site({ locales: ['da', 'en'] })).defaultLocale, 'da');
  assert.equal(parseConfig(site({ defaultLocale: 'da' })).locales, ['da']);
});

test('patterns of form fields are regular expressions', () => {
  const pattern = (text: string) => pathsOf(form({ name: 'a', type: 'text', validation: { pattern: text } }));
  for (const bad of ['[', '(', 'a)(b', '*']) assert.equal(pattern(bad), ['forms.0.fields.0.validation.pattern'], bad);
  for (const good of ['[A-Za-z0-9._%+-]+@example\\.com', '\\d{4}', '']) assert.equal(pattern(good), [], good);
});

test('form definitions are checked', () => {
  assert.equal(pathsOf(form()), ['forms.0.fields']);
  assert.equal(pathsOf(form({ name: '_hp_email', type: 'email' })), ['forms.0.fields.0.name']);
  const withForm = (more: object) => ({
    collections: [],
    forms: [{ name: 'f', fields: [{ name: 'a', type: 'text' }], ...more }],
  });
  assert.equal(parseConfig(withForm({})).forms[0]!.spam, { honeypot: true, rateLimit: 5 });
  assert.equal(parseConfig(withForm({ spam: { rateLimit: 9 } })).forms[0]!.spam, { honeypot: true, rateLimit: 9 });
  assert.equal(pathsOf(withForm({ spam: { rateLimit: 0 } })), ['forms.0.spam.rateLimit']);
  assert.equal(pathsOf(withForm({ notifications: { email: ['nobody'] } })), ['forms.0.notifications.email.0']);
  assert.equal(pathsOf(withForm({ notifications: { webhook: 'ftp://a.example' } })), ['forms.0.notifications.webhook']);
  for (const bad of ['javascript:alert(1)', '//evil.example', 'thanks', '/\\evil.example']) {
    assert.equal(pathsOf(withForm({ successRedirect: bad })), ['forms.0.successRedirect'], bad);
  }
  for (const good of ['/', '/thanks', 'https://example.com/thanks']) {
    assert.equal(problemsOf(withForm({ successRedirect: good })), [], good);
  }
});

test('the build stays in its checkout and within its time limit', () => {
  const build = (more: object) => ({ collections: [], build: more });
  for (const outDir of ['/etc', '../x', 'a/../../b', 'C:\\x', '\\\\host'])
    assert.equal(pathsOf(build({ outDir })), ['build.outDir']);
  assert.equal(pathsOf(build({ profiles: [{ name: 'a', outDir: '..' }] })), ['build.profiles.0.outDir']);
  assert.equal(pathsOf(build({ timeout: 901 })), ['build.timeout']);
  assert.equal(pathsOf(build({ timeout: 0 })), ['build.timeout']);
  assert.equal(parseConfig(build({})).build?.timeout, 300);
  assert.match(problemsOf(build({ docker: 'pyton' })).join(), /^build\.docker: /);
  assert.equal(parseConfig(build({ docker: 'hugo' })).build?.docker, 'hugo');
});

test('addresses with a password are refused, since the configuration is public', () => {
  assert.equal(pathsOf({ collections: [], remote: { url: 'https://me:secret@git.example/a.git' } }), ['remote.url']);
  assert.equal(pathsOf({ collections: [], ai: { baseURL: 'https://key@ai.example' } }), ['ai.baseURL']);
  // OPENAI_BASE_URL may give its address.
  assert.equal(pathsOf({ collections: [], ai: { provider: 'openai-compatible' } }), []);
});

test('a remote is https, or on this machine, and its branch is one that git accepts', () => {
  const at = (url: string, branch = 'main') => pathsOf({ collections: [], remote: { url, branch } });
  for (const url of [
    'https://git.example/a.git',
    'http://localhost:3000/a.git',
    'http://127.0.0.1/a',
    'http://[::1]:1/a',
  ]) {
    assert.equal(at(url), [], url);
  }
  for (const url of ['http://git.example/a.git', 'http://localhost.example/a.git', 'http://127.0.0.1.example/a.git']) {
    assert.equal(at(url), ['remote.url'], url);
  }
  for (const branch of ['live', 'sites/main', 'x.y']) assert.equal(at('https://git.example/a.git', branch), []);
  for (const branch of ['a b', '../main', '-x', 'a..b', 'a.lock', 'a/.b', 'a/', 'a\n', '@', 'x'.repeat(201)]) {
    assert.equal(at('https://git.example/a.git', branch), ['remote.branch'], branch);
  }
});

test.run();
