import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import type { Call, Route } from '../../src/http/route.ts';
import type { ServiceError } from '../../src/lib/errors.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { type SchemaSite, schemaRoutes } from '../../src/schema/routes.ts';

function makeSite(more: object = {}): SchemaSite {
  const config = parseConfig({
    collections: [
      { name: 'posts', label: 'Journal', slug: 'journal', fields: [{ name: 'title', type: 'text', required: true }] },
      { name: 'people', fields: [] },
    ],
    blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'text', type: 'text' }] }],
    ...more,
  });
  return { config, schema: compileSite(config) };
}

const find = (path: string) => schemaRoutes().find((one) => one.path === path) as Route<SchemaSite>;

/** The route's answer as a client gets it; its declared schema must describe it. */
// biome-ignore lint/suspicious/noExplicitAny: the answer is JSON that each test reads its own way
async function ask(path: string, site: SchemaSite, params: Record<string, string> = {}): Promise<any> {
  const one = find(path);
  const call = { site, params } as unknown as Call<SchemaSite, unknown, unknown>;
  const { body, status = 200 } = await one.handle(call);
  assert.is(status, 200);
  const json = JSON.parse(JSON.stringify(body));
  assert.equal(one.answers[200]!.schema!.parse(json), json);
  return json;
}

test('GET /api/schema lists collections and blocks with their JSON Schemas', async () => {
  const { collections, blocks } = await ask('/api/schema', makeSite());
  assert.equal(
    collections.map(({ name, label, slug }: Record<string, string>) => [name, label, slug]),
    [
      ['posts', 'Journal', 'journal'],
      ['people', 'People', 'people'],
    ],
  );
  assert.is(blocks[0].name, 'quote');
  for (const { jsonSchema } of [...collections, ...blocks]) new Ajv2020().compile(jsonSchema);
  const validate = new Ajv2020().compile(collections[0].jsonSchema);
  assert.ok(validate({ title: 'x' }));
  assert.not(validate({}));
});

test('GET /api/schema/{collection} gives name, label and JSON Schema, and no more', async () => {
  const answer = await ask('/api/schema/{collection}', makeSite(), { collection: 'posts' });
  assert.equal(Object.keys(answer), ['name', 'label', 'jsonSchema']);
  assert.equal(answer.jsonSchema.required, ['title']);
  assert.is(answer.jsonSchema.$schema, 'https://json-schema.org/draft/2020-12/schema');
});

test('an unknown collection is not found, even if objects inherit its name', async () => {
  for (const collection of ['nope', 'Posts', 'constructor', '__proto__', '']) {
    try {
      await ask('/api/schema/{collection}', makeSite(), { collection });
      assert.unreachable(collection);
    } catch (error) {
      assert.is((error as ServiceError).code, 'not_found');
    }
  }
});

test('the schema is open to anonymous readers of a public site only, and the manifest to none', () => {
  for (const path of ['/api/schema', '/api/schema/{collection}']) {
    const { allow } = find(path);
    if (typeof allow !== 'object') throw new Error('expected an object');
    assert.is(allow.permission, 'content:read-published');
    assert.is(allow.anonymous(makeSite({ api: { publicRead: true } }), {}), true);
    assert.is(allow.anonymous(makeSite(), {}), false);
  }
  assert.is(find('/api/manifest').allow, 'content:read-published');
});

test('the manifest is the whole configuration without anything secret', async () => {
  const manifest = await ask(
    '/api/manifest',
    makeSite({
      locales: ['en', 'da'],
      api: { publicRead: true },
      build: { command: 'make', outDir: 'dist', env: { API_KEY: 'sesame' } },
      ai: { provider: 'openai-compatible', model: 'm', baseURL: 'https://sesame.example' },
      remote: { url: 'https://git.example/a.git', tokenEnv: 'SESAME_TOKEN' },
      forms: [
        {
          name: 'contact',
          label: 'Contact',
          fields: [{ name: 'email', type: 'email', required: true }],
          notifications: { email: ['sesame@example.com'], webhook: 'https://sesame.example/hook' },
          spam: { turnstile: { siteKey: 'k', secretEnv: 'SESAME' } },
        },
      ],
    }),
  );
  assert.equal(manifest.storage, { type: 'git' });
  assert.equal(manifest.locales, ['en', 'da']);
  assert.is(manifest.defaultLocale, 'en');
  assert.equal(manifest.build, {
    command: 'make',
    outDir: 'dist',
    timeout: 300,
    env: ['API_KEY'],
    search: true,
    redirects: true,
  });
  assert.equal(manifest.api, { publicRead: true });
  assert.is(manifest.collections[0].fields[0].name, 'title');
  assert.is(manifest.forms[0].fields[0].name, 'email');
  assert.not.match(JSON.stringify(manifest), /sesame/i);
});

test.run();
