// The audit as files: one trail for the service and one for each site, appended, bounded, with whole lines only, and
// shared with the command line.
import { appendFileSync, existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { ADA, listAll, makePlace, type Place } from '../settings/world.ts';
import { watchDisk } from '../support/synced-disk.ts';

type NewEntry = Omit<AuditEntry, 'id' | 'at'>;

function entry(target: string, site: string | null = null, action = 'user.added'): NewEntry {
  return { site, actor: ADA, action, target, changes: [{ key: 'email', before: null, after: target }] };
}

const targets = (entries: readonly AuditEntry[]) => entries.map(({ target }) => target);
const SMALL = { maxBytes: 8000, fileBytes: 1000 };
const DAY_MS = 86_400_000;
/** The command line, whose entries have no allowance. */
const NOBODY = { id: null, name: 'command line', email: '' };

/** Appends 60 entries, twelve days apart, so that the oldest may go. */
async function recordForYears(place: Place, audit: ReturnType<Place['audit']>, site: string | null, name: string) {
  for (let n = 0; n < 60; n++) {
    place.now = new Date(place.now.getTime() + 12 * DAY_MS);
    await audit.record({ ...entry(`t${n}`, site), actor: NOBODY });
    assert.ok(filesOf(place, name).bytes <= SMALL.maxBytes);
  }
}

/** The names of a trail's files, and their total size. */
function filesOf({ folder }: Place, name: string): { names: string[]; bytes: number } {
  const names = readdirSync(path.join(folder, path.dirname(name)))
    .filter((one) => one.startsWith(`${path.basename(name)}.`) && one.endsWith('.jsonl'))
    .sort();
  const sizes = names.map((one) => statSync(path.join(folder, path.dirname(name), one)).size);
  return { names, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

test('entries are listed newest first, in pages, separately for a site and for the service', async () => {
  using place = makePlace();
  const audit = place.audit();
  for (const target of ['a', 'b', 'c']) await audit.record(entry(target, target === 'b' ? 'other' : null));
  const page = await audit.list({ sites: [null], withTeam: true }, { limit: 1, offset: 1 });
  assert.is(page.total, 2);
  assert.equal(targets(page.entries), ['a']);
  assert.is(page.entries[0]?.at, '2026-01-02T03:04:05.678Z');
  assert.equal(targets(await listAll(audit, ['other'])), ['b']);
  assert.equal(await listAll(audit, ['nowhere']), []);
  for (const file of ['audit.jsonl', 'audit/other.jsonl']) {
    assert.is(statSync(path.join(place.folder, file)).mode & 0o777, 0o600);
  }
});

test('several trails are merged into one list by time, in pages and as a stream, with and without the team', async () => {
  using place = makePlace();
  const audit = place.audit({ ...SMALL, maxBytes: 1 << 20 });
  for (let n = 0; n < 12; n++) {
    place.now = new Date(Date.parse('2026-01-02T00:00:00.000Z') + n * 1000);
    await audit.record(entry(`t${n}`, n % 3 === 0 ? null : 'a', n % 2 === 0 ? 'user.changed' : 'settings.updated'));
  }
  const all = Array.from({ length: 12 }, (_, n) => `t${11 - n}`);
  assert.equal(targets(await listAll(audit, [null, 'a'])), all);
  const page = await audit.list({ sites: [null, 'a'], withTeam: true }, { limit: 3, offset: 4 });
  assert.equal([targets(page.entries), page.total], [all.slice(4, 7), 12]);
  const without = await audit.list({ sites: ['a'], withTeam: false }, { limit: 10, offset: 1 });
  assert.equal([targets(without.entries), without.total], [['t7', 't5', 't1'], 4]);
  const streamed = async (withTeam: boolean) => {
    let text = '';
    for await (const bytes of audit.stream({ sites: [null, 'a'], withTeam })) text += bytes;
    return targets(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  };
  assert.equal(await streamed(true), all.toReversed());
  assert.equal(await streamed(false), ['t1', 't3', 't5', 't7', 't9', 't11']);
});

test('a line that a crash left torn is truncated, and the lines around it stay', async () => {
  using place = makePlace();
  const file = path.join(place.folder, 'audit.jsonl');
  await place.audit().record(entry('a'));
  appendFileSync(file, '{"id":"torn","actor":{"name":"Gr\u00fc');
  assert.is((await listAll(place.audit())).length, 1);
  await place.audit().record(entry('b'));
  assert.equal(targets(await listAll(place.audit())), ['b', 'a']);
  assert.not.match(readFileSync(file, 'utf8'), 'torn');
});

test('a trail never exceeds its limit, and loses the oldest entries first', async () => {
  using place = makePlace();
  const audit = place.audit(SMALL);
  await recordForYears(place, audit, null, 'audit');
  const left = targets(await listAll(audit));
  assert.equal(
    left,
    left.map((_, index) => `t${59 - index}`),
  );
  assert.ok(left.length > 8 && left.length < 60, String(left.length));
  assert.equal(targets(await listAll(place.audit(SMALL))), left, 'also after it is opened again');
});

test('the entries of one site push out no entries of others', async () => {
  using place = makePlace();
  const audit = place.audit(SMALL);
  await audit.record(entry('service'));
  await audit.record(entry('b', 'b'));
  await recordForYears(place, audit, 'a', 'audit/a');
  assert.equal(targets(await listAll(audit)), ['service']);
  assert.equal(targets(await listAll(audit, ['b'])), ['b']);
});

test('entries older than 400 days are removed', async () => {
  using place = makePlace();
  const audit = place.audit();
  const day = (n: number) => new Date(Date.parse('2026-01-02T00:00:00.000Z') + n * DAY_MS);
  for (let n = 0; n < 1000; n += 10) {
    place.now = day(n);
    await audit.record(entry(`day ${n}`));
  }
  const left = targets(await listAll(audit));
  assert.ok(left.includes('day 600'), 'younger entries stay');
  assert.not.ok(left.includes('day 500'));
});

test('files of an earlier version are read, and each entry is listed for its own site', async () => {
  using place = makePlace();
  const line = (target: string, site: string | null) =>
    `${JSON.stringify({ id: target, at: '2026-01-01T00:00:00.000Z', ...entry(target, site) })}\n`;
  writeFileSync(path.join(place.folder, 'audit.1.jsonl'), line('a', null) + line('b', 'blog') + line('c', null));
  writeFileSync(path.join(place.folder, 'audit.jsonl'), line('d', 'blog') + line('e', null));
  const audit = place.audit();
  assert.equal(targets(await listAll(audit)), ['e', 'c', 'a']);
  assert.equal(targets(await listAll(audit, ['blog'])), ['d', 'b']);
  await audit.record(entry('f', 'blog'));
  assert.equal(targets(await listAll(audit, ['blog'])), ['f', 'd', 'b']);
  assert.equal(targets(await listAll(audit, ['blog', null])).sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
});

test('processes that append at once lose no entries, even when a file is full', async () => {
  using place = makePlace();
  const audits = Array.from({ length: 20 }, () => place.audit({ maxBytes: 1 << 20, fileBytes: 1000 }));
  await Promise.all(audits.map((audit, n) => audit.record(entry(`t${n}`))));
  const entries = await listAll(audits[0]!);
  assert.is(new Set(targets(entries)).size, 20);
  assert.is(entries.length, 20);
  assert.ok(filesOf(place, 'audit').names.length > 3);
});

test('a value over 1 KiB is recorded as its hash', async () => {
  using place = makePlace();
  const long = ['x'.repeat(1025), '\u00e9'.repeat(600), ['x'.repeat(2000)]];
  const short = ['x'.repeat(1024), ['y'], null];
  const changes = [...long, ...short].map((after, n) => ({ key: `k${n}`, before: after, after }));
  await place.audit().record({ ...entry('a'), changes });
  const recorded = (await listAll(place.audit()))[0]!.changes;
  for (const [n, { before, after }] of recorded.slice(0, 3).entries()) {
    assert.match(String(after), /^sha256:[0-9a-f]{64}$/, String(n));
    assert.is(after, before);
  }
  assert.equal(
    recorded.slice(3).map(({ after }) => after),
    short,
  );
});

test('a large audit is listed without blocking the event loop', async () => {
  using place = makePlace();
  const many = Array.from({ length: 40_000 }, (_, n) =>
    JSON.stringify({ id: `i${n}`, at: '2026-01-01T00:00:00.000Z', ...entry(`t${n}`) }),
  );
  for (const n of [1, 2, 3]) writeFileSync(path.join(place.folder, `audit.${n}.jsonl`), `${many.join('\n')}\n`);
  const audit = place.audit();
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const { total, entries } = await audit.list({ sites: [null], withTeam: true }, { limit: 2, offset: 60_000 });
  clearInterval(timer);
  assert.equal([total, targets(entries)], [120_000, ['t19999', 't19998']]);
  assert.ok(longest < 250, `${longest} ms`);
});

test('an entry is synced before it is acknowledged, even if a killed process had already written it', async () => {
  using place = makePlace();
  const folder = realpathSync(place.folder);
  using disk = await watchDisk(folder);
  const audit = place.audit({ maxBytes: 1 << 20, fileBytes: 500 });
  for (const target of ['a', 'b', 'c']) {
    await audit.record(entry(target));
    assert.equal(disk.unsynced(), [], target);
  }
  assert.ok(existsSync(path.join(folder, 'audit.1.jsonl')));
  const killed = audit.toEntry(entry('d'));
  appendFileSync(path.join(folder, 'audit.jsonl'), `${JSON.stringify(killed)}\n`);
  const before = disk.syncs;
  await audit.append([killed]);
  // The file, its folder and the end of its chain are synced, although nothing had to be written.
  assert.is(disk.syncs, before + 3);
  assert.is((await listAll(audit)).filter(({ target }) => target === 'd').length, 1);
});

test('an entry whose sync failed is not acknowledged, and is there once after the next try', async () => {
  for (const n of [1, 2]) {
    using place = makePlace();
    using disk = await watchDisk(realpathSync(place.folder));
    const audit = place.audit();
    const added = audit.toEntry(entry('a'));
    disk.failingSync = n;
    const refusal = await audit.append([added]).catch((error) => error);
    assert.is((refusal as NodeJS.ErrnoException | undefined)?.code, 'EIO', `sync ${n}`);
    await audit.append([added]);
    assert.equal(disk.unsynced(), [], `after sync ${n}`);
    assert.is((await listAll(audit)).length, 1);
  }
});

test.run();
