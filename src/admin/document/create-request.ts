// The request that makes a document, as it is sent once and repeated if its answer is lost. Pure.
import type { RequestOptions } from '../api/client.ts';
import { type Edits, toBody } from './edits.ts';
import type { PendingCreate } from './kept-draft.ts';
import type { DocumentChange } from './open-document.ts';
import type { Proposal } from './proposal.ts';

/** With a proposal it is made as the model proposed it; what the person changed in that is saved after it, as theirs. */
export function toCreate(
  key: string,
  edits: Edits,
  change: DocumentChange,
  proposal: Proposal | undefined,
): PendingCreate {
  if (proposal?.source === undefined || proposal.locale === undefined)
    return { key, body: { data: {}, ...toBody(edits), ...change } as PendingCreate['body'] };
  const { data, locale, source } = proposal;
  return { key, body: { data: { ...data }, locale, translationOf: source }, isProposed: true };
}

export function toRequest(
  collection: string,
  { key, body, isProposed }: PendingCreate,
): [url: string, options: RequestOptions] {
  const headers = { 'Idempotency-Key': key };
  if (!isProposed) return [`/api/cms/${collection}`, { body, headers }];
  const { translationOf: slug, locale, data } = body;
  return [
    '/api/cms/ai/translate',
    { body: { collection, slug, locale, data, apply: true }, headers: { ...headers, 'If-None-Match': '*' } },
  ];
}
