// The effect of a change of the settings: it applies to the named keys only, and not at all if one key is wrong.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/lib/errors.ts';
import { type Decided, decideSettings } from '../../src/settings/patch.ts';
import { type Given, toSettings } from '../../src/settings/secrets.ts';

let made = 0;
const MAKERS = {
  newId: () => `new${++made}`,
  newWebhookSecret: () => `whsec_${++made}`,
  newSigningSecret: () => `made-${++made}`,
};

function decide(before: Given, patch: unknown): Decided {
  return decideSettings(before, patch, MAKERS);
}

/** Returns the paths of all problems; fails if the change is accepted. */
function refused(patch: unknown, before: Given = {}): string[] {
  try {
    decide(before, patch);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error;
    return (error.details ?? [{ path: '' }]).map(({ path }) => path);
  }
  throw new Error(`accepted: ${JSON.stringify(patch)}`);
}

const HOOK = { id: 'a', url: 'https://one.example/hook', secret: 'whsec_abcdefghijkl', events: ['*'] };
const TARGET = { endpoint: 'https://s3.example', bucket: 'copies', accessKeyId: 'AKID', secretAccessKey: 'hushhush' };

test('only the named keys change', () => {
  const { given } = decide({ timezone: 'Europe/Rome', deployOnSave: true }, { deployOnSave: false });
  assert.equal(given, { timezone: 'Europe/Rome', deployOnSave: false });
});

test('null and the empty string clear a setting, which then has its default', () => {
  for (const nothing of [null, '']) {
    const { given } = decide(
      { timezone: 'Europe/Rome', flyToken: 'secret', webhooks: [HOOK] },
      {
        timezone: nothing,
        flyToken: nothing,
        webhooks: nothing,
      },
    );
    assert.equal(given, {});
    assert.is(toSettings(given).timezone, 'UTC');
  }
});

test('every wrong key is reported, and an unknown one with the nearest known key', () => {
  assert.equal(refused({ timezon: 'UTC', backupRetention: 0, deployOnSave: 'yes', mcpPublic: true }), [
    'timezon',
    'backupRetention',
    'deployOnSave',
  ]);
  try {
    decide({}, { timezon: 'UTC' });
  } catch (error) {
    assert.match((error as Error).message, 'timezone');
  }
});

test('a value that a setting does not allow is refused', () => {
  const wrong: Record<string, unknown[]> = {
    timezone: ['Europe/Nowhere', '+01:00', 7, 'x'.repeat(200)],
    backupSchedule: ['* * *', '61 * * * *', 'H * * * *', '0 0 30 2 *', '* * * * * *', 'x'.repeat(100_000), 5],
    deployCron: ['every day'],
    backupRetention: [0, -1, 1.5, '7', 100_000],
    previewSiteUrl: ['ftp://x.example', 'javascript:alert(1)', 'https://u:p@x.example', 'x.example', 'https://a b', []],
    deployHookUrl: [`https://x.example/${'a'.repeat(3000)}`],
    githubApiUrl: ['https://x.example/?a=b', 'https://x.example/#a'],
    deployProvider: ['heroku'],
    deployAppName: ['a/b/c', '../..', 'a b', './x'],
    deployBranch: ['a..b', '-x', 'a/', 'a.lock', 'a/.b', 'a b'],
    flyRegion: ['Sweden', 'ARN1'],
    flyVolumeName: ['a-b'],
    flyDomain: ['no spaces.example', 'localhost', 'https://x.example'],
    netlifySiteId: ['a/b', '../x'],
    flyToken: ['two words', 'line\nbreak', 'grün', { set: 'yes' }, 4, { generate: true }],
    revalidateSecret: ['tab\there', '\ud800', ['x'], { generate: 'yes' }],
    allowPrivateTargets: ['true', 1],
    backupTarget: ['s3://x', [], { bucket: 'x' }],
    webhooks: ['x', {}, [1], [{ url: 'https://x.example' }]],
  };
  for (const [key, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.ok(refused({ [key]: value })[0]?.startsWith(key), `${key}: ${JSON.stringify(value)?.slice(0, 60)}`);
    }
  }
});

test('values are normalised as people mean them', () => {
  const { given } = decide(
    {},
    {
      timezone: 'America/Argentina/Buenos_Aires',
      backupSchedule: ' 30 3 * * MON-FRI ',
      githubApiUrl: 'http://127.0.0.1:8080/api/',
      deployAppName: 'acme/site.js',
      flyDomain: 'WWW.Example.com',
      deployBranch: 'deploy/pages',
    },
  );
  assert.equal(given, {
    timezone: 'America/Argentina/Buenos_Aires',
    backupSchedule: '30 3 * * MON-FRI',
    githubApiUrl: 'http://127.0.0.1:8080/api',
    deployAppName: 'acme/site.js',
    flyDomain: 'www.example.com',
    deployBranch: 'deploy/pages',
  });
});

test('a secret stays unchanged if a placeholder from a read is sent back', () => {
  const before = { flyToken: 'fo1_abc', backupTarget: TARGET, webhooks: [HOOK] };
  for (const masked of [{ set: true, last4: '_abc' }, { set: true, last4: 'old!' }, { set: false }]) {
    const { given } = decide(before, {
      flyToken: masked,
      backupTarget: { ...TARGET, secretAccessKey: masked },
      webhooks: [{ ...HOOK, secret: masked }],
    });
    assert.is(given.flyToken, 'fo1_abc');
    assert.is(toSettings(given).backupTarget?.secretAccessKey, 'hushhush');
    assert.is(toSettings(given).webhooks[0]?.secret, HOOK.secret);
  }
});

