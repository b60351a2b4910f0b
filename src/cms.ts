/// <reference types="node" preserve="true" />
// The programmatic interface: the content service of one site in this process, without HTTP.
//
//   const cms = await createCms(config, { dataDir });
//   await cms.content.create('posts', { data: { title: 'Hello' }, status: 'published' });
import path from 'node:path';
import { z } from 'zod';
import { SYSTEM } from './access/actor.ts';
import type { Actor } from './access/principal.ts';
import type { CmsDocument, CollectionData, CollectionNames } from './config/infer.ts';
import { parseConfig } from './config/parse.ts';
import type { SiteConfigInput } from './config/site-config.ts';
import type { ListQuery } from './content/api.ts';
import { nameWarnings } from './content/checks/query-names.ts';
import type { CreateInput, UpdateInput } from './content/commands.ts';
import type { Document } from './content/document.ts';
import { CreateDocumentBody, ListQueryValues, UpdateDocumentBody } from './content/input.ts';
import { bodyOf, selectRows } from './content/lists/list.ts';
import { invalid, notFound, type Problem } from './lib/errors.ts';
import { checkJson } from './lib/json.ts';
import { parseInput } from './lib/parse-input.ts';
import { isPlainName } from './lib/text/plain-name.ts';
import type { Warn } from './lib/warn.ts';
import { openSite } from './sites/open-site.ts';
import type { Site } from './sites/site.ts';
import { lockFolder } from './store/log/writer-lock.ts';

export { defineConfig } from './config/define.ts';
export type { CmsDocument } from './config/infer.ts';
export { ServiceError } from './lib/errors.ts';

export interface CmsOptions {
  /** The data folder; one process at a time. */
  dataDir: string;
  /** Folder name below `<dataDir>/sites/`; `default` if absent. */
  site?: string;
  now?: () => Date;
  newId?: () => string;
  /** Called for an error after which nothing can be written (a failed sync); the process should end. */
  onFatal?(error: unknown): void;
  warn?: Warn;
}

/** The author of a change; a plain `system` change without it. */
export interface ChangeOptions {
  actor?: Actor['kind'];
  userId?: string;
  aiModel?: string;
}

export interface Cms<C extends SiteConfigInput = SiteConfigInput> {
  content: CmsContent<C>;
  /** The services underneath; for the command line and for tests. */
  site: Site;
  close(): Promise<void>;
}

/** Every method refuses with a ServiceError; a write resolves once it is durable. */
export interface CmsContent<C extends SiteConfigInput = SiteConfigInput> {
  create<N extends CollectionNames<C>>(
    collection: N,
    input: Omit<CreateInput, 'data'> & { data: Partial<CollectionData<C, N>> },
    options?: ChangeOptions,
  ): Promise<CmsDocument<C, N> & { warnings?: Problem[] }>;
  /** Null if there is no such document. */
  findBySlug<N extends CollectionNames<C>>(collection: N, slug: string): Promise<CmsDocument<C, N> | null>;
  findMany<N extends CollectionNames<C>>(
    collection: N,
    query?: ListQuery,
  ): Promise<{
    documents: CmsDocument<C, N>[];
    total: number;
    /** With `include`: the documents that relations name, by `<collection>/<slug>`. */
    included?: Record<string, Document>;
    /** Names in `orderBy`, `fields` and `filter` that neither a document nor the schema has. */
    warnings?: Problem[];
  }>;
  /** Finds by id, or by slug if no id matches. `skippedFields` names fields that an `ai` change left alone. */
  update<N extends CollectionNames<C>>(
    collection: N,
    id: string,
    input: Omit<UpdateInput, 'data'> & { data?: Partial<CollectionData<C, N>> },
    options?: ChangeOptions,
  ): Promise<CmsDocument<C, N> & { skippedFields?: string[]; warnings?: Problem[] }>;
  delete(collection: CollectionNames<C>, id: string, options?: ChangeOptions): Promise<void>;
}

