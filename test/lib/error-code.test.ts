import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf, isCode } from '../../src/lib/error-code.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('no'), { code });

test('an error is recognised by its code', () => {
  assert.ok(isCode(withCode('ENOENT'), 'ENOENT'));
  assert.ok(isCode(withCode('ENOTDIR'), 'ENOENT', 'ENOTDIR'));
  assert.not(isCode(withCode('EACCES'), 'ENOENT', 'ENOTDIR'));
  assert.not(isCode(withCode('ENOENT')));
});

test('an error without a code in words has no code, and does not throw', () => {
  for (const error of [new Error('ENOENT'), withCode(2), withCode(undefined), null, undefined, 'ENOENT', 5]) {
    assert.is(codeOf(error), undefined);
    assert.not(isCode(error, 'ENOENT'));
  }
  assert.is(codeOf({ code: 'EPERM' }), 'EPERM');
});

test.run();
