// Redirects of a site that a command builds: where its published documents were before, and where the configuration
// says that they are now. What is read of the history is kept for the next build, and may be deleted.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createBreathe, runBreathing } from '../../lib/queues/slices.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import type { Oid } from '../../store/git/objects.ts';
import { createOdb, type Odb } from '../../store/repository/odb.ts';
import type { Redirect } from '../build.ts';
import { type FormerAddresses, followAddresses } from './plan/former-addresses.ts';
import { planRedirects } from './plan/redirects.ts';
import { createSiteMap } from './plan/site-map.ts';
import { createDocumentReader } from './read/document-reader.ts';
import { readDocuments } from './read/read-documents.ts';
import type { SiteDocument } from './read/site-document.ts';
import type { SiteBuildCalls, SiteBuildOrder } from './site-build.ts';
import { BUILDER_VERSION } from './write/state.ts';

export interface RedirectOrder extends Pick<SiteBuildOrder, 'config' | 'repository' | 'committer' | 'stateFolder'> {
  commit: Oid;
}

const FILE = 'former.json';

/**
 * Newest first. Which addresses have a page is for the caller to know: the command decides that.
 * @throws PlanError, for example if two documents have one address
 */
export async function findRedirects(order: RedirectOrder, { signal }: Pick<SiteBuildCalls, 'signal'>) {
  const odb = createOdb(nodeDisk, order.repository);
  try {
    return await find(odb, order, signal);
  } finally {
    odb.close();
  }
}

async function find(odb: Odb, order: RedirectOrder, signal: AbortSignal): Promise<Redirect[]> {
  const { config, commit } = order;
  const breathe = createBreathe();
  const documents = new Map<string, SiteDocument>();
  const readHeld = (): Promise<SiteDocument[]> =>
    readDocuments({
      ...{ odb, config, commit, documents, breathe },
      reader: createDocumentReader(odb, { config, commit }),
      from: null,
      report: () => undefined,
    });
  const recordOf = (file: string, oid: Oid): SiteDocument | undefined => {
    const doc = documents.get(file);
    return doc?.oid === oid ? doc : undefined;
  };
  const kept = openKept(order);
  const known = kept.read();
  // Most addresses of a history that was never followed are present ones.
  const all = known ? undefined : await readHeld();
  const steps = followAddresses({ ...order, odb, head: commit, known, recordOf });
  const former = await runBreathing(steps, () => {
    signal.throwIfAborted();
    return breathe();
  });
  kept.write(former);
  // Most sites have never moved a document, and then none is read.
  if (former.left.length === 0) return [];
  const published = (all ?? (await readHeld())).filter(({ status }) => status === 'published');
  return planRedirects(former, createSiteMap(config, published), () => false);
}

function openKept({ config, stateFolder }: RedirectOrder) {
  const { collections, defaultLocale, locales } = config;
  const key = hash('sha256', JSON.stringify([BUILDER_VERSION, collections, defaultLocale, locales]));
  const file = path.join(stateFolder, FILE);
  return {
    read(): FormerAddresses | undefined {
      try {
        const saved = JSON.parse(fs.readFileSync(file, 'utf8')) as { key: string; former: FormerAddresses };
        return saved.key === key ? saved.former : undefined;
      } catch {
        // Missing or damaged: the history is followed from its beginning.
        return undefined;
      }
    },
    write(former: FormerAddresses): void {
      fs.mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(`${file}.new`, JSON.stringify({ key, former }), { mode: 0o600 });
      fs.renameSync(`${file}.new`, file);
    },
  };
}
