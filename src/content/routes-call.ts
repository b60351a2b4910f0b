// What the content routes share: the site of a call, the conditions of a write, the headers of its answer.
import type { Principal } from '../access/principal.ts';
import type { HistoryService } from '../history/service.ts';
import { toVersionMatch } from '../http/conditional.ts';
import type { Answer, Call, DescribedAnswer } from '../http/route.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { ContentService, Viewer, WriteOptions, WrittenDocument } from './api.ts';
import { StillReferenced } from './relations/referenced.ts';

export interface ContentSite {
  content: ContentService;
  config: { api?: { publicRead?: boolean | undefined; cors?: '*' | readonly string[] | undefined } | undefined };
  schema: SiteSchema;
  history: Pick<HistoryService, 'history' | 'restorable'>;
}

export type ContentCall = Call<ContentSite, unknown, unknown>;

/** Descriptions of the refusals of a route, by status. */
export function errors(texts: Record<number, string>): Record<number, DescribedAnswer> {
  return Object.fromEntries(Object.entries(texts).map(([status, description]) => [status, { description }]));
}

/** Whether anyone may read the collection's published documents. */
export function isPublic(site: Pick<ContentSite, 'config' | 'schema'>, collection: string): boolean {
  return (
    site.config.api?.publicRead === true || site.schema.collections.get(collection)?.config.access?.read === 'public'
  );
}

/** Whether anyone may read anything of the site, and so may know that there is one. */
export function showsStrangers(site: Pick<ContentSite, 'config' | 'schema'>): boolean {
  return site.config.api?.publicRead === true || site.schema.collections.keys().some((name) => isPublic(site, name));
}

const EVERYTHING: Viewer = { publishedOnly: false };
const PUBLISHED: Viewer = { publishedOnly: true };

/** The same, for answers with documents of several collections: anonymous readers see those of public ones. */
export function readerOf(site: Pick<ContentSite, 'config' | 'schema'>, principal: Principal): Viewer {
  const viewer = viewerOf(principal);
  if (principal.kind !== 'anonymous') return viewer;
  return { ...viewer, mayRead: (collection) => isPublic(site, collection) };
}

/** Anonymous readers, and tokens with only content:read-published, see published documents only. */
export function viewerOf(principal: Principal): Viewer {
  return principal.permissions.has('content:read') ? EVERYTHING : PUBLISHED;
}

export function writeHeaders({ etag, commit }: { etag: string; commit: string | null }): Record<string, string> {
  return { ...(etag ? { ETag: etag } : {}), ...(commit ? { 'X-CMS-Commit': commit } : {}) };
}

/** The document, with what its writer has to know besides. */
export function answerWritten(written: WrittenDocument, status = 200): Answer {
  const headers = writeHeaders(written);
  if (written.replayed) headers['Idempotent-Replayed'] = 'true';
  const { skippedFields, warnings } = written;
  if (!skippedFields && !warnings) return { status, headers, body: written.body };
  return { status, headers, body: { ...JSON.parse(String(written.body)), skippedFields, warnings } };
}

export function writeOptions(call: Pick<ContentCall, 'header' | 'requestId'>): WriteOptions {
  const ifMatch = toVersionMatch(call.header('if-match'));
  return {
    requestId: call.requestId,
    ifNoneMatch: call.header('if-none-match').trim() === '*',
    ...(ifMatch ? { ifMatch } : {}),
  };
}

/** Without the keys whose value is undefined. */
export function clean<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}

/** A deletion that is refused is answered with who points to the document, which a refusal has no place for. */
export async function withReferences(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof StillReferenced)) throw error;
    const { status, message, code, details, references, total } = error;
    return { status, body: { error: message, code, details, references, total } };
  }
}
