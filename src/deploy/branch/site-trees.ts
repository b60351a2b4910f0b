// The trees of a site for git, made from paths and blob ids. Pure: the same files give the same bytes as git's own.
import { EMPTY_TREE, type Oid, oidOf } from '../../store/git/objects.ts';
import { encodeTreeEntry, FILE_MODE, TREE_MODE, toKey } from '../../store/git/tree.ts';

/** A file of the branch; `path` has no slash at the beginning. */
export interface BranchFile {
  path: string;
  oid: Oid;
}

export interface SiteTrees {
  root: Oid;
  /** By the folder's path, `''` for the root; each folder comes after those in it. */
  folders: ReadonlyMap<string, FolderTree>;
}

export interface FolderTree {
  oid: Oid;
  body: Buffer;
}

interface Folder {
  files: Map<string, Oid>;
  folders: Map<string, Folder>;
}

export function toSiteTrees(files: Iterable<BranchFile>): SiteTrees {
  const top = createFolder();
  for (const { path, oid } of files) {
    const names = path.split('/');
    const name = names.pop()!;
    let folder = top;
    for (const part of names) {
      let next = folder.folders.get(part);
      if (!next) folder.folders.set(part, (next = createFolder()));
      folder = next;
    }
    folder.files.set(name, oid);
  }
  const folders = new Map<string, FolderTree>();
  const root = encodeFolder(top, '', folders);
  return { root, folders };
}

function createFolder(): Folder {
  return { files: new Map(), folders: new Map() };
}

function encodeFolder(folder: Folder, path: string, done: Map<string, FolderTree>): Oid {
  const entries: { key: string; bytes: Buffer }[] = [];
  for (const [name, oid] of folder.files) {
    entries.push({ key: toKey(name, false), bytes: encodeTreeEntry(name, FILE_MODE, oid) });
  }
  for (const [name, inner] of folder.folders) {
    const oid = encodeFolder(inner, path === '' ? name : `${path}/${name}`, done);
    entries.push({ key: toKey(name, true), bytes: encodeTreeEntry(name, TREE_MODE, oid) });
  }
  if (entries.length === 0) return EMPTY_TREE;
  entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  const body = Buffer.concat(entries.map(({ bytes }) => bytes));
  const oid = oidOf('tree', body);
  done.set(path, { oid, body });
  return oid;
}
