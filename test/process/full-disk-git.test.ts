// A full disk for people with git: a push is answered by a sentence, bytes of Git LFS by 507, nothing of either stays
// behind, and both work again once there is space.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openClone, run } from '../git/world.ts';
import { git } from '../support/git.ts';
import { eventually, makePlace, setUp } from '../support/process.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';

const SIZE_MIB = 40;
const OBJECT_BYTES = 1 << 20;

test('a full disk refuses pushes with a sentence and bytes of media with 507, and both go on once there is space', async () => {
  using disk = mountSmallDisk(SIZE_MIB);
  await using place = makePlace({ dataDir: `${disk.folder}/data` });
  const scratch = mkdtempSync(path.join(tmpdir(), 'colophon-full-git-'));
  const service = await place.start();
  const client = service.client(await setUp(service));
  await client.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  const permissions = ['content:read', 'content:write', 'media:write', 'repository:write'];
  const { token } = (await client.post('/api/admin/access-tokens', { name: 'git', permissions })).json;
  const address = `${service.url.replace('http://', `http://x:${token}@`)}/git/default.git`;
  const cloned = await run(scratch, ['clone', '--quiet', address, 'clone']);
  assert.ok(cloned.ok, cloned.stderr);
  const clone = openClone(path.join(scratch, 'clone'));
  const commit = await clone.commit({ 'notes.txt': randomBytes(300_000).toString('base64') });
  const object = randomBytes(OBJECT_BYTES);
  const send = async (): Promise<{ status: number; text: string }> => {
    const oid = createHash('sha256').update(object).digest('hex');
    const answer = await fetch(`${service.url}/git/default.git/info/lfs/objects/${oid}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: object,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const site = path.dirname(place.repository);
  const leftovers = (): string[] => [
    ...readdirSync(path.join(site, 'incoming')),
    ...readdirSync(path.join(site, 'media', 'incoming')),
  ];
  const refs = await git(place.repository, 'for-each-ref');

  disk.fill(100_000);
  for (const ref of ['main', 'refs/heads/changes/notes']) {
    const refused = await clone.push(`HEAD:${ref}`);
    assert.is(refused.ok, false);
    assert.match(refused.stderr, /! \[remote rejected\] HEAD -> \S+ \(.*disk is full/, refused.stderr);
  }
  const full = await send();
  assert.is(full.status, 507, full.text);
  assert.match((JSON.parse(full.text) as { message: string }).message, /disk is full/);
  assert.equal(leftovers(), []);
  assert.is(await git(place.repository, 'for-each-ref'), refs);

  disk.free();
  await eventually(async () => {
    const pushed = await clone.push('HEAD:main', 'HEAD:refs/heads/changes/notes');
    assert.ok(pushed.ok, pushed.stderr);
  }, 10_000);
  assert.is((await git(place.repository, 'rev-parse', 'main')).trim(), commit);
  assert.is((await send()).status, 200);
  assert.equal(leftovers(), []);
  await git(place.repository, 'fsck', '--strict', '--full');
  rmSync(scratch, { recursive: true });
});

test.run();
