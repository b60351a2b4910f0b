import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { z } from 'zod';
import { Email, LoginBody, Name, Password, ProfileBody, UserPatchBody } from '../../src/access/input.ts';
import { tryInput } from '../../src/lib/parse-input.ts';

const accepts = (schema: z.ZodType, value: unknown): boolean => 'value' in tryInput(schema, value);

test('a name has at most 200 characters, and none that controls text or its direction', () => {
  for (const name of ['Ada <3', 'Ada "the" O\u2019Neil & Söhne > x', '愛'.repeat(200), '😀'.repeat(200), 'עדה']) {
    assert.ok(accepts(Name, name), name);
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
    assert.not.ok(accepts(Name, name), JSON.stringify(name));
  }
});

test('no name or address contains a character that changes the direction of writing', () => {
  for (const mark of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c') {
    assert.not.ok(accepts(Name, `Ada${mark}x`), `name ${mark.codePointAt(0)?.toString(16)}`);
    assert.not.ok(accepts(Email, `ada${mark}@example.com`), `address ${mark.codePointAt(0)?.toString(16)}`);
  }
});

test('no address contains a character that would make it several recipients', () => {
  for (const special of ',;:()[]\\"<>') {
    assert.not.ok(accepts(Email, `a${special}b@example.com`), special);
    assert.not.ok(accepts(Email, `b@example.com${special}`), special);
  }
  for (const email of ["o'brien+cms@example.com", 'üñí@exämple.com', 'a!#$%&*/=?^_`{|}~-@b'])
    assert.ok(accepts(Email, email), email);
});

test('a site that is listed twice is kept once', () => {
  assert.equal(UserPatchBody.parse({ sites: ['blog', 'shop', 'blog'] }), { sites: ['blog', 'shop'] });
});

test('an address has at most 254 characters, at a sign-in too', () => {
  const long = (length: number): string => `${'a'.repeat(length - 4)}@b.c`;
  assert.ok(accepts(Email, long(254)));
  assert.not.ok(accepts(Email, long(255)));
  assert.ok(accepts(LoginBody, { email: long(254), password: 'x' }));
  assert.not.ok(accepts(LoginBody, { email: long(255), password: 'x' }));
});

test('a password has 8 characters to 1,024 bytes', () => {
  const accepted = ['correct horse', 'é'.repeat(512), 'x'.repeat(1024), '😀'.repeat(8)];
  for (const password of accepted) assert.ok(accepts(Password, password), password.slice(0, 20));
  const refused = ['seven77', '😀'.repeat(7), 'é'.repeat(513), 'x'.repeat(1025), '\ud800 lone surrogate'];
  for (const password of refused) assert.not.ok(accepts(Password, password), password.slice(0, 20));
});

test('a password is not one of the 10,000 commonest, in any case', () => {
  for (const password of ['password', 'PassWord1', 'qwertyuiop', '12345678', 'Football', 'iloveyou']) {
    assert.not.ok(accepts(Password, password), password);
  }
});

test('a sign-in accepts an old password that would be refused today', () => {
  for (const password of ['', 'short', 'password', 'x'.repeat(1024)]) {
    assert.ok(accepts(LoginBody, { email: 'ada@example.com', password }), password.slice(0, 20));
    assert.ok(accepts(ProfileBody, { currentPassword: password }), password.slice(0, 20));
  }
  assert.not.ok(accepts(LoginBody, { email: 'ada@example.com', password: 'x'.repeat(1025) }));
  assert.not.ok(accepts(ProfileBody, { currentPassword: 'x'.repeat(1025) }));
});

test.run();
