import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isShortage, unlessShort } from '../../src/lib/shortage.ts';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

test('a shortage is recognised and not mistaken for a broken file', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ERR_WORKER_INIT_FAILED'])
    assert.ok(isShortage(withCode(code)));
  for (const error of [withCode('EIO'), withCode('ENOSPC'), new Error('EMFILE'), null, undefined, 'EMFILE'])
    assert.not(isShortage(error));
});

test('optional work is skipped in a shortage, and other errors are thrown', () => {
  unlessShort(() => {
    throw withCode('EMFILE');
  });
  assert.throws(
    () =>
      unlessShort(() => {
        throw withCode('EIO');
      }),
    /EIO/,
  );
});

test.run();
