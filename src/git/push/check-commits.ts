// Checks every commit of a push: whether it pretends to be the service's, changes files that its pusher may not change,
// or touches locked fields. Changes that a later commit reverts count too, because they stay in the history.
import type { Permission } from '../../access/principal.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import { toToken } from '../../lib/text/trailer-token.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { createTreeLookup } from '../../store/git/tree-lookup.ts';
import { type OwnChange, ownChanges, type ParentTree } from '../../store/repository/own-changes.ts';
import type { GitSite } from '../git-site.ts';
import type { Brought, Objection, PushChecks } from './checks.ts';
import type { Pusher } from './pusher.ts';
import { permissionsFor } from './rights.ts';

export interface CheckParts {
  site: { pushes: Pick<PushChecks, 'findForged' | 'findLocked'> };
  odb: Parameters<GitSite['checkIncoming']>[2];
  pusher: Pick<Pusher, 'permissions' | 'isAgent'>;
  /** The commits that the branch does not have yet. */
  commits: readonly Oid[];
  /** Whether the repository is empty and these are its first commits. */
  isFirst: boolean;
  /** The best common ancestors of two commits. */
  basesOf(a: Oid, b: Oid): Promise<Oid[]>;
}

export interface Checked {
  objections: Objection[];
  /** Commits that the service made and that the repository already has: this push did not bring them. */
  ours: ReadonlySet<Oid>;
}

/** Files and folders that a push may change, summed over all its commits. */
const MAX_PATHS = 2_000_000;
/** Pairs of parents whose common ancestors are computed; each pair takes git some milliseconds. */
const MAX_PAIRS = 2000;
/** Further objections are only counted. */
const MAX_REPORTED = 50;
/** Long lines of an answer to git are truncated. */
const MAX_NAMED = 10;
const TREE_BYTES = 16 << 20;

const LACKING: Partial<Record<Permission, string>> = {
  'media:write': 'adding or changing media needs the permission media:write',
  'media:delete': 'removing or replacing media needs the permission media:delete',
  'repository:write': 'changing files outside content/ and media/ needs the permission repository:write',
};

export async function checkPushedCommits(parts: CheckParts): Promise<Checked> {
  const { site, odb, pusher, commits, isFirst } = parts;
  const breathe = createBreathe();
  // A site that moves here brings the history of another service, which an administrator may do. It is shown as pushed.
  const isMove = isFirst && pusher.permissions.has('repository:write') && !pusher.isAgent;
  const { forged, ours } = await site.pushes.findForged(commits, odb);
  if (isMove) return { objections: [], ours };

  const readTree = (oid: Oid): Buffer => odb.get(oid, 'tree', TREE_BYTES);
  const lookup = createTreeLookup(readTree);
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;
  const budget = { left: MAX_PATHS };
  let pairs = 0;
  const objections: Objection[] = [];
  let count = 0;
  const object = (objection: Objection): void => {
    if (++count <= MAX_REPORTED) objections.push(objection);
  };
  for (const objection of forged) object(objection);
  const brought: (Brought & { commit: Oid })[] = [];

  async function basesOf(a: Oid, b: Oid): Promise<Oid[]> {
    if (++pairs > MAX_PAIRS) throw new Error('the push has more merges than can be checked; push fewer commits');
    return (await parts.basesOf(a, b)).map(treeOf);
  }

  async function* sidesOf(parents: readonly Oid[], tree: Oid): AsyncGenerator<ParentTree> {
    if (parents.length === 0) yield { tree: null, others: [] };
    for (const parent of parents) {
      if (treeOf(parent) === tree) continue;
      const others: { tree: Oid; bases: readonly Oid[] }[] = [];
      for (const other of parents) {
        if (other !== parent) others.push({ tree: treeOf(other), bases: await basesOf(parent, other) });
      }
      yield { tree: treeOf(parent), others };
    }
  }

  async function checkCommit(commit: Oid): Promise<void> {
    const { tree, parents, message } = parseCommit(odb.get(commit, 'commit'));
    const seen = new Set<string>();
    const objectOnce = (path: string, reason: string): void => {
      const key = `${path}\0${reason}`;
      if (!seen.has(key)) object({ commit, path, message: reason });
      seen.add(key);
    };
    for await (const side of sidesOf(parents, tree)) {
      const documents: OwnChange[] = [];
      for (const change of ownChanges({ readTree, lookup }, side, tree, budget)) {
        await breathe();
        if (!change) continue;
        for (const permission of permissionsFor(change)) {
          if (!pusher.permissions.has(permission)) objectOnce(change.path, LACKING[permission] ?? permission);
        }
        if (change.path.startsWith('content/')) documents.push(change);
      }
      const fileAt = (root: Oid) => (path: string) => lookup.find(root, path)?.oid;
      const others = side.others.map((other) => ({ theirs: fileAt(other.tree), bases: other.bases.map(fileAt) }));
      const found = await site.pushes.findLocked(documents, others, message, pusher.isAgent, odb);
      for (const locked of found.touched) objectOnce(locked.path, locked.message);
      for (const one of found.brought) brought.push({ ...one, commit });
    }
  }

  for (const commit of commits) {
    await breathe();
    if (ours.has(commit)) continue;
    try {
      await checkCommit(commit);
    } catch (error) {
      // For example, git was killed: not a problem of the commit.
      if (error instanceof ServiceError && error.status >= 500) throw error;
      object({ commit, path: '', message: (error as Error).message });
      break;
    }
  }
  const [first] = brought;
  if (first) object({ commit: first.commit, path: '', message: toBroughtMessage(brought, pusher.isAgent) });
  if (count > MAX_REPORTED) {
    objections.push({ commit: commits[0]!, path: '', message: `and ${count - MAX_REPORTED} more` });
  }
  return { objections, ours };
}

/** One message for the whole push: documents moved here from another site bring field metadata in each file. */
function toBroughtMessage(brought: readonly Brought[], isAgent: boolean): string {
  const paths = [...new Set(brought.map(({ path }) => path))].sort();
  const fields = [...new Set(brought.flatMap((one) => one.fields))].map(toToken);
  const names = [...fields.slice(0, MAX_NAMED), ...(fields.length > MAX_NAMED ? ['...'] : [])].join(', ');
  const more = paths.length - 1;
  const what =
    more === 0
      ? `${paths[0]}: a new document brings field metadata`
      : `${paths[0]} and ${more} other new document${more === 1 ? '' : 's'} bring field metadata`;
  const keep = isAgent
    ? ''
    : `; to keep it, add a line "Unlock: ${names}" to the message of each commit that brings it`;
  return `${what} (locks and AI marks, perhaps of another site); remove the key "_fieldMeta" from new files, or import them with "colophon import", which leaves it out${keep}`;
}
