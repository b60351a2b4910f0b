// The archive of a backup: what is in it, what never is, what a site is that was made of it, and what becomes of one
// that somebody tampered with.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ArchiveError } from '../../src/backups/unpack.ts';
import { restoreSite } from '../../src/restore-site.ts';
import { downloadArchive } from '../support/backup-archive.ts';
import { git } from '../support/git.ts';
import { eventually } from '../support/process.ts';
import { gif, upload } from '../support/upload.ts';
import { CONFIG, makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';

interface Entry {
  header: Partial<Header> & { name: string };
  content: Buffer;
}

async function readTar(bytes: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  const reader = extract();
  reader.end(gunzipSync(bytes));
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  return entries;
}

async function writeTar(entries: readonly Entry[]): Promise<Buffer> {
  const writer = pack();
  for (const { header, content } of entries) {
    if (header.type === 'file' || header.type === undefined) writer.entry({ name: header.name }, content);
    else writer.entry(header as Header);
  }
  writer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of writer) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

interface Part {
  path: string;
  sizeBytes: number;
  sha256: string;
}

// biome-ignore lint/suspicious/noExplicitAny: manifests are changed at will
type Manifest = Record<string, any> & { parts: Part[] };

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

class Tampered {
  readonly entries: Entry[];
  readonly manifest: Manifest;

  constructor(entries: readonly Entry[]) {
    this.entries = entries.map(({ header, content }) => ({ header: { name: header.name }, content }));
    this.manifest = JSON.parse(this.entries[0]!.content.toString('utf8'));
  }

  find(wanted: RegExp): Entry {
    return this.entries.find(({ header }) => wanted.test(header.name))!;
  }

  /** In the manifest too, as an attacker would. */
  add(name: string, content: Buffer, header: Partial<Header> = {}): void {
    this.entries.push({ header: { name, ...header }, content });
    this.manifest.parts.push({ path: name, sizeBytes: content.length, sha256: sha256(content) });
  }

  replace(wanted: RegExp, content: Buffer): void {
    const entry = this.find(wanted);
    entry.content = content;
    Object.assign(this.manifest.parts.find((part) => part.path === entry.header.name)!, {
      sizeBytes: content.length,
      sha256: sha256(content),
    });
  }

  bytes(): Promise<Buffer> {
    this.entries[0]!.content = Buffer.from(JSON.stringify(this.manifest));
    return writeTar(this.entries);
  }
}

function makeFolder(): { path: string; [Symbol.dispose](): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-archive-'));
  return { path: folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

async function archiveOf(world: World, folder: string): Promise<{ id: string; commit: string; file: string }> {
  const { json } = await world.admin.post('/api/admin/backups');
  const file = path.join(folder, `${json.id}.tar.gz`);
  const { status } = await downloadArchive(world.url, json.id, world.admin.headers as Record<string, string>, file);
  assert.is(status, 200);
  return { ...json, file };
}

function unpack(folder: string, file: string) {
  return restoreSite({
    archive: file,
    sites: path.join(folder, 'sites'),
    siteFor: ({ site }) => site,
    onProgress: () => undefined,
  });
}

const FORM = { name: 'contact', label: 'Contact', fields: [{ name: 'text', label: 'Text', type: 'text' }] };

/** A site with something of everything. */
async function fill(world: World): Promise<void> {
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'one', body: 'words' } });
  await admin.put('/api/content/posts/hello/_fieldMeta/title/lock', { reason: 'mine' });
  await admin.patch('/api/cms/posts/hello', { data: { title: 'two' } });
  await admin.post('/api/cms/many', { slug: 'sharded', data: { title: 'x' } });
  await admin.post('/api/cms/posts', { slug: 'gone', data: { title: 'gone' } });
  await admin.delete('/api/cms/posts/gone');
  assert.is((await upload(admin, 'one.gif', gif(1), { folder: 'images' })).status, 200);
  assert.is((await upload(admin, 'two.gif', gif(2), { folder: 'images' })).status, 200);
  await admin.delete('/api/media/images/two.gif');
  assert.is((await admin.post('/api/forms/contact', { text: 'a question' })).status, 200);
  const settings = {
    timezone: 'Europe/Copenhagen',
    vercelToken: 'vercel-token-0123456789',
    revalidateSecret: 'revalidate-secret-0123456789',
    webhooks: [{ url: 'https://example.com/hook', events: ['*'], secret: 'hook-secret-0123456789' }],
  };
  assert.is((await admin.post('/api/admin/site-config', settings)).status, 200);
}

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
    trash: (await admin.get('/api/admin/trash')).json,
    submissions: json.submissions,
    timezone: (await admin.get('/api/admin/site-config')).json.timezone,
  };
}

