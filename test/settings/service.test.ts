// Settings on the disk: a change of plain values and secrets is one change, even if a crash or a full disk intervenes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { ADA, listAll, makePlace, type Place } from './world.ts';

const BOTH = { timezone: 'Europe/Rome', flyToken: 'fo1_0123456789' };

for (const broken of ['data', 'audit'] as const) {
  test(`a change that a crash cut off before the ${broken} was written is whole after the next start`, async () => {
    using place = makePlace();
    const before = await place.open(broken);
    await before.update(BOTH, ADA);
    assert.is(before.read().timezone, 'Europe/Rome');
    assert.is(place.warnings.length, 1);

    const after = await place.open();
    assert.equal(after.read(), before.read());
    const plain = readFileSync(path.join(place.folder, '_data', 'site-config.json'), 'utf8');
    assert.equal(JSON.parse(plain), { timezone: 'Europe/Rome' });
    const [entry, ...more] = await listAll(place.audit());
    assert.equal(more, []);
    assert.equal(entry?.actor, ADA);
    assert.equal(entry?.changes, [
      { key: 'timezone', before: 'UTC', after: 'Europe/Rome' },
      { key: 'flyToken', before: null, after: 'set' },
    ]);
    const secrets = JSON.parse(readFileSync(path.join(place.folder, 'secrets.json'), 'utf8'));
    assert.equal(Object.keys(secrets).sort(), ['own', 'revision', 'seen', 'settings', 'version']);
  });
}

test('an entry that the audit had before a crash is not added twice', async () => {
  using place = makePlace();
  const settings = await place.open('data');
  await settings.update(BOTH, ADA);
  const { unaudited } = JSON.parse(readFileSync(path.join(place.folder, 'secrets.json'), 'utf8'));
  await place.audit().append(unaudited);
  await place.open();
  assert.is((await listAll(place.audit())).length, 1);
});

test('values that could not be copied are copied with the next change', async () => {
  using place = makePlace();
  const settings = await place.open('audit');
  await settings.update(BOTH, ADA);
  await settings.update({ timezone: 'Asia/Tokyo' }, ADA);
  await (await place.open()).update({ timezone: 'Asia/Seoul' }, ADA);
  assert.equal(
    (await listAll(place.audit())).map(({ changes }) => changes[0]?.after),
    ['Asia/Seoul', 'Asia/Tokyo', 'Europe/Rome'],
  );
});

test('with a full disk a change is accepted or refused as a whole, and works again once there is space', async () => {
  using disk = mountSmallDisk(1);
  const place = makePlace(disk.folder);
  const settings = await place.open();
  await settings.update({ timezone: 'Europe/Rome', vercelToken: 'x'.repeat(4000) }, ADA);
  let refused = 0;
  for (const [round, leaveBytes] of [0, 4096, 8192, 16_384, 24_576, 32_768].entries()) {
    const before = settings.read();
    disk.fill(leaveBytes);
    const isTaken = await settings.update({ backupRetention: 100 + round, flyToken: `token-${100 + round}` }, ADA).then(
      () => true,
      (error) => {
        assert.is((error as ServiceError).code, 'storage_full');
        return false;
      },
    );
    if (!isTaken) refused++;
    if (!isTaken) assert.is(settings.read(), before);
    disk.free();
    const { backupRetention, flyToken } = settings.read();
    if (isTaken) assert.equal([backupRetention, flyToken], [100 + round, `token-${100 + round}`]);
    assert.equal((await place.open()).read(), settings.read());
  }
  assert.ok(refused > 0 && refused < 6, `${refused} refused`);
  await settings.update({ timezone: 'Asia/Tokyo' }, ADA);
  assert.is((await place.open()).read().timezone, 'Asia/Tokyo');
  const { length } = await listAll(place.audit());
  assert.is(length, 2 + 6 - refused);
});

test('a read returns the same object until something changes', async () => {
  using place = makePlace();
  const settings = await place.open();
  const first = settings.read();
  await settings.update({ timezone: 'UTC' }, ADA);
  assert.is(settings.read(), first);
  await settings.update({ timezone: 'Asia/Tokyo' }, ADA);
  assert.is.not(settings.read(), first);
});

