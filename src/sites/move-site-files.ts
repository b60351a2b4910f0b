// Moves the files of one site's collections to the layout that the configuration names, or gives them the format that it
// names: one commit a collection. The caller holds the data folder's lock: the service must be stopped.
import { layoutOf } from '../content/files/paths.ts';
import { type Layout, type LayoutPlan, planFormat, planLayout, readLayout } from '../content/from-git/layout.ts';
import { createOriginLookup } from '../content/from-git/origins.ts';
import { DOCUMENT_FILE_BYTES, inOrder, type Origin, parseFile, toFile } from '../content/stored.ts';
import { checkFolderRights } from '../data/folder-rights.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { compileSite } from '../schema/compile.ts';
import { createTreeLookup } from '../store/git/tree-lookup.ts';
import { commitMoves } from '../store/move-files.ts';
import { openStore } from '../store/store.ts';
import type { SiteOptions } from './site.ts';

export interface MovedCollection {
  collection: string;
  /** Files that were moved, or would be in a dry run. */
  moved: number;
  /** Files whose document has another file too, and that were left where they are. */
  blocked: LayoutPlan['blocked'];
}

export interface ReshardedCollection extends MovedCollection {
  isSharded: boolean;
}

export interface ReformattedCollection extends MovedCollection {
  isMarkdown: boolean;
  /** Files that are not documents, and that were left as they are. */
  unreadable: { path: string; problem: string }[];
}

interface MoveOptions {
  isDryRun: boolean;
  onProgress(text: string): void;
}

/** What one collection's commit does; `what` is behind the number of files. */
interface CollectionMove<Report> {
  plan: LayoutPlan;
  what: string;
  report: Report;
}

/** The blobs stay as they are. */
export function reshardSite(
  options: SiteOptions,
  collections: readonly string[],
  move: MoveOptions,
): Promise<ReshardedCollection[]> {
  return moveFiles(options, collections, { ...move, event: 'content.resharded' }, (layout, { collection, schema }) => {
    const isSharded = schema.config.sharded === true;
    const plan = planLayout(layout, collection, isSharded);
    return { plan, what: `${isSharded ? 'into' : 'out of'} shards`, report: { isSharded } };
  });
}

/** Every file is read and written again, with its id and dates. */
export function reformatSite(
  options: SiteOptions,
  collections: readonly string[],
  move: MoveOptions,
): Promise<ReformattedCollection[]> {
  return moveFiles(options, collections, { ...move, event: 'content.reformatted' }, (layout, reading) => {
    const { collection, schema, read, originOf } = reading;
    const isMarkdown = schema.config.format === 'markdown';
    const { moves, blocked } = planFormat(layout, collection, isMarkdown);
    const unreadable: ReformattedCollection['unreadable'] = [];
    const plan: LayoutPlan = { moves: [], blocked };
    for (const { from, to, oid } of moves) {
      const doc = parseFile(read(oid), from, { schema, originOf: () => originOf(from) });
      if (typeof doc === 'string') unreadable.push({ path: from, problem: doc });
      else plan.moves.push({ from, to, oid, content: toFile(inOrder(doc, schema), layoutOf(to), schema) });
    }
    return { plan, what: `to ${isMarkdown ? 'Markdown' : 'JSON'}`, report: { isMarkdown, unreadable } };
  });
}

interface CollectionReading {
  collection: string;
  schema: CollectionSchema;
  read(oid: string): Buffer;
  originOf(path: string): Origin;
}

async function moveFiles<Report>(
  { config, folder, now = () => new Date(), onFatal, warn }: SiteOptions,
  collections: readonly string[],
  { isDryRun, onProgress, event }: MoveOptions & { event: string },
  decide: (layout: Layout, reading: CollectionReading) => CollectionMove<Report>,
): Promise<(MovedCollection & Report)[]> {
  const schema = compileSite(config);
  checkFolderRights(folder);
  // Opening recovers what a crash left, and closing moves everything to the branch: then the repository is the log.
  const store = openStore({ folder, pollMs: 0, ...(onFatal ? { onFatal } : {}), ...(warn ? { warn } : {}) });
  const { odb, repository } = store;
  try {
    await store.log.flush();
    const results: (MovedCollection & Report)[] = [];
    const origins = createOriginLookup(odb);
    let head = store.log.status().gitHead;
    for (const collection of collections) {
      const at = head;
      const { plan, what, report } = decide(at ? layoutAt(at, collection) : new Map(), {
        collection,
        schema: schema.collections.get(collection)!,
        read: (oid) => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES),
        originOf: (path) => origins.at(at!, path),
      });
      const { length: moved } = plan.moves;
      if (at && moved > 0 && !isDryRun) {
        onProgress(`${collection}: ${moved} files`);
        const verb = event === 'content.resharded' ? 'move' : 'rewrite';
        head = await commitMoves({
          ...{ repository, odb, head: at, moves: plan.moves, at: now() },
          subject: `content: ${verb} ${moved} ${moved === 1 ? 'file' : 'files'} of ${collection} ${what}`,
          trailers: [`Event: ${event}`, 'Actor: system'],
        });
        odb.refresh();
      }
      results.push({ collection, moved, blocked: plan.blocked, ...report });
    }
    return results;
  } finally {
    await store.close();
  }

  function layoutAt(head: string, collection: string): Layout {
    const readTree = (oid: string): Buffer => odb.get(oid, 'tree');
    return readLayout({ lookup: createTreeLookup(readTree), readTree, root: store.treeOf(head) }, collection);
  }
}
