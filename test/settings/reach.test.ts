// Each setting, what it reaches, and which secrets it makes the service forget: the table of .github/SECURITY.md, and what
// happens. A setting without a row fails here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideSettings } from '../../src/settings/patch.ts';
import { REACH } from '../../src/settings/reach.ts';
import type { Given } from '../../src/settings/secrets.ts';
import { SECRETS, SETTING_KEYS, type SettingKey } from '../../src/settings/settings.ts';
import { readText } from '../support/source.ts';
import { readTable } from '../support/tables.ts';
import { makeWorld } from '../support/world.ts';

const MAKERS = { newId: () => 'new', newWebhookSecret: () => 'whsec_bmV3', newSigningSecret: () => 'made' };
const decide = (before: Given, patch: unknown) => decideSettings(before, patch, MAKERS);

/** Two values of each setting that makes the service forget something. */
const VALUES: Partial<Record<SettingKey, [before: string, after: string]>> = {
  deployAppName: ['acme/site', 'evil/site'],
  deployBranch: ['gh-pages', 'main'],
  revalidateUrl: ['https://one.example/r', 'https://evil.example/r'],
  vercelProject: ['one', 'two'],
  vercelTeamId: ['one', 'two'],
  netlifySiteId: ['one', 'two'],
  cloudflareAccountId: ['one', 'two'],
  cloudflareProjectName: ['one', 'two'],
  flyOrg: ['one', 'two'],
  flyAppName: ['one', 'two'],
  flyVolumeName: ['one', 'two'],
  flyDomain: ['one.example.com', 'two.example.com'],
  flyImage: ['image:1', 'image:2'],
  syncUrl: ['https://one.example', 'https://evil.example'],
  githubUrl: ['https://one.example', 'https://evil.example'],
  githubApiUrl: ['https://one.example', 'https://evil.example'],
  vercelApiUrl: ['https://one.example', 'https://evil.example'],
  netlifyApiUrl: ['https://one.example', 'https://evil.example'],
  cloudflareApiUrl: ['https://one.example', 'https://evil.example'],
  flyApiUrl: ['https://one.example', 'https://evil.example'],
};
const STORED: Given = Object.fromEntries(SECRETS.map((secret) => [secret, `stored-${secret}`]));

test('the table has each setting, what it reaches, who may set it, and what it makes the service forget', () => {
  const rows = readTable(readText('.github/SECURITY.md'), 'Setting');
  assert.equal(rows.map(([name]) => name).sort(), [...SETTING_KEYS].sort());
  for (const [name = '', reaches, who, forgets] of rows) {
    const reach = REACH[name as SettingKey];
    assert.is(reaches, reach.reaches || 'nothing', name);
    assert.is(
      who,
      name === 'allowPrivateTargets'
        ? 'an admin of the only site, or with the operator’s permission'
        : 'an admin of the site',
      name,
    );
    const own = { backupTarget: ['its key'], webhooks: ['the webhook’s secret, for a new one'] }[name];
    assert.is(forgets, (own ?? reach.forgets).join(', ') || 'none', name);
  }
});

test('a secret is forgotten when what it acts on changes, and by nothing else', () => {
  for (const [setting, { forgets }] of Object.entries(REACH) as [SettingKey, (typeof REACH)[SettingKey]][]) {
    const values = VALUES[setting];
    assert.is(
      values !== undefined,
      forgets.length > 0,
      `${setting} has two values here if it makes the service forget`,
    );
    if (!values) continue;
    const [old, next] = values;
    for (const patch of [
      { [setting]: next },
      { [setting]: next, ...Object.fromEntries(SECRETS.map((one) => [one, { set: true, last4: '' }])) },
    ]) {
      const { given, forgotten } = decide({ ...STORED, [setting]: old }, patch);
      const gone = SECRETS.filter((secret) => given[secret] === undefined);
      assert.equal(gone.sort(), [...forgets].sort(), setting);
      assert.equal(forgotten, Object.fromEntries(forgets.map((secret) => [secret, [setting]])), setting);
    }
    // Also from nothing, and to nothing.
    assert.equal(
      Object.keys(decide(STORED, { [setting]: old === 'gh-pages' ? next : old }).forgotten).sort(),
      [...forgets].sort(),
      setting,
    );
    if (old !== 'gh-pages') {
      assert.equal(
        Object.keys(decide({ ...STORED, [setting]: old }, { [setting]: null }).forgotten).sort(),
        [...forgets].sort(),
        setting,
      );
    }
    // The same value, and the secret sent along.
    assert.equal(decide({ ...STORED, [setting]: old }, { [setting]: ` ${old} ` }).forgotten, {}, setting);
    const sent = Object.fromEntries(forgets.map((secret) => [secret, 'sent-again-0123456789']));
    const kept = decide({ ...STORED, [setting]: old }, { [setting]: next, ...sent });
    assert.equal(kept.forgotten, {}, setting);
    for (const secret of forgets) assert.is(kept.given[secret], 'sent-again-0123456789');
  }
});

