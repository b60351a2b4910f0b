import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { FIELD_TYPES } from '../../src/config/site-config.ts';
import { field, form, pathsOf, posts, problemsOf } from './problems.ts';

test('the smallest configuration gets its defaults', () => {
  assert.equal(parseConfig({ collections: [] }), {
    collections: [],
    blocks: [],
    locales: [],
    forms: [],
    api: { publicRead: false },
  });
});

test('a configuration with every key is accepted unchanged', () => {
  const config = {
    collections: [
      {
        name: 'posts',
        label: 'Posts',
        slug: 'post',
        urlPrefix: '/posts',
        urlPattern: '/posts/:slug',
        parentField: 'parent',
        kind: 'page',
        description: 'What happened',
        translatable: true,
        locales: ['en'],
        access: { read: 'public' },
        sharded: true,
        ui: {
          icon: 'pen',
          singular: 'Post',
          titleField: 'title',
          columns: ['title', 'updatedAt'],
          sort: { orderBy: 'size', order: 'asc' },
          group: 'Journal',
        },
        fields: [
          {
            name: 'title',
            type: 'text',
            label: 'Title',
            required: true,
            defaultValue: 'Untitled',
            minLength: 1,
            maxLength: 80,
            ai: { hint: 'short', maxLength: 60, tone: 'dry' },
            aiLock: { autoLockOnEdit: false, lockable: true, requireApproval: true },
          },
          {
            name: 'code',
            type: 'text',
            unique: true,
            pattern: { value: '^[A-Z]+$', message: 'capitals only' },
            ui: {
              help: 'From the label',
              placeholder: 'ABC',
              width: 'half',
              tab: 'Shop',
              showIf: { field: 'kind', in: ['a', 2] },
              readOnly: false,
              hidden: false,
            },
          },
          { name: 'parent', type: 'relation', collection: 'posts', multiple: false },
          { name: 'size', type: 'number', min: 0, max: 10, defaultValue: 3 },
          { name: 'kind', type: 'select', options: ['a', { label: 'Two', value: 2 }], defaultValue: 2 },
          { name: 'body', type: 'blocks', blocks: ['quote'], max: 9 },
          { name: 'rows', type: 'array', fields: [{ name: 'cells', type: 'array' }] },
        ],
      },
    ],
    blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'text', type: 'textarea' }] }],
    defaultLocale: 'en',
    locales: ['en', 'pt-BR', 'zh-Hant-TW'],
    forms: [
      {
        name: 'contact',
        label: 'Contact',
        successMessage: 'Thank you',
        successRedirect: '/thanks',
        notifications: { email: ['a@example.com'], webhook: 'https://hooks.example/x' },
        spam: { honeypot: false, rateLimit: 2, turnstile: { siteKey: 'k', secretEnv: 'TURNSTILE_SECRET' } },
        fields: [
          {
            name: 'topic',
            label: 'Topic',
            type: 'select',
            required: true,
            placeholder: 'Pick one',
            defaultValue: 'a',
            options: [{ label: 'A', value: 'a' }],
            validation: { pattern: '[a-z]+', minLength: 1, maxLength: 3 },
          },
        ],
      },
    ],
    build: {
      command: 'npm run build',
      outDir: 'dist',
      docker: { image: 'node:24', workdir: '/app' },
      profiles: [{ name: 'site', command: 'make', outDir: 'out', description: 'The site', drafts: true }],
      defaultProfile: 'site',
      baseUrl: 'https://example.com',
      siteName: 'Example',
      rss: { title: 'News', collections: ['posts'], limit: 20 },
      robots: 'User-agent: *',
      theme: 'themes/plain',
      dockerNetwork: 'bridge',
      search: false,
      redirects: false,
      env: { NODE_ENV: 'production' },
      timeout: 900,
    },
    api: { publicRead: true },
    ai: {
      provider: 'openai-compatible',
      model: 'm',
      baseURL: 'http://localhost:9/v1',
      price: { inputPerMillion: 1, outputPerMillion: 2.5 },
      timeout: 60,
      maxOutputTokens: 8192,
      structured: true,
    },
    remote: { url: 'https://git.example/a.git', branch: 'trunk', tokenEnv: 'GIT_TOKEN', push: false, lfs: false },
  };
  assert.equal(problemsOf(config), []);
  assert.equal(parseConfig(config), config);
});

