// POST /api/cms/{collection}/bulk.
import type { z } from 'zod';
import type { Actor, Principal } from '../../access/principal.ts';
import { matchesIfMatch } from '../../http/conditional.ts';
import { type Route, route } from '../../http/route.ts';
import { conflict } from '../../lib/errors.ts';
import { type ContentSite, errors, withReferences } from '../routes-call.ts';
import { BulkBody, BulkResults } from './input.ts';

/** An ETag is also accepted without its quotes. */
const BARE_TAG = /^[0-9a-f]{40}$/;

export function bulkRoutes(toActor: (principal: Principal) => Actor): Route<ContentSite>[] {
  return [
    route<ContentSite, z.ZodType<unknown>, typeof BulkBody>({
      method: 'post',
      path: '/api/cms/{collection}/bulk',
      summary: 'Many changes in one request: each a commit, or with `atomic` all of them one commit or nothing',
      tag: 'Content',
      headers: ['Idempotency-Key'],
      allow: 'content:draft',
      body: BulkBody,
      answers: {
        200: { description: 'The answer to each operation, in order', schema: BulkResults },
        ...errors({
          400: 'Invalid input',
          404: 'Unknown collection; with `atomic` also an unknown document',
          409: 'With `atomic`: an operation is refused; with `references` if others point to a document to be deleted',
          412: 'With `atomic`: a document has changed since',
          413: 'With `atomic`: too large together',
        }),
      },
      async handle({ site, params, principal, requestId, body, idempotency }) {
        const collection = params.collection!;
        site.content.checkCollection(collection);
        const { operations, atomic = false } = await body();
        const request = {
          operations,
          actor: toActor(principal),
          mayPublish: principal.permissions.has('content:publish'),
          requestId,
          idempotency: await idempotency(),
          matches: (ifMatch: string, etag: string) =>
            matchesIfMatch(BARE_TAG.test(ifMatch) ? `"${ifMatch}"` : ifMatch, etag),
          restorable: async (ref: string, commit: string | undefined) =>
            site.history.restorable(collection, ref, commit ?? (await lastDeletion(site, collection, ref))),
        };
        return withReferences(async () => {
          const { answers, commit, replayed } = await site.content.bulk(collection, request, atomic);
          const headers: Record<string, string> = {};
          if (commit) headers['X-CMS-Commit'] = commit;
          if (replayed) headers['Idempotent-Replayed'] = 'true';
          return { headers, body: { results: answers } };
        });
      },
    }),
  ];
}

/** @throws ServiceError 404, or 409 if the document is not deleted */
async function lastDeletion({ content, history }: ContentSite, collection: string, ref: string): Promise<string> {
  if (content.find(collection, { idOrSlug: ref })) {
    throw conflict(`document "${ref}" in ${collection} is not deleted; name the commit of the version to restore`);
  }
  const { entries } = await history.history(collection, ref, { limit: 1, offset: 0 });
  return entries[0]!.commit;
}
