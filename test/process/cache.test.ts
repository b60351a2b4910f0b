// The service keeps its compiled code in the data folder: later starts use it, and can do without it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, makePlace, setUp } from '../support/process.ts';

/** Compiling takes long while other tests have the processors. */
const readyMs = 60_000;

test('compiled code is kept for the next start, only its owner may read it, and damage to it does no harm', async () => {
  await using place = makePlace({ readyMs });
  const cache = join(place.dataDir, 'cache');
  // A first start that is killed leaves files in the temporary folder.
  const start = () => place.start({ NODE_COMPILE_CACHE: '', TMPDIR: place.folder });
  let service = await start();
  await setUp(service);
  assert.is(statSync(place.dataDir).mode & 0o077, 0);
  // The first start strips types in a program before it, and in no thread of the service.
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

test('a start that fails leaves nothing, neither in an empty folder nor in the temporary one, and touches no other program’s cache', async () => {
  await using place = makePlace({ readyMs, config: { collections: 7 } });
  const temporary = join(place.folder, 'tmp');
  mkdirSync(temporary);
  const fail = () => place.start({ NODE_COMPILE_CACHE: '', TMPDIR: `${temporary}/` }).then(() => '', String);
  assert.match(await fail(), /collections/);
  assert.equal([existsSync(place.dataDir), readdirSync(temporary)], [false, []]);

  mkdirSync(join(place.dataDir, 'cache'), { recursive: true });
  writeFileSync(join(place.dataDir, 'cache', 'mine'), 'of another program');
  assert.match(await fail(), /is not a data folder/);
  assert.equal(readdirSync(place.dataDir, { recursive: true }), ['cache', join('cache', 'mine')]);
  assert.equal(readdirSync(temporary), []);
});

test('no thread strips types, neither on a first start nor on a start without the cache', async () => {
  await using place = makePlace({ readyMs });
  const temporary = join(place.folder, 'tmp');
  mkdirSync(temporary);
  const cache = join(place.dataDir, 'cache');
  for (const round of ['first', 'without']) {
    const service = await place.start({
      NODE_COMPILE_CACHE: '',
      TMPDIR: temporary,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    });
    await eventually(() => assert.ok(existsSync(cache), round), 10_000);
    await eventually(() => assert.equal(readdirSync(temporary), [], round), 10_000);
    await service.kill();
    const said = `${service.stdout}${service.stderr}`.split('\n');
    const stripped = said.filter((line) => /for StrippedTypeScript .*no such file/.test(line));
    assert.equal(
      stripped.filter((line) => line.includes('/src/')),
      [],
      round,
    );
    assert.ok(
      said.some((line) => /for StrippedTypeScript .*serve\.ts\.\.\. ?success/.test(line)),
      round,
    );
    rmSync(cache, { recursive: true });
  }
});

test.run();
