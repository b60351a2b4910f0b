// Replaced packs with the service's own times: they stay for a minute, so that an `fsck` or a clone by path does not trip.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRetiredPacks } from '../../../src/store/packs/retired-packs.ts';
import type { DiskWork } from '../../../src/store/repository/disk-work.ts';
import { createMemoryDisk } from '../../support/memory-disk.ts';

test('a replaced pack stays for a minute, and goes then', async () => {
  const real = performance.now;
  let offMs = 0;
  performance.now = () => real.call(performance) + offMs;
  try {
    const removed: unknown[] = [];
    const work = (async (name: string, names: unknown) => {
      if (name === 'removePacksAside') removed.push(names);
    }) as unknown as DiskWork;
    const disk = { ...createMemoryDisk(), roomBytes: () => 1 << 30, syncFolderApart: async () => undefined };
    const retired = createRetiredPacks({
      ...{ disk, work, folder: '/content.git/objects/pack', lookMs: 0 },
      readers: { look: async () => false, hasBegun: () => false },
      onChanged: () => undefined,
      warn: (message) => assert.unreachable(message),
    });
    retired.retire(['pack-a'], 'pack-b');
    offMs = 59_000;
    await retired.look();
    assert.equal([retired.has('pack-a'), removed], [true, []]);
    offMs = 60_001;
    await retired.look();
    assert.equal([retired.has('pack-a'), removed], [false, [['pack-a']]]);
    await retired.close();
  } finally {
    performance.now = real;
  }
});

test.run();
