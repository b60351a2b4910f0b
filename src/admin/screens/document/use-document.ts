// Opens the document of the address, follows what others do with it, and says that it is open here.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, OfflineError } from '../../api/client.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import type { CollectionInfo } from '../../config/manifest.ts';
import { titleOf } from '../../config/manifest.ts';
import { openDocument } from '../../document/document-on-screen.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { draftPrefixOf, draftStore } from '../../document/own-drafts.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';

export type Opened =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'missing' }
  | { kind: 'open'; document: OpenDocument };

/** `slug` is undefined for a new document. */
export function useDocument(collection: CollectionInfo, slug: string | undefined, from: URLSearchParams) {
  const admin = useAdmin();
  const navigate = useNavigate();
  const query = slug === undefined ? toQuery(from) : '';
  const [opened, setOpened] = useState<Opened>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // The address follows the document, as when it is created or renamed; that must not open it again.
  const shown = useRef<{ slug: string | undefined; document: OpenDocument } | undefined>(undefined);

  useEffect(() => {
    if (shown.current && shown.current.slug === slug && slug !== undefined) return undefined;
    const abort = new AbortController();
    setOpened({ kind: 'loading' });
    shown.current?.document.close();
    shown.current = undefined;
    void (async () => {
      try {
        const latest = slug === undefined ? undefined : await read(admin, collection.name, slug, abort.signal);
        const initial = slug === undefined ? await readInitial(admin, collection, from, abort.signal) : undefined;
        const document = await openDocument(
          {
            request: admin.request,
            drafts: draftStore(),
            draftPrefix: `${draftPrefixOf(admin)}${collection.name}/`,
            collection: collection.name,
            newQuery: query,
            initial,
            titleOf: (data) => titleOf(data, '', collection) || t('document.untitled'),
            now: admin.now,
            makeKey: () => crypto.randomUUID(),
            onMoved(next) {
              if (shown.current) shown.current.slug = next;
              navigate(toDocumentPath(collection.name, next), true);
            },
            onMerged: () => void sayMerged(admin, collection.name, shown.current?.document),
          },
          latest,
        );
        if (abort.signal.aborted) return;
        shown.current = { slug, document };
        setOpened({ kind: 'open', document });
      } catch (error) {
        if (abort.signal.aborted) return;
        setOpened(error instanceof ApiError && error.status === 404 ? { kind: 'missing' } : { kind: 'failed', error });
      }
    })();
    return () => abort.abort();
  }, [collection.name, slug, query, attempt]);

  useEffect(() => () => shown.current?.document.close(), []);
  const lastAuthor = useFollowing(opened.kind === 'open' ? opened.document : undefined);
  return { opened, retry: () => setAttempt(attempt + 1), lastAuthor };
}

async function read(admin: Admin, collection: string, slug: string, signal: AbortSignal) {
  const url = `/api/cms/${collection}/${encodeURIComponent(slug)}`;
  const { data, etag } = await admin.request<StoredDocument>('GET', url, { signal });
  return { document: data, etag: etag ?? '' };
}

/** The change before the own one is theirs. */
async function sayMerged({ request, messages }: Admin, collection: string, document: OpenDocument | undefined) {
  const id = document?.latest.peek()?.document.id;
  let who: string | undefined;
  try {
    const url = `/api/cms/${collection}/${id}/history?limit=2`;
    const { data } = await request<{ entries: readonly { author: { name: string } }[] }>('GET', url);
    who = data.entries[1]?.author.name;
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
  }
  messages.notify(t('done.merged', { who: who ?? t('done.someone') }));
}

/** Only what a new document begins with. */
function toQuery(from: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const name of ['from', 'locale']) if (from.has(name)) query.set(name, from.get(name) ?? '');
  return query.size === 0 ? '' : `?${query}`;
}

/** `?from=<slug>` begins with a copy; with `&locale=` it is that document's translation. */
async function readInitial(admin: Admin, collection: CollectionInfo, from: URLSearchParams, signal: AbortSignal) {
  const slug = from.get('from');
  if (slug === null) return undefined;
  const { document } = await read(admin, collection.name, slug, signal);
  const locale = from.get('locale') ?? undefined;
  const unique = new Set(collection.fields.filter((field) => field.unique).map(({ name }) => name));
  const data = Object.fromEntries(
    Object.entries(document.data).filter(([name]) => locale !== undefined || !unique.has(name)),
  );
  if (locale !== undefined) return { data, locale, translationOf: document.slug };
  return { data, ...(document.locale === undefined ? {} : { locale: document.locale }) };
}

interface ChangeEvent {
  commit: string;
  event: string;
  collection: string;
  slug: string;
  id?: string;
  author?: { name: string } | null;
}

/** Others' changes are read as they happen, and once more after the connection was lost. Returns who wrote last. */
function useFollowing(document: OpenDocument | undefined): { current: string | undefined } {
  const { live } = useAdmin();
  const author = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!document) return undefined;
    return live.listen(({ event, data }) => {
      const current = document.latest.peek()?.document;
      if (!current) return;
      if (event === 'change') {
        const change = data as ChangeEvent;
        if (change.id !== current.id) return;
        author.current = change.author?.name;
        if (change.event === 'document.deleted') {
          document.isGone.value = true;
          return;
        }
      } else if (event !== 'hello') return;
      const commit = event === 'change' ? (data as ChangeEvent).commit : undefined;
      // While the service is away its event stream is as well, and begins with a greeting when it is back.
      void document.follow(commit).catch(() => undefined);
    });
  }, [document]);
  return author;
}

export interface Person {
  id: string;
  name: string;
}

const SAY_EVERY_MS = 25_000;

/** Who else has it open. */
export function usePresence(collection: string, slug: string | undefined): readonly Person[] {
  const { request, live, session } = useAdmin();
  const [people, setPeople] = useState<readonly Person[]>([]);
  useEffect(() => {
    if (slug === undefined) return undefined;
    const say = async (open: boolean): Promise<void> => {
      try {
        const body = { collection, slug, open };
        const { data } = await request<{ people: readonly Person[] }>('POST', '/api/admin/presence', { body });
        if (open) setPeople(data.people);
      } catch (error) {
        // A courtesy: nothing depends on it, and it is said again soon.
        if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
      }
    };
    void say(true);
    const timer = setInterval(say, SAY_EVERY_MS, true);
    const stop = live.listen(({ event, data }) => {
      const presence = data as { collection: string; slug: string; people: readonly Person[] };
      if (event === 'presence' && presence.collection === collection && presence.slug === slug) {
        setPeople(presence.people);
      }
    });
    return () => {
      clearInterval(timer);
      stop();
      void say(false);
      setPeople([]);
    };
  }, [collection, slug]);
  const state = session.state.value;
  const own = state.kind === 'signed-in' ? state.profile.user.id : '';
  return people.filter(({ id }) => id !== own);
}
