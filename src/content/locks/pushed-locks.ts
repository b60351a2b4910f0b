// Field locks hold for pushes as they hold for an AI (decisions.md, section 12): which fields a pushed commit would have to
// unlock, and which it says that it does. Pure but for the files that it is given to read.
import { isEqual } from '../../lib/equal.ts';
import type { Breathe } from '../../lib/queues/slices.ts';
import { decodeToken } from '../../lib/text/trailer-token.ts';
import type { StoredDocument } from '../document.ts';
import { metaOfField } from '../provenance.ts';
import { parseFile, parsePath } from '../stored.ts';

/** A file that a commit changed; null where it is not there on that side. */
export interface PushedFile {
  path: string;
  before: string | null;
  after: string | null;
}

/** What another parent of a merge has at a path, and what it and the first one had in common. */
export interface OtherSide {
  theirs(path: string): string | undefined;
  bases: readonly ((path: string) => string | undefined)[];
}

export interface LockProblem {
  path: string;
  /** Names that `Unlock:` would have to give. */
  fields: string[];
  /** The file was not there: nothing of ours is locked, and the commit brings the metadata of another site, or its own. */
  isNew: boolean;
}

/** Undefined for what is too large for a document. */
export type ReadBlob = (oid: string) => Buffer | undefined;

interface DocumentAtPath {
  path: string;
  doc: StoredDocument;
}

const UNLOCK = /^unlock\s*:(.*)$/gim;

/** The fields that a commit's message unlocks, as they are and as the service writes names of fields. */
export function unlockedIn(message: string): Set<string> {
  const fields = new Set<string>();
  for (const [, list = ''] of message.replaceAll('\r', '').matchAll(UNLOCK)) {
    for (const one of list.split(',')) {
      const name = one.trim();
      if (name !== '') fields.add(name).add(decodeToken(name));
    }
  }
  return fields;
}

/**
 * The fields of each document whose lock or metadata, or whose locked value, a commit has otherwise than its parent.
 * A document with a locked field that goes, moves or gets another id has all of them otherwise. `others` are the other
 * sides of a merge: what one of them changed since the two parted, and the merge took, is theirs.
 */
export async function findTouchedLocks(
  files: readonly PushedFile[],
  others: readonly OtherSide[],
  readBlob: ReadBlob,
  breathe: Breathe,
): Promise<LockProblem[]> {
  const befores = await findAll('before', false);
  // What lost its metadata is to be found without it.
  const afters = await findAll('after', befores.length > 0);
  const known = new Set(befores.map(({ doc }) => doc.id));
  const afterOf = new Map(afters.map((found) => [found.doc.id, found]));
  const pairs: [DocumentAtPath | undefined, DocumentAtPath | undefined][] = [
    ...befores.map((before): [DocumentAtPath, DocumentAtPath | undefined] => [before, afterOf.get(before.doc.id)]),
    ...afters.flatMap((after): [undefined, DocumentAtPath][] => (known.has(after.doc.id) ? [] : [[undefined, after]])),
  ];
  const newPaths = new Set(files.flatMap(({ path, before }) => (before === null ? [path] : [])));
  const problems: LockProblem[] = [];
  for (const [before, after] of pairs) {
    await breathe();
    const names = [before, after].flatMap((found) => Object.keys(found?.doc._fieldMeta ?? {}));
    const fields = [...new Set(names)].filter(
      (field) => isTouched(before?.doc, after?.doc, field) && !isOthersWord(before, after, field, others, readBlob),
    );
    const { path } = (before ?? after)!;
    if (fields.length) problems.push({ path, fields, isNew: !before && newPaths.has(path) });
  }
  return problems;

  async function findAll(side: 'before' | 'after', isAny: boolean): Promise<DocumentAtPath[]> {
    const found: DocumentAtPath[] = [];
    for (const file of files) {
      await breathe();
      found.push(...findDocument(file.path, file[side], readBlob, isAny));
    }
    return found;
  }
}

