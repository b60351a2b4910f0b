// Settings on the disk: a change of plain values and secrets is one change, even if a crash or a full disk intervenes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import { ADA, listAll, makePlace } from './world.ts';

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
    assert.equal(Object.keys(secrets).sort(), ['own', 'revision', 'settings', 'version']);
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

test.run();
