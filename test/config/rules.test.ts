import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { field, form, pathsOf, posts, problemsOf } from './problems.ts';

test('collection names follow the rule of paths', () => {
  for (const name of ['a', 'blog-posts', '2024', 'a--b'])
    assert.equal(problemsOf({ collections: [{ name, fields: [] }] }), []);
  for (const name of ['', 'Posts', 'a_b', '-a', 'a-', 'a b', '../a', 'ä', '_posts', 'a.b', 'x'.repeat(101)]) {
    const path = /^[\p{L}_][\w-]*$/u.test(name) && name.length < 101 ? `${name}.name` : 'collections.0.name';
    assert.equal(pathsOf({ collections: [{ name, fields: [] }] }), [path], name);
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
    const path = name === 'ai' ? 'collections.ai.name' : `${name}.name`;
    assert.equal(pathsOf({ collections: [{ name, fields: [] }] }), [path], name);
  }
});

test('field names that cannot be keys of data are refused', () => {
  for (const name of ['_fieldMeta', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']) {
    assert.equal(pathsOf(posts({ name, type: 'text' })), [`posts.fields.${name}.name`], name);
    assert.equal(
      pathsOf(posts({ name: 'o', type: 'object', fields: [{ name, type: 'text' }] })),
      [`posts.fields.o.fields.${name}.name`],
      name,
    );
  }
  for (const name of ['', '1a', 'a b', 'a.b', 'a/b', '-a']) {
    assert.equal(pathsOf(posts({ name, type: 'text' })), ['posts.fields.0.name'], name);
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
  assert.equal(pathsOf(posts(...twice)), ['posts.fields.a.name']);
  assert.equal(pathsOf(posts({ name: 'o', type: 'object', fields: twice })), ['posts.fields.o.fields.a.name']);
  assert.equal(pathsOf({ collections: [], blocks: [{ name: 'q', fields: twice }] }), ['blocks.q.fields.a.name']);
  assert.equal(pathsOf(form(...twice)), ['forms.contact.fields.a.name']);
  const named = [
    { name: 'a', fields: [] },
    { name: 'a', fields: [] },
  ];
  assert.equal(pathsOf({ collections: named }), ['a.name']);
  assert.equal(pathsOf({ collections: [], blocks: named }), ['blocks.a.name']);
  const forms = named.map(({ name }) => ({ name, fields: [{ name: 'x', type: 'text' }] }));
  assert.equal(pathsOf({ collections: [], forms }), ['forms.a.name']);
  assert.equal(pathsOf({ collections: [], build: { profiles: [{ name: 'a' }, { name: 'a' }] } }), [
    'build.profiles.a.name',
  ]);
});

test("a block's field cannot be called _block, which holds the block's name", () => {
  const blocks = [{ name: 'q', fields: [{ name: '_block', type: 'text' }] }];
  assert.equal(pathsOf({ collections: [], blocks }), ['blocks.q.fields._block.name']);
});

test('relations, blocks and parents point to what exists', () => {
  assert.equal(pathsOf(posts({ name: 'r', type: 'relation' })), ['posts.fields.r.collection']);
  assert.equal(pathsOf(posts({ name: 'r', type: 'relation', collection: 'no' })), ['posts.fields.r.collection']);
  assert.equal(pathsOf(posts({ name: 'b', type: 'blocks', blocks: ['no'] })), ['posts.fields.b.blocks.0']);
  assert.equal(pathsOf({ collections: [{ name: 'a', fields: [], parentField: 'no' }] }), ['a.parentField']);
  assert.equal(pathsOf({ collections: [], build: { defaultProfile: 'no' } }), ['build.defaultProfile']);
  assert.equal(pathsOf({ collections: [], build: { rss: { collections: ['no'] } } }), ['build.rss.collections.0']);
});

test('a name that nothing has is answered with the nearest that something has', () => {
  const authors = { name: 'authors', fields: [{ name: 'name', type: 'text' }] };
  const site = (fields: unknown[], more: object = {}) => ({
    collections: [authors, { name: 'posts', fields, ...more }],
    blocks: [{ name: 'quote', fields: [] }],
  });
  for (const [value, expected] of [
    [
      site([{ name: 'by', type: 'relation', collection: 'autors' }]),
      'posts.fields.by.collection: there is no collection "autors", did you mean "authors"?',
    ],
    [site([{ name: 'parts', type: 'blocks', blocks: ['qoute'] }]), 'did you mean "quote"?'],
    [
      site([{ name: 'parent', type: 'text' }], { parentField: 'parrent' }),
      'posts.parentField: the collection has no field "parrent", did you mean "parent"?',
    ],
    [{ ...site([]), build: { rss: { collections: ['psots'] } } }, 'did you mean "posts"?'],
    [{ ...site([]), build: { profiles: [{ name: 'live' }], defaultProfile: 'lvie' } }, 'did you mean "live"?'],
  ] as const) {
    assert.match(problemsOf(value).join(), expected);
  }
});

test('a type that other services have is answered with the one that it is here', () => {
  for (const [type, meant] of [
    ['string', 'text'],
    ['markdown', 'richtext'],
    ['datetime', 'date'],
    ['DateTime', 'date'],
    ['rich_text', 'richtext'],
    ['integer', 'number'],
  ]) {
    const [problem] = problemsOf(field({ type }));
    assert.match(problem!, `posts.fields.x.type: `);
    assert.ok(problem!.endsWith(`not "${type}", did you mean "${meant}"?`), problem);
  }
});

test('a limit that the values of a field do not have is refused', () => {
  for (const [more, path, meant] of [
    [{ type: 'number', maxLength: 3 }, 'maxLength', 'max'],
    [{ type: 'number', minLength: 3 }, 'minLength', 'min'],
    [{ type: 'text', max: 3 }, 'max', 'maxLength'],
    [{ type: 'boolean', max: 3 }, 'max', undefined],
    [{ type: 'select', options: ['a'], maxLength: 3 }, 'maxLength', undefined],
  ] as const) {
    const [problem, ...others] = problemsOf(field(more));
    assert.equal(others, []);
    assert.match(problem!, `posts.fields.x.${path}: a ${more.type} field has no ${path}`);
    assert.is(problem!.includes('did you mean'), meant !== undefined);
    if (meant) assert.ok(problem!.endsWith(`did you mean "${meant}"?`), problem);
  }
  const lists = [{ type: 'tags' }, { type: 'select', options: ['a'], multiple: true }, { type: 'array' }];
  for (const list of lists) assert.equal(problemsOf(field({ ...list, min: 1, max: 3, maxLength: 4 })), []);
  assert.equal(problemsOf(field({ type: 'richtext', maxLength: 4 })), []);
});

test('paths begin with a slash, and no two collections have the same', () => {
  const site = (...collections: object[]) => ({
    collections: collections.map((more, index) => ({ name: `c${index}`, fields: [], ...more })),
  });
  assert.equal(problemsOf(site({ urlPrefix: 'journal' })), [
    'c0.urlPrefix: expected a path that begins with "/", such as "/journal", not "journal"',
  ]);
  assert.equal(pathsOf(site({ urlPattern: ':year/:slug' })), ['c0.urlPattern']);
  assert.equal(pathsOf(site({ urlPrefix: 'https://example.com/a' })), ['c0.urlPrefix']);
  const same = site({ urlPrefix: '/journal' }, { urlPrefix: '/journal/' });
  assert.equal(problemsOf(same), ['c1.urlPrefix: documents of "c0" have the address /journal/:slug already']);
  assert.equal(pathsOf(site({ urlPrefix: '/a' }, { urlPrefix: '/b', urlPattern: '/a/:slug' })), ['c1.urlPattern']);
  assert.equal(problemsOf(site({ urlPrefix: '/' }, { urlPrefix: '/a' }, { urlPattern: '/:year/:slug' })), []);
  assert.equal(
    problemsOf(site({ urlPrefix: '/a' }, { urlPrefix: '/a', kind: 'data' })),
    [],
    'only pages have addresses',
  );
});

test('problems name what they are about, unless a name is the problem', () => {
  const config = {
    collections: [
      { name: 'forms', fields: [{ name: 'a', type: 'txet' }] },
      { fields: [{ name: 'title', type: 'txet' }] },
      { name: 'posts', fields: [{ name: 'seo', type: 'object', fields: [{ name: 'title', type: 'txet' }] }] },
    ],
  };
  assert.equal(pathsOf(config), [
    'collections.forms.fields.a.type',
    'collections.1.name',
    'collections.1.fields.title.type',
    'posts.fields.seo.fields.title.type',
  ]);
});

test('a select has options, each once', () => {
  assert.equal(pathsOf(field({ type: 'select' })), ['posts.fields.x.options']);
  assert.equal(pathsOf(field({ type: 'select', options: [] })), ['posts.fields.x.options']);
  assert.equal(pathsOf(field({ type: 'select', options: ['a', 'b', 'a'] })), ['posts.fields.x.options.2']);
  assert.equal(pathsOf(field({ type: 'select', options: ['1', 1] })), []);
  assert.equal(pathsOf(form({ name: 'a', type: 'select' })), ['forms.contact.fields.a.options']);
  assert.equal(pathsOf(form({ name: 'a', type: 'select', options: [] })), ['forms.contact.fields.a.options']);
});

test('a lower limit above the upper one is refused', () => {
  assert.equal(pathsOf(field({ type: 'number', min: 2, max: 1 })), ['posts.fields.x.min']);
  assert.equal(pathsOf(field({ minLength: 2, maxLength: 1 })), ['posts.fields.x.minLength']);
  assert.equal(pathsOf(field({ minLength: -1 })), ['posts.fields.x.minLength']);
  assert.equal(pathsOf(field({ maxLength: 1.5 })), ['posts.fields.x.maxLength']);
  assert.equal(pathsOf(form({ name: 'a', type: 'text', validation: { minLength: 2, maxLength: 1 } })), [
    'forms.contact.fields.a.validation.minLength',
  ]);
});

test('a default value fits its field', () => {
  const refused = (more: object, path = '') =>
    assert.equal(pathsOf(field({ ...more })), [`posts.fields.x.defaultValue${path}`], JSON.stringify(more));
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
    'forms.contact.fields.a.defaultValue',
  ]);
  assert.equal(pathsOf(form({ name: 'a', type: 'checkbox', defaultValue: 'yes' })), [
    'forms.contact.fields.a.defaultValue',
  ]);
  assert.equal(pathsOf(form({ name: 'a', type: 'hidden', defaultValue: 'campaign' })), []);
});

