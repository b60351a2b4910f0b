// What wakes operators: free space and backups are there from the first reading on.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, SERVICE_SECRET } from '../../support/world.ts';

test('free space and the age of the newest backup can be read before there is a backup, and after', async () => {
  await using world = await makeWorld();
  const operator = world.client({ 'x-cms-service-token': SERVICE_SECRET });
  const read = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name}(?:\\{site="default"\\})? (\\S+)$`, 'm').exec((await operator.get('/metrics')).text)?.[1];
  assert.ok(Number(await read('colophon_disk_free_bytes')) > 0);
  assert.is(await read('colophon_backup_age_seconds'), '+Inf');
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'One' } });
  assert.is((await world.admin.post('/api/admin/backups')).status, 200);
  const ageSeconds = Number(await read('colophon_backup_age_seconds'));
  assert.ok(ageSeconds >= 0 && ageSeconds < 60, `${ageSeconds}`);
});

test.run();
