// What a person has not saved yet, kept on this device: per user, site and document.
import { createStore, del, entries, get, set } from 'idb-keyval';
import type { DocumentBody, FieldEdit } from './edits.ts';
import type { Proposal } from './proposal.ts';
import type { EditKey } from './stored-document.ts';

/** A create whose answer has not come: repeated with the same key, it is made once. */
export interface PendingCreate {
  key: string;
  body: DocumentBody & { status?: string };
  /** True if the body is what a model proposed: it is stored as the model's. */
  isProposed?: boolean;
}

export interface KeptDraft {
  edits: readonly [EditKey, FieldEdit][];
  /** The tag of the document as it was last seen; undefined for one that does not exist yet. */
  etag: string | undefined;
  pendingCreate?: PendingCreate | undefined;
  proposal?: Proposal | undefined;
  /** For lists of drafts. */
  title: string;
  collection: string;
  /** Below the address of the collection: a slug, or `new` with its query. */
  place: string;
  /** ISO 8601. */
  at: string;
}

export interface DraftStore {
  read(key: string): Promise<KeptDraft | undefined>;
  write(key: string, draft: KeptDraft): Promise<void>;
  /** For the moment in which a page is left, when nothing can be waited for. False if the device refused. */
  writeNow(key: string, draft: KeptDraft): boolean;
  remove(key: string): Promise<void>;
  /** Every draft whose key begins so, newest first. */
  list(prefix: string): Promise<{ key: string; draft: KeptDraft }[]>;
}

export function draftPrefix(userId: string, site: string | undefined): string {
  return `${userId}/${site ?? ''}/`;
}

/** Holds a draft that could not wait for the database; the next look moves it there. */
const AT_ONCE = 'colophon-draft:';

export function createDraftStore(): DraftStore {
  const store = createStore('colophon-drafts', 'drafts');
  const forget = (key: string): void => localStorage.removeItem(`${AT_ONCE}${key}`);

  async function write(key: string, draft: KeptDraft): Promise<void> {
    await set(key, draft, store);
    const text = localStorage.getItem(`${AT_ONCE}${key}`);
    // A slow write must not take a newer text with it.
    if (text !== null && (JSON.parse(text) as KeptDraft).at <= draft.at) forget(key);
  }

  async function read(key: string): Promise<KeptDraft | undefined> {
    const text = localStorage.getItem(`${AT_ONCE}${key}`);
    if (text === null) return get<KeptDraft>(key, store);
    const draft = JSON.parse(text) as KeptDraft;
    await write(key, draft);
    return draft;
  }

  return {
    ...{ read, write },
    writeNow(key, draft) {
      try {
        localStorage.setItem(`${AT_ONCE}${key}`, JSON.stringify(draft));
        return true;
      } catch (error) {
        if (error instanceof DOMException) return false;
        throw error;
      }
    },
    async remove(key) {
      forget(key);
      await del(key, store);
    },
    async list(prefix) {
      const left = Object.keys(localStorage).filter((name) => name.startsWith(`${AT_ONCE}${prefix}`));
      for (const name of left) await read(name.slice(AT_ONCE.length));
      const all = await entries<string, KeptDraft>(store);
      return all
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, draft]) => ({ key, draft }))
        .sort((a, b) => (a.draft.at < b.draft.at ? 1 : -1));
    },
  };
}
