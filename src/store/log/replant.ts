// Our changes as commits on top of external ones. This file does not know what the text of a file means: `rebase` works
// out what becomes of a change whose files have changed below it.
import { isPassing } from '../../lib/shortage.ts';
import { type NotShown, toNotShownTrailers } from '../git/not-shown.ts';
import { type Oid, oidOf, parseCommit, parseTrailers, replantCommit } from '../git/objects.ts';
import type { TreeEntry } from '../git/tree.ts';
import { isRegular } from '../intake/intake-tree.ts';
import type { Odb } from '../repository/odb.ts';
import { diffTrees, type EntersFolder } from '../repository/tree-walk.ts';
import type { LogEntry } from './entry.ts';
import { loadTree } from './log-state.ts';
import { type FileChange, type TreeSet, type TreeSetResult, toObstacleMessage } from './tree-set.ts';

/** Returns a file's bytes; undefined if it does not exist, NO_DOCUMENT if it cannot be merged. */
export type ReadFile = (path: string) => Buffer | undefined;

/** Stands for folders, links, submodules, files that are too large, and objects that cannot be read. */
export const NO_DOCUMENT = Buffer.alloc(0);

export interface RebaseFiles {
  /** The file in the state that the change was made on. */
  base: ReadFile;
  /** The file in the state that the change is to be put on, with our earlier changes. */
  theirs: ReadFile;
  /** Files that `theirs` has and `base` lacks or has otherwise; only folders that `enters` accepts are read. */
  changed(enters: EntersFolder): Iterable<string>;
}

/**
 * Called with the changes of one replay, oldest first. Returns the files of a change as they are to be on top of the
 * external commit; the same array if nothing differs. Throws if a change cannot be put there. `prepare` reads in slices
 * what the first call may need; it may be left out. `reword` returns the new message of a change whose files were
 * changed before it was reported to anyone.
 */
export type Rebase = ((files: FileChange[], around: RebaseFiles) => FileChange[]) & {
  prepare?: ((around: RebaseFiles) => Generator<undefined>) | undefined;
  reword?: ((message: string, was: readonly FileChange[], is: readonly FileChange[]) => string) | undefined;
  /** What of the external commit the last call overwrote. */
  overwritten?: (() => readonly Overwritten[]) | undefined;
};

/** A field that our change overwrites as the external commit left it. */
export type Overwritten = Omit<NotShown, 'commit'>;

/** The commits of one replay: the one that the changes were made on, and the one that they are put on. */
export interface ReplaySides {
  odb: Odb;
  base: Oid | null;
  onto: Oid | null;
}

/** Returns a new one for each replay, because it may remember what earlier changes did. */
export type CreateRebase = (sides: ReplaySides) => Rebase;

export interface Replanted {
  entry: LogEntry;
  result: TreeSetResult;
  /**
   * Why the change could not be put there: its commit has no files then and names the earlier one (`Set-Aside`), which
   * the caller keeps.
   */
  problem?: string | undefined;
  notShown: readonly NotShown[];
}

export interface ReplantParts {
  odb: Odb;
  /** The first change's new parent; null for none. */
  onto: Oid | null;
  /** The commit that the first of the changes was made on; null if it has no parent or is not known. */
  base: Oid | null;
  createRebase: CreateRebase | undefined;
}

export interface Replanter {
  /** The newest tree: each change is applied to it. */
  tree: TreeSet;
  /** Reads ahead what `replant` may need. */
  prepare(): Generator<undefined>;
  /**
   * Called with each change, oldest first. If the change was reported already, the new commit names its earlier one,
   * and the files that it was answered with are kept. Throws only for a shortage that may be over at the next try.
   */
  replant(entry: LogEntry, parent: Oid | null, isReported?: boolean): Replanted;
}

/** Documents have at most this size (content/stored.ts), descriptions of media less. */
const MERGED_BYTES = 4 << 20;

