// How a document on the screen is kept, saved and merged: it writes nothing that was not touched, one request at a
// time, and keeps every unsaved word on the device.
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ApiAnswer, ApiError, OfflineError } from '../api/client.ts';
import { toCreate, toRequest } from './create-request.ts';
import type { KeptDraft, PendingCreate } from './draft-store.ts';
import {
  afterSaving,
  type Conflict,
  type Edits,
  findConflicts,
  fromBody,
  hasConflict,
  ontoStored,
  rebaseEdits,
  resolveConflicts,
  toBody,
  withEdit,
} from './edits.ts';
import { isEqual } from './is-equal.ts';
import type { DocumentChange, Latest, OpenDocument, OpenDocumentParts, SaveState } from './open-document.ts';
import type { Proposal } from './proposal.ts';
import { dataKey, type EditKey, readKey, type StoredDocument } from './stored-document.ts';

/** Kept on the device so long after a key. */
const KEEP_MS = 300;
const NO_EDITS: Edits = new Map();
/** A document that changes again and again under a save. */
const MAX_ATTEMPTS = 5;

class DocumentOnScreen implements OpenDocument {
  readonly latest: Signal<Latest | undefined>;
  readonly edits = signal<Edits>(new Map());
  readonly conflicts = signal<readonly Conflict[]>([]);
  readonly proposal = signal<Proposal | undefined>(undefined);
  readonly isGone = signal(false);
  readonly isRestored = signal(false);
  readonly changedByOthers = signal<ReadonlySet<string>>(new Set());
  readonly saveState: ReadonlySignal<SaveState>;
  readonly isKeeping: ReadonlySignal<boolean>;
  readonly #parts: OpenDocumentParts;
  readonly #values = new Map<EditKey, ReadonlySignal<unknown>>();
  readonly #isSaving = signal(false);
  readonly #failure = signal<unknown>(undefined);
  readonly #isUnkept = signal(false);
  readonly #isRefused = signal(false);
  /** Fields without a value when the document was opened: emptied again, they are taken out. */
  readonly #absent = new Set<EditKey>();
  readonly #ownCommits = new Set<string>();
  #running: Promise<boolean> = Promise.resolve(true);
  #pendingCreate: PendingCreate | undefined;
  /** Others changed fields while there were edits: the next save brings both together. */
  #hasOthers = false;
  #pendingChange: DocumentChange = {};
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  #keeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: OpenDocumentParts, latest: Latest | undefined, kept: KeptDraft | undefined) {
    this.#parts = parts;
    this.latest = signal(latest);
    if (kept) {
      const edits: Edits = new Map(kept.edits);
      this.edits.value = latest ? rebaseEdits(edits, latest.document) : edits;
      this.#pendingCreate = kept.pendingCreate;
      this.proposal.value = kept.proposal;
      this.isRestored.value = this.edits.value.size > 0;
    } else if (!latest && parts.initial) this.#begin(parts.initial);
    this.saveState = computed(() => this.#toSaveState());
    this.isKeeping = computed(() => this.#isUnkept.value);
    let isFirst = true;
    effect(() => {
      void this.edits.value;
      if (!isFirst) this.#keepSoon();
      isFirst = false;
    });
  }

  #begin({ data, locale, translationOf }: NonNullable<OpenDocumentParts['initial']>): void {
    const edits = new Map<EditKey, { base: undefined; value: unknown }>();
    for (const [name, value] of Object.entries(data)) edits.set(dataKey(name), { base: undefined, value });
    if (locale !== undefined) edits.set('locale', { base: undefined, value: locale });
    if (translationOf !== undefined) edits.set('translationOf', { base: undefined, value: translationOf });
    this.edits.value = edits;
  }

