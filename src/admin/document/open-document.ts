// A document on the screen: what the service has, what the person has changed since, and how the two become one.
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Client } from '../api/client.ts';
import type { DraftStore } from './draft-store.ts';
import type { Conflict, Edits } from './edits.ts';
import type { Proposal } from './proposal.ts';
import type { DocumentStatus, EditKey, StoredDocument } from './stored-document.ts';

/** What is written beside the edits. */
export interface DocumentChange {
  status?: DocumentStatus;
  publishAt?: string | null;
  unpublishAt?: string | null;
  slug?: string;
  updateReferences?: boolean;
}

export type SaveState =
  | { kind: 'saved' }
  /** False if the device refused to keep it, such as a private window without storage. */
  | { kind: 'unsaved'; isKept: boolean }
  | { kind: 'saving' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'conflict' };

export interface Latest {
  document: StoredDocument;
  etag: string;
}

export interface OpenDocumentParts {
  request: Client;
  drafts: DraftStore;
  /** Where drafts of this collection are kept: their keys begin so. */
  draftPrefix: string;
  collection: string;
  /** The address of a new document below that of its collection: each has unsaved text of its own. */
  newPlace: string;
  /** What a new document has from the start, such as the text that it translates. */
  initial?: { data: Record<string, unknown>; locale?: string; translationOf?: string } | undefined;
  /** What the service stores in a new document where it is left out. */
  defaults?: Readonly<Record<string, unknown>>;
  titleOf(data: Readonly<Record<string, unknown>>): string;
  now(): Date;
  makeKey(): string;
  /** The document has another address below that of its collection: it was created, renamed, or is a new one now. */
  onMoved(place: string): void;
  /** Changes of others went into what was saved. */
  onMerged(): void;
  /** Another change by others has left nothing to decide; what the person wanted goes on. */
  onSettled(): void;
}

export interface OpenDocument {
  /** Undefined while it does not exist yet. */
  readonly latest: Signal<Latest | undefined>;
  readonly edits: Signal<Edits>;
  readonly saveState: ReadonlySignal<SaveState>;
  /** Not empty: a decision is wanted. */
  readonly conflicts: Signal<readonly Conflict[]>;
  /** Texts of a model that the person took into the form, until they are saved. */
  readonly proposal: Signal<Proposal | undefined>;
  /** True after it was deleted by another user. */
  readonly isGone: Signal<boolean>;
  /** True if unsaved text was found on the device. */
  readonly isRestored: Signal<boolean>;
  /** True while leaving the page would lose a word. */
  readonly isKeeping: ReadonlySignal<boolean>;
  /** Names of fields that others have changed since it was opened. */
  readonly changedByOthers: Signal<ReadonlySet<string>>;
  value(key: EditKey): ReadonlySignal<unknown>;
  /** All fields as they are on the screen. */
  data(): Readonly<Record<string, unknown>>;
  set(key: EditKey, value: unknown): void;
  /** True if everything is stored. False if it is not: see `saveState`. */
  save(change?: DocumentChange): Promise<boolean>;
  /** Changes the document as a whole; what is unsaved stays unsaved. */
  change(change: DocumentChange): Promise<boolean>;
  /** The same once more, after it failed. */
  retry(): Promise<boolean>;
  /** Stores the chosen values of what both sides changed. */
  resolve(chosen: ReadonlyMap<EditKey, unknown>): Promise<boolean>;
  /** Closes the question; the next save asks it again. */
  postpone(): void;
  /** Reads it again, whatever has happened. */
  reload(): Promise<void>;
  /** Reads it again if a commit is not one of its own; undefined may be any. */
  follow(commit: string | undefined): Promise<void>;
  /** Returns the way back. */
  discard(): Promise<() => void>;
  /** A deleted document becomes a new one with the same text. */
  keepAsNew(): void;
  /** Writes what is not on the device yet. */
  keep(): Promise<void>;
  /** The same at once, while the page is left; false if the device refused. */
  keepNow(): boolean;
  close(): void;
}
