// The archive of a backup: what it contains, what it never contains, and a site that is restored from it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ArchiveManifest } from '../../src/backups/archive-manifest.ts';
import { archiveOf, fill, makeFolder, SITE, sha256, unpack } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { eventually } from '../support/process.ts';
import { commitBeside } from '../support/store-world.ts';
import { readTar } from '../support/tar.ts';
import { gif, upload } from '../support/upload.ts';
import { makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';

interface Digest {
  documents: [string, string, string][];
  fieldMeta: unknown;
  history: string;
  media: string[];
  served: string;
  trash: unknown;
  submissions: unknown;
  timezone: string;
}

async function digest(world: World): Promise<Digest> {
  const { admin } = world;
  const documents: [string, string, string][] = [];
  for (const collection of ['posts', 'notes', 'many']) {
    for (const { slug } of (await admin.get(`/api/cms/${collection}?fields=title`)).json.documents) {
      const { text, headers } = await admin.get(`/api/cms/${collection}/${slug}`);
      documents.push([`${collection}/${slug}`, String(headers.etag), sha256(Buffer.from(text))]);
    }
  }
  const repository = path.join(world.dataDir, 'sites', 'default', 'content.git');
  await world.site().store.log.flush();
  const media = await admin.get('/api/media');
  const served = await admin.get('/uploads/images/one.gif');
  assert.is(served.status, 200);
  const { json } = await admin.get('/api/admin/forms/contact/submissions');
  return {
    documents,
    fieldMeta: (await admin.get('/api/content/posts/hello/_fieldMeta')).json,
    history: await git(repository, 'rev-list', 'main'),
    media: media.json.files.map((file: Record<string, unknown>) => JSON.stringify(file)),
    served: sha256(Buffer.from(served.text)),
    // Archives contain no users.
    trash: (await admin.get('/api/admin/trash')).json.documents.map((gone: object) => ({ ...gone, user: null })),
    submissions: json.submissions,
    timezone: (await admin.get('/api/admin/site-config')).json.timezone,
  };
}

test('a site restored from an archive on an empty machine is the same, digest by digest', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const { file, commit } = await archiveOf(world, folder.path);
  const before = await digest(world);
  assert.is(before.documents.length, 2);

  const { manifest } = await unpack(folder.path, file);
  assert.equal([manifest.commit, manifest.documents, manifest.collections, manifest.mediaFiles], [commit, 2, 2, 1]);
  await using again = await makeWorld({
    config: SITE,
    prepare: (dataDir) => fs.cpSync(path.join(folder.path, 'sites'), path.join(dataDir, 'sites'), { recursive: true }),
  });
  assert.equal(await digest(again), before);
  const dataOf = (where: string): string =>
    execFileSync('find . -type f ! -path "./backups/*" ! -path "./deliveries/*" | sort | xargs sha256sum', {
      cwd: where,
      shell: '/bin/sh',
      encoding: 'utf8',
    });
  assert.is(
    dataOf(path.join(folder.path, 'sites', 'default', '_data')),
    dataOf(path.join(world.dataDir, 'sites', 'default', '_data')),
  );
  assert.equal((await again.admin.get('/api/admin/backups')).json.snapshots, []);
});

test('an archive records who pushed which commit, and the restored site knows it', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const { store } = world.site();
  await store.log.flush();
  const commit = commitBeside(store.repository, { 'README.md': 'x\n' });
  await store.notes.add([commit], 'Via: push\n', { subject: 'pushed', at: new Date(0) });
  store.log.poll();
  const { file } = await archiveOf(world, folder.path);
  const { manifest } = await unpack(folder.path, file);
  const repository = path.join(folder.path, 'sites', 'default', 'content.git');
  assert.is((await git(repository, 'rev-parse', 'refs/notes/colophon')).trim(), manifest.notes);
  assert.is(await git(repository, 'notes', '--ref=colophon', 'show', commit), 'Via: push\n');
});

test('plain tar and git read an archive without Colophon', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const { file, commit } = await archiveOf(world, folder.path);
  execFileSync('tar', ['xzf', file, '-C', folder.path]);
  const repository = path.join(folder.path, 'content.git');
  assert.is((await git(repository, 'rev-parse', 'HEAD')).trim(), commit);
  assert.is(await git(repository, 'fsck', '--strict', '--no-dangling'), '');
  await git(folder.path, 'clone', '--quiet', repository, 'clone');
  assert.ok(fs.existsSync(path.join(folder.path, 'clone', 'content', 'posts', 'hello.json')));
  const { parts } = JSON.parse(fs.readFileSync(path.join(folder.path, 'manifest.json'), 'utf8')) as ArchiveManifest;
  for (const part of parts) {
    const bytes = fs.readFileSync(path.join(folder.path, part.path));
    assert.equal([bytes.length, sha256(bytes)], [part.sizeBytes, part.sha256], part.path);
  }
  // Bytes that only the history names are there too.
  assert.is(parts.filter((part) => part.path.startsWith('media/')).length, 2);
});

