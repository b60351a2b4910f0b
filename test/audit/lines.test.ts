// The index of the audit's lines: after files were removed, replaced or rewritten it reads the lines that are there,
// whatever inode the system gave them.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Audit, AuditEntry } from '../../src/audit/entry.ts';
import { ADA, listAll, makePlace, type Place } from '../settings/world.ts';

const DAY_MS = 86_400_000;

function line(target: string, site: string | null, action: string): string {
  const changes = [{ key: 'email', before: null, after: `${target}@example.com` }];
  return `${JSON.stringify({ id: target, at: '2026-01-01T00:00:00.000Z', site, actor: ADA, action, target, changes })}\n`;
}

async function streamAll(audit: Audit, sites: (string | null)[], withTeam: boolean): Promise<AuditEntry[]> {
  let text = '';
  for await (const bytes of audit.stream({ sites, withTeam })) text += bytes;
  return text
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one));
}

const targets = (entries: readonly AuditEntry[]) => entries.map(({ target }) => target);

test('a file that took the inode of a removed one is read as it is', async () => {
  using place = makePlace();
  const audit = place.audit();
  const file = path.join(place.folder, 'audit.1.jsonl');
  writeFileSync(file, line('s1', 'default', 'settings.updated') + line('s2', 'default', 'settings.updated'));
  assert.equal(targets(await listAll(audit, ['default'])), ['s2', 's1']);
  // Written in place, as after a removal whose inode the next file gets.
  const people = ['p1', 'p2', 'p3'].map((target) => line(target, null, 'user.added')).join('');
  writeFileSync(file, people + line('s3', 'other', 'settings.updated') + line('s4', 'default', 'settings.updated'));
  assert.equal(targets(await listAll(audit, ['default'])), ['s4']);
  assert.equal(targets(await listAll(audit, [null])), ['p3', 'p2', 'p1']);
  assert.equal(targets(await listAll(audit, ['other'])), ['s3']);
});

test('an editor’s export never shows users, or entries of other tenants, after files were replaced', async () => {
  using place = makePlace();
  const audit = place.audit();
  const files = ['audit.1.jsonl', 'audit.2.jsonl'].map((name) => path.join(place.folder, name)) as [string, string];
  const own = (n: number) => line(`s${n}`, 'default', 'settings.updated');
  writeFileSync(files[0], own(1) + own(2) + own(3));
  writeFileSync(files[1], own(4) + own(5));
  await streamAll(audit, ['default'], false);
  const foreign = [
    line('p1', null, 'user.added'),
    line('o1', 'other', 'settings.updated'),
    line('p2', 'default', 'user.added'),
  ];
  writeFileSync(files[0], foreign.join('') + own(6) + own(7));
  writeFileSync(files[1], foreign.join('') + own(8));
  const shown = await streamAll(audit, ['default'], false);
  assert.equal(targets(shown), ['s6', 's7', 's8']);
  assert.equal(targets((await audit.list({ sites: ['default'], withTeam: false }, { limit: 10, offset: 0 })).entries), [
    's8',
    's7',
    's6',
  ]);
});

test('a line that was taken back and written anew is read anew', async () => {
  using place = makePlace();
  const audit = place.audit();
  const file = path.join(place.folder, 'audit', 'default.jsonl');
  await audit.record({ site: 'default', actor: ADA, action: 'settings.updated', target: 'first', changes: [] });
  const { length } = readFileSync(file);
  appendFileSync(file, line('lost', 'default', 'settings.updated'));
  assert.equal(targets(await listAll(audit, ['default'])), ['lost', 'first']);
  // A sync that failed took the line back; a longer one stands in its place now.
  truncateSync(file, length);
  appendFileSync(file, line('kept', 'default', 'user.added').replace('@example', '@a-longer-example'));
  assert.equal(targets(await listAll(audit, ['default'])), ['kept', 'first']);
  assert.equal(targets(await streamAll(audit, ['default'], false)), ['first']);
});

test('entries stay readable in order while the oldest files are pruned', async () => {
  using place: Place = makePlace();
  const audit = place.audit({ maxBytes: 12_000, fileBytes: 1000 });
  const begunAt = place.now.getTime();
  for (let n = 0; n < 120; n++) {
    place.now = new Date(begunAt + n * 10 * DAY_MS);
    const site = 'default';
    await audit.record({
      site,
      actor: ADA,
      action: n % 2 ? 'user.added' : 'settings.updated',
      target: `t${n}`,
      changes: [],
    });
    const all = targets(await listAll(audit, [site]));
    assert.equal(
      all,
      Array.from(all, (_, back) => `t${n - back}`),
      `after ${n}`,
    );
    const own = await streamAll(audit, [site], false);
    assert.ok(
      own.every(({ action }) => action === 'settings.updated'),
      `after ${n}`,
    );
    assert.is(own.length, all.filter((one) => Number(one!.slice(1)) % 2 === 0).length);
  }
});

test.run();
