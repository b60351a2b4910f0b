// What is kept of a push and only reported. Keys of data that look like slips of the hand: no field, but almost one, or a
// key that belongs to the document itself; keys beside the data are refused (warnings.ts). And what keeps a document from
// being published that is not.
import { nearest } from '../../../lib/text/nearest.ts';
import type { CollectionSchema } from '../../../schema/collection.ts';
import type { Oid } from '../../../store/git/objects.ts';
import type { Incoming } from '../../../store/intake/intake.ts';
import { draftProblems } from '../../checks/draft-problems.ts';
import { DOCUMENT_KEYS, type DocumentKey, type StoredDocument } from '../../document.ts';
import { isMarkdown } from '../../files/paths.ts';
import type { ContentView } from '../../rows/view.ts';

/** A version of a document that a commit brings. */
export interface PushedVersion {
  commit: Oid;
  path: string;
  doc: StoredDocument;
  schema: CollectionSchema;
  /** The version below the commit. */
  readBefore(): StoredDocument | undefined;
}

export interface Slips {
  /** Call it for each version, oldest first: a later one may mend an earlier one. */
  look(version: PushedVersion): void;
  list(): Incoming[];
}

export function createSlips(view: Pick<ContentView, 'byId'>): Slips {
  /** What is said, by path and key. */
  const found = new Map<string, Map<string, Incoming>>();

  function isNew(key: string, { doc, readBefore }: PushedVersion): boolean {
    if (view.byId(doc.id)?.extra.includes(key)) return false;
    const before = readBefore();
    return before === undefined || !Object.hasOwn(before.data, key);
  }

  return {
    look(version) {
      const { commit, path, doc, schema, readBefore } = version;
      const before = found.get(path);
      const now = new Map<string, Incoming>();
      for (const key of Object.keys(doc.data)) {
        if (schema.fields.has(key)) continue;
        const known = before?.get(key);
        const message = known?.message ?? slipIn(key, path, schema);
        if (known) now.set(key, known);
        else if (message && isNew(key, version)) now.set(key, { commit, path, message });
      }
      const problems = draftProblems(schema, doc);
      const old = problems.length > 0 ? draftProblems(schema, readBefore()).map(({ path: at }) => at) : [];
      for (const { path: at, message } of problems) {
        const known = before?.get(at);
        if (known || !old.includes(at)) now.set(at, { commit, path, message: `${at} ${message}` });
      }
      if (now.size > 0) found.set(path, now);
      else found.delete(path);
    },
    list: () => [...found.values()].flatMap((keys) => [...keys.values()]),
  };
}

/** What to say about a key that no field has; undefined if it resembles nothing. */
function slipIn(key: string, path: string, { name, fields }: CollectionSchema): string | undefined {
  const own = isMarkdown(path) ? ['_document', '_fieldMeta'] : [];
  const isOwn = DOCUMENT_KEYS.includes(key as DocumentKey);
  const meant = isOwn ? undefined : nearest(key, [...fields.keys(), ...own]);
  if (!isOwn && meant === undefined) return undefined;
  const place = isMarkdown(path) ? 'below "_document"' : 'beside "data"';
  const hint = isOwn ? `the document's own belongs ${place}` : `did you mean "${meant}"?`;
  return `data has a key "${key}" that is no field of ${name}; ${hint}`;
}
