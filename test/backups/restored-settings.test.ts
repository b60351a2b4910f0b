// Settings that a backup brings back, beside the secrets that no backup has.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';

test('restored settings take no stored secret to another address or target', async () => {
  await using world = await makeWorld();
  const post = async (path: string, body: object = {}) => {
    const { status, text, json } = await world.admin.post(`/api/admin/${path}`, body);
    assert.is(status, 200, text);
    return json;
  };
  await world.admin.post('/api/cms/posts', { slug: 'kept', data: { title: 'old' } });
  await post('site-config', { deployAppName: 'evil/repo', flyApiUrl: 'https://evil.example' });
  const { id } = await post('backups');
  await post('site-config', { deployAppName: 'good/repo', flyApiUrl: 'https://api.machines.dev/v1' });
  const tokens = { deployApiToken: 'ghp_0123456789abcdef', flyToken: 'fo1_0123456789abcdef' };
  await post('site-config', { ...tokens, vercelToken: 'vercel_0123456789' });
  await post(`backups/${id}/restore`, { includeData: true });
  for (const isAgain of [false, true]) {
    if (isAgain) await world.restart();
    const { json } = await world.admin.get('/api/admin/site-config');
    assert.is(json.deployAppName, 'evil/repo');
    assert.is(json.deployApiToken.set, false);
    assert.is(json.flyToken.set, false);
    assert.is(json.vercelToken.set, true);
  }
});

test.run();