test('sending back a whole read changes nothing', () => {
  const { given } = decide(
    { timezone: 'Europe/Rome' },
    { timezone: 'Europe/Rome', resolvedContentDir: '/x', problems: [], flyToken: { set: false } },
  );
  assert.equal(given, { timezone: 'Europe/Rome' });
});

test('a signing secret is made on request and shown once', () => {
  const { given, generated } = decide({}, { revalidateSecret: { generate: true } });
  assert.equal(generated, { revalidateSecret: given.revalidateSecret as string });
  assert.match(given.revalidateSecret as string, /^made-/);
});

test('a backup target changes key by key, and must be complete', () => {
  const { given } = decide({ backupTarget: TARGET }, { backupTarget: { bucket: 'other', secretAccessKey: 'new' } });
  const merged = { ...TARGET, bucket: 'other', secretAccessKey: 'new', region: 'us-east-1', prefix: '' };
  assert.equal(given.backupTarget, merged);
  assert.equal(refused({ backupTarget: { bucket: null } }, { backupTarget: TARGET }), ['backupTarget.bucket']);
  assert.equal(refused({ backupTarget: { buckett: 'x', prefix: '../x' } }, { backupTarget: TARGET }), [
    'backupTarget.buckett',
    'backupTarget.prefix',
  ]);
});

test('a new webhook gets an id and a secret, and an existing one keeps both', () => {
  const first = decide(
    {},
    { webhooks: [{ url: 'https://one.example', events: ['form.submitted', 'form.submitted'] }] },
  );
  const [webhook] = toSettings(first.given).webhooks;
  assert.equal(webhook?.events, ['form.submitted']);
  assert.equal(first.generated, { [`webhooks.${webhook?.id}.secret`]: webhook?.secret });

  const second = decide(first.given, {
    webhooks: [
      { id: webhook?.id, url: 'https://one.example', events: ['form.submitted'] },
      { url: 'https://three.example', events: ['*'] },
    ],
  });
  const [kept, added] = toSettings(second.given).webhooks;
  assert.is(kept?.secret, webhook?.secret);
  assert.equal(kept?.events, ['form.submitted']);
  assert.is.not(added?.id, kept?.id);
});

test('a webhook gets a new secret on request, or the secret in the request', () => {
  const made = decide({ webhooks: [HOOK] }, { webhooks: [{ ...HOOK, secret: { generate: true } }] });
  assert.is.not(toSettings(made.given).webhooks[0]?.secret, HOOK.secret);
  const sent = decide({ webhooks: [HOOK] }, { webhooks: [{ ...HOOK, secret: 'my own words' }] });
  assert.is(toSettings(sent.given).webhooks[0]?.secret, 'my own words');
  assert.equal(sent.generated, {});
});

test('invalid webhooks are refused', () => {
  const hook = { url: 'https://x.example', events: ['*'] };
  assert.equal(refused({ webhooks: [{ ...hook, id: 'nobody', secret: { set: true, last4: 'abcd' } }] }), [
    'webhooks.0.secret',
  ]);
  assert.equal(refused({ webhooks: [HOOK, HOOK] }), ['webhooks']);
  assert.equal(refused({ webhooks: [{ ...hook, event: '*' }] }), ['webhooks.0.event']);
  assert.equal(refused({ webhooks: [{ ...hook, events: ['content.exploded'] }] }), ['webhooks.0.events.0']);
  assert.equal(refused({ webhooks: [{ ...hook, events: [] }] }), ['webhooks.0.events']);
  assert.ok(refused({ webhooks: Array.from({ length: 51 }, () => hook) }).includes('webhooks'));
  assert.equal(refused({ webhooks: [{ ...hook, id: '../x' }] }), ['webhooks.0.id']);
});

test('a change with very many unknown keys is refused at once', () => {
  const patch = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`unknown${index}`, 1]));
  const started = performance.now();
  assert.is(refused(patch).length, 100);
  assert.ok(performance.now() - started < 2000);
});

const HOOK_URL = 'https://hooks.example/services/T0/secret?token=x';

test('a masked address keeps the stored one, and the mask of another address is refused', () => {
  const before = { deployHookUrl: HOOK_URL, webhooks: [{ ...HOOK, url: HOOK_URL }] };
  const masked = 'https://hooks.example/…';
  const { given } = decide(before, {
    deployHookUrl: masked,
    webhooks: [{ ...HOOK, url: masked, events: ['form.submitted'] }],
  });
  assert.is(given.deployHookUrl, HOOK_URL);
  assert.equal(toSettings(given).webhooks, [{ ...HOOK, url: HOOK_URL, events: ['form.submitted'] }]);
  const other = 'https://other.example/…';
  assert.equal(refused({ deployHookUrl: other }, before), ['deployHookUrl']);
  assert.equal(refused({ deployHookUrl: masked }), ['deployHookUrl']);
  assert.equal(refused({ webhooks: [{ ...HOOK, url: other }] }, before), ['webhooks.0.url']);
  assert.equal(refused({ webhooks: [{ url: masked, events: ['*'] }] }, before), ['webhooks.0.url']);
});

test.run();