export function createReplanter({ odb, onto, base, createRebase }: ReplantParts): Replanter {
  const tree = loadTree(odb, onto);
  const rebase = createRebase?.({ odb, base, onto });
  let baseTree: TreeSet | undefined;
  /** The parent of the first change. */
  let first: Oid | null | undefined;
  const ownFiles = new Map<string, Buffer | null>();
  const newBlobs = new Map<Oid, Buffer>();

  const around: RebaseFiles = {
    base(path) {
      const own = ownFiles.get(path);
      if (own !== undefined) return own ?? undefined;
      baseTree ??= loadTree(odb, base);
      const entry = baseTree.find(path);
      return entry && read(entry);
    },
    theirs(path) {
      const entry = tree.find(path);
      return entry && (newBlobs.get(entry.oid) ?? read(entry));
    },
    *changed(enters) {
      for (const { path, after } of diffTrees(odb, treeOf(base), treeOf(onto), '', enters)) if (after) yield path;
    },
  };

  function read({ mode, oid }: TreeEntry): Buffer {
    if (!isRegular(mode)) return NO_DOCUMENT;
    try {
      return odb.get(oid, 'blob', MERGED_BYTES);
    } catch (error) {
      if (isPassing(error)) throw error;
      return NO_DOCUMENT;
    }
  }

  function treeOf(commit: Oid | null): Oid | null {
    return commit && parseCommit(odb.get(commit, 'commit')).tree;
  }

  /** Rebases first and applies second: an error leaves the tree as it was. */
  function place(files: FileChange[]): Pick<Replanted, 'result' | 'problem' | 'notShown'> & { files: FileChange[] } {
    try {
      const rebased = rebase ? rebase(files, around) : files;
      const obstacle = onto === base ? undefined : tree.findObstacle(rebased);
      if (obstacle) throw new Error(toObstacleMessage(obstacle));
      const overwritten = onto === null || onto === base ? [] : (rebase?.overwritten?.() ?? []);
      const notShown = overwritten.map((one) => ({ ...one, commit: onto! }));
      return { files: rebased, result: tree.apply(rebased), notShown };
    } catch (error) {
      if (isPassing(error)) throw error;
      return { files: [], result: tree.apply([]), problem: (error as Error).message, notShown: [] };
    }
  }

  /** Rewords the message to say what the commit does now. */
  function reworded(body: Buffer, was: readonly FileChange[], is: readonly FileChange[]): Buffer {
    const { message } = parseCommit(body);
    const now = rebase?.reword?.(message, was, is) ?? message;
    if (now === message) return body;
    const text = body.toString('utf8');
    return Buffer.from(text.slice(0, text.length - message.length) + now, 'utf8');
  }

  return {
    tree,
    *prepare() {
      try {
        yield* rebase?.prepare?.(around) ?? [];
      } catch (error) {
        if (isPassing(error)) throw error;
        // `replant` reports for each change why it cannot be put there.
      }
    },
    replant(entry, parent, isReported = false) {
      const stoodOn = parseCommit(entry.body).parents[0] ?? null;
      if (first === undefined) first = stoodOn;
      const { files, result, problem, notShown } = place(entry.files);
      if (rebase) {
        for (const { path, content } of entry.files) ownFiles.set(path, content);
        for (const { oid, body } of result.blobs) newBlobs.set(oid, body);
      }
      const replaced = isReported && stoodOn !== parent ? { commit: entry.commit, base: first } : undefined;
      const said =
        replaced || files === entry.files ? entry.body : reworded(withWritten(entry, files), entry.files, files);
      const onTop = replantCommit(said, result.root, parent, replaced);
      const more = problem === undefined ? toNotShownTrailers(notShown) : `Set-Aside: ${entry.commit}\n`;
      const body = more === '' ? onTop : Buffer.concat([onTop, Buffer.from(more)]);
      const kept = replaced ? keptOf(entry, files) : entry.kept;
      for (const content of kept ?? []) result.blobs.push({ oid: oidOf('blob', content), body: content });
      return {
        entry: { commit: oidOf('commit', body), body, files, ...(kept && { kept }) },
        result,
        problem,
        notShown,
      };
    },
  };
}

/**
 * The blob that a creation with an Idempotency-Key was answered with: its message names the blob, for repeated
 * requests.
 */
function answeredBlob(body: Buffer): Oid | undefined {
  return /([0-9a-f]{40})$/.exec(parseTrailers(parseCommit(body).message).get('Idempotency-Key') ?? '')?.[1];
}

/** Keeps the answered file, even though the change writes another one now. */
function keptOf(entry: LogEntry, files: readonly FileChange[]): readonly Buffer[] | undefined {
  const blob = files === entry.files ? undefined : answeredBlob(entry.body);
  const was = blob && entry.files.find(({ content }) => content && oidOf('blob', content) === blob)?.content;
  return was && !files.some(({ content }) => content?.equals(was)) ? [was] : entry.kept;
}

/** Names the blob of the file as it is now: the writer has not been answered yet. */
function withWritten(entry: LogEntry, files: readonly FileChange[]): Buffer {
  const blob = files === entry.files ? undefined : answeredBlob(entry.body);
  const at = blob
    ? entry.files.filter(({ content }) => content).findIndex(({ content }) => oidOf('blob', content!) === blob)
    : -1;
  const now = files.filter(({ content }) => content)[at]?.content;
  return blob && now ? Buffer.from(entry.body.toString('utf8').replace(blob, oidOf('blob', now)), 'utf8') : entry.body;
}
