// Routes that read field metadata and the four lock operations. `lock-all` takes precedence over a field of that name.
import type { z } from 'zod';
import type { Actor, Principal } from '../../access/principal.ts';
import { type Route, route } from '../../http/route.ts';
import type { ContentService, WriteOptions } from '../api.ts';
import { DocumentFieldMetaSchema, FieldMetaSchema, LockAllBody, LockFieldBody } from '../input.ts';
import { type ContentSite, clean, errors, viewerOf, writeHeaders, writeOptions } from '../routes-call.ts';

const META = '/api/content/{collection}/{slug}/_fieldMeta';

/** `toActor` returns the author of a change. */
export function lockRoutes(toActor: (principal: Principal) => Actor): Route<ContentSite>[] {
  const lock = <B extends typeof LockFieldBody | typeof LockAllBody>(
    path: string,
    summary: string,
    body: B | undefined,
    schema: z.ZodType,
    run: (
      content: ContentService,
      params: Record<string, string>,
      input: z.output<B>,
      actor: Actor,
      options: WriteOptions,
    ) => Promise<{ meta: object; etag: string; commit: string | null }>,
  ): Route<ContentSite> =>
    route<ContentSite, z.ZodType<unknown>, z.ZodType<z.output<B>>>({
      method: 'put',
      path: `${META}/${path}`,
      summary,
      tag: 'Field metadata',
      headers: ['If-Match'],
      allow: 'content:draft',
      ...(body ? { body: body as unknown as z.ZodType<z.output<B>>, bodyOptional: true } : {}),
      answers: {
        200: { description: 'The metadata afterwards', schema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown document or field', 412: 'Changed since' }),
      },
      async handle(call) {
        const { collection = '', slug = '' } = call.params;
        const actor = toActor(call.principal);
        call.site.content.checkDocument(collection, { slug }, actor);
        const input = (body ? clean((await call.body()) as object) : {}) as z.output<B>;
        const done = await run(call.site.content, call.params, input, actor, writeOptions(call));
        return { headers: writeHeaders(done), body: done.meta };
      },
    });

  return [
    route<ContentSite>({
      method: 'get',
      path: META,
      summary: 'Locks and AI provenance of a document’s fields',
      tag: 'Field metadata',
      allow: 'content:read-published',
      answers: {
        200: { description: 'By field name', schema: DocumentFieldMetaSchema },
        ...errors({ 404: 'Unknown document' }),
      },
      handle: ({ site, params, principal }) => ({
        body: site.content.fieldMeta(params.collection!, params.slug!, viewerOf(principal)),
      }),
    }),
    lock(
      'lock-all',
      'Lock every AI-generated field',
      LockAllBody,
      DocumentFieldMetaSchema,
      (content, p, body, actor, options) => content.lockAll(p.collection!, p.slug!, body, actor, options),
    ),
    lock('unlock-all', 'Unlock every field', undefined, DocumentFieldMetaSchema, (content, p, _, actor, options) =>
      content.unlockAll(p.collection!, p.slug!, actor, options),
    ),
    lock(
      '{fieldPath}/lock',
      'Lock a field against AI writes',
      LockFieldBody,
      FieldMetaSchema,
      (content, p, body, actor, options) =>
        content.lockField(p.collection!, p.slug!, p.fieldPath!, body, actor, options),
    ),
    lock('{fieldPath}/unlock', 'Unlock a field', undefined, FieldMetaSchema, (content, p, _, actor, options) =>
      content.unlockField(p.collection!, p.slug!, p.fieldPath!, actor, options),
    ),
  ];
}