function isTouched(before: StoredDocument | undefined, after: StoredDocument | undefined, field: string): boolean {
  // What is only known of a field goes with its document.
  if (!after && before && !isLocked(before, field)) return false;
  return !isEqual(stateOf(before, field), stateOf(after, field));
}

/** What a lock holds together. */
function stateOf(doc: StoredDocument | undefined, field: string): unknown {
  const entry = doc && metaOfField(doc, field);
  if (!doc || !entry || Object.keys(entry).length === 0) return null;
  if (!isLocked(doc, field)) return [entry];
  const { id, collection, slug, data } = doc;
  return [entry, id, collection, slug, Object.hasOwn(data, field), data[field] ?? null];
}

function isLocked(doc: StoredDocument, field: string): boolean {
  return metaOfField(doc, field)?.lockedBy !== undefined;
}

/** Whether the merge has what another side made of it, and this one left it was. */
function isOthersWord(
  before: DocumentAtPath | undefined,
  after: DocumentAtPath | undefined,
  field: string,
  others: readonly OtherSide[],
  readBlob: ReadBlob,
): boolean {
  const id = (before ?? after)!.doc.id;
  const lookAt = (path: string, oidAt: (path: string) => string | undefined): StoredDocument | undefined => {
    const [found] = findDocument(path, oidAt(path), readBlob);
    return found?.doc.id === id ? found.doc : undefined;
  };
  const [was, is] = [stateOf(before?.doc, field), stateOf(after?.doc, field)];
  const [from, to] = [(before ?? after)!.path, (after ?? before)!.path];
  return others.some(
    ({ theirs, bases }) =>
      isEqual(stateOf(lookAt(to, theirs), field), is) &&
      bases.length > 0 &&
      bases.every((base) => isEqual(stateOf(lookAt(from, base), field), was)),
  );
}

/**
 * Fields that a change which waits for the branch has locked in a document that the push changes there: of `content` at a
 * path, what the branch has there and what the push would make of it.
 */
export function findNewLocks(
  path: string,
  content: Buffer,
  sides: { before: string | undefined; after: string | undefined },
  readBlob: ReadBlob,
): string[] {
  if (sides.before === sides.after || !mayHaveMeta(content)) return [];
  const [ours] = findDocument(path, '', () => content);
  if (!ours) return [];
  const [before] = findDocument(path, sides.before, readBlob, true);
  const [after] = findDocument(path, sides.after, readBlob, true);
  const { doc } = ours;
  return Object.keys(doc._fieldMeta ?? {}).filter((field) => {
    if (!isLocked(doc, field)) return false;
    const old = before?.doc.id === doc.id ? before.doc : undefined;
    // What was locked there already has been asked about.
    if (old && isEqual(metaOfField(old, field), metaOfField(doc, field))) return false;
    const theirs = after?.doc.id === doc.id ? after.doc : undefined;
    if (!old && !theirs) return false;
    return (
      !old ||
      !theirs ||
      !isEqual(old.data[field], theirs.data[field]) ||
      !isEqual(metaOfField(old, field), metaOfField(theirs, field))
    );
  });
}

/** Only where it may have field metadata, unless `isAny`: of most documents there is nothing to find. */
function findDocument(
  path: string,
  oid: string | null | undefined,
  readBlob: ReadBlob,
  isAny = false,
): DocumentAtPath[] {
  const place = parsePath(path);
  const bytes = place && oid != null ? readBlob(oid) : undefined;
  if (!place || !bytes || !(isAny || mayHaveMeta(bytes))) return [];
  const doc = parseFile(bytes, place);
  return typeof doc === 'string' ? [] : [{ path, doc }];
}

/** JSON can spell a key in other ways too. */
function mayHaveMeta(bytes: Buffer): boolean {
  return bytes.includes('"_fieldMeta"') || bytes.includes('\\u');
}
