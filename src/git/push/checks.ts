// The checks of a push besides its files: forged commits and locked fields, from content and store. Also marks commits
// that the remote brings in the service's name as external.
import {
  findNewLocks,
  findTouchedLocks,
  type OtherSide,
  type PushedFile,
  type SideReader,
  unlockedIn,
} from '../../content/locks/pushed-locks.ts';
import { DOCUMENT_FILE_BYTES } from '../../content/stored.ts';
import { toArrivalText } from '../../lib/arrival.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import { toToken } from '../../lib/text/trailer-token.ts';
import { COMMITTER } from '../../store/committer.ts';
import type { Oid } from '../../store/git/objects.ts';
import { createTreeLookup } from '../../store/git/tree-lookup.ts';
import { listNewCommits } from '../../store/intake/intake.ts';
import type { LogEntry } from '../../store/log/entry.ts';
import { isChangeBranch } from '../../store/repository/change-branches/change-branches.ts';
import { NOTES_REF } from '../../store/repository/notes.ts';
import { ObjectTooLargeError, type Odb } from '../../store/repository/odb.ts';
import { findUnreached } from '../../store/repository/reachable.ts';
import type { Store } from '../../store/store.ts';
import { forgeryOf, isInName } from './forged.ts';

/** A problem of a commit; the path is empty if it concerns the whole commit. */
export interface Objection {
  commit: Oid;
  path: string;
  message: string;
}

/** A new document that brings metadata of these fields. */
export interface Brought {
  path: string;
  fields: readonly string[];
}

/** The checks of a push's commits besides their files. */
export interface PushChecks {
  /** Which of these commits pretend to be the service's, and which of them it made: the repository has those. */
  findForged(commits: readonly Oid[], odb: Odb): Promise<{ forged: Objection[]; ours: ReadonlySet<Oid> }>;
  /** Documents of a commit that touch locked fields without an `Unlock:` line in its message that allows it. */
  findLocked(
    files: readonly PushedFile[],
    others: readonly OtherSide[],
    message: string,
    isAgent: boolean,
    odb: Odb,
  ): Promise<{ touched: { path: string; message: string }[]; brought: Brought[] }>;
  /** Fields that changes waiting for the branch have locked, and that the push from one commit to another changes. */
  findNewLocks(from: Oid | null, to: Oid, waiting: readonly LogEntry[], odb: Odb): Objection[];
}

/** A cache of one commit's documents: the sides of a merge are read several times. */
const BLOBS_KEPT = 64;

export function createPushChecks(store: Store, schemaOf: SideReader['schemaOf']): PushChecks {
  return {
    async findForged(commits, odb) {
      const breathe = createBreathe();
      const claims = new Map<Oid, string>();
      for (const commit of commits) {
        await breathe();
        const claim = forgeryOf(odb.get(commit, 'commit'), COMMITTER);
        if (claim) claims.set(commit, claim);
      }
      if (claims.size === 0) return { forged: [], ours: new Set() };
      const unknown = await findExternal(store, claims.keys());
      const ours = new Set([...claims.keys()].filter((commit) => !unknown.has(commit)));
      const forged = [...claims].filter(([commit]) => unknown.has(commit));
      return { forged: forged.map(([commit, message]) => ({ commit, path: '', message })), ours };
    },

    async findLocked(files, others, message, isAgent, odb) {
      const unlocked = isAgent ? new Set<string>() : unlockedIn(message);
      const found = await findTouchedLocks(files, others, { readBlob: createReadBlob(odb), schemaOf }, createBreathe());
      const problems = found.map((problem) => ({
        ...problem,
        fields: problem.fields.filter((one) => !unlocked.has(one)),
      }));
      const touched = problems.filter(({ isNew }) => !isNew);
      return {
        touched: touched.flatMap(({ path, fields }) =>
          fields.map((field) => ({ path, message: toLockMessage(field, isAgent) })),
        ),
        brought: problems.filter(({ isNew, fields }) => isNew && fields.length > 0),
      };
    },

    findNewLocks(from, to, waiting, odb) {
      const reader = { readBlob: createReadBlob(odb), schemaOf };
      const lookup = createTreeLookup((oid) => odb.get(oid, 'tree'));
      const [before, after] = [from && store.treeOf(from), store.treeOf(to)];
      return waiting.flatMap(({ files }) =>
        files.flatMap(({ path, content }) => {
          if (!content?.includes('lockedBy')) return [];
          const sides = {
            before: before ? lookup.find(before, path)?.oid : undefined,
            after: lookup.find(after, path)?.oid,
          };
          return findNewLocks(path, content, sides, reader).map((field) => ({
            commit: to,
            path,
            message: `field "${field}" was locked a moment ago; fetch and review the change`,
          }));
        }),
      );
    },
  };
}

function toLockMessage(field: string, isAgent: boolean): string {
  const what = `field "${field}" is locked, or its metadata (_fieldMeta) would change`;
  return isAgent
    ? `${what}; an agent's token cannot unlock it`
    : `${what}; a person unlocks it with a line "Unlock: ${toToken(field)}" in this commit's message`;
}

function createReadBlob(odb: Odb): SideReader['readBlob'] {
  const kept = new Map<Oid, Buffer | undefined>();
  return (oid) => {
    if (kept.has(oid)) return kept.get(oid);
    const bytes = readBounded(odb, oid);
    if (kept.size === BLOBS_KEPT) kept.clear();
    kept.set(oid, bytes);
    return bytes;
  };
}

function readBounded(odb: Odb, oid: Oid): Buffer | undefined {
  try {
    return odb.get(oid, 'blob', DOCUMENT_FILE_BYTES);
  } catch (error) {
    // A symbolic link, or a file that is larger than a document may be.
    if (error instanceof ObjectTooLargeError) return undefined;
    throw error;
  }
}

/**
 * Commits in the service's name that it did not make, as far as can be known: no ref of the repository but proposals
 * reaches them, or a note records how they arrived.
 */
async function findExternal({ odb, notes, listRefs }: Store, commits: Iterable<Oid>): Promise<Set<Oid>> {
  const claimed = [...commits];
  // Proposals are anybody's: that a branch changes/ reaches a commit says nothing about who made it.
  const trusted = listRefs().filter(({ name }) => name !== NOTES_REF && !isChangeBranch(name));
  const tips = trusted.map(({ oid }) => oid);
  const external = await findUnreached(odb, tips, claimed, createBreathe());
  for (const commit of claimed) if (notes.has(commit)) external.add(commit);
  return external;
}

/**
 * Marks commits that a fetch has brought in the service's name, before a ref reaches them. The commits that an empty
 * repository begins with are trusted: they are the site's own past, which its administrator fetches from the remote.
 */
export function createMarkExternal(store: Store, now: () => Date): (ours: Oid | null, theirs: Oid) => Promise<void> {
  return async (ours, theirs) => {
    const { odb, notes } = store;
    if (ours === null) return;
    odb.refresh();
    const breathe = createBreathe();
    const listing = listNewCommits(odb, ours, theirs);
    let step = listing.next();
    for (; !step.done; step = listing.next()) await breathe();
    const claimed: Oid[] = [];
    for (const commit of step.value) {
      await breathe();
      if (!notes.has(commit) && isInName(odb.get(commit, 'commit'), COMMITTER)) claimed.push(commit);
    }
    if (claimed.length === 0) return;
    const external = await findExternal(store, claimed);
    const at = now();
    const text = toArrivalText({ via: 'remote', at: at.toISOString() });
    await notes.add([...external], text, {
      subject: `${external.size} commits of the remote are not the service’s`,
      at,
    });
  };
}
