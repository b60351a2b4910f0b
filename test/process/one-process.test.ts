// One process on a data folder.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makePlace, setUp } from '../support/process.ts';

const EX_TEMPFAIL = 75;

test('a second process on the same data folder names the first one and ends', async () => {
  await using place = makePlace();
  const first = await place.start();
  const cookie = await setUp(first);
  const alias = join(place.folder, 'alias');
  symlinkSync(place.dataDir, alias);
  for (const dataDir of [place.dataDir, alias]) {
    const second = place.spawn({ CMS_DATA_DIR: dataDir });
    const { code } = await second.exited;
    assert.is(code, EX_TEMPFAIL);
    assert.is(second.stderr.trim(), `data folder is in use by process ${first.pid}`);
    assert.not.match(second.stdout, /listening/);
  }
  assert.is((await first.client(cookie).post('/api/cms/posts', { data: {} })).status, 200);
});

test('a killed process frees the data folder at once', async () => {
  await using place = makePlace();
  for (let round = 0; round < 3; round++) {
    const service = await place.start();
    assert.is((await service.client().get('/readyz')).status, 200);
    await service.kill();
  }
});

test('if several processes start at once, one serves, and the others name it', async () => {
  await using place = makePlace();
  await (await place.start()).kill();
  const starting = Array.from({ length: 4 }, () => place.spawn());
  const serving = await Promise.any(starting.map(({ ready }) => ready));
  for (const one of starting) {
    if (one.pid === serving.pid) continue;
    assert.is((await one.exited).code, EX_TEMPFAIL);
    assert.is(one.stderr.trim(), `data folder is in use by process ${serving.pid}`);
  }
  assert.is((await serving.client().get('/readyz')).status, 200);
});

test.run();
