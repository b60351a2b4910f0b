// The content endpoints: the legacy family under /api/content, the headless family under /api/cms, and field metadata.
import { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import { matchesIfMatch } from '../http/conditional.ts';
import { type Allow, type Answer, type Call, type Route, route } from '../http/route.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { ContentService, DocumentRef, ListQuery, Viewer, WriteOptions, Written } from './api.ts';
import {
  CreateDocumentBody,
  DocumentFieldMetaSchema,
  DocumentListSchema,
  DocumentSchema,
  FieldMetaSchema,
  LockAllBody,
  LockFieldBody,
  SuccessSchema,
  UpdateDocumentBody,
} from './input.ts';
import { ListQueryInput, linkHeader } from './list-query.ts';

export interface ContentSite {
  content: ContentService;
  config: { api?: { publicRead?: boolean | undefined } | undefined };
  schema: SiteSchema;
}

type ContentCall = Call<ContentSite, unknown, unknown>;

const SkippedFields = z.object({ skippedFields: z.array(z.string()).optional() });
const WrittenSchema = z.intersection(DocumentSchema, SkippedFields);
const errors = (texts: Record<number, string>) =>
  Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]));

/** `toActor` says who the author of a change is. */
export function contentRoutes(toActor: (principal: Principal) => Actor): Route<ContentSite>[] {
  const read: Allow<ContentSite> = {
    permission: 'content:read',
    anonymous: (site, { collection = '' }) => isPublic(site, collection),
  };

  const list = (path: string): Route<ContentSite> =>
    route<ContentSite, typeof ListQueryInput>({
      method: 'get',
      path,
      summary: 'Documents of a collection',
      tag: 'Content',
      allow: read,
      query: ListQueryInput,
      answers: {
        200: { description: 'A page of documents and the number of all matches', schema: DocumentListSchema },
        304: { description: 'Not modified' },
        ...errors({ 400: 'Invalid query', 404: 'Unknown collection' }),
      },
      handle: (call) => answerList(call),
    });

  const get = (path: string): Route<ContentSite> =>
    route<ContentSite>({
      method: 'get',
      path,
      summary: 'One document',
      tag: 'Content',
      allow: read,
      answers: {
        200: { description: 'The document', schema: DocumentSchema },
        304: { description: 'Not modified' },
        ...errors({ 404: 'Unknown collection or document' }),
      },
      handle(call) {
        const { site, params } = call;
        return site.content.get(params.collection!, { slug: params.slug! }, viewerOf(call));
      },
    });

  const create = (path: string, status: 200 | 201): Route<ContentSite> =>
    route<ContentSite, z.ZodType<unknown>, typeof CreateDocumentBody>({
      method: 'post',
      path,
      summary: 'Create a document',
      tag: 'Content',
      allow: 'content:write',
      body: CreateDocumentBody,
      answers: {
        [status]: { description: 'The document as created', schema: DocumentSchema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown collection', 409: 'Slug is taken', 412: 'Slug exists' }),
      },
      async handle(call) {
        call.site.content.checkCollection(call.params.collection!);
        const input = clean(await call.body());
        const idempotency = await call.idempotency();
        const options = { ...writeOptions(call), ...(idempotency ? { idempotency } : {}) };
        return answerWritten(
          await call.site.content.create(call.params.collection!, input, actorOf(call), options),
          status,
        );
      },
    });

  const update = (
    method: 'put' | 'patch',
    path: string,
    refOf: (call: ContentCall) => DocumentRef,
  ): Route<ContentSite> =>
    route<ContentSite, z.ZodType<unknown>, typeof UpdateDocumentBody>({
      method,
      path,
      summary: 'Change a document; data is merged by its top-level keys',
      tag: 'Content',
      allow: 'content:write',
      body: UpdateDocumentBody,
      answers: {
        200: { description: 'The document as changed', schema: WrittenSchema },
        ...errors({
          400: 'Invalid input',
          404: 'Unknown document',
          409: 'Slug is taken, or every field is locked',
          412: 'Changed since',
        }),
      },
      async handle(call) {
        const { collection = '' } = call.params;
        call.site.content.get(collection, refOf(call));
        const input = clean(await call.body());
        return answerWritten(
          await call.site.content.update(collection, refOf(call), input, actorOf(call), writeOptions(call)),
        );
      },
    });

  const remove = (path: string, refOf: (call: ContentCall) => DocumentRef): Route<ContentSite> =>
    route<ContentSite>({
      method: 'delete',
      path,
      summary: 'Delete a document; its history stays',
      tag: 'Content',
      allow: 'content:write',
      answers: {
        200: { description: 'Deleted', schema: SuccessSchema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown document', 412: 'Changed since' }),
      },
      async handle(call) {
        const ref = refOf(call);
        const { commit } = await call.site.content.remove(
          call.params.collection!,
          ref,
          actorOf(call),
          writeOptions(call),
        );
        return { headers: { 'X-CMS-Commit': commit }, body: { success: true } };
      },
    });

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
      allow: 'content:write',
      ...(body ? { body: body as unknown as z.ZodType<z.output<B>>, bodyOptional: true } : {}),
      answers: {
        200: { description: 'The metadata afterwards', schema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown document or field', 412: 'Changed since' }),
      },
      async handle(call) {
        const { collection = '', slug = '' } = call.params;
        call.site.content.get(collection, { slug });
        const input = (body ? clean((await call.body()) as object) : {}) as z.output<B>;
        const done = await run(call.site.content, call.params, input, actorOf(call), writeOptions(call));
        return { headers: writeHeaders(done), body: done.meta };
      },
    });

  const bySlug = ({ params }: ContentCall): DocumentRef => ({ slug: params.slug! });
  // The two rows of the headless family share one path, so either name may be an id or a slug (decisions.md, section 4).
  const byEither = ({ params }: ContentCall): DocumentRef => ({ idOrSlug: params.slug! });
  const actorOf = (call: ContentCall): Actor => toActor(call.principal);

  return [
    list('/api/content/{collection}'),
    create('/api/content/{collection}', 201),
    get('/api/content/{collection}/{slug}'),
    update('put', '/api/content/{collection}/{slug}', bySlug),
    remove('/api/content/{collection}/{slug}', bySlug),
    list('/api/cms/{collection}'),
    create('/api/cms/{collection}', 200),
    get('/api/cms/{collection}/{slug}'),
    update('patch', '/api/cms/{collection}/{slug}', bySlug),
    update('put', '/api/cms/{collection}/{slug}', byEither),
    remove('/api/cms/{collection}/{slug}', byEither),
    route<ContentSite>({
      method: 'get',
      path: META,
      summary: 'Locks and AI provenance of a document’s fields',
      tag: 'Field metadata',
      allow: 'content:read',
      answers: {
        200: { description: 'By field name', schema: DocumentFieldMetaSchema },
        ...errors({ 404: 'Unknown document' }),
      },
      handle: ({ site, params }) => ({ body: site.content.fieldMeta(params.collection!, params.slug!) }),
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

/** Whether anybody may read the collection's published documents. */
export function isPublic(site: Pick<ContentSite, 'config' | 'schema'>, collection: string): boolean {
  return (
    site.config.api?.publicRead === true || site.schema.collections.get(collection)?.config.access?.read === 'public'
  );
}

const META = '/api/content/{collection}/{slug}/_fieldMeta';

function viewerOf({ principal }: ContentCall): Viewer {
  return { publishedOnly: principal.kind === 'anonymous' };
}

function answerList(call: Call<ContentSite, z.output<typeof ListQueryInput>, unknown>): Answer {
  const { site, params, ctx } = call;
  const collection = params.collection!;
  site.content.checkCollection(collection);
  const query = clean(call.query()) as ListQuery;
  const page = site.content.list(collection, query, viewerOf(call));
  const headers: Record<string, string> = { 'X-Total-Count': String(page.total) };
  const link = linkHeader(ctx.URL, query, page.total);
  if (link) headers.Link = link;
  return { etag: page.etag, headers, body: page.body };
}

function answerWritten(written: Written, status = 200): Answer {
  const headers = writeHeaders(written);
  if (written.replayed) headers['Idempotent-Replayed'] = 'true';
  if (!written.skippedFields) return { status, headers, body: written.body };
  return { status, headers, body: { ...JSON.parse(String(written.body)), skippedFields: written.skippedFields } };
}

function writeHeaders({ etag, commit }: { etag: string; commit: string | null }): Record<string, string> {
  return { ETag: etag, ...(commit ? { 'X-CMS-Commit': commit } : {}) };
}

function writeOptions(call: ContentCall): WriteOptions {
  const ifMatch = call.header('if-match');
  return {
    requestId: call.requestId,
    ifNoneMatch: call.header('if-none-match').trim() === '*',
    ...(ifMatch ? { ifMatch: (etag: string) => matchesIfMatch(ifMatch, etag) } : {}),
  };
}

/** Without the keys whose value is undefined. */
function clean<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}
