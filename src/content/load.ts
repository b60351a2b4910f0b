// Fills the view from the repository: everything, or what differs from a snapshot's tree, or what somebody else's
// commits changed. Files are read in the order in which they lie on the disk. What is not a valid document is told and
// left alone, and so is what no clone could hold everywhere.
import { isPassing } from '../lib/shortage.ts';
import { runToEnd } from '../lib/slices.ts';
import { foldName } from '../lib/stream-safe.ts';
import { isMediaPath, parseMediaFile, type StoredMedia } from '../media/stored.ts';
import { isBrokenTree, toTwinMessage, twinIn } from '../store/intake-tree.ts';
import { type Oid, oidOf, parseCommit } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { FILE_MODE, parseTree, TREE_MODE, type TreeEntry } from '../store/tree.ts';
import { findTreeProblem } from '../store/tree-check.ts';
import type { FileChange } from '../store/tree-set.ts';
import { countFiles, isContent } from './changed-files.ts';
import { followClaims, orderByLog } from './claim-order.ts';
import { type Claim, claimOf, idKey, type Key, keysOf, shownFrom, slugKey } from './claims.ts';
import { type Arrange, type ContestPlan, type Contests, planContests } from './contests.ts';
import { collectFiles, type FileNow, type FilesNow, toFileNow } from './files-now.ts';
import { otherFileProblem, readMediaFile } from './other-files.ts';
import { type FileHere, type ReadChanges, readChanges, readFile } from './read-changes.ts';
import { type ShowParts, showFiles, showPlanned } from './show-files.ts';
import { forgetAt, shownBeside } from './shown-beside.ts';
import { parsePath } from './stored.ts';
import type { ContentView } from './view.ts';
import { tell } from './warnings.ts';

export interface LoadParts extends ShowParts {
  /** Whether the newest accepted state has a file there. */
  has(path: string): boolean;
  /** A file below `media/` as it is now; undefined where it is gone, or none that media have. */
  showMedia?(path: string, media: StoredMedia | undefined): void;
}

/** A commit of the repository, and its tree. */
export interface Version {
  commit: Oid;
  tree: Oid;
}

export interface Around {
  /** Paths that newer changes of ours decide. */
  skip?: ReadonlySet<string>;
  /** Durable changes of ours that stand on top of what came, oldest first. */
  onTop?: readonly { files: readonly FileChange[] }[];
  /** What was made ready beforehand, without those of ours. */
  prepared?: Prepared | undefined;
}

export interface Prepared extends ReadChanges {
  /** Undefined where it was not worked out, or something else was shown meanwhile. */
  contests?: ContestPlan | undefined;
}

/** Applies what differs between two versions (null is the one without a file); returns how many files that are. */
export function applyTreeChanges(
  parts: LoadParts,
  before: Version | null,
  after: Version | null,
  commit: string,
  { skip = new Set(), onTop = [], prepared }: Around = {},
): number {
  const { warnings } = parts;
  const [fromTree, toTree] = [before?.tree ?? null, after?.tree ?? null];
  if (fromTree === toTree && before?.commit === after?.commit) return 0;
  const read = prepared ?? runToEnd(readChanges(parts, fromTree, toTree));
  const { changes, files } = read;
  const { others, problems } = changes;
  const find = createFind(read, toTree);
  forgetOrders(parts.view, files);
  const left = skip.size ? leaveToOurs(parts, files, skip, find) : { dropped: [], added: 0 };
  const arrange = createArrange(parts, read, { before, after, skip, onTop }, left.dropped);
  const known = left.dropped.length + left.added === 0 ? prepared?.contests : undefined;
  const plan = known && !isMetByOurs(parts, known, skip, find) ? known : runToEnd(planContests(parts, files, arrange));
  showPlanned(parts, files, commit, plan);
  for (const { path, isGone, problem, media } of others) {
    if (skip.has(path)) continue;
    if (isMediaPath(path)) parts.showMedia?.(path, media);
    if (isGone) warnings.delete(path);
    else tell(parts, path, problem);
  }
  for (const [path, problem] of problems) if (!skip.has(path)) tell(parts, path, problem);
  lookAgain(parts, toTree, problems, find, commit);
  return countFiles(changes);
}

