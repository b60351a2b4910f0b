// The real git-lfs against the service: a clone has the bytes of media, a push brings them, and what a hostile or
// mistaken client sends is refused with a reason.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newAttributes } from '../../../src/lib/git-attributes.ts';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { gif, upload } from '../../support/upload.ts';
import { type Clone, type GitWorld, makeGitWorld, openClone } from '../world.ts';

const LFS_JSON = 'application/vnd.git-lfs+json';

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A clone in which `git lfs install` has run. */
async function cloneWithLfs(world: GitWorld, token: string): Promise<Clone> {
  const folder = world.folder('lfs');
  const filters = ['clean -- %f', 'smudge -- %f', 'filter-process'].map((command) => `git-lfs ${command}`);
  const [clean = '', smudge = '', process = ''] = filters;
  const config = Object.entries({
    'filter.lfs.clean': clean,
    'filter.lfs.smudge': smudge,
    'filter.lfs.process': process,
    'filter.lfs.required': 'true',
  }).flatMap(([key, value]) => ['--config', `${key}=${value}`]);
  const ran = await world.run('clone', '--quiet', ...config, world.address(token), folder);
  assert.ok(ran.ok, ran.stderr);
  const clone = openClone(folder);
  await clone.git('lfs', 'install', '--local');
  return clone;
}

test('a clone with git-lfs has the bytes of media, a push brings new ones, and a pull gets those of others', async () => {
  await using world = await makeGitWorld({ now: 'real' });
  assert.ok(execFileSync('git', ['lfs', 'version']).length > 0, 'git-lfs is installed');
  const first = await upload(world.admin, 'one.gif', gif(1));
  assert.is(first.status, 200);
  const token = await world.secret();
  const [ines, tom] = [await cloneWithLfs(world, token), await cloneWithLfs(world, token)];
  assert.equal(readFileSync(join(ines.folder, 'media/images/one.gif')), gif(1));
  assert.ok(readFileSync(join(ines.folder, 'media/images/.meta/one.gif.json'), 'utf8').startsWith('{'));
  assert.is(await ines.git('status', '--porcelain'), '');

  writeFileSync(join(ines.folder, 'media/images/two.gif'), gif(2));
  await ines.commit({}, 'A picture');
  assert.is(
    await ines.git('show', 'HEAD:media/images/two.gif'),
    toPointerFile({ sha256: sha256(gif(2)), sizeBytes: gif(2).length })
      .toString()
      .trim(),
  );
  const pushed = await ines.push();
  assert.ok(pushed.ok, pushed.stderr);
  assert.not.match(pushed.stderr, /bytes are not here/);
  const served = await fetch(`${world.url}/uploads/images/two.gif`);
  assert.is(served.status, 200);
  assert.equal(Buffer.from(await served.arrayBuffer()), gif(2));

  await tom.git('pull', '--quiet', '--ff-only');
  assert.equal(readFileSync(join(tom.folder, 'media/images/two.gif')), gif(2));
});

test('a push of a pointer whose bytes did not come says so, and the command that it names sends them', async () => {
  await using world = await makeGitWorld({ now: 'real' });
  const clone = await cloneWithLfs(world, await world.secret());
  await clone.commit({ '.gitattributes': newAttributes().toString() }, 'Attributes');
  mkdirSync(join(clone.folder, 'media/images'), { recursive: true });
  writeFileSync(join(clone.folder, 'media/images/seven.gif'), gif(7));
  await clone.commit({}, 'A picture');
  // Without the hook of git-lfs, as from a clone that does not have it.
  const pushed = await clone.push('--no-verify', 'HEAD:main');
  assert.ok(pushed.ok, pushed.stderr);
  assert.match(pushed.stderr, /media\/images\/seven\.gif: its bytes are not here/);
  const [, command = ''] = /git (lfs push --all origin)/.exec(pushed.stderr) ?? [];
  assert.is((await fetch(`${world.url}/uploads/images/seven.gif`)).status, 404);
  await clone.git(...command.split(' '));
  assert.is((await fetch(`${world.url}/uploads/images/seven.gif`)).status, 200);
});

test('a proposal brings its pictures, which stay, and are served once main has them', async () => {
  await using world = await makeGitWorld({ now: 'real' });
  await upload(world.admin, 'one.gif', gif(1));
  const clone = await cloneWithLfs(world, await world.secret());
  writeFileSync(join(clone.folder, 'media/images/two.gif'), gif(2));
  await clone.commit({}, 'A picture');
  const proposed = await clone.push('HEAD:refs/heads/changes/picture');
  assert.ok(proposed.ok, proposed.stderr);
  assert.not.match(proposed.stderr, /bytes are not here/);
  const oid = sha256(gif(2));
  const media = join(world.repository, '../media');
  const longAgo = new Date(Date.now() - 25 * 3600_000);
  for (const file of [join('waiting', oid), join(oid.slice(0, 2), oid.slice(2, 4), oid)]) {
    utimesSync(join(media, file), longAgo, longAgo);
  }
  await world.site().sweepBytes();
  assert.is((await fetch(`${world.url}/uploads/images/two.gif`)).status, 404);
  await clone.pushed('HEAD:main');
  assert.is((await fetch(`${world.url}/uploads/images/two.gif`)).status, 200);
});

