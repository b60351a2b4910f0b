// Which commits pretend to be the service's.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { forgeryOf } from '../../../src/git/push/forged.ts';
import { COMMITTER } from '../../../src/store/committer.ts';
import { encodeCommit } from '../../../src/store/git/objects.ts';

const ADA = { name: 'Ada', email: 'ada@example.org' };

function claims(message: string, committer = ADA): boolean {
  const times = { authoredAt: 0, committedAt: 0 };
  const body = encodeCommit({ tree: 'a'.repeat(40), parents: [], author: COMMITTER, committer, ...times, message });
  return forgeryOf(body, COMMITTER) !== undefined;
}

test('only the service may use its name or address, however they are written', () => {
  for (const name of ['Colophon', 'colophon', 'Co\u200blophon', 'Ｃolophon']) {
    assert.ok(claims('x\n', { ...ADA, name }), name);
  }
  assert.ok(claims('x\n', { ...ADA, email: 'COLOPHON@localhost' }));
  assert.is(claims('x\n', { name: 'Colophon Smith', email: 'smith@example.org' }), false);
});

test('authors and committers may not contain marks of text direction or control characters', () => {
  const raw = (author: string, committer = 'Ada') =>
    Buffer.from(`tree ${'a'.repeat(40)}\nauthor ${author} <a@b> 0 +0000\ncommitter ${committer} <a@b> 0 +0000\n\nx\n`);
  for (const name of ['Ada\u202e', 'A\u2066da', '\u200fAda', 'A\x1b[2Kda', 'Ada\x7f']) {
    assert.ok(forgeryOf(raw(name), COMMITTER), JSON.stringify(name));
    assert.ok(forgeryOf(raw('Ada', name), COMMITTER), JSON.stringify(name));
  }
  for (const name of ['Ada', 'Åse Ødegård', 'עדה', 'آدا', 'O’Hara']) {
    assert.is(forgeryOf(raw(name), COMMITTER), undefined, name);
  }
});

test('only the service may use its trailers in its form, anywhere below the subject', () => {
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

test('a trailer whose value is on the lines below it is read as git reads it', () => {
  for (const message of ['x\n\nEvent:\n document.updated\n', 'x\r\n\r\nUser:\r\n\tu1\r\n']) {
    assert.ok(claims(message), JSON.stringify(message));
  }
});

test('a commit that different programs would read differently is refused', () => {
  const text = 'tree a\nauthor Ada <ada@x.org> 0 +0000\ncommitter Ada <ada@x.org> 0 +0000\n';
  const ours = 'committer Colophon <colophon@localhost> 0 +0000\n';
  const isClaimed = (commit: string): boolean => forgeryOf(Buffer.from(commit, 'latin1'), COMMITTER) !== undefined;
  assert.ok(isClaimed(`${text.replace('committer', `${ours}committer`)}\nx\n`));
  assert.ok(isClaimed(`${text}author Bob <bob@x.org> 0 +0000\n\nx\n`));
  for (const encoding of ['UTF-7', 'IBM037', 'UTF-16', 'constructor']) {
    assert.ok(isClaimed(`${text}encoding ${encoding}\n\nx\n`), encoding);
  }
  assert.ok(isClaimed(`${text.replace('committer Ada', 'committer Colo\xadphon')}encoding ISO-8859-1\n\nx\n`));
  for (const encoding of ['UTF-8', 'ISO-8859-1']) assert.not(isClaimed(`${text}encoding ${encoding}\n\nx\n`), encoding);
  assert.not(isClaimed(`${text}mergetag object a\n ${ours}\nx\n`));
});

test('a long line is checked in linear time', () => {
  const startedMs = performance.now();
  claims(`x\n\nEvent: x${' '.repeat(500_000)}y\n`);
  assert.ok(performance.now() - startedMs < 1000);
});

test('trailers of other tools are accepted', () => {
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
