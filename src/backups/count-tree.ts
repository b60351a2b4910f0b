// Counts the documents and media files of a commit's tree, by the names of its files alone.

import { nextTurn } from '../lib/queues/slices.ts';
import { entriesOf, type NamedEntry, type TreeObjects } from './tree-entries.ts';

export interface TreeCounts {
  documents: number;
  /** Collections that have documents. */
  collections: number;
  mediaFiles: number;
}

const SLICE = 2000;
const SHARD = /^[0-9a-f]{2}$/;
const COLLECTION = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/**
 * Documents are `content/<collection>/[<shard>/]<slug>`, as `.json` or `.md`; media files are all files below `media/` except their
 * descriptions.
 */
export async function countTree(odb: TreeObjects, root: string): Promise<TreeCounts> {
  const counts: TreeCounts = { documents: 0, collections: 0, mediaFiles: 0 };
  const top = [...entriesOf(odb, root)];
  const folderAt = (name: string): NamedEntry | undefined => top.find((entry) => entry.isFolder && entry.name === name);
  const [content, media] = [folderAt('content'), folderAt('media')];
  for (const collection of content ? [...entriesOf(odb, content.oid)] : []) {
    if (!collection.isFolder || !COLLECTION.test(collection.name)) continue;
    const before = counts.documents;
    for (const entry of entriesOf(odb, collection.oid)) {
      if (entry.isFolder && SHARD.test(entry.name)) {
        for (const file of entriesOf(odb, entry.oid)) if (isDocument(file)) await count('documents');
      } else if (isDocument(entry)) await count('documents');
    }
    if (counts.documents > before) counts.collections++;
  }
  if (media) await countMedia(media.oid);
  return counts;

  async function countMedia(folder: string): Promise<void> {
    for (const { name, isFolder, oid } of entriesOf(odb, folder)) {
      if (name.startsWith('.')) continue;
      if (isFolder) await countMedia(oid);
      else await count('mediaFiles');
    }
  }

  async function count(kind: 'documents' | 'mediaFiles'): Promise<void> {
    if (++counts[kind] % SLICE === 0) await nextTurn();
  }
}

function isDocument({ name, isFolder }: NamedEntry): boolean {
  return !isFolder && /\.(?:json|md)$/.test(name);
}
