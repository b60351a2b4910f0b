// Replays a change of ours on documents that external commits changed below it (a push, a remote), key by key: a key
// that we did not change has their value, a key that we changed has ours, which is newer. Pure. Documents are
// identified by their id: a change follows a document that external commits renamed or moved, and if they gave our slug
// to another document, ours gets the next free one. No key and no document is lost.

import { isEqual } from '../../lib/equal.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Overwritten, Rebase, RebaseFiles } from '../../store/log/replant.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { StoredDocument } from '../document.ts';
import { layoutOf, otherPaths, parsePath, pathOf, pathsOf } from '../files/paths.ts';
import { numbered } from '../free-slugs.ts';
import { atLater, type ExternalTimes } from '../from-git/external-times.ts';
import { type MergedDocument, mergeDocuments } from '../merge.ts';
import { DOCUMENT_FILE_BYTES, inOrder, type Origin, parseFile, toFile } from '../stored.ts';

type SchemaOf = (collection: string) => CollectionSchema | undefined;
type RebaseSide = 'base' | 'theirs';
/** What a file without an id or dates takes from the log, on one side. */
type OriginOf = (path: string, side: RebaseSide) => Origin;

/** A document and where it is. */
interface FoundDocument {
  path: string;
  doc: StoredDocument;
}

/** A document that a change of ours deleted. */
interface DeletedHere {
  /** As our change saw it. */
  before: StoredDocument;
  /** As the external commits left it. */
  theirs: StoredDocument;
}

/** When the external commits changed documents, found once it is asked for. */
type FindTimes = () => Pick<ExternalTimes, 'of'>;

/** What the changes of one replay have done so far, and what all of them share. */
interface RebaseState {
  schemaOf: SchemaOf;
  originOf: OriginOf | undefined;
  times: FindTimes | undefined;
  deleted: Map<string, DeletedHere>;
  /** Paths at which our changes put documents, by id. */
  placed: Map<string, string>;
  /** By a group of translations that our changes made: the group in the external commits for the same documents. */
  groups: Map<string, string>;
  /** Paths of the documents that the external commits changed, by id. */
  changed?: Map<string, string>;
  /** What of the external commits the change at hand overwrites. */
  overwritten: Overwritten[];
}

/** For the changes of one replay, oldest first. */
export function createRebase(schemaOf: SchemaOf, originOf?: OriginOf, times?: FindTimes): Rebase {
  const state: RebaseState = {
    ...{ schemaOf, originOf, times, deleted: new Map(), placed: new Map(), groups: new Map(), overwritten: [] },
  };
  const rebase: Rebase = (files, around) => {
    state.overwritten = [];
    return rebaseFiles(files, around, state);
  };
  rebase.prepare = (around) => findChanged(around, state);
  rebase.reword = (message, was, is) => reword(message, was, is, state);
  rebase.overwritten = () => state.overwritten;
  return rebase;
}

/** In place of a field: the document. */
const WHOLE = '*';
const SUBJECT = /^(?<collection>[^/\s]+)\/(?<slug>\S+): /;

/** Puts the slug that the document has after the replay into the message. */
function reword(message: string, was: readonly FileChange[], is: readonly FileChange[], state: RebaseState): string {
  const { collection = '', slug = '' } = SUBJECT.exec(message)?.groups ?? {};
  const now = findAgain({ collection, slug }, was, is, state);
  if (!now || now === slug) return message;
  const [subject = ''] = message.split('\n', 1);
  const what = subject.slice(`${collection}/${slug}`.length);
  const to = ` to ${slug}`;
  const done = what.endsWith(to) ? `${what.slice(0, -to.length)} to ${now}` : what;
  return `${collection}/${now}${done}${message.slice(subject.length)}`;
}

