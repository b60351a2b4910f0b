// Keeps the edits of a document on the device, and brings in what other tabs changed in them. It writes only what was
// changed here, and takes over only what was not.
import { effect, type Signal, signal } from '@preact/signals';
import type { DraftListener, DraftNews, DraftStore } from './draft-store.ts';
import type { Edits } from './edits.ts';
import type { DraftChange, KeptDraft } from './kept-draft.ts';
import type { EditKey } from './stored-document.ts';

/** Kept on the device so long after a key. */
const KEEP_MS = 300;

export interface KeepingParts {
  drafts: DraftStore;
  edits: Signal<Edits>;
  /** What is on the device already. */
  kept: KeptDraft | undefined;
  key(): string;
  /** Everything but the edits. */
  describe(): Omit<KeptDraft, 'edits'>;
  /** Another tab has changed the draft. */
  onNews(news: DraftNews): void;
}

export interface Keeping {
  /** True while leaving the page would lose a word. */
  readonly isUnkept: Signal<boolean>;
  /** True if the device refused to keep it. */
  readonly isRefused: Signal<boolean>;
  /** Values that were touched here, and are not on the device yet. */
  readonly touched: ReadonlySet<EditKey>;
  keep(): Promise<void>;
  keepNow(): boolean;
  /** What the device has now, brought together with what was touched here; `settle` may drop some of it. */
  adopt(settle: (edits: Edits) => Edits): Promise<KeptDraft | undefined>;
  /** The draft at `key` is over: what is left of it is kept at the present key. */
  leave(key: string, movedTo?: string): Promise<void>;
  close(): void;
}

export function createKeeping({ drafts, edits, kept: first, key, describe, onNews }: KeepingParts): Keeping {
  const isUnkept = signal(false);
  const isRefused = signal(false);
  const touched = new Set<EditKey>();
  /** The keys that the device has. */
  let kept = new Set<EditKey>(first?.edits.map(([name]) => name));
  let keptCreate = first?.pendingCreate;
  let keptSlug = first?.slug;
  let before: Edits = new Map(first?.edits);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  let isBegun = false;
  const listener: DraftListener = (news) => {
    if (news.key === key()) onNews(news);
  };
  const stopListening = drafts.listen(listener);

  effect(() => {
    const now = edits.value;
    const changed = differingKeys(before, now);
    before = now;
    for (const name of changed) touched.add(name);
    // What a new document begins with is kept with the first word.
    if (changed.length > 0 && (isBegun || first)) keepSoon();
    isBegun = true;
  });

  function keepSoon(): void {
    isUnkept.value = true;
    if (isClosed) void keep();
    else timer ??= setTimeout(() => void keep(), KEEP_MS);
  }

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = running.then(act);
    running = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  const toChange = (): DraftChange => ({ ...describe(), ...changeOf(edits.peek(), touched) });

  async function write(): Promise<void> {
    const change = toChange();
    const isMoved = kept.size > 0 && change.slug !== keptSlug;
    if (touched.size > 0 || isMoved || change.pendingCreate !== keptCreate) {
      const [written, into] = [edits.peek(), kept];
      await drafts.change(key(), change, listener);
      for (const [name] of change.edits) into.add(name);
      for (const name of change.done) into.delete(name);
      // The document may have another draft by now.
      if (into !== kept) return;
      keptCreate = change.pendingCreate;
      keptSlug = change.slug;
      for (const name of [...touched]) if (edits.peek().get(name) === written.get(name)) touched.delete(name);
    }
    if (touched.size === 0) isUnkept.value = false;
  }

  function keep(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return inTurn(async () => {
      try {
        await write();
        isRefused.value = false;
      } catch {
        // Storage refuses in its own ways in each browser; what counts is that the text is only on the screen.
        isRefused.value = true;
      }
    });
  }

  return {
    ...{ isUnkept, isRefused, touched, keep },
    keepNow() {
      if (!isUnkept.peek()) return true;
      const change = toChange();
      const isKept = drafts.changeNow(key(), change);
      void keep();
      return isKept || change.edits.length === 0;
    },
    adopt: (settle) =>
      inTurn(async () => {
        const draft = await drafts.read(key());
        const theirs: Edits = new Map(draft?.edits);
        before = bringTogether(edits.peek(), theirs, touched);
        kept = new Set(theirs.keys());
        keptCreate = draft?.pendingCreate;
        edits.value = settle(before);
        return draft;
      }),
    async leave(old, movedTo) {
      drafts.release(old);
      const over = kept;
      kept = new Set();
      keptCreate = undefined;
      touched.clear();
      for (const name of edits.peek().keys()) touched.add(name);
      if (touched.size > 0) keepSoon();
      const end = (): DraftChange => ({ ...describe(), edits: [], done: [...over], pendingCreate: undefined });
      await inTurn(() => drafts.change(old, end(), listener, movedTo)).catch(() => (isRefused.value = true));
    },
    close() {
      // A field that is removed from the screen after this says what was typed last.
      isClosed = true;
      stopListening();
      if (timer !== undefined) void keep();
    },
  };
}

function differingKeys(one: Edits, other: Edits): EditKey[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

function changeOf(edits: Edits, touched: ReadonlySet<EditKey>): Pick<DraftChange, 'edits' | 'done'> {
  return {
    edits: [...edits].filter(([key]) => touched.has(key)),
    done: [...touched].filter((key) => !edits.has(key)),
  };
}

/** `own` where it was touched, and `theirs` everywhere else. */
function bringTogether(own: Edits, theirs: Edits, touched: ReadonlySet<EditKey>): Edits {
  const mine = [...own].filter(([key]) => touched.has(key));
  return new Map([...[...theirs].filter(([key]) => !touched.has(key)), ...mine]);
}
