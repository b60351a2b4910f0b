// The size of stored entries.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_ENTRY_BYTES, toStored } from '../../src/audit/stored-entry.ts';

const AT = '2026-01-02T03:04:05.678Z';
const ADA = { id: 'u1', name: 'Ada', email: 'ada@example.com' };
const NAMED = { id: 'i1', at: AT, site: 'default', actor: ADA, action: 'settings.updated', target: 'default' };
const sizeOf = (entry: object): number => Buffer.byteLength(`${JSON.stringify({ ...entry, prev: '0'.repeat(64) })}\n`);

test('an entry is at most 4 KiB: its largest values become hashes first', () => {
  const changes = Array.from({ length: 20 }, (_, n) => ({
    key: `k${n}`,
    before: n,
    after: 'x'.repeat(n < 6 ? 200 : 300),
  }));
  const stored = toStored({ ...NAMED, changes });
  assert.ok(sizeOf(stored) <= MAX_ENTRY_BYTES, String(sizeOf(stored)));
  assert.equal(stored.changes[0], changes[0]);
  assert.match(String(stored.changes[10]?.after), /^sha256:[0-9a-f]{64}$/);
  assert.is(stored.changes[10]?.before, 10);
});

test('an entry with more changes than fit keeps their number and one hash', () => {
  const changes = Array.from({ length: 500 }, (_, n) => ({ key: `key number ${n}`, before: 'a', after: 'b' }));
  const stored = toStored({ ...NAMED, changes });
  assert.ok(sizeOf(stored) <= MAX_ENTRY_BYTES);
  assert.is(stored.changes[0]?.key, '500 changes');
  assert.match(String(stored.changes[0]?.after), /^sha256:/);
});

test('no name, target or action makes an entry larger', () => {
  const long = '\u0001'.repeat(5000);
  const actor = { id: 'u1', name: long, email: long, tokenId: long };
  const stored = toStored({
    ...NAMED,
    actor,
    action: long,
    target: long,
    changes: [{ key: long, before: long, after: long }],
  });
  assert.ok(sizeOf(stored) <= MAX_ENTRY_BYTES, String(sizeOf(stored)));
});

test('a stored entry stays as it is when it is stored again', () => {
  const changes = [{ key: 'k', before: null, after: 'x'.repeat(5000) }];
  const once = toStored({ ...NAMED, changes });
  assert.equal(toStored(once), once);
});

test.run();
