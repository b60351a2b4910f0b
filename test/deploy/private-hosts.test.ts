// Addresses of hosts that a tenant types: none of them leads into the network of the service, and no word of what answers
// there comes back.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeReceiver } from '../support/receiver.ts';
import { type Client, makeWorld } from '../support/world.ts';
import { makeHost } from './fakes.ts';

const SITE = { collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }] };
const TOKEN = 'token-of-the-tenant-0123456789';

/** What a tenant sets for each provider to make it ask this address. */
const HOSTS: Record<string, (url: string) => object> = {
  vercel: (url) => ({ vercelToken: TOKEN, vercelApiUrl: url }),
  netlify: (url) => ({ netlifyToken: TOKEN, netlifySiteId: 'site', netlifyApiUrl: url }),
  'cloudflare-pages': (url) => ({ cloudflareToken: TOKEN, cloudflareAccountId: 'account', cloudflareApiUrl: url }),
  'github-pages': (url) => ({ deployApiToken: TOKEN, deployAppName: 'a/b', githubUrl: url, githubApiUrl: url }),
  fly: (url) => ({ flyToken: TOKEN, flyImage: 'image:1', syncSecret: TOKEN, flyApiUrl: url }),
  'fly-live': (url) => ({ syncSecret: TOKEN, syncUrl: url }),
  webhook: (url) => ({ deployHookUrl: url }),
};

async function deployOf(tenant: Client, deployProvider: string, settings: object, site = '?site=tenant') {
  const set = await tenant.post(`/api/admin/site-config${site}`, { deployProvider, ...settings });
  assert.is(set.status, 200, set.text);
  const begun = await tenant.post(`/api/admin/deploy${site}`);
  assert.is(begun.status, 200, begun.text);
  const { id } = begun.json.deploy;
  // The stream of the log ends with the deploy.
  const { text: log } = await tenant.get(`/api/admin/deploys/${id}/log${site}`, { accept: 'text/event-stream' });
  const { json: deploy } = await tenant.get(`/api/admin/deploys/${id}${site}`);
  return { deploy, log };
}

const SECRET_WORDS = 'words of the inside';

test('a tenant’s deploy asks nothing inside the network, at whichever host', async () => {
  const { builds, close } = makeHost();
  await using inside = await makeReceiver((_, response) => {
    response.writeHead(400, { 'content-type': 'text/plain' }).end(SECRET_WORDS);
    return undefined;
  });
  await using world = await makeWorld({ sites: { tenant: SITE }, builds, now: 'real' });
  const tenant = await world.user('admin', ['tenant']);
  const { port } = inside;
  for (const [provider, settingsFor] of Object.entries(HOSTS)) {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '169.254.169.254', `[::ffff:127.0.0.1]:${port}`]) {
      const { deploy, log } = await deployOf(tenant, provider, settingsFor(`http://${host}`));
      assert.is(deploy.status, 'failure', `${provider} at ${host}`);
      assert.match(deploy.error, 'not an address of the public internet', `${provider} at ${host}: ${deploy.error}`);
      assert.not.match(log + JSON.stringify(deploy), SECRET_WORDS);
    }
  }
  assert.equal(inside.received, []);
  close();
});

test('the state of a tenant’s workflow is not asked for inside the network', async () => {
  await using inside = await makeReceiver();
  await using world = await makeWorld({ sites: { tenant: SITE } });
  const tenant = await world.user('admin', ['tenant']);
  const settings = { deployApiToken: TOKEN, deployAppName: 'a/b', githubApiUrl: `http://127.0.0.1:${inside.port}` };
  assert.is((await tenant.post('/api/admin/site-config?site=tenant', settings)).status, 200);
  assert.is((await tenant.get('/api/admin/deploy/github-status?site=tenant')).status, 502);
  assert.equal(inside.received, []);
});

test('the only site, and any site with the operator’s permission, reaches a host in its own network', async () => {
  const { builds, close } = makeHost();
  for (const [options, site] of [
    [{}, ''],
    [{ sites: { tenant: SITE }, env: { CMS_ALLOW_PRIVATE_TARGETS: 'on' } }, '?site=tenant'],
  ] as const) {
    await using inside = await makeReceiver((_, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(SECRET_WORDS);
      return undefined;
    });
    await using world = await makeWorld({ ...options, builds, now: 'real' });
    const { deploy, log } = await deployOf(
      world.admin,
      'vercel',
      HOSTS.vercel!(`http://127.0.0.1:${inside.port}`),
      site,
    );
    assert.is(deploy.status, 'failure');
    assert.ok(inside.received.length > 0);
    assert.match(deploy.error, '400');
    // It is not Vercel's own address, so that its words are nobody's to read.
    assert.not.match(log + JSON.stringify(deploy), SECRET_WORDS);
  }
  close();
});

test.run();
