import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Mail } from '../../../src/outbound/mailer.ts';
import { PASSWORD, refusalOf } from '../world.ts';
import { type MailWorld, makeMailWorld } from './mail-world.ts';

const NEW = 'another horse entirely';
const EVE = 'eve@example.com';
const MINUTE = 60_000;

const ask = (world: MailWorld, email: string, ip?: string) =>
  world.send('POST', '/api/auth/reset', { body: { email }, ...(ip ? { ip } : {}) });
const use = (world: MailWorld, token: string, password = NEW) =>
  world.send('POST', '/api/auth/reset', { body: { token, password } });
const login = async (world: MailWorld, email: string, password: string) =>
  (await world.send('POST', '/api/auth/login', { body: { email, password } })).status;

/** A world with an admin and Eve, who has requested a link. */
async function makeAsked() {
  const world = makeMailWorld();
  await world.setUp();
  const eve = await world.addUser({ email: EVE, role: 'editor' });
  await ask(world, EVE);
  await world.settled();
  return Object.assign(world, { eve, token: world.tokenFor(EVE) });
}

test('a mailed link sets a new password, ends every session, and works once', async () => {
  await using world = await makeAsked();
  assert.ok(world.mails[0]?.text.includes('https://cms.example/admin/reset#token='));
  const reply = await use(world, world.token);
  assert.equal(
    [reply.status, reply.body, reply.cookie],
    [200, { ok: true, email: EVE, name: 'eve', tokens: [] }, undefined],
  );
  assert.is(await login(world, EVE, PASSWORD), 401);
  assert.is(await login(world, EVE, NEW), 200);
  assert.is((await world.send('GET', '/api/auth/me', { cookie: world.eve.cookie })).body.user, null);
  assert.is((await use(world, world.token, 'a third one of them')).status, 400);
  assert.is(await login(world, EVE, NEW), 200);
});

test('the answer is the same for an account that exists, one that does not, and mail that cannot be sent', async () => {
  const down = {
    async send(): Promise<never> {
      throw new Error('down');
    },
  };
  const never = {
    send: ({ signal }: Mail) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))),
  };
  const replies: unknown[] = [];
  for (const mailer of [undefined, down, never]) {
    await using world = makeMailWorld({ mailer });
    await world.setUp();
    for (const email of ['ada@example.com', 'ADA@example.com', 'nobody@example.com']) {
      replies.push(await ask(world, email));
    }
  }
  assert.is(replies.length, 9);
  for (const reply of replies) assert.equal(reply, replies[0]);
  assert.equal((replies[0] as { body: unknown }).body, { ok: true });
});

test('no work is done before the answer, so that it takes no longer for an account that exists', async () => {
  await using world = makeMailWorld();
  await world.setUp();
  const file = join(world.dataDir, 'users.json');
  const before = readFileSync(file, 'utf8');
  await ask(world, 'ada@example.com');
  assert.is(readFileSync(file, 'utf8'), before);
  assert.equal(world.mails, []);
  await world.settled();
  assert.is.not(readFileSync(file, 'utf8'), before);
});

test('a link is valid for 30 minutes', async () => {
  await using world = await makeAsked();
  world.advance(30 * MINUTE - 1);
  assert.is((await use(world, world.token)).status, 200);
  await ask(world, EVE);
  await world.settled();
  const late = world.tokenFor(EVE);
  world.advance(30 * MINUTE);
  assert.is((await use(world, late)).status, 400);
  assert.is(await login(world, EVE, NEW), 200);
});

test('a new link ends the old one', async () => {
  await using world = await makeAsked();
  await ask(world, EVE);
  await world.settled();
  assert.is((await use(world, world.token)).status, 400);
  assert.is((await use(world, world.tokenFor(EVE))).status, 200);
});

test('only one of two simultaneous uses succeeds', async () => {
  await using world = await makeAsked();
  const words = ['the first of the two', 'the second of the two'];
  const replies = await Promise.all(words.map((word) => use(world, world.token, word)));
  assert.equal(replies.map(({ status }) => status).sort(), [200, 400]);
  const winner = words[replies.findIndex(({ status }) => status === 200)] ?? '';
  assert.is(await login(world, EVE, winner), 200);
});

test('a change of password or address ends a link; a restart does not', async () => {
  for (const change of [{ password: 'set by an admin' }, { email: 'eve.new@example.com' }]) {
    await using world = await makeAsked();
    await world.access.users.change(world.eve.id, change);
    assert.is((await use(world, world.token)).status, 400);
  }
  await using world = await makeAsked();
  world.restart();
  assert.is((await use(world, world.token)).status, 200);
});

