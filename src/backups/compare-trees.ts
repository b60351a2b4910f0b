// Which documents and media files differ between two trees, by the names and ids of their files alone: only folders that
// differ are read.
import { z } from 'zod';
import { createBreathe } from '../lib/queues/slices.ts';
import { entriesOf, type NamedEntry, type TreeObjects } from './tree-entries.ts';

const Count = z.int().min(0);
const Differences = z.object({ added: Count, changed: Count, removed: Count });
type Differences = z.output<typeof Differences>;

export const TreeDifferences = z.object({
  documents: Differences.meta({
    description: 'by collection and slug: a renamed document counts as removed and added',
  }),
  media: Differences.meta({ description: 'a file whose description alone differs counts as changed' }),
  otherFiles: Count.meta({ description: 'files that are neither, and differ' }),
});
export type TreeDifferences = z.output<typeof TreeDifferences>;

/** A document may be at another path of its collection: in a shard, or in the other format. */
const DOCUMENT = /^content\/([^/]+)\/(?:[0-9a-f]{2}\/)?([^/]+)\.(?:json|md)$/;
const DESCRIPTION = /^(media\/(?:.*\/)?)\.meta\/([^/]+)\.json$/;

interface Found {
  before: boolean;
  after: boolean;
}

/** `before` is null for the empty tree. */
export async function compareTrees(odb: TreeObjects, before: string | null, after: string): Promise<TreeDifferences> {
  const breathe = createBreathe();
  const documents = new Map<string, Found>();
  const media = new Map<string, Found>();
  const described = new Set<string>();
  let otherFiles = 0;

  function add(path: string, had: boolean, has: boolean): void {
    const description = DESCRIPTION.exec(path);
    const document = DOCUMENT.exec(path);
    if (description) described.add(`${description[1]}${description[2]}`);
    else if (path.startsWith('media/')) media.set(path, { before: had, after: has });
    else if (document) {
      const key = `${document[1]}/${document[2]}`;
      const known = documents.get(key);
      documents.set(key, { before: had || known?.before === true, after: has || known?.after === true });
    } else otherFiles++;
  }

  async function compare(old: string | null, now: string | null, prefix: string): Promise<void> {
    const rest = toMap(old === null ? [] : entriesOf(odb, old));
    for (const entry of now === null ? [] : entriesOf(odb, now)) {
      await breathe();
      const was = rest.get(keyOf(entry));
      rest.delete(keyOf(entry));
      if (was?.oid === entry.oid) continue;
      if (entry.isFolder) await compare(was?.oid ?? null, entry.oid, `${prefix}${entry.name}/`);
      else add(prefix + entry.name, was !== undefined, true);
    }
    for (const entry of rest.values()) {
      await breathe();
      if (entry.isFolder) await compare(entry.oid, null, `${prefix}${entry.name}/`);
      else add(prefix + entry.name, true, false);
    }
  }

  if (before !== after) await compare(before, after, '');
  for (const path of described) if (!media.has(path)) media.set(path, { before: true, after: true });
  return { documents: count(documents.values()), media: count(media.values()), otherFiles };
}

/** A file and a folder may have one name. */
function keyOf({ name, isFolder }: NamedEntry): string {
  return isFolder ? `${name}/` : name;
}

function toMap(entries: Iterable<NamedEntry>): Map<string, NamedEntry> {
  return new Map(Array.from(entries, (entry) => [keyOf(entry), entry]));
}

function count(all: Iterable<Found>): Differences {
  const counts: Differences = { added: 0, changed: 0, removed: 0 };
  for (const { before, after } of all) counts[before ? (after ? 'changed' : 'removed') : 'added']++;
  return counts;
}
