// Nobody prunes entries of the last 90 days: an account that makes more changes than the audit keeps is refused before
// the change is made.
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createChangeAllowance } from '../../src/access/audit-allowance.ts';
import type { Audit, AuditActor, AuditEntry } from '../../src/audit/entry.ts';
import { createAudit } from '../../src/audit/open-audit.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { ADA, listAll, makePlace, type Place } from '../settings/world.ts';
import { CONFIG, makeWorld, PASSWORD } from '../support/world.ts';

const DAY_MS = 86_400_000;
const SIZES = { maxBytes: 64_000, fileBytes: 4000 };
/** Without limits by the hour. */
const ALLOWANCE = { change: () => 0, urgent: () => 0 };
const BOB: AuditActor = { id: 'u2', name: 'Bob', email: 'bob@example.com' };

function entry(target: string, actor: AuditActor): Omit<AuditEntry, 'id' | 'at'> {
  const changes = [{ key: 'k', before: null, after: 'x'.repeat(400) }];
  return { site: 'default', actor, action: 'settings.updated', target, changes };
}

function sizeOf(place: Place): number {
  const folder = path.join(place.folder, 'audit');
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}

async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw error ?? new Error('not refused');
  return error;
}

/** Records until the first refusal; returns how many entries there are, and the refusal. */
async function fill(audit: Audit, actor: AuditActor): Promise<{ count: number; refusal: ServiceError }> {
  for (let count = 0; ; count++) {
    try {
      await audit.record(entry(`${actor.id} ${count}`, actor));
    } catch (error) {
      if (error instanceof ServiceError) return { count, refusal: error };
      throw error;
    }
  }
}

test('an account that fills an audit is refused, nothing is pruned, and others find space', async () => {
  using place = makePlace();
  const audit = place.audit({ ...SIZES, allowance: ALLOWANCE });
  await audit.record(entry('first', BOB));
  const { count, refusal } = await fill(audit, ADA);
  assert.is(refusal.status, 429);
  assert.ok(count > 30 && count < 60, `${count} entries, about half of the trail`);
  const waitSeconds = Number(refusal.headers['Retry-After']);
  assert.ok(waitSeconds > 89 * 86_400 && waitSeconds <= 90 * 86_400, String(waitSeconds));
  const all = await listAll(audit, ['default']);
  assert.is(all.at(-1)?.target, 'first');
  assert.is(all.length, count + 1);
  // Another account, and another one, still have a share.
  const second = await fill(audit, BOB);
  assert.ok(second.count > 5 && second.count < count, `${second.count} entries of the second account`);
  const third = await fill(audit, { ...BOB, id: 'u3' });
  assert.ok(third.count > 2 && third.count < second.count, `${third.count} entries of the third account`);
  assert.ok(sizeOf(place) <= SIZES.maxBytes);
});

test('a restart does not forget what an account has taken', async () => {
  using place = makePlace();
  await fill(place.audit({ ...SIZES, allowance: ALLOWANCE }), ADA);
  const again = place.audit({ ...SIZES, allowance: ALLOWANCE });
  assert.is((await refusalOf(again.record(entry('more', ADA)))).status, 429);
});

test('after 90 days the entries may go, and the account may change things again', async () => {
  using place = makePlace();
  const audit = place.audit({ ...SIZES, allowance: ALLOWANCE });
  const { refusal } = await fill(audit, ADA);
  place.now = new Date(place.now.getTime() + Number(refusal.headers['Retry-After']) * 1000 + 1000);
  await audit.record(entry('after', ADA));
  assert.is((await listAll(audit, ['default']))[0]?.target, 'after');
});

test('an urgent change finds space when others are refused, a few in an hour', async () => {
  using place = makePlace();
  let left = 3;
  const audit = place.audit({ ...SIZES, allowance: { change: () => 0, urgent: () => (left-- > 0 ? 0 : 60) } });
  await fill(audit, ADA);
  for (let n = 0; n < 3; n++) await audit.reserve(['default'], ADA, { isUrgent: true });
  const refusal = await refusalOf(audit.reserve(['default'], ADA, { isUrgent: true }));
  assert.equal([refusal.status, refusal.headers['Retry-After']], [429, '60']);
});

test('the command line is never refused, and prunes no entry of the last 90 days', async () => {
  using place = makePlace();
  await fill(place.audit({ ...SIZES, allowance: ALLOWANCE }), ADA);
  const command = place.audit(SIZES);
  const before = await listAll(command, ['default']);
  for (let n = 0; n < 200; n++) await command.record(entry(`c${n}`, { id: null, name: 'command line', email: '' }));
  const after = await listAll(command, ['default']);
  assert.is(after.length, before.length + 200);
  assert.is(after.at(-1)?.target, before.at(-1)?.target);
});

