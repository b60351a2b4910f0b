// Fills the view from the repository: with everything, with what differs from a saved view's tree, or with what
// external commits changed. Reads files in their order on the disk. Files that are not valid documents, or
// that some systems cannot check out, are reported and left alone.
import { runToEnd } from '../../lib/queues/slices.ts';
import { foldName } from '../../lib/text/stream-safe.ts';
import { isMediaPath, parseMediaFile, type StoredMedia } from '../../media/stored.ts';
import { type Oid, oidOf, parseCommit } from '../../store/git/objects.ts';
import { FILE_MODE, parseTree, TREE_MODE, type TreeEntry } from '../../store/git/tree.ts';
import { findTreeProblem } from '../../store/git/tree-check.ts';
import { isBrokenTree, toTwinMessage, twinIn } from '../../store/intake/intake-tree.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { ContentView } from '../rows/view.ts';
import type { Arrange, Contests } from './arrange-claims.ts';
import { countFiles, isContent } from './changed-files.ts';
import { orderByLog } from './claim-order.ts';
import { type Claim, type Key, keysOf, shownFrom } from './claims.ts';
import { type ContestPlan, planContests } from './contests.ts';
import { showTimes, withFound } from './external-times.ts';
import type { FileNow } from './file-now.ts';
import { collectFiles, type FilesNow, toFileNow } from './files-now.ts';
import { createOriginLookup } from './origins.ts';
import { otherFileProblem, readMediaFile } from './other-files.ts';
import {
  addOurs,
  areMetByOurs,
  claimsBelow,
  type FindFile,
  followOurs,
  lastOf,
  NONE_OF_OURS,
  type Ours,
  type OursParts,
} from './ours-on-top.ts';
import { type CommitTree, type FileHere, type ReadChanges, readChanges, readFile } from './read-changes.ts';
import { showFiles, showPlanned } from './show-files.ts';
import type { ShowParts } from './show-parts.ts';
import { warnOfFile } from './warnings.ts';

export interface LoadParts extends ShowParts, OursParts {
  /** Shows a file below `media/`; `media` is undefined if the file is gone, or is not a media file. */
  showMedia?(path: string, media: StoredMedia | undefined): void;
}

export interface Around {
  /** Durable changes of ours on top of the external commits. */
  ours?: Ours;
  /** What was prepared beforehand, without our changes. */
  prepared?: Prepared | undefined;
}

export interface Prepared extends ReadChanges {
  /** Undefined if it was not worked out, or is stale because something else was shown meanwhile. */
  contests?: ContestPlan | undefined;
}

/**
 * Applies what differs between two versions (null is the version without files); returns the number of changed files.
 */
export function applyTreeChanges(
  given: LoadParts,
  before: CommitTree | null,
  after: CommitTree | null,
  commit: string,
  { ours = NONE_OF_OURS, prepared }: Around = {},
): number {
  const { view, warnings } = given;
  const [fromTree, toTree] = [before?.tree ?? null, after?.tree ?? null];
  if (ours.paths.size === 0 && fromTree === toTree && before?.commit === after?.commit) return 0;
  const read = prepared ?? runToEnd(readChanges(given, before, after));
  given.times?.add(read.times);
  const parts = withOrigins(given, after);
  const { changes, files } = read;
  const { others, problems } = changes;
  const last = lastOf(ours);
  const find = createFind(read, toTree);
  forgetOrders(view, files);
  const known = prepared?.contests;
  const isAlone =
    ours.paths.size === 0 ||
    (known !== undefined && !areMetByOurs(parts, files, known, ours, last, createFind(read, fromTree)));
  if (!isAlone) addOurs(parts, files, ours, last, find);
  const arrange = createArrange(parts, read, { before, after, ours: isAlone ? NONE_OF_OURS : ours });
  showPlanned(parts, files, commit, (isAlone && known) || runToEnd(planContests(parts, files, arrange)));
  for (const { path, isGone, problem, media } of others) {
    if (last.has(path)) continue;
    if (isMediaPath(path)) parts.showMedia?.(path, media);
    if (isGone) warnings.delete(path);
    else warnOfFile(parts, path, problem);
  }
  for (const [path, problem] of problems) if (!last.has(path)) warnOfFile(parts, path, problem);
  for (const path of ours.paths) if (isMediaPath(path)) showMediaOfOurs(path);
  lookAgain(parts, toTree, problems, find, commit);
  showTimes(view, read.times, commit);
  return countFiles(changes);

  /** Shows a media file as our changes left it; if they were set aside, as the branch has it. */
  function showMediaOfOurs(path: string): void {
    const own = last.get(path);
    const theirs = own === undefined ? find(path) : undefined;
    if (own !== undefined) warnings.delete(path);
    const media = own ? parseMediaFile(path, own.content) : theirs && readMediaFile(parts.odb, theirs);
    parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
  }
}

