// Checks one site from the bottom up: the repository's objects, the log folded into files, and the index against both.
// There are three ways to the same report; `withAudit` adds the chain of the site's audit to each. `verifySite` opens a site whose data folder the caller has locked, and
// recovers what a crash left, as a start would; `verifyServed` checks a site that this process serves; `verifyBeside`
// reads what can be read while another process has the lock.
import type { Audit } from '../audit/entry.ts';
import { createClaims } from '../content/from-git/claims.ts';
import { applyTreeChanges } from '../content/from-git/load.ts';
import { createContentView } from '../content/rows/view.ts';
import { checkObjects, readFactsApart } from '../git/verify/check-thread.ts';
import { compareSite, watchChanges } from '../git/verify/compare-site.ts';
import { type FileFact, listPointers, readFacts } from '../git/verify/read-facts.ts';
import type { SiteReport } from '../git/verify/site-report.ts';
import { bytesPath } from '../media/bytes/byte-places.ts';
import { nodeByteFiles } from '../media/bytes/open-byte-files.ts';
import { verifyMedia } from '../media/bytes/verify.ts';
import { compileSite } from '../schema/compile.ts';
import { toFileSchemas } from '../schema/file-schema.ts';
import { nodeDisk } from '../store/disk/disk.ts';
import { type Oid, parseCommit } from '../store/git/objects.ts';
import type { StoreProblem } from '../store/problem.ts';
import { createOdb, type Odb } from '../store/repository/odb.ts';
import { createBranch } from '../store/repository/refs.ts';
import { toProgressText, type VerifyStoreReport, verifyStore } from '../store/verify.ts';
import { openSite } from './open-site.ts';
import type { Site, SiteOptions } from './site.ts';

export type OnProgress = (text: string) => void;

export async function verifySite(options: SiteOptions, onProgress: OnProgress = () => undefined): Promise<SiteReport> {
  const repository = `${options.folder}/content.git`;
  const { starterFolder: _, ...untouched } = options;
  const stored = await verifyStore({ repository, wal: `${options.folder}/wal` }, (progress) =>
    onProgress(toProgressText(progress)),
  );
  const report = toReport(stored);
  // A site on a damaged repository may not open, and reports that itself.
  if (report.problems.length) return report;

  const site = await openSite(untouched);
  try {
    const { odb, log } = site.store;
    await log.flush();
    const { readAgain } = await import('../store/repository/second-reader.ts');
    report.problems.push(...(await readAgain(repository, odb, log.status().gitHead)));
    return await addIndex(report, site, (head) => readFacts(odb, head, toFileSchemas(options.config)), { onProgress });
  } finally {
    await site.close();
  }
}

/**
 * The same for a site that is being served, while clients write. Reads the repository in a thread and the index in
 * slices. Does not read the write-ahead log, which is in use. Rejects with the signal's reason as soon as it is
 * aborted.
 */