const SITE = { ...CONFIG, forms: [FORM] } as typeof CONFIG;

test('a site that was made of an archive on an empty machine is the same, digest by digest', async () => {
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
  assert.equal((await again.admin.get('/api/admin/backups')).json, { snapshots: [] });
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
  const { parts } = JSON.parse(fs.readFileSync(path.join(folder.path, 'manifest.json'), 'utf8')) as Manifest;
  for (const part of parts) {
    const bytes = fs.readFileSync(path.join(folder.path, part.path));
    assert.equal([bytes.length, sha256(bytes)], [part.sizeBytes, part.sha256], part.path);
  }
  // Bytes that only history names are there too.
  assert.is(parts.filter((part) => part.path.startsWith('media/')).length, 2);
});

test('no secret, user, token or session is in an archive', async () => {
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
    'what is searched is what is there',
  );
});

test('a client that leaves ends the archive, and what was kept for it is gone', async () => {
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
  // Nobody's place is kept either.
  await archiveOf(world, folder.path);
});

test('media that are not what their name says are left out and told, and the rest is there', async () => {
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

/** Each is told by its sentence. */
const TRICKS: [what: string, message: RegExp, change: (archive: Tampered) => void | Promise<void> | Buffer][] = [
  ['climbs out of the folder', /no place/, (archive) => archive.add('../evil', Buffer.from('x'))],
  ['climbs out below media', /no place/, (archive) => archive.add('media/../../evil', Buffer.from('x'))],
  ['is absolute', /no place/, (archive) => archive.add('/tmp/evil', Buffer.from('x'))],
  ['is a hook', /no place/, (archive) => archive.add('content.git/hooks/post-update', Buffer.from('#!/bin/sh\n'))],
  ['borrows objects', /no place/, (archive) => archive.add('content.git/objects/info/alternates', Buffer.from('/\n'))],
  ['is a file of the data folder', /no place/, (archive) => archive.add('secrets.json', Buffer.from('{}'))],
  ['has media under another name', /no place/, (archive) => archive.add(`media/aa/bb/${'a'.repeat(64)}`, gif())],
  [
    'is a symbolic link',
    /no file/,
    (archive) =>
      void archive.entries.push({ header: { name: 'x', type: 'symlink', linkname: '/etc' }, content: gif() }),
  ],
  [
    'is a hard link',
    /no file/,
    (archive) => void archive.entries.push({ header: { name: 'x', type: 'link', linkname: 'y' }, content: gif() }),
  ],
  [
    'is a device',
    /no file/,
    (archive) => void archive.entries.push({ header: { name: 'x', type: 'character-device' }, content: gif() }),
  ],
  [
    'is a folder',
    /no file/,
    (archive) => void archive.entries.push({ header: { name: 'x', type: 'directory' }, content: gif() }),
  ],
  [
    'is in no manifest',
    /not in its manifest/,
    (archive) => void archive.entries.push({ header: { name: 'x' }, content: gif() }),
  ],
  ['is there twice', /twice/, (archive) => void archive.entries.push(archive.find(/^data/))],
  ['is named twice', /twice/, (archive) => void archive.manifest.parts.push(archive.manifest.parts[0]!)],
  ['is missing', /missing/, (archive) => void archive.entries.pop()],
  ['is longer than it says', /size/, (archive) => void (archive.find(/HEAD$/).content = Buffer.alloc(100))],
  ['is damaged', /damaged/, (archive) => void archive.find(/\.pack$/).content.writeUInt8(0, 40)],
  ['is a pack of somebody else', /not sound|cannot be read/, (archive) => archive.replace(/\.pack$/, Buffer.alloc(64))],
  ['says another commit', /not sound|manifest/, (archive) => void (archive.manifest.commit = 'a'.repeat(40))],
  ['says other numbers', /manifest says/, (archive) => void (archive.manifest.documents += 1)],
  ['is of a site outside', /site/, (archive) => void (archive.manifest.site = '../../evil')],
  ['is of the future', /newer/, (archive) => void (archive.manifest.format = 2)],
  ['has no manifest in front', /begins/, (archive) => void archive.entries.reverse()],
  ['has more data than it says', /more in it/, (archive) => void (archive.manifest.data.sizeBytes = 1)],
  ['has less data than it says', /less in it/, (archive) => void archive.manifest.data.files++],
  [
    'would fill the disk',
    /room|times its own size/,
    (archive) => void (archive.manifest.parts[0]!.sizeBytes = 2 ** 50),
  ],
  ['unpacks a thousandfold', /times its own size/, (archive) => void (archive.manifest.data.sizeBytes = 2 ** 31)],
  [
    'has data that climb out',
    /no place in _data/,
    async (archive) => archive.replace(/^data/, await writeTar([{ header: { name: '../evil' }, content: gif() }])),
  ],
  [
    'has data that are a link',
    /no file/,
    async (archive) =>
      archive.replace(
        /^data/,
        await writeTar([{ header: { name: 'x', type: 'symlink', linkname: '/etc/passwd' }, content: gif() }]),
      ),
  ],
  [
    'has data that are backups again',
    /no place in _data/,
    async (archive) =>
      archive.replace(/^data/, await writeTar([{ header: { name: 'backups/manifest.json' }, content: gif() }])),
  ],
];

test('an archive that somebody tampered with is refused with a reason, and nothing of it is left', async () => {
  using folder = makeFolder();
  await using world = await makeWorld({ config: SITE });
  await fill(world);
  const { file } = await archiveOf(world, folder.path);
  const entries = await readTar(fs.readFileSync(file));
  const bad = path.join(folder.path, 'bad.tar.gz');
  for (const [what, message, change] of TRICKS) {
    const archive = new Tampered(entries.map(({ header, content }) => ({ header, content: Buffer.from(content) })));
    await change(archive);
    fs.writeFileSync(bad, await archive.bytes());
    const error = await unpack(folder.path, bad).then(
      () => undefined,
      (failed: Error) => failed,
    );
    assert.instance(error, ArchiveError, `a part that ${what}: ${error?.stack}`);
    assert.match(error!.message, message, what);
    assert.equal(fs.readdirSync(path.join(folder.path, 'sites')), [], what);
    assert.equal(fs.readdirSync(folder.path).sort(), ['bad.tar.gz', path.basename(file), 'sites'].sort(), what);
  }
  // A configuration for git is not believed, even where its sha256 is right.
  const archive = new Tampered(entries);
  archive.replace(/config$/, Buffer.from('[core]\n\tfsmonitor = /tmp/evil\n'));
  fs.writeFileSync(bad, await archive.bytes());
  await unpack(folder.path, bad);
  const config = path.join(folder.path, 'sites', 'default', 'content.git', 'config');
  assert.not.match(fs.readFileSync(config, 'utf8'), /fsmonitor/);
});

test('an archive that breaks off anywhere is refused', async () => {
  using folder = makeFolder();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const { file } = await archiveOf(world, folder.path);
  const bytes = fs.readFileSync(file);
  const bad = path.join(folder.path, 'bad.tar.gz');
  for (const cut of [0, 1, 10, 100, 0.3, 0.6, 0.9, bytes.length - 9, bytes.length - 1]) {
    fs.writeFileSync(bad, bytes.subarray(0, cut > 0 && cut < 1 ? Math.floor(bytes.length * cut) : cut));
    const error = await unpack(folder.path, bad).then(
      () => undefined,
      (failed: Error) => failed,
    );
    assert.instance(error, ArchiveError, `${cut}: ${error?.stack}`);
    assert.equal(fs.readdirSync(path.join(folder.path, 'sites')), []);
  }
  fs.writeFileSync(bad, 'no archive at all');
  assert.instance(await unpack(folder.path, bad).catch((error) => error), ArchiveError);
});

test('a site that is there is not touched', async () => {
  using folder = makeFolder();
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'one', data: { title: 'one' } });
  const { file } = await archiveOf(world, folder.path);
  await unpack(folder.path, file);
  const error = await unpack(folder.path, file).catch((failed) => failed);
  assert.match(error.message, /is there already/);
  assert.equal(fs.readdirSync(path.join(folder.path, 'sites')), ['default']);
});

test.run();
