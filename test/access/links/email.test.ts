import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../world.ts';
import { makeMailWorld } from './mail-world.ts';

const OLD = 'eve@example.com';
const NEW = 'eve@example.org';

/** Eve, an editor, and her operations. */
async function makeEve() {
  const world = makeMailWorld();
  const admin = await world.setUp();
  const { id, cookie } = await world.addUser({ email: OLD, role: 'editor' });
  return Object.assign(world, {
    id,
    cookie,
    admin,
    ask: (email: string, more: object = {}) =>
      world.send('POST', '/api/admin/profile', { cookie, body: { email, currentPassword: PASSWORD, ...more } }),
    use: (token: string) => world.send('POST', '/api/auth/email', { body: { token } }),
    emailOf: () => world.access.users.find(id)?.email,
  });
}

test('a new address takes effect once the link that was mailed to it is used, and not before', async () => {
  await using world = await makeEve();
  const reply = await world.ask(NEW);
  assert.equal([reply.status, reply.body.user.email, reply.body.emailPending], [200, OLD, NEW]);
  await world.settled();
  assert.equal(world.mails.map(({ to }) => to).sort(), [OLD, NEW]);
  assert.is(world.emailOf(), OLD);
  const token = world.tokenFor(NEW);
  const used = await world.use(token);
  assert.equal([used.status, used.body.email], [200, NEW]);
  assert.is(world.emailOf(), NEW);
  assert.is((await world.use(token)).status, 400);
  const login = (email: string) => world.send('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
  assert.equal([(await login(OLD)).status, (await login(NEW)).status], [401, 200]);
});

test('the old address gets a notice, which contains no link that grants access', async () => {
  await using world = await makeEve();
  await world.ask(NEW);
  await world.settled();
  const notice = world.mails.find(({ to }) => to === OLD);
  assert.match(notice?.text ?? '', NEW);
  assert.not.match(notice?.text ?? '', world.tokenFor(NEW));
});

test('the link is not valid after 30 minutes, after a new password, or for another purpose', async () => {
  await using world = await makeEve();
  await world.ask(NEW);
  await world.settled();
  const body = { token: world.tokenFor(NEW), password: 'another horse entirely' };
  assert.is((await world.send('POST', '/api/auth/reset', { body })).status, 400);
  await world.access.users.change(world.id, { password: 'set by an admin' });
  assert.is((await world.use(world.tokenFor(NEW))).status, 400);
  await using late = await makeEve();
  await late.ask(NEW);
  await late.settled();
  late.advance(30 * 60_000);
  assert.is((await late.use(late.tokenFor(NEW))).status, 400);
  assert.is(late.emailOf(), OLD);
});

test('another user’s address is refused, and one that another user gets meanwhile stays theirs', async () => {
  await using world = await makeEve();
  assert.is((await world.ask('ADA@example.com')).status, 409);
  await world.ask(NEW);
  await world.settled();
  await world.addUser({ email: NEW, role: 'viewer' });
  assert.is((await world.use(world.tokenFor(NEW))).status, 409);
  assert.is(world.emailOf(), OLD);
});

test('a link needs the current password, and is not sent with a new password that would end it', async () => {
  await using world = await makeEve();
  for (const more of [
    { currentPassword: undefined },
    { currentPassword: 'wrong password' },
    { newPassword: 'another horse entirely' },
  ]) {
    assert.is((await world.ask(NEW, more)).status, 400, JSON.stringify(more));
  }
  await world.settled();
  assert.equal(world.mails, []);
});

test('a user can have only a few addresses mailed in an hour', async () => {
  await using world = await makeEve();
  const statuses: number[] = [];
  for (let i = 0; i < 4; i += 1) statuses.push((await world.ask(`stranger${i}@example.org`)).status);
  assert.equal(statuses, [200, 200, 200, 429]);
});

test.run();