test('listeners are notified of each change in order, and one that fails does not stop the others', async () => {
  using place = makePlace();
  const settings = await place.open();
  const seen: string[] = [];
  settings.subscribe(() => {
    throw new Error('on purpose');
  });
  const stop = settings.subscribe((after, before) => void seen.push(`${before.timezone} to ${after.timezone}`));
  await Promise.all([
    settings.update({ timezone: 'Asia/Tokyo' }, ADA),
    settings.update({ timezone: 'Asia/Seoul' }, ADA),
  ]);
  stop();
  await settings.update({ timezone: 'UTC' }, ADA);
  assert.equal(seen, ['UTC to Asia/Tokyo', 'Asia/Tokyo to Asia/Seoul']);
});

test('a secret of the service is made once, even for two calls at once, and replaced on request', async () => {
  using place = makePlace();
  const settings = await place.open();
  const [one, two] = await Promise.all([settings.secret('calendar'), settings.secret('calendar')]);
  assert.is(one, two);
  assert.match(one, /^[0-9a-f]{64}$/);
  assert.is.not(await settings.secret('forms'), one);
  assert.is(await (await place.open()).secret('calendar'), one);
  const rotated = await settings.rotate('calendar');
  assert.is.not(rotated, one);
  assert.is(await settings.secret('calendar'), rotated);
});

test('a broken file of secrets stops the start with a message that names it, and is left unchanged', async () => {
  using place = makePlace();
  const file = path.join(place.folder, 'secrets.json');
  for (const text of ['{', '{"version":2}', '']) {
    writeFileSync(file, text, { mode: 0o600 });
    try {
      await place.open();
      assert.unreachable(text);
    } catch (error) {
      assert.match((error as Error).message, 'secrets.json');
    }
    assert.is(readFileSync(file, 'utf8'), text);
  }
});

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
const TARGET = { endpoint: 'https://s3.good.example', region: 'eu', bucket: 'copies', accessKeyId: 'key' };
const EVIL = {
  timezone: 'Asia/Tokyo',
  deployAppName: 'evil/repo',
  flyApiUrl: 'https://evil.example',
  allowPrivateTargets: true,
  backupTarget: { ...TARGET, endpoint: 'https://s3.evil.example', secretAccessKey: 'another' },
  webhooks: [
    { id: 'moved', url: 'https://evil.example/hook', secret: SECRET, events: ['*'] },
    { id: 'stays', url: 'https://stays.example/', secret: SECRET, events: ['*'] },
  ],
};
const GOOD = {
  timezone: 'Europe/Rome',
  deployAppName: 'good/repo',
  flyApiUrl: 'https://api.machines.dev/v1',
  deployApiToken: 'ghp_0123456789abcdef',
  flyToken: 'fo1_0123456789abcdef',
  vercelToken: 'vercel_0123456789',
  allowPrivateTargets: false,
  backupTarget: { ...TARGET, secretAccessKey: 'of-the-good-target' },
  webhooks: [
    { id: 'moved', url: 'https://good.example/hook', secret: SECRET, events: ['*'] },
    { id: 'stays', url: 'https://stays.example/', secret: SECRET, events: ['*'] },
  ],
};

const plainOf = (place: Place): string => path.join(place.folder, '_data', 'site-config.json');
const secretsOf = (place: Place): Record<string, string> =>
  JSON.parse(readFileSync(path.join(place.folder, 'secrets.json'), 'utf8')).settings;

/** Settings with secrets, and the plain file that a backup has of the time before them. */
async function makeRestorable(place: Place, old: object = EVIL): Promise<{ settings: Settings; restored: Buffer }> {
  const settings = await place.open();
  await settings.update(old, ADA);
  const restored = readFileSync(plainOf(place));
  await settings.update(GOOD, ADA);
  return { settings, restored };
}

