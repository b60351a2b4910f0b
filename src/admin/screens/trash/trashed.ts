// Deleted documents as the trash lists them, and many of them brought back.
import type { Client } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { type BulkOperation, MOST_OPERATIONS, sendBulk, toReason } from '../../document/send-bulk.ts';
import type { DocumentStatus } from '../../document/stored-document.ts';
import type { JobParts } from '../../shell/use-job.ts';
import type { Failure } from '../../ui/failures.tsx';

export interface TrashedDocument {
  id: string;
  collection: string;
  slug: string;
  title: string;
  /** Absent if its last version cannot be read. */
  status?: DocumentStatus;
  publishAt?: string;
  deletedAt: string;
  deletedBy: { name: string };
  commit: string;
}

export interface TrashPage {
  documents: readonly TrashedDocument[];
  total: number;
}

/** All that the trash has now. */
export async function readTrash(request: Client, signal: AbortSignal): Promise<TrashedDocument[]> {
  const found = new Map<string, TrashedDocument>();
  for (let offset = 0; ; offset += MOST_OPERATIONS) {
    const url = `/api/admin/trash?limit=${MOST_OPERATIONS}&offset=${offset}`;
    const { data } = await request<TrashPage>('GET', url, { signal });
    for (const one of data.documents) found.set(one.id, one);
    if (data.documents.length < MOST_OPERATIONS) return [...found.values()];
  }
}

export interface ManyReport {
  done: readonly TrashedDocument[];
  failures: readonly Failure[];
}

/** A request for each collection; one that was sent is carried out, whatever becomes of the page. Never throws. */
export async function changeMany(
  documents: readonly TrashedDocument[],
  toOperation: (document: TrashedDocument) => BulkOperation,
  { request, signal, onProgress }: Pick<JobParts, 'signal' | 'onProgress'> & { request: Client },
): Promise<ManyReport> {
  const done: TrashedDocument[] = [];
  const failures: Failure[] = [];
  const fail = (document: TrashedDocument, reason: string): void => {
    const { id, collection, slug, title } = document;
    failures.push({ id, title: title || slug, reason, href: toDocumentPath(collection, slug) });
  };
  for (const [collection, all] of Map.groupBy(documents, (one) => one.collection)) {
    for (let at = 0; at < all.length && !signal.aborted; at += MOST_OPERATIONS) {
      const batch = all.slice(at, at + MOST_OPERATIONS);
      try {
        const results = await sendBulk(batch.map(toOperation), { request, collection });
        for (const [index, document] of batch.entries()) {
          const reason = toReason(results[index] ?? { status: 500 });
          if (reason === undefined) done.push(document);
          else fail(document, reason);
        }
      } catch (error) {
        for (const document of batch) fail(document, toSentence(error));
      }
      onProgress(done.length + failures.length);
    }
  }
  return { done, failures };
}
