// A work tree that is never on a disk: the directories of the newest commit, loaded when first touched and edited in
// place. Every change returns its edits, so that it can be undone and packed as deltas. It reads what it needs from the
// repository before its first edit: an error leaves everything as it was.
import { EMPTY_TREE, type Oid, oidOf } from '../git/objects.ts';
import {
  encodeTreeEntry,
  FILE_MODE,
  invertEdit,
  MutableTree,
  parseTree,
  TREE_MODE,
  type TreeEntry,
  toKey,
} from '../git/tree.ts';
import type { TreeEdit } from '../git/tree-edit.ts';
import type { TreeChange } from '../packs/packer.ts';

/** A file to write or, if `content` is null, to remove. */
export interface FileChange {
  path: string;
  content: Buffer | null;
}

/** A file that is in the repository already, at this path or another. */
export interface PlacedFile {
  path: string;
  oid: Oid;
}

export interface TreeSetResult {
  root: Oid;
  blobs: { oid: Oid; body: Buffer }[];
  /** Deepest directories first, the root last. */
  trees: TreeChange[];
}

export interface TreeSet {
  /** A file replaces a directory of the same path, and a directory replaces a file. */
  apply(files: readonly (FileChange | PlacedFile)[]): TreeSetResult;
  /** Finds what `apply` would replace: a file above one of the files, or a folder at its path. */
  findObstacle(files: readonly FileChange[]): Obstacle | undefined;
  undo(result: TreeSetResult): void;
  findFile(path: string): TreeEntry | undefined;
  /** A file, or a folder as it was last written. */
  find(path: string): TreeEntry | undefined;
  /** The directory's bytes with these edits (newest first) undone; for the packer's replicas. */
  contentBefore(directory: string, edits: readonly TreeEdit[]): Buffer;
}

export interface Obstacle {
  path: string;
  isFolder: boolean;
}

/** An entry's new state within its directory; `oid` is null if it is removed. */
interface EntryPut {
  name: string;
  isDirectory: boolean;
  oid: Oid | null;
}

/** From this many changes on, a directory is merged in one pass. */
const BULK_CHANGES = 256;

/** `readTree` returns a tree object's content; `root` is the newest commit's tree, or null for an empty repository. */
export function createTreeSet(root: Oid | null, readTree: (oid: Oid) => Buffer): TreeSet {
  const trees = new Map<string, MutableTree>();
  trees.set('', new MutableTree(root ? readTree(root) : Buffer.alloc(0)));

  function findTree(directory: string): MutableTree | undefined {
    const loaded = trees.get(directory);
    if (loaded) return loaded;
    const [parent, name] = splitPath(directory);
    const entry = findTree(parent)?.find(name, true);
    if (!entry) return undefined;
    const tree = new MutableTree(readTree(entry.oid));
    trees.set(directory, tree);
    return tree;
  }

  function findFile(path: string): TreeEntry | undefined {
    const [directory, name] = splitPath(path);
    return findTree(directory)?.find(name, false);
  }

  function getTree(directory: string): MutableTree {
    const found = findTree(directory);
    if (found) return found;
    const tree = new MutableTree();
    trees.set(directory, tree);
    return tree;
  }

  /** A directory and all directories below it. */
  function* loadBelow(directory: string): Generator<string> {
    const tree = findTree(directory);
    if (!tree) return;
    yield directory;
    for (const entry of parseTree(tree.content)) {
      if (entry.mode === TREE_MODE) yield* loadBelow(`${directory}/${entry.name}`);
    }
  }

  return {
    apply(files) {
      const { changes, blobs } = groupByDirectory(files);
      const emptied = new Set<string>();
      for (const [directory, entries] of [...changes]) {
        for (let above = directory; above; [above] = splitPath(above)) getTree(above);
        const tree = getTree(directory);
        for (const { name, oid } of entries) {
          if (!oid || !tree.find(name, true)) continue;
          for (const below of loadBelow(directory ? `${directory}/${name}` : name)) emptied.add(below);
        }
      }
      for (const directory of emptied) if (!changes.has(directory)) changes.set(directory, []);

      // Directories from the deepest up: each new id is a change of the parent directory.
      const changed: TreeChange[] = [];
      const levels: string[][] = [];
      const plan = (directory: string): void => void (levels[depthOf(directory)] ??= []).push(directory);
      for (const directory of changes.keys()) plan(directory);
      for (let depth = levels.length - 1; depth >= 0; depth--) {
        for (const directory of levels[depth] ?? []) {
          const tree = getTree(directory);
          const cleared = emptied.has(directory) ? tree.clear() : undefined;
          const edits = applyTo(tree, changes.get(directory) ?? []);
          if (cleared) edits.unshift(cleared);
          if (edits.length === 0) continue;
          const oid = tree.oid();
          changed.push({ path: directory, oid, edits });
          if (directory === '') continue;
          const [parent, name] = splitPath(directory);
          if (!changes.has(parent)) plan(parent);
          addChange(changes, parent, { name, isDirectory: true, oid: tree.sizeBytes ? oid : null });
        }
      }
      const top = getTree('').oid();
      // An empty commit in an empty repository still needs its tree.
      if (changed.length === 0 && top === EMPTY_TREE) changed.push({ path: '', oid: top, edits: [] });
      return { root: top, blobs, trees: changed };
    },
    findObstacle(files) {
      const removed = new Set(files.flatMap(({ path, content }) => (content ? [] : [path])));
      const looked = new Set<string>();
      for (const { path, content } of files) {
        if (!content) continue;
        const [directory, name] = splitPath(path);
        for (let above = directory; above && !looked.has(above); [above] = splitPath(above)) {
          looked.add(above);
          if (findFile(above) && !removed.has(above)) return { path: above, isFolder: false };
        }
        if (findTree(directory)?.find(name, true)) return { path, isFolder: true };
      }
      return undefined;
    },
    undo(result) {
      for (const { path, edits } of [...result.trees].reverse()) {
        const tree = getTree(path);
        for (const edit of [...edits].reverse()) tree.apply(invertEdit(edit));
        tree.reindex();
      }
    },
    findFile,
    find(path) {
      const [directory, name] = splitPath(path);
      const tree = findTree(directory);
      return tree?.find(name, false) ?? tree?.find(name, true);
    },
    contentBefore(directory, edits) {
      const copy = new MutableTree(findTree(directory)?.content);
      for (const edit of edits) copy.apply(invertEdit(edit));
      return Buffer.from(copy.content);
    },
  };
}

