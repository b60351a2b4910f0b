// Kills the service while it makes variants: the next one serves whole ones, whatever was being written.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { download } from '../support/download.ts';
import { makePlace, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { MULTIPART, multipart } from '../support/upload.ts';

const ROUNDS = 4;
const WIDTHS = Array.from({ length: 24 }, (_, i) => 900 - i * 20);

test(`variants are whole after each of ${ROUNDS} kills while they are made`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = await sharp({ create: { width: 1200, height: 800, channels: 3, background: 'red', noise } })
    .png()
    .toBuffer();
  const folder = join(place.dataDir, 'sites/default/index/variants');
  const kept = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  let service = await place.start();
  const cookie = await setUp(service);
  const body = multipart([{ name: 'file', filename: 'a.png', content: photo }]);
  const headers = { cookie, ...MULTIPART };
  assert.is((await fetch(`${service.url}/api/upload`, { method: 'POST', headers, body })).status, 200);

  const ask = (width: number) =>
    download({ port: Number(new URL(service.url).port) }, `/uploads/images/a.png?w=${width}&format=jpeg`);
  for (let round = 1; round <= ROUNDS; round++) {
    const asking = WIDTHS.map((width) => ask(width).catch(() => undefined)); // it is killed
    await later(random.whole(20, 400));
    await service.kill();
    await Promise.all(asking);
    service = await place.start();
    for (const width of WIDTHS.filter(() => random.next() < 0.3)) {
      const { status, bytes } = await ask(width);
      assert.is(status, 200);
      // Every pixel is read: a torn one has none at its end.
      const { info } = await sharp(bytes, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
      assert.is(info.width, width);
    }
    await ask(WIDTHS[0]!);
    assert.equal(
      kept().filter((name) => !/^[0-9a-f]{64}-\d+x0-inside-q80-v\d+\.jpeg$/.test(name)),
      [],
    );
  }
  // A shutdown in the middle of them is as quick as any other.
  const asking = WIDTHS.map((width) => ask(width - 1).catch(() => undefined));
  await later(200);
  const { code, afterMs } = await service.stop();
  await Promise.all(asking);
  assert.is(code, 0);
  assert.ok(afterMs < 20_000, `${afterMs} ms`);
});

test.run();
