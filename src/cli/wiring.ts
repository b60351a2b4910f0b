// The real ports of the commands: the process, and the service's parts on a data folder. Each port loads what it needs
// when it is called: the whole service takes a second to load, and most commands need a small part of it.
// One file, because it alone in this room may import the whole service.

import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Access } from '../access/access.ts';
import { allSites, type SiteEntry, SitesFile, toSiteEntries } from '../access/sites/sites.ts';
import { SITE_ID } from '../backups/archive-manifest.ts';
import type { Env } from '../config/env.ts';
import { loadConfig } from '../config/load.ts';
import { openDataFolder } from '../data/data-folder.ts';
import { rememberOwner } from '../data/folder-owner.ts';
import { rememberFresh } from '../data/fresh-folder.ts';
import { openPrivateFile } from '../data/private-file.ts';
import { keepFolderPrivate } from '../data/private-folder.ts';
import type { SiteReport } from '../git/verify/site-report.ts';
import { EXIT_IO } from '../lib/exit-codes.ts';
import type { SiteOptions } from '../sites/site.ts';
import { FolderInUseError, lockFolder } from '../store/log/writer-lock.ts';
import { VERSION } from '../version.ts';
import { failure } from './failure.ts';
import { checkFilePlace, toFilePlaceError } from './place-problem.ts';
import type { CliPorts, OpenedSite, VerifyReport } from './ports.ts';

export function createPorts(variables: CliPorts['variables']): CliPorts {
  return {
    variables,
    out: (line) => process.stdout.write(line),
    err: (line) => process.stderr.write(line),
    isErrTty: process.stderr.isTTY === true,
    readStdin: () => text(process.stdin),
    now: () => new Date(),
    fetch,
    rememberOwner,
    openAccess,
    listSites: async (env) => {
      keepPrivate(env);
      return readSites(env);
    },
    openSite: openLocked,
    verifySite: verifyAnyway,
    verifyByHttp: async (options, onProgress) => {
      const { fetchReport } = await import('../git/repository/fetch-report.ts');
      return fetchReport({ ...options, fetch }, onProgress);
    },
    reshardSite: reshardLocked,
    reformatSite: reformatLocked,
    backupSite: backupLocked,
    backupByHttp: async ({ out, onProgress, ...options }) => {
      if (out !== undefined) refuseExisting(out);
      const { fetchBackup } = await import('../backups/fetch-backup.ts');
      const { snapshot, archiveBytes } = await fetchBackup({
        ...options,
        ...(out ? { out } : {}),
        onProgress: (doneBytes) => onProgress(doneBytes ? toArchiveProgress(doneBytes) : MAKING_BACKUP),
        fetch,
      }).catch((error: unknown) => {
        throw out === undefined ? error : toFilePlaceError(error, out);
      });
      return { ...snapshot, archiveBytes };
    },
    restoreSite: restoreLocked,
    buildSite: (env, entry, options) => buildCommitted(variables, env, entry, options),
    checkFolder: async (env, entry, options) => {
      const { checkFolder } = await import('../sites/check/check-folder.ts');
      const repository = path.join(env.dataDir, 'sites', entry.id, 'content.git');
      return checkFolder({ ...options, configPath: entry.configPath, siteId: entry.id, repository });
    },
    newFile,
    describeSite,
    toReadableText: async (file) => (await import('../content/clones/merge-files.ts')).toReadableText(file),
    mergeDocumentFiles: async (...files) =>
      (await import('../content/clones/merge-files.ts')).mergeDocumentFiles(...files),
    tryMcp: async (options) => (await import('../mcp/try-endpoint.ts')).tryEndpoint(options),
    serveMcp: (env, options) => speakMcp(variables, env, options),
    serveFolder: showFolder,
    start: async (variables) => (await import('../serve.ts')).startService(variables),
  };
}

