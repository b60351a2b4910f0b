// Until the branch reaches a pack, a .keep guards it from `git repack -ad`; afterwards, and after a crash, none of ours
// is left, and those of others stay.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createThreadPacker } from '../../../src/store/packs/packer-thread.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

test('a start removes the .keep files that a crash of ours left, and no others', async () => {
  await using world = makeStoreWorld();
  const packs = path.join(world.repository, 'objects', 'pack');
  const keeps = (): string[] => fs.readdirSync(packs).filter((name) => name.endsWith('.keep'));
  const packer = createThreadPacker(packs);
  let seen: string[] = [];
  const store = world.open({
    packer: {
      ...packer,
      async pack(batch) {
        const result = await packer.pack(batch);
        seen = keeps();
        return result;
      },
    },
  });
  await write(store, { a: '1' });
  await store.log.flush();
  assert.is(seen.length, 1);
  assert.equal(keeps(), []);
  await store.close();

  const pack = fs
    .readdirSync(packs)
    .find((name) => name.endsWith('.pack'))!
    .replace('.pack', '');
  const ours = 'colophon: not under the branch yet\n';
  fs.writeFileSync(path.join(packs, `${pack}.keep`), ours);
  fs.writeFileSync(path.join(packs, `colophon_new_keep_pack-${'1'.repeat(40)}`), ours.slice(0, 9));
  fs.writeFileSync(path.join(packs, `pack-${'2'.repeat(40)}.keep`), 'an operator wants this');
  await world.open().close();
  assert.equal(keeps(), [`pack-${'2'.repeat(40)}.keep`]);
  assert.equal(
    fs.readdirSync(packs).filter((name) => name.startsWith('colophon_new_')),
    [],
  );

  fs.rmSync(path.join(packs, keeps()[0]!));
  fs.writeFileSync(path.join(packs, `${pack}.keep`), '');
  await world.open().close();
  assert.equal(keeps(), [`${pack}.keep`]);
});

test.run();