test('a clock that is ahead prunes no more than one file for its age', async () => {
  using place = makePlace();
  const audit = place.audit({ maxBytes: 1 << 20, fileBytes: 4000 });
  for (let n = 0; n < 40; n++) await audit.record(entry(`t${n}`, ADA));
  place.now = new Date(place.now.getTime() + 500 * DAY_MS);
  await audit.record(entry('ahead', ADA));
  assert.ok((await listAll(audit, ['default'])).length > 30);
});

test('3,650 changes of settings in two minutes do not empty a site’s audit', async () => {
  using place = makePlace();
  const sizes = { maxBytes: 4 << 20, fileBytes: 256 << 10 };
  const allowance = createChangeAllowance(() => place.now.getTime());
  const audit = place.audit({ ...sizes, allowance });
  await audit.record(entry('first', BOB));
  const settings = await place.open({ audit });
  const webhooks = (n: number) =>
    Array.from({ length: 4 }, (_, i) => ({
      id: `w${i}`,
      url: `https://hooks.example/${n}/${'x'.repeat(900)}`,
      events: ['*'],
    }));
  let changed = 0;
  for (let n = 0; n < 3650; n++) {
    place.now = new Date(place.now.getTime() + 33);
    try {
      await settings.update({ webhooks: webhooks(n) }, ADA);
      changed++;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      assert.is(error.status, 429);
      assert.ok(Number(error.headers['Retry-After']) > 0);
      // A refused change is not made.
      assert.match(JSON.stringify(settings.read().webhooks), `/${changed - 1}/`);
    }
  }
  assert.ok(changed > 100 && changed <= 1000, `${changed} changes were made`);
  const all = await listAll(audit, ['default']);
  assert.is(all.length, changed + 1, 'each change that was made is in the audit, and no other');
  assert.is(all.at(-1)?.target, 'first');
});

test('over HTTP an account beyond its share gets 429 with Retry-After before anything changes', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  const local = await world.user('admin', ['default']);
  const { id, name, email } = (await local.get('/api/auth/me')).json.user;
  const { json: token } = await local.post('/api/admin/access-tokens', { name: 't', permissions: ['content:read'] });
  // Half of the space, by this account.
  const audit = createAudit({
    folder: world.dataDir,
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    newId: randomUUID,
  });
  const changes = Array.from({ length: 4 }, (_, n) => ({ key: `k${n}`, before: null, after: 'x'.repeat(900) }));
  const one = { site: 'default', actor: { id, name, email }, action: 'settings.updated', target: 'default', changes };
  for (let n = 0; n < 8; n++) await audit.append(Array.from({ length: 1000 }, () => audit.toEntry(one)));
  const before: string = (await world.admin.get('/api/admin/site-config?site=default')).json.timezone;
  assert.is(before, 'UTC');
  const agent = { name: 'x', role: 'r', systemPrompt: 's', collections: ['posts'] };
  const refused: [string, object][] = [
    ['/api/admin/site-config', { timezone: 'Europe/Rome' }],
    ['/api/admin/access-tokens', { name: 'u', permissions: ['content:read'] }],
    ['/api/admin/users', { email: 'new@example.com', name: 'New', role: 'viewer', sites: ['default'] }],
    ['/api/cms/agents', agent],
  ];
  for (const [path, body] of refused) {
    const { status, headers, json } = await local.post(path, body);
    assert.equal([path, status, json.code], [path, 429, 'too_many_requests']);
    assert.ok(Number(headers['retry-after']) > 80 * 86_400, path);
  }
  assert.is((await world.admin.get('/api/admin/site-config?site=default')).json.timezone, before);
  assert.equal((await local.get('/api/cms/agents')).json.agents, []);
  assert.not.match((await world.admin.get('/api/admin/users')).text, 'new@example.com');
  // Sign-ins, the end of rights, one's own password, and other accounts go on.
  assert.is((await world.anonymous.post('/api/auth/login', { email, password: PASSWORD })).status, 200);
  assert.is((await local.delete(`/api/admin/access-tokens/${token.id}`)).status, 200);
  const timezone = await world.admin.post('/api/admin/site-config?site=default', { timezone: 'Europe/Rome' });
  assert.is(timezone.status, 200, timezone.text);
  const profile = { currentPassword: PASSWORD, newPassword: 'quite another one' };
  assert.is((await local.post('/api/admin/profile', profile)).status, 200);
});

test.run();
