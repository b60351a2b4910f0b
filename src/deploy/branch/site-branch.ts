// A site as the newest commit of a branch: what the host lacks of it, the pack with just that, and the push. Builds on
// whatever commit the branch is at. Knows nothing of GitHub.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Oid } from '../../store/git/objects.ts';
import { oidOf } from '../../store/git/objects.ts';
import { HostError } from '../providers/host-error.ts';
import type { PublishedFile } from '../providers/provider.ts';
import { MAX_RETRIES } from '../providers/retry.ts';
import { hashFiles } from './blob-ids.ts';
import { type BranchPack, spoolPack } from './branch-pack.ts';
import {
  type BranchTip,
  type HashedFile,
  MEMORY_FILE,
  NO_GROWTH,
  recall,
  tipOf,
  toMemoryText,
  unknownTip,
} from './branch-tip.ts';
import { encodeDeployCommit } from './commit-message.ts';
import { readFetchedTrees } from './fetched-trees.ts';
import { type GitHost, mayPass, pauseOf } from './git-host.ts';
import { type SiteTrees, toSiteTrees } from './site-trees.ts';

export interface SiteBranchParts {
  host: GitHost;
  /** Names repository and branch. */
  place: string;
  cacheFolder: string;
  signal: AbortSignal;
  log(line: string): void;
  now(): Date;
  delay(ms: number, signal: AbortSignal): Promise<void>;
  /** When a branch has grown so far, its history starts anew. */
  isPastBound?(growth: BranchTip['growth'], siteBytes: number): boolean;
}

export interface BranchPlan {
  files: readonly PublishedFile[];
  hashed: readonly HashedFile[];
  trees: SiteTrees;
  tip: BranchTip;
  capabilities: ReadonlySet<string>;
  /** One file for each blob that the host lacks. */
  send: readonly { file: PublishedFile; oid: Oid }[];
  /** The commit gets no parent, and the branch is moved by force. */
  isAnew: boolean;
  /** The branch has this tree already. */
  isUnchanged: boolean;
}

export interface SiteBranch {
  plan(files: readonly PublishedFile[]): Promise<BranchPlan>;
  /** Makes the pack, on this machine. */
  spool(plan: BranchPlan, progress: (sentFiles: number) => void): Promise<BranchPack>;
  /** Returns the new commit of the branch, which has the tree of the plan. */
  push(plan: BranchPlan, pack: BranchPack | undefined, commit: { message: string; source: string }): Promise<Oid>;
  /** A new commit with the tree of an earlier one. */
  goBack(tree: Oid, commit: { message: string; source: string }): Promise<Oid>;
  /** Removes what an ended deploy left. */
  clean(): Promise<void>;
}

const SPOOL = 'push.pack';
/** Others push to the branch so often only by mistake. */
const TRIES = 5;
const MOST_COMMITS = 5000;
const MOST_SENT_BYTES = 500 << 20;

/** GitHub recommends repositories below 1 GB. */
export function isPastBound({ commits, sentBytes }: BranchTip['growth'], siteBytes: number): boolean {
  return commits >= MOST_COMMITS || sentBytes > Math.max(MOST_SENT_BYTES, 4 * siteBytes);
}