test('a field of every type is known', () => {
  const more: Record<string, object> = { select: { options: ['a'] }, relation: { collection: 'posts' } };
  assert.equal(
    problemsOf(posts(...FIELD_TYPES.map((type, index) => ({ name: `f${index}`, type, ...more[type] })))),
    [],
  );
});

test('the result is frozen to its leaves, and the input is not', () => {
  const input = field({ defaultValue: 'x', ai: { hint: 'h' } });
  const config = parseConfig(input);
  assert.throws(() => {
    (config.collections[0]!.fields[0]!.ai as { hint: string }).hint = 'other';
  }, TypeError);
  assert.throws(() => {
    (config.collections as unknown[]).push({});
  }, TypeError);
  assert.not(Object.isFrozen(input));
  assert.not(Object.isFrozen(input.collections[0]!.fields));
});

test('a misspelt key is named with its path and the nearest known key, at every level', () => {
  const unknown = (value: unknown, path: string, key: string) => {
    const found = problemsOf(value);
    assert.ok(
      found.some((problem) => problem.startsWith(`${path}: `) && problem.includes(`did you mean "${key}"?`)),
      `${path} in ${found.join(' | ')}`,
    );
  };
  unknown({ collections: [], colections: [] }, 'colections', 'collections');
  unknown({ collections: [{ name: 'a', fields: [], lable: 'A' }] }, 'a.lable', 'label');
  unknown({ collections: [{ name: 'a', fields: [], access: { raed: 'public' } }] }, 'a.access.raed', 'read');
  unknown(field({ requierd: true }), 'posts.fields.x.requierd', 'required');
  unknown(field({ ai: { hnit: 'x' } }), 'posts.fields.x.ai.hnit', 'hint');
  unknown(field({ aiLock: { lockabel: true } }), 'posts.fields.x.aiLock.lockabel', 'lockable');
  unknown(
    posts({ name: 'a', type: 'array', fields: [{ name: 'b', type: 'object', fields: [{ name: 'c', tpye: 'text' }] }] }),
    'posts.fields.a.fields.b.fields.c.tpye',
    'type',
  );
  unknown(field({ type: 'select', options: [{ label: 'A', valeu: 'a' }] }), 'posts.fields.x.options.0.valeu', 'value');
  unknown({ collections: [], blocks: [{ name: 'a', fields: [], LABEL: 'A' }] }, 'blocks.a.LABEL', 'label');
  unknown(form({ name: 'a', type: 'text', valdation: {} }), 'forms.contact.fields.a.valdation', 'validation');
  unknown(
    form({ name: 'a', type: 'text', validation: { patern: 'a' } }),
    'forms.contact.fields.a.validation.patern',
    'pattern',
  );
  const withForm = (more: object) => ({
    collections: [],
    forms: [{ name: 'f', fields: [{ name: 'a', type: 'text' }], ...more }],
  });
  unknown(withForm({ spam: { honeypott: true } }), 'forms.f.spam.honeypott', 'honeypot');
  unknown(withForm({ notifications: { emails: [] } }), 'forms.f.notifications.emails', 'email');
  unknown({ collections: [], build: { comand: 'x' } }, 'build.comand', 'command');
  unknown({ collections: [], build: { docker: { image: 'a', wrokdir: 'b' } } }, 'build.docker.wrokdir', 'workdir');
  unknown({ collections: [], build: { profiles: [{ name: 'a', outdir: 'b' }] } }, 'build.profiles.a.outdir', 'outDir');
  unknown({ collections: [], api: { publicread: true } }, 'api.publicread', 'publicRead');
  unknown({ collections: [], ai: { baseUrl: 'https://a.example' } }, 'ai.baseUrl', 'baseURL');
  unknown({ collections: [], remote: { url: 'https://a.example', brnach: 'x' } }, 'remote.brnach', 'branch');
});

