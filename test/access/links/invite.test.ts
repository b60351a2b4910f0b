import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../world.ts';
import { type MailWorld, makeMailWorld } from './mail-world.ts';

const GRACE = 'grace@example.com';
const NEW = 'a password of her own';
const DAY = 24 * 60 * 60_000;

const invite = (world: MailWorld, cookie: string, body: object) =>
  world.send('POST', '/api/admin/users/invite', { cookie, body });
const accept = (world: MailWorld, token: string, more: object = {}) =>
  world.send('POST', '/api/auth/reset', { body: { token, password: NEW, ...more } });
const login = async (world: MailWorld, email: string, password: string) =>
  (await world.send('POST', '/api/auth/login', { body: { email, password } })).status;

test('an invited user sets a password by the link, and signs in', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  const { status, body } = await invite(world, cookie, { email: GRACE, role: 'editor' });
  assert.is(status, 200);
  assert.equal(
    [body.email, body.name, body.role, body.invited, body.inviteUrl],
    [GRACE, 'grace', 'editor', true, undefined],
  );
  assert.is(body.password, undefined);
  await world.settled();
  assert.is(world.mails[0]?.to, GRACE);
  assert.is((await accept(world, world.tokenFor(GRACE), { name: 'Grace Hopper' })).status, 200);
  assert.is(await login(world, GRACE, NEW), 200);
  const { users } = (await world.send('GET', '/api/admin/users', { cookie })).body;
  const grace = users.find(({ email }: { email: string }) => email === GRACE);
  assert.equal([grace.name, 'invited' in grace], ['Grace Hopper', false]);
  assert.is((await accept(world, world.tokenFor(GRACE))).status, 400);
});

test('an invited user cannot sign in before setting a password', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  await invite(world, cookie, { email: GRACE, role: 'editor' });
  for (const password of ['', 'undefined', PASSWORD]) assert.is(await login(world, GRACE, password), 401);
});

test('an invitation is valid for seven days, and a second one replaces it', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  await invite(world, cookie, { email: GRACE, role: 'viewer' });
  await world.settled();
  const first = world.tokenFor(GRACE);
  world.advance(7 * DAY - 1);
  const session = (
    await world.send('POST', '/api/auth/login', { body: { email: 'ada@example.com', password: PASSWORD } })
  ).cookie!;
  const again = await invite(world, session, { email: GRACE, role: 'editor', name: 'Grace' });
  assert.equal([again.status, again.body.role, again.body.name], [200, 'editor', 'Grace']);
  await world.settled();
  assert.is((await accept(world, first)).status, 400);
  assert.is((await accept(world, world.tokenFor(GRACE))).status, 200);
  await invite(world, session, { email: 'late@example.com', role: 'viewer' });
  await world.settled();
  world.advance(7 * DAY);
  assert.is((await accept(world, world.tokenFor('late@example.com'))).status, 400);
});

test('a user who has a password cannot be invited', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  const eve = await world.addUser({ email: 'eve@example.com', role: 'viewer' });
  assert.is((await invite(world, cookie, { email: 'EVE@example.com', role: 'admin' })).status, 409);
  assert.is(world.access.users.find(eve.id)?.role, 'viewer');
});

test('nobody can invite with more rights than their own, or change the invitation of a user with more rights', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  await world.access.sites.add({ id: 'blog', org: 'default', configPath: '/srv/blog.ts' });
  const local = await world.addUser({ email: 'local@example.com', role: 'admin', sites: ['blog'] });
  for (const body of [
    { email: GRACE, role: 'viewer' },
    { email: GRACE, role: 'viewer', sites: ['default'] },
  ]) {
    assert.is((await invite(world, local.cookie, body)).status, 403, JSON.stringify(body));
  }
  assert.is((await invite(world, cookie, { email: GRACE, role: 'admin' })).status, 200);
  assert.is((await invite(world, local.cookie, { email: GRACE, role: 'viewer', sites: ['blog'] })).status, 403);
  assert.is(
    (await invite(world, local.cookie, { email: 'new@example.com', role: 'editor', sites: ['blog'] })).status,
    200,
  );
  assert.is((await invite(world, cookie, { email: 'x@example.com', role: 'editor', sites: ['nowhere'] })).status, 400);
  const editor = await world.addUser({ email: 'ed@example.com', role: 'editor' });
  assert.is((await invite(world, editor.cookie, { email: 'y@example.com', role: 'viewer' })).status, 403);
});

/** An admin of site blog, beside one of site shop, whom the first does not see. */
async function makeNeighbours(options: Parameters<typeof makeMailWorld>[0] = {}) {
  const world = makeMailWorld(options);
  const owner = await world.setUp();
  for (const id of ['blog', 'shop']) await world.access.sites.add({ id, org: 'default', configPath: `/srv/${id}.ts` });
  const local = await world.addUser({ email: 'local@example.com', role: 'admin', sites: ['blog'] });
  const hidden = await world.addUser({ email: GRACE, role: 'editor', sites: ['shop'] });
  return Object.assign(world, { owner, local, hidden });
}

