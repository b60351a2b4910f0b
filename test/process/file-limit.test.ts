// A limit on the size of files (`ulimit -f`, a file system's own, a quota): what does not fit is refused as on a full
// disk, reads go on, and writes resume when the limit is lifted.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { limitFiles } from '../support/file-limit.ts';
import { ADMIN, CONFIG, eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { BOUNDARY, multipart } from '../support/upload.ts';

const FORMS = [{ name: 'contact', fields: [{ name: 'n', type: 'text', required: true }] }];

async function uploadTo(
  service: Service,
  cookie: string,
  sizeBytes: number,
): Promise<{ status: number; code?: string }> {
  const response = await fetch(`${service.url}/api/upload`, {
    method: 'POST',
    headers: { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: new Uint8Array(multipart([{ name: 'file', filename: 'note.txt', content: 'x'.repeat(sizeBytes) }])),
  });
  return { status: response.status, code: ((await response.json()) as { code?: string }).code };
}

test('while no file may grow every write gets 507 and reads go on, and writes resume once files may grow', async () => {
  await using place = makePlace({ config: { ...CONFIG, forms: FORMS } });
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  assert.is((await client.post('/api/cms/posts', { slug: 'one', data: { title: 'first' } })).status, 200);
  const writes: [method: string, path: string, body: unknown][] = [
    ['POST', '/api/cms/posts', { data: { title: 'x'.repeat(1000) } }],
    ['PATCH', '/api/cms/posts/one', { data: { title: 'second' } }],
    ['POST', '/api/forms/contact', { n: '1' }],
    ['POST', '/api/admin/access-tokens', { name: 'ci', permissions: ['content:read'] }],
    ['POST', '/api/admin/profile', { name: 'Another' }],
    ['POST', '/api/admin/site-config', { backupRetention: 7 }],
    ['POST', '/api/admin/backups', {}],
  ];
  limitFiles(service, 0);
  for (let round = 0; round < 2; round++) {
    for (const [method, path, body] of writes) {
      const reply = await client.send(method, path, body);
      assert.is(`${path} ${reply.status} ${reply.json?.code}`, `${path} 507 storage_full`);
    }
    assert.equal(await uploadTo(service, cookie, 3000), { status: 507, code: 'storage_full' });
  }
  await eventually(async () => assert.is((await client.get('/readyz')).status, 503), 5000);
  assert.is((await client.get('/api/cms/posts/one')).json.data.title, 'first');
  const { email, password } = ADMIN;
  assert.is((await client.post('/api/auth/login', { email, password })).status, 200);
  limitFiles(service, 'unlimited');
  await eventually(async () => assert.is((await client.get('/readyz')).status, 200), 10_000);
  for (const [method, path, body] of writes) {
    const reply = await client.send(method, path, body);
    assert.ok(reply.status < 300, `${path} ${reply.status} ${reply.text}`);
  }
  assert.is((await uploadTo(service, cookie, 3000)).status, 200);
  assert.is((await client.get('/api/admin/forms/contact/submissions')).json.total, 1);
  assert.is((await service.stop()).code, 0);
});

test('a file over the limit on file sizes is 507, and smaller ones are accepted throughout', async () => {
  await using place = makePlace();
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  // Makes the write-ahead log's first segment, which is larger than the limit.
  assert.is((await client.post('/api/cms/posts', { slug: 'first', data: { title: 'x' } })).status, 200);
  limitFiles(service, 600_000);
  const media = join(place.dataDir, 'sites/default/media');
  assert.equal(await uploadTo(service, cookie, 3 << 20), { status: 507, code: 'storage_full' });
  assert.equal(readdirSync(join(media, 'incoming')), []);
  assert.is((await uploadTo(service, cookie, 100_000)).status, 200);
  const large = { slug: 'large', data: { title: 'x', body: 'y'.repeat(800_000) } };
  assert.is((await client.post('/api/cms/posts', large)).status, 507);
  const small = await client.post('/api/cms/posts', { slug: 'small', data: { title: 'x' } });
  assert.is(small.status, 200, small.text);
  limitFiles(service, 'unlimited');
  await eventually(async () => assert.is((await client.post('/api/cms/posts', large)).status, 200), 5000);
  await eventually(async () => assert.is((await client.get('/readyz')).status, 200), 5000);
  await service.kill();
  const again = await place.start();
  const { documents } = (await again.client(cookie).get('/api/cms/posts?orderBy=slug&fields=title')).json;
  assert.is(documents.length, 3);
});

test.run();
