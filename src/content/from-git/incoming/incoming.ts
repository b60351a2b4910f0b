// Checks external commits before they are accepted: every changed file of every commit must be one that the service
// itself could write. Reports what a commit brings in, never what was there before it.

import { createBreathe } from '../../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../../../store/git/objects.ts';
import { type Incoming, type IncomingFile, readIncoming } from '../../../store/intake/intake.ts';
import { createTreeReader, isRegular, type TreeReader } from '../../../store/intake/intake-tree.ts';
import type { Odb } from '../../../store/repository/odb.ts';
import type { StoredDocument } from '../../document.ts';
import { otherPaths, parsePath, pathsOf } from '../../files/paths.ts';
import type { ContentView } from '../../rows/view.ts';
import { DOCUMENT_FILE_BYTES } from '../../stored.ts';
import { isContent } from '../changed-files.ts';
import { originIn } from '../origins.ts';
import { misplaced, NOT_REGULAR, otherFileProblem, readDocument } from '../other-files.ts';
import { schemaProblems, toSchemaProblem, unknownKeyProblem } from '../warnings.ts';
import { newConflicts } from './new-conflicts.ts';
import { createPointerRemarks } from './pointer-remarks.ts';
import { createSlips } from './slips.ts';

export type { Incoming };

/** Further problems are only counted: the pusher starts with the first ones anyway. */
const MAX_REPORTED = 50;
/** Nobody reads as many, and a push may bring a hundred thousand documents. */
const MAX_REMARKS = 1000;
/** Other work on the event loop runs after each slice. */
const SLICE_MS = 8;

/** What the commits that `to` has and `from` does not bring in. */
export interface CheckedIncoming {
  /** Empty if all is well; at most `mostReported`, and a last one that counts the others (for `to`, without a path). */
  problems: Incoming[];
  /** Harmless, but worth a look: keys that look like slips, and pointers to nothing published. */
  slips: Incoming[];
}

/** `odb` may have objects that are not in the repository yet; the view is that of the branch. */
export async function checkIncoming(
  view: ContentView,
  from: Oid | null,
  to: Oid,
  odb: Odb,
  mostReported = MAX_REPORTED,
): Promise<CheckedIncoming> {
  const reported: Incoming[] = [];
  let count = 0;
  const report = (problem: Incoming): void => {
    if (++count <= mostReported) reported.push(problem);
  };
  const reader = createTreeReader(odb);
  const documents = createDocumentCheck(view, odb, reader);
  const breathe = createBreathe(SLICE_MS);
  const remarks: Incoming[] = [];
  try {
    for (const step of readIncoming(odb, from, to, reader)) {
      if (step?.kind === 'problem') report({ commit: step.commit, path: step.path, message: step.message });
      else if (step) {
        for (const message of documents.check(step)) report({ commit: step.commit, path: step.path, message });
      }
      const pause = breathe();
      if (pause) await pause;
    }
    // Only a merge can still bring together what no commit has.
    for (const problem of count === 0 ? documents.checkResult(from, to) : []) {
      if (problem) report(problem);
      const pause = breathe();
      if (pause) await pause;
    }
    for (const remark of count === 0 ? documents.remarks(to) : []) {
      if (remark && remarks.push(remark) >= MAX_REMARKS) break;
      const pause = breathe();
      if (pause) await pause;
    }
  } catch (error) {
    report({ commit: to, path: '', message: `history cannot be read: ${(error as Error).message}` });
  }
  if (count > mostReported) reported.push({ commit: to, path: '', message: `and ${count - mostReported} more` });
  return { problems: reported, slips: [...documents.slips(), ...remarks] };
}