/** @throws ConfigError if the configuration has problems, FolderInUseError if another process has the folder. */
export async function createCms<const C extends SiteConfigInput>(config: C, options: CmsOptions): Promise<Cms<C>> {
  const parsed = parseConfig(config);
  const { dataDir, site: id = 'default', ...rest } = options;
  const lock = lockFolder(dataDir);
  try {
    const site = await openSite({
      ...rest,
      id,
      org: 'default',
      config: parsed,
      folder: path.join(dataDir, 'sites', id),
      lockLost: lock.lost,
    });
    let closing: Promise<void> | undefined;
    return {
      content: createCmsContent(site) as unknown as CmsContent<C>,
      site,
      close: () => (closing ??= site.close().finally(() => lock.release())),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The same without the types of a configuration. */
interface PlainContent {
  create(collection: string, input: CreateInput, options?: ChangeOptions): Promise<Document>;
  findBySlug(collection: string, slug: string): Promise<Document | null>;
  findMany(
    collection: string,
    query?: ListQuery,
  ): Promise<{ documents: Document[]; total: number; included?: Record<string, Document>; warnings?: Problem[] }>;
  update(
    collection: string,
    id: string,
    input: UpdateInput,
    options?: ChangeOptions,
  ): Promise<Document & { skippedFields?: string[] }>;
  delete(collection: string, id: string, options?: ChangeOptions): Promise<void>;
}

function createCmsContent({ content, view }: Site): PlainContent {
  return {
    async create(collection, input, options) {
      content.checkCollection(collection);
      const written = await content.create(collection, parseInput(CreateDocumentBody, toJson(input)), toActor(options));
      return { ...parse(written.body), ...(written.warnings ? { warnings: written.warnings } : {}) };
    },
    async findBySlug(collection, slug) {
      const found = content.find(collection, { slug });
      return found ? parse(found.body) : null;
    },
    async findMany(collection, query = {}) {
      const found = view.collection(collection);
      if (!found) throw notFound(`collection "${collection}"`);
      const wanted = present(parseInput(ListQueryValues, query)) as ListQuery;
      await content.prepareList(collection, wanted);
      const { rows, total } = selectRows(found, wanted);
      const fields = wanted.fields && new Set(wanted.fields);
      const documents = rows.map((row) => parse(bodyOf(row, fields)));
      const warnings = nameWarnings(found.schema, wanted);
      const page = { documents, total, ...(warnings.length > 0 ? { warnings } : {}) };
      if (!wanted.include) return page;
      const data = fields ? rows.map((row) => parse(row.body).data) : documents.map((doc) => doc.data);
      return { ...page, included: JSON.parse(content.included(collection, wanted.include, data)) };
    },
    async update(collection, id, input, options) {
      content.get(collection, { idOrSlug: id });
      const body = parseInput(UpdateDocumentBody, toJson(input));
      const written = await content.update(collection, { idOrSlug: id }, body, toActor(options));
      const { skippedFields, warnings } = written;
      return { ...parse(written.body), ...(skippedFields ? { skippedFields } : {}), ...(warnings ? { warnings } : {}) };
    },
    async delete(collection, id, options) {
      await content.remove(collection, { idOrSlug: id }, toActor(options));
    },
  };
}

/** Refuses what JSON cannot carry, and keeps a copy: the caller may change its object afterwards. */
function toJson(input: unknown): unknown {
  const given = typeof input === 'object' && input !== null && !Array.isArray(input) ? present(input) : input;
  const problems = checkJson(given);
  if (problems.length) throw invalid(problems);
  return JSON.parse(JSON.stringify(given));
}

/** Without the keys whose value is undefined. */
function present(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}

function parse(body: Buffer): Document {
  return JSON.parse(body.toString('utf8')) as Document;
}

/** A text that becomes an author, or is shown as one. */
const PlainText = z.string().max(200).refine(isPlainName, 'must not hold control characters or marks of direction');
const ChangeOptionsInput = z.object({
  actor: z.enum(['user', 'ai', 'import', 'system']).default('system'),
  userId: PlainText.min(1).optional(),
  aiModel: PlainText.optional(),
});

function toActor(options: ChangeOptions = {}): Actor {
  const { actor: kind, userId, aiModel } = parseInput(ChangeOptionsInput, options);
  return { ...SYSTEM, kind, ...(userId ? { userId, name: userId } : {}), ...(aiModel ? { aiModel } : {}) };
}
