// Bytes that arrive before their commit: they wait for it a day, and no longer.
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempDisposableSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openBytes } from '../../../src/media/bytes/open-bytes.ts';
import { WAITING_MS } from '../../../src/media/bytes/waiting-bytes.ts';

async function makeBytes(folder: string) {
  const needed = new Set<string>();
  let nowMs = Date.now();
  const open = () => openBytes({ folder, isNeeded: (sha256) => needed.has(sha256), nowMs: () => nowMs });
  mkdirSync(folder, { recursive: true });
  return {
    needed,
    open,
    later: () => void (nowMs += WAITING_MS + 60_000),
    async keep(text: string): Promise<string> {
      const bytes = await open();
      const { folder: own, end } = await bytes.receive();
      const path = join(own, 'object');
      writeFileSync(path, text);
      const sha256 = hash('sha256', text);
      await bytes.keep({ path, sha256, sizeBytes: Buffer.byteLength(text) });
      await end();
      return sha256;
    },
    marks: () => readdirSync(join(folder, 'waiting')),
  };
}

test('bytes without a commit survive a start, and are gone a day later', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const sha256 = await world.keep('never named');
  assert.is(await (await world.open()).has(sha256), true);
  world.later();
  assert.is(await (await world.open()).has(sha256), false);
  assert.equal(world.marks(), []);
});

test('bytes that a commit names stay, even if a later commit removes the file', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const [named, current] = [await world.keep('named once'), await world.keep('in the newest state')];
  await (await world.open()).noteNamed(named);
  world.needed.add(current);
  world.later();
  const bytes = await world.open();
  assert.is(await bytes.has(named), true);
  assert.is(await bytes.has(current), true);
  assert.equal(world.marks(), []);
});

test('bytes that are sent again wait another day', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const folder = join(temporary.path, 'media');
  const world = await makeBytes(folder);
  const sha256 = await world.keep('twice');
  const longAgo = new Date(Date.now() - WAITING_MS + 60_000);
  utimesSync(join(folder, 'waiting', sha256), longAgo, longAgo);
  await world.keep('twice');
  const bytes = await openBytes({ folder, isNeeded: () => false, nowMs: () => Date.now() + 2 * 60_000 });
  assert.is(await bytes.has(sha256), true);
});

test.run();
