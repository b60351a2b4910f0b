// When external commits last changed each document's file. Git changes no date inside of a file, so its `updatedAt` is
// that of the change before; readers get the later one of the two (decisions.md, section 15), and the next change of
// ours writes it into the file.
import { runToEnd } from '../../lib/queues/slices.ts';
import { COMMITTER } from '../../store/committer.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { listNewCommits } from '../../store/intake/intake.ts';
import type { ReplaySides } from '../../store/log/replant.ts';
import type { Odb } from '../../store/repository/odb.ts';
import { diffTreesInSteps } from '../../store/repository/tree-walk.ts';
import type { StoredDocument } from '../document.ts';
import { type NamedDocument, parsePath } from '../files/paths.ts';
import { toRow, toStored } from '../rows/row.ts';
import type { ContentView, RowChanges } from '../rows/view.ts';
import { contentTree, entersDocumentFolders } from './changed-files.ts';
import { LAST_SECOND } from './origins.ts';

/** In ISO 8601, by `<collection>/<slug>`: a file that moves to another layout is the same document. */
export interface ExternalTimes {
  of(doc: NamedDocument): string | undefined;
  /** Notes those of further commits. */
  add(times: FoundTimes): void;
  entries(): Iterable<[place: string, time: string]>;
}

export type FoundTimes = ReadonlyMap<string, string>;

export function createExternalTimes(saved: Iterable<[place: string, time: string]> = []): ExternalTimes {
  const known = new Map(saved);
  return {
    of: (doc) => known.get(placeOf(doc)),
    add(times) {
      for (const [place, time] of times) if (time > (known.get(place) ?? '')) known.set(place, time);
    },
    entries: () => known.entries(),
  };
}

/** Those between two commits, found when they are asked for: for the documents that our changes are merged with. */
export function createFindTimes({ odb, base, onto }: ReplaySides): () => Pick<ExternalTimes, 'of'> {
  let found: ExternalTimes | undefined;
  return () => (found ??= createExternalTimes(runToEnd(findExternalTimes(odb, base, onto))));
}

/** Both together, while the commits that `found` is about are prepared. */
export function withFound(times: ExternalTimes = createExternalTimes(), found: FoundTimes): ExternalTimes {
  return { ...times, of: (doc) => [times.of(doc) ?? '', found.get(placeOf(doc)) ?? ''].sort()[1] || undefined };
}

/** The document as readers get it. */
export function atLater(doc: StoredDocument, times: Pick<ExternalTimes, 'of'> | undefined): StoredDocument {
  const time = times?.of(doc);
  return time !== undefined && time > doc.updatedAt ? { ...doc, updatedAt: time } : doc;
}

function placeOf({ collection, slug }: NamedDocument): string {
  return `${collection}/${slug}`;
}

/** Reads the commits that `to` has and `from` does not. A merge changes what differs from all of its parents. */
export function* findExternalTimes(odb: Odb, from: Oid | null, to: Oid | null): Generator<undefined, FoundTimes> {
  const seconds = new Map<string, number>();
  const enters = entersDocumentFolders(odb);
  const commits =
    to === null || to === from ? [] : from === null ? listAll(odb, to) : yield* listNewCommits(odb, from, to);
  for (const oid of commits) {
    yield undefined;
    const { committer, committedAt, parents, tree } = parseCommit(odb.get(oid, 'commit'));
    if (committer.name === COMMITTER.name && committer.email === COMMITTER.email) continue;
    const at = Math.min(Math.max(0, committedAt), LAST_SECOND);
    const here = contentTree(odb, tree);
    const known = parents.filter((parent) => odb.has(parent));
    let changed: Set<string> | undefined;
    for (const parent of known.length > 0 ? known : [undefined]) {
      const before = parent === undefined ? null : contentTree(odb, parseCommit(odb.get(parent, 'commit')).tree);
      const [places, come, gone] = [new Set<string>(), new Map<string, Oid>(), new Map<string, Oid>()];
      for (const file of diffTreesInSteps(odb, before, here, 'content/', enters)) {
        yield undefined;
        const place = file && parsePath(file.path);
        if (!place) continue;
        const key = placeOf(place);
        if (!file.before) come.set(key, file.after!);
        if (!file.after) gone.set(key, file.before!);
        if (changed === undefined || changed.has(key)) places.add(key);
      }
      // A file that only moved to another layout is as it was.
      for (const [key, oid] of come) if (gone.get(key) === oid) places.delete(key);
      changed = places;
    }
    for (const place of changed ?? []) seconds.set(place, Math.max(at, seconds.get(place) ?? 0));
  }
  return new Map(Array.from(seconds, ([place, at]) => [place, new Date(at * 1000).toISOString()]));
}

/** The whole history, in no order; a shallow one ends where a parent is missing. */
function* listAll(odb: Odb, to: Oid): Generator<Oid> {
  const seen = new Set([to]);
  for (const oid of seen) {
    yield oid;
    for (const parent of parseCommit(odb.get(oid, 'commit')).parents) if (odb.has(parent)) seen.add(parent);
  }
}

/** Shows the later times in the rows that were made without them. */
export function showTimes(view: ContentView, times: FoundTimes, commit: string): void {
  const put: RowChanges['put'] = [];
  for (const [place, updatedAt] of times) {
    const [collection = '', slug = ''] = place.split('/');
    const row = view.bySlug(collection, slug);
    if (!row || row.updatedAt >= updatedAt) continue;
    const { etag, layout, isByHand } = row;
    const { schema } = view.collection(collection)!;
    put.push(toRow({ ...toStored(row), updatedAt }, etag, schema, { layout, isByHand }));
  }
  if (put.length > 0) view.change({ removed: [], put }, commit);
}