async function openAccess(env: Env): Promise<Access> {
  keepPrivate(env);
  const { createAccess } = await import('../access/access.ts');
  const { createAudit } = await import('../audit/open-audit.ts');
  return createAccess({
    dataDir: env.dataDir,
    jwtSecret: env.jwtSecret,
    serviceSecret: env.serviceSecret,
    publicUrl: env.publicUrl,
    defaultSite: toDefaultSite(env),
    checkConfig: async (file) => (await import('../sites/check-config.ts')).checkConfig(file),
    audit: createAudit({ folder: env.dataDir, now: () => new Date(), newId: randomUUID }),
    now: () => new Date(),
    logger: { info: () => undefined },
  });
}

function keepPrivate({ dataDir }: Env): void {
  keepFolderPrivate(dataDir, (_, message) => warn(message));
}

/** Takes the place of a line of progress that is still shown. */
function warn(message: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}warning: ${message}\n`);
}

function toDefaultSite({ configPath }: Env) {
  return { id: 'default', org: 'default', configPath };
}

/** A signal closes the sites, as a start of the service would. */
async function speakMcp(
  variables: CliPorts['variables'],
  ...[env, options]: Parameters<CliPorts['serveMcp']>
): Promise<void> {
  keepPrivate(env);
  const { reserveStdout } = await import('../mcp/reserve-stdout.ts');
  const output = reserveStdout();
  const { serveMcp } = await import('../sites/serve-mcp.ts');
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  await serveMcp({ env, ...options, output, variables, signal: ending.signal, onFatal: endFatally });
}

function endFatally(error: unknown): never {
  process.stderr.write(`colophon: the disk failed: ${(error as Error).message}\n`);
  process.exit(EXIT_IO);
}

/** A signal ends the process: nothing has to be written. */
async function showFolder(options: { folder: string; port: number }): Promise<void> {
  const { serveFolder } = await import('../sync/serve-folder.ts');
  const { url } = await serveFolder({ ...options, log: (line) => void process.stderr.write(`${line}\n`) });
  process.stdout.write(`${url} shows "${options.folder}"\n`);
}

async function openLocked(
  env: Env,
  entry: SiteEntry,
  { plantStarter }: { plantStarter: boolean },
): Promise<OpenedSite> {
  const siteOptions = await toSiteOptions(env, entry);
  const { config } = siteOptions;
  const { openSite } = await import('../sites/open-site.ts');
  const lock = lockFolder(env.dataDir);
  try {
    const site = await openSite({
      ...siteOptions,
      ...(plantStarter ? { starterFolder: path.dirname(entry.configPath) } : {}),
    });
    const close = async () => {
      await site.close();
      lock.release();
    };
    return { config, content: site.content, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function toSiteOptions(env: Env, entry: SiteEntry): Promise<SiteOptions> {
  return {
    id: entry.id,
    org: entry.org,
    config: await loadConfig(entry.configPath),
    folder: path.join(env.dataDir, 'sites', entry.id),
    onFatal: endFatally,
    warn,
  };
}

async function verifyAnyway(env: Env, entry: SiteEntry, onProgress: (text: string) => void): Promise<VerifyReport> {
  const options = await toSiteOptions(env, entry);
  // Opening would make an empty repository, which would be reported as sound.
  if (!fs.existsSync(options.folder)) {
    throw failure(
      `there is no data of site "${entry.id}" in "${env.dataDir}"; a start, an import or a restore makes it`,
    );
  }
  const { verifyBeside, verifySite, withAudit } = await import('../sites/verify-site.ts');
  const { createAudit } = await import('../audit/open-audit.ts');
  const audit = createAudit({ folder: env.dataDir, now: () => new Date(), newId: randomUUID });
  const complete = (report: SiteReport): Promise<SiteReport> =>
    withAudit(report, audit, { siteId: entry.id, withService: true });
  let lock: { release(): void };
  try {
    lock = lockFolder(env.dataDir);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { ...(await complete(await verifyBeside(options, onProgress))), besidePid: error.pid };
  }
  try {
    return await complete(await verifySite(options, onProgress));
  } finally {
    lock.release();
  }
}

interface MoveFilesOptions {
  collections: readonly string[];
  isDryRun: boolean;
  onProgress(text: string): void;
}

async function moveLocked<Report>(
  { env, entry, collections, ...move }: MoveFilesOptions & { env: Env; entry: SiteEntry },
  run: (options: SiteOptions, collections: readonly string[], move: Omit<MoveFilesOptions, 'collections'>) => Report,
): Promise<Awaited<Report>> {
  const siteOptions = await toSiteOptions(env, entry);
  const known = siteOptions.config.collections.map(({ name }) => name);
  const unknown = collections.find((name) => !known.includes(name));
  if (unknown !== undefined) throw failure(`there is no collection "${unknown}"; there are: ${known.join(', ')}`);
  const lock = lockFolder(env.dataDir);
  try {
    return await run(siteOptions, collections.length ? [...new Set(collections)] : known, move);
  } finally {
    lock.release();
  }
}

const reshardLocked: CliPorts['reshardSite'] = async (env, entry, options) => {
  const { reshardSite } = await import('../sites/move-site-files.ts');
  return moveLocked({ env, entry, ...options }, reshardSite);
};

const reformatLocked: CliPorts['reformatSite'] = async (env, entry, options) => {
  const { reformatSite } = await import('../sites/move-site-files.ts');
  return moveLocked({ env, entry, ...options }, reformatSite);
};

const newFile: CliPorts['newFile'] = async (_env, entry, { collection, slug, now, has }) => {
  const config = await loadConfig(entry.configPath);
  const { compileSite } = await import('../schema/compile.ts');
  const { createNewFile, findFreeSlug } = await import('../content/commits/new-file.ts');
  const { newDocumentId } = await import('../content/document-id.ts');
  const { collections } = compileSite(config);
  const schema = collections.get(collection);
  if (!schema)
    throw failure(`there is no collection "${collection}"; there are: ${[...collections.keys()].join(', ')}`);
  const chosen = slug ?? findFreeSlug(collection, 'untitled', has);
  return createNewFile(schema, { slug: chosen, id: newDocumentId(), now, has });
};

const MAKING_BACKUP = 'making the backup';
const toArchiveProgress = (doneBytes: number): string => `writing the archive: ${(doneBytes / 1e6).toFixed(1)} MB`;

const backupLocked: CliPorts['backupSite'] = async (env, entry, { out, onProgress }) => {
  if (out !== undefined) refuseExisting(out);
  const options = await toSiteOptions(env, entry);
  const { openSite } = await import('../sites/open-site.ts');
  const { openBackups } = await import('../backups/service.ts');
  const { createGuard } = await import('../outbound/guard.ts');
  const { writeDurably } = await import('../backups/write-file.ts');
  const lock = lockFolder(env.dataDir);
  try {
    const site = await openSite(options);
    const backups = await openBackups({
      site: entry.id,
      version: VERSION,
      store: site.store,
      data: openDataFolder(path.join(options.folder, '_data')),
      media: path.join(options.folder, 'media'),
      settings: { read: () => ({ backupRetention: Number.POSITIVE_INFINITY, backupTarget: null }) },
      target: { guard: createGuard({ allowPrivate: () => false }) },
      problems: site.warnings,
      dataRestored: async () => undefined,
      now: () => new Date(),
      randomBytes,
      warn,
    });
    try {
      onProgress(MAKING_BACKUP);
      const made = await backups.create('manual');
      if (out === undefined) return { ...made, archiveBytes: 0 };
      const archive = await backups.openArchive(made.id, new AbortController().signal);
      const { sizeBytes } = await writeDurably(path.resolve(out), archive, (doneBytes) =>
        onProgress(toArchiveProgress(doneBytes)),
      ).catch((error: unknown) => {
        throw toFilePlaceError(error, out);
      });
      return { ...made, archiveBytes: sizeBytes };
    } finally {
      await backups.close();
      await site.close();
    }
  } finally {
    lock.release();
  }
};

/** A site without a commit gets its starter content first, as at a start of the service. */
async function buildCommitted(
  variables: CliPorts['variables'],
  ...[env, entry, options]: Parameters<CliPorts['buildSite']>
): ReturnType<CliPorts['buildSite']> {
  keepPrivate(env);
  const { folder, config } = await toSiteOptions(env, entry);
  const { buildOnce, hasCommits } = await import('../sites/build-once.ts');
  const { openBuildSandbox } = await import('../sites/build-sandbox.ts');
  const { readOutsider } = await import('../access/outsider.ts');
  if (!hasCommits(folder)) {
    // The site is for others to read, but the data folder is not.
    const umask = process.umask(0o077);
    await (await openLocked(env, entry, { plantStarter: true })).close();
    process.umask(umask);
  }
  const { problems, built } = await buildOnce({
    ...options,
    siteId: entry.id,
    config,
    configPath: entry.configPath,
    folder,
    publicUrl: env.publicUrl,
    adminUrl: env.adminUrl ?? env.publicUrl,
    variables,
    sandbox: openBuildSandbox({ env, variables, warn }),
    findOutsider: () =>
      readOutsider(entry, { dataDir: env.dataDir, now: new Date(), logger: { info: () => undefined } }),
    signal: new AbortController().signal,
  });
  return { problems, built: built && { folder: built.folder, files: built.files.length, commit: built.commit } };
}

function refuseExisting(file: string): void {
  if (fs.existsSync(file)) throw failure(`"${file}" already exists`);
  checkFilePlace(file);
}

const restoreLocked: CliPorts['restoreSite'] = async (env, { archive, site: wanted, onProgress }) => {
  if (wanted !== undefined && !SITE_ID.test(wanted)) throw failure(`"${wanted}" is not a valid site id`);
  // Checked before anything is made in the data folder.
  fs.accessSync(archive, fs.constants.R_OK);
  if (fs.statSync(archive).isDirectory())
    throw failure(`"${archive}" is a folder; name the archive, a file that "colophon backup --out" made`);
  const { restoreSite } = await import('../sites/restore-site.ts');
  const clearFresh = rememberFresh(env.dataDir);
  keepPrivate(env);
  const lock = lockFolder(env.dataDir);
  try {
    const sites = readSites(env).map(({ id }) => id);
    const { site, manifest } = await restoreSite({
      archive,
      sites: path.join(env.dataDir, 'sites'),
      siteFor: (said) => wanted ?? said.site,
      onProgress,
    });
    const { snapshot: id, commit, documents, mediaFiles, createdAt, damagedMedia } = manifest;
    return { site, id, commit, documents, mediaFiles, createdAt, damagedMedia, isKnown: sites.includes(site) };
  } catch (error) {
    if (!lock.lost()) clearFresh();
    throw error;
  } finally {
    lock.release();
  }
};

/** The sites that a start serves. Makes nothing, while opening the users would make the secrets. */
function readSites(env: Env): SiteEntry[] {
  const file = openPrivateFile({
    path: path.join(env.dataDir, 'sites.json'),
    schema: SitesFile,
    empty: { version: 1, sites: [] },
    logger: { info: () => undefined },
  });
  return toSiteEntries(allSites(file.read(), toDefaultSite(env)));
}

/**
 * Starts the whole service on a temporary, empty data folder, so that this works while a service runs and changes
 * nothing.
 */
async function describeSite(env: Env, entry: SiteEntry): Promise<object> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-openapi-'));
  try {
    const { createApp } = await import('../app.ts');
    const { pino } = await import('pino');
    const app = await createApp({
      env: { ...env, dataDir, configPath: entry.configPath },
      logger: pino({ level: 'silent' }),
      onFatal(error) {
        throw error;
      },
    });
    try {
      return app.http.openapi(app.sites().flatMap((site) => [...site.schema.collections.values()]));
    } finally {
      await app.close();
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
