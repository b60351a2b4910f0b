import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { z } from 'zod';
import { Email, LoginBody, Name, Password, ProfileBody, UserPatchBody } from '../../src/access/input.ts';
import { tryInput } from '../../src/lib/parse-input.ts';

const takes = (schema: z.ZodType, value: unknown): boolean => 'value' in tryInput(schema, value);

test('a name has at most 200 characters of any kind but control and direction', () => {
  for (const name of ['Ada <3', 'Ada "the" O\u2019Neil & Söhne > x', '愛'.repeat(200), '😀'.repeat(200), 'עדה']) {
    assert.ok(takes(Name, name), name);
  }
  for (const name of [
    '',
    ' ',
    'a'.repeat(201),
    '😀'.repeat(201),
    'a\tb',
    'a\u0000',
    'a\u0085b',
    'a\u2028b',
    '\ud800',
  ]) {
    assert.not.ok(takes(Name, name), JSON.stringify(name));
  }
});

test('no character that turns the direction of writing is in a name or an address', () => {
  for (const mark of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c') {
    assert.not.ok(takes(Name, `Ada${mark}x`), `name ${mark.codePointAt(0)?.toString(16)}`);
    assert.not.ok(takes(Email, `ada${mark}@example.com`), `address ${mark.codePointAt(0)?.toString(16)}`);
  }
});

test('no character that makes other recipients of an address is in one', () => {
  for (const special of ',;:()[]\\"<>') {
    assert.not.ok(takes(Email, `a${special}b@example.com`), special);
    assert.not.ok(takes(Email, `b@example.com${special}`), special);
  }
  for (const email of ["o'brien+cms@example.com", 'üñí@exämple.com', 'a!#$%&*/=?^_`{|}~-@b'])
    assert.ok(takes(Email, email), email);
});

test('a site that is named twice is one', () => {
  assert.equal(UserPatchBody.parse({ sites: ['blog', 'shop', 'blog'] }), { sites: ['blog', 'shop'] });
});

test('an address has at most 254 characters, at a sign-in too', () => {
  const long = (length: number): string => `${'a'.repeat(length - 4)}@b.c`;
  assert.ok(takes(Email, long(254)));
  assert.not.ok(takes(Email, long(255)));
  assert.ok(takes(LoginBody, { email: long(254), password: 'x' }));
  assert.not.ok(takes(LoginBody, { email: long(255), password: 'x' }));
});

test('a password has 8 characters to 1,024 bytes', () => {
  const taken = ['correct horse', 'é'.repeat(512), 'x'.repeat(1024), '😀'.repeat(8)];
  for (const password of taken) assert.ok(takes(Password, password), password.slice(0, 20));
  const refused = ['seven77', '😀'.repeat(7), 'é'.repeat(513), 'x'.repeat(1025), '\ud800 lone surrogate'];
  for (const password of refused) assert.not.ok(takes(Password, password), password.slice(0, 20));
});

test('a password is none of the 10,000 commonest, in any case', () => {
  for (const password of ['password', 'PassWord1', 'qwertyuiop', '12345678', 'Football', 'iloveyou']) {
    assert.not.ok(takes(Password, password), password);
  }
});

test('whoever signs in may have a password that would be refused today', () => {
  for (const password of ['', 'short', 'password', 'x'.repeat(1024)]) {
    assert.ok(takes(LoginBody, { email: 'ada@example.com', password }), password.slice(0, 20));
    assert.ok(takes(ProfileBody, { currentPassword: password }), password.slice(0, 20));
  }
  assert.not.ok(takes(LoginBody, { email: 'ada@example.com', password: 'x'.repeat(1025) }));
  assert.not.ok(takes(ProfileBody, { currentPassword: 'x'.repeat(1025) }));
});

test.run();
