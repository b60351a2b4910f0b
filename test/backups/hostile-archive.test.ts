// Archives that were tampered with or cut off: each is refused with a reason, and nothing of it is left.
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Header } from 'tar-stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ArchiveError } from '../../src/backups/unpack.ts';
import { archiveOf, fill, makeFolder, SITE, sha256, unpack } from '../support/backup-archive.ts';
import { readTar, type TarEntry, writeTar } from '../support/tar.ts';
import { gif } from '../support/upload.ts';
import { makeWorld } from '../support/world.ts';

interface Part {
  path: string;
  sizeBytes: number;
  sha256: string;
}

// biome-ignore lint/suspicious/noExplicitAny: manifests are changed at will
type Manifest = Record<string, any> & { parts: Part[] };

class Tampered {
  readonly entries: TarEntry[];
  readonly manifest: Manifest;

  constructor(entries: readonly TarEntry[]) {
    this.entries = entries.map(({ header, content }) => ({ header: { name: header.name }, content }));
    this.manifest = JSON.parse(this.entries[0]!.content.toString('utf8'));
  }

  find(wanted: RegExp): TarEntry {
    return this.entries.find(({ header }) => wanted.test(header.name))!;
  }

  /** Adds the part to the manifest too, as an attacker would. */
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

/** Replaces all of `_data` with one file, in the manifest too. */
async function replaceData(archive: Tampered, name: string, text: string): Promise<void> {
  const content = Buffer.from(text);
  archive.replace(/^data/, await writeTar([{ header: { name }, content }]));
  archive.manifest.data = { files: 1, sizeBytes: content.length };
}

function flipBits(bytes: Buffer, at: number): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
}

/** Each change to an archive, with the message that refuses it. */
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
    /not a file/,
    (archive) =>
      void archive.entries.push({ header: { name: 'x', type: 'symlink', linkname: '/etc' }, content: gif() }),
  ],
  [
    'is a hard link',
    /not a file/,
    (archive) => void archive.entries.push({ header: { name: 'x', type: 'link', linkname: 'y' }, content: gif() }),
  ],
  [
    'is a device',
    /not a file/,
    (archive) => void archive.entries.push({ header: { name: 'x', type: 'character-device' }, content: gif() }),
  ],
  [
    'is a folder',
    /not a file/,
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
  ['is damaged', /damaged/, (archive) => flipBits(archive.find(/\.pack$/).content, 40)],
  ['is a foreign pack', /not sound|cannot be read/, (archive) => archive.replace(/\.pack$/, Buffer.alloc(64))],
  ['says another commit', /not sound|manifest/, (archive) => void (archive.manifest.commit = 'a'.repeat(40))],
  ['says other numbers', /manifest says/, (archive) => void (archive.manifest.documents += 1)],
  ['is of a site outside', /site/, (archive) => void (archive.manifest.site = '../../evil')],
  ['is of the future', /newer/, (archive) => void (archive.manifest.format = 2)],
  ['has no manifest in front', /begins/, (archive) => void archive.entries.reverse()],
  ['has more data than it says', /more in it/, (archive) => void (archive.manifest.data.sizeBytes = 1)],
  ['has less data than it says', /less in it/, (archive) => void archive.manifest.data.files++],
  [
    'would fill the disk',
    /space|times its own size/,
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
    /not a file/,
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
  ['has a secret among its data', /no place in _data/, (archive) => replaceData(archive, 'secret.json', '{}')],
  ['has settings that are not JSON', /settings/, (archive) => replaceData(archive, 'site-config.json', '{{{')],
  [
    'has settings that no service starts with',
    /settings/,
    (archive) => replaceData(archive, 'site-config.json', '{"timezone":5}'),
  ],
];

test('an archive that was tampered with is refused with a reason, and leaves nothing', async () => {
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
    assert.equal(fs.readdirSync(folder.path).sort(), ['bad.tar.gz', path.basename(file)].sort(), what);
  }
  // A configuration for git is not used, even if its sha256 is right.
  const archive = new Tampered(entries);
  archive.replace(/config$/, Buffer.from('[core]\n\tfsmonitor = /tmp/evil\n'));
  fs.writeFileSync(bad, await archive.bytes());
  await unpack(folder.path, bad);
  const config = path.join(folder.path, 'sites', 'default', 'content.git', 'config');
  assert.not.match(fs.readFileSync(config, 'utf8'), /fsmonitor/);
});

test('an archive that is cut off anywhere is refused, and the refusal says that it was cut off', async () => {
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
    assert.match(error?.message ?? '', /was cut off/, `${cut}`);
    assert.equal(fs.readdirSync(folder.path).sort(), ['bad.tar.gz', path.basename(file)].sort());
  }
  fs.writeFileSync(bad, gzipSync(gunzipSync(bytes).subarray(0, 5000)));
  assert.match((await unpack(folder.path, bad).catch((error) => error)).message, /was cut off/, 'within a whole gzip');
  fs.writeFileSync(bad, 'no archive at all');
  assert.instance(await unpack(folder.path, bad).catch((error) => error), ArchiveError);
});

test.run();
