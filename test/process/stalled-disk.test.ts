// A disk that does not answer, frozen by the kernel: the service reports it, answers writers in time, serves reads, and
// recovers by itself when the disk is back.
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mountFreezableDisk } from '../support/frozen-disk.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { BOUNDARY, multipart } from '../support/upload.ts';

/** Less than a client or a proxy waits. */
const IN_TIME_MS = 20_000;
const WRITERS = 12;

test('writes on a disk that does not answer get 503 in time, reads go on, and each is stored once when it is back', async () => {
  using disk = mountFreezableDisk(80);
  await using place = makePlace({ dataDir: join(disk.folder, 'data') });
  const service = await place.start();
  const cookie = await setUp(service);
  const client = service.client(cookie);
  for (let n = 0; n < 3; n++) await client.post('/api/cms/posts', { slug: `w${n}`, data: { title: 'old' } });
  const upload = (): Promise<Response> =>
    fetch(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: new Uint8Array(multipart([{ name: 'file', filename: 'note.txt', content: 'some text' }])),
    });
  assert.is((await upload()).status, 200);
  await eventually(
    async () => assert.match((await client.get('/metrics')).text, /unflushed_commits\{[^}]*\} 0$/m),
    5000,
  );

  disk.freeze();
  const startedMs = performance.now();
  const waiting = Array.from({ length: WRITERS }, (_, n) =>
    service
      .client(cookie)
      .post('/api/cms/posts', { slug: `late${n}`, data: { title: 'x' } }, { 'idempotency-key': `k${n}` }),
  );
  const others = [
    ...Array.from({ length: WRITERS }, () => upload()),
    ...Array.from({ length: WRITERS }, () => client.post('/api/admin/profile', { name: 'Ada' })),
    // The first entry of the site's audit, whose folder does not exist yet.
    client.post('/api/admin/repository/verify', {}),
  ];
  await eventually(async () => {
    const ready = await client.get('/readyz');
    assert.is(ready.status, 503);
    assert.match(ready.json.problems.join(), 'the disk has not answered');
  }, 10_000);
  const refused = await client.post('/api/cms/posts', { slug: 'behind', data: { title: 'x' } });
  assert.is(refused.status, 503);
  assert.is(refused.json.code, 'unavailable');
  for (const reply of await Promise.all(waiting)) {
    assert.is(reply.status, 503);
    assert.is(reply.json.code, 'outcome_unknown');
  }
  for (const { status } of await Promise.all(others)) assert.is(status, 503);
  assert.ok(performance.now() - startedMs < IN_TIME_MS);
  // Files are read in separate threads.
  assert.is((await client.get('/api/cms/posts/w1')).json.data.title, 'old');
  assert.is((await client.get('/uploads/documents/note.txt')).status, 200);
  assert.is((await client.get('/api/search?q=old')).status, 200);
  assert.is((await client.get('/healthz')).status, 200);

  disk.thaw();
  await eventually(async () => assert.is((await client.get('/readyz')).status, 200), 10_000);
  for (let n = 0; n < WRITERS; n++) {
    const body = { slug: `late${n}`, data: { title: 'x' } };
    // 409 until the first request has ended.
    await eventually(async () => {
      const again = await client.post('/api/cms/posts', body, { 'idempotency-key': `k${n}` });
      assert.is(again.status, 200, again.text);
    }, 10_000);
  }
  const { documents } = (await client.get('/api/cms/posts?limit=1000&fields=title')).json;
  assert.is(documents.length, 3 + WRITERS);
  assert.is((await service.stop()).code, 0);
  const ids = (await git(place.repository, 'log', '--format=%(trailers:key=Document-Id,valueonly,separator=)', 'main'))
    .split('\n')
    .filter(Boolean);
  assert.is(ids.length, 3 + WRITERS, 'one commit each');
});

test.run();