export async function verifyServed(
  site: Site,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<SiteReport> {
  const { repository, log } = site.store;
  await log.flush();
  const first = await checkObjects(repository, onProgress, signal);
  // Packs that were merged meanwhile may look missing once.
  const stored = first.problems.length ? await checkObjects(repository, onProgress, signal) : first;
  const report = toReport(stored);
  // A damaged repository is nothing to compare the index with.
  if (report.problems.length) return report;
  return addIndex(report, site, (head) => readFactsApart({ repository, head, config: site.config }, signal), {
    onProgress,
    signal,
  });
}

interface SiteCheckParts {
  onProgress: OnProgress;
  signal?: AbortSignal;
}

/** Completes the report of a repository with the state of its index and its media. */
async function addIndex(
  { counts, problems }: SiteReport,
  site: Site,
  read: (head: Oid) => AsyncIterable<FileFact[]> | Iterable<FileFact[]>,
  { onProgress, signal }: SiteCheckParts,
): Promise<SiteReport> {
  const { log } = site.store;
  using watch = watchChanges(site);
  await log.flush();
  const head = log.status().gitHead;
  const differences = await compareSite(site, watch, head ? read(head) : [], onProgress);
  const media = await site.media.verify((done) => onProgress(`media: ${done}`), signal);
  return {
    counts: { ...counts, documents: site.view.size },
    problems: [...problems, ...differences, ...media.problems],
    warnings: [...toWarnings(site.warnings), ...media.warnings],
  };
}

/**
 * The same for a site that another process serves, without its lock: checks every object, what a start would make of
 * the branch's newest commit, and the media that it names. Does not check what only that process knows: its index, and
 * what its branch does not have yet.
 */
export async function verifyBeside(
  site: Pick<SiteOptions, 'folder' | 'config'>,
  onProgress: OnProgress = () => undefined,
): Promise<SiteReport> {
  const first = await readBeside(site, onProgress);
  // Packs that the service merged meanwhile may look missing once.
  return first.problems.length ? readBeside(site, onProgress) : first;
}

async function readBeside(
  { folder, config }: Pick<SiteOptions, 'folder' | 'config'>,
  onProgress: OnProgress,
): Promise<SiteReport> {
  const repository = `${folder}/content.git`;
  const odb = createOdb(nodeDisk, repository);
  const head = createBranch(nodeDisk, repository).read();
  const stored = await verifyStore({ repository }, (progress) => onProgress(toProgressText(progress)));
  const report = toReport(stored);
  if (!head || report.problems.length) return report;
  const { documents, warnings } = readIndex(odb, config, head);
  const media = await verifyMedia({
    files: listPointers(odb, head).map(({ path, pointer }) => ({ path, ...pointer! })),
    sizeOf: (sha256) => nodeByteFiles.sizeOf(bytesPath(`${folder}/media`, sha256)),
    hashOf: (sha256) => nodeByteFiles.hashOf(bytesPath(`${folder}/media`, sha256)),
    onProgress: (done) => onProgress(`media: ${done}`),
  });
  return {
    counts: { ...report.counts, documents },
    problems: media.problems,
    warnings: [...toWarnings(warnings), ...media.warnings],
  };
}

/** How many documents a start would show from the commit, and what it would warn of. */
function readIndex(
  odb: Odb,
  config: SiteOptions['config'],
  commit: Oid,
): { documents: number; warnings: ReadonlyMap<string, string> } {
  const view = createContentView(compileSite(config), commit);
  const warnings = new Map<string, string>();
  const parts = { odb, view, warnings, claims: createClaims(), findWaiting: () => undefined, warn: () => undefined };
  applyTreeChanges(parts, null, { commit, tree: parseCommit(odb.get(commit, 'commit')).tree }, commit);
  return { documents: view.size, warnings };
}

/**
 * The report with the first break in the chain of the site's audit, and of the service's for who may know of it. The
 * paths are relative to the data folder.
 */
export async function withAudit(
  report: SiteReport,
  audit: Pick<Audit, 'verify'>,
  { siteId, withService }: { siteId: string; withService: boolean },
): Promise<SiteReport> {
  const own = await audit.verify(siteId);
  const problems = [...report.problems, ...(own.problem === undefined ? [] : [`audit/${own.problem}`])];
  if (!withService) return { ...report, problems };
  const { problem } = await audit.verify(null);
  return { ...report, problems: problem === undefined ? problems : [...problems, problem] };
}

function toWarnings(warnings: ReadonlyMap<string, string>): string[] {
  return [...warnings].map(([file, problem]) => `${file}: ${problem}`);
}

function toReport({ counts, problems }: VerifyStoreReport): SiteReport {
  const { documents: files, ...others } = counts;
  return { counts: { ...others, files, documents: 0 }, problems: problems.map(toSentence), warnings: [] };
}

function toSentence({ path, commit, problem }: StoreProblem): string {
  return [commit && `commit ${commit}`, path, problem].filter(Boolean).join(': ');
}