/** Files that are read one by one have the origins that they have at this commit. */
function withOrigins(parts: LoadParts, at: CommitTree | null): LoadParts {
  const { at: originAt } = createOriginLookup(parts.odb);
  return at ? { ...parts, originOf: (path) => originAt(at.commit, path) } : parts;
}

function createFind({ reader }: ReadChanges, tree: Oid | null): FindFile {
  return (path) => {
    const found = tree ? reader.find(tree, path) : undefined;
    return found && { path, ...found };
  };
}

/** Plans beforehand what becomes of contested files, as if there were no changes of ours on top. */
export function planAhead(
  parts: LoadParts,
  read: ReadChanges,
  before: CommitTree | null,
  after: CommitTree,
  keys: Set<Key>,
): Generator<undefined, ContestPlan> {
  const arrange = createArrange(parts, read, { before, after, ours: NONE_OF_OURS });
  const times = withFound(parts.times, read.times);
  return planContests({ ...withOrigins(parts, after), times }, read.files, arrange, keys);
}

interface LoadOrder {
  before: CommitTree | null;
  after: CommitTree | null;
  ours: Ours;
}

function createArrange(parts: LoadParts, read: ReadChanges, order: LoadOrder): Arrange {
  const { before, after, ours } = order;
  const find = createFind(read, after?.tree ?? null);
  const knownId = (path: string, oid: Oid): string | undefined => {
    const row = read.files.byPath.get(path)?.row;
    return row?.etag === oid ? row.id : shownId(parts.view, path, oid);
  };
  const arrange: Arrange = (contests) => arrangeByLog(parts, contests, { ...order, find, knownId });
  arrange.isOneStep = ours.paths.size === 0 && isNext(parts.odb, before, after);
  return arrange;
}

/** Whether `before` is the first parent of `after`. */
function isNext(odb: Odb, before: CommitTree | null, after: CommitTree | null): boolean {
  return before !== null && after !== null && parseCommit(odb.get(after.commit, 'commit')).parents[0] === before.commit;
}

/** Moving this many rows in an order takes longer than making it anew, in slices, when a list asks for it. */
const MANY_FILES = 1000;

function forgetOrders(view: ContentView, { counts }: FilesNow): void {
  for (const [name, count] of counts) if (count >= MANY_FILES) view.forgetOrders(name);
}

/** Shows files again whose name clashed with a name that is gone, or whose folder was broken and is not any more. */
function lookAgain(
  parts: LoadParts,
  root: Oid | null,
  problems: ReadonlyMap<string, string>,
  find: FindFile,
  commit: string,
): void {
  const { odb, warnings } = parts;
  function isBroken(path: string): boolean {
    const tree = path === '' ? root : find(path)?.oid;
    return tree != null && findTreeProblem(odb.get(tree, 'tree')) !== undefined;
  }
  lookAgainAtTwins(parts, find, commit);
  for (const [path, problem] of [...warnings]) {
    if (isBrokenTree(problem) && !problems.has(path) && !isBroken(path)) showPlain(parts, path, find, commit);
  }
}

/** Shows files again whose names clashed with a name that is gone. */
export function lookAgainAtTwins(parts: LoadParts, find: FindFile, commit: string): void {
  const { warnings } = parts;
  for (const [path, problem] of [...warnings]) {
    const twin = twinIn(path, problem);
    if (twin === undefined || find(twin)) continue;
    const other = findTwin(path);
    if (other) warnings.set(path, toTwinMessage(other));
    else showPlain(parts, path, find, commit);
  }

  /** If three names clashed, two still do when the third is gone; all of them have warnings. */
  function findTwin(path: string): string | undefined {
    const folded = foldName(path);
    const others = [...warnings.keys()].filter((one) => one !== path && foldName(one) === folded && find(one));
    return others.sort()[0]?.slice(path.lastIndexOf('/') + 1);
  }
}

