// The device that forgets: what a power cut leaves of its writes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDevice, SECTOR_BYTES } from '../../scripts/power/device.ts';
import { createRandom } from '../support/random.ts';

const SIZE = 1 << 20;
const SEEDS = Array.from({ length: 40 }, (_, n) => n + 1);
const filled = (length: number, value: number): Buffer => Buffer.alloc(length, value);

test('a write is read back, across the edges of pages, and zeros elsewhere', () => {
  const device = createDevice(SIZE);
  device.write(65_000, filled(2000, 7));
  assert.equal(device.read(64_999, 2002), Buffer.concat([filled(1, 0), filled(2000, 7), filled(1, 0)]));
  device.clear(65_100, 10);
  assert.equal(device.read(65_099, 12), Buffer.concat([filled(1, 7), filled(10, 0), filled(1, 7)]));
  assert.throws(() => device.read(SIZE - 1, 2));
  assert.throws(() => device.write(SIZE, filled(1, 1)));
});

test('a cut loses nothing that was flushed', () => {
  for (const seed of SEEDS) {
    const device = createDevice(SIZE);
    for (let n = 0; n < 20; n++) device.write(n * 5000, filled(3000, n + 1));
    device.flush();
    device.write(0, filled(10, 99));
    const { device: left } = device.cut(createRandom(seed));
    for (let n = 1; n < 20; n++) assert.equal(left.read(n * 5000, 3000), filled(3000, n + 1));
  }
});

test('a cut leaves any part of what was not flushed, sector by sector, and the same part for the same seed', () => {
  const outcomes = new Set<string>();
  let torn = 0;
  for (const seed of SEEDS) {
    const device = createDevice(SIZE);
    for (let n = 0; n < 4; n++) device.write(n * 8192, filled(4096, n + 1));
    const once = device.cut(createRandom(seed));
    const again = device.cut(createRandom(seed));
    assert.equal(once.device.read(0, 65_536), again.device.read(0, 65_536));
    assert.is(once.kept + once.torn + once.lost, 4);
    torn += once.torn;
    for (let n = 0; n < 4; n++) {
      for (let at = 0; at < 4096; at += SECTOR_BYTES) {
        const sector = once.device.read(n * 8192 + at, SECTOR_BYTES);
        assert.ok(
          sector.equals(filled(SECTOR_BYTES, 0)) || sector.equals(filled(SECTOR_BYTES, n + 1)),
          'a sector is whole',
        );
      }
    }
    outcomes.add(`${once.kept} ${once.torn} ${once.lost}`);
  }
  assert.ok(outcomes.size > 5 && torn > 0, [...outcomes].join());
});

test('an older write to the same place never replaces a newer one', () => {
  for (const seed of SEEDS) {
    const device = createDevice(SIZE);
    device.write(0, filled(SECTOR_BYTES, 1));
    device.write(4096, filled(SECTOR_BYTES, 5));
    device.write(0, filled(SECTOR_BYTES, 2));
    const { device: left, kept } = device.cut(createRandom(seed));
    if (kept === 3) assert.is(left.read(0, 1)[0], 2);
  }
});

test('a write that is durable by itself makes no other one durable', () => {
  const device = createDevice(SIZE);
  device.write(0, filled(1024, 1));
  device.write(8192, filled(512, 2), { isDurable: true });
  device.write(0, filled(512, 3), { isDurable: true });
  assert.is(device.loose, 0, 'the writes below it are older');
  device.write(16_384, filled(512, 4));
  const values = new Set<number>();
  for (const seed of SEEDS) {
    const { device: left } = device.cut(createRandom(seed));
    assert.equal(left.read(8192, 512), filled(512, 2));
    assert.equal(left.read(0, 512), filled(512, 3));
    values.add(left.read(16_384, 1)[0]!);
  }
  assert.equal([...values].sort(), [0, 4]);
});

test.run();