test('no archive contains a secret, user, token or session', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const { headers } = await world.token(['content:read']);
  const { file } = await archiveOf(world, folder.path);
  const users = fs.readFileSync(path.join(world.dataDir, 'users.json'), 'utf8');
  const [hash] = /"[^"]*argon2[^"]*"|"hash": "[^"]+"/.exec(users) ?? [];
  const own = JSON.parse(fs.readFileSync(path.join(world.dataDir, 'sites', 'default', 'secrets.json'), 'utf8')).own;
  const secrets = [
    SERVICE_SECRET,
    fs.readFileSync(path.join(world.dataDir, 'secret'), 'utf8').trim(),
    String(headers.authorization).replace('Bearer ', ''),
    String((world.admin.headers as Record<string, string>).cookie).split('=')[1]!,
    'vercel-token-0123456789',
    'revalidate-secret-0123456789',
    'hook-secret-0123456789',
    'argon2',
    ...(hash ? [hash.slice(1, -1)] : []),
    ...(Object.values(own) as string[]),
  ];
  const outer = await readTar(fs.readFileSync(file));
  const inner = await readTar(outer.find(({ header }) => header.name === 'data.tar.gz')!.content);
  assert.ok(inner.some(({ header }) => header.name === 'site-config.json'));
  for (const { header, content } of [...outer, ...inner]) {
    for (const secret of secrets) assert.not.ok(content.includes(secret), `${header.name} has ${secret}`);
    assert.not.match(header.name, /users|access-tokens|secret|sessions|audit/);
  }
  assert.ok(
    inner.some(({ content }) => content.includes('a question')),
    'every part of the archive is searched',
  );
});

test('when a client leaves, the archive ends and its temporary files are removed', async () => {
  using folder = makeFolder();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const large = Buffer.alloc(12 << 20);
  for (let i = 0; i < large.length; i += 32) createHash('sha256').update(String(i)).digest().copy(large, i);
  const text = Buffer.from(large.toString('base64'));
  assert.is((await upload(world.admin, 'large.txt', text)).status, 200);
  const { json } = await world.admin.post('/api/admin/backups');
  const frozen = path.join(world.dataDir, 'sites', 'default', 'frozen');
  for (let round = 0; round < 3; round++) {
    await new Promise<void>((left) => {
      const asked = request(
        `${world.url}/api/admin/backups/${json.id}/archive`,
        { headers: world.admin.headers as Record<string, string> },
        (response) => response.once('data', () => response.destroy()),
      );
      asked.on('close', left).on('error', () => undefined);
      asked.end();
    });
    await eventually(() => assert.equal(fs.readdirSync(frozen), []), 5000);
  }
  // Its download slot is released, too.
  await archiveOf(world, folder.path);
});

test('two archives are read at once, and a third request gets 503 with Retry-After', async () => {
  using folder = makeFolder();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const { id } = await archiveOf(world, folder.path);
  const { backups } = world.app.sites()[0]!;
  const open = await Promise.all([1, 2].map(() => backups.openArchive(id, new AbortController().signal)));
  const refused = await world.admin.get(`/api/admin/backups/${id}/archive`);
  assert.is(refused.status, 503);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  for (const stream of open) stream.destroy();
  await eventually(
    async () => assert.is((await world.admin.get(`/api/admin/backups/${id}/archive`)).status, 200),
    5000,
  );
});

test('media that do not match their sha256 are left out and reported, and the rest is there', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const media = path.join(world.dataDir, 'sites', 'default', 'media');
  const hash = sha256(gif(1));
  const file = path.join(media, hash.slice(0, 2), hash.slice(2, 4), hash);
  fs.writeFileSync(file, 'rotten');
  const { file: archive } = await archiveOf(world, folder.path);
  const { manifest } = await unpack(folder.path, archive);
  assert.equal(manifest.damagedMedia, [`media/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`]);
});

test('restoring an archive does not touch an existing site', async () => {
  using folder = makeFolder();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const { file } = await archiveOf(world, folder.path);
  await unpack(folder.path, file);
  const error = await unpack(folder.path, file).catch((failed) => failed);
  assert.match(error.message, /already exists/);
  assert.equal(fs.readdirSync(path.join(folder.path, 'sites')), ['default']);
});

test.run();