/** The present slug of the document that was at this place in the original change. */
function findAgain(
  at: { collection: string; slug: string },
  was: readonly FileChange[],
  is: readonly FileChange[],
  state: RebaseState,
): string | undefined {
  const isAt = ({ path }: FileChange): boolean => {
    const place = parsePath(path);
    return place?.slug === at.slug && place.collection === at.collection;
  };
  const old = was.find((file) => file.content && isAt(file));
  if (!old) return undefined;
  const id = readDocument(old.path, old.content!, state)?.id;
  const docs = is.flatMap(({ path, content }) => (content && readDocument(path, content, state)) || []);
  return docs.find((doc) => doc.id === id)?.slug;
}

/** Collects the paths of the documents that they changed, by id. */
function* findChanged(around: RebaseFiles, state: RebaseState): Generator<undefined> {
  const changed = new Map<string, string>();
  const seen = new Set<string>();
  // A few small trees can stand for more files than there is time to read, so each tree is entered once: two folders
  // cannot have the same documents.
  const enters = (path: string, tree: string | null): boolean =>
    isDocumentFolder(path, state.schemaOf) && (tree === null || seen.size < seen.add(tree).size);
  for (const path of around.changed(enters)) {
    const doc = readAt(path, around, 'theirs', state);
    if (doc) changed.set(doc.id, path);
    yield undefined;
  }
  state.changed = changed;
}

function isDocumentFolder(path: string, schemaOf: SchemaOf): boolean {
  const [top, collection, shard = '', more] = path.split('/');
  if (top !== 'content' || more !== undefined || !/^([0-9a-f]{2})?$/.test(shard)) return false;
  return collection === undefined || schemaOf(collection) !== undefined;
}

function rebaseFiles(files: FileChange[], around: RebaseFiles, state: RebaseState): FileChange[] {
  const { schemaOf, deleted, placed, groups, overwritten } = state;
  if (deleted.size === 0 && files.every((file) => isAsItWas(file, around, state))) return files;
  const written = files.flatMap(({ path, content }) => {
    const doc = content && readDocument(path, content, state);
    return doc && schemaOf(doc.collection) ? [{ path, doc, content }] : [];
  });
  const paths = files.map(({ path }) => path);
  const known = findAt(paths, around, 'base', state);
  const find = createFind({ known, here: findAt(paths, around, 'theirs', state) }, around, state);
  const writtenPaths = new Set(written.map(({ path }) => path));
  const writtenIds = new Set(written.map(({ doc }) => doc.id));
  const rebased = new Map<string, Buffer | null>();
  for (const { path, content } of files) {
    if (content && !writtenPaths.has(path)) rebased.set(path, content);
    if (content) continue;
    const gone = readAt(path, around, 'base', state);
    if (!gone) rebased.set(path, null);
    else if (!writtenIds.has(gone.id)) {
      const there = find(gone);
      if (!there) continue;
      rebased.set(there.path, null);
      if (!isEqual(there.doc, gone)) overwritten.push({ path: there.path, field: WHOLE });
      deleted.set(gone.id, { before: gone, theirs: there.doc });
    }
  }
  const places = written.map(({ path, doc, content }) => {
    const before = known.get(doc.id);
    const there = before || mayBeElsewhere(doc) || !isUntouched(path, around) ? find(doc) : undefined;
    if (there) noteGroup(before?.doc, doc, there.doc, groups);
    if (before && !there && !deleted.has(doc.id)) overwritten.push({ path: before.path, field: WHOLE });
    const both = there ? mergeDocuments(before?.doc, doc, there.doc) : restoreDeleted(doc, deleted);
    const merged = both?.doc ?? doc;
    for (const field of both?.notShown ?? []) overwritten.push({ path: there?.path ?? path, field });
    const isMoved = before && layoutOf(before.path) !== layoutOf(path);
    const target = findPlace(merged, before && there && !isMoved ? there.path : path, there, rebased, {
      around,
      state,
    });
    if (there && there.path !== target.path && !rebased.get(there.path)) rebased.set(there.path, null);
    rebased.set(target.path, content);
    return { path, doc, content, merged, target, isNewLink: before?.doc.translationOf !== doc.translationOf };
  });
  const slugs = new Map(places.map(({ doc, target }) => [pathOf(doc, 0), target.slug]));
  for (const { path, doc, content, merged, target, isNewLink } of places) {
    const { translationOf = '', translationGroup = '' } = merged;
    const result = { ...merged, slug: target.slug };
    if (translationOf && isNewLink)
      result.translationOf =
        slugs.get(pathOf({ ...doc, slug: translationOf }, 0)) ?? followLink(merged, around, find, state);
    const group = groups.get(translationGroup);
    if (group) result.translationGroup = group;
    const ordered = inOrder(result, schemaOf(doc.collection)!);
    rebased.set(
      target.path,
      target.path === path && isEqual(ordered, doc)
        ? content
        : toReadableFile(ordered, target.path, schemaOf(doc.collection)!),
    );
    placed.set(doc.id, target.path);
  }
  const isSame = rebased.size === files.length && files.every(({ path, content }) => rebased.get(path) === content);
  return isSame ? files : [...rebased].map(([path, content]) => ({ path, content }));
}