test('the key of a backup target goes with each part that it acts on', () => {
  const target = { endpoint: 'https://s3.example', region: 'eu', bucket: 'copies', prefix: 'a', accessKeyId: 'AKID' };
  const before = { backupTarget: { ...target, secretAccessKey: 'hushhush' } };
  const parts = { endpoint: 'https://evil.example', region: 'us', bucket: 'others', prefix: 'b', accessKeyId: 'OTHER' };
  for (const [part, value] of Object.entries(parts)) {
    const { given, forgotten } = decide(before, { backupTarget: { [part]: value } });
    assert.is((given.backupTarget as { secretAccessKey: string }).secretAccessKey, '', part);
    assert.equal(forgotten, { 'backupTarget.secretAccessKey': [`backupTarget.${part}`] });
    const sent = decide(before, { backupTarget: { [part]: value, secretAccessKey: 'new' } });
    assert.equal(sent.forgotten, {});
  }
  assert.equal(decide(before, { backupTarget: { endpoint: 'https://s3.example/' } }).forgotten, {});
});

test('a webhook at a new address gets a new secret', () => {
  const hook = { id: 'a', url: 'https://one.example/hook', secret: 'whsec_abcdefghijkl', events: ['*'] };
  const moved = { ...hook, url: 'https://two.example/hook', secret: { set: true, last4: 'ijkl' } };
  const { given, generated, forgotten } = decide({ webhooks: [hook] }, { webhooks: [moved] });
  assert.equal((given.webhooks as { secret: string }[])[0]?.secret, 'whsec_bmV3');
  assert.equal(generated, { 'webhooks.a.secret': 'whsec_bmV3' });
  assert.equal(forgotten, { 'webhooks.a.secret': ['webhooks.a.url'] });
  assert.equal(decide({ webhooks: [hook] }, { webhooks: [{ ...hook, secret: undefined }] }).forgotten, {});
  assert.equal(decide({ webhooks: [hook] }, { webhooks: [{ ...moved, secret: 'my own words' }] }).forgotten, {});
});

test('the shape says beforehand what a change would make the service forget, and the answer says what it did', async () => {
  await using world = await makeWorld();
  const PATH = '/api/admin/site-config';
  const { properties } = (await world.admin.get(`${PATH}/shape`)).json;
  for (const setting of SETTING_KEYS.filter((key) => key !== 'webhooks')) {
    assert.equal(properties[setting].forgets ?? [], REACH[setting].forgets, setting);
  }
  assert.equal(properties.backupTarget.properties.bucket.forgets, ['backupTarget.secretAccessKey']);
  await world.admin.post(PATH, { deployAppName: 'acme/site', deployApiToken: 'ghp_0123456789' });
  const moved = await world.admin.post(PATH, { deployAppName: 'evil/site' });
  assert.equal(moved.json.deployApiToken, { set: false });
  assert.equal(
    moved.json.warnings.map(({ path }: { path: string }) => path),
    ['deployApiToken'],
  );
  assert.match(moved.json.warnings[0].message, 'deployAppName');
  assert.is((await world.admin.post(PATH, { timezone: 'Europe/Rome' })).json.warnings, undefined);
});

test.run();
