// What the panel says of a document as a whole.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commitFile } from '../../support/git.ts';
import { assertQuiet, makeAdminWorld } from '../world.ts';
import { makePost, stored } from './steps.ts';

test('who changed it, and when, are of one change: not of a lock, nor the date that a file from git kept', async () => {
  await using admin = await makeAdminWorld();
  const { world } = admin;
  await makePost(admin, { title: 'Tides', loose: 'x' });
  const before = await stored(admin);
  const old = '2020-02-03T04:05:06.000Z';
  const file = { ...before, createdAt: old, updatedAt: old, data: { ...before.data, title: 'Ebbs' } };
  const { repository, log } = world.site().store;
  await log.flush();
  await commitFile(repository, 'content/posts/tides.json', `${JSON.stringify(file, undefined, 2)}\n`);
  await world.restart();
  await world.admin.put('/api/content/posts/tides/_fieldMeta/loose/lock', { reason: 'legal' });
  const { page, complaints } = await admin.signedIn('/content/posts/tides');
  const details = page.getByRole('tabpanel', { name: 'Details' });
  await details.getByText(/by Grace/).waitFor();
  assert.not.match(await details.getByText(/by Grace/).innerText(), /2020/);
  assertQuiet(complaints);
});

test.run();
