// The trees of the log's commits: every object that a commit introduced is read and hashed again, the changes are
// folded into the files that the log leaves, and those are compared with the newest tree.
import { EMPTY_TREE, type ObjectType, type Oid, oidOf } from './git/objects.ts';
import { changedEntries, findTreeProblem, readTreeEntries } from './git/tree-check.ts';
import type { Findings } from './problem.ts';
import type { Odb } from './repository/odb.ts';

export interface VerifyCounts {
  commits: number;
  /** JSON files below `content/` in the newest commit. */
  documents: number;
  /** Objects read and hashed, for each commit that introduced them. */
  objects: number;
}

export interface TreeCheckParts {
  odb: Odb;
  findings: Findings;
  counts: VerifyCounts;
}

/** Returns a function that reads an object, and throws if its bytes do not have its id. */
export function createHashedRead({ odb, counts }: Pick<TreeCheckParts, 'odb' | 'counts'>) {
  return (oid: Oid, type: ObjectType): Buffer => {
    const body = odb.get(oid, type);
    counts.objects++;
    const actual = oidOf(type, body);
    if (actual !== oid) throw new Error(`${type} ${oid} hashes to ${actual}`);
    return body;
  };
}

const GITLINK_MODE = '160000';

export function createTreeCheck({ odb, findings, counts }: TreeCheckParts) {
  const { attempt, report } = findings;
  const read = createHashedRead({ odb, counts });

  /** Reads, hashes and folds into `files` what the commit changed below a directory. */
  function checkTree(commit: Oid, directory: string, before: Oid | null, after: Oid | null, files?: Map<string, Oid>) {
    if (before === after) return;
    const where = directory ? { commit, path: directory } : { commit };
    attempt(where, () => {
      const news = after && after !== EMPTY_TREE ? read(after, 'tree') : Buffer.alloc(0);
      const olds = before ? odb.get(before, 'tree') : Buffer.alloc(0);
      for (const change of changedEntries(olds, news)) {
        const file = directory ? `${directory}/${change.name}` : change.name;
        const { after: oid } = change;
        if (change.isDirectory) checkTree(commit, file, change.before, oid, files);
        else if (!oid) files?.delete(file);
        else {
          files?.set(file, oid);
          if (change.mode !== GITLINK_MODE) attempt({ commit, path: file }, () => read(oid, 'blob'));
        }
      }
    });
  }

  /** Removes from `files` what the tree has, and reports what differs; the caller reports the rest. */
  function compareTree(commit: Oid, directory: string, tree: Oid, files: Map<string, Oid> | undefined): void {
    attempt(directory ? { commit, path: directory } : { commit }, () => {
      const content = odb.get(tree, 'tree');
      const problem = findTreeProblem(content);
      if (problem) report({ commit, ...(directory ? { path: directory } : {}), problem });
      for (const { name, mode, oid } of readTreeEntries(content)) {
        const file = directory ? `${directory}/${name}` : name;
        if (mode === '40000') {
          compareTree(commit, file, oid, files);
          continue;
        }
        if (file.startsWith('content/') && file.endsWith('.json')) counts.documents++;
        if (!files) continue;
        const folded = files.get(file);
        files.delete(file);
        if (folded !== oid)
          report({ commit, path: file, problem: `is ${oid}, but the log leaves ${folded ?? 'nothing'}` });
      }
    });
  }

  return { checkTree, compareTree };
}