const withoutOwn = ({ body, status }: { body: Record<string, unknown>; status: number }) => {
  const { id, email, name, createdAt, ...rest } = body;
  return { status, rest: { ...rest, ...(typeof email === 'string' ? {} : { email, name, id, createdAt }) } };
};

test('an admin of some sites gets the same answer for an address with an account elsewhere as for a free one', async () => {
  await using world = await makeNeighbours();
  const { cookie } = world.local;
  const FREE = 'free@example.com';
  const both = async (ask: (email: string) => Promise<{ status: number; body: Record<string, unknown> }>) => {
    const [taken, free] = [await ask(GRACE), await ask(FREE)];
    const text = (one: unknown, email: string) => JSON.stringify(one).replaceAll(email, '<address>');
    assert.is(text(withoutOwn(taken), GRACE), text(withoutOwn(free), FREE));
    return taken;
  };
  const site = { role: 'editor', sites: ['blog'] };
  assert.is((await both((email) => invite(world, cookie, { email, ...site }))).status, 200);
  // Again: a new link, and still one row each.
  const { id } = (await both((email) => invite(world, cookie, { email, ...site }))).body;
  const { users, invitesOnly } = (await world.send('GET', '/api/admin/users', { cookie })).body;
  const rows = users.filter(({ email }: { email: string }) => [GRACE, FREE].includes(email));
  assert.equal([rows.length, rows.every(({ invited }: { invited?: true }) => invited), invitesOnly], [2, true, true]);
  await world.settled();
  const mailsTo = (address: string) => world.mails.filter(({ to }) => to === address);
  assert.equal([mailsTo(GRACE).length, mailsTo(FREE).length], [2, 2]);

  const add = (email: string) =>
    world.send('POST', '/api/admin/users', { cookie, body: { email, name: 'G', ...site, password: PASSWORD } });
  assert.is((await both(add)).status, 403);
  const patch = (user: string, body: object) => world.send('PATCH', `/api/admin/users/${user}`, { cookie, body });
  const mate = await world.addUser({ email: 'mate@example.com', role: 'editor', sites: ['blog'] });
  assert.is((await both((email) => patch(mate.id, { email }))).status, 403);
  assert.is(
    (
      await both((email) =>
        patch(`${rows.find((row: { email: string }) => row.email === email).id}`, { password: NEW }),
      )
    ).status,
    403,
  );
  const profile = (as: string) => (email: string) =>
    world.send('POST', '/api/admin/profile', { cookie: as, body: { email, currentPassword: PASSWORD } });
  assert.is((await both(profile(mate.cookie))).status, 200);
  assert.is((await both(profile(cookie))).body.emailPending, GRACE);
  assert.is(world.access.users.find(world.local.id)?.email, 'local@example.com');

  // The invitation stays the blog's own, and can be taken back.
  assert.is((await patch(String(id), { name: 'Grace H.' })).status, 200);
  assert.equal(world.access.users.find(world.hidden.id)?.sites, ['shop']);
  assert.is((await world.send('DELETE', `/api/admin/users/${id}`, { cookie })).status, 200);
  assert.is(await login(world, GRACE, PASSWORD), 200);
});

test('an invitation to a person who has an account says so when it is used, and the account stays as it is', async () => {
  await using world = await makeNeighbours();
  await invite(world, world.local.cookie, { email: GRACE, role: 'admin', sites: ['blog'] });
  await world.settled();
  const reply = await accept(world, world.tokenFor(GRACE));
  assert.is(reply.status, 409);
  assert.match(reply.body.error, /you have an account with this address already/);
  assert.equal([await login(world, GRACE, PASSWORD), await login(world, GRACE, NEW)], [200, 401]);
  const { role, sites } = world.access.users.find(world.hidden.id)!;
  assert.equal([role, sites], ['editor', ['shop']]);
});

test('two sites may invite one person, and the first link that is used makes the account', async () => {
  await using world = await makeNeighbours();
  const other = await world.addUser({ email: 'other@example.com', role: 'admin', sites: ['shop'] });
  const NIA = 'nia@example.com';
  const first = await invite(world, world.local.cookie, { email: NIA, role: 'viewer', sites: ['blog'] });
  await world.settled();
  const token = world.tokenFor(NIA);
  const second = await invite(world, other.cookie, { email: NIA, role: 'admin', sites: ['shop'] });
  assert.equal([first.status, second.status], [200, 200]);
  await world.settled();
  assert.is((await accept(world, token)).status, 200);
  assert.is((await accept(world, world.tokenFor(NIA))).status, 409);
  const { role, sites } = world.access.users.findByEmail(NIA)!;
  assert.equal([role, sites], ['viewer', ['blog']]);
  const many = await Promise.all(
    Array.from({ length: 8 }, () =>
      invite(world, world.local.cookie, { email: 'many@example.com', role: 'viewer', sites: ['blog'] }),
    ),
  );
  assert.ok(many.every(({ status }) => status === 200 || status === 409));
  assert.is(world.access.users.list().filter(({ email }) => email === 'many@example.com').length, 1);
});

