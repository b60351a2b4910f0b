import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkCode, codeChanges, MAX_WRONG, type StoredCodes } from '../../../src/access/codes/one-time-codes.ts';
import { newRecoveryCodes, toRecoveryHash } from '../../../src/access/codes/recovery.ts';

const NOW = new Date(1234567890_000);
const CODE = '005924';
const STEP = 41152263;
const codes = (change: Partial<StoredCodes> = {}): StoredCodes => ({
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  since: '2009-01-01T00:00:00.000Z',
  lastStep: STEP - 10,
  recovery: [],
  wrong: 3,
  ...change,
});

test('a right code is recorded as used, and resets the count of wrong ones', () => {
  const { outcome, codes: after } = checkCode(codes(), CODE, NOW);
  assert.is(outcome, 'right');
  assert.equal([after.lastStep, after.wrong], [STEP, 0]);
  assert.is(checkCode(codes(), ' 005 924 ', NOW).outcome, 'right');
});

test('no code works twice, and none older than the last one works', () => {
  const { codes: after } = checkCode(codes(), CODE, NOW);
  assert.is(checkCode(after, CODE, NOW).outcome, 'wrong');
  assert.is(checkCode(codes({ lastStep: STEP + 1 }), CODE, NOW).outcome, 'wrong');
});

test('after a hundred wrong codes in a row no code is accepted, but recovery codes are', () => {
  let now = codes({ wrong: 0 });
  for (let i = 0; i < MAX_WRONG; i += 1) {
    const { outcome, codes: after } = checkCode(now, '000000', NOW);
    assert.is(outcome, 'wrong');
    now = after;
  }
  assert.equal(checkCode(now, CODE, NOW), { outcome: 'locked', codes: now });
  const [recovery = ''] = newRecoveryCodes();
  const saved = checkCode({ ...now, recovery: [toRecoveryHash(recovery)] }, recovery, NOW);
  assert.equal([saved.outcome, saved.codes.wrong, saved.codes.recovery], ['recovery', 0, []]);
  // The count has reached its limit, so nothing is written.
  assert.is(checkCode(now, 'not a code', NOW).codes, now);
});

test('there are ten recovery codes, and each works once, however it is typed', () => {
  const list = newRecoveryCodes();
  assert.is(new Set(list).size, 10);
  for (const code of list) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const stored = codes({ recovery: list.map(toRecoveryHash) });
  const used = checkCode(stored, ` ${list[4]!.toUpperCase().replaceAll('-', ' ')}`, NOW);
  assert.is(used.outcome, 'recovery');
  assert.is(used.codes.recovery.length, 9);
  assert.is(checkCode(used.codes, list[4]!, NOW).outcome, 'wrong');
  assert.is(checkCode(used.codes, list[5]!, NOW).outcome, 'recovery');
});

test('the audit gets the change, and no secret', () => {
  const before = codes({ recovery: ['a', 'b'] });
  assert.equal(codeChanges(undefined, before), [{ key: 'oneTimeCodes', before: 'off', after: 'on' }]);
  assert.equal(codeChanges(before, undefined), [{ key: 'oneTimeCodes', before: 'on', after: 'off' }]);
  assert.equal(codeChanges(before, codes({ recovery: ['b'] })), [{ key: 'recoveryCodes', before: 2, after: 1 }]);
  assert.equal(codeChanges(before, { ...before, wrong: 9, lastStep: 1 }), []);
});

test.run();