/** Shows a file whose name has no problem any more. */
function showPlain(parts: LoadParts, path: string, find: FindFile, commit: string): void {
  parts.warnings.delete(path);
  const file = find(path);
  if (!file || file.mode === TREE_MODE) return;
  if (isContent(path)) showFiles(parts, collectFiles([toFileNow(path, readFile(parts, file))]), commit);
  else warnOfFile(parts, path, otherFileProblem(parts.odb, file));
}

/** Decides by the log which of several files holds an id or a slug. */
function* arrangeByLog(
  parts: LoadParts,
  contests: Contests,
  {
    before,
    after,
    ours,
    find,
    knownId,
  }: LoadOrder & { find: FindFile; knownId(path: string, oid: Oid): string | undefined },
): Generator<undefined, ReadonlyMap<Key, readonly Claim[]>> {
  const { odb, view } = parts;
  const below = claimsBelow(parts, ours, find);
  const belowAt = new Map<Key, string[]>();
  for (const claim of below)
    for (const key of keysOf(claim)) belowAt.set(key, [...(belowAt.get(key) ?? []), claim.path]);
  const claimants = new Map<Key, string[]>();
  for (const [key, { after }] of contests) {
    const theirs = after.map(({ path }) => path).filter((path) => !ours.paths.has(path));
    claimants.set(key, [...theirs, ...(belowAt.get(key) ?? [])]);
    yield undefined;
  }
  // With changes of ours on top, the lists are not those of a commit on the branch.
  const list = (key: Key): string[] => (contests.get(key)?.before ?? []).map(({ path }) => path);
  const known = before && ours.paths.size === 0 ? { commit: before.commit, list } : undefined;
  const isCollection = (name: string): boolean => view.collection(name) !== undefined;
  const ordered = after ? yield* orderByLog({ odb, isCollection, knownId }, claimants, after.commit, known) : claimants;
  followOurs(parts, ordered, ours, below);
  const lists = new Map<Key, readonly Claim[]>();
  for (const [key, { after }] of contests) {
    const claims = new Map(after.map((claim) => [claim.path, claim]));
    lists.set(
      key,
      ordered.get(key)!.flatMap((path) => claims.get(path) ?? []),
    );
    yield undefined;
  }
  return lists;
}

function shownId(view: ContentView, path: string, oid: Oid): string | undefined {
  const row = shownFrom(view, path);
  return row?.etag === oid ? row.id : undefined;
}

/** Applies the files of a commit that is not on the branch yet (recovered from the write-ahead log). */
export function applyFiles(parts: LoadParts, files: readonly FileChange[], commit: string): void {
  for (const { path, content } of files) {
    if (!isMediaPath(path)) continue;
    const media = content ? parseMediaFile(path, content) : undefined;
    parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
  }
  const documents = files.filter(({ path }) => !isMediaPath(path));
  showFiles(parts, collectFiles(documents.map((file) => readChange(parts, file))), commit);
}

function readChange(parts: LoadParts, { path, content }: FileChange): FileNow {
  if (!content) return toFileNow(path);
  const file = { path, mode: FILE_MODE, oid: oidOf('blob', content) };
  return toFileNow(path, readFile(parts, file, { bytes: content }));
}

export function findFile(
  odb: Odb,
  root: Oid | null,
  path: string,
  folders = new Map<Oid, Map<string, TreeEntry>>(),
): FileHere | undefined {
  let entry: TreeEntry | undefined = root ? { name: '', mode: TREE_MODE, oid: root } : undefined;
  for (const name of path.split('/')) {
    if (entry?.mode !== TREE_MODE) return undefined;
    let folder = folders.get(entry.oid);
    if (!folder) {
      folder = new Map(parseTree(odb.get(entry.oid, 'tree')).map((child) => [child.name, child]));
      folders.set(entry.oid, folder);
    }
    entry = folder.get(name);
  }
  return entry && entry.mode !== TREE_MODE ? { path, mode: entry.mode, oid: entry.oid } : undefined;
}
