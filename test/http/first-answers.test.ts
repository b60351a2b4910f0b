// Checks the answers of a fresh site against its own API description: generated clients get these answers first, when
// nothing has been set and nothing exists.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ENDLESS } from '../support/endless.ts';
import { makeWorld, type World } from '../support/world.ts';

type Json = Record<string, unknown>;
type Operation = { responses: Record<string, { content?: Record<string, { schema?: unknown }> }>; parameters?: Json[] };

/** Values for the parameters of paths; only the collection exists. */
const PARAMS: Record<string, string> = {
  collection: 'posts',
  site: 'default',
  repository: 'default.git',
  form: 'contact',
};

async function describe(world: World) {
  const document = (await world.admin.get('/api/openapi.json')).json as {
    paths: Record<string, Record<string, Operation>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  (formats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'api');
  const pointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
  const schemaOf = (path: string, method: string, status: number): string | undefined => {
    const { responses } = document.paths[path]![method]!;
    const key = responses[status] ? String(status) : 'default';
    if (!responses[key]?.content?.['application/json']?.schema) return undefined;
    return ['api#', 'paths', path, method, 'responses', key, 'content', 'application/json', 'schema']
      .map((part, index) => (index ? pointer(part) : part))
      .join('/');
  };
  const check = (ref: string, value: unknown): string => {
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
  return { document, schemaOf, check };
}

test('every answer of a fresh site is allowed by the API description', async () => {
  await using world = await makeWorld();
  const { document, schemaOf, check } = await describe(world);
  const problems: string[] = [];
  let checked = 0;
  for (const [path, operations] of Object.entries(document.paths)) {
    const operation = operations.get;
    if (!operation || path.startsWith('/git/') || ENDLESS.includes(path)) continue;
    const asked = path.replace(/\{(\w+)\}/g, (_, name) => PARAMS[name] ?? 'nothing');
    const query = (operation.parameters ?? [])
      .filter(({ in: place, required }) => place === 'query' && required)
      .map(({ name }) => `${name}=x`);
    for (const client of [world.admin, world.anonymous]) {
      const reply = await client.get(query.length ? `${asked}?${query.join('&')}` : asked);
      const ref = schemaOf(path, 'get', reply.status);
      if (ref === undefined || reply.json === undefined) continue;
      checked++;
      const problem = check(ref, reply.json);
      if (problem) problems.push(`GET ${asked}: ${reply.status}: ${problem}`);
      if (reply.status >= 500 && path !== '/readyz') problems.push(`GET ${asked}: ${reply.status}`);
    }
  }
  assert.ok(checked > 60, `${checked} answers`);
  assert.equal(problems, []);
});

test('the settings that a fresh site answers can be sent back unchanged', async () => {
  await using world = await makeWorld();
  const { document, check } = await describe(world);
  const read = await world.admin.get('/api/admin/site-config');
  const path = '/api/admin/site-config';
  for (const method of ['put', 'patch']) {
    const operation = document.paths[path]?.[method] as {
      requestBody?: { content: Record<string, { schema: unknown }> };
    };
    if (!operation) continue;
    const ref = `api#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/requestBody/content/application~1json/schema`;
    assert.is(check(ref, read.json), '', method);
    const sent = await world.admin.request(method.toUpperCase(), path, read.json);
    assert.is(sent.status, 200, sent.text);
    assert.equal((await world.admin.get(path)).json, read.json);
  }
});

test.run();