test('every problem is reported at once, those of the shape and those between the parts', () => {
  const paths = pathsOf({
    collections: [
      { name: 'posts', fields: [{ name: 'a', type: 'text', lable: 'A' }], kind: 'novel' },
      { name: 'posts', fields: [{ name: 'r', type: 'relation', collection: 'authors' }] },
    ],
    defaultLocale: 'sv',
    locales: ['en'],
    extra: 1,
  });
  for (const path of [
    'posts.fields.a.lable',
    'posts.kind',
    'posts.name',
    'posts.fields.r.collection',
    'defaultLocale',
    'extra',
  ]) {
    assert.ok(paths.includes(path), `${path} in ${paths}`);
  }
});

test('the message lists each problem with its path', () => {
  try {
    parseConfig({ collections: [], colour: 1, size: 2 }, 'a.ts');
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /a\.ts\n {2}colour: .*\n {2}size: /);
  }
});

test('a misspelt type or kind is answered with the nearest one', () => {
  assert.match(problemsOf(field({ type: 'ritchtext' })).join(), /did you mean "richtext"/);
  assert.match(problemsOf({ collections: [{ name: 'a', fields: [], kind: 'pgae' }] }).join(), /did you mean "page"/);
  assert.match(problemsOf(form({ name: 'a', type: 'emial' })).join(), /did you mean "email"/);
});

test('a value that is not a configuration at all is refused with one sentence', () => {
  for (const value of [undefined, null, 1, 'x', [], () => ({}), new Map(), Symbol('x'), 1n, new Date()]) {
    assert.ok(problemsOf(value).length > 0, String(value));
  }
  assert.equal(pathsOf({}), ['collections']);
});

test('values that are not data are refused with their place', () => {
  assert.equal(pathsOf(field({ defaultValue: new Date() })), ['posts.fields.x.defaultValue']);
  assert.equal(pathsOf(field({ defaultValue: Number.NaN })), ['posts.fields.x.defaultValue']);
  assert.equal(pathsOf({ collections: [], build: { command: () => 'x' } }), ['build.command']);
  const cycle: { collections: unknown[] } = { collections: [] };
  cycle.collections.push(cycle);
  assert.ok(problemsOf(cycle).length > 0);
});

test('keys that reach for the prototype are refused', () => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const value = JSON.parse(`{"collections": [], "build": {"env": {"${key}": "x"}}}`);
    assert.equal(pathsOf(value), [`build.env.${key}`]);
  }
  assert.is(({} as Record<string, unknown>).x, undefined);
});

test('a message has the refused value, short and on one line, and never a secret', () => {
  const collection = (more: object) => problemsOf({ collections: [{ name: 'a', fields: [], ...more }] }).join();
  assert.match(collection({ name: '_private' }), /^_private\.name: .*, not "_private"$/);
  assert.match(collection({ kind: 'pgae' }), /not "pgae", did you mean "page"\?$/);
  assert.match(collection({ label: 7 }), /not 7$/);
  assert.ok(collection({ name: `${'x'.repeat(500)}\n!` }).length < 400);
  const remote = (more: object) =>
    problemsOf({ collections: [], remote: { url: 'https://git.example', ...more } }).join();
  assert.match(remote({ tokenEnv: 'ghp-9f8e7d' }), /^remote\.tokenEnv: /);
  assert.not.match(remote({ tokenEnv: 'ghp-9f8e7d' }), /9f8e7d/);
  assert.not.match(remote({ url: 'ftp://me:hunter2@git.example' }), /hunter2/);
  assert.match(remote({ url: 'ftp://me:hunter2@git.example' }), /git\.example/);
});

test('a word that is far from every known one gets the known ones instead of a guess', () => {
  const far = problemsOf({ collections: [], telephone: 1 }).join();
  assert.not.match(far, /did you mean/);
  assert.match(far, /known here: collections, /);
  assert.not.match(problemsOf(field({ type: 'xyzzy' })).join(), /did you mean/);
  assert.match(problemsOf({ colections: [] }).join(), /did you mean "collections"\?/);
});

test.run();
