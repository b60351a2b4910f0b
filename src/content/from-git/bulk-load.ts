// Fills an empty view from a large repository: threads read the documents, while this thread checks trees and names.
// Leaves everything unusual (two documents with one id or slug, files in odd places) to load.ts.

import { runToEnd } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { FILE_MODE } from '../../store/git/tree.ts';
import { createTreeReader } from '../../store/intake/intake-tree.ts';
import { layoutOf } from '../files/paths.ts';
import type { Row } from '../rows/row.ts';
import { type ColumnPlace, gatherColumns, idAt } from '../rows/row-columns.ts';
import { type ReadBytes, type SavedPlace, SavedRows } from '../rows/saved-rows.ts';
import { type BulkBytes, type BulkRows, CHUNK } from './bulk-read.ts';
import { BULK_THREADS, type ReadShares } from './bulk-threads.ts';
import { type ChangedFileHere, countFiles, listChangedFiles } from './changed-files.ts';
import { findExternalTimes, withFound } from './external-times.ts';
import { collectFiles, toFileNow } from './files-now.ts';
import { type Listed, listDocumentFiles } from './list-documents.ts';
import { applyTreeChanges, type LoadParts } from './load.ts';
import { findOrigins, originIn } from './origins.ts';
import { readFile } from './read-changes.ts';
import { warnOfFile } from './warnings.ts';

/** Fewer documents are read before a thread has started. */
const BULK_FROM = 4000;

export interface BulkParts extends LoadParts {
  readShares: ReadShares;
  /** Makes a row from its document's file. */
  restore(at: SavedPlace): Row;
}

/** What one thread read of one collection, and the index at which its share begins among the listed documents. */
interface LoadedPart {
  rows: BulkRows;
  start: number;
}

/**
 * Does what applyTreeChanges would do for an empty view. Returns undefined, without doing anything, if there are few
 * documents or if a thread fails.
 */
export function loadInBulk(parts: BulkParts, root: Oid, commit: string, from = BULK_FROM): number | undefined {
  const { view, odb, warn } = parts;
  const listed = listDocumentFiles(odb, root, (name) => view.collection(name) !== undefined);
  if (listed.reduce((sum, { slugs }) => sum + slugs.length, 0) < from) return undefined;
  const cutAt = ({ slugs }: Listed, n: number): number => Math.floor((slugs.length * n) / BULK_THREADS);
  const shares = Array.from({ length: BULK_THREADS }, (_, n) =>
    listed.map((each) => {
      const [start, end] = [cutAt(each, n), cutAt(each, n + 1)];
      const layouts = Uint8Array.from(each.paths.slice(start, end), layoutOf);
      const [slugs, oids] = [each.slugs.slice(start, end), each.oids.slice(start, end)];
      return { collection: each.collection, slugs, layouts, oids };
    }),
  );
  const finish = parts.readShares(shares);
  const reader = createTreeReader(odb);
  const changes = runToEnd(listChangedFiles(parts, reader, null, root));
  const { rest, isThere } = withoutListed(changes.files, listed);
  const times = runToEnd(findExternalTimes(odb, null, commit));
  const answers = wait(finish, warn);
  if (!answers) return undefined;

  const all = listed.map((each, c) =>
    answers.map((answer, n): LoadedPart => ({ rows: answer[c]!, start: cutAt(each, n) })),
  );
  // The log decides which of the files with the same id is shown.
  const contested = repeated(idsOf(all, isThere));
  /** Paths of files that a person wrote without an id or dates. */
  const written: string[] = [];
  for (const [c, each] of listed.entries()) {
    const read = all[c]!;
    for (const { rows, start } of read) {
      for (const [number, message] of rows.problems) {
        if (isThere[c]![start + number]) warnOfFile(parts, each.paths[start + number]!, message);
      }
    }
    const byHand = read.flatMap(({ rows, start }) => rows.byHand.map((number) => start + number));
    for (const i of byHand) if (isThere[c]![i]) written.push(each.paths[i]!);
    for (const i of [...adopt(parts, each, read, isThere[c]!, contested), ...byHand.filter((i) => isThere[c]![i])]) {
      rest.push({ path: each.paths[i]!, mode: FILE_MODE, oid: each.oids[i]! });
    }
  }
  const origins = runToEnd(findOrigins(odb, commit, written));
  const originOf = (path: string) => origins.get(path) ?? originIn(commit, path, 0);
  const files = collectFiles(
    rest.map(({ path, mode, oid }) =>
      toFileNow(
        path,
        oid ? readFile({ ...parts, originOf, times: withFound(parts.times, times) }, { path, mode, oid }) : undefined,
      ),
    ),
  );
  const prepared = { changes: { ...changes, files: rest }, reader, files, times };
  applyTreeChanges(parts, null, { commit, tree: root }, commit, { prepared });
  return countFiles(changes);
}

