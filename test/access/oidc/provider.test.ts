import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createProvider } from '../../../src/access/oidc/provider.ts';
import { fetchHost } from '../../support/host-fetch.ts';
import { CLIENT_ID, CLIENT_SECRET, claimsOf, makeOpenIdProvider, toPart } from '../../support/openid-provider.ts';
import { refusalOf } from '../world.ts';

const REDIRECT = 'https://cms.example/api/auth/oidc/callback';

async function makeBoth() {
  const there = await makeOpenIdProvider(REDIRECT);
  there.accounts.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['cms-admins'] });
  const logged: string[] = [];
  let time = Date.now();
  const provider = createProvider({
    issuer: there.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: 'openid email profile',
    redirectUri: REDIRECT,
    fetch: fetchHost,
    elapsedMs: () => time,
    logger: { info: (details, message) => void logged.push(`${message} ${JSON.stringify(details)}`) },
  });
  return {
    there,
    provider,
    logged,
    advance: (ms: number) => void (time += ms),
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  };
}

test('a person who signs in at the provider gets the identity that it vouches for', async () => {
  await using both = await makeBoth();
  const { url, errand } = await both.provider.begin();
  const { searchParams } = new URL(url);
  assert.is(searchParams.get('code_challenge_method'), 'S256');
  assert.is.not(searchParams.get('code_challenge'), errand.verifier);
  const back = await both.there.signIn(url, 'ada');
  const claims = await both.provider.finish(back.searchParams, errand);
  assert.equal([claims.issuer, claims.subject], [both.there.issuer, 'ada']);
  assert.is(claims.userInfo.email, 'ada@example.com');
  assert.equal(claims.userInfo.groups, ['cms-admins']);
});

test('a code that was used, belongs to another errand, or came with another state is refused', async () => {
  await using both = await makeBoth();
  const [mine, other] = [await both.provider.begin(), await both.provider.begin()];
  const back = await both.there.signIn(mine.url, 'ada');
  const finish = (query: URLSearchParams, errand = mine.errand) => refusalOf(() => both.provider.finish(query, errand));
  assert.is(await finish(back.searchParams, other.errand), 'unauthenticated');
  const changed = new URLSearchParams(back.searchParams);
  changed.set('state', other.errand.state);
  assert.is(await finish(changed), 'unauthenticated');
  // The other errand's state with this code: it does not match what the provider tied to the code.
  assert.is(await finish(changed, other.errand), 'unauthenticated');
});

test('the same code a second time is refused', async () => {
  await using both = await makeBoth();
  const { url, errand } = await both.provider.begin();
  const back = await both.there.signIn(url, 'ada');
  await both.provider.finish(back.searchParams, errand);
  assert.is(await refusalOf(() => both.provider.finish(back.searchParams, errand)), 'unauthenticated');
});

test('an answer made for another nonce is refused', async () => {
  await using both = await makeBoth();
  const { url, errand } = await both.provider.begin();
  const changed = new URL(url);
  changed.searchParams.set('nonce', 'another-nonce');
  const back = await both.there.signIn(changed.href, 'ada');
  assert.is(await refusalOf(() => both.provider.finish(back.searchParams, errand)), 'unauthenticated');
});

const HOUR_AGO = Math.floor(Date.now() / 1000) - 3600;
type Sign = (claims: object) => string;

for (const [what, tamper] of [
  [
    'another subject under the old signature',
    (jws) => jws.replace(/\.[^.]+\./, `.${toPart({ ...claimsOf(jws), sub: 'eve' })}.`),
  ],
  ['no signature', (jws) => `${toPart({ alg: 'none' })}.${jws.split('.')[1]}.`],
  ['a key that everybody knows', (jws) => `${toPart({ alg: 'HS256' })}.${jws.split('.')[1]}.AAAA`],
  ['an expiry in the past', (jws, sign) => sign({ ...claimsOf(jws), exp: HOUR_AGO })],
  ['another client for its audience', (jws, sign) => sign({ ...claimsOf(jws), aud: 'another' })],
  ['another issuer', (jws, sign) => sign({ ...claimsOf(jws), iss: 'https://evil.example' })],
] as [string, (jws: string, sign: Sign) => string][]) {
  test(`an id token with ${what} is refused`, async () => {
    await using both = await makeBoth();
    const { there } = both;
    there.tamper.tokens = (answer) => void (answer.id_token = tamper(String(answer.id_token), there.sign));
    const { url, errand } = await both.provider.begin();
    const back = await there.signIn(url, 'ada');
    assert.is(await refusalOf(() => both.provider.finish(back.searchParams, errand)), 'unauthenticated');
  });
}

test('the tests sign as the provider does', async () => {
  await using both = await makeBoth();
  const { there } = both;
  there.tamper.tokens = (answer) => void (answer.id_token = there.sign(claimsOf(String(answer.id_token))));
  const { url, errand } = await both.provider.begin();
  const back = await there.signIn(url, 'ada');
  assert.is((await both.provider.finish(back.searchParams, errand)).subject, 'ada');
});

test('an error of the provider becomes a refusal that names it', async () => {
  await using both = await makeBoth();
  const { errand } = await both.provider.begin();
  const query = new URLSearchParams({ error: 'access_denied', state: errand.state, iss: both.there.issuer });
  assert.is(await refusalOf(() => both.provider.finish(query, errand)), 'unauthenticated');
});

test('a provider that is down is 502, is not asked again on every click, and recovers without a restart', async () => {
  await using both = await makeBoth();
  both.there.isDown = true;
  for (let i = 0; i < 5; i += 1) assert.is(await refusalOf(() => both.provider.begin()), 'upstream_failed');
  assert.is(both.there.requests, 1);
  both.there.isDown = false;
  both.advance(5_001);
  const { url } = await both.provider.begin();
  assert.match(url, both.there.issuer);
  await both.provider.begin();
  assert.is(both.there.requests, 2);
});

test('no codes, tokens or secrets are logged', async () => {
  await using both = await makeBoth();
  const { url, errand } = await both.provider.begin();
  const back = await both.there.signIn(url, 'ada');
  both.there.tamper.tokens = (answer) => void (answer.id_token = `${answer.id_token}x`);
  await refusalOf(() => both.provider.finish(back.searchParams, errand));
  both.there.isDown = true;
  await refusalOf(() => both.provider.finish(back.searchParams, errand));
  const text = both.logged.join('\n');
  for (const secret of [
    CLIENT_SECRET,
    errand.verifier,
    errand.nonce,
    back.searchParams.get('code')!,
    'ada@example.com',
  ]) {
    assert.not.match(text, secret);
  }
  assert.ok(both.logged.length >= 2);
});

test.run();