/** Throws if the merged document is too large to be read again. */
function toReadableFile(doc: StoredDocument, path: string, schema: CollectionSchema): Buffer {
  const file = toFile(doc, layoutOf(path), schema);
  const problem = parseFile(file, path, { schema });
  if (file.length > DOCUMENT_FILE_BYTES)
    throw new Error(`document "${doc.slug}" would be too large with the changes of both sides`);
  if (typeof problem === 'string')
    throw new Error(`document "${doc.slug}" would not be valid with the changes of both sides: ${problem}`);
  return file;
}

/** Whether they changed nothing below the file, and it links to no document that may have another slug by now. */
function isAsItWas({ path, content }: FileChange, around: RebaseFiles, state: RebaseState): boolean {
  if (!isUntouched(path, around)) return false;
  if (!content) return true;
  if (content.includes('translationOf')) return false;
  if (around.base(path)) return true;
  if (!otherPaths(path).every((other) => isUntouched(other, around))) return false;
  const doc = readDocument(path, content, state);
  return !doc || !mayBeElsewhere(doc);
}

function isUntouched(path: string, { base, theirs }: RebaseFiles): boolean {
  const [old, now] = [base(path), theirs(path)];
  return old && now ? old.equals(now) : old === now;
}

/**
 * Whether a document that is new on our side was restored or imported: they may have done the same, with another slug.
 */
function mayBeElsewhere({ createdAt, updatedAt }: StoredDocument): boolean {
  return createdAt !== updatedAt;
}

/** If both sides made the first translation of a document, it has their group, and our translations get that too. */
function noteGroup(
  before: StoredDocument | undefined,
  ours: StoredDocument,
  theirs: StoredDocument,
  groups: Map<string, string>,
): void {
  if (before?.translationGroup || !ours.translationGroup || !theirs.translationGroup) return;
  groups.set(ours.translationGroup, theirs.translationGroup);
}

/** A document that we deleted and restored comes back with their changes from below the deletion. */
function restoreDeleted(doc: StoredDocument, deleted: Map<string, DeletedHere>): MergedDocument | undefined {
  const was = deleted.get(doc.id);
  deleted.delete(doc.id);
  return was && mergeDocuments(was.before, doc, was.theirs);
}

/** The slug of a translation's source on their side. */
function followLink(
  { collection, translationOf = '' }: StoredDocument,
  around: RebaseFiles,
  find: FindDocument,
  state: RebaseState,
): string {
  for (const path of pathsOf({ collection, slug: translationOf })) {
    const source = readAt(path, around, 'base', state);
    if (source) return find(source)?.doc.slug ?? translationOf;
  }
  return translationOf;
}

type FindDocument = (doc: StoredDocument) => FoundDocument | undefined;

