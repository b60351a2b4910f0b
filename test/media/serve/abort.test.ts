import { readdirSync, readlinkSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCode } from '../../../src/lib/error-code.ts';
import { download } from '../../support/download.ts';
import { eventually } from '../../support/process.ts';
import { gif, upload } from '../../support/upload.ts';
import { makeWorld } from '../../support/world.ts';

test('clients that leave in the middle of a file leave no open file behind', async () => {
  await using world = await makeWorld();
  const { json } = await upload(world.admin, 'huge.gif', Buffer.concat([gif(), Buffer.alloc(3 << 20, 1)]));
  const url: string = json.url;
  const folder = join(world.dataDir, 'sites', 'default', 'media');
  /** Only media files: those of packs and threads come and go. */
  const openFiles = (): string[] =>
    readdirSync('/proc/self/fd')
      .map(targetOf)
      .filter((file) => file.startsWith(folder));
  await download(world, url);
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, openFiles().length)), 10);
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      Array.from({ length: 25 }, (_, i) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const req = get({ host: '127.0.0.1', port: world.port, path: url, agent: false }, (res) => {
          if (i % 2 === 0) res.once('data', () => req.destroy());
          else req.destroy();
        });
        req.on('close', () => resolve());
        req.on('error', () => undefined); // we closed it
        // Some leave before they get any answer.
        if (i % 5 === 4) setImmediate(() => req.destroy());
        return promise;
      }),
    );
  }
  await eventually(() => assert.equal(openFiles(), []), 15_000);
  clearInterval(timer);
  assert.ok(peak > 0, 'no open file was ever seen');
});

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    // Skips the descriptor that lists the folder, and those closed meanwhile.
    if (!isCode(error, 'ENOENT')) throw error;
    return '';
  }
}

test.run();