export function createSiteBranch(parts: SiteBranchParts): SiteBranch {
  const { host, place, cacheFolder, signal, log, now, delay } = parts;
  const spoolFile = path.join(cacheFolder, SPOOL);

  async function plan(files: readonly PublishedFile[], mayStartAnew = true): Promise<BranchPlan> {
    await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
    const known = await recall(cacheFolder, place);
    const { tip: commit, capabilities } = await host.look();
    const tip = commit !== null && known?.commit === commit ? tipOf(known) : await learnTip(commit);
    const hashed = await hashFiles(files, known?.files ?? [], signal).catch((error: unknown) => {
      // A stream that is cut off has an error of its own.
      signal.throwIfAborted();
      throw error;
    });
    const trees = toSiteTrees(hashed);
    const isUnchanged = tip.root === trees.root;
    const siteBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const isAnew =
      mayStartAnew && commit !== null && !isUnchanged && (parts.isPastBound ?? isPastBound)(tip.growth, siteBytes);
    return {
      files,
      hashed,
      trees,
      tip,
      capabilities,
      isAnew,
      isUnchanged,
      send: listMissing(files, hashed, tip, isAnew),
    };
  }

  async function learnTip(commit: Oid | null): Promise<BranchTip> {
    if (commit === null) return unknownTip(null);
    try {
      const pack = await host.fetchTrees(commit);
      if (pack) return await readFetchedTrees(cacheFolder, commit, pack);
      log('the git host cannot send trees alone: the whole site is sent, on top of what the branch has');
    } catch (error) {
      // Not knowing what the host has costs bytes and nothing else.
      signal.throwIfAborted();
      if (error instanceof HostError && error.reason === 'refused_token') throw error;
      log(`the branch cannot be read (${(error as Error).message}): the whole site is sent, on top of what it has`);
    }
    return unknownTip(commit);
  }

  function spool({ trees, tip, send, capabilities, isAnew }: BranchPlan, progress: (sentFiles: number) => void) {
    const isThin = !isAnew && !capabilities.has('no-thin');
    const fresh = [...trees.folders].filter(([, { oid }]) => isAnew || !tip.has.has(oid));
    const news = new Map(
      fresh.map(([at, tree]) => [tree.oid, { tree, before: isThin ? tip.folders.get(at) : undefined }]),
    );
    return spoolPack({ spool: spoolFile, blobs: send, trees: [...news.values()], signal, progress });
  }

  async function push(
    first: BranchPlan,
    firstPack: BranchPack | undefined,
    commit: { message: string; source: string },
  ): Promise<Oid> {
    let [wanted, pack] = [first, firstPack];
    for (let tries = 1; ; tries++) {
      const { tip, trees, hashed, isAnew } = wanted;
      if (wanted.isUnchanged) return tip.commit!;
      pack ??= await spool(wanted, () => undefined);
      if (isAnew) log('the history of the branch starts anew: it has grown past its bound');
      const base = isAnew ? NO_GROWTH : tip.growth;
      const growth = { commits: base.commits + 1, sentBytes: base.sentBytes + pack.sizeBytes };
      const parent = isAnew ? null : tip.commit;
      const body = encodeDeployCommit({ ...commit, tree: trees.root, parent, growth, at: now() });
      const oid = oidOf('commit', body);
      const refused = await send(tip.commit, oid, wanted.capabilities, await pack.withCommit(body));
      if (refused === undefined) {
        await remember({ commit: oid, root: trees.root, growth, files: hashed });
        return oid;
      }
      const next = await plan(wanted.files, !isAnew);
      if (next.tip.commit === tip.commit && !isAnew) throw new HostError('conflict', refused);
      if (tries === TRIES) throw new HostError('conflict', 'the branch is moved again and again by other pushes');
      log(
        isAnew && next.tip.commit === tip.commit
          ? `the history cannot start anew (${refused}): building on it`
          : 'another push was faster: building on it',
      );
      [wanted, pack] = [next, undefined];
    }
  }

  /**
   * Returns why the host refused; undefined if the branch is at `to`. A broken connection may hide a success, so the
   * branch is looked at before another attempt.
   */
  async function send(
    from: Oid | null,
    to: Oid,
    capabilities: ReadonlySet<string>,
    pack: Blob,
  ): Promise<string | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await host.push(from, to, capabilities, pack);
        return outcome.isMoved ? undefined : outcome.reason;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof HostError) || !mayPass(error) || tries > MAX_RETRIES) throw error;
        await delay(pauseOf(error, tries), signal);
        const { tip } = await host.look();
        if (tip === to) return undefined;
        if (tip !== from) return 'the branch was moved meanwhile';
        log(`the push failed (${error.message}): trying again`);
      }
    }
  }

  async function remember(memory: Parameters<typeof toMemoryText>[1]): Promise<void> {
    const file = path.join(cacheFolder, MEMORY_FILE);
    await rm(file, { force: true });
    // Not synced: what a power cut leaves of it either agrees with itself or is not believed.
    await writeFile(file, toMemoryText(place, memory), { mode: 0o600 });
  }

  return {
    plan,
    spool,
    push,
    async goBack(tree, commit) {
      for (let tries = 1; ; tries++) {
        const { tip: from, capabilities } = await host.look();
        const tip = await learnTip(from);
        if (from !== null && tip.root === tree) return from;
        const pack = await spoolPack({ spool: spoolFile, blobs: [], trees: [], signal, progress: () => undefined });
        const growth = { ...tip.growth, commits: tip.growth.commits + 1 };
        const body = encodeDeployCommit({ ...commit, tree, parent: from, growth, at: now() });
        const oid = oidOf('commit', body);
        const refused = await send(from, oid, capabilities, await pack.withCommit(body)).catch(toRefusedPack);
        if (refused === undefined) return oid;
        if ((await host.look()).tip === from || tries === TRIES) {
          throw new HostError('conflict', `${refused}; the branch may not have that version any more`);
        }
      }
    },
    clean: () => rm(spoolFile, { force: true }),
  };
}

/** A host cannot unpack a commit whose tree it does not have. */
function toRefusedPack(error: unknown): string {
  if (error instanceof HostError && error.reason === 'host_failed' && error.status === undefined) return error.message;
  throw error;
}

function listMissing(
  files: readonly PublishedFile[],
  hashed: readonly HashedFile[],
  tip: BranchTip,
  isAnew: boolean,
): { file: PublishedFile; oid: Oid }[] {
  const missing = new Map<Oid, PublishedFile>();
  for (const [at, { oid }] of hashed.entries()) if (isAnew || !tip.has.has(oid)) missing.set(oid, files[at]!);
  return [...missing].map(([oid, file]) => ({ file, oid }));
}
