// What is left open if part of a site cannot be opened: nothing.
import { mkdirSync, mkdtempDisposableSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { type OperationsParts, openOperations } from '../../src/sites/open-operations.ts';
import { openSite } from '../../src/sites/open-site.ts';
import { eventually } from '../support/process.ts';
import { CONFIG } from '../support/world.ts';

/** Files below the folder that this process has open. */
function openFilesBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(`${folder}/`) ? [file] : [];
    } catch (error) {
      // The descriptor of the listing itself.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

test('a site whose backups cannot be opened leaves nothing open', async () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'colophon-operations-'));
  const folder = root.path;
  mkdirSync(join(folder, '_data/deliveries'), { recursive: true });
  writeFileSync(join(folder, '_data/deliveries/journal'), '');
  writeFileSync(join(folder, '_data/backups'), 'a file where a folder is expected');
  const config = parseConfig(CONFIG);
  const site = await openSite({ id: 'default', org: 'default', config, folder, onFatal: () => undefined });
  const warned: string[] = [];
  const parts = {
    ...{ site, folder, env: { publicUrl: null }, variables: {}, now: () => new Date(0), elapsedMs: () => 0 },
    logger: { warn: (_: object, message: string) => void warned.push(message), info: () => undefined },
    ...{ audit: {}, resolve: () => Promise.resolve([]), mailer: {}, patterns: {} },
    ...{ mayAllowPrivate: () => false, mediaUrl: (slug: string) => slug },
  } as unknown as OperationsParts;
  await openOperations(parts).then(
    () => assert.unreachable('the backups were opened'),
    (error: NodeJS.ErrnoException) => assert.is(error.code, 'ENOTDIR'),
  );
  await eventually(() => assert.equal(openFilesBelow(folder), []), 2000);
  assert.equal(warned, []);
});

test.run();
