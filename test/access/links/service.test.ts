// Mailed links of the whole service, through a real SMTP server.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Delivered, headerOf, makeMailbox } from '../../support/mailbox.ts';
import { makeWorld, PASSWORD } from '../../support/world.ts';

const NEW = 'another horse entirely';

/** Waits for the first mail to this address, or a later one. */
async function mailTo(mails: Delivered[], to: string, later = 0): Promise<Delivered> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = mails.filter((mail) => mail.to.includes(to))[later];
    if (found) return found;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`no mail came to ${to}`);
}

/** The text of a mail, whose lines SMTP may have folded. */
function textOf({ raw }: Delivered): string {
  return raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
}

test('a forgotten password is set by a mailed link, which leads to the listening address and not to the Host', async () => {
  await using mailbox = await makeMailbox();
  await using world = await makeWorld({ env: { SMTP_URL: mailbox.url, CMS_EMAIL_FROM: 'cms@example.com' } });
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  const asked = await world.anonymous.post('/api/auth/reset', { email: 'ada@example.com' }, evil);
  assert.equal([asked.status, asked.json], [200, { ok: true }]);
  const mail = await mailTo(mailbox.mails, 'ada@example.com');
  assert.is(headerOf(mail, 'subject'), `Set a new password for 127.0.0.1:${world.port}`);
  assert.not.match(mail.raw, 'evil');
  const link = new RegExp(`http://127\\.0\\.0\\.1:${world.port}/admin/reset#token=([\\w-]+)`).exec(textOf(mail));
  const reply = await world.anonymous.post('/api/auth/reset', { token: link?.[1], password: NEW });
  assert.equal([reply.status, reply.json.email], [200, 'ada@example.com']);
  const login = (password: string) => world.anonymous.post('/api/auth/login', { email: 'ada@example.com', password });
  assert.equal([(await login(PASSWORD)).status, (await login(NEW)).status], [401, 200]);
  assert.is((await world.admin.get('/api/admin/profile')).status, 401);
  assert.not.match(JSON.stringify(world.logged), link?.[1] ?? '');
});

test('resets, invitations and their acceptance are in the audit, without tokens', async () => {
  await using mailbox = await makeMailbox();
  await using world = await makeWorld({
    env: { SMTP_URL: mailbox.url, CMS_EMAIL_FROM: 'cms@example.com', CMS_PUBLIC_URL: 'https://cms.example' },
  });
  const invited = await world.admin.post('/api/admin/users/invite', { email: 'grace@example.com', role: 'editor' });
  assert.equal([invited.status, invited.json.invited, invited.json.inviteUrl], [200, true, undefined]);
  const mail = await mailTo(mailbox.mails, 'grace@example.com');
  const token = /https:\/\/cms\.example\/admin\/invite#token=([\w-]+)/.exec(textOf(mail))?.[1];
  const body = { token, password: NEW, name: 'Grace Hopper' };
  assert.is((await world.anonymous.post('/api/auth/reset', body)).status, 200);
  await world.anonymous.post('/api/auth/reset', { email: 'grace@example.com' });
  await mailTo(mailbox.mails, 'grace@example.com', 1);
  const { json } = await world.admin.get('/api/admin/audit');
  const lines = (
    json.entries as { action: string; actor: { name: string }; target: string; changes: { key: string }[] }[]
  )
    .filter(({ target }) => target === invited.json.id)
    .map(({ action, actor, changes }) => [action, actor.name, changes.map(({ key }) => key).join(' ')]);
  assert.equal(lines, [
    ['user.changed', 'a person without a session', 'resetLink'],
    ['user.changed', 'grace', 'name password inviteLink'],
    ['user.added', 'Ada', 'email name role sites'],
  ]);
  assert.not.match(JSON.stringify(json), token ?? '');
});

test('if it is not known where links lead, nothing is mailed, and every answer is the same', async () => {
  await using mailbox = await makeMailbox();
  await using world = await makeWorld({ env: { SMTP_URL: mailbox.url, CMS_TRUST_PROXY: '1' } });
  const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '192.0.2.1' };
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const reply = await world.anonymous.post('/api/auth/reset', { email }, forwarded);
    assert.equal([reply.status, reply.json], [200, { ok: true }]);
  }
  assert.is((await world.anonymous.get('/api/auth/methods')).json.reset, false);
  assert.is(
    (await world.admin.post('/api/admin/users/invite', { email: 'g@example.com', role: 'editor' })).status,
    503,
  );
  assert.ok(world.logged.some(({ msg }) => String(msg).includes('CMS_PUBLIC_URL')));
  assert.equal(mailbox.mails, []);
});

test('without mail set up no reset mail is written to the log, because its link is a secret', async () => {
  await using world = await makeWorld({});
  await world.anonymous.post('/api/auth/reset', { email: 'ada@example.com' });
  const { json } = await world.admin.post('/api/admin/users/invite', { email: 'g@example.com', role: 'editor' });
  assert.match(json.inviteUrl, /#token=/);
  assert.not.match(JSON.stringify(world.logged), /token=/);
});

test('a user whose role is in CMS_REQUIRE_CODES may do nothing without codes, and learns what to do', async () => {
  await using world = await makeWorld({ env: { CMS_REQUIRE_CODES: 'editor,viewer' } });
  const editor = await world.user('editor');
  for (const path of ['/api/cms/posts', '/api/admin/calendar', '/api/admin/access-tokens']) {
    const { status, json } = await editor.get(path);
    assert.is(status, 403, path);
    assert.match(json.error, '/api/admin/profile/one-time-codes', path);
  }
  assert.is((await editor.get('/api/admin/profile')).status, 200);
  assert.is((await world.admin.get('/api/cms/posts')).status, 200);
  const begun = await editor.post('/api/admin/profile/one-time-codes', { currentPassword: PASSWORD });
  assert.is(begun.status, 200);
});

test.run();