  #toSaveState(): SaveState {
    if (this.#isSaving.value) return { kind: 'saving' };
    if (this.#failure.value !== undefined) return { kind: 'failed', error: this.#failure.value };
    const [edits, latest] = [this.edits.value, this.latest.value];
    if (latest && hasConflict(edits, latest.document)) return { kind: 'conflict' };
    return edits.size > 0 ? { kind: 'unsaved', isKept: !this.#isRefused.value } : { kind: 'saved' };
  }

  value(key: EditKey): ReadonlySignal<unknown> {
    let value = this.#values.get(key);
    if (!value) {
      // The same value stays the same object, so that a field is drawn again only if its own value changed.
      let last: unknown;
      value = computed(() => {
        const edit = this.edits.value.get(key);
        const next = edit ? edit.value : readKey(this.latest.value?.document, key);
        if (!isEqual(last, next)) last = next;
        return last;
      });
      this.#values.set(key, value);
    }
    return value;
  }

  data(): Record<string, unknown> {
    const data: Record<string, unknown> = { ...this.latest.value?.document.data };
    for (const [key, { value }] of this.edits.value) {
      if (!key.startsWith('data.')) continue;
      if (value === undefined) delete data[key.slice(5)];
      else data[key.slice(5)] = value;
    }
    return data;
  }

  set(key: EditKey, value: unknown): void {
    const stored = this.latest.value?.document;
    if (readKey(stored, key) === undefined && !this.edits.value.has(key)) this.#absent.add(key);
    const isEmptied = value === '' || value === null || (Array.isArray(value) && value.length === 0);
    this.edits.value = withEdit(this.edits.value, stored, key, isEmptied && this.#absent.has(key) ? undefined : value);
    // A draft that could not be sent still waits for the connection, whatever is typed meanwhile.
    const isWaiting = this.#failure.value instanceof OfflineError && this.#pendingChange.status === undefined;
    if (!isWaiting && !this.#isSaving.value) this.#failure.value = undefined;
  }

  save(change: DocumentChange = {}): Promise<boolean> {
    const run = (): Promise<boolean> => this.#save(change);
    this.#running = this.#running.then(run, run);
    return this.#running;
  }

  retry(): Promise<boolean> {
    return this.save(this.#pendingChange);
  }

  async #save(change: DocumentChange): Promise<boolean> {
    this.#isSaving.value = true;
    this.#pendingChange = change;
    this.#failure.value = undefined;
    try {
      return await this.#attempt(change);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && this.latest.value) {
        this.isGone.value = true;
        return false;
      }
      this.#failure.value = error;
      return false;
    } finally {
      this.#isSaving.value = false;
      await this.keep();
    }
  }

  async #attempt(change: DocumentChange): Promise<boolean> {
    if (!this.latest.value) {
      const isWhole = await this.#create(change);
      if (isWhole && this.edits.value.size === 0) return true;
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const latest = this.latest.value as Latest;
      const edits = isApart(change, latest.document) ? NO_EDITS : this.edits.value;
      const conflicts = findConflicts(edits, latest.document);
      if (conflicts.length > 0) {
        this.conflicts.value = conflicts;
        return false;
      }
      const sent = rebaseEdits(edits, latest.document);
      const body = { ...toBody(sent), ...change };
      if (Object.keys(body).length === 0) {
        this.edits.value = new Map();
        return true;
      }
      try {
        const answer = await this.#parts.request<StoredDocument>('PATCH', this.#url(latest.document.slug), {
          body,
          headers: { 'If-Match': latest.etag },
        });
        this.#accept(sent, answer);
        if (attempt > 0 || this.#hasOthers) this.#parts.onMerged();
        this.#hasOthers = false;
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        await this.reload();
      }
    }
    throw new Error('others change this document all the time');
  }

  /**
   * A first request whose answer was lost is repeated as it was, before anything newer is sent; false if `change` was
   * not in it.
   */
  async #create(change: DocumentChange): Promise<boolean> {
    this.#pendingCreate ??= toCreate(this.#parts.makeKey(), this.edits.value, change, this.proposal.value);
    const pending = this.#pendingCreate;
    await this.keep();
    try {
      const answer = await this.#parts.request<StoredDocument>('POST', ...toRequest(this.#parts.collection, pending));
      this.#pendingCreate = undefined;
      this.proposal.value = undefined;
      this.#accept(fromBody(pending.body), answer);
      this.edits.value = ontoStored(this.edits.value, answer.data);
      const made: Readonly<Record<string, unknown>> = { ...pending.body };
      return Object.entries(change).every(([key, value]) => isEqual(made[key], value));
    } catch (error) {
      // A refusal has made nothing; without an answer nobody knows.
      if (error instanceof ApiError && error.status < 500) this.#pendingCreate = undefined;
      throw error;
    }
  }

  #accept(sent: Edits, { data: document, etag = '', commit }: ApiAnswer<StoredDocument>): void {
    if (commit !== undefined) this.#ownCommits.add(commit);
    const before = this.latest.value?.document.slug;
    const oldKey = this.#draftKey();
    this.latest.value = { document, etag };
    this.edits.value = rebaseEdits(afterSaving(this.edits.value, sent, document), document);
    this.isRestored.value = false;
    if (this.#draftKey() !== oldKey) void this.#parts.drafts.remove(oldKey);
    if (document.slug !== before) this.#parts.onMoved(document.slug);
  }

