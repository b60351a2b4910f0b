// Once a request is answered, no file outside the repository waits for a sync: the answer waits for what makes it
// durable. (The repository, its write-ahead log and the media have a disk model of their own:
// test/store/crash.test.ts.)
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SITE } from '../support/backup-archive.ts';
import { watchDisk } from '../support/synced-disk.ts';
import { type Client, makeWorld, PASSWORD, type Reply } from '../support/world.ts';

/** Scratch files of a running process, and files that the store syncs itself. */
const OTHERS = /\/(lock\.pid|content\.git(\/.*)?)$/;

/** Each change with the files and folders whose syncs its answer must wait for. */
const CHANGES: Record<string, [slow: RegExp, (client: Client) => Promise<Reply>]> = {
  'a submission': [/submissions/, (client) => client.post('/api/forms/contact', { text: 'a question' })],
  'a setting': [/_data/, (client) => client.post('/api/admin/site-config', { timezone: 'Europe/Copenhagen' })],
  'a secret': [
    /secrets/,
    (client) => client.post('/api/admin/site-config', { vercelToken: 'vercel-token-0123456789' }),
  ],
  'a user': [
    /users/,
    (client) =>
      client.post('/api/admin/users', { email: 'eve@example.com', name: 'Eve', role: 'editor', password: PASSWORD }),
  ],
  'an access token': [
    /tokens/,
    (client) => client.post('/api/admin/access-tokens', { name: 'ci', permissions: ['content:read'] }),
  ],
  'a backup': [/backups/, (client) => client.post('/api/admin/backups')],
};

test('a power cut after the answer takes nothing: submissions, settings, secrets, users, tokens, backups', async () => {
  using disk = await watchDisk(realpathSync(tmpdir()));
  await using world = await makeWorld({ config: SITE });
  const own = path.relative(tmpdir(), world.dataDir);
  const isOwn = (file: string): boolean => file.startsWith(`${own}/`) && !OTHERS.test(file);
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  for (const [what, [slow, change]] of Object.entries(CHANGES)) {
    const before = disk.syncs;
    disk.slow = slow;
    const { status, text } = await change(world.admin);
    const unsynced = disk.unsynced().filter(isOwn);
    assert.ok(status < 300, `${what}: ${text}`);
    assert.ok(disk.syncs > before, what);
    assert.equal(unsynced, [], what);
  }
  assert.equal(
    disk.problems.filter((words) => isOwn(words.split(' ')[0]!)),
    [],
  );
});

test.run();
