// Layouts of a collection's files, flat in its folder or in shards, and which files are not in the configured layout.
// People and other tools read a flat folder best; past a few thousand files every commit writes a large tree,
// and git hosts advise against it.
import { slugProblem } from '../../lib/text/slug.ts';
import type { Oid } from '../../store/git/objects.ts';
import { parseTree, TREE_MODE, type TreeEntry } from '../../store/git/tree.ts';
import type { TreeLookup } from '../../store/git/tree-lookup.ts';
import { isRegular } from '../../store/intake/intake-tree.ts';
import { parsePath, pathOf } from '../stored.ts';

/** The most files in one folder that git hosts advise. */
export const FLAT_ADVISED = 3000;

export interface Layout {
  /** The documents' files by slug, in each of the layouts. */
  flat: ReadonlyMap<string, Oid>;
  sharded: ReadonlyMap<string, Oid>;
}

export interface LayoutPlan {
  moves: { from: string; to: string; oid: Oid }[];
  /** Files whose other place is taken: two files of one document, of which a person must choose one. */
  blocked: { from: string; to: string }[];
}

export interface LayoutParts {
  lookup: TreeLookup;
  readTree(oid: Oid): Buffer;
  /** The commit's tree. */
  root: Oid;
}

/** Leaves out files that cannot be a document's. */
export function readLayout(parts: LayoutParts, collection: string): Layout {
  const folder = `content/${collection}`;
  const flat = new Map<string, Oid>();
  const sharded = new Map<string, Oid>();
  const children = readFolder(parts, folder);
  for (const entry of children) {
    if (entry.mode !== TREE_MODE) addFile(flat, `${folder}/${entry.name}`, entry);
    else if (/^[0-9a-f]{2}$/.test(entry.name)) {
      const shard = `${folder}/${entry.name}`;
      for (const child of readFolder(parts, shard)) addFile(sharded, `${shard}/${child.name}`, child);
    }
  }
  return { flat, sharded };
}

function addFile(into: Map<string, Oid>, path: string, { mode, oid }: TreeEntry): void {
  const place = parsePath(path);
  if (place && isRegular(mode) && !slugProblem(place.slug)) into.set(place.slug, oid);
}

function readFolder({ lookup, readTree, root }: LayoutParts, path: string): TreeEntry[] {
  const found = lookup.find(root, path);
  return found?.mode === TREE_MODE ? parseTree(readTree(found.oid)) : [];
}

export function planLayout({ flat, sharded }: Layout, collection: string, isSharded: boolean): LayoutPlan {
  const [away, there] = isSharded ? [flat, sharded] : [sharded, flat];
  const plan: LayoutPlan = { moves: [], blocked: [] };
  for (const [slug, oid] of away) {
    const from = pathOf({ collection, slug }, !isSharded);
    const to = pathOf({ collection, slug }, isSharded);
    if (there.has(slug)) plan.blocked.push({ from, to });
    else plan.moves.push({ from, to, oid });
  }
  return plan;
}

/** What an operator should do about a collection's files; undefined if all is well. Does not read shards. */
export function layoutAdvice(parts: LayoutParts, collection: string, isSharded: boolean): string | undefined {
  const entries = readFolder(parts, `content/${collection}`);
  if (!isSharded) {
    const count = entries.filter(({ mode }) => mode !== TREE_MODE).length;
    if (count <= FLAT_ADVISED) return undefined;
    return (
      `collection "${collection}" has ${count} files in one folder, which makes commits slower and which git hosts ` +
      `advise against; set sharded: true for it, stop the service and run colophon reshard ${collection}`
    );
  }
  const flat = new Map<string, Oid>();
  for (const entry of entries)
    if (entry.mode !== TREE_MODE) addFile(flat, `content/${collection}/${entry.name}`, entry);
  if (flat.size === 0) return undefined;
  const are = flat.size === 1 ? 'file is' : 'files are';
  return `collection "${collection}": ${flat.size} ${are} not in shards yet; stop the service and run colophon reshard ${collection}`;
}

/** The advice for every collection that needs some. */
export function* layoutAdvices(
  parts: LayoutParts,
  collections: Iterable<{ name: string; config: { sharded?: boolean | undefined } }>,
): Generator<string> {
  for (const { name, config } of collections) {
    const advice = layoutAdvice(parts, name, config.sharded === true);
    if (advice) yield advice;
  }
}
