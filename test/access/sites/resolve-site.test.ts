// Which site a request means: by the site that it names, its principal, and its host.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS, type Principal } from '../../../src/access/principal.ts';
import { findHost, resolveSite } from '../../../src/access/sites/resolve-site.ts';
import { refusalOf } from '../world.ts';

const A = { id: 'a', org: 'one' };
const B = { id: 'b', org: 'one' };
const C = { id: 'c', org: 'two' };
/** `c.example` is the host of C, A is the default site. */
const HOSTS = new Map([['c.example', C]]);

function principal(kind: Principal['kind'], ids: string, lastActiveSite: string | null = null): Principal {
  return { ...ANONYMOUS, kind, lastActiveSite, mayTouch: ({ id }) => ids.includes(id) };
}

async function resolved(
  who: Principal,
  named: string | string[] | undefined,
  all: (typeof A)[],
  { host = 'else.example', isPublic = false } = {},
): Promise<string> {
  let id = '';
  const code = await refusalOf(() => {
    const choices = { all, at: (asked: string) => findHost(HOSTS, asked), standard: A };
    id = resolveSite(who, { named, host, isPublic }, choices).id;
  });
  return code ?? id;
}

// principal, its sites, last active site, `site` parameter, existing sites: the site or the refusal
for (const [kind, ids, last, named, sites, expected] of [
  ['session', 'abc', null, 'b', [A, B, C], 'b'],
  ['session', 'abc', 'a', 'b', [A, B, C], 'b'],
  ['session', 'abc', 'c', undefined, [A, B, C], 'c'],
  ['session', 'abc', null, undefined, [A, B, C], 'site_required'],
  ['session', 'abc', null, undefined, [A], 'a'],
  ['session', 'b', null, undefined, [A, B], 'b'],
  ['session', 'b', 'a', undefined, [A, B], 'forbidden'],
  ['session', 'b', 'gone', undefined, [A, B], 'not_found'],
  ['session', 'b', null, 'a', [A, B], 'forbidden'],
  ['session', '', null, undefined, [A], 'forbidden'],
  ['token', 'abc', null, undefined, [A, B, C], 'site_required'],
  ['token', 'ab', null, undefined, [A, B, C], 'site_required'],
  ['token', 'ab', null, 'b', [A, B, C], 'b'],
  ['token', 'ab', null, 'c', [A, B, C], 'forbidden'],
  ['token', 'c', null, undefined, [A, B, C], 'c'],
  ['token', 'c', null, 'c', [A, B, C], 'c'],
  ['token', 'c', null, 'a', [A, B, C], 'forbidden'],
  ['token', 'c', null, 'd', [A, B, C], 'not_found'],
  ['token', 'd', null, undefined, [A], 'forbidden'],
  ['token', 'd', null, undefined, [A, B], 'forbidden'],
  ['token', 'ab', 'a', undefined, [A, B], 'site_required'],
  ['anonymous', 'abc', null, undefined, [A], 'a'],
  ['anonymous', 'abc', null, undefined, [A, B], 'a'],
  ['anonymous', 'abc', null, 'b', [A, B], 'b'],
  ['anonymous', 'abc', null, 'A', [A, B], 'not_found'],
  ['session', 'abc', 'a', '', [A, B], 'invalid_input'],
  ['session', 'abc', 'a', ['a', 'b'], [A, B], 'invalid_input'],
] as const) {
  test(`a ${kind} of sites "${ids}", last at ${last}, naming ${JSON.stringify(named)} of ${sites.length} sites: ${expected}`, async () => {
    const param = typeof named === 'object' ? [...named] : named;
    assert.is(await resolved(principal(kind, ids, last), param, [...sites]), expected);
  });
}

const ALL = [A, B, C];

for (const [what, who, named, expected] of [
  ['a stranger gets the site of the host', principal('anonymous', 'abc'), undefined, 'c'],
  ['a named site counts before the host', principal('anonymous', 'abc'), 'b', 'b'],
  ['the last active site counts before the host', principal('session', 'abc', 'b'), undefined, 'b'],
  ['a token’s only site counts before the host', principal('token', 'b'), undefined, 'b'],
  ['a token of several sites gets the site of the host', principal('token', 'bc'), undefined, 'c'],
  ['a session gets the site of the host', principal('session', 'abc'), undefined, 'c'],
  [
    'a session never falls back from the host of a site that it has no access to',
    principal('session', 'ab'),
    undefined,
    'forbidden',
  ],
  [
    'a token never falls back from the host of a site that it has no access to',
    principal('token', 'ab'),
    undefined,
    'forbidden',
  ],
] as const) {
  test(`at the host of a site: ${what}`, async () => {
    assert.is(await resolved(who, named, ALL, { host: 'C.example:8080' }), expected);
  });
}

test('a public route means the default site if nothing names another', async () => {
  const isPublic = true;
  assert.is(await resolved(principal('anonymous', 'abc'), undefined, ALL, { isPublic }), 'a');
  assert.is(await resolved(principal('session', 'abc'), undefined, ALL, { isPublic }), 'a');
  assert.is(await resolved(principal('token', 'ab'), undefined, ALL, { isPublic }), 'a');
  assert.is(await resolved(principal('token', 'bc'), undefined, ALL, { isPublic }), 'site_required');
});

test('a token that was made for the only site keeps meaning it when others are added', async () => {
  const later = { ...B, addedAt: '2026-02-01T00:00:00.000Z' };
  const madeAt = (date: string): Principal => ({ ...principal('token', 'abc'), madeAt: `${date}T00:00:00.000Z` });
  assert.is(await resolved(madeAt('2026-01-01'), undefined, [A, later]), 'a');
  assert.is(await resolved(madeAt('2026-01-01'), 'b', [A, later]), 'b');
  assert.is(await resolved(madeAt('2026-01-01'), undefined, [A, later, C], { host: 'c.example' }), 'c');
  assert.is(await resolved(madeAt('2026-01-01'), undefined, [A, C, later]), 'site_required');
  assert.is(await resolved(madeAt('2026-03-01'), undefined, [A, later]), 'site_required');
  assert.is(
    await resolved({ ...madeAt('2026-01-01'), mayTouch: ({ id }) => id !== 'a' }, undefined, [A, later, C]),
    'c',
  );
});

test('a host matches in any case, with a final dot, and with any port unless it has its own', () => {
  const hosts = new Map([
    ['a.example', 'a'],
    ['b.example:8443', 'b'],
    ['[2001:db8::1]', 'c'],
  ]);
  for (const [header, expected] of [
    ['a.example', 'a'],
    ['A.Example', 'a'],
    ['a.example:3010', 'a'],
    ['a.example.', 'a'],
    ['b.example:8443', 'b'],
    ['b.example', undefined],
    ['b.example:8444', undefined],
    ['[2001:DB8::1]:3010', 'c'],
    ['x.a.example', undefined],
    ['a.example, evil.example', undefined],
    ['', undefined],
  ] as const) {
    assert.is(findHost(hosts, header), expected, header);
  }
});

test.run();
