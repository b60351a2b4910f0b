// The quota of a site: over it every door that stores is 507 with what to do, and reading and deleting go on.
import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStoredBytes } from '../../../src/sites/stored/stored-bytes.ts';
import { makeGitWorld } from '../../git/world.ts';
import { gif, sha256, upload } from '../../support/upload.ts';
import { CONFIG, type Reply } from '../../support/world.ts';

const FORM = {
  name: 'contact',
  fields: [{ name: 'message', type: 'textarea' as const }],
  spam: { honeypot: false },
};

function quotaRefusal({ status, json, text }: Reply): string {
  assert.equal([status, json?.code], [507, 'quota_exceeded'], text);
  assert.match(json.error, /CMS_SITE_QUOTA/);
  return json.error;
}

test('over its quota a site takes nothing more through any door, and its content is read and deleted as before', async () => {
  const config = { ...CONFIG, forms: [FORM] };
  await using world = await makeGitWorld({ now: 'real', config, env: { CMS_SITE_QUOTA: '4 MB' } });
  const made = await world.admin.post('/api/cms/notes', { data: { title: 'before' } });
  assert.is(made.status, 200, made.text);
  assert.is((await upload(world.admin, 'one.gif', gif(1))).status, 200);
  const token = await world.secret();
  const clone = await world.clone(token);
  const { stored } = world.site();
  await stored.measure();
  stored.add(4_000_000 - stored.read().bytes);

  quotaRefusal(await world.admin.post('/api/cms/notes', { data: { title: 'more' } }));
  quotaRefusal(await world.admin.patch(`/api/cms/notes/${made.json.slug}`, { data: { title: 'changed' } }));
  quotaRefusal(await upload(world.admin, 'two.gif', gif(2)));
  quotaRefusal(await world.admin.post('/api/admin/backups', {}));
  quotaRefusal(await world.anonymous.post('/api/forms/contact', { message: 'hello' }));
  const lfs = await fetch(`${world.url}/git/default.git/info/lfs/objects/${sha256('x')}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: 'x',
  });
  assert.is(lfs.status, 507);
  await clone.commit({ 'README.md': 'more' });
  const pushed = await clone.push();
  assert.is(pushed.ok, false);
  assert.match(pushed.stderr, /CMS_SITE_QUOTA/);

  assert.is((await world.admin.get(`/api/cms/notes/${made.json.slug}`)).status, 200);
  assert.is((await world.anonymous.get('/uploads/images/one.gif')).status, 200);
  assert.ok((await clone.git('fetch')) !== undefined);
  assert.is((await world.admin.delete(`/api/cms/notes/${made.json.slug}`)).status, 200);
  assert.is((await world.admin.delete('/api/media/images/one.gif')).status, 200);
  const { json } = await world.admin.get('/api/admin/repository');
  assert.is(json.stored.quotaBytes, 4_000_000);
  assert.ok(json.stored.bytes >= 4_000_000);
  // What was added by this test is not on the disk.
  await stored.measure();
  const again = await world.admin.post('/api/cms/notes', { data: { title: 'again' } });
  assert.is(again.status, 200, again.text);
});

test('a push that would be too large for the quota is refused, and leaves nothing', async () => {
  await using world = await makeGitWorld({ now: 'real', env: { CMS_SITE_QUOTA: '3MB' } });
  const clone = await world.clone(await world.secret());
  await clone.commit({ 'small.txt': 'small' });
  await clone.pushed();
  await clone.commit({ 'large.txt': randomBytes(3 << 20).toString('base64') });
  const { ok, stderr } = await clone.push('HEAD:refs/heads/changes/large');
  assert.is(ok, false);
  assert.match(stderr.replaceAll('\nremote: ', ' '), /of its 3\.0 MB/, stderr);
  assert.equal(world.listIncoming(), []);
});

test('what is being stored counts for what comes meanwhile, and what was not stored is given back', async () => {
  await using world = await makeGitWorld({ now: 'real', env: { CMS_SITE_QUOTA: '3MB' } });
  await world.site().stored.measure();
  const before = world.site().stored.read().bytes;
  const large = (n: number) => Buffer.concat([gif(n), randomBytes(1_000_000)]);
  const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => upload(world.admin, `${n}.gif`, large(n))));
  const taken = all.filter(({ status }) => status === 200).length;
  assert.is(taken, Math.floor((3_000_000 - before) / 1_000_100));
  for (const one of all.filter(({ status }) => status !== 200)) quotaRefusal(one);
  const { stored } = world.site();
  const counted = stored.read().bytes;
  assert.is((await upload(world.admin, '../no.gif', gif(9), { folder: '../..' })).status, 400);
  assert.is(stored.read().bytes, counted);
});

test('backups count at once, and what has no known size is measured soon after', async () => {
  await using world = await makeGitWorld({ now: 'real', env: { CMS_SITE_QUOTA: '3MB' } });
  await world.admin.post('/api/cms/notes', { data: { title: 'one' } });
  const { stored } = world.site();
  await stored.measure();
  const before = stored.read().bytes;
  const { json } = await world.admin.post('/api/admin/backups', {});
  assert.ok(json.sizeBytes > 0);
  assert.ok(stored.read().bytes >= before + json.sizeBytes);
});

test('without a quota nothing is refused, and what is stored is known', async () => {
  const stored = openStoredBytes({ folder: import.meta.dirname, quotaBytes: undefined, warn: () => undefined });
  await stored.measure();
  stored.check(1e15);
  const { bytes, quotaBytes } = stored.read();
  assert.ok(bytes > 1000);
  assert.is(quotaBytes, null);
  await stored.close();
});

test.run();
