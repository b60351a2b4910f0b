// Only its owner may enter the data folder, whatever it was before, nor read anything made in it.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makePlace, setUp } from '../support/process.ts';

test('a data folder that was open to others is private after a start, with everything the service makes in it', async () => {
  await using place = makePlace();
  mkdirSync(place.dataDir, { recursive: true });
  chmodSync(place.dataDir, 0o755);
  const before = process.umask(0o022);
  try {
    const service = await place.start();
    const client = service.client(await setUp(service));
    assert.is((await client.post('/api/cms/posts', { slug: 'a', data: {} })).status, 200);
    assert.is((await client.post('/api/admin/backups', {})).status, 200);
    const isReported = service.log().some(({ level, msg }) => level === 40 && /open to others/.test(String(msg)));
    assert.ok(isReported, service.stdout);
    const isRoot = service.log().some(({ level, msg }) => level === 40 && /runs as root/.test(String(msg)));
    assert.is(isRoot, process.getuid?.() === 0);
    await service.stop();
  } finally {
    process.umask(before);
  }
  assert.is(statSync(place.dataDir).mode & 0o777, 0o700);
  const open = readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);
  assert.equal(open, []);
});

test.run();
