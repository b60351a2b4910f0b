// The documents of one commit: their files, and what becomes of the pending state and the view when the commit is
// durable, fails, or is replayed on an external commit. Decides nothing, and knows no message.
import { ServiceError } from '../../lib/errors.ts';
import { hasMoreMembers } from '../../lib/json.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Draft } from '../../store/log/log.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import type { DocumentEvent, StoredDocument } from '../document.ts';
import { layoutOf, parsePath } from '../files/paths.ts';
import type { FileReading } from '../from-git/file-now.ts';
import { schemaProblem } from '../from-git/warnings.ts';
import type { PendingState } from '../pending.ts';
import { type Row, toRow } from '../rows/row.ts';
import { DOCUMENT_FILE_BYTES, DOCUMENT_MEMBERS, parseFile, toFile } from '../stored.ts';
import { createShowChange, type ShowChangeParts, type ShownChange } from './show-change.ts';

export interface DocumentsPartParts extends ShowChangeParts {
  pending: PendingState;
  /** Keeps what was read of a replayed change ahead of time, by the files' bytes. */
  madeReady: Pick<WeakMap<Buffer, FileReading>, 'set'>;
  /** Path of a document's file, whether or not it exists. */
  pathOf(doc: { collection: string; slug: string }): string;
}

/** What documents are in a commit; the rest of the draft may have other files. */
export interface DocumentsPart extends Required<Pick<Draft, 'files' | 'apply' | 'undo' | 'replaying' | 'replayed'>> {
  /** Call it with the ids of the written files as soon as the log has accepted the commit. */
  begin(blobs: readonly Oid[]): void;
  /** The first document as a reader will see it; undefined if it is deleted. */
  first(): Row | undefined;
  isSetAside(): boolean;
}

/** A document as a replay left it. */
interface Replayed {
  change: ShownChange;
  doc: StoredDocument;
  path: string;
  row: Row;
}

/** What happens to one document. */
type Sides = Pick<DocumentEvent, 'before' | 'after'>;

/** Throws if a file would be too large. */
export type CreateDocumentsPart = (documents: readonly Sides[]) => DocumentsPart;

export function createDocumentsPart(parts: DocumentsPartParts): CreateDocumentsPart {
  const { view, pending, madeReady, pathOf } = parts;
  const show = createShowChange(parts);
  const schemaOf = (doc: StoredDocument) => view.collection(doc.collection)!.schema;

  function toChange({ before, after }: Sides): ShownChange {
    const from = before && pathOf(before);
    const stays = before && after?.slug === before.slug && after.collection === before.collection;
    return {
      id: (after ?? before)!.id,
      isWritten: after !== undefined,
      after,
      from,
      to: stays ? from : after && pathOf(after),
      row: undefined,
    };
  }

  function toFiles({ after, from, to }: ShownChange): Draft['files'] {
    return [
      ...(from && from !== to ? [{ path: from, content: null }] : []),
      ...(to && after ? [{ path: to, content: toBoundedFile(after, to, schemaOf(after)) }] : []),
    ];
  }

  return (documents) => {
    const changes = documents.map(toChange);
    const files = onePerPath(changes.flatMap(toFiles));
    let gone = pathsGone(files);
    let isSetAside = false;
    let isReplayed = false;
    /** The replay has nothing left to do: the documents that it deletes are gone already. */
    let isMoot = false;
    let ahead: { files: readonly FileChange[]; documents: Replayed[] } | undefined;

    /** Reading thousands of documents takes a fifth of a second. */
    function readReplayed(replayedFiles: readonly FileChange[], blobs: readonly string[]): Replayed[] {
      const written = replayedFiles.flatMap(({ path, content }) => (content ? [{ path, content }] : []));
      return written.flatMap(({ path, content }, i) => {
        const doc = parseFile(content, path, { schema: view.collection(parsePath(path)?.collection ?? '')?.schema });
        const change = typeof doc === 'object' && changes.find(({ id, isWritten }) => isWritten && id === doc.id);
        if (typeof doc === 'string' || !change) return [];
        const at = { etag: blobs[i]!, layout: layoutOf(path) };
        const isSame = change.row?.etag === at.etag && change.row.layout === at.layout && change.row.slug === doc.slug;
        const row = isSame ? change.row! : toRow(doc, at.etag, schemaOf(doc), at);
        madeReady.set(content, { row, problem: schemaProblem(doc, schemaOf(doc)) });
        return [{ change, doc, path, row }];
      });
    }

    return {
      files,
      first: () => changes[0]?.row,
      isSetAside: () => isSetAside,
      begin(blobs) {
        let written = 0;
        for (const [i, change] of changes.entries()) {
          const { before, after } = documents[i]!;
          const etag = after ? blobs[written++]! : '';
          change.pending = pending.push(before, after, etag);
          if (after) change.row = toRow(after, etag, schemaOf(after), { layout: layoutOf(change.to!) });
        }
      },
      apply(commit) {
        if (isSetAside) return;
        if (!isMoot) show(changes, gone, commit, isReplayed);
        for (const change of changes) change.pending?.settle();
      },
      undo: () => changes.reverse().forEach((change) => change.pending?.undo()),
      replaying(replayedFiles, blobs) {
        ahead = { files: replayedFiles, documents: readReplayed(replayedFiles, blobs) };
      },
      replayed(replayedFiles, blobs, shownAs, wasSetAside) {
        const known = ahead?.files === replayedFiles ? ahead.documents : undefined;
        ahead = undefined;
        // The store keeps the change under a ref, and reports that; the view shows what the branch has instead.
        isSetAside ||= wasSetAside;
        isMoot ||= replayedFiles.length === 0;
        if (isSetAside && !shownAs) for (const change of [...changes].reverse()) change.pending?.undo();
        if (isMoot) return;
        isReplayed = true;
        for (const { change, doc, path, row } of known ?? readReplayed(replayedFiles, blobs)) {
          Object.assign(change, { after: shownAs ? undefined : doc, to: path, row });
          change.pending?.replace(doc, row.etag);
        }
        gone = pathsGone(replayedFiles);
      },
    };
  };
}

/** A slug that one document leaves and another one gets is one file. */
function onePerPath(files: Draft['files']): Draft['files'] {
  const byPath = new Map<string, Draft['files'][number]>();
  for (const file of files) {
    if (!file.content && byPath.has(file.path)) continue;
    // The files that are written stay in the order of their documents.
    byPath.delete(file.path);
    byPath.set(file.path, file);
  }
  return [...byPath.values()];
}

function pathsGone(files: readonly FileChange[]): string[] {
  return files.flatMap(({ path, content }) => (content ? [] : [path]));
}

/** Throws if the file would be too large to be read again. */
export function toBoundedFile(doc: StoredDocument, path: string, schema: CollectionSchema): Buffer {
  const file = toFile(doc, layoutOf(path), schema);
  if (file.length > DOCUMENT_FILE_BYTES) {
    throw new ServiceError('too_large', `the document's file would be larger than ${DOCUMENT_FILE_BYTES} bytes`);
  }
  // Each key or item takes three bytes at least.
  if (file.length > 3 * DOCUMENT_MEMBERS && hasMoreMembers(JSON.stringify(doc), DOCUMENT_MEMBERS)) {
    throw new ServiceError('too_large', `the document would have more than ${DOCUMENT_MEMBERS} keys and items`);
  }
  return file;
}
