// Opens the document of the address, follows what others do with it, and says that it is open here.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, OfflineError } from '../../api/client.ts';
import { isMissing } from '../../api/failure.ts';
import { randomId } from '../../api/random-id.ts';
import type { ServiceEvent } from '../../api/service-event.ts';
import { toCollectionPath } from '../../config/document-path.ts';
import { type CollectionInfo, type Manifest, titleOf } from '../../config/manifest.ts';
import { openDocument } from '../../document/document-on-screen.ts';
import { withEdits } from '../../document/edits.ts';
import { chooseNewPlace, findDraftId } from '../../document/find-draft.ts';
import { toNewPlace } from '../../document/kept-draft.ts';
import type { Latest, OpenDocument } from '../../document/open-document.ts';
import { draftPrefixOf, draftStore } from '../../document/own-drafts.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { withDefaults } from '../../fields/defaults.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';

export type Opened =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'missing' }
  | { kind: 'open'; document: OpenDocument };

/** `slug` is undefined for a new document. */
export function useDocument(
  { blocks }: Pick<Manifest, 'blocks'>,
  collection: CollectionInfo,
  slug: string | undefined,
  from: URLSearchParams,
) {
  const admin = useAdmin();
  const navigate = useNavigate();
  const query = toBeginning(from);
  const place = slug === undefined ? toNewPlace(query, query.get('draft') ?? undefined) : encodeURIComponent(slug);
  const [opened, setOpened] = useState<Opened>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // The address follows the document, as when it is created or renamed; that must not open it again.
  const shown = useRef<{ place: string; document: OpenDocument; close(): void } | undefined>(undefined);
  const lastAuthor = useRef<string | undefined>(undefined);

  useEffect(() => {
    if (shown.current?.place === place) return undefined;
    const abort = new AbortController();
    let document: OpenDocument | undefined;
    const move = (next: string): void => {
      // The answer of a save may come when another document is open.
      if (!shown.current || shown.current.document !== document) return;
      shown.current.place = next;
      navigate(`${toCollectionPath(collection.name)}/${next}`, true);
    };
    setOpened({ kind: 'loading' });
    shown.current?.close();
    shown.current = undefined;
    // It is followed before it is read, or a change in between would be missed.
    const early: ServiceEvent[] = [];
    const stop = admin.live.listen((event) => {
      if (document) followEvent(document, event, lastAuthor);
      else early.push(event);
    });
    const close = (): void => {
      stop();
      document?.close();
    };
    void (async () => {
      try {
        document = await open(admin, collection, { slug, query, blocks, signal: abort.signal, onMoved: move });
        if (abort.signal.aborted || !document) {
          close();
          return abort.signal.aborted ? undefined : setOpened({ kind: 'missing' });
        }
        shown.current = { place, document, close };
        for (const event of early) followEvent(document, event, lastAuthor);
        setOpened({ kind: 'open', document });
        const address = document.latest.peek()?.document.slug;
        // Opened by its id, or by an address that it had before.
        if (address !== undefined && address !== slug && !document.isGone.peek()) move(encodeURIComponent(address));
      } catch (error) {
        close();
        if (!abort.signal.aborted) setOpened({ kind: 'failed', error });
      }
    })();
    return () => abort.abort();
  }, [collection.name, place, attempt]);

  useEffect(
    () => () => {
      shown.current?.close();
      shown.current = undefined;
    },
    [],
  );
  return { opened, retry: () => setAttempt(attempt + 1), lastAuthor };
}

interface Wanted {
  slug: string | undefined;
  query: URLSearchParams;
  blocks: Manifest['blocks'];
  signal: AbortSignal;
  onMoved(place: string): void;
}