test('an admin of all sites leaves the invitations of a site as they are', async () => {
  await using world = await makeNeighbours();
  const LATE = 'late@example.com';
  const { id } = (await invite(world, world.local.cookie, { email: LATE, role: 'editor', sites: ['blog'] })).body;
  const all = await invite(world, world.owner, { email: LATE, role: 'viewer' });
  assert.equal([all.status, all.body.id === id], [200, false]);
  const again = await invite(world, world.owner, { email: LATE, role: 'editor' });
  assert.is(again.body.id, all.body.id);
  const { role, sites } = world.access.users.find(id)!;
  assert.equal([role, sites], ['editor', ['blog']]);
});

test('without mail an admin of some sites gets no link for any address, because using it would show who has an account', async () => {
  await using world = await makeNeighbours({ mailer: undefined });
  const { cookie } = world.local;
  for (const email of [GRACE, 'free@example.com'])
    assert.is((await invite(world, cookie, { email, role: 'editor', sites: ['blog'] })).status, 503);
  const { id } = (await invite(world, world.owner, { email: 'late@example.com', role: 'editor', sites: ['blog'] }))
    .body;
  assert.is((await world.send('POST', `/api/admin/users/${id}/password-link`, { cookie })).status, 503);
  // Who is the only one to have a team sees everybody, and adds people as ever.
  await world.send('DELETE', `/api/admin/users/${world.hidden.id}`, { cookie: world.owner });
  const body = { email: GRACE, name: 'Grace', role: 'editor', sites: ['blog'], password: PASSWORD };
  assert.is((await world.send('POST', '/api/admin/users', { cookie, body })).status, 200);
});

test('without mail the link is in the answer, to be handed over', async () => {
  await using world = makeMailWorld({ mailer: undefined });
  const cookie = await world.setUp();
  const { body } = await invite(world, cookie, { email: GRACE, role: 'editor' });
  assert.match(body.inviteUrl, /^https:\/\/cms\.example\/admin\/invite#token=[\w-]{43}$/);
  assert.is((await accept(world, body.inviteUrl.split('=')[1])).status, 200);
  assert.not.match(JSON.stringify(world.logged), body.inviteUrl.split('=')[1]);
});

test('if it is not known where links lead, nobody can be invited', async () => {
  await using world = makeMailWorld({ linkBase: '' });
  const cookie = await world.setUp();
  assert.is((await invite(world, cookie, { email: GRACE, role: 'editor' })).status, 503);
  assert.is(world.access.users.findByEmail(GRACE), undefined);
});

test('a password that an admin sets, or another address, ends the invitation', async () => {
  for (const [change, isInvited] of [
    [{ password: 'set by an admin' }, false],
    [{ email: 'other@example.com' }, true],
  ] as const) {
    await using world = makeMailWorld();
    const cookie = await world.setUp();
    const { id } = (await invite(world, cookie, { email: GRACE, role: 'editor' })).body;
    await world.settled();
    await world.access.users.change(id, change);
    assert.is((await accept(world, world.tokenFor(GRACE))).status, 400);
    assert.is(world.access.users.find(id)?.invited === true, isInvited);
  }
});

test('a link to set a password is mailed to a user, and a suspended user or oneself gets none', async () => {
  await using world = makeMailWorld();
  const cookie = await world.setUp();
  const add = { email: GRACE, name: 'Grace', role: 'editor', password: PASSWORD };
  const { id } = (await world.send('POST', '/api/admin/users', { cookie, body: add })).body;
  const link = (user: string) => world.send('POST', `/api/admin/users/${user}/password-link`, { cookie });
  assert.equal([(await link(id)).status, (await link(id)).body], [200, {}]);
  await world.settled();
  assert.is((await accept(world, world.tokenFor(GRACE))).status, 200);
  assert.equal([await login(world, GRACE, NEW), await login(world, GRACE, PASSWORD)], [200, 401]);
  const me = (await world.send('GET', '/api/auth/me', { cookie })).body.user;
  assert.is((await link(me.id)).status, 403);
  assert.is((await link('nobody')).status, 404);
  await world.send('PATCH', `/api/admin/users/${id}`, { cookie, body: { suspended: true } });
  assert.is((await link(id)).status, 409);
});

test.run();