test('locales are well-formed, listed once, and the default one is among them', () => {
  const site = (more: object) => ({ collections: [], ...more });
  assert.equal(pathsOf(site({ locales: ['en', 'not a tag', 'en_GB', 'x'] })), ['locales.1', 'locales.2', 'locales.3']);
  assert.equal(pathsOf(site({ locales: ['en', 'en'] })), ['locales.1']);
  assert.equal(pathsOf(site({ locales: ['en'], defaultLocale: 'de' })), ['defaultLocale']);
  assert.equal(pathsOf(site({ defaultLocale: 'deutsch-sprache!' })), ['locales.0', 'defaultLocale']);
  assert.equal(pathsOf({ collections: [{ name: 'a', fields: [], locales: ['fr'] }], locales: ['en'] }), [
    'a.locales.0',
  ]);
  assert.equal(parseConfig(site({ locales: ['da', 'en'] })).defaultLocale, 'da');
  assert.equal(parseConfig(site({ defaultLocale: 'da' })).locales, ['da']);
});

test('patterns of form fields are regular expressions', () => {
  const pattern = (text: string) => pathsOf(form({ name: 'a', type: 'text', validation: { pattern: text } }));
  for (const bad of ['[', '(', 'a)(b', '*'])
    assert.equal(pattern(bad), ['forms.contact.fields.a.validation.pattern'], bad);
  for (const good of ['[A-Za-z0-9._%+-]+@example\\.com', '\\d{4}', '']) assert.equal(pattern(good), [], good);
});