function createDocumentCheck(view: ContentView, odb: Odb, reader: TreeReader) {
  /** The incoming documents by id: blobs by path. */
  const seen = new Map<string, Map<string, Oid>>();
  const treeOf = createTreeOf(odb);
  const slips = createSlips(view);
  const pointers = createPointerRemarks(view, documentAt);
  let last: { oid: Oid; bytes: Buffer } | undefined;

  function check(file: IncomingFile): string[] {
    const { path, mode } = file;
    if (isContent(path)) return isRegular(mode) ? checkDocument(file) : [NOT_REGULAR];
    const problem = otherFileProblem(odb, file);
    return problem === undefined ? [] : [problem];
  }

  function checkDocument(file: IncomingFile): string[] {
    const { commit, path, oid, tree, before } = file;
    const conflicts = newConflicts(read, file);
    const found = parse(path, oid);
    if (typeof found === 'string') {
      // A conflict is why the file cannot be read.
      if (conflicts.length > 0) return conflicts;
      return before && parse(path, before) === found ? [] : [found];
    }
    const { doc, problems } = found;
    const other = before ? undefined : otherPaths(path).find((one) => reader.find(tree, one));
    const holder = holderOf(doc.id, file);
    const { schema } = view.collection(doc.collection)!;
    const readBefore = () => (before ? documentAt(path, before) : undefined);
    for (const one of [slips, pointers]) one.look({ commit, path, doc, schema, readBefore });
    const old = problems.length > 0 && before ? parse(path, before) : undefined;
    const known = new Set(typeof old === 'object' ? old.problems.map(toSchemaProblem) : []);
    return [
      ...conflicts,
      ...(other === undefined ? [] : [toSameMessage(other)]),
      // The other place of the same document has its id too.
      ...(holder === undefined || holder === other ? [] : [toIdMessage(doc.id, holder)]),
      ...problems.map(toSchemaProblem).filter((message) => !known.has(message)),
    ];
  }

  function read(oid: Oid): Buffer {
    if (last?.oid !== oid) last = { oid, bytes: odb.get(oid, 'blob', DOCUMENT_FILE_BYTES) };
    return last.bytes;
  }

  /** Another file of the commit's tree whose document has this id, unless the parent had both files already. */
  function holderOf(id: string, { path, oid, tree, parentTree, before }: IncomingFile): string | undefined {
    const places = new Map(seen.get(id));
    const row = view.byId(id);
    if (row) for (const one of pathsOf(row)) places.set(one, row.etag);
    places.delete(path);
    const known = seen.get(id);
    if (known) known.set(path, oid);
    else seen.set(id, new Map([[path, oid]]));
    for (const [other, blob] of places) {
      if (!holds(tree, other, blob, id)) continue;
      if (before && parentTree && holds(parentTree, other, blob, id) && idOf(path, before) === id) continue;
      return other;
    }
    return undefined;
  }

  /** Files that the last commit has beside each other, and neither `from` nor a commit before it. */
  function* checkResult(from: Oid | null, to: Oid): Generator<Incoming | undefined> {
    const tree = treeOf(to);
    const old = from && treeOf(from);
    const wasThere = (path: string): boolean => old !== null && reader.find(old, path) !== undefined;
    for (const [id, places] of seen) {
      yield undefined;
      const row = view.byId(id);
      for (const path of row ? pathsOf(row) : []) if (!places.has(path)) places.set(path, row!.etag);
      const [first, second] = [...places].flatMap(([path, blob]) => (holds(tree, path, blob, id) ? [path] : []));
      if (first === undefined) continue;
      if (second !== undefined && !(wasThere(first) && wasThere(second)))
        yield { commit: to, path: second, message: toIdMessage(id, first) };
      const other = otherPaths(first).find((path) => path !== second && reader.find(tree, path));
      if (other && !(wasThere(first) && wasThere(other)))
        yield { commit: to, path: first, message: toSameMessage(other) };
    }
  }

  function holds(root: Oid, path: string, blob: Oid, id: string): boolean {
    const entry = reader.find(root, path);
    return entry !== undefined && (entry.oid === blob || idOf(path, entry.oid) === id);
  }

  function idOf(path: string, oid: Oid): string | undefined {
    return documentAt(path, oid)?.id;
  }

  function documentAt(path: string, oid: Oid): StoredDocument | undefined {
    const found = parse(path, oid);
    return typeof found === 'string' ? undefined : found.doc;
  }

  function parse(
    path: string,
    oid: Oid,
  ): string | { doc: StoredDocument; problems: ReturnType<typeof schemaProblems> } {
    const place = parsePath(path);
    if (!place) return misplaced(path, view.collection(path.split('/', 2)[1] ?? '')?.schema.config.sharded);
    const collection = view.collection(place.collection);
    if (!collection) return `collection "${place.collection}" is not configured`;
    const { schema } = collection;
    const unknown: string[] = [];
    const doc = readDocument(() => read(oid), path, {
      schema,
      // An id that the log gives belongs to no other file.
      originOf: () => originIn(oid, path, 0),
      onUnknownKey: (key) => unknown.length < MAX_REPORTED && unknown.push(key),
    });
    if (typeof doc === 'string') return doc;
    return { doc, problems: [...unknown.map((key) => unknownKeyProblem(key, schema)), ...schemaProblems(doc, schema)] };
  }

  const remarks = (to: Oid) => pointers.list((path) => reader.find(treeOf(to), path)?.oid);
  return { check, checkResult, slips: slips.list, remarks };
}

function createTreeOf(odb: Odb): (commit: Oid) => Oid {
  return (commit) => parseCommit(odb.get(commit, 'commit')).tree;
}

function toIdMessage(id: string, holder: string): string {
  return `id "${id}" belongs to ${holder}`;
}

function toSameMessage(other: string): string {
  return `the same document is at ${other}; remove one of them`;
}
