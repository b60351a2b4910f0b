// Tools that read collections, schemas and documents.
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { STATUSES } from '../content/document.ts';
import { invalid, notFound, ServiceError } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { defineTool, input, present, READS } from './define.ts';
import { Collection, Fields, Locale, PageLimit, PageOffset, Slug } from './input.ts';
import { listOutput, nextPage, pageOutput, ReadOutput } from './output.ts';
import type { Tool, ToolCaller } from './tool.ts';
import type { ToolSite } from './tool-site.ts';

const READ = ['content:read-published'] as const;
/** A page is parsed and written again in memory. */
const MAX_PAGE_BYTES = 4 << 20;
const Status = z.enum([...STATUSES, 'all']).optional();

export function readingTools(site: ToolSite): Tool[] {
  return [listCollections(site), getSchema(site), listDocuments(site), getDocument(site), searchDocuments(site)];
}

function listCollections(site: ToolSite): Tool {
  return defineTool({
    name: 'list_collections',
    title: 'List collections',
    description: 'The collections of the site with their fields, and its locales. Call it first.',
    input: input({}),
    output: listOutput('collections'),
    permissions: READ,
    effect: 'none',
    reads: 'own',
    annotations: READS,
    run: (_, caller) => ({
      collections: listReadable(site, caller).map(({ name, label, fields }) => ({
        name,
        label,
        fields: [...fields.values()].map(({ name: field, type }) => ({ name: field, type })),
      })),
      locales: site.config.locales,
      ...(site.config.defaultLocale ? { defaultLocale: site.config.defaultLocale } : {}),
    }),
  });
}

function getSchema(site: ToolSite): Tool {
  return defineTool({
    name: 'get_schema',
    title: 'Get schema',
    description: 'JSON Schema of the data of a collection. Call it before you create or update documents.',
    input: input({ collection: Collection }),
    output: z.looseObject({ name: z.string(), label: z.string(), jsonSchema: z.looseObject({}) }),
    permissions: READ,
    effect: 'none',
    reads: 'own',
    annotations: READS,
    run({ collection }, caller) {
      const { name, label, jsonSchema } = getReadable(site, collection, caller);
      return { name, label, jsonSchema };
    },
  });
}

function listDocuments(site: ToolSite): Tool {
  return defineTool({
    name: 'list_documents',
    title: 'List documents',
    description:
      'A page of documents of a collection, newest first. Without `fields` it has short fields only; get_document has all.',
    input: input({
      collection: Collection,
      status: Status,
      locale: Locale,
      tags: z.array(z.string().min(1).max(200)).max(50).optional(),
      fields: Fields,
      orderBy: z.string().min(1).max(200).optional(),
      order: z.enum(['asc', 'desc']).optional(),
      limit: PageLimit,
      offset: PageOffset,
    }),
    output: pageOutput('documents'),
    permissions: READ,
    effect: 'none',
    reads: 'others',
    annotations: READS,
    async run({ collection, ...given }, caller) {
      const { sortable } = getReadable(site, collection, caller);
      const query = present({ ...given, fields: given.fields ?? [...sortable] });
      const viewer = viewerOf(caller);
      await site.content.prepareList(collection, query, viewer);
      const { body, total } = site.content.list(collection, query, viewer);
      if (Buffer.isBuffer(body) && body.length > MAX_PAGE_BYTES) {
        throw new ServiceError('too_large', 'the page is over 4 MiB; ask for fewer fields or a smaller limit');
      }
      const { documents, warnings } = JSON.parse(await toText(body)) as { documents: object[]; warnings?: object[] };
      return {
        documents,
        total,
        ...nextPage(query.offset, documents.length, total),
        ...(warnings ? { warnings } : {}),
      };
    },
  });
}

function getDocument(site: ToolSite): Tool {
  return defineTool({
    name: 'get_document',
    title: 'Get document',
    description: 'One document with all of its data, or only `fields` of it, and its etag for ifMatch.',
    input: input({ collection: Collection, slug: Slug.describe('slug or id'), fields: Fields }),
    output: ReadOutput,
    permissions: READ,
    effect: 'none',
    reads: 'others',
    annotations: READS,
    run({ collection, slug, fields }, caller) {
      getReadable(site, collection, caller);
      const { body, etag } = site.content.get(collection, { idOrSlug: slug }, viewerOf(caller));
      const document = JSON.parse(String(body)) as { data: Record<string, unknown> };
      if (fields)
        document.data = Object.fromEntries(Object.entries(document.data).filter(([key]) => fields.includes(key)));
      return { document, etag };
    },
  });
}

function searchDocuments(site: ToolSite): Tool {
  return defineTool({
    name: 'search',
    title: 'Search',
    description: 'Documents and media files that have every word of `q`, best match first.',
    input: input({
      q: z.string().min(1).max(1000),
      collection: Collection.optional(),
      status: Status,
      locale: Locale,
      limit: PageLimit,
      offset: PageOffset,
    }),
    output: pageOutput('results'),
    permissions: READ,
    effect: 'none',
    reads: 'others',
    annotations: READS,
    async run(given, caller) {
      const query = present(given);
      if (given.collection !== undefined) getReadable(site, given.collection, caller);
      else if (listReadable(site, caller).length < site.schema.collections.size) {
        throw invalid([{ path: 'collection', message: 'must name one of the collections that list_collections has' }]);
      }
      const media = caller.principal.permissions.has('media:read');
      const { items, total } = await site.search.search(query, { ...viewerOf(caller), media });
      return { results: items, total, ...nextPage(query.offset, items.length, total) };
    },
  });
}

/** The collections that the caller may know of. */
export function listReadable(
  { schema }: Pick<ToolSite, 'schema'>,
  { mayRead }: Pick<ToolCaller, 'mayRead'>,
): CollectionSchema[] {
  return [...schema.collections.values()].filter(({ name }) => mayRead?.(name) ?? true);
}

/** One of them. @throws ServiceError 404, the same as for a collection that the site has not */
function getReadable(site: Pick<ToolSite, 'schema'>, name: string, { mayRead }: ToolCaller): CollectionSchema {
  if (mayRead?.(name) === false) throw notFound(`collection "${name}"`);
  return getCollection(site, name);
}

/** @throws ServiceError 404 that names the collections. */
export function getCollection({ schema }: Pick<ToolSite, 'schema'>, name: string): CollectionSchema {
  const collection = schema.collections.get(name);
  if (!collection) throw notFound(`collection "${name}"`);
  return collection;
}

export function viewerOf({ publishedOnly, principal }: ToolCaller): { publishedOnly: boolean } {
  return { publishedOnly: publishedOnly || !principal.permissions.has('content:read') };
}

async function toText(body: Buffer | Readable): Promise<string> {
  return Buffer.isBuffer(body) ? String(body) : text(body);
}
