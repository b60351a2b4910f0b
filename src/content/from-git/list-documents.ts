// The files below `content/` that have a document's name and place, in the order of the trees. changed-files.ts checks
// trees and names.
import type { Oid } from '../../store/git/objects.ts';
import { FILE_MODE, parseTree, TREE_MODE } from '../../store/git/tree.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { parsePath } from '../files/paths.ts';

export interface Listed {
  collection: string;
  paths: string[];
  slugs: string[];
  oids: Oid[];
}

/** One item for each collection. */
export function listDocumentFiles(odb: Odb, root: Oid, isCollection: (name: string) => boolean): Listed[] {
  const read = (oid: Oid) => parseTree(odb.get(oid, 'tree'));
  const content = read(root).find(({ name, mode }) => name === 'content' && mode === TREE_MODE);
  const all: Listed[] = [];
  for (const { name: collection, mode, oid } of content ? read(content.oid) : []) {
    if (mode !== TREE_MODE || !isCollection(collection)) continue;
    const listed: Listed = { collection, paths: [], slugs: [], oids: [] };
    addFolder(listed, `content/${collection}/`, oid, true);
    all.push(listed);
  }
  return all;

  function addFolder(listed: Listed, folder: string, tree: Oid, hasShards: boolean): void {
    for (const { name, mode, oid } of read(tree)) {
      const path = folder + name;
      if (hasShards && mode === TREE_MODE && SHARD.test(name)) addFolder(listed, `${path}/`, oid, false);
      const place = mode === FILE_MODE ? parsePath(path) : undefined;
      if (place?.collection !== listed.collection) continue;
      listed.paths.push(path);
      listed.slugs.push(place.slug);
      listed.oids.push(oid);
    }
  }
}

const SHARD = /^[0-9a-f]{2}$/;
