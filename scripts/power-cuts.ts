// Power cuts on a real file system: `sudo npm run power-cuts -- --fs ext4 --cuts 10 --seed 1`. The service runs on a
// disk that forgets what was not flushed (scripts/power/), writers write, the power is cut; the file system replays its
// journal, the service starts on what is left, and everything that was answered must be there. Ends with 1 if it is
// not, and with 69 if this machine lacks something for it, which is printed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nextTurn } from '../src/lib/queues/slices.ts';
import { createRandom } from '../test/support/random.ts';
import { attach, DEVICE_BYTES, FILE_SYSTEMS, listMissing } from './power/attached-disk.ts';
import { createDevice, type Device } from './power/device.ts';
import { createTenant } from './power/tenant.ts';

const EX_UNAVAILABLE = 69;
/** The power is cut when this many writes of the disk are not flushed, or after a while. */
const MOST_LOOSE = 30;
const WAIT_MS = 500;

const { values } = parseArgs({
  options: {
    fs: { type: 'string', default: 'ext4' },
    cuts: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    writers: { type: 'string', default: '8' },
  },
});

const fileSystem = FILE_SYSTEMS.find((name) => name === values.fs);
if (!fileSystem) throw new Error(`there is no file system "${values.fs}"; there are: ${FILE_SYSTEMS.join(', ')}`);
console.log(`power cuts: --fs ${fileSystem} --cuts ${values.cuts} --seed ${values.seed}`);
const missing = await listMissing(fileSystem);
if (missing.length) {
  console.log(`not run, this machine lacks: ${missing.join(', ')}`);
  process.exit(EX_UNAVAILABLE);
}

/** Waits for a moment in the middle of the file system's work, when there is something to lose. */
async function untilLoose(disk: Device, count: number): Promise<void> {
  const until = performance.now() + WAIT_MS;
  while (disk.loose < count && performance.now() < until) await nextTurn();
}

const random = createRandom(Number(values.seed));
const root = mkdtempSync(join(tmpdir(), 'colophon-power-'));
let device = createDevice(DEVICE_BYTES);
let disk = await attach(device, fileSystem, join(root, '0'), { isNew: true });
await using tenant = await createTenant({ random, writers: Number(values.writers) });
/** Also on a signal, no loop device and no mount is left behind. */
async function clear(): Promise<void> {
  await tenant.die();
  await disk.detach();
  rmSync(root, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void clear().finally(() => process.exit(1)));
}

try {
  await tenant.moveIn(disk.folder);
  for (let n = 1; n <= Number(values.cuts); n++) {
    await tenant.writeFor(random.whole(300, 3000));
    await untilLoose(device, random.whole(1, MOST_LOOSE));
    // At once: answers from here on do not count.
    tenant.stopCounting();
    const { device: left, ...counts } = device.cut(random);
    disk.cutPower();
    const { flushes } = device;
    await tenant.die();
    await disk.detach();
    device = left;
    disk = await attach(device, fileSystem, join(root, String(n)));
    await tenant.moveIn(disk.folder);
    const problems = await tenant.check();
    const what = `${counts.kept} writes of the disk kept, ${counts.torn} torn, ${counts.lost} lost, ${flushes} flushes`;
    console.log(`cut ${n}: ${what}; ${tenant.answered} answered changes so far, ${problems.length || 'no'} problems`);
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
    if (problems.length) {
      process.exitCode = 1;
      break;
    }
  }
} finally {
  await clear();
}