/** Undefined if there is no such document, and nothing of it on this device. */
async function open(
  admin: Admin,
  collection: CollectionInfo,
  { slug, query, blocks, signal, onMoved }: Wanted,
): Promise<OpenDocument | undefined> {
  const drafts = draftStore();
  const prefix = `${draftPrefixOf(admin)}${collection.name}/`;
  const onScreen = { request: admin.request, drafts, draftPrefix: prefix, collection: collection.name, now: admin.now };
  const parts = {
    ...{ ...onScreen, makeKey: randomId, onMoved },
    defaults: withDefaults({}, collection.fields, blocks),
    titleOf: (data: Readonly<Record<string, unknown>>) => titleOf(data, '', collection) || t('document.untitled'),
    onMerged: () => void sayMerged(admin, collection.name, document),
    onSettled: () => admin.messages.notify(t('conflict.settled')),
  };
  let document: OpenDocument | undefined;
  if (slug === undefined) {
    const newPlace = await chooseNewPlace(query, { drafts, prefix, makeKey: randomId });
    const begun = await readInitial(admin, collection, query, { prefix, signal });
    const initial = begun && { ...begun, data: withDefaults(begun.data, collection.fields, blocks) };
    if (query.has('from') && !initial && !(await drafts.read(`${prefix}${newPlace}`))) return undefined;
    document = await openDocument({ ...parts, newPlace, initial }, undefined);
  } else {
    const found = await find(admin, collection.name, slug, { prefix, signal });
    document = found && (await openDocument({ ...parts, newPlace: NO_PLACE }, found.latest, found.isGone));
  }
  return document;
}

/** A document that exists has no place as a new one. */
const NO_PLACE = '';

/** A document that was deleted is found if unsaved text of it is on this device. */
async function find(
  admin: Admin,
  collection: string,
  slug: string,
  { prefix, signal }: { prefix: string; signal: AbortSignal },
): Promise<{ latest: Latest; isGone: boolean } | undefined> {
  const latest = await read(admin, collection, slug, signal);
  if (latest) return { latest, isGone: false };
  const id = await findDraftId(slug, { drafts: draftStore(), prefix });
  if (id === undefined) return undefined;
  const moved = id === slug ? undefined : await read(admin, collection, id, signal);
  if (moved) return { latest: moved, isGone: false };
  return { latest: await readLast(admin, collection, id, signal), isGone: true };
}

/** Undefined if it does not exist. */
async function read(admin: Admin, collection: string, slug: string, signal: AbortSignal): Promise<Latest | undefined> {
  try {
    const url = `/api/cms/${collection}/${encodeURIComponent(slug)}`;
    const { data, etag } = await admin.request<StoredDocument>('GET', url, { signal });
    return { document: data, etag: etag ?? '' };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The version before the deletion. */
async function readLast(admin: Admin, collection: string, id: string, signal: AbortSignal): Promise<Latest> {
  const url = `/api/cms/${collection}/${id}/history`;
  const { data } = await admin.request<{ entries: readonly { commit: string }[] }>('GET', `${url}?limit=2`, { signal });
  const { data: document } = await admin.request<StoredDocument>('GET', `${url}/${data.entries[1]?.commit}`, {
    signal,
  });
  return { document, etag: '' };
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

/** What a new document begins with, and which draft it is. */
function toBeginning(from: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['from', 'locale', 'draft']) if (from.has(name)) query.set(name, from.get(name) ?? '');
  return query;
}

/**
 * `?from=<slug>` begins with a copy, with what is unsaved in it on this device; with `&locale=` it is the translation of
 * what is stored.
 */
async function readInitial(
  admin: Admin,
  collection: CollectionInfo,
  from: URLSearchParams,
  { prefix, signal }: { prefix: string; signal: AbortSignal },
) {
  const slug = from.get('from');
  const source = slug === null ? undefined : await read(admin, collection.name, slug, signal);
  if (!source) return undefined;
  const { document } = source;
  const locale = from.get('locale');
  if (locale !== null) return { data: document.data, locale, translationOf: document.slug };
  const unsaved = new Map((await draftStore().read(`${prefix}${document.id}`))?.edits);
  const unique = new Set(collection.fields.filter((field) => field.unique).map(({ name }) => name));
  const shown = Object.entries(withEdits(document.data, unsaved)).filter(([name]) => !unique.has(name));
  const edited = unsaved.get('locale');
  const own = edited ? edited.value : document.locale;
  return { data: Object.fromEntries(shown), ...(typeof own === 'string' ? { locale: own } : {}) };
}

interface ChangeEvent {
  commit: string;
  event: string;
  collection: string;
  slug: string;
  id?: string;
  author?: { name: string } | null;
}

/** Others' changes are read as they happen, and once more after the connection was lost. `author` is who wrote last. */
function followEvent(
  document: OpenDocument,
  { event, data }: ServiceEvent,
  author: { current: string | undefined },
): void {
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
