// A site behind the HTTP API of a running service, for import and export while the service holds the data folder. It
// is a client like any other, so the service makes ids and dates of creation, and the author of a change is the token's
// owner.
import { z } from 'zod';
import type { ImportAnswer, OfferedImport } from '../content/api.ts';
import type { Document } from '../content/document.ts';
import { toBase } from '../lib/api-call.ts';
import { type ErrorCode, type Problem, ServiceError, STATUS } from '../lib/errors.ts';
import type { TransferConfig } from './candidate.ts';
import type { ImportTarget } from './import-folder.ts';
import type { ExportSource } from './write-folder.ts';

export interface HttpSiteOptions {
  /** Address of the service, such as `http://127.0.0.1:3010`. */
  url: string;
  token: string;
  /** The site's id, if the token covers several. */
  site?: string | undefined;
  fetch: typeof fetch;
}

const Manifest = z.object({
  collections: z.array(
    z.object({ name: z.string(), fields: z.array(z.object({ name: z.string(), type: z.string() })) }),
  ),
  locales: z.array(z.string()).default([]),
  defaultLocale: z.string().nullish(),
});

const Problems = z.array(z.object({ path: z.string(), message: z.string() }));
const Results = z.object({
  results: z.array(
    z.object({
      outcome: z.enum(['created', 'updated', 'unchanged', 'refused', 'left']),
      warnings: Problems.default([]),
      error: z.string().optional(),
      code: z.string().optional(),
      details: Problems.optional(),
    }),
  ),
});

/** Reads the site's configuration; throws if the service cannot be reached or refuses the token. */
export async function openHttpSite(options: HttpSiteOptions): Promise<ImportTarget & ExportSource> {
  const { url } = options;
  const call = createCaller(options);
  const manifest = Manifest.safeParse(await call('GET', '/api/manifest'));
  if (!manifest.success) throw new ServiceError('upstream_failed', `"${options.url}" does not answer as Colophon does`);
  const { collections, locales, defaultLocale } = manifest.data;
  const config: TransferConfig = { collections, locales, defaultLocale: defaultLocale ?? undefined };

  const pathOf = (collection: string, slug: string) => `/api/cms/${collection}/${encodeURIComponent(slug)}`;
  const find = async (collection: string, slug: string): Promise<Document | undefined> => {
    try {
      return (await call('GET', pathOf(collection, slug))) as Document;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    }
  };

  /** The service makes ids and dates. */
  async function send(offered: readonly OfferedImport[], options: { dryRun: boolean; atomic?: boolean }) {
    const documents = offered.map(({ collection, input }) => {
      const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...body } = input;
      return { collection, ...body };
    });
    const answer = Results.safeParse(await call('POST', '/api/admin/import', { documents, ...options }));
    if (!answer.success || answer.data.results.length !== documents.length) {
      throw new ServiceError('upstream_failed', `"${url}" does not answer as Colophon does`);
    }
    return answer.data.results;
  }

  return {
    config,
    find,
    async importDocument(collection, input, { dryRun }) {
      const [result] = await send([{ collection, input }], { dryRun });
      if (result?.outcome === 'refused') throw toRefusalOf(result);
      return toImportAnswer(result);
    },
    async importAll(documents, { dryRun }) {
      const results = await send(documents, { dryRun, atomic: true });
      const isLeft = results.some(({ outcome }) => outcome === 'left');
      return results.map((one) => {
        if (one.outcome === 'refused') return toRefusalOf(one);
        return isLeft ? { outcome: 'unchanged' as const, warnings: [] } : toImportAnswer(one);
      });
    },
    async *each(collection) {
      const answer = (await call('GET', `/api/cms/${collection}`, undefined, {
        orderBy: 'createdAt',
        order: 'asc',
      })) as {
        documents: Document[];
      };
      yield* answer.documents;
    },
  };
}

type ImportReply = z.output<typeof Results>['results'][number];

function toImportAnswer(result: ImportReply | undefined): ImportAnswer {
  if (!result || result.outcome === 'refused' || result.outcome === 'left') {
    throw new ServiceError('upstream_failed', 'the service does not say what became of a document');
  }
  return { outcome: result.outcome, warnings: result.warnings };
}

/** As it would be in-process. */
function toRefusalOf({ error = 'refused', code, details }: ImportReply): ServiceError {
  const known = code !== undefined && code in STATUS ? (code as ErrorCode) : 'invalid_input';
  return new ServiceError(known, error, details ? { details } : {});
}

type Caller = (method: string, path: string, body?: unknown, query?: Record<string, string>) => Promise<unknown>;

function createCaller({ url, token, site, fetch }: HttpSiteOptions): Caller {
  const base = toBase(url);
  return async (method, path, body, query = {}) => {
    const target = new URL(base + path);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
    if (site !== undefined) target.searchParams.set('site', site);
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    let text: string;
    try {
      // A redirect would turn a POST into a GET, or carry the token elsewhere.
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      response = await fetch(target, { method, headers, redirect: 'manual', ...sent });
      text = await response.text();
    } catch (cause) {
      const reason = (cause as { cause?: { code?: string } }).cause?.code ?? (cause as Error).message;
      throw new ServiceError('upstream_failed', `${base} cannot be reached: ${reason}`, { cause });
    }
    if (response.ok) return parseAnswer(base, text);
    throw toRefusal(base, response.status, text);
  };
}

function parseAnswer(base: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('upstream_failed', `${base} does not answer in JSON`, { cause });
  }
}

/** The service's refusal as it would be in-process. */
function toRefusal(base: string, status: number, text: string): ServiceError {
  const answer = ErrorAnswer.safeParse(text.startsWith('{') ? parseAnswer(base, text) : undefined);
  if (!answer.success) return new ServiceError('upstream_failed', `${base} answers with status ${status}`);
  const { error, code, details } = answer.data;
  const known = code !== undefined && code in STATUS ? (code as ErrorCode) : codeOf(status);
  return new ServiceError(known, error, details ? { details: details as Problem[] } : {});
}

const ErrorAnswer = z.object({
  error: z.string(),
  code: z.string().optional(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

function codeOf(status: number): ErrorCode {
  const codes = Object.keys(STATUS) as ErrorCode[];
  return codes.find((code) => STATUS[code] === status) ?? 'upstream_failed';
}
