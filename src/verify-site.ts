// Checks one site from the bottom up: the repository's objects, the log folded into files, and the index against both.
// The caller holds the data folder's lock, and opening the site recovers what a crash left, as a start would; what may be
// read beside a process that has the lock is `verifyBeside`'s.
import { shownFrom } from './content/claims.ts';
import { parseFile, parsePath, toBody } from './content/stored.ts';
import { parsePointer } from './lib/lfs-pointer.ts';
import { nodeByteFiles } from './media/open-byte-files.ts';
import { bytesPath } from './media/open-bytes.ts';
import type { MediaEntry } from './media/service.ts';
import { isMediaPath, parseMediaPath } from './media/stored.ts';
import { verifyMedia } from './media/verify.ts';
import { openSite, type Site, type SiteOptions } from './open-site.ts';
import { nodeDisk } from './store/disk.ts';
import { type Oid, parseCommit } from './store/objects.ts';
import { createOdb, type Odb } from './store/odb.ts';
import { createBranch } from './store/refs.ts';
import { readAgain } from './store/second-reader.ts';
import { diffTrees } from './store/tree-walk.ts';
import { type StoreProblem, verifyStore } from './store/verify.ts';

export interface SiteReport {
  counts: { commits: number; objects: number; packs: number; files: number; documents: number };
  /** What is wrong; none means that the site is sound. */
  problems: string[];
  /** Files of other people that are not valid documents; they are left alone and harm nothing. */
  warnings: string[];
}

export async function verifySite(
  options: SiteOptions,
  onProgress: (text: string) => void = () => undefined,
): Promise<SiteReport> {
  const repository = `${options.folder}/content.git`;
  const { starterFolder: _, ...untouched } = options;
  const stored = await verifyStore({ repository, wal: `${options.folder}/wal` }, ({ stage, done, total }) =>
    onProgress(`${stage}: ${done}${total ? ` of ${total}` : ''}`),
  );
  const problems = stored.problems.map(toSentence);
  const counts = {
    commits: stored.counts.commits,
    objects: stored.counts.objects,
    packs: stored.counts.packs,
    files: stored.counts.documents,
    documents: 0,
  };
  // A site on a damaged repository may not open, and says so itself.
  if (problems.length) return { counts, problems, warnings: [] };

  const site = await openSite(untouched);
  try {
    await site.store.log.flush();
    counts.documents = site.view.size;
    problems.push(...(await readAgain(repository, site.store.odb, site.store.log.status().gitHead)));
    problems.push(...(await compareIndex(site, onProgress)));
    const media = await site.media.verify((done) => onProgress(`media: ${done}`));
    problems.push(...media.problems, ...compareMedia(site));
    const warnings = [...site.warnings].map(([file, problem]) => `${file}: ${problem}`);
    return { counts, problems, warnings: [...warnings, ...media.warnings] };
  } finally {
    await site.close();
  }
}

/**
 * The same of a site that another process serves, without its lock: every object, and the media that the newest commit of
 * the branch names. What only that process knows (its index, what its branch does not have yet) is not looked at.
 */
export async function verifyBeside(
  folder: string,
  onProgress: (text: string) => void = () => undefined,
): Promise<SiteReport> {
  const first = await readBeside(folder, onProgress);
  // Packs that the service merged meanwhile look as if they were missing, once.
  return first.problems.length ? readBeside(folder, onProgress) : first;
}

async function readBeside(folder: string, onProgress: (text: string) => void): Promise<SiteReport> {
  const repository = `${folder}/content.git`;
  const odb = createOdb(nodeDisk, repository);
  const head = createBranch(nodeDisk, repository).read();
  const stored = await verifyStore({ repository }, ({ stage, done, total }) =>
    onProgress(`${stage}: ${done}${total ? ` of ${total}` : ''}`),
  );
  const { documents: files, ...counts } = stored.counts;
  const problems = stored.problems.map(toSentence);
  const report = { counts: { ...counts, files, documents: files }, problems, warnings: [] };
  if (!head || problems.length) return report;
  const media = await verifyMedia({
    files: listPointers(odb, head),
    sizeOf: (sha256) => nodeByteFiles.sizeOf(bytesPath(`${folder}/media`, sha256)),
    hashOf: (sha256) => nodeByteFiles.hashOf(bytesPath(`${folder}/media`, sha256)),
    onProgress: (done) => onProgress(`media: ${done}`),
  });
  return { ...report, ...media };
}

function* listPointers(odb: Odb, head: Oid): Generator<MediaEntry> {
  for (const { path, after } of diffTrees(odb, null, parseCommit(odb.get(head, 'commit')).tree)) {
    if (!after || !isMediaPath(path) || parseMediaPath(path).kind === 'meta') continue;
    const pointer = parsePointer(odb.get(after, 'blob'));
    if (pointer) yield { path, ...pointer };
  }
}

function toSentence({ path, commit, problem }: StoreProblem): string {
  return [commit && `commit ${commit}`, path, problem].filter(Boolean).join(': ');
}

/** Where the index of media differs from the pointers of the newest commit. */
function compareMedia({ store, media, warnings }: Site): string[] {
  const head = store.log.status().gitHead;
  const shown = new Map(Array.from(media.files(), (file) => [file.path, file]));
  const problems: string[] = [];
  for (const { path, after } of diffTrees(store.odb, null, head && store.treeOf(head))) {
    if (!after || !isMediaPath(path) || warnings.has(path) || parseMediaPath(path).kind === 'meta') continue;
    const pointer = parsePointer(store.odb.get(after, 'blob'));
    if (pointer && shown.get(path)?.sha256 !== pointer.sha256) problems.push(`${path}: is not in the index of media`);
    shown.delete(path);
  }
  return [...problems, ...Array.from(shown.keys(), (path) => `${path}: is in the index of media and in no file`)];
}

const SLICE_FILES = 1000;

/** Where the index differs from the files of the newest commit. */
async function compareIndex({ store, view, warnings, content }: Site, onProgress: (text: string) => void) {
  const problems: string[] = [];
  const head = store.log.status().gitHead;
  const seen = new Set<string>();
  for (const { path, after } of diffTrees(store.odb, null, head && store.treeOf(head))) {
    const place = parsePath(path);
    // Of a collection that is not configured only the folder is told.
    if (!place || !after || !view.collection(place.collection)) continue;
    if (seen.size % SLICE_FILES === 0) {
      onProgress(`index: ${seen.size} of ${view.size}`);
      await new Promise((resume) => setImmediate(resume));
    }
    const row = shownFrom(view, path);
    if (!row) {
      if (!warnings.has(path)) problems.push(`${path}: is not in the index`);
      continue;
    }
    seen.add(row.id);
    if (row.etag !== after) problems.push(`${path}: the index has blob ${row.etag}, the commit ${after}`);
    const doc = content.stored(place.collection, { slug: place.slug });
    const file = parseFile(store.odb.get(after, 'blob'), place);
    if (!doc || typeof file === 'string' || !toBody(file).equals(row.body))
      problems.push(`${path}: the index answers something else`);
  }
  for (const collection of view.collections()) {
    for (const row of collection.rows.values()) {
      if (!seen.has(row.id)) problems.push(`${row.collection}/${row.slug}: is in the index and in no file`);
    }
  }
  return problems;
}
