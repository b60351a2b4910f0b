import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { test } from 'uvu';
import { z } from 'zod';
import { createDescribedApi } from '../../../src/http/openapi/answers.ts';
import { type CollectionDescription, describeApi, type OpenApiDocument } from '../../../src/http/openapi/openapi.ts';
import { type Route, route } from '../../../src/http/route.ts';
import { Limit } from '../../../src/lib/query.ts';
import { fakeRoutes, makeWorld } from '../world.ts';

type Json = Record<string, unknown>;

const Doc = z.object({ id: z.string(), data: z.record(z.string(), z.unknown()) }).meta({ id: 'Document' });
const List = z.object({ documents: z.array(Doc), total: z.int() }).meta({ id: 'DocumentList' });
interface TreeType {
  kids: TreeType[];
}
const Tree: z.ZodType<TreeType> = z.object({
  get kids() {
    return z.array(Tree);
  },
});

const POSTS: CollectionDescription = {
  name: 'blog-posts',
  label: 'Posts',
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      title: { type: 'string' },
      seen: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      blocks: {
        type: 'array',
        items: {
          type: 'object',
          properties: { _block: { const: 'hero' }, text: { type: 'string' }, more: { $ref: '#/$defs/more' } },
          required: ['_block', 'text'],
        },
      },
    },
    required: ['title'],
    $defs: { more: { type: 'object', properties: { again: { $ref: '#/$defs/more' } } } },
  },
};

function contentRoutes(): Route[] {
  const about = { summary: 'Content', tag: 'Content', handle: () => ({}) };
  const read = { ...about, allow: 'content:read' as const };
  const write = { ...about, allow: 'content:write' as const };
  const one = { 200: { description: 'The document', schema: Doc }, 404: { description: 'None' } };
  const Body = z.object({ data: z.record(z.string(), z.unknown()) }).meta({ id: 'CreateDocumentBody' });
  const base = '/api/cms/{collection}';
  return [
    route({
      ...read,
      method: 'get',
      path: base,
      query: z.object({ limit: Limit.optional() }),
      answers: { 200: { description: 'A page', schema: List } },
    }),
    route({ ...write, method: 'post', path: base, body: Body, headers: ['Idempotency-Key'], answers: one }),
    route({ ...read, method: 'get', path: `${base}/{slug}`, answers: one }),
    route({
      ...write,
      method: 'patch',
      path: `${base}/{slug}`,
      body: Body.partial(),
      headers: ['If-Match'],
      answers: one,
    }),
    route({ ...write, method: 'put', path: `${base}/{id}`, body: Body.partial(), answers: one }),
    route({
      ...write,
      method: 'delete',
      path: `${base}/{id}`,
      answers: { 200: { description: 'Gone', schema: z.object({ success: z.boolean() }) } },
    }),
    route({ ...read, method: 'get', path: '/tree', answers: { 200: { description: 'A tree', schema: Tree } } }),
    route({
      ...about,
      method: 'post',
      path: '/api/upload',
      allow: 'media:write',
      consumes: { 'multipart/form-data': { type: 'object' } },
      answers: {},
    }),
    route({ ...about, method: 'get', path: '/hidden', allow: 'public', documented: false, answers: {} }),
  ];
}

function at(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Json)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** A document is sound if references resolve, path parameters are declared, and operations have distinct names. */
function checkDocument(document: OpenApiDocument): void {
  const text = JSON.stringify(document);
  for (const [, ref] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.match(ref!, /^#\/components\//);
    assert.notEqual(at(document, ref!), undefined, `${ref} dangles`);
  }
  assert.ok(!text.includes('"$schema"'));
  const ids = new Set<string>();
  const shapes = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    const shape = path.replace(/\{[^}]+\}/g, '{}');
    assert.ok(!shapes.has(shape), `${path} occurs twice`);
    shapes.add(shape);
    for (const operation of Object.values(item)) {
      assert.ok(!ids.has(operation.operationId), operation.operationId);
      ids.add(operation.operationId);
      assert.match(operation.operationId, /^[a-z][A-Za-z0-9]*$/);
      const parameters = operation.parameters.map(
        (one) => ('$ref' in one ? at(document, one.$ref as string) : one) as Json,
      );
      const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        declared,
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
        path,
      );
      assert.equal(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size, parameters.length);
      assert.ok(Object.keys(operation.responses).length > 0);
      for (const response of Object.values(operation.responses))
        assert.ok('$ref' in response || 'description' in response);
      for (const scheme of (operation.security as Json[]).flatMap(Object.keys)) {
        assert.ok(scheme in document.components.securitySchemes);
      }
    }
  }
}

const describe = (collections: CollectionDescription[] = []) =>
  describeApi({ routes: contentRoutes(), collections, version: '0.3.0' });

