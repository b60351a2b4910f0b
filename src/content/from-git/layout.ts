// Layouts of a collection's files (files/paths.ts), and which files are not in the configured layout. People and other
// tools read a flat folder best; past a few thousand files every commit writes a large tree, and git hosts advise
// against it.
import { slugProblem } from '../../lib/text/slug.ts';
import type { Oid } from '../../store/git/objects.ts';
import { parseTree, TREE_MODE, type TreeEntry } from '../../store/git/tree.ts';
import type { TreeLookup } from '../../store/git/tree-lookup.ts';
import { isRegular } from '../../store/intake/intake-tree.ts';
import { type FileLayout, layoutOf, MARKDOWN, parsePath, pathOf, SHARDED } from '../files/paths.ts';

/** The most files in one folder that git hosts advise. */
export const FLAT_ADVISED = 3000;

/** A collection's documents' files by slug: one for each layout that has one. */
export type Layout = ReadonlyMap<string, ReadonlyMap<FileLayout, Oid>>;

export interface LayoutPlan {
  moves: { from: string; to: string; oid: Oid; content?: Buffer }[];
  /** Files whose place is taken: two files of one document, of which a person must choose one. */
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
  const layout = new Map<string, Map<FileLayout, Oid>>();
  for (const entry of readFolder(parts, folder)) {
    if (entry.mode !== TREE_MODE) addFile(layout, `${folder}/${entry.name}`, entry);
    else if (/^[0-9a-f]{2}$/.test(entry.name)) {
      const shard = `${folder}/${entry.name}`;
      for (const child of readFolder(parts, shard)) addFile(layout, `${shard}/${child.name}`, child);
    }
  }
  return layout;
}

function addFile(into: Map<string, Map<FileLayout, Oid>>, path: string, { mode, oid }: TreeEntry): void {
  const place = parsePath(path);
  if (!place || !isRegular(mode) || slugProblem(place.slug)) return;
  const files = into.get(place.slug) ?? new Map<FileLayout, Oid>();
  files.set(layoutOf(path), oid);
  into.set(place.slug, files);
}

function readFolder({ lookup, readTree, root }: LayoutParts, path: string): TreeEntry[] {
  const found = lookup.find(root, path);
  return found?.mode === TREE_MODE ? parseTree(readTree(found.oid)) : [];
}

/** The files whose layout differs from the wanted one in the bits of `which`, and where they belong. */
function planMoves(layout: Layout, collection: string, wanted: FileLayout, which: FileLayout): LayoutPlan {
  const plan: LayoutPlan = { moves: [], blocked: [] };
  for (const [slug, files] of layout) {
    for (const [is, oid] of files) {
      const to = (is & ~which) | (wanted & which);
      if (to === is) continue;
      const [from, target] = [pathOf({ collection, slug }, is), pathOf({ collection, slug }, to)];
      if (files.size > 1) plan.blocked.push({ from, to: target });
      else plan.moves.push({ from, to: target, oid });
    }
  }
  return plan;
}

/** Moves files into shards or out of them, in the format that they have. */
export function planLayout(layout: Layout, collection: string, isSharded: boolean): LayoutPlan {
  return planMoves(layout, collection, isSharded ? SHARDED : 0, SHARDED);
}

/** Gives files the other format, where they are. */
export function planFormat(layout: Layout, collection: string, isMarkdown: boolean): LayoutPlan {
  return planMoves(layout, collection, isMarkdown ? MARKDOWN : 0, MARKDOWN);
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
  const flat = new Map<string, Map<FileLayout, Oid>>();
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
