// How a document on the screen is kept, saved and merged: it writes nothing that was not touched, one request at a
// time, and keeps every unsaved word on the device. It is one file because all of that turns on one private state; what
// does not is beside it.
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ApiAnswer, ApiError, OfflineError } from '../api/client.ts';
import { isMissing } from '../api/failure.ts';
import { toCreate, toRequest } from './create-request.ts';
import type { DraftNews } from './draft-store.ts';
import {
  afterSaving,
  type Conflict,
  changedFields,
  type Edits,
  findConflicts,
  fromBody,
  hasConflict,
  ontoStored,
  rebaseEdits,
  resolveConflicts,
  toBody,
  withEdit,
  withEdits,
} from './edits.ts';
import { isEqual } from './is-equal.ts';
import { createKeeping, type Keeping } from './keeping.ts';
import { type KeptDraft, type PendingCreate, toNewPlace } from './kept-draft.ts';
import type { DocumentChange, Latest, OpenDocument, OpenDocumentParts, SaveState } from './open-document.ts';
import { type Proposal, storeProposed } from './proposal.ts';
import { STATES } from './save-states.ts';
import { steady } from './steady.ts';
import { type EditKey, type Keyed, readKey, type StoredDocument } from './stored-document.ts';

const NO_EDITS: Edits = new Map();
/** A document that changes again and again under a save. */
const MAX_ATTEMPTS = 5;

/** A request that is made, or would be made again. */
interface PendingSave {
  change: DocumentChange;
  /** Whether what is unsaved is stored with it. */
  hasEdits: boolean;
}

