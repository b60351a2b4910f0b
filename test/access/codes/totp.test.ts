import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findStep, newCodeSecret, toCodeUri } from '../../../src/access/codes/totp.ts';

/** RFC 6238, appendix B: the secret is "12345678901234567890"; the last six of the eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];
const at = (seconds: number) => new Date(seconds * 1000);

test('the codes are those of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) {
    assert.is(findStep(SECRET, code, at(seconds)), Math.floor(seconds / 30), String(seconds));
  }
});

test('a code is valid in its half minute, the one before and the one after', () => {
  const [seconds, code] = VECTORS[3]!;
  const step = Math.floor(seconds / 30);
  const steps = [-2, -1, 0, 1, 2].map((off) => findStep(SECRET, code, at((step + off) * 30)));
  assert.equal(steps, [undefined, step, step, step, undefined]);
});

test('a text that is not six digits is not a code', () => {
  for (const text of ['', '5924', '00592', '0005924', '00592a', '٠٠٥٩٢٤']) {
    assert.is(findStep(SECRET, text, at(1234567890)), undefined, text);
  }
});

test('a secret has 160 bits, and the address for apps contains all that they need', () => {
  const secret = newCodeSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.is.not(newCodeSecret(), secret);
  const url = new URL(toCodeUri(secret, 'ada@example.com', 'cms.example'));
  assert.is(url.protocol, 'otpauth:');
  assert.is(decodeURIComponent(url.pathname), '/cms.example:ada@example.com');
  assert.equal(Object.fromEntries(url.searchParams), {
    issuer: 'cms.example',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test.run();