test('a suspended account gets no link, and an earlier link is not valid during the suspension or after it', async () => {
  await using world = await makeAsked();
  await world.access.users.change(world.eve.id, { suspended: true });
  assert.is((await use(world, world.token)).status, 400);
  assert.equal((await ask(world, EVE)).body, { ok: true });
  await world.settled();
  assert.is(world.mails.length, 1);
  await world.access.users.change(world.eve.id, { suspended: false });
  assert.is((await use(world, world.token)).status, 400);
});

test('access tokens remain valid after a reset, and the answer lists them', async () => {
  await using world = await makeAsked();
  const eve = world.access.users.get(EVE);
  const { token, id, masked } = await world.access.tokens.create(eve, { name: 'build', permissions: ['content:read'] });
  assert.equal((await use(world, world.token)).body.tokens, [{ id, name: 'build', masked }]);
  assert.ok(world.access.tokens.identify(token));
});

test('a weak password is refused, and does not use the link up', async () => {
  await using world = await makeAsked();
  assert.is((await use(world, world.token, 'short')).status, 400);
  assert.is((await use(world, world.token)).status, 200);
});

test('only the hash of a token is stored, and neither the token nor the address is logged', async () => {
  await using world = await makeAsked();
  await ask(world, 'nobody@example.com');
  await use(world, 'x'.repeat(43));
  await use(world, world.token);
  const stored = readFileSync(join(world.dataDir, 'users.json'), 'utf8');
  assert.not.match(stored, world.token);
  const logged = JSON.stringify(world.logged);
  for (const secret of [world.token, EVE, 'nobody@example.com', NEW]) assert.not.match(logged, secret);
});

test('invented tokens are refused, whatever they look like', async () => {
  await using world = await makeAsked();
  for (const token of ['', 'x', 'x'.repeat(43), 'é'.repeat(43), 'constructor', '__proto__']) {
    assert.is((await use(world, token)).status, 400, token);
  }
});

test('an account gets three links an hour, and an address may request twenty', async () => {
  await using world = makeMailWorld();
  await world.setUp();
  for (let i = 0; i < 5; i += 1) assert.is((await ask(world, 'ada@example.com', `192.0.2.${i}`)).status, 200);
  await world.settled();
  assert.is(world.mails.length, 3);
  world.advance(60 * MINUTE);
  const statuses: number[] = [];
  for (let i = 0; i < 22; i += 1) statuses.push((await ask(world, `nobody${i}@example.com`)).status);
  assert.equal(statuses, [...Array.from({ length: 20 }, () => 200), 429, 429]);
  const refused = await ask(world, 'ada@example.com');
  assert.is(refused.status, 429);
  assert.ok(Number(refused.headers['Retry-After']) > 0);
});

test('addresses of the same 64-bit IPv6 network count as one', async () => {
  await using world = makeMailWorld();
  await world.setUp();
  const statuses: number[] = [];
  for (let i = 1; i <= 21; i += 1) statuses.push((await ask(world, 'nobody@example.com', `2001:db8:1:2::${i}`)).status);
  assert.equal(statuses.slice(19), [200, 429]);
});

test('without mail no link is made, and the log says what to set', async () => {
  await using world = makeMailWorld({ mailer: undefined });
  await world.setUp();
  const file = join(world.dataDir, 'users.json');
  const before = readFileSync(file, 'utf8');
  assert.equal((await ask(world, 'ada@example.com')).body, { ok: true });
  await world.settled();
  assert.is(readFileSync(file, 'utf8'), before);
  assert.ok(world.logged.some(({ message }) => message.includes('SMTP_URL')));
});

test('a suspension ends mailed links, and none is mailed while it lasts', async () => {
  await using world = await makeAsked();
  const { id } = world.access.users.get(EVE);
  await world.access.users.change(id, { suspended: true });
  await ask(world, EVE);
  await world.settled();
  assert.is(world.mails.length, 1);
  await world.access.users.change(id, { suspended: false });
  assert.is((await use(world, world.token)).status, 400);
  assert.is(await login(world, EVE, PASSWORD), 200);
});

test('an invited user who has not set a password gets no reset mail', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  await world.send('POST', '/api/admin/users/invite', { cookie, body: { email: EVE, role: 'editor' } });
  await world.settled();
  await ask(world, EVE);
  await world.settled();
  assert.equal(
    world.mails.map(({ subject }) => subject),
    ['Ada invited you to cms.example'],
  );
});

test('the operator can make a link without mail', async () => {
  await using world = makeMailWorld({ mailer: undefined });
  await world.setUp();
  const { id } = world.access.users.get('ada@example.com');
  const url = await world.access.links.makeResetLink(id, 'https://cms.example/admin');
  const token = new URL(url).hash.replace('#token=', '');
  assert.is((await use(world, token)).status, 200);
  assert.is(await refusalOf(() => world.access.links.reset({ token, password: NEW })), 'invalid_input');
});

test.run();
