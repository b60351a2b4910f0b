// The chain of the audit: each line has the hash of the line before it, so that a changed, removed or moved line shows.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hashOfLine } from '../../src/audit/chain.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { ADA, listAll, makePlace, type Place } from '../settings/world.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const DAY_MS = 86_400_000;
/** About three entries in a file. */
const SMALL = { maxBytes: 1 << 20, fileBytes: 1000 };

function entry(target: string): Omit<AuditEntry, 'id' | 'at'> {
  return { site: 'default', actor: ADA, action: 'settings.updated', target, changes: [] };
}

/** A trail of twelve entries in several files. */
async function makeTrail(place: Place): Promise<void> {
  const audit = place.audit(SMALL);
  for (let n = 0; n < 12; n++) await audit.record(entry(`t${n}`));
  assert.equal(await place.audit().verify('default'), { lines: 12, problem: undefined });
}

const fileOf = (place: Place, name: string): string => path.join(place.folder, 'audit', name);
const problemOf = async (place: Place): Promise<string | undefined> => (await place.audit().verify('default')).problem;

function edit(file: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

test('each line has the hash of the line before it, over files and restarts', async () => {
  using place = makePlace();
  for (let n = 0; n < 12; n++) await place.audit(SMALL).record(entry(`t${n}`));
  const names = readdirSync(path.join(place.folder, 'audit')).filter((name) => /\.\d+\.jsonl$/.test(name));
  names.sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
  assert.ok(names.length > 2);
  let before = '0'.repeat(64);
  for (const name of [...names, 'default.jsonl']) {
    for (const line of readFileSync(fileOf(place, name), 'utf8').trimEnd().split('\n')) {
      assert.is(JSON.parse(line).prev, before);
      before = hashOfLine(line);
    }
  }
  assert.is((await listAll(place.audit())).at(0)?.target, 't11');
});

test('a changed line is reported with file and line', async () => {
  using place = makePlace();
  await makeTrail(place);
  edit(fileOf(place, 'default.2.jsonl'), (lines) =>
    lines.map((line, n) => (n === 1 ? line.replace('Ada', 'Eve') : line)),
  );
  assert.match(
    (await problemOf(place)) ?? '',
    /^default\.2\.jsonl: line 3 does not follow line 2 of default\.2\.jsonl/,
  );
});

test('a removed, an added and a moved line are reported', async () => {
  const edits: Record<string, (lines: string[]) => string[]> = {
    removed: ([one, , ...rest]) => [one!, ...rest],
    added: ([one, ...rest]) => [one!, one!.replace('t0', 'tx'), ...rest],
    moved: ([one, two, ...rest]) => [two!, one!, ...rest],
    'without its hash': ([one, two, ...rest]) => [one!, two!.replace(/,"prev":"[0-9a-f]+"/, ''), ...rest],
  };
  for (const [name, change] of Object.entries(edits)) {
    using place = makePlace();
    await makeTrail(place);
    edit(fileOf(place, 'default.1.jsonl'), change);
    assert.match((await problemOf(place)) ?? '', /^default\.1\.jsonl: line [12] /, name);
  }
});

test('a last line that was changed, and lines that were cut off the end, are reported', async () => {
  const cuts: Record<string, (file: string) => void> = {
    changed: (file) => edit(file, (lines) => [...lines.slice(0, -1), lines.at(-1)!.replace('Ada', 'Eve')]),
    removed: (file) => edit(file, (lines) => lines.slice(0, -1)),
    'all removed': (file) => writeFileSync(file, ''),
    'the file removed': (file) => rmSync(file),
    'half a line removed': (file) => truncateSync(file, readFileSync(file).length - 20),
  };
  for (const [name, cut] of Object.entries(cuts)) {
    using place = makePlace();
    await makeTrail(place);
    cut(fileOf(place, 'default.jsonl'));
    const problem = (await problemOf(place)) ?? '';
    assert.match(problem, /is not where the chain ends/, name);
    // It stays known after more entries.
    await place.audit(SMALL).record(entry('later'));
    assert.ok(await problemOf(place), name);
  }
});

test('swapped files, and files missing at the beginning or in the middle, are reported', async () => {
  const changes: Record<string, (place: Place) => void> = {
    swapped(place) {
      copyFileSync(fileOf(place, 'default.1.jsonl'), fileOf(place, 'kept'));
      renameSync(fileOf(place, 'default.2.jsonl'), fileOf(place, 'default.1.jsonl'));
      renameSync(fileOf(place, 'kept'), fileOf(place, 'default.2.jsonl'));
    },
    'missing in the middle': (place) => rmSync(fileOf(place, 'default.2.jsonl')),
    'missing at the beginning': (place) => rmSync(fileOf(place, 'default.1.jsonl')),
    'without its ends': (place) => rmSync(fileOf(place, 'default.jsonl.chain')),
    'with damaged ends': (place) => writeFileSync(fileOf(place, 'default.jsonl.chain'), 'x'),
  };
  for (const [name, change] of Object.entries(changes)) {
    using place = makePlace();
    await makeTrail(place);
    change(place);
    assert.ok(await problemOf(place), name);
    await place.audit(SMALL).record(entry('later'));
    assert.ok(await problemOf(place), `${name}, after one more entry`);
  }
});

test('after pruning the chain begins with the oldest line that stays, and what is removed then is reported', async () => {
  using place = makePlace();
  const audit = place.audit({ maxBytes: 6000, fileBytes: 1000 });
  const begunAt = place.now.getTime();
  for (let n = 0; n < 60; n++) {
    place.now = new Date(begunAt + n * 10 * DAY_MS);
    await audit.record(entry(`t${n}`));
    assert.is((await audit.verify('default')).problem, undefined, `after ${n}`);
  }
  assert.not.ok(existsSync(fileOf(place, 'default.1.jsonl')));
  const [oldest] = readdirSync(path.join(place.folder, 'audit'))
    .flatMap((name) => /^default\.(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  rmSync(fileOf(place, `default.${oldest}.jsonl`));
  assert.match((await problemOf(place)) ?? '', /lines before it were removed/);
});

test('files of an earlier version stay readable, and the chain starts after them', async () => {
  using place = makePlace();
  const old = (target: string) =>
    `${JSON.stringify({ id: target, at: '2026-01-01T00:00:00.000Z', ...entry(target) })}\n`;
  writeFileSync(path.join(place.folder, 'audit.1.jsonl'), old('a') + old('b'));
  writeFileSync(path.join(place.folder, 'audit.jsonl'), old('c'));
  const audit = place.audit();
  assert.equal(await audit.verify(null), { lines: 0, problem: undefined });
  await audit.record({ ...entry('d'), site: null });
  await audit.record({ ...entry('e'), site: null });
  assert.equal(await audit.verify(null), { lines: 2, problem: undefined });
  assert.equal(
    (await listAll(audit, [null, 'default'])).map(({ target }) => target),
    ['e', 'd', 'c', 'b', 'a'],
  );
  // The last line of the earlier version is held by the first hash.
  edit(path.join(place.folder, 'audit.jsonl'), ([first, ...rest]) => [first!.replace('"c"', '"x"'), ...rest]);
  assert.match((await audit.verify(null)).problem ?? '', /^audit\.jsonl: line 2 does not follow line 1/);
});

test('a crash in the middle of a line is no break, and neither is the next entry', async () => {
  using place = makePlace();
  await makeTrail(place);
  const file = fileOf(place, 'default.jsonl');
  appendFileSync(file, '{"id":"torn","at":"2026');
  assert.is(await problemOf(place), undefined);
  // A power cut may lose a line's middle and keep its end.
  appendFileSync(file, `${'\0'.repeat(600)}","prev":"${'0'.repeat(64)}"}\n`);
  assert.is(await problemOf(place), undefined);
  await place.audit().record(entry('next'));
  assert.equal(await place.audit().verify('default'), { lines: 13, problem: undefined });
  assert.not.match(readFileSync(file, 'utf8'), 'torn');
  // An added entry is not taken for torn.
  appendFileSync(file, `${JSON.stringify({ id: 'x', at: '2026-01-03T00:00:00.000Z', ...entry('forged') })}\n`);
  assert.ok(await problemOf(place));
});

test('processes that append at once make one chain, while it is checked', async () => {
  using place = makePlace();
  const audits = Array.from({ length: 20 }, () => place.audit(SMALL));
  const checks = Array.from({ length: 10 }, () => place.audit().verify('default'));
  await Promise.all(audits.map((audit, n) => audit.record(entry(`t${n}`))));
  for (const { problem } of await Promise.all(checks)) assert.is(problem, undefined);
  assert.equal(await place.audit().verify('default'), { lines: 20, problem: undefined });
});

test('a site without an audit is checked without making one', async () => {
  using place = makePlace();
  assert.equal(await place.audit().verify('nowhere'), { lines: 0, problem: undefined });
  assert.not.ok(existsSync(path.join(place.folder, 'audit')));
});

test('a full disk loses no entry that was answered, and the chain goes on when there is space again', async () => {
  using disk = mountSmallDisk(2);
  using place = makePlace(path.join(disk.folder, 'data'));
  const audit = place.audit(SMALL);
  for (let n = 0; n < 5; n++) await audit.record(entry(`t${n}`));
  disk.fill();
  let answered = 5;
  let refused = 0;
  for (let n = 0; n < 20; n++) {
    const large = { ...entry(`full${n}`), changes: [{ key: 'k', before: null, after: 'x'.repeat(1000) }] };
    await audit.record(large).then(
      () => answered++,
      (error) => {
        assert.is(error.code, 'storage_full');
        refused++;
      },
    );
    assert.is((await place.audit().verify('default')).problem, undefined, `after ${n}`);
  }
  assert.ok(refused > 0);
  disk.free();
  await audit.record(entry('after'));
  assert.equal(await place.audit().verify('default'), { lines: answered + 1, problem: undefined });
  assert.is((await listAll(place.audit())).length, answered + 1);
});

test.run();
