// A document on the screen, in one tab or in several, before a service and a device that are made for it.
import { ApiError, type Client, OfflineError } from '../../../src/admin/api/client.ts';
import { openDocument } from '../../../src/admin/document/document-on-screen.ts';
import type { DraftListener, DraftStore } from '../../../src/admin/document/draft-store.ts';
import { type DraftChange, type KeptDraft, withChange } from '../../../src/admin/document/kept-draft.ts';
import type { OpenDocumentParts } from '../../../src/admin/document/open-document.ts';
import type { StoredDocument } from '../../../src/admin/document/stored-document.ts';

interface Sent {
  method: string;
  url: string;
  body: Record<string, unknown>;
  key: string | undefined;
}

/** A service with one document and Idempotency-Keys. */
export function makeService(data: Record<string, unknown> | undefined) {
  let version = 1;
  let stored: StoredDocument | undefined = data && {
    id: 'a1B2c3D4e5F6',
    slug: 'tides',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data,
  };
  const sent: Sent[] = [];
  const answers = new Map<string, StoredDocument>();
  const service = {
    sent,
    /** Run before the next answer. */
    before: undefined as (() => void | Promise<void>) | undefined,
    /** The next requests end without an answer, after they were done or before. */
    losing: undefined as 'request' | 'answer' | undefined,
    get stored() {
      return stored;
    },
    get etag() {
      return `"${version}"`;
    },
    change(next: Record<string, unknown>) {
      version++;
      if (stored) stored = { ...stored, data: { ...stored.data, ...next } };
    },
    remove() {
      stored = undefined;
    },
  };
  const fail = (status: number, code: string): never => {
    throw new ApiError(status, { error: code, code }, new Headers());
  };
  const request: Client = async <T>(method: string, url: string, options: Parameters<Client>[2] = {}) => {
    const body = (options.body ?? {}) as Record<string, unknown>;
    const key = options.headers?.['Idempotency-Key'];
    if (method !== 'GET') sent.push({ method, url, body: structuredClone(body), key });
    const run = service.before;
    service.before = undefined;
    await run?.();
    const lost = service.losing;
    if (lost) service.losing = undefined;
    if (lost === 'request') throw new OfflineError(undefined);
    const known = key === undefined ? undefined : answers.get(key);
    if (url === '/api/cms/ai/rewrite') {
      if (options.headers?.['If-Match'] !== service.etag) return fail(412, 'precondition_failed');
      service.change(body.data as object as Record<string, unknown>);
    } else if (method === 'POST' && !known) {
      version++;
      stored = { ...makeStored(body), ...{ status: (body.status as 'draft') ?? 'draft' } };
      if (key) answers.set(key, stored);
    } else if (method === 'PATCH') {
      if (!stored) return fail(404, 'not_found');
      if (options.headers?.['If-Match'] !== service.etag) return fail(412, 'precondition_failed');
      const { data: changes = {}, unset = [], ...own } = body as { data?: object; unset?: string[] };
      const merged: Record<string, unknown> = { ...stored.data, ...changes };
      for (const name of unset) delete merged[name];
      version++;
      stored = { ...stored, ...own, data: merged };
    } else if (!stored) return fail(404, 'not_found');
    if (lost === 'answer') throw new OfflineError(undefined);
    return { status: 200, data: (known ?? stored) as T, etag: service.etag };
  };
  return { service, request };
}

function makeStored(body: Record<string, unknown>): StoredDocument {
  return {
    id: 'n1B2c3D4e5F6',
    slug: 'made',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data: (body.data ?? {}) as Record<string, unknown>,
  };
}

export interface FakeDrafts extends DraftStore {
  all: Map<string, KeptDraft>;
}

/** `claimed` are the drafts that other tabs have open. */
export function makeDrafts(claimed: ReadonlySet<string> = new Set()): FakeDrafts {
  const all = new Map<string, KeptDraft>();
  const listeners = new Set<DraftListener>();
  const apply = (key: string, change: DraftChange): void => {
    const draft = withChange(all.get(key), structuredClone(change));
    if (draft) all.set(key, draft);
    else all.delete(key);
  };
  return {
    all,
    read: async (key) => structuredClone(all.get(key)),
    async change(key, change, own, movedTo) {
      apply(key, change);
      for (const listener of [...listeners]) if (listener !== own) listener({ key, etag: change.etag, movedTo });
    },
    changeNow(key, change) {
      apply(key, change);
      return true;
    },
    list: async (prefix) =>
      [...all]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, draft]) => ({ key, draft: structuredClone(draft) })),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    claim: async (key) => !claimed.has(key),
    release: () => undefined,
    lastClaimed: () => undefined,
  };
}

export async function open(
  data: Record<string, unknown> | undefined,
  drafts = makeDrafts(),
  more: Partial<OpenDocumentParts> = {},
) {
  return openAt(makeService(data), drafts, more);
}

/** Another tab at the same service, if it is given the same drafts. */
export async function openAt(
  { service, request }: ReturnType<typeof makeService>,
  drafts: FakeDrafts,
  more: Partial<OpenDocumentParts> = {},
) {
  let keys = 0;
  const events: string[] = [];
  const parts: OpenDocumentParts = {
    ...{ request, drafts, draftPrefix: 'ada//posts/', collection: 'posts', newPlace: 'new' },
    titleOf: (values) => String(values.title ?? ''),
    now: () => new Date(0),
    makeKey: () => `key-${++keys}`,
    onMoved: (slug) => events.push(`moved ${slug}`),
    onMerged: () => events.push('merged'),
    onSettled: () => events.push('settled'),
    ...more,
  };
  const latest = service.stored && { document: service.stored, etag: service.etag };
  return { service, parts, drafts, events, document: await openDocument(parts, latest) };
}
