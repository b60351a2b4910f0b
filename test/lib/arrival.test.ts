// The text of a note: it reads back as it was written, and a name cannot add lines.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Push, parseArrival, toArrivalText } from '../../src/lib/arrival.ts';

const PUSH: Push = {
  via: 'push',
  at: '2026-01-02T03:04:05.678Z',
  by: { id: 'u1', name: 'Ada Lovelace', email: 'ada@example.org' },
  tokenId: 't1',
  address: '2001:db8::1',
  from: 'a'.repeat(40),
  to: 'b'.repeat(40),
};

test('a note reads back as it was written', () => {
  assert.equal(parseArrival(toArrivalText(PUSH)), PUSH);
  const first: Push = { ...PUSH, by: { ...PUSH.by, id: null }, tokenId: null, from: null };
  assert.equal(parseArrival(toArrivalText(first)), first);
  const remote = { via: 'remote' as const, at: PUSH.at };
  assert.equal(parseArrival(toArrivalText(remote)), remote);
});

test('a name cannot add lines', () => {
  const by = { id: 'u1', name: 'Eve\nUser: admin\u2028> <admin@example.org>\n', email: 'eve@example.org\n' };
  const parsed = parseArrival(toArrivalText({ ...PUSH, by }));
  assert.equal(parsed?.via === 'push' && [parsed.by.id, parsed.by.email], ['u1', 'eve@example.org']);
});

test('a text that the service did not write is not an arrival', () => {
  for (const text of ['', 'By hand\n', 'Via: mail\n', 'via: push\n']) assert.is(parseArrival(text), undefined);
});

test.run();