type Find = (path: string) => FileHere | undefined;

function createFind({ reader }: ReadChanges, tree: Oid | null): Find {
  return (path) => {
    const found = tree ? reader.find(tree, path) : undefined;
    return found && { path, ...found };
  };
}

/** Takes out what changes of ours decide, and adds what they put elsewhere. */
function leaveToOurs(
  parts: LoadParts,
  files: FilesNow,
  skip: ReadonlySet<string>,
  find: Find,
): { dropped: FileNow[]; added: number } {
  const dropped = [...skip].flatMap((path) => files.byPath.get(path) ?? []);
  files.drop(new Set(dropped.map(({ path }) => path)));
  for (const { path } of dropped) forgetAt(parts.view, files, path);
  const added = addMovedAway(parts, files, (path) => skip.has(path) || find(path) !== undefined);
  return { dropped, added };
}

/** Whether a file at one of the paths, which are those of newer changes of ours, is or was one that the plan is about. */
function isMetByOurs(parts: LoadParts, { keys }: ContestPlan, paths: ReadonlySet<string>, find: Find): boolean {
  if (keys.size === 0) return false;
  for (const path of paths) {
    const place = parsePath(path);
    if (!place) continue;
    if (keys.has(slugKey(place))) return true;
    const file = find(path);
    const { row } = file ? readFile(parts, file) : {};
    if (row && keys.has(idKey(row.id))) return true;
  }
  return false;
}

/** Works out beforehand what becomes of contested files, as if no changes of ours stood on top of these. */
export function planAhead(
  parts: LoadParts,
  read: ReadChanges,
  before: Version | null,
  after: Version,
  keys: Set<Key>,
): Generator<undefined, ContestPlan> {
  const arrange = createArrange(parts, read, { before, after, skip: new Set(), onTop: [] });
  return planContests(parts, read.files, arrange, keys);
}

type Order = Required<Omit<Around, 'prepared'>> & { before: Version | null; after: Version | null };

/** `dropped` are files of the change that are left to ours. */
function createArrange(parts: LoadParts, read: ReadChanges, order: Order, dropped: readonly FileNow[] = []): Arrange {
  const { before, after, skip, onTop } = order;
  const find = createFind(read, after?.tree ?? null);
  const knownId = (path: string, oid: Oid): string | undefined => {
    const row = read.files.byPath.get(path)?.row;
    return row?.etag === oid ? row.id : shownId(parts.view, path, oid);
  };
  const arrange: Arrange = (contests) => arrangeByLog(parts, contests, { ...order, find, knownId });
  arrange.below = dropped.flatMap(({ path, row }) => (row ? [{ path, id: row.id, oid: row.etag }] : []));
  arrange.isOneStep = skip.size === 0 && onTop.length === 0 && isNext(parts.odb, before, after);
  return arrange;
}

/** Whether one is the other's first parent. */
function isNext(odb: Odb, before: Version | null, after: Version | null): boolean {
  return before !== null && after !== null && parseCommit(odb.get(after.commit, 'commit')).parents[0] === before.commit;
}

/** From here on making an order anew, in slices, when a list asks for it, is faster than moving so many rows in it. */
const MANY_FILES = 1000;

function forgetOrders(view: ContentView, { counts }: FilesNow): void {
  for (const [name, count] of counts) if (count >= MANY_FILES) view.forgetOrders(name);
}

/**
 * Adds where a change of ours put a document that goes to another place now, because one of these came there; answers how
 * many there are of it.
 */
