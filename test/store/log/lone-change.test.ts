// What a single change costs the disk: everything written below the site's folder, counted in pages as the kernel does.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDisk, type FileCalls } from '../../../src/store/disk/disk.ts';
import { deflate } from '../../../src/store/git/pack-entry.ts';
import { createMaintenance } from '../../../src/store/maintenance/maintenance.ts';
import { createInlineMerger } from '../../../src/store/maintenance/thread.ts';
import { createInlinePacker } from '../../../src/store/packs/packer-thread.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

const PAGE = 4096;
const MOST_BYTES = 64 << 10;

/** The disk, and the bytes of the pages that were written. */
function createCountingDisk() {
  let bytes = 0;
  const count = (length: number, position: number): void => {
    bytes += (Math.floor((position + length - 1) / PAGE) - Math.floor(position / PAGE) + 1) * PAGE;
  };
  const calls: FileCalls = {
    ...(fs as unknown as FileCalls),
    writeSync(fd, buffer, offset, length, position) {
      count(length, position ?? 0);
      return fs.writeSync(fd, buffer, offset, length, position);
    },
    write(fd, buffer, offset, length, position, done) {
      count(length, position);
      fs.write(fd, buffer, offset, length, position, done);
    },
  };
  return { disk: createDisk(calls), written: () => bytes };
}

const nameOf = (i: number): string => `content/posts/a-document-of-the-winter-list-${i}.json`;
const textOf = (i: number): string => `{\n  "n": ${i},\n  "text": "${`${i * 7919} words `.repeat(40)}"\n}\n`;

for (const { documents, changes } of [
  { documents: 1000, changes: 300 },
  { documents: 10_000, changes: 70 },
]) {
  test(`a single change in a folder of ${documents} documents writes little more than the folder's own tree`, async () => {
    await using world = makeStoreWorld();
    const { disk, written } = createCountingDisk();
    const packs = path.join(world.repository, 'objects', 'pack');
    const packer = createInlinePacker(disk, packs);
    const store = world.open({ disk, packer, retiredPacks: { lookMs: 0 } });
    const maintenance = createMaintenance({
      ...{ disk, repository: world.repository, packer, lookMs: 0 },
      ...{ merger: createInlineMerger(disk, packs), retired: store.retired },
      warn: (message) => void world.warnings.push(message),
    });
    await write(store, Object.fromEntries(Array.from({ length: documents }, (_, i) => [nameOf(i), textOf(i)])));
    await store.log.flush();
    const before = written();
    for (let i = 0; i < changes; i++) {
      await write(store, { [nameOf((i * 37) % documents)]: textOf(documents + i) });
      await store.log.flush();
      await maintenance.look();
    }
    const each = (written() - before) / changes;
    const tree = store.odb.get(world.git('rev-parse', 'main:content/posts').trim(), 'tree');
    const floor = deflate(tree).length;
    const allowed = Math.max(MOST_BYTES, floor * 1.25 + MOST_BYTES / 2);
    assert.ok(each <= allowed, `${Math.round(each)} bytes a change, of which ${floor} are the tree's`);
    assert.is(world.fsck(), '');
    assert.equal(world.warnings, []);
    await maintenance.close();
  });
}

test.run();
