// Keeps what a person has not saved yet on this device: per user, site and document. All tabs that show a document have
// one draft of it, and each changes only the values that were touched in it, so none removes what another one wrote.
import { createStore, entries, promisifyRequest } from 'idb-keyval';
import { randomId } from '../api/random-id.ts';
import { type DraftChange, type KeptDraft, withChange } from './kept-draft.ts';

/** A draft was changed. */
export interface DraftNews {
  key: string;
  /** The document as that tab has seen it last. */
  etag: string | undefined;
  /** The id of the document that a new one has become. */
  movedTo?: string | undefined;
}

export type DraftListener = (news: DraftNews) => void;

export interface DraftStore {
  read(key: string): Promise<KeptDraft | undefined>;
  /** Everybody who listens is notified, in all tabs, except `own`. */
  change(key: string, change: DraftChange, own?: DraftListener, movedTo?: string): Promise<void>;
  /** For the moment in which a page is left, when nothing can be waited for. False if the device refused. */
  changeNow(key: string, change: DraftChange): boolean;
  /** Every draft whose key begins so, newest first. */
  list(prefix: string): Promise<{ key: string; draft: KeptDraft }[]>;
  /** Returns how one stops listening. */
  listen(listener: DraftListener): () => void;
  /** The draft of a new document belongs to the tab that has it open; false if another one has. */
  claim(key: string): Promise<boolean>;
  release(key: string): void;
  /** The draft that this tab had claimed last, also before a reload. */
  lastClaimed(): string | undefined;
}

export function draftPrefix(userId: string, site: string | undefined): string {
  return `${userId}/${site ?? ''}/`;
}

const CHANNEL = 'colophon-drafts';
/** Holds a change that could not wait for the database, per tab; the next look at its draft brings it there. */
const AT_ONCE = 'colophon-draft:';
const CLAIMED = 'colophon-claimed-draft';

export function createDraftStore(): DraftStore {
  const store = createStore('colophon-drafts', 'drafts');
  const tab = randomId();
  const channel = new BroadcastChannel(CHANNEL);
  const listeners = new Set<DraftListener>();
  channel.onmessage = ({ data }) => notify(data as DraftNews);

  function notify(news: DraftNews, own?: DraftListener): void {
    for (const listener of listeners) if (listener !== own) listener(news);
  }

  /** In one transaction, since other tabs write as well. */
  async function write(key: string, changes: readonly DraftChange[]): Promise<KeptDraft | undefined> {
    return store('readwrite', async (objects) => {
      const before = await promisifyRequest<KeptDraft | undefined>(objects.get(key));
      const draft = changes.reduce<KeptDraft | undefined>(withChange, before);
      if (draft) objects.put(draft, key);
      else objects.delete(key);
      await promisifyRequest(objects.transaction);
      return draft;
    });
  }

  /** Changes of pages that were left come first: what this tab has now is newer. */
  async function apply(key: string, change?: DraftChange): Promise<KeptDraft | undefined> {
    const left = leftBelow(key).filter((one) => one.key === key);
    const changes = left.map(({ text }) => JSON.parse(text) as DraftChange).sort((a, b) => (a.at < b.at ? -1 : 1));
    if (change) changes.push(change);
    if (changes.length === 0) return store('readonly', (objects) => promisifyRequest(objects.get(key)));
    const draft = await write(key, changes);
    for (const { name, text } of left) if (localStorage.getItem(name) === text) localStorage.removeItem(name);
    return draft;
  }

  return {
    read: (key) => apply(key),
    async change(key, change, own, movedTo) {
      const hasLeft = leftBelow(key).some((one) => one.key === key);
      await apply(key, change);
      const news: DraftNews = { key, etag: change.etag, movedTo };
      channel.postMessage(news);
      // What a tab left behind is new here as well.
      notify(news, hasLeft ? undefined : own);
    },
    changeNow(key, change) {
      try {
        localStorage.setItem(`${AT_ONCE}${key}#${tab}`, JSON.stringify(change));
        channel.postMessage({ key, etag: change.etag } satisfies DraftNews);
        return true;
      } catch (error) {
        if (error instanceof DOMException) return false;
        throw error;
      }
    },
    async list(prefix) {
      for (const key of new Set(leftBelow(prefix).map((one) => one.key))) await apply(key);
      const all = await entries<string, KeptDraft>(store);
      return all
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, draft]) => ({ key, draft }))
        .sort((a, b) => (a.draft.at < b.draft.at ? 1 : -1));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...createClaims(navigator.locks ?? UNLOCKED),
  };
}

interface LeftChange {
  /** In the local storage. */
  name: string;
  key: string;
  text: string;
}

/** What pages wrote while they were left, of drafts whose keys begin so. */
function leftBelow(prefix: string): LeftChange[] {
  return Object.entries(localStorage)
    .filter(([name]) => name.startsWith(`${AT_ONCE}${prefix}`))
    .map(([name, text]) => ({ name, key: name.slice(AT_ONCE.length, name.lastIndexOf('#')), text: String(text) }));
}

/** Web Locks, as far as they are needed. */
interface Locks {
  request(
    name: string,
    options: { ifAvailable: true },
    hold: (lock: object | null) => Promise<void> | undefined,
  ): Promise<unknown>;
}

/** Browsers have locks on https and localhost only. Elsewhere two tabs may get the same draft, whose values they share. */
const UNLOCKED: Locks = { request: async (_name, _options, hold) => hold({}) };

/** A tab that is closed, or breaks down, releases what it held. */
function createClaims(locks: Locks): Pick<DraftStore, 'claim' | 'release' | 'lastClaimed'> {
  const held = new Map<string, () => void>();
  return {
    claim(key) {
      if (held.has(key)) return Promise.resolve(true);
      return new Promise((resolve, reject) => {
        const hold = (lock: object | null): Promise<void> | undefined => {
          resolve(lock !== null);
          if (!lock) return undefined;
          sessionStorage.setItem(CLAIMED, key);
          return new Promise((release) => held.set(key, release));
        };
        locks.request(`${CHANNEL}:${key}`, { ifAvailable: true }, hold).catch(reject);
      });
    },
    release(key) {
      held.get(key)?.();
      held.delete(key);
    },
    lastClaimed: () => sessionStorage.getItem(CLAIMED) ?? undefined,
  };
}
