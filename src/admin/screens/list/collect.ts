// Everything that a list's query finds: the documents of "Select all", and what an export has in it.
import type { Client } from '../../api/client.ts';
import { type ListState, toPageUrl } from './list-query.ts';
import type { DocumentPage, ListDocument } from './row-pages.ts';
import type { DocumentSelection, SelectedDocument } from './selection.ts';

export interface CollectParts {
  request: Client;
  collection: string;
  state: ListState;
  signal: AbortSignal;
  titleOf(document: ListDocument): string;
  fields: readonly string[];
}

const PAGE = 200;

/** The selected documents, as they are listed now. The order is that of their creation, which no write changes. */
export async function collect(selection: DocumentSelection, parts: CollectParts): Promise<readonly SelectedDocument[]> {
  if (selection.kind === 'some') return readAgain([...selection.items.keys()], parts);
  const found: SelectedDocument[] = [];
  const state: ListState = { ...parts.state, sort: 'createdAt', order: 'asc' };
  for (let offset = 0; !parts.signal.aborted; offset += PAGE) {
    const url = toPageUrl(parts.collection, state, { offset, limit: PAGE, fields: parts.fields });
    const { data } = await parts.request<DocumentPage>('GET', url, { signal: parts.signal });
    for (const document of data.documents) {
      if (!selection.except.has(document.id)) found.push({ ...document, title: parts.titleOf(document) });
    }
    if (data.documents.length < PAGE) break;
  }
  return found;
}

/** As they are now: what others have deleted is not among them. */
async function readAgain(ids: readonly string[], parts: CollectParts): Promise<readonly SelectedDocument[]> {
  const found: SelectedDocument[] = [];
  for (let at = 0; at < ids.length && !parts.signal.aborted; at += PAGE / 2) {
    const batch = ids.slice(at, at + PAGE / 2);
    const fields = parts.fields.length === 0 ? '_' : parts.fields.join(',');
    const query = new URLSearchParams({ 'filter[id][in]': batch.join(','), limit: String(PAGE), fields });
    const url = `/api/cms/${encodeURIComponent(parts.collection)}?${query}`;
    const { data } = await parts.request<DocumentPage>('GET', url, { signal: parts.signal });
    const byId = new Map(data.documents.map((document) => [document.id, document]));
    for (const id of batch) {
      const document = byId.get(id);
      if (document) found.push({ ...document, title: parts.titleOf(document) });
    }
  }
  return found;
}

/** The documents in full, a text of JSON for each batch. */
export async function exportDocuments(
  documents: readonly SelectedDocument[],
  { request, collection, signal }: Pick<CollectParts, 'request' | 'collection' | 'signal'>,
  onProgress: (done: number) => void,
): Promise<string[]> {
  const texts: string[] = [];
  for (let at = 0; at < documents.length; at += PAGE / 2) {
    signal.throwIfAborted();
    const batch = documents.slice(at, at + PAGE / 2);
    const query = new URLSearchParams({ 'filter[id][in]': batch.map(({ id }) => id).join(','), limit: String(PAGE) });
    const url = `/api/cms/${encodeURIComponent(collection)}?${query}`;
    const { data } = await request<DocumentPage>('GET', url, { signal });
    const byId = new Map(data.documents.map((document) => [document.id, document]));
    for (const { id } of batch) {
      const document = byId.get(id);
      if (document) texts.push(JSON.stringify(document, undefined, 2));
    }
    onProgress(at + batch.length);
  }
  return texts;
}