test('form definitions are checked', () => {
  assert.equal(pathsOf(form()), ['forms.contact.fields']);
  assert.equal(pathsOf(form({ name: '_hp_email', type: 'email' })), ['forms.contact.fields._hp_email.name']);
  const withForm = (more: object) => ({
    collections: [],
    forms: [{ name: 'f', fields: [{ name: 'a', type: 'text' }], ...more }],
  });
  assert.equal(parseConfig(withForm({})).forms[0]!.spam, { honeypot: true, rateLimit: 5 });
  assert.equal(parseConfig(withForm({ spam: { rateLimit: 9 } })).forms[0]!.spam, { honeypot: true, rateLimit: 9 });
  assert.equal(pathsOf(withForm({ spam: { rateLimit: 0 } })), ['forms.f.spam.rateLimit']);
  assert.equal(pathsOf(withForm({ notifications: { email: ['nobody'] } })), ['forms.f.notifications.email.0']);
  assert.equal(pathsOf(withForm({ notifications: { webhook: 'ftp://a.example' } })), ['forms.f.notifications.webhook']);
  for (const bad of ['javascript:alert(1)', '//evil.example', 'thanks', '/\\evil.example']) {
    assert.equal(pathsOf(withForm({ successRedirect: bad })), ['forms.f.successRedirect'], bad);
  }
  for (const good of ['/', '/thanks', 'https://example.com/thanks']) {
    assert.equal(problemsOf(withForm({ successRedirect: good })), [], good);
  }
});

test('the build stays in its checkout and within its time limit', () => {
  const build = (more: object) => ({ collections: [], build: more });
  for (const outDir of ['/etc', '../x', 'a/../../b', 'C:\\x', '\\\\host'])
    assert.equal(pathsOf(build({ outDir })), ['build.outDir']);
  assert.equal(pathsOf(build({ profiles: [{ name: 'a', outDir: '..' }] })), ['build.profiles.a.outDir']);
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
