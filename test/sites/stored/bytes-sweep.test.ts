// Media bytes of a whole site: those that some commit names stay, wherever it is, and the others go after a day.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempDisposableSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { openSite } from '../../../src/sites/open-site.ts';
import type { Site } from '../../../src/sites/site.ts';
import { CONFIG } from '../../support/world.ts';

const LONG_AGO = new Date(Date.now() - 25 * 3600_000);

async function keep(site: Site, text: string): Promise<string> {
  const { folder, end } = await site.media.receive();
  const path = join(folder, 'object');
  writeFileSync(path, text);
  const sha256 = hash('sha256', text);
  await site.media.keepBytes({ path, sha256, sizeBytes: text.length });
  await end();
  age(site, sha256);
  return sha256;
}

/** As if they had come yesterday. */
function age(site: Site, sha256: string): void {
  const file = site.media.bytesPath(sha256);
  utimesSync(file, LONG_AGO, LONG_AGO);
  utimesSync(join(file, '../../../waiting', sha256), LONG_AGO, LONG_AGO);
}

function git(site: Site, args: string[], input = ''): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  return execFileSync('git', ['-C', site.store.repository, ...who, ...args], { input, encoding: 'utf8' }).trim();
}

/** A commit that names the bytes; returns it. */
function commitPointer(site: Site, text: string, folders = 'media'): string {
  const pointer = toPointerFile({ sha256: hash('sha256', text), sizeBytes: text.length });
  const blob = git(site, ['hash-object', '-w', '--stdin'], pointer.toString());
  let tree = git(site, ['mktree'], `100644 blob ${blob}\t${hash('sha1', text)}.png\n`);
  for (const name of folders.split('/').reverse()) tree = git(site, ['mktree'], `040000 tree ${tree}\t${name}\n`);
  return git(site, ['commit-tree', tree, '-m', 'a picture']);
}

test('bytes of tags, proposals and refs of the service stay; bytes that nothing names go, also those of a proposal that is gone', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-sweep-'));
  const site = await openSite({ id: 'main', org: 'default', config: parseConfig(CONFIG), folder: temporary.path });
  try {
    const texts = ['tagged', 'proposed', 'kept', 'nowhere'];
    const hashes = new Map<string, string>();
    for (const text of texts) hashes.set(text, await keep(site, text));
    git(site, ['tag', '-a', 'backup', '-m', 'a backup', commitPointer(site, 'tagged')]);
    git(site, ['update-ref', 'refs/heads/changes/one', commitPointer(site, 'proposed')]);
    git(site, ['update-ref', 'refs/colophon/kept/one', commitPointer(site, 'kept')]);
    site.store.odb.refresh();
    const left = async () => {
      const found: string[] = [];
      for (const [text, sha256] of hashes) if (await site.media.hasBytes(sha256)) found.push(text);
      return found;
    };
    await site.sweepBytes();
    assert.equal(await left(), ['tagged', 'proposed', 'kept']);
    git(site, ['update-ref', '-d', 'refs/heads/changes/one']);
    await site.sweepBytes();
    assert.equal(await left(), ['tagged', 'kept']);
  } finally {
    await site.close();
  }
});

test('bytes that a file outside of the media names stay, in the theme and below the documents, now or earlier', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-sweep-'));
  const site = await openSite({ id: 'main', org: 'default', config: parseConfig(CONFIG), folder: temporary.path });
  try {
    const hashes = [await keep(site, 'film'), await keep(site, 'chart'), await keep(site, 'nowhere')];
    const [film, chart] = [commitPointer(site, 'film', 'theme'), commitPointer(site, 'chart', 'content/posts')];
    const empty = git(site, ['mktree']);
    const gone = git(site, ['commit-tree', empty, '-p', film, '-p', chart, '-m', 'both are removed']);
    git(site, ['update-ref', 'refs/heads/side', gone]);
    site.store.odb.refresh();
    await site.sweepBytes();
    assert.equal(await Promise.all(hashes.map((sha256) => site.media.hasBytes(sha256))), [true, true, false]);
  } finally {
    await site.close();
  }
});

test('an upload without a push stays for a day', async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'colophon-sweep-'));
  const site = await openSite({ id: 'main', org: 'default', config: parseConfig(CONFIG), folder: temporary.path });
  try {
    const sha256 = await keep(site, 'fresh');
    await site.media.noteNamed(sha256);
    await site.sweepBytes();
    assert.is(await site.media.hasBytes(sha256), true);
    age(site, sha256);
    await site.sweepBytes();
    assert.is(await site.media.hasBytes(sha256), false);
  } finally {
    await site.close();
  }
});

test.run();