function applyTo(tree: MutableTree, changes: readonly EntryPut[]): TreeEdit[] {
  if (changes.length < BULK_CHANGES) {
    return changes.flatMap(({ name, isDirectory, oid }) => {
      const other = oid ? tree.delete(name, !isDirectory) : undefined;
      const own = oid ? tree.set(name, isDirectory ? TREE_MODE : FILE_MODE, oid) : tree.delete(name, isDirectory);
      return [other, own].filter((edit) => edit !== undefined);
    });
  }
  const entries = new Map<string, Buffer | null>();
  for (const { name, isDirectory, oid } of changes) {
    if (oid) entries.set(toKey(name, !isDirectory), null);
    entries.set(toKey(name, isDirectory), oid ? encodeTreeEntry(name, isDirectory ? TREE_MODE : FILE_MODE, oid) : null);
  }
  const edit = tree.merge(entries);
  return edit ? [edit] : [];
}

/** Groups the changes by directory; `blobs` are files that the repository may lack. */
function groupByDirectory(files: readonly (FileChange | PlacedFile)[]): {
  changes: Map<string, EntryPut[]>;
  blobs: TreeSetResult['blobs'];
} {
  const changes = new Map<string, EntryPut[]>();
  const blobs: TreeSetResult['blobs'] = [];
  for (const file of files) {
    const [directory, name] = splitPath(file.path);
    const oid = 'oid' in file ? file.oid : file.content && oidOf('blob', file.content);
    if (oid && 'content' in file && file.content) blobs.push({ oid, body: file.content });
    addChange(changes, directory, { name, isDirectory: false, oid });
  }
  return { changes, blobs };
}

function addChange(changes: Map<string, EntryPut[]>, directory: string, change: EntryPut): void {
  const known = changes.get(directory);
  if (known) known.push(change);
  else changes.set(directory, [change]);
}

function splitPath(path: string): [string, string] {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
}

function depthOf(directory: string): number {
  if (directory === '') return 0;
  let depth = 1;
  for (let at = directory.indexOf('/'); at >= 0; at = directory.indexOf('/', at + 1)) depth++;
  return depth;
}

export function toObstacleMessage({ path, isFolder }: Obstacle): string {
  return isFolder
    ? `"${path}" is a folder in the repository, but the change needs a file there`
    : `"${path}" is a file in the repository, but the change needs a folder there`;
}