/** Ids of all documents that were read. */
function* idsOf(all: readonly LoadedPart[][], isThere: readonly Uint8Array[]): Generator<string> {
  for (const [c, parts] of all.entries()) {
    for (const { rows, start } of parts) {
      for (let row = 0; row < rows.saved.count; row++) {
        if (isThere[c]![start + rows.numbers[row]!]) yield idAt(rows.saved, row);
      }
    }
  }
}

function repeated(texts: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) twice.add(text);
    else seen.add(text);
  }
  return twice;
}

function wait(finish: ReturnType<ReadShares>, warn: LoadParts['warn']): BulkRows[][] | undefined {
  try {
    return finish();
  } catch (error) {
    // If the repository is damaged, reading it one by one reports how.
    warn(`documents are read one by one, because reading them in threads failed: ${(error as Error).message}`);
    return undefined;
  }
}

/**
 * Both lists are in the order of the trees. `isThere` is 0 for listed documents in folders that the walk did not enter.
 */
function withoutListed(files: readonly ChangedFileHere[], listed: readonly Listed[]) {
  const isThere = listed.map(({ paths }) => new Uint8Array(paths.length));
  const rest: ChangedFileHere[] = [];
  let c = 0;
  let i = 0;
  for (const file of files) {
    while (c < listed.length && i === listed[c]!.paths.length) {
      c++;
      i = 0;
    }
    const each = listed[c];
    if (each?.paths[i] === file.path && each.oids[i] === file.oid) isThere[c]![i++] = 1;
    else rest.push(file);
  }
  return { rest, isThere };
}

/** Shows what was read, in the default order of lists; returns the documents that share an id or a slug with others. */
function adopt(
  { view, restore }: BulkParts,
  { collection, slugs }: Listed,
  read: readonly LoadedPart[],
  isThere: Uint8Array,
  contested: ReadonlySet<string>,
): number[] {
  const twice = repeated(slugs);
  const left: number[] = [];
  const kept: (ColumnPlace & { date: number; id: string; readAs: number })[] = [];
  for (const [part, { rows, start }] of read.entries()) {
    for (let row = 0; row < rows.saved.count; row++) {
      const i = start + rows.numbers[row]!;
      if (!isThere[i]) continue;
      const id = idAt(rows.saved, row);
      if (contested.has(id) || twice.has(slugs[i]!)) left.push(i);
      else kept.push({ part, row, date: rows.dates[row]!, id, readAs: kept.length });
    }
  }
  kept.sort((a, b) => b.date - a.date || (a.id < b.id ? -1 : 1));
  const numbers = new Uint32Array(kept.length);
  kept.forEach(({ readAs }, i) => {
    numbers[readAs] = i;
  });
  const saved = gatherColumns(
    collection,
    read.map(({ rows }) => rows.saved),
    kept,
  );
  const heads = inChunks(
    read.map(({ rows }) => rows.heads),
    kept,
  );
  const bodies = inChunks(
    read.map(({ rows }) => rows.bodies),
    kept,
  );
  const bytes = {
    headStarts: heads.starts,
    bodyStarts: bodies.starts,
    head: heads.read,
    nextHead: heads.read,
    body: bodies.read,
    nextBody: bodies.read,
    numbers,
    restore,
  };
  view.adopt(collection, new SavedRows(saved, bytes));
  return left;
}

/** The chunks of several parts as one. */
function inChunks(parts: readonly BulkBytes[], places: readonly ColumnPlace[]) {
  const firsts: number[] = [];
  const chunks: Buffer[] = [];
  for (const part of parts) {
    firsts.push(chunks.length);
    for (const { buffer, byteOffset, length } of part.chunks) chunks.push(Buffer.from(buffer, byteOffset, length));
  }
  const starts = Float64Array.from(places, ({ part, row }) => firsts[part]! * CHUNK + parts[part]!.starts[row]!);
  const read: ReadBytes = (at, length) => {
    const offset = at % CHUNK;
    return chunks[(at - offset) / CHUNK]!.subarray(offset, offset + length);
  };
  return { starts, read };
}
