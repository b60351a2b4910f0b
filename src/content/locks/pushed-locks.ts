// Field locks apply to pushes as they apply to an AI (decisions.md, section 12): which fields a pushed commit has to
// unlock, and which it does unlock by its message. Pure, except that it reads blobs through `readBlob`.
import { isEqual } from '../../lib/equal.ts';
import type { Breathe } from '../../lib/queues/slices.ts';
import { decodeToken } from '../../lib/text/trailer-token.ts';
import type { StoredDocument } from '../document.ts';
import { parsePath } from '../files/paths.ts';
import { originIn } from '../from-git/origins.ts';
import { metaOfField } from '../provenance.ts';
import { type FileContext, type Origin, parseFile } from '../stored.ts';

/** A file that a commit changed; a side is null if the file does not exist there. */
export interface PushedFile {
  path: string;
  before: string | null;
  after: string | null;
}

/** Another parent of a merge: its blob at a path, and the blobs of its merge bases with the first parent. */
export interface OtherSide {
  theirs(path: string): string | undefined;
  bases: readonly ((path: string) => string | undefined)[];
}

export interface LockProblem {
  path: string;
  /** Names that `Unlock:` would have to list. */
  fields: string[];
  /** The file is new: it has no lock of this site, and the commit brings metadata of its own or of another site. */
  isNew: boolean;
}

/** How the sides of a push are read. */
export interface SideReader {
  /** Returns undefined if the blob is too large for a document. */
  readBlob(oid: string): Buffer | undefined;
  schemaOf(collection: string): FileContext['schema'];
}

interface DocumentAtPath {
  path: string;
  doc: StoredDocument;
}

const UNLOCK = /^unlock\s*:(.*)$/gim;

/**
 * The fields that a commit's message unlocks: each name as it is, and decoded from the form that the service writes.
 */
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
 * The fields of each document whose lock, metadata or locked value differs between a commit and its parent. If a
 * document with locked fields is deleted, moved or gets another id, all of these fields differ. `others` are the other
 * sides of a merge: a change that one of them made since the merge base, and that the merge adopted, does not count.
 */
export async function findTouchedLocks(
  files: readonly PushedFile[],
  others: readonly OtherSide[],
  reader: SideReader,
  breathe: Breathe,
): Promise<LockProblem[]> {
  const befores = await findAll('before', false);
  // A document that lost its metadata must be found too.
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
      (field) => isTouched(before?.doc, after?.doc, field) && !isFromOther(before, after, field, others, reader),
    );
    const { path } = (before ?? after)!;
    if (fields.length) problems.push({ path, fields, isNew: !before && newPaths.has(path) });
  }
  return problems;

  async function findAll(side: 'before' | 'after', isAny: boolean): Promise<DocumentAtPath[]> {
    const found: DocumentAtPath[] = [];
    for (const file of files) {
      await breathe();
      // A file that lost its id is the document that it was.
      const [before] = side === 'after' ? findDocument(file.path, file.before, reader, { isAny: true }) : [];
      found.push(...findDocument(file.path, file[side], reader, { isAny, before: before?.doc }));
    }
    return found;
  }
}

function isTouched(before: StoredDocument | undefined, after: StoredDocument | undefined, field: string): boolean {
  // A field's metadata without a lock may go with its document.
  if (!after && before && !isLocked(before, field)) return false;
  return !isEqual(stateOf(before, field), stateOf(after, field));
}

/** What a lock protects: compared to find out whether a commit touched it. */
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

/** Whether the merge has the field as another side changed it, while the first parent left it as it was. */
function isFromOther(
  before: DocumentAtPath | undefined,
  after: DocumentAtPath | undefined,
  field: string,
  others: readonly OtherSide[],
  reader: SideReader,
): boolean {
  const id = (before ?? after)!.doc.id;
  const lookAt = (path: string, oidAt: (path: string) => string | undefined): StoredDocument | undefined => {
    const [found] = findDocument(path, oidAt(path), reader, { before: (before ?? after)!.doc });
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
 * Fields that a change of ours, which waits for the branch, has locked in a document that the push changes too.
 * `content` is the file of our change at `path`; `sides` are the blobs of the branch and of the push there.
 */
export function findNewLocks(
  path: string,
  content: Buffer,
  sides: { before: string | undefined; after: string | undefined },
  reader: SideReader,
): string[] {
  if (sides.before === sides.after || !mayHaveMeta(content)) return [];
  const [ours] = findDocument(path, '', { ...reader, readBlob: () => content });
  if (!ours) return [];
  const [before] = findDocument(path, sides.before, reader, { isAny: true, before: ours.doc });
  const [after] = findDocument(path, sides.after, reader, { isAny: true, before: ours.doc });
  const { doc } = ours;
  return Object.keys(doc._fieldMeta ?? {}).filter((field) => {
    if (!isLocked(doc, field)) return false;
    const old = before?.doc.id === doc.id ? before.doc : undefined;
    // Locks that the branch has already are checked elsewhere.
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

/**
 * Parses the document only if it may have field metadata (most do not), or if `isAny`. `before` is the document that
 * was in the file, whose id it keeps without one of its own.
 */
function findDocument(
  path: string,
  oid: string | null | undefined,
  { readBlob, schemaOf }: SideReader,
  { isAny = false, before }: { isAny?: boolean; before?: StoredDocument | undefined } = {},
): DocumentAtPath[] {
  const place = parsePath(path);
  const bytes = place && oid != null ? readBlob(oid) : undefined;
  if (!place || !bytes || !(isAny || mayHaveMeta(bytes))) return [];
  const originOf = (): Origin => before ?? originIn('', path, 0);
  const doc = parseFile(bytes, path, { schema: schemaOf(place.collection), originOf });
  return typeof doc === 'string' ? [] : [{ path, doc }];
}

/** Both formats can also spell the key with escapes. */
function mayHaveMeta(bytes: Buffer): boolean {
  return bytes.includes('_fieldMeta') || bytes.includes('\\');
}
