import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findRole, type IdentityClaims, toPerson } from '../../../src/access/oidc/claims.ts';
import type { RoleRule } from '../../../src/config/oidc-env.ts';

const RULES: RoleRule[] = [
  { value: 'writers', role: 'editor' },
  { value: 'cms-admins', role: 'admin' },
  { value: 'everybody', role: 'viewer' },
];
const claims = (idToken: Record<string, unknown>, userInfo: Record<string, unknown> = {}): IdentityClaims => ({
  issuer: 'https://id.example',
  subject: 's1',
  idToken,
  userInfo,
});

test('the strongest of a person’s roles counts', () => {
  assert.is(findRole(RULES, ['everybody', 'cms-admins', 'writers']), 'admin');
  assert.is(findRole(RULES, 'writers'), 'editor');
  for (const nothing of [[], undefined, null, ['admin'], 'CMS-ADMINS', { 'cms-admins': true }, [['cms-admins']], 1]) {
    assert.is(findRole(RULES, nothing), undefined, JSON.stringify(nothing));
  }
});

test('an address counts only if `email_verified` is exactly true', () => {
  const email = 'ada@example.com';
  assert.is(toPerson(claims({ email, email_verified: true }), RULES, 'groups').email, email);
  for (const email_verified of [undefined, false, 'true', 1, null]) {
    assert.is(toPerson(claims({ email, email_verified }), RULES, 'groups').email, undefined, String(email_verified));
  }
  assert.is(toPerson(claims({ email: 'no address', email_verified: true }), RULES, 'groups').email, undefined);
});

test('the verification of one address says nothing about another', () => {
  const given = claims({ email: 'ada@example.com' }, { email: 'eve@example.com', email_verified: true });
  assert.is(toPerson(given, RULES, 'groups').email, undefined);
  const elsewhere = claims({}, { email: 'eve@example.com', email_verified: true });
  assert.is(toPerson(elsewhere, RULES, 'groups').email, 'eve@example.com');
});

test('a name that is not fit for commits is replaced by the address', () => {
  const email = { email: 'ada@example.com', email_verified: true };
  assert.is(toPerson(claims({ ...email, name: 'Ada Lovelace' }), RULES, 'groups').name, 'Ada Lovelace');
  assert.is(toPerson(claims({ ...email, name: 'Ada \u202eecafyrg' }), RULES, 'groups').name, 'ada');
  assert.is(toPerson(claims(email), RULES, 'groups').name, 'ada');
});

test('roles are read from the configured claim', () => {
  const given = claims({ groups: ['cms-admins'] }, { 'https://id.example/roles': ['writers'] });
  assert.is(toPerson(given, RULES, 'https://id.example/roles').role, 'editor');
});

test.run();
