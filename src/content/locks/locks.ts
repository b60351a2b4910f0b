// Locks and unlocks fields: the part of the content service that changes only field metadata.
import type { Actor } from '../../access/principal.ts';
import type { Decisions } from '../../lib/queues/decisions.ts';
import type { ContentService, DocumentRef, WriteOptions, WrittenDocument } from '../api.ts';
import { checkMatch, toEtag } from '../conditions.ts';
import type { DocumentEvent, DocumentFieldMeta, FieldMeta, StoredDocument } from '../document.ts';
import { refusePublic } from '../lists/drafts-only.ts';
import { changeLocks, type LockCommand, metaOfField } from '../provenance.ts';
import type { CollectionView } from '../rows/collection-view.ts';
import type { Stamp } from '../stamp.ts';

export interface LockParts {
  decide: Decisions['decide'];
  /** A document as the last accepted write left it. Throws 404. */
  getPending(collection: string, ref: DocumentRef): LockedDocument;
  getCollection(name: string): CollectionView;
  stampFor(actor: Actor): Stamp;
  commit(event: DocumentEvent, options?: WriteOptions): Promise<WrittenDocument>;
}

interface LockedDocument {
  doc: StoredDocument;
  etag: string;
}

interface Locked {
  doc: StoredDocument;
  etag: string;
  /** Null if nothing changed. */
  commit: string | null;
}

export type ContentLocks = Pick<ContentService, 'lockField' | 'unlockField' | 'lockAll' | 'unlockAll'>;

export function createLocks(parts: LockParts): ContentLocks {
  const { decide, getPending, getCollection, stampFor, commit } = parts;

  function changeLock(
    collection: string,
    slug: string,
    command: LockCommand,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<Locked> {
    return decide(() => {
      const found = getPending(collection, { slug });
      refusePublic(actor, found.doc);
      const event = changeLocks(getCollection(collection).schema, found.doc, command, stampFor(actor));
      checkMatch(found, options);
      if (!event) return { doc: found.doc, etag: toEtag(found.etag), commit: null };
      return commit(event, options).then((written) => ({ ...written, doc: event.after }));
    });
  }

  return {
    async lockField(collection, slug, field, body, actor, options) {
      return fieldAnswer(await changeLock(collection, slug, { field, lock: true, ...body }, actor, options), field);
    },
    async unlockField(collection, slug, field, actor, options) {
      return fieldAnswer(await changeLock(collection, slug, { field, lock: false }, actor, options), field);
    },
    async lockAll(collection, slug, body, actor, options) {
      const changed = await changeLock(collection, slug, { field: undefined, lock: true, ...body }, actor, options);
      return documentAnswer(changed);
    },
    async unlockAll(collection, slug, actor, options) {
      const changed = await changeLock(collection, slug, { field: undefined, lock: false }, actor, options);
      return documentAnswer(changed);
    },
  };
}

function fieldAnswer({ doc, etag, commit }: Locked, field: string): { meta: FieldMeta } & Omit<Locked, 'doc'> {
  return { meta: metaOfField(doc, field) ?? {}, etag, commit };
}

function documentAnswer({ doc, etag, commit }: Locked): { meta: DocumentFieldMeta } & Omit<Locked, 'doc'> {
  return { meta: doc._fieldMeta ?? {}, etag, commit };
}
