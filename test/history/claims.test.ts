// Which commits pass for the service's.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { claimOf } from '../../src/history/claims.ts';
import { encodeCommit } from '../../src/store/objects.ts';
import { COMMITTER } from '../../src/store/store.ts';

const ADA = { name: 'Ada', email: 'ada@example.org' };

function claims(message: string, committer = ADA): boolean {
  const times = { authoredAt: 0, committedAt: 0 };
  const body = encodeCommit({ tree: 'a'.repeat(40), parents: [], author: COMMITTER, committer, ...times, message });
  return claimOf(body, COMMITTER) !== undefined;
}

test('the service’s name or address is its own, however it is written', () => {
  for (const name of ['Colophon', 'colophon', 'Co\u200blophon', 'Ｃolophon']) {
    assert.ok(claims('x\n', { ...ADA, name }), name);
  }
  assert.ok(claims('x\n', { ...ADA, email: 'COLOPHON@localhost' }));
  assert.is(claims('x\n', { name: 'Colophon Smith', email: 'smith@example.org' }), false);
});

test('its trailers are its own in its form, wherever they stand below the subject', () => {
  const lines = [
    'Event: document.updated',
    'event : field.unlocked',
    'Document-Id: a1B2c3D4e5F6',
    'Also-Changed: a1B2c3D4e5F6, A1B2c3D4e5F6',
    'Actor: user',
    'User: u1',
    'Token: t1',
    'Via: push',
    'Pushed-By: Ada <ada@example.org>',
    `Change-Id: ${'0a'.repeat(10)}`,
    'Request-Id: abc',
    'Idempotency-Key: x y',
  ];
  for (const line of lines) {
    for (const message of [`x\n\n${line}\n`, `x\n${line}`, `x\r\n\r\n${line}\r\n\r\n# more\r\n`]) {
      assert.ok(claims(message), JSON.stringify(message));
    }
    assert.is(claims(`${line}\n`), false);
    assert.is(claims(`Squashed\n\n    ${line}\n`), false);
  }
});

test('a line of a megabyte is looked at once', () => {
  const startedMs = performance.now();
  for (const line of [`Event:${' '.repeat(1 << 20)}x y`, `${'a'.repeat(1 << 20)}`, `Unlock${' '.repeat(1 << 20)}x`]) {
    assert.is(claims(`x\n\n${line}\n`), false);
  }
  // Quadratic, it would take minutes.
  assert.ok(performance.now() - startedMs < 5000);
});

test('what other tools write is theirs', () => {
  const lines = [
    `Change-Id: I${'0'.repeat(40)}`,
    'Reviewed-by: Ada <ada@example.org>',
    'Event: the summer party',
    'Actor: Keanu Reeves',
    'Status: done',
    'Fields: title',
    'Unlock: title',
    'constructor: x',
  ];
  for (const line of lines) assert.is(claims(`x\n\n${line}\n`), false, line);
});

test.run();
