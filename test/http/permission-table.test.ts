// Every route against tokens that have one permission, and tokens that have all others (decisions.md, section 6). The
// API description names the permission of each route; this compares it with what the routes do.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withContained } from '../../src/access/permissions.ts';
import { PERMISSIONS, type Permission } from '../../src/access/principal.ts';
import { ENDLESS } from '../support/endless.ts';
import { makeWorld, type World } from '../support/world.ts';

interface Operation {
  method: string;
  path: string;
  permission: Permission;
}

/** What is written is published (content:publish) or a draft (content:write), and the queue is read (content:read). */
const NEEDS_MORE = ['POST /api/cms/curation/{id}/approve'];

/** Operations that one permission opens, with paths of resources that do not exist. */
async function listOperations(world: World): Promise<Operation[]> {
  const { json } = await world.admin.get('/api/openapi.json');
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries<Record<string, { 'x-permission'?: Permission }>>(json.paths)) {
    for (const [method, { 'x-permission': permission }] of Object.entries(methods)) {
      const operation = { method: method.toUpperCase(), path };
      if (permission && !(method === 'get' && ENDLESS.includes(path))) operations.push({ ...operation, permission });
    }
  }
  return operations;
}

/** The status of the answer. The request lacks everything but the permission. */
async function statusOf(world: World, permissions: Permission[], { method, path }: Operation): Promise<number> {
  const client = await tokenOf(world, permissions);
  return (await client.request(method, path.replace(/\{[^}]+\}/g, 'nothing'))).status;
}

const tokens = new WeakMap<World, Map<string, ReturnType<World['token']>>>();
function tokenOf(world: World, permissions: Permission[]): ReturnType<World['token']> {
  const made = tokens.get(world) ?? new Map<string, ReturnType<World['token']>>();
  tokens.set(world, made);
  const key = permissions.join();
  const token = made.get(key) ?? world.token(permissions);
  made.set(key, token);
  return token;
}

test('every route opens for the permission that it names, and for no permission without it', async () => {
  await using world = await makeWorld();
  const operations = await listOperations(world);
  assert.ok(operations.length > 40, String(operations.length));
  const open: string[] = [];
  const shut: string[] = [];
  for (const operation of operations) {
    const { method, path, permission } = operation;
    const others = PERMISSIONS.filter((one) => !withContained([one]).has(permission));
    const refused = await statusOf(world, others, operation);
    if (refused !== 403) open.push(`${method} ${path} without ${permission}: ${refused}`);
    for (const one of PERMISSIONS.filter((name) => withContained([name]).has(permission))) {
      const status = await statusOf(world, [one], operation);
      if (NEEDS_MORE.includes(`${method} ${path}`)) assert.is(status, 403);
      else if (status === 401 || status === 403) shut.push(`${method} ${path} with ${one}: ${status}`);
    }
  }
  assert.equal(open, []);
  assert.equal(shut, []);
});

test('content:draft and content:read-published open these routes, and content:read and content:write the others', async () => {
  await using world = await makeWorld();
  const operations = await listOperations(world);
  const openedBy = (permission: Permission): string[] =>
    operations
      .filter(
        (operation) =>
          operation.permission === permission && !/^\/api\/(cms|content)\/(posts|notes|many)\b/.test(operation.path),
      )
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
  assert.equal(openedBy('content:draft'), [
    'DELETE /api/cms/{collection}/{slug}',
    'DELETE /api/content/{collection}/{slug}',
    'PATCH /api/cms/{collection}/{slug}',
    'POST /api/admin/import',
    'POST /api/cms/{collection}',
    'POST /api/cms/{collection}/bulk',
    'POST /api/cms/{collection}/{slug}/preview',
    'POST /api/cms/{collection}/{slug}/restore',
    'POST /api/content/{collection}',
    'PUT /api/cms/{collection}/{slug}',
    'PUT /api/content/{collection}/{slug}',
    'PUT /api/content/{collection}/{slug}/_fieldMeta/lock-all',
    'PUT /api/content/{collection}/{slug}/_fieldMeta/unlock-all',
    'PUT /api/content/{collection}/{slug}/_fieldMeta/{fieldPath}/lock',
    'PUT /api/content/{collection}/{slug}/_fieldMeta/{fieldPath}/unlock',
    'PUT /api/preview/{token}',
  ]);
  assert.equal(openedBy('content:read-published'), [
    'GET /api/cms/{collection}',
    'GET /api/cms/{collection}/facets',
    'GET /api/cms/{collection}/{slug}',
    'GET /api/cms/{collection}/{slug}/references',
    'GET /api/content/{collection}',
    'GET /api/content/{collection}/{slug}',
    'GET /api/content/{collection}/{slug}/_fieldMeta',
    'GET /api/manifest',
    'GET /api/schema',
    'GET /api/schema/{collection}',
    'GET /api/search',
  ]);
  assert.equal(openedBy('content:read'), [
    'DELETE /api/cms/chat/conversations',
    'DELETE /api/cms/chat/conversations/{id}',
    'GET /api/admin/calendar',
    'GET /api/admin/link-check',
    'GET /api/admin/link-check/progress',
    'GET /api/admin/people',
    'GET /api/admin/status',
    'GET /api/admin/trash',
    'GET /api/cms/ai',
    'GET /api/cms/changes',
    'GET /api/cms/chat/conversations',
    'GET /api/cms/chat/conversations/{id}',
    'GET /api/cms/curation',
    'GET /api/cms/curation/{id}',
    'GET /api/cms/scheduled',
    'GET /api/cms/{collection}/{slug}/diff',
    'GET /api/cms/{collection}/{slug}/history',
    'GET /api/cms/{collection}/{slug}/history/{commit}',
    'POST /api/cms/chat',
    'POST /api/cms/curation/{id}/approve',
  ]);
  assert.equal(openedBy('content:write'), [
    'GET /api/cms/agents/{id}/runs',
    'PATCH /api/cms/curation/{id}',
    'POST /api/admin/link-check',
    'POST /api/cms/agents/{id}/run',
    'POST /api/cms/agents/{id}/runs/{runId}/cancel',
    'POST /api/cms/ai/generate',
    'POST /api/cms/ai/rewrite',
    'POST /api/cms/ai/seo',
    'POST /api/cms/ai/translate',
    'POST /api/cms/curation/{id}/reject',
    'POST /api/cms/curation/{id}/reopen',
  ]);
});

test.run();
