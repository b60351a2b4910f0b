// What the service compiled is kept beside its data: later starts use it, and do without it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, makePlace, setUp } from '../support/process.ts';

test('what a start compiled is kept for the next one, nobody else may read it, and damage to it is no harm', async () => {
  await using place = makePlace();
  const cache = join(place.dataDir, 'cache');
  const start = () => place.start({ NODE_COMPILE_CACHE: '' });
  let service = await start();
  await setUp(service);
  assert.is(statSync(place.dataDir).mode & 0o077, 0);
  // The first start has what strips types run before it, and in no thread of its own.
  await eventually(() => assert.ok(existsSync(cache)), 10_000);
  assert.equal(
    readdirSync(place.dataDir).filter((name) => name.includes('.tmp-')),
    [],
  );
  await service.kill();

  service = await start();
  const list = () =>
    readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  await eventually(() => assert.ok(existsSync(cache) && list().length > 100), 10_000);
  await service.kill();

  for (const damage of [0, 1]) {
    for (const file of list()) {
      const bytes = readFileSync(file);
      bytes.subarray(100, 300).fill(0x55);
      writeFileSync(file, damage ? 'hello' : bytes);
    }
    service = await start();
    assert.is((await service.client().get('/healthz')).status, 200);
    await service.kill();
  }
  rmSync(cache, { recursive: true });
  service = await start();
  assert.is((await service.client().get('/healthz')).status, 200);
});

test.run();