  resolve(chosen: ReadonlyMap<EditKey, unknown>): Promise<boolean> {
    const latest = this.latest.value;
    if (latest) this.edits.value = resolveConflicts(this.edits.value, latest.document, chosen);
    this.conflicts.value = [];
    return this.save(this.#pendingChange);
  }

  postpone(): void {
    this.conflicts.value = [];
    this.#pendingChange = {};
  }

  async follow(commit: string | undefined): Promise<void> {
    // The news of a save may be here before its answer.
    await this.#running;
    if (commit === undefined || !this.#ownCommits.has(commit)) await this.reload();
  }

  async reload(): Promise<void> {
    const current = this.latest.value;
    if (!current) return;
    try {
      // By its id, since it may have been renamed.
      const { id, slug } = current.document;
      const { data, etag } = await this.#parts.request<StoredDocument>('GET', this.#url(id));
      this.#take(data, etag ?? '', current.document);
      if (data.slug !== slug) this.#parts.onMoved(data.slug);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.isGone.value = true;
    }
  }

  #take(document: StoredDocument, etag: string, before: StoredDocument): void {
    const names = new Set(this.changedByOthers.value);
    for (const name of new Set([...Object.keys(document.data), ...Object.keys(before.data)])) {
      if (isEqual(document.data[name], before.data[name])) continue;
      names.add(name);
      if (this.edits.value.size > 0) this.#hasOthers = true;
    }
    this.changedByOthers.value = names;
    this.latest.value = { document, etag };
    this.edits.value = rebaseEdits(this.edits.value, document);
    this.isGone.value = false;
    // A third change while one decides: the question starts again with it.
    if (this.conflicts.value.length > 0) this.conflicts.value = findConflicts(this.edits.value, document);
  }

  async discard(): Promise<void> {
    this.edits.value = new Map();
    this.conflicts.value = [];
    this.#failure.value = undefined;
    this.isRestored.value = false;
    this.#pendingCreate = undefined;
    this.proposal.value = undefined;
    await this.keep();
  }

  keepAsNew(): void {
    const data = this.data();
    const { locale } = this.latest.value?.document ?? {};
    void this.#parts.drafts.remove(this.#draftKey());
    this.latest.value = undefined;
    this.isGone.value = false;
    this.#begin({ data, ...(locale === undefined ? {} : { locale }) });
  }

  #url(document: string): string {
    return `/api/cms/${this.#parts.collection}/${encodeURIComponent(document)}`;
  }

  #draftKey(): string {
    return draftKeyOf(this.#parts, this.latest.value);
  }

  #keepSoon(): void {
    this.#isUnkept.value = true;
    if (this.#isClosed) void this.keep();
    else this.#keepTimer ??= setTimeout(() => void this.keep(), KEEP_MS);
  }

  keep(): Promise<void> {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    const write = async (): Promise<void> => {
      try {
        await this.#write();
        this.#isRefused.value = false;
      } catch {
        // Storage refuses in its own ways in each browser; what counts is that the text is only on the screen.
        this.#isRefused.value = true;
      }
    };
    this.#keeping = this.#keeping.then(write);
    return this.#keeping;
  }

  async #write(): Promise<void> {
    const [key, edits] = [this.#draftKey(), this.edits.value];
    const kept = this.#toKept();
    if (kept) await this.#parts.drafts.write(key, kept);
    else await this.#parts.drafts.remove(key);
    if (this.edits.value === edits) this.#isUnkept.value = false;
  }

  /** Undefined if there is nothing to keep. */
  #toKept(): KeptDraft | undefined {
    const edits = this.edits.value;
    if (edits.size === 0 && !this.#pendingCreate) return undefined;
    const { collection, titleOf, now, newQuery } = this.#parts;
    return {
      edits: [...edits],
      etag: this.latest.value?.etag,
      pendingCreate: this.#pendingCreate,
      proposal: this.proposal.value,
      title: titleOf(this.data()),
      collection,
      place: encodeURIComponent(this.latest.value?.document.slug ?? '') || `new${newQuery}`,
      at: now().toISOString(),
    };
  }

  keepNow(): boolean {
    if (!this.#isUnkept.value) return true;
    const kept = this.#toKept();
    void this.keep();
    return kept === undefined || this.#parts.drafts.writeNow(this.#draftKey(), kept);
  }

  close(): void {
    // A field that is removed from the screen after this says what was typed last.
    this.#isClosed = true;
    if (this.#keepTimer !== undefined) void this.keep();
  }
}

/** The schedule and the address of a published document are stored without the text that waits for publishing. */
function isApart(change: DocumentChange, { status }: StoredDocument): boolean {
  return status === 'published' && change.status === undefined && Object.keys(change).length > 0;
}

function draftKeyOf({ draftPrefix, newQuery }: OpenDocumentParts, latest: Latest | undefined): string {
  return `${draftPrefix}${latest?.document.id ?? `new${newQuery}`}`;
}

/** `latest` is undefined for a document that does not exist yet. Unsaved text of this device is restored. */
export async function openDocument(parts: OpenDocumentParts, latest: Latest | undefined): Promise<OpenDocument> {
  const kept = await parts.drafts.read(draftKeyOf(parts, latest));
  return new DocumentOnScreen(parts, latest, kept);
}
