// Restores a site from an archive, on a machine that has nothing of it: unpacks and checks it in a temporary folder,
// and renames that folder into place. The caller holds the data folder's lock. No archive has users, tokens or secrets.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type ArchiveManifest, DATA_NAME } from '../backups/archive-manifest.ts';
import { countTree } from '../backups/count-tree.ts';
import { ArchiveError, peekManifest, unpackArchive, unpackData } from '../backups/unpack.ts';
import { openDataFolder } from '../data/data-folder.ts';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { checkSettings } from '../settings/service.ts';
import { nodeDisk } from '../store/disk/disk.ts';
import { parseCommit } from '../store/git/objects.ts';
import { NOTES_REF } from '../store/repository/notes.ts';
import { createOdb } from '../store/repository/odb.ts';
import { createBranch } from '../store/repository/refs.ts';
import { initRepository } from '../store/repository/repository.ts';
import { verifyStore } from '../store/verify.ts';

export interface RestoreSiteOptions {
  archive: string;
  /** `<data>/sites`. */
  sites: string;
  /** Chooses the site's id from the archive's manifest. @throws if no site may have that id */
  siteFor(manifest: ArchiveManifest): string;
  onProgress(text: string): void;
}

/** A name that no site can have. */
const STAGED = '.restoring-';
const MAX_PROBLEMS = 5;

/**
 * Resolves with the archive's manifest once the site is durably in its place. A failure before that leaves the data
 * folder as it was. @throws ArchiveError, and an Error with a sentence if the site already exists.
 */
export async function restoreSite(options: RestoreSiteOptions): Promise<{ site: string; manifest: ArchiveManifest }> {
  const { archive, sites, onProgress } = options;
  const nameSite = (said: ArchiveManifest): string => {
    const site = options.siteFor(said);
    checkPlace(path.join(sites, site));
    return site;
  };
  nameSite(await peekManifest(archive));
  const isNew = !fs.existsSync(sites);
  await makeDurably(sites);
  for (const name of await readdir(sites)) {
    // Left by a restore that was killed; no other restore runs now.
    if (name.startsWith(STAGED)) await rm(path.join(sites, name), { recursive: true, force: true });
  }
  const staged = path.join(sites, `${STAGED}${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(staged, { mode: 0o700 });
  try {
    const manifest = await unpackArchive(archive, {
      into: staged,
      onProgress: (done, total) => onProgress(`unpacking: ${percent(done, total)}`),
    });
    const data = path.join(staged, '_data');
    fs.mkdirSync(data, { mode: 0o700 });
    await unpackData(path.join(staged, DATA_NAME), data, manifest.data);
    await rm(path.join(staged, DATA_NAME));
    await checkData(data, staged);
    await checkContent(path.join(staged, 'content.git'), manifest, onProgress);
    syncFolders(staged);
    const site = nameSite(manifest);
    await rename(staged, path.join(sites, site));
    await syncFolder(sites);
    return { site, manifest };
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    if (isNew) await rmdir(sites).catch(() => undefined); // not empty: another process uses it
    throw error;
  }
}

async function checkData(data: string, staged: string): Promise<void> {
  await checkSettings(openDataFolder(data)).catch((error: Error) => {
    throw new ArchiveError(`the archive's settings are not sound: ${error.message.replace(`${staged}/`, '')}`);
  });
}

function checkPlace(place: string): void {
  if (!fs.existsSync(place) || fs.readdirSync(place).length === 0) return;
  throw new Error(`"${place}" already exists; move it away, or name another site or data folder`);
}

/** Creates the repository with the branch at the commit, and reads and hashes every object of its history. */
async function checkContent(repository: string, manifest: ArchiveManifest, onProgress: (text: string) => void) {
  initRepository(nodeDisk, repository);
  createBranch(nodeDisk, repository).move(null, manifest.commit);
  if (manifest.notes) createBranch(nodeDisk, repository, NOTES_REF).move(null, manifest.notes);
  const { problems } = await verifyStore({ repository }, ({ stage, done, total }) =>
    onProgress(`checking ${stage}: ${total ? percent(done, total) : done}`),
  );
  if (problems.length > 0) {
    const listed = problems
      .slice(0, MAX_PROBLEMS)
      .map(({ path, commit, problem }) => [commit, path, problem].filter(Boolean).join(' '));
    throw new ArchiveError(`the content of the archive is not sound: ${listed.join('; ')}`);
  }
  const odb = createOdb(nodeDisk, repository);
  try {
    const { tree } = parseCommit(odb.get(manifest.commit, 'commit'));
    const { documents, collections, mediaFiles } = await countTree(odb, tree);
    const isSo =
      tree === manifest.tree &&
      documents === manifest.documents &&
      collections === manifest.collections &&
      mediaFiles === manifest.mediaFiles;
    if (!isSo) throw new ArchiveError('the content of the archive is not what its manifest says');
  } finally {
    odb.close();
  }
}

/** Files were synced as they were written; this syncs their names. */
function syncFolders(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(path.join(folder, entry.name));
  }
  nodeDisk.syncFolder(folder);
}

function percent(done: number, total: number): string {
  return `${total === 0 ? 100 : Math.floor((100 * done) / total)} %`;
}