test('the document is sound, with and without collections', () => {
  checkDocument(describe());
  checkDocument(describe([POSTS, { ...POSTS, name: 'a-1' }, { ...POSTS, name: 'a1' }, { ...POSTS, name: 'document' }]));
  checkDocument(describeApi({ routes: fakeRoutes(), collections: [POSTS], version: '0.3.0' }));
});

test('every route is described, whatever the names of its parameters', () => {
  const { paths } = describe();
  assert.deepEqual(Object.keys(paths), [
    '/api/cms/{collection}',
    '/api/cms/{collection}/{slug}',
    '/tree',
    '/api/upload',
  ]);
  assert.deepEqual(Object.keys(paths['/api/cms/{collection}/{slug}']!), ['get', 'patch', 'put', 'delete']);
});

test('schemas come from those that parse, and each named one occurs once', () => {
  const { paths, components } = describe();
  const list = paths['/api/cms/{collection}']!.get!;
  assert.deepEqual(list.parameters[1], {
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1 },
  });
  assert.deepEqual(list.parameters.at(-1)?.name, 'site');
  assert.deepEqual((components.schemas.DocumentList!.properties as Json).documents, {
    type: 'array',
    items: { $ref: '#/components/schemas/Document' },
  });
  assert.deepEqual(paths['/tree']!.get!.responses['200'], {
    description: 'A tree',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Recursive' } } },
  });
  const upload = paths['/api/upload']!.post!;
  assert.deepEqual(Object.keys(upload.requestBody!.content), ['multipart/form-data']);
  assert.deepEqual(upload.security, [{ bearer: [] }, { session: [] }]);
});

test('a collection becomes concrete paths and types', () => {
  const document = describe([POSTS]);
  const list = document.paths['/api/cms/blog-posts']!;
  const one = document.paths['/api/cms/blog-posts/{slug}']!;
  assert.equal(list.get!.operationId, 'listBlogPosts');
  assert.equal(list.post!.operationId, 'createBlogPosts');
  assert.deepEqual(
    Object.values(one).map(({ operationId }) => operationId),
    ['getBlogPosts', 'updateBlogPosts', 'replaceBlogPosts', 'deleteBlogPosts'],
  );
  assert.deepEqual((list.get!.responses['200'] as { content: Json }).content, {
    'application/json': { schema: { $ref: '#/components/schemas/BlogPostsList' } },
  });
  assert.ok(document.paths['/api/cms/{collection}'], 'the generic path stays');
});

test('the concrete types accept what the service stores and refuse the rest', () => {
  const document = describe([POSTS]);
  const ajv = new Ajv2020({ strict: false });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'api', components: document.components });
  const validate = ajv.compile({ $ref: 'api#/components/schemas/BlogPostsDocument' });
  const stamp = '2026-01-01T00:00:00.000Z';
  const make = (status: string, data: unknown, collection = 'blog-posts') => ({
    id: 'aB3',
    slug: 'a',
    collection,
    status,
    createdAt: stamp,
    updatedAt: stamp,
    data,
  });
  assert.ok(validate(make('published', { title: 'x', seen: null, blocks: [{ _block: 'hero', text: 'y' }] })));
  assert.ok(!validate(make('published', { seen: 1 })), 'a required field is missing');
  assert.ok(!validate(make('published', { title: null })));
  assert.ok(validate(make('draft', { seen: 1, blocks: [{ _block: 'hero' }] })), 'a draft may lack it');
  assert.ok(validate(make('draft', { title: null })));
  assert.ok(!validate(make('draft', { title: 5 })), 'but not hold another type');
  assert.ok(!validate(make('draft', { blocks: [{ text: 'y' }] })), 'a block says what it is');
  assert.ok(!validate(make('draft', { blocks: [{ _block: 'hero', more: { again: 1 } }] })));
  assert.ok(!validate(make('draft', {}, 'pages')));
});

test('the service answers the document of the requested site', async () => {
  await using world = await makeWorld({ ports: { collections: (_, site) => (site === 'blog' ? [POSTS] : []) } });
  const response = await world.get('/api/openapi.json?site=blog', {});
  assert.equal(response.status, 200);
  const document = (await response.json()) as OpenApiDocument;
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '0.3.0');
  assert.ok(document.paths['/api/cms/blog-posts']);
  checkDocument(document);
  for (const path of ['/', '/healthz', '/readyz', '/metrics', '/api/openapi.json'])
    assert.ok(document.paths[path], path);
  const again = await world.get('/api/openapi.json?site=blog', { 'if-none-match': response.headers.get('etag')! });
  assert.equal(again.status, 304);
  assert.equal((await world.get('/api/openapi.json', {})).status, 200);
});

