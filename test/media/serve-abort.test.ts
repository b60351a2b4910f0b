import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { download } from '../support/download.ts';
import { eventually } from '../support/process.ts';
import { gif, upload } from '../support/upload.ts';
import { makeWorld } from '../support/world.ts';

test('clients that leave in the middle of a file leave no open file behind', async () => {
  await using world = await makeWorld();
  const { json } = await upload(world.admin, 'huge.gif', Buffer.concat([gif(), Buffer.alloc(3 << 20, 1)]));
  const url: string = json.url;
  const openFiles = (): number => readdirSync('/proc/self/fd').length;
  await download(world, url);
  const before = openFiles();
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      Array.from({ length: 25 }, (_, i) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const req = get({ host: '127.0.0.1', port: world.port, path: url, agent: false }, (res) => {
          if (i % 2 === 0) res.once('data', () => req.destroy());
          else req.destroy();
        });
        req.on('close', () => resolve());
        req.on('error', () => undefined); // we left
        // Some leave before they are answered at all.
        if (i % 5 === 4) setImmediate(() => req.destroy());
        return promise;
      }),
    );
  }
  await eventually(() => assert.ok(openFiles() <= before + 2, `${openFiles()} open files, ${before} before`), 15_000);
});

test.run();