interface Near {
  /** The documents at the paths of the change, by id: as we knew them, and on their side. */
  known: ReadonlyMap<string, FoundDocument>;
  here: ReadonlyMap<string, FoundDocument>;
}

/**
 * Finds a document on their side: where we put it, where we knew it, at another path of the change, or where they moved
 * it. The first two take precedence, because a file elsewhere with its id may be a copy.
 */
function createFind({ known, here }: Near, around: RebaseFiles, state: RebaseState): FindDocument {
  return (doc) => {
    const lookAt = (path: string | undefined): FoundDocument | undefined => {
      const found = path && readAt(path, around, 'theirs', state);
      return found && found.id === doc.id ? { path: path!, doc: found } : undefined;
    };
    const own = [state.placed.get(doc.id), known.get(doc.id)?.path];
    const found = first(own, lookAt) ?? here.get(doc.id) ?? first(pathsOf(doc), lookAt);
    if (found) return found;
    if (!state.changed) for (const _ of findChanged(around, state));
    return lookAt(state.changed?.get(doc.id));
  };
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The document's own slug in the layout of `like`, or the next free one if, in any layout, another document, a copy
 * of this one or a file that is not a document has it. Throws if they replaced this document's file with a file that is
 * not a document.
 */
function findPlace(
  doc: StoredDocument,
  like: string,
  there: FoundDocument | undefined,
  rebased: ReadonlyMap<string, Buffer | null>,
  { around, state }: { around: RebaseFiles; state: RebaseState },
): { path: string; slug: string } {
  function isFree(path: string): boolean {
    const content = rebased.has(path) ? rebased.get(path) : around.theirs(path);
    if (!content) return true;
    const here = readDocument(path, content, state, 'theirs');
    const isCopy = here && there && path !== there.path && !rebased.has(path);
    return !isCopy && (here ?? readAt(path, around, 'base', state))?.id === doc.id;
  }
  /** They replaced this document's file with something that is not a document. */
  function isSpoilt(path: string): boolean {
    const content = rebased.has(path) ? undefined : around.theirs(path);
    return (
      content !== undefined &&
      !readDocument(path, content, state, 'theirs') &&
      readAt(path, around, 'base', state)?.id === doc.id
    );
  }
  for (let n = 1; ; n++) {
    const slug = n === 1 ? doc.slug : numbered(doc.slug, n);
    const path = pathOf({ ...doc, slug }, layoutOf(like));
    if (isSpoilt(path)) throw new Error(`${path} has become a file that is not a document`);
    if (path === there?.path || (isFree(path) && otherPaths(path).every(isFree))) return { path, slug };
  }
}

function findAt(
  paths: readonly string[],
  around: RebaseFiles,
  side: RebaseSide,
  state: RebaseState,
): Map<string, FoundDocument> {
  const found = new Map<string, FoundDocument>();
  for (const path of paths) {
    const doc = readAt(path, around, side, state);
    if (doc) found.set(doc.id, { path, doc });
  }
  return found;
}

function readAt(path: string, around: RebaseFiles, side: RebaseSide, state: RebaseState): StoredDocument | undefined {
  const content = parsePath(path) && around[side](path);
  return content && readDocument(path, content, state, side);
}

/** Without a side the file is one of ours, which is complete. */
function readDocument(
  path: string,
  content: Buffer,
  { schemaOf, originOf, times }: Pick<RebaseState, 'schemaOf' | 'originOf' | 'times'>,
  side?: RebaseSide,
): StoredDocument | undefined {
  const place = parsePath(path);
  if (!place) return undefined;
  const byHand = side && originOf && { originOf: () => originOf(path, side) };
  const doc = parseFile(content, path, { schema: schemaOf(place.collection), ...byHand });
  if (typeof doc !== 'object') return undefined;
  return side === 'theirs' && times ? atLater(doc, times()) : doc;
}
