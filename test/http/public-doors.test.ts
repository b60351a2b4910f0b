// Every route of the table, asked by a stranger: for a private site, and for one that does not exist. The requests are
// made from the table itself, so that a new route is in it; what is public by its nature is listed with its reason.
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import type { Route } from '../../src/http/route.ts';
import { toMessage } from '../support/mcp/rpc.ts';
import { makeWorld, type World } from '../support/world.ts';

const APP = 'https://app.example';
const FORM = { name: 'contact', fields: [{ name: 'name', type: 'text' as const }] };
/** Shows strangers nothing, and has everything that could distinguish it from a site that does not exist. */
const PRIVATE: SiteConfigInput = {
  collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }],
  forms: [FORM],
  api: { cors: [APP] },
};
/** Names of the same length that occur in no text. */
const HIDDEN = { id: 'zq-closed', host: 'zq-closed.example' };
const NOWHERE = { id: 'zq-absent', host: 'zq-absent.example' };

/** About the machine and not about a site; it changes from one request to the next. */
const ABOUT_THE_PROCESS = ['/metrics'];

/** Parameters of paths: what the private site has, if only strangers may not see it; else what it has not. */
const PARAMS: Record<string, string> = {
  collection: 'posts',
  slug: 'plan',
  name: 'none',
  folder: 'none',
  file: 'none.css',
  token: 'none',
};

interface Asked {
  id: string;
  host: string;
}

/** A request as a stranger sends it; `name` says which it is. */
interface Knock {
  name: string;
  method: string;
  path(site: Asked): string;
  headers: Record<string, string>;
  body: string | undefined;
}

const HEADERS: Record<string, string>[] = [
  {},
  { accept: 'text/html', 'if-none-match': '*', range: 'bytes=0-1' },
  { origin: APP },
  { origin: 'https://evil.example', referer: 'https://evil.example/' },
  { origin: 'null' },
  { authorization: 'Bearer cms_none', cookie: 'cms-session=none' },
];

function* knocksOf({ method, path }: Route<never>, sent: readonly Record<string, string>[]): Generator<Knock> {
  const filled = (site: Asked): string =>
    path.replace(/\{([^}]+)\}/g, (_, name) => (name === 'repository' ? `${site.id}.git` : (PARAMS[name] ?? 'none')));
  const verb = method.toUpperCase();
  const bodies =
    method === 'get' || method === 'delete'
      ? [undefined]
      : [JSON.stringify(toMessage('2025-11-25', 'tools/list')), '{"name":"x"}', '{', ''];
  for (const headers of sent) {
    for (const body of bodies) {
      const name = `${verb} ${path} ${JSON.stringify(headers)} ${body ?? ''}`;
      yield { name, method: verb, path: filled, headers, body };
    }
    if (method === 'get') yield { name: `HEAD ${path}`, method: 'HEAD', path: filled, headers, body: undefined };
    if (headers.origin === undefined) continue;
    const asking = { ...headers, 'access-control-request-method': verb, 'access-control-request-headers': 'x-a' };
    yield { name: `OPTIONS ${verb} ${path}`, method: 'OPTIONS', path: filled, headers: asking, body: undefined };
  }
  if (method !== 'post') return;
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain']) {
    const headers = { 'content-type': type, accept: 'text/html' };
    yield { name: `${verb} ${path} ${type}`, method: verb, path: filled, headers, body: 'name=x' };
  }
}

/** The whole answer, without what no two answers have in common. */
type How = 'query' | 'host' | 'unknown name';

async function answerOf(world: World, knock: Knock, site: Asked, how: How): Promise<object> {
  const path = knock.path(site);
  const named = `${path.includes('?') ? '&' : '?'}site=${site.id}${how === 'query' ? '' : '&zq=1'}`;
  const query = how === 'host' ? '' : named;
  const headers = { ...knock.headers, 'x-request-id': 'same', ...(how === 'host' ? { host: site.host } : {}) };
  const reply = await world.anonymous.request(knock.method, path + query, knock.body, headers);
  const { date: _, ...kept } = reply.headers;
  const text = JSON.stringify({ status: reply.status, ...kept, text: reply.text });
  const nonce = /'nonce-([^']+)'/.exec(text)?.[1];
  const plain = nonce === undefined ? text : text.replaceAll(nonce, 'nonce');
  return shortened(JSON.parse(plain.replaceAll(site.id, 'site')));
}

function shortened(answer: { text: string }): object {
  return answer.text.length > 500 ? { ...answer, text: hash('sha256', answer.text) } : answer;
}

async function makePrivateWorld(): Promise<World> {
  const world = await makeWorld({ config: PRIVATE, env: { CMS_RATE_LIMIT: '0' } });
  const folder = join(world.dataDir, '..', 'configs', HIDDEN.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cms.config.json'), JSON.stringify(PRIVATE));
  const configPath = join(folder, 'cms.config.json');
  const added = await world.admin.post('/api/admin/sites', { id: HIDDEN.id, configPath, hosts: [HIDDEN.host] });
  if (added.status >= 300) throw new Error(added.text);
  await world.site(HIDDEN.id).settings.update({ previewSiteUrl: APP }, { id: null, name: 'test', email: '' });
  const post = { slug: 'plan', status: 'published', data: { title: 'Plan' } };
  const written = await world.admin.post(`/api/cms/posts?site=${HIDDEN.id}`, post);
  if (written.status >= 300) throw new Error(written.text);
  return world;
}

/** The answers that differ, and how often each status was seen. */
async function compare(how: How, headers: readonly Record<string, string>[]) {
  await using world = await makePrivateWorld();
  const routes = world.app.http.routes as unknown as Route<never>[];
  assert.ok(routes.length > 150, String(routes.length));
  const different: string[] = [];
  const statuses = new Map<number, number>();
  for (const route of routes) {
    if (ABOUT_THE_PROCESS.includes(route.path)) continue;
    for (const knock of knocksOf(route, headers)) {
      const hidden = await answerOf(world, knock, HIDDEN, how);
      const nowhere = await answerOf(world, knock, NOWHERE, how);
      const { status } = hidden as { status: number };
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (JSON.stringify(hidden) === JSON.stringify(nowhere)) continue;
      different.push(`${knock.name}\n  ${JSON.stringify(hidden)}\n  ${JSON.stringify(nowhere)}`);
    }
  }
  assert.is(statuses.get(429), undefined);
  assert.is(statuses.get(500), undefined);
  return { different, statuses };
}

test('every route answers a stranger the same for a private site and for one that does not exist', async () => {
  const { different, statuses } = await compare('query', HEADERS);
  assert.is(different.join('\n'), '');
  for (const status of [200, 204, 400, 401, 404]) assert.ok((statuses.get(status) ?? 0) > 0, `${status}`);
});

test('so it does at a host of a private site, and at one that no site has, if the default site is private', async () => {
  const { different } = await compare('host', HEADERS.slice(0, 3));
  assert.is(different.join('\n'), '');
});

test('so does a stranger who sends a parameter that no route knows', async () => {
  const { different, statuses } = await compare('unknown name', HEADERS.slice(0, 1));
  assert.is(different.join('\n'), '');
  assert.ok((statuses.get(400) ?? 0) > 0);
});

test.run();