const SAVING: PendingSave = { change: {}, hasEdits: true };

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
  readonly keep: Keeping['keep'];
  readonly keepNow: Keeping['keepNow'];
  readonly #keeping: Keeping;
  readonly #parts: OpenDocumentParts;
  readonly #values = new Map<EditKey, ReadonlySignal<unknown>>();
  readonly #data = computed(() => withEdits(this.#stored().data, this.edits.value));
  readonly #isSaving = signal(false);
  readonly #failure = signal<unknown>(undefined);
  /** Fields without a value when the document was opened: emptied again, they are taken out. */
  readonly #absent = new Set<EditKey>();
  readonly #ownCommits = new Set<string>();
  #running: Promise<boolean> = Promise.resolve(true);
  #pendingCreate: PendingCreate | undefined;
  /** Others changed fields while there were edits: the next save brings both together. */
  #hasOthers = false;
  #pending = SAVING;
  #newPlace: string;

  constructor(parts: OpenDocumentParts, latest: Latest | undefined, kept: KeptDraft | undefined, isGone: boolean) {
    this.#parts = parts;
    this.#newPlace = parts.newPlace;
    this.latest = signal(latest);
    this.isGone.value = isGone;
    if (kept) {
      this.edits.value = latest ? rebaseEdits(new Map(kept.edits), latest.document) : new Map(kept.edits);
      this.#pendingCreate = kept.pendingCreate;
      this.proposal.value = kept.proposal;
      this.isRestored.value = this.edits.value.size > 0;
    } else if (!latest && parts.initial) this.edits.value = fromBody(parts.initial);
    this.#keeping = createKeeping({
      ...{ drafts: parts.drafts, edits: this.edits, kept },
      key: () => this.#draftKey(),
      describe: () => this.#describe(),
      onNews: (news) => void this.#onNews(news),
    });
    this.keep = this.#keeping.keep;
    this.keepNow = this.#keeping.keepNow;
    this.saveState = computed(() => this.#toSaveState());
    this.isKeeping = this.#keeping.isUnkept;
  }

  #toSaveState(): SaveState {
    if (this.#isSaving.value) return STATES.saving;
    if (this.#failure.value !== undefined) return { kind: 'failed', error: this.#failure.value };
    const [edits, latest] = [this.edits.value, this.latest.value];
    if (latest && hasConflict(edits, latest.document)) return STATES.conflict;
    if (edits.size === 0) return STATES.saved;
    return this.#keeping.isRefused.value ? STATES.unkept : STATES.unsaved;
  }

  /** A new document gets the default values, unless it has others. */
  #stored(): Keyed {
    return this.latest.value?.document ?? { data: this.#parts.defaults ?? {} };
  }

  value(key: EditKey): ReadonlySignal<unknown> {
    let value = this.#values.get(key);
    if (!value) {
      value = steady(() => {
        const edit = this.edits.value.get(key);
        return edit ? edit.value : readKey(this.#stored(), key);
      });
      this.#values.set(key, value);
    }
    return value;
  }

  data(): Readonly<Record<string, unknown>> {
    return this.#data.value;
  }

  set(key: EditKey, value: unknown): void {
    const stored = this.#stored();
    if (readKey(stored, key) === undefined && !this.edits.value.has(key)) this.#absent.add(key);
    const isEmptied = value === '' || value === null || (Array.isArray(value) && value.length === 0);
    this.edits.value = withEdit(this.edits.value, stored, key, isEmptied && this.#absent.has(key) ? undefined : value);
    // A draft that could not be sent still waits for the connection, whatever is typed meanwhile.
    const isPublication = this.#pending.hasEdits && this.#pending.change.status !== undefined;
    const isWaiting = this.#failure.value instanceof OfflineError && !isPublication;
    if (!isWaiting && !this.#isSaving.value) this.#failure.value = undefined;
  }

  save(change: DocumentChange = {}): Promise<boolean> {
    return this.#write({ change, hasEdits: true });
  }

  change(change: DocumentChange): Promise<boolean> {
    return this.#write({ change, hasEdits: false });
  }

  retry(): Promise<boolean> {
    return this.#write(this.#pending);
  }

  #write(wanted: PendingSave): Promise<boolean> {
    const run = (): Promise<boolean> => this.#save(wanted);
    this.#running = this.#running.then(run, run);
    return this.#running;
  }

  async #save(wanted: PendingSave): Promise<boolean> {
    this.#isSaving.value = true;
    this.#pending = wanted;
    this.#failure.value = undefined;
    try {
      return await this.#attempt(wanted);
    } catch (error) {
      if (isMissing(error) && this.latest.value) {
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

  async #attempt({ change, hasEdits }: PendingSave): Promise<boolean> {
    if (!this.latest.value) {
      const isWhole = await this.#create(change);
      if (isWhole && this.edits.value.size === 0) return true;
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const latest = this.latest.value as Latest;
      const conflicts = findConflicts(hasEdits ? this.edits.value : NO_EDITS, latest.document);
      if (conflicts.length > 0) {
        this.conflicts.value = conflicts;
        return false;
      }
      try {
        if (hasEdits) await storeProposed(this, this.#parts, (sent, answer) => this.#accept(sent, answer));
        const { document, etag } = this.latest.value as Latest;
        const sent = rebaseEdits(hasEdits ? this.edits.value : NO_EDITS, document);
        const body = { ...toBody(sent), ...change };
        if (Object.keys(body).length === 0) {
          this.edits.value = NO_EDITS;
          return true;
        }
        const answer = await this.#parts.request<StoredDocument>('PATCH', this.#url(document.slug), {
          body,
          headers: { 'If-Match': etag },
        });
        this.#accept(hasEdits ? sent : fromBody(change), answer);
        if (hasEdits && this.#hasOthers) this.#parts.onMerged();
        if (hasEdits) this.#hasOthers = false;
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
    batch(() => {
      this.latest.value = { document, etag };
      this.edits.value = rebaseEdits(afterSaving(this.edits.value, sent, document), document);
    });
    if (this.edits.value.size === 0) this.isRestored.value = false;
    if (this.#draftKey() !== oldKey) void this.#keeping.leave(oldKey, document.id);
    if (document.slug !== before) this.#parts.onMoved(encodeURIComponent(document.slug));
  }

  resolve(chosen: ReadonlyMap<EditKey, unknown>): Promise<boolean> {
    const latest = this.latest.value;
    if (latest) this.edits.value = resolveConflicts(this.edits.value, latest.document, chosen);
    this.conflicts.value = [];
    return this.retry();
  }

  postpone(): void {
    this.conflicts.value = [];
    this.#pending = SAVING;
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
      if (data.slug === slug) return;
      this.#parts.onMoved(encodeURIComponent(data.slug));
      await this.keep();
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.isGone.value = true;
    }
  }

  #take(document: StoredDocument, etag: string, before: StoredDocument): void {
    const names = changedFields(before, document);
    if (names.length > 0 && this.edits.value.size > 0) this.#hasOthers = true;
    this.changedByOthers.value = new Set([...this.changedByOthers.value, ...names]);
    batch(() => {
      this.latest.value = { document, etag };
      this.edits.value = rebaseEdits(this.edits.value, document);
    });
    this.isGone.value = false;
    // A third change while one decides: the question starts again with it.
    if (this.conflicts.value.length === 0) return;
    this.conflicts.value = findConflicts(this.edits.value, document);
    if (this.conflicts.value.length > 0) return;
    // It took the question away, and what the person wanted goes on.
    this.#parts.onSettled();
    void this.retry();
  }

  async discard(): Promise<() => void> {
    const [edits, create, proposal] = [this.edits.value, this.#pendingCreate, this.proposal.value];
    this.edits.value = NO_EDITS;
    this.conflicts.value = [];
    this.#failure.value = undefined;
    this.isRestored.value = false;
    this.#pendingCreate = undefined;
    this.proposal.value = undefined;
    await this.keep();
    return () => {
      // With what they are based on: others may have changed the same since.
      this.#pendingCreate ??= create;
      this.proposal.value ??= proposal;
      this.edits.value = new Map([...edits, ...this.edits.value]);
    };
  }

  keepAsNew(): void {
    const data = this.data();
    const { locale } = this.latest.value?.document ?? {};
    const oldKey = this.#draftKey();
    this.#newPlace = toNewPlace(new URLSearchParams(), this.#parts.makeKey());
    batch(() => {
      this.latest.value = undefined;
      this.isGone.value = false;
      this.isRestored.value = false;
      this.proposal.value = undefined;
      this.edits.value = fromBody({ data, ...(locale === undefined ? {} : { locale }) });
    });
    void this.#parts.drafts.claim(this.#draftKey());
    void this.#keeping.leave(oldKey);
    this.#parts.onMoved(this.#newPlace);
  }

  #url(document: string): string {
    return `/api/cms/${this.#parts.collection}/${encodeURIComponent(document)}`;
  }

  #draftKey(): string {
    return draftKeyOf(this.#parts, this.latest.value, this.#newPlace);
  }

  #describe(): Omit<KeptDraft, 'edits'> {
    const { collection, titleOf, now } = this.#parts;
    const { document, etag } = this.latest.value ?? {};
    return {
      ...{ etag, collection, slug: document?.slug },
      pendingCreate: this.#pendingCreate,
      proposal: this.proposal.value,
      title: titleOf(this.data()),
      place: document?.id ?? this.#newPlace,
      at: now().toISOString(),
    };
  }

  /** The same document in another tab: what was not touched here is as it is there. */
  async #onNews({ etag, movedTo }: DraftNews): Promise<void> {
    await this.#running;
    try {
      if (movedTo !== undefined && !this.latest.value) return await this.#followCreate(movedTo);
      if (this.latest.value && etag !== this.latest.value.etag) await this.reload();
    } catch (error) {
      // Without an answer the text is brought together all the same; the service is asked again once it is back.
      if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
    }
    const draft = await this.#keeping.adopt((edits) =>
      this.latest.value ? rebaseEdits(edits, this.latest.value.document) : edits,
    );
    this.#pendingCreate = draft?.pendingCreate;
    this.proposal.value = draft?.proposal ?? this.proposal.value;
  }

  /** Another tab has saved this new document. */
  async #followCreate(id: string): Promise<void> {
    const { data: document, etag = '' } = await this.#parts.request<StoredDocument>('GET', this.#url(id));
    const oldKey = this.#draftKey();
    const own = [...this.edits.value].filter(([key]) => this.#keeping.touched.has(key));
    batch(() => {
      this.latest.value = { document, etag };
      this.edits.value = new Map(own.map(([key, { value }]) => [key, { base: readKey(document, key), value }]));
    });
    this.#pendingCreate = undefined;
    void this.#keeping.leave(oldKey, id);
    this.#parts.onMoved(encodeURIComponent(document.slug));
  }

  close(): void {
    this.#keeping.close();
    this.#parts.drafts.release(this.#draftKey());
  }
}

function draftKeyOf({ draftPrefix }: OpenDocumentParts, latest: Latest | undefined, newPlace: string): string {
  return `${draftPrefix}${latest?.document.id ?? newPlace}`;
}

/**
 * `latest` is undefined for a document that does not exist yet, and the last version of one that was deleted. Unsaved
 * text of this device is restored.
 */
export async function openDocument(
  parts: OpenDocumentParts,
  latest: Latest | undefined,
  isGone = false,
): Promise<OpenDocument> {
  const kept = await parts.drafts.read(draftKeyOf(parts, latest, parts.newPlace));
  return new DocumentOnScreen(parts, latest, kept, isGone);
}
