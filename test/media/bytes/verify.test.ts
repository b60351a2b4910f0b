// Media verified against the repository.
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyBeside, verifySite } from '../../../src/sites/verify-site.ts';
import { gif, sha256, upload } from '../../support/upload.ts';
import { makeWorld } from '../../support/world.ts';

test('damaged and missing bytes are problems', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif(1));
  await upload(world.admin, 'b.gif', gif(2));
  const { config, media, id, org } = world.site();
  const folder = `${world.dataDir}/sites/default`;
  const [kept, missing] = [media.bytesPath(sha256(gif(1))), media.bytesPath(sha256(gif(2)))];
  assert.equal(await media.verify(), { problems: [], warnings: [] });

  const bytes = readFileSync(kept);
  bytes[bytes.length >> 1]! ^= 1;
  chmodSync(kept, 0o644);
  writeFileSync(kept, bytes);
  rmSync(missing);
  const copy = mkdtempSync(join(tmpdir(), 'colophon-copy-'));
  await world.site().store.log.flush();
  cpSync(folder, copy, { recursive: true });
  const { problems, warnings } = await verifySite({ id, org, config, folder: copy });
  assert.equal(warnings, []);
  for (const found of [problems, (await verifyBeside({ folder: copy, config })).problems]) {
    assert.is(found.length, 2, found.join());
    assert.match(found[0]!, /^media\/images\/a\.gif: its bytes are damaged/);
    assert.match(found[1]!, /^media\/images\/b\.gif: its bytes are missing/);
  }
  rmSync(copy, { recursive: true });
});

test.run();