test('behind a proxy that drops the port from Host, bytes are at the public address', async () => {
  await using world = await makeGitWorld({
    env: { CMS_PUBLIC_URL: 'https://cms.example.org:8443', CMS_TRUST_PROXY: '1' },
  });
  await upload(world.admin, 'one.gif', gif(1));
  const oid = sha256(gif(1));
  const reader = await world.token(['content:read']);
  const ask = async (headers: Record<string, string>) => {
    const objects = [{ oid, size: gif(1).length }];
    const reply = await reader.post(
      '/git/default.git/info/lfs/objects/batch',
      { operation: 'download', objects },
      { 'content-type': LFS_JSON, accept: LFS_JSON, ...headers },
    );
    return new URL(JSON.parse(reply.text).objects[0].actions.download.href).origin;
  };
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
  assert.is(await ask({ host: 'cms.example.org', ...https }), 'https://cms.example.org:8443');
  assert.is(await ask({ host: 'cms.example.org:8443', ...https }), 'https://cms.example.org:8443');
  assert.is(await ask({ host: 'other.example.org', ...https }), 'https://other.example.org');
  assert.is(await ask({ host: 'cms.example.org:3010' }), 'http://cms.example.org:3010', 'past the proxy');
});

test('the batch API answers for each object, by the rights of the token, and takes only the bytes that were named', async () => {
  await using world = await makeGitWorld();
  await upload(world.admin, 'one.gif', gif(1));
  const known = { oid: sha256(gif(1)), size: gif(1).length };
  const absent = { oid: sha256(gif(2)), size: gif(2).length };
  const objects = '/git/default.git/info/lfs/objects';
  const ask = async (who: Pick<GitWorld['admin'], 'post'>, body: object) => {
    const reply = await who.post(`${objects}/batch`, body, { 'content-type': LFS_JSON, accept: LFS_JSON });
    return { ...reply, json: JSON.parse(reply.text) };
  };
  const writer = await world.token(['content:read', 'media:write']);
  const reader = await world.token(['content:read']);

  const download = await ask(reader, { operation: 'download', transfers: ['basic'], objects: [known, absent] });
  assert.is(download.status, 200);
  assert.is(download.headers['content-type']?.split(';')[0], LFS_JSON);
  const [there, gone] = download.json.objects;
  assert.is(there.actions.download.href, `${world.url}${objects}/${known.oid}`);
  assert.is(gone.error.code, 404);
  const fetched = await fetch(there.actions.download.href, { headers: there.actions.download.header });
  assert.equal(Buffer.from(await fetched.arrayBuffer()), gif(1));

  const refused = await ask(reader, { operation: 'upload', objects: [absent] });
  assert.is(refused.status, 403);
  assert.match(refused.json.message, /media:write/);
  assert.is((await ask(world.anonymous, { operation: 'download', objects: [known] })).status, 401);

  const bad = [
    { oid: 'ABC', size: 1 },
    { oid: '0'.repeat(64), size: (50 << 20) + 1 },
    { ...known, size: 1 },
  ];
  const answer = await ask(writer, { operation: 'upload', objects: [known, absent, ...bad] });
  const [has, wants, ...errors] = answer.json.objects;
  assert.equal(has, known);
  assert.equal(
    errors.map((one: { error: { code: number } }) => one.error.code),
    [422, 422, 422],
  );
  const { href, header } = wants.actions.upload;
  const put = (body: Buffer, headers = header) => fetch(href, { method: 'PUT', headers, body: new Uint8Array(body) });
  const wrong = await put(gif(3));
  assert.is(wrong.status, 400);
  assert.match(((await wrong.json()) as { message: string }).message, /SHA-256/);
  assert.is((await put(gif(2), { authorization: String(reader.headers.authorization) })).status, 403);
  assert.is((await put(gif(2))).status, 200);
  assert.equal((await ask(writer, { operation: 'upload', objects: [absent] })).json.objects, [absent]);

  const many = Array.from({ length: 1001 }, () => known);
  assert.is((await ask(writer, { operation: 'download', objects: many })).status, 400);
  assert.is((await ask(writer, { operation: 'download', transfers: ['ssh'], objects: [] })).status, 400);
  assert.is((await ask(writer, { operation: 'download', hash_algo: 'sha512', objects: [] })).status, 400);
  const locks = await writer.post('/git/default.git/info/lfs/locks/verify', {}, { 'content-type': LFS_JSON });
  assert.is(locks.status, 404);
});

test('bytes that no shown branch names are not served by their hash, and those of earlier commits are', async () => {
  await using world = await makeGitWorld();
  const reader = await world.token(['content:read', 'media:write']);
  const objects = '/git/default.git/info/lfs/objects';
  const oid = sha256(gif(5));
  const isServed = async () => {
    const body = { operation: 'download', objects: [{ oid, size: gif(5).length }] };
    const { text } = await reader.post(`${objects}/batch`, body, { 'content-type': LFS_JSON, accept: LFS_JSON });
    const { status } = await reader.get(`${objects}/${oid}`);
    assert.is(JSON.parse(text).objects[0].actions !== undefined, status === 200);
    return status === 200;
  };
  assert.is(
    (await reader.put(`${objects}/${oid}`, gif(5), { 'content-type': 'application/octet-stream' })).status,
    200,
  );
  assert.is(await isServed(), false, 'uploaded, and never pushed');
  const { url } = (await upload(world.admin, 'five.gif', gif(5))).json;
  assert.is(await isServed(), true);
  assert.is((await world.admin.delete(url.replace('/uploads', '/api/media'))).status, 200);
  await world.site().store.log.flush();
  assert.is(await isServed(), true, 'an earlier commit names it');
});

test.run();