function assertForgotten(place: Place, settings: Settings): void {
  const read = settings.read();
  assert.is(read.timezone, 'Asia/Tokyo');
  assert.is(read.deployAppName, 'evil/repo');
  assert.is(read.deployApiToken, '');
  assert.is(read.flyToken, '');
  assert.is(read.vercelToken, GOOD.vercelToken);
  assert.is(read.backupTarget?.secretAccessKey, '');
  assert.equal(
    read.webhooks.map(({ id, secret }) => [id, secret]),
    [
      ['moved', ''],
      ['stays', SECRET],
    ],
  );
  assert.equal(secretsOf(place), { vercelToken: GOOD.vercelToken, 'webhooks.stays.secret': SECRET });
  assert.is(place.warnings.length, 1);
  const warning = place.warnings.join();
  for (const name of ['deployApiToken', 'flyToken', 'backupTarget.secretAccessKey', 'webhooks.moved.secret']) {
    assert.match(warning, name);
  }
  assert.not.match(warning, 'vercelToken');
}

test('a restored file takes no stored secret to another address or target', async () => {
  using place = makePlace();
  const { settings, restored } = await makeRestorable(place);
  const seen: string[] = [];
  settings.subscribe(({ deployApiToken }) => void seen.push(deployApiToken));
  const revision = settings.revision();
  writeFileSync(plainOf(place), restored);
  await settings.reload();
  assertForgotten(place, settings);
  assert.equal(seen, ['']);
  assert.is.not(settings.revision(), revision);

  const [entry] = await listAll(place.audit());
  assert.is(entry?.action, 'settings.updated');
  assert.equal(entry?.actor, { id: null, name: 'Colophon', email: 'colophon@localhost' });
  const changed = new Map(entry?.changes.map(({ key, before, after }) => [key, [before, after]]));
  assert.equal(changed.get('deployAppName'), ['good/repo', 'evil/repo']);
  for (const key of ['deployApiToken', 'flyToken', 'backupTarget.secretAccessKey', 'webhooks.moved.secret']) {
    assert.equal(changed.get(key), ['set', null], key);
  }
  assert.not.ok(changed.has('vercelToken'));
  assert.equal((await place.open()).read(), settings.read());
});

test('a secret does not come back with a second restore after what it acts on was gone', async () => {
  using place = makePlace();
  const { settings, restored } = await makeRestorable(place);
  writeFileSync(plainOf(place), '{}');
  await settings.reload();
  assert.equal(secretsOf(place), { flyToken: GOOD.flyToken, vercelToken: GOOD.vercelToken });
  writeFileSync(plainOf(place), restored);
  await settings.reload();
  assert.equal(
    settings.read().webhooks.map(({ secret }) => secret),
    ['', ''],
  );
  assert.is(settings.read().backupTarget?.secretAccessKey, '');
});

test('a restored file that reaches the same leaves every secret, and says nothing', async () => {
  using place = makePlace();
  const { settings } = await makeRestorable(place);
  const before = settings.read();
  const secrets = secretsOf(place);
  writeFileSync(
    plainOf(place),
    JSON.stringify({ ...JSON.parse(readFileSync(plainOf(place), 'utf8')), timezone: 'UTC' }),
  );
  await settings.reload();
  assert.equal(settings.read(), { ...before, timezone: 'UTC' });
  assert.equal(secretsOf(place), secrets);
  assert.equal(place.warnings, []);
});

test('a start after a restore that was cut off before the settings were read again forgets the secrets, too', async () => {
  using place = makePlace();
  const { restored } = await makeRestorable(place);
  writeFileSync(plainOf(place), restored);
  assertForgotten(place, await place.open());
  await place.open();
  assert.is(place.warnings.length, 1);
});

for (const isPermitted of [true, false]) {
  test(`a restore ${isPermitted ? 'allows' : 'does not allow'} private targets if the site ${isPermitted ? 'may' : 'may not'}`, async () => {
    using place = makePlace();
    const { settings, restored } = await makeRestorable(place);
    place.mayAllowPrivate = isPermitted;
    writeFileSync(plainOf(place), restored);
    await settings.reload();
    assert.is(settings.read().allowPrivateTargets, isPermitted);
    assert.is((await place.open()).read().allowPrivateTargets, isPermitted);
  });
}

test.run();