function addMovedAway({ view }: LoadParts, files: FilesNow, isThere: (path: string) => boolean): number {
  const paths = new Set<string>();
  for (const file of files.list) {
    for (const row of shownBeside(view, files, file).rivals) {
      const { path } = claimOf(row);
      if (!isThere(path)) paths.add(path);
    }
  }
  for (const path of paths) {
    files.add(toFileNow(path));
    forgetAt(view, files, path);
  }
  return paths.size;
}

/** A name that clashed is an ordinary one when the other is gone, and so is what is in a folder that was mended. */
function lookAgain(
  parts: LoadParts,
  root: Oid | null,
  problems: ReadonlyMap<string, string>,
  find: Find,
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

/** Shows again what clashed with a name that is gone. */
export function lookAgainAtTwins(parts: LoadParts, find: Find, commit: string): void {
  const { warnings } = parts;
  for (const [path, problem] of [...warnings]) {
    const twin = twinIn(path, problem);
    if (twin === undefined || find(twin)) continue;
    const other = findTwin(path);
    if (other) warnings.set(path, toTwinMessage(other));
    else showPlain(parts, path, find, commit);
  }

  /** Of three names two clash when the third is gone; all of them have warnings. */
  function findTwin(path: string): string | undefined {
    const folded = foldName(path);
    const others = [...warnings.keys()].filter((one) => one !== path && foldName(one) === folded && find(one));
    return others.sort()[0]?.slice(path.lastIndexOf('/') + 1);
  }
}

/** There is nothing wrong with the name any more. */
function showPlain(parts: LoadParts, path: string, find: Find, commit: string): void {
  parts.warnings.delete(path);
  const file = find(path);
  if (!file || file.mode === TREE_MODE) return;
  if (isContent(path)) showFiles(parts, collectFiles([toFileNow(path, readFile(parts, file))]), commit);
  else tell(parts, path, otherFileProblem(parts.odb, file));
}

/** Which of several files holds an id, or a slug, as the log has it. */
function* arrangeByLog(
  parts: LoadParts,
  contests: Contests,
  {
    before,
    after,
    find,
    skip,
    onTop,
    knownId,
  }: Order & { find: Find; knownId(path: string, oid: Oid): string | undefined },
): Generator<undefined, ReadonlyMap<Key, readonly Claim[]>> {
  const { odb, view } = parts;
  const claims = new Map<string, Claim>();
  for (const { after } of contests.values()) for (const claim of after) claims.set(claim.path, claim);
  const below = [...skip].flatMap((path) => {
    const file = parsePath(path) && find(path);
    const { row } = file ? readFile(parts, file) : {};
    return row ? [{ path, id: row.id, oid: row.etag }] : [];
  });
  for (const claim of below) if (!claims.has(claim.path)) claims.set(claim.path, claim);
  const claimants = new Map<Key, string[]>();
  for (const [key, { after }] of contests) {
    const theirs = [
      ...after.filter(({ path }) => !skip.has(path)),
      ...below.filter((one) => keysOf(one).includes(key)),
    ];
    claimants.set(
      key,
      theirs.map(({ path }) => path),
    );
    yield undefined;
  }
  // With changes of ours on top the lists are not those of a commit under the branch.
  const list = (key: Key): string[] => (contests.get(key)?.before ?? []).map(({ path }) => path);
  const known = before && onTop.length === 0 ? { commit: before.commit, list } : undefined;
  const isCollection = (name: string): boolean => view.collection(name) !== undefined;
  const ordered = after ? yield* orderByLog({ odb, isCollection, knownId }, claimants, after.commit, known) : claimants;
  for (const { files } of onTop) followOwn(parts, ordered, claims, files);
  const lists = new Map<Key, readonly Claim[]>();
  for (const [key, { after, step }] of contests) {
    const paths = ordered.get(key)!;
    // What came only below ours, and is not there with them.
    const isGone = (path: string): boolean => skip.has(path) && step.come.includes(path);
    const others = after.filter(({ path }) => !paths.includes(path) && !isGone(path));
    lists.set(key, [...paths.flatMap((path) => claims.get(path) ?? []), ...others]);
    yield undefined;
  }
  return lists;
}

function shownId(view: ContentView, path: string, oid: Oid): string | undefined {
  const row = shownFrom(view, path);
  return row?.etag === oid ? row.id : undefined;
}

/** Changes the order as a commit of ours does. */
function followOwn(
  parts: LoadParts,
  ordered: Map<Key, string[]>,
  claims: Map<string, Claim>,
  files: readonly FileChange[],
): void {
  const now = files.filter(({ path }) => parsePath(path)).map((file) => readChange(parts, file));
  for (const { path, row } of now) if (row) claims.set(path, { path, id: row.id, oid: row.etag });
  for (const [key, list] of ordered) {
    const holds = ({ path, row }: FileNow): boolean => row !== undefined && keysOf(claims.get(path)!).includes(key);
    const gone = now.filter((file) => list.includes(file.path) && !holds(file)).map(({ path }) => path);
    const come = now.filter((file) => !list.includes(file.path) && holds(file)).map(({ path }) => path);
    ordered.set(key, followClaims(list, { gone: new Set(gone), come }));
  }
}

/** Applies a commit's files that are not under the branch yet (recovered from the write-ahead log). */
export function applyFiles(parts: LoadParts, files: readonly FileChange[], commit: string): void {
  for (const { path, content } of files) {
    if (!isMediaPath(path)) continue;
    const media = content ? parseMediaFile(path, content) : undefined;
    parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
  }
  const documents = files.filter(({ path }) => !isMediaPath(path));
  showOwn(
    parts,
    documents.map((file) => readChange(parts, file)),
    commit,
  );
}

/** Shows what a change of ours left, once it is durable. */
export function showOwn(parts: LoadParts, changed: readonly FileNow[], commit: string): void {
  const files = collectFiles(changed);
  addMovedAway(parts, files, parts.has);
  showFiles(parts, files, commit);
}

function readChange(parts: LoadParts, { path, content }: FileChange): FileNow {
  if (!content) return toFileNow(path);
  const file = { path, mode: FILE_MODE, oid: oidOf('blob', content) };
  return toFileNow(path, readFile(parts, file, { bytes: content }));
}

/** Shows again what the repository has at these paths. */
export function applyStored(parts: LoadParts, root: Oid | null, paths: readonly string[], commit: string): void {
  for (const path of paths) {
    const file = findReadable(parts.odb, root, path);
    if (isMediaPath(path)) {
      const media = file && readMediaFile(parts.odb, file);
      parts.showMedia?.(path, typeof media === 'object' ? media : undefined);
    } else showFiles(parts, collectFiles([toFileNow(path, file && readFile(parts, file))]), commit);
  }
}

/** Undefined if a folder above it cannot be read, too. */
function findReadable(odb: Odb, root: Oid | null, path: string): FileHere | undefined {
  try {
    return findFile(odb, root, path);
  } catch (error) {
    if (isPassing(error)) throw error;
    return undefined;
  }
}

/** A change that an earlier process answered, as the commit that it is now. */
export interface RecoveredChange {
  commit: Oid;
  files: readonly FileChange[];
}

/**
 * Follows what was recovered until the branch has it: answers a function that is told which changes have become other
 * commits on top of somebody else's, and shows again what came to other files there. Changes of this process do that
 * themselves (commit.ts); they are newer, and shown after these.
 */
export function followRecovered(
  recovered: readonly RecoveredChange[],
  show: (files: readonly FileChange[]) => void,
): (replanted: readonly { from: Oid; entry: RecoveredChange }[]) => void {
  const filesOf = new Map(recovered.map(({ commit, files }) => [commit, files]));
  return (replanted) => {
    let isRebased = false;
    for (const { from, entry } of replanted) {
      const files = filesOf.get(from);
      if (!files) continue;
      filesOf.delete(from);
      filesOf.set(entry.commit, entry.files);
      isRebased ||= entry.files !== files;
      if (isRebased) show(entry.files);
    }
  };
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
