// The work tree that is never on a disk: the directories of the newest commit, loaded when first touched and edited in
// place. Every change answers the edits it made, so that it can be undone and packed as deltas.
import { type Oid, oidOf } from './objects.ts';
import type { TreeChange } from './packer.ts';
import { FILE_MODE, invertEdit, MutableTree, TREE_MODE, type TreeEdit, type TreeEntry } from './tree.ts';

/** A file to write or, where `content` is null, to remove. */
export interface FileChange {
  path: string;
  content: Buffer | null;
}

export interface TreeSetResult {
  root: Oid;
  blobs: { oid: Oid; body: Buffer }[];
  /** Deepest directories first, the root last. */
  trees: TreeChange[];
}

export const EMPTY_TREE: Oid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export interface TreeSet {
  apply(files: readonly FileChange[]): TreeSetResult;
  undo(result: TreeSetResult): void;
  find(path: string): TreeEntry | undefined;
  /** The directory's bytes with these changes (newest first) undone; for the packer's replicas. */
  contentBefore(directory: string, changes: readonly TreeChange[]): Buffer;
}

/** `readTree` answers a tree object's content; `root` is the newest commit's tree or null for an empty repository. */
export function createTreeSet(root: Oid | null, readTree: (oid: Oid) => Buffer): TreeSet {
  const trees = new Map<string, MutableTree>();
  trees.set('', new MutableTree(root ? readTree(root) : Buffer.alloc(0)));

  function findTree(directory: string): MutableTree | undefined {
    const loaded = trees.get(directory);
    if (loaded) return loaded;
    const [parent, name] = splitPath(directory);
    const entry = findTree(parent)?.find(name);
    if (!entry || entry.mode !== TREE_MODE) return undefined;
    const tree = new MutableTree(readTree(entry.oid));
    trees.set(directory, tree);
    return tree;
  }

  function getTree(directory: string): MutableTree {
    const found = findTree(directory);
    if (found) return found;
    const tree = new MutableTree();
    trees.set(directory, tree);
    return tree;
  }

  return {
    apply(files) {
      const blobs: { oid: Oid; body: Buffer }[] = [];
      const edits = new Map<string, TreeEdit[]>();
      const note = (directory: string, edit: TreeEdit | undefined): void => {
        if (!edit) return;
        const known = edits.get(directory);
        if (known) known.push(edit);
        else edits.set(directory, [edit]);
      };
      for (const { path, content } of files) {
        const [directory, name] = splitPath(path);
        const tree = getTree(directory);
        if (content === null) note(directory, tree.delete(name));
        else {
          const oid = oidOf('blob', content);
          blobs.push({ oid, body: content });
          if (tree.find(name)?.mode === TREE_MODE) note(directory, tree.delete(name));
          note(directory, tree.set(name, FILE_MODE, oid));
        }
      }
      // Directories from the deepest up: each one's new id is an edit of its parent.
      const changed: TreeChange[] = [];
      const waiting = new Set(edits.keys());
      while (waiting.size) {
        const directory = deepest(waiting);
        waiting.delete(directory);
        const tree = getTree(directory);
        const oid = tree.oid();
        changed.push({ path: directory, oid, edits: edits.get(directory) ?? [] });
        if (directory === '') continue;
        const [parent, name] = splitPath(directory);
        const parentTree = getTree(parent);
        note(parent, tree.sizeBytes === 0 ? parentTree.delete(name) : parentTree.set(name, TREE_MODE, oid));
        if (edits.has(parent)) waiting.add(parent);
      }
      return { root: getTree('').oid(), blobs, trees: changed };
    },
    undo(result) {
      for (const { path, edits } of [...result.trees].reverse()) {
        const tree = getTree(path);
        for (const edit of [...edits].reverse()) tree.apply(invertEdit(edit));
        tree.reindex();
      }
    },
    find(path) {
      const [directory, name] = splitPath(path);
      return findTree(directory)?.find(name);
    },
    contentBefore(directory, changes) {
      const copy = new MutableTree(findTree(directory)?.content);
      for (const change of changes) {
        if (change.path !== directory) continue;
        for (const edit of [...change.edits].reverse()) copy.apply(invertEdit(edit));
      }
      return Buffer.from(copy.content);
    },
  };
}

function splitPath(path: string): [string, string] {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)];
}

function deepest(directories: Set<string>): string {
  let found: string | undefined;
  let depth = -1;
  for (const directory of directories) {
    const here = directory === '' ? 0 : directory.split('/').length;
    if (here > depth) (found = directory), (depth = here);
  }
  return found as string;
}
