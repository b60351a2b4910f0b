// Bytes that arrive before their commit: they wait for it a day, and no longer.
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempDisposableSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openBytes } from '../../../src/media/bytes/open-bytes.ts';
import type { FindNamed } from '../../../src/media/bytes/unnamed-bytes.ts';
import { WAITING_MS } from '../../../src/media/bytes/waiting-bytes.ts';

const NOTHING: FindNamed = async () => ({ named: new Set(), lasting: new Set() });

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
  const bytes = await world.open();
  assert.equal(await bytes.sweepUnnamed(NOTHING), { files: 0, bytes: 0 });
  assert.is(await bytes.has(sha256), true);
  world.later();
  assert.equal(await bytes.sweepUnnamed(NOTHING), { files: 1, bytes: 11 });
  assert.is(await bytes.has(sha256), false);
  assert.equal(world.marks(), []);
});

test('bytes that a commit names stay, even if a later commit removes the file', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const [named, current] = [await world.keep('named once'), await world.keep('in the newest state')];
  world.needed.add(current);
  world.later();
  const bytes = await world.open();
  const asked: string[] = [];
  const find: FindNamed = async (hashes) => {
    asked.push(...hashes);
    return { named: new Set([named]), lasting: new Set([named]) };
  };
  for (const _ of [1, 2]) assert.equal(await bytes.sweepUnnamed(find), { files: 0, bytes: 0 });
  assert.equal(asked, [named], 'nobody asks again about what stays for good');
  assert.is(await bytes.has(named), true);
  assert.is(await bytes.has(current), true);
  assert.equal(world.marks(), []);
});

test('bytes of a proposal stay for as long as it names them', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const sha256 = await world.keep('proposed');
  world.later();
  const bytes = await world.open();
  await bytes.sweepUnnamed(async () => ({ named: new Set([sha256]), lasting: new Set() }));
  assert.is(await bytes.has(sha256), true);
  await bytes.sweepUnnamed(NOTHING);
  assert.is(await bytes.has(sha256), false);
});

test('bytes without a mark go too, as those of a refused push of an older version', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const folder = join(temporary.path, 'media');
  const world = await makeBytes(folder);
  const sha256 = await world.keep('unmarked');
  rmSync(join(folder, 'waiting', sha256));
  world.later();
  const bytes = await world.open();
  await bytes.sweepUnnamed(NOTHING);
  assert.is(await bytes.has(sha256), false);
});

test('a push that names old bytes while they are looked for keeps them', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const sha256 = await world.keep('named in this second');
  const longAgo = new Date(Date.now() - WAITING_MS - 60_000);
  for (const file of [join('waiting', sha256), join(sha256.slice(0, 2), sha256.slice(2, 4), sha256)]) {
    utimesSync(join(temporary.path, 'media', file), longAgo, longAgo);
  }
  const bytes = await world.open();
  await bytes.sweepUnnamed(async () => {
    await bytes.noteNamed(sha256);
    return { named: new Set(), lasting: new Set() };
  });
  assert.is(await bytes.has(sha256), true);
});

test('if the commits cannot be read, all bytes stay', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-waiting-'));
  const world = await makeBytes(join(temporary.path, 'media'));
  const sha256 = await world.keep('who knows');
  world.later();
  const bytes = await world.open();
  const failed = await bytes.sweepUnnamed(() => Promise.reject(new Error('damaged'))).catch((error) => error.message);
  assert.is(failed, 'damaged');
  assert.is(await bytes.has(sha256), true);
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
  await bytes.sweepUnnamed(NOTHING);
  assert.is(await bytes.has(sha256), true);
});

test.run();