test('the document is made once for all who see the same collections, in one of two codings', async () => {
  const other = { ...POSTS, label: 'Another site' };
  let made = 0;
  const describedApi = createDescribedApi(function* (collections) {
    made++;
    yield;
    return describeApi({ routes: contentRoutes(), collections, version: '0.3.0' });
  });
  const [first, again] = await Promise.all([describedApi([POSTS]), describedApi([POSTS])]);
  assert.equal(first, again);
  assert.equal(made, 1);
  assert.notEqual((await describedApi([other])).etag, first.etag);
  assert.notEqual((await describedApi([])).etag, first.etag);
  assert.equal((await describedApi([POSTS])).body, first.body);
  assert.equal(made, 3);
  const document = describeApi({ routes: contentRoutes(), collections: [POSTS], version: '0.3.0' });
  assert.equal(first.body.toString(), JSON.stringify(document));
  assert.equal(gunzipSync(first.gzip).toString(), first.body.toString());

  await using world = await makeWorld();
  const ask = async (coding: string) => {
    const [response] = (await once(
      get(`${world.url}/api/openapi.json`, { headers: { 'accept-encoding': coding } }),
      'response',
    )) as [IncomingMessage];
    return { coding: response.headers['content-encoding'], bytes: await buffer(response) };
  };
  const plain = await ask('br');
  assert.equal(plain.coding, undefined);
  for (const coding of ['gzip, br', 'gzip']) {
    const { coding: sent, bytes } = await ask(coding);
    assert.equal(sent, 'gzip');
    assert.equal(gunzipSync(bytes).toString(), plain.bytes.toString());
  }
});

test('every refusal that a route may answer is declared', () => {
  const about = { summary: 'Any', tag: 'Any', answers: { 200: { description: 'Done' } }, handle: () => ({}) };
  const Body = z.object({});
  const routes: Route[] = [
    route({ ...about, method: 'get', path: '/own', allow: 'session', site: false }),
    route({ ...about, method: 'post', path: '/own', allow: 'session', site: false, body: Body }),
    route({ ...about, method: 'post', path: '/sign-in', allow: 'public', site: false, body: Body }),
    route({ ...about, method: 'get', path: '/docs/{slug}', allow: 'content:read' }),
    route({ ...about, method: 'put', path: '/docs/{slug}', allow: 'content:write', body: Body, headers: ['If-Match'] }),
    route({
      ...about,
      method: 'post',
      path: '/docs',
      allow: 'content:write',
      body: Body,
      headers: ['Idempotency-Key'],
    }),
  ];
  const { paths } = describeApi({ routes, collections: [], version: '0.3.0' });
  const refusals = (path: string, method: string): string =>
    Object.keys(paths[path]![method as 'get']!.responses)
      .filter((status) => status >= '4')
      .join(' ');
  assert.equal(refusals('/own', 'get'), '401 429 500');
  assert.equal(refusals('/own', 'post'), '400 401 403 408 413 415 429 500 507');
  assert.equal(refusals('/sign-in', 'post'), '400 403 408 413 415 429 500 507');
  assert.equal(refusals('/docs/{slug}', 'get'), '400 401 403 404 429 500 503');
  assert.equal(refusals('/docs/{slug}', 'put'), '400 401 403 404 408 412 413 415 429 500 503 507');
  assert.equal(refusals('/docs', 'post'), '400 401 403 404 408 409 413 415 422 429 500 503 507');
});

test('makers of clients find servers, every schema by name, and nothing to send that has a default', () => {
  const color = { type: 'string', enum: ['red', 'blue'], default: 'red' };
  const jsonSchema = { ...POSTS.jsonSchema, properties: { ...(POSTS.jsonSchema.properties as Json), color } };
  const Body = z.object({ limit: z.int().default(5), kept: z.literal('default').optional() });
  const sending = route({
    ...{ method: 'post', path: '/api/send', summary: 'Send', tag: 'T', allow: 'public', body: Body, answers: {} },
    handle: () => ({}),
  });
  const routes = [...contentRoutes(), sending];
  const described = describeApi({ routes, collections: [{ ...POSTS, jsonSchema }], version: '1' });
  assert.deepEqual(described.servers, [{ url: '/' }]);
  const { schemas } = described.components as unknown as { schemas: Record<string, Json> };
  assert.deepEqual(
    Object.entries(schemas).filter(([, schema]) => '$defs' in schema),
    [],
  );
  const properties = (name: string) => schemas[name]?.properties as Record<string, Json>;
  const again = { $ref: '#/components/schemas/BlogPostsDataMore' };
  assert.deepEqual(properties('BlogPostsDataMore').again, again);
  assert.equal(properties('BlogPostsData').color?.default, 'red');
  assert.equal(properties('BlogPostsSentData').color?.default, undefined);
  assert.match(String(properties('BlogPostsSentData').color?.description), /"red" if absent/);
  assert.deepEqual(properties('BlogPostsInput').data, { $ref: '#/components/schemas/BlogPostsSentData' });
  const body = described.paths['/api/send']?.post?.requestBody?.content['application/json']?.schema as Json;
  assert.equal(body.required, undefined);
  assert.equal((body.properties as Record<string, Json>).limit?.default, undefined);
});

test.run();
