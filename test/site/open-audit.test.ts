// The audit as a file: appended, bounded, whole lines only, and shared with the command line.
import { appendFileSync, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditEntry } from '../../src/site/audit-entry.ts';
import { watchDisk } from '../support/synced-disk.ts';
import { ADA, listAll, makePlace } from './world.ts';

function entry(target: string, site: string | null = null): Omit<AuditEntry, 'id' | 'at'> {
  return { site, actor: ADA, action: 'user.added', target, changes: [{ key: 'email', before: null, after: target }] };
}

test('entries are listed newest first, in pages, and those that are not wanted do not count', async () => {
  using place = makePlace();
  const audit = place.audit();
  for (const target of ['a', 'b', 'c']) await audit.record(entry(target, target === 'b' ? 'other' : null));
  const page = await audit.list({ isWanted: ({ site }) => site === null, limit: 1, offset: 1 });
  assert.is(page.total, 2);
  assert.equal(
    page.entries.map(({ target }) => target),
    ['a'],
  );
  assert.is(page.entries[0]?.at, '2026-01-02T03:04:05.678Z');
  assert.is(statSync(path.join(place.folder, 'audit.jsonl')).mode & 0o777, 0o600);
});

test('what a crash left of a line is cut off, and the lines around it stay', async () => {
  using place = makePlace();
  const file = path.join(place.folder, 'audit.jsonl');
  await place.audit().record(entry('a'));
  appendFileSync(file, '{"id":"torn","actor":{"name":"Gr\u00fc');
  assert.is((await listAll(place.audit())).length, 1);
  await place.audit().record(entry('b'));
  assert.equal(
    (await listAll(place.audit())).map(({ target }) => target),
    ['b', 'a'],
  );
  assert.not.match(readFileSync(file, 'utf8'), 'torn');
});

test('it never grows beyond two files of its size, and loses the oldest first', async () => {
  using place = makePlace();
  const audit = place.audit(2000);
  for (let n = 0; n < 40; n++) await audit.record(entry(`t${n}`));
  const sizes = ['audit.jsonl', 'audit.1.jsonl'].map((name) => statSync(path.join(place.folder, name)).size);
  for (const size of sizes) assert.ok(size > 0 && size <= 2000, String(size));
  const targets = (await listAll(audit)).map(({ target }) => target);
  assert.equal(
    targets,
    targets.map((_, index) => `t${39 - index}`),
  );
  assert.ok(targets.length > 8 && targets.length < 40, String(targets.length));
});

test('processes that append at once lose nothing of each other, nor when a file is full', async () => {
  using place = makePlace();
  // Twenty entries in two files, and no more room than that.
  const audits = Array.from({ length: 20 }, () => place.audit(3000));
  await Promise.all(audits.map((audit, n) => audit.record(entry(`t${n}`))));
  const entries = await listAll(audits[0]!);
  assert.is(new Set(entries.map(({ target }) => target)).size, 20);
  assert.is(entries.length, 20);
  assert.ok(statSync(path.join(place.folder, 'audit.1.jsonl')).size > 0);
});

test('a long value is cut', async () => {
  using place = makePlace();
  await place.audit().record({ ...entry('a'), changes: [{ key: 'url', before: null, after: 'x'.repeat(100_000) }] });
  assert.ok(statSync(path.join(place.folder, 'audit.jsonl')).size < 2000);
});

test('an entry is synced with its file before it is told to be there, also where a killed process had only written it', async () => {
  using place = makePlace();
  const folder = realpathSync(place.folder);
  using disk = await watchDisk(folder);
  const audit = place.audit(500);
  for (const target of ['a', 'b', 'c']) {
    await audit.record(entry(target));
    assert.equal(disk.unsynced(), [], target);
  }
  assert.ok(existsSync(path.join(folder, 'audit.1.jsonl')));
  const killed = audit.toEntry(entry('d'));
  appendFileSync(path.join(folder, 'audit.jsonl'), `${JSON.stringify(killed)}\n`);
  const before = disk.syncs;
  await audit.append([killed]);
  // The file and its folder, though nothing was to be written.
  assert.is(disk.syncs, before + 2);
  assert.is((await listAll(audit)).filter(({ target }) => target === 'd').length, 1);
});

test('an entry whose sync failed is told to nobody, and is there once after the next try', async () => {
  for (const n of [1, 2]) {
    using place = makePlace();
    using disk = await watchDisk(realpathSync(place.folder));
    const audit = place.audit();
    const told = audit.toEntry(entry('a'));
    disk.failingSync = n;
    const refusal = await audit.append([told]).catch((error) => error);
    assert.is((refusal as NodeJS.ErrnoException | undefined)?.code, 'EIO', `sync ${n}`);
    await audit.append([told]);
    assert.equal(disk.unsynced(), [], `behind sync ${n}`);
    assert.is((await listAll(audit)).length, 1);
  }
});

test.run();
