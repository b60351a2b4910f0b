// The content endpoints: the legacy family under /api/content, the headless family under /api/cms, and field metadata
// (routes-locks.ts).
import type { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import { sharedReads } from '../http/cross-origin.ts';
import { type Allow, type Answer, type Call, type Route, route } from '../http/route.ts';
import { SuccessSchema } from '../http/success.ts';
import { linkHeader } from '../lib/query.ts';
import type { DocumentRef, ListQuery } from './api.ts';
import { bulkRoutes } from './bulk/routes-bulk.ts';
import {
  CreateDocumentBody,
  DocumentListSchema,
  FacetsSchema,
  ReferencesSchema,
  StillReferencedSchema,
  UpdateDocumentBody,
  WithIncludedSchema,
  WriteQueryInput,
  WrittenSchema,
} from './input.ts';
import {
  DocumentQueryInput,
  FacetsQueryInput,
  ListQueryInput,
  ReferencesQueryInput,
  RemoveQueryInput,
} from './lists/list-query.ts';
import { lockRoutes } from './locks/routes-locks.ts';
import { REFERENCES_LIMIT } from './relations/references.ts';
import {
  answerWritten,
  type ContentCall,
  type ContentSite,
  clean,
  errors,
  isPublic,
  readerOf,
  withReferences,
  writeOptions,
} from './routes-call.ts';

/** Anyone may read a collection that the configuration makes public. */
const READ: Allow<ContentSite> = {
  permission: 'content:read-published',
  anonymous: (site, { collection = '' }) => isPublic(site, collection),
};

const list = (path: string): Route<ContentSite> =>
  route<ContentSite, typeof ListQueryInput>({
    method: 'get',
    path,
    summary: 'Documents of a collection',
    tag: 'Content',
    headers: ['If-None-Match'],
    allow: READ,
    cors: sharedReads,
    query: ListQueryInput,
    answers: {
      200: { description: 'A page of documents and the number of all matches', schema: DocumentListSchema },
      304: { description: 'Not modified' },
      ...errors({ 400: 'Invalid query', 404: 'Unknown collection' }),
    },
    handle: (call) => answerList(call),
  });

const get = (path: string, refOf: (call: ContentCall) => DocumentRef): Route<ContentSite> =>
  route<ContentSite, typeof DocumentQueryInput>({
    method: 'get',
    path,
    summary: 'One document',
    tag: 'Content',
    headers: ['If-None-Match'],
    allow: READ,
    cors: sharedReads,
    query: DocumentQueryInput,
    answers: {
      200: { description: 'The document', schema: WithIncludedSchema },
      304: { description: 'Not modified' },
      ...errors({ 400: 'Invalid query', 404: 'Unknown collection or document' }),
    },
    handle(call) {
      const { site, params } = call;
      const viewer = readerOf(site, call.principal);
      const found = site.content.get(params.collection!, refOf(call), viewer);
      const { include } = call.query();
      return include ? site.content.get(params.collection!, refOf(call), viewer, include) : found;
    },
  });

const bySlug = ({ params }: ContentCall): DocumentRef => ({ slug: params.slug! });
// The headless family has one path for ids and slugs (decisions.md, section 4); no id is a slug.
const byEither = ({ params }: ContentCall): DocumentRef => ({ idOrSlug: params.slug! });

const facets = route<ContentSite, typeof FacetsQueryInput>({
  method: 'get',
  path: '/api/cms/{collection}/facets',
  summary: 'How many documents of a list have which status, locale and tags',
  tag: 'Content',
  headers: ['If-None-Match'],
  allow: READ,
  cors: sharedReads,
  query: FacetsQueryInput,
  answers: {
    200: { description: 'Counts over the documents that the reader may see', schema: FacetsSchema },
    304: { description: 'Not modified' },
    ...errors({ 400: 'Invalid query', 404: 'Unknown collection' }),
  },
  async handle(call) {
    const { site, params } = call;
    site.content.checkCollection(params.collection!);
    const query = clean(call.query()) as ListQuery;
    const found = await site.content.facets(params.collection!, query, readerOf(site, call.principal));
    return { etag: found.etag, body: found.facets };
  },
});

const references = route<ContentSite, typeof ReferencesQueryInput>({
  method: 'get',
  path: '/api/cms/{collection}/{slug}/references',
  summary: 'Who points to a document: relations, and links in rich text',
  tag: 'Content',
  allow: READ,
  cors: sharedReads,
  query: ReferencesQueryInput,
  answers: {
    200: { description: 'The places that the reader may see', schema: ReferencesSchema },
    ...errors({ 400: 'Invalid query', 404: 'Unknown collection or document' }),
  },
  async handle(call) {
    const { site, params } = call;
    const [ref, viewer] = [byEither(call), readerOf(site, call.principal)];
    site.content.get(params.collection!, ref, viewer);
    const page = clean(call.query());
    const found = await site.content.references(params.collection!, ref, page, viewer);
    const { path: pathname, search } = call.ctx;
    const link = linkHeader({ pathname, search }, { limit: REFERENCES_LIMIT, ...page }, found.total);
    return { headers: { 'X-Total-Count': String(found.total), ...(link ? { Link: link } : {}) }, body: found };
  },
});

/** `toActor` returns the author of a change. */
export function contentRoutes(toActor: (principal: Principal) => Actor): Route<ContentSite>[] {
  const actorOf = (call: ContentCall): Actor => toActor(call.principal);

  const create = (path: string, status: 200 | 201): Route<ContentSite> =>
    route<ContentSite, typeof WriteQueryInput, typeof CreateDocumentBody>({
      method: 'post',
      path,
      summary: 'Create a document',
      tag: 'Content',
      headers: ['Idempotency-Key', 'If-None-Match'],
      allow: 'content:draft',
      direct: true,
      query: WriteQueryInput,
      body: CreateDocumentBody,
      answers: {
        200: { description: 'With `dryRun`, the document as it would be stored', schema: WrittenSchema },
        [status]: { description: 'The document as created', schema: WrittenSchema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown collection', 409: 'Slug is taken', 412: 'Slug exists' }),
      },
      async handle(call) {
        call.site.content.checkCollection(call.params.collection!);
        const input = clean(await call.body());
        const isDry = call.query().dryRun === 'true';
        const idempotency = isDry ? undefined : await call.idempotency();
        const options = { ...writeOptions(call), dryRun: isDry, ...(idempotency ? { idempotency } : {}) };
        const written = await call.site.content.create(call.params.collection!, input, actorOf(call), options);
        return answerWritten(written, isDry ? 200 : status);
      },
    });

  const update = (
    method: 'put' | 'patch',
    path: string,
    refOf: (call: ContentCall) => DocumentRef,
  ): Route<ContentSite> =>
    route<ContentSite, typeof WriteQueryInput, typeof UpdateDocumentBody>({
      method,
      path,
      summary: 'Change a document; data is merged by its top-level keys',
      tag: 'Content',
      headers: ['If-Match'],
      allow: 'content:draft',
      direct: true,
      query: WriteQueryInput,
      body: UpdateDocumentBody,
      answers: {
        200: { description: 'The document as changed', schema: WrittenSchema },
        ...errors({
          400: 'Invalid input',
          404: 'Unknown document',
          409: 'Slug is taken, every field is locked, or `publishAt` comes with changes of a published document',
          412: 'Changed since',
        }),
      },
      async handle(call) {
        const { collection = '' } = call.params;
        call.site.content.checkDocument(collection, refOf(call), actorOf(call));
        const input = clean(await call.body());
        const options = { ...writeOptions(call), dryRun: call.query().dryRun === 'true' };
        return answerWritten(await call.site.content.update(collection, refOf(call), input, actorOf(call), options));
      },
    });

  const remove = (path: string, refOf: (call: ContentCall) => DocumentRef): Route<ContentSite> =>
    route<ContentSite, typeof RemoveQueryInput>({
      method: 'delete',
      path,
      summary: 'Delete a document; its history stays',
      tag: 'Content',
      headers: ['If-Match'],
      allow: 'content:draft',
      direct: true,
      query: RemoveQueryInput,
      answers: {
        200: { description: 'Deleted', schema: SuccessSchema },
        409: { description: 'Others point to it', schema: StillReferencedSchema },
        ...errors({ 400: 'Invalid input', 404: 'Unknown document', 412: 'Changed since' }),
      },
      async handle(call) {
        const ref = refOf(call);
        call.site.content.checkDocument(call.params.collection!, ref, actorOf(call));
        const options = {
          ...writeOptions(call),
          ...(call.query().ifUnreferenced === 'true' ? { ifUnreferenced: true } : {}),
        };
        return withReferences(async () => {
          const { commit } = await call.site.content.remove(call.params.collection!, ref, actorOf(call), options);
          return { headers: { 'X-CMS-Commit': commit }, body: { success: true } };
        });
      },
    });

  return [
    list('/api/content/{collection}'),
    create('/api/content/{collection}', 201),
    get('/api/content/{collection}/{slug}', bySlug),
    update('put', '/api/content/{collection}/{slug}', bySlug),
    remove('/api/content/{collection}/{slug}', bySlug),
    list('/api/cms/{collection}'),
    create('/api/cms/{collection}', 200),
    get('/api/cms/{collection}/{slug}', byEither),
    update('patch', '/api/cms/{collection}/{slug}', byEither),
    update('put', '/api/cms/{collection}/{slug}', byEither),
    remove('/api/cms/{collection}/{slug}', byEither),
    ...bulkRoutes(toActor),
    facets,
    references,
    ...lockRoutes(toActor),
  ];
}

async function answerList(call: Call<ContentSite, z.output<typeof ListQueryInput>, unknown>): Promise<Answer> {
  const { site, params, ctx } = call;
  const collection = params.collection!;
  site.content.checkCollection(collection);
  const query = clean(call.query()) as ListQuery;
  const viewer = readerOf(site, call.principal);
  await site.content.prepareList(collection, query, viewer);
  const page = site.content.list(collection, query, viewer);
  const headers: Record<string, string> = { 'X-Total-Count': String(page.total) };
  const link = linkHeader({ pathname: ctx.path, search: ctx.search }, query, page.total);
  if (link) headers.Link = link;
  return { etag: page.etag, headers, body: page.body };
}
