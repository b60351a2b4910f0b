// Saves a site's views now and then, so that a start reads only what has changed since. Nothing depends on it: what was
// not saved is read from the repository.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeRows } from '../content/rows/saved-view.ts';
import { warmDefaultOrders } from '../content/rows/warm.ts';
import type { SiteHistory } from '../history/open-history.ts';
import type { LazyIndex } from '../search/lazy-index.ts';
import { writeSavedFile } from '../store/disk/saved-file.ts';
import type { Store } from '../store/store.ts';
import type { SiteViews } from './open-views.ts';

export interface SavingParts {
  views: Pick<SiteViews, 'view' | 'mediaView' | 'warnings' | 'claims' | 'times' | 'changes'>;
  index: LazyIndex;
  history: Pick<SiteHistory, 'save' | 'hasNews'>;
  store: Pick<Store, 'log' | 'odb'>;
  folder: string;
  version: string;
  closing: AbortSignal;
  warn(message: string, error?: unknown): void;
}

export interface Saving {
  /** A call during a save gets the result of that save. */
  save(): Promise<void>;
  /** From now on saves whenever much has changed, and when it is closed. */
  start(): void;
  /** Saves what has changed, if `start` was called. */
  close(): Promise<void>;
}

/** The views are saved once this much has changed since the last time, checked this often, and at the end. */
const SAVE_AFTER_CHANGES = 2000;
const CHECK_MS = 30_000;

export function createSaving({ views, index, history, store, folder, version, closing, warn }: SavingParts): Saving {
  const { view, mediaView, warnings, claims, times, changes } = views;
  let saving: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Saves the views of one moment under the name of its commit; writes them once the branch has that commit. */
  async function saveNow(): Promise<void> {
    await warmDefaultOrders(view, closing);
    const { result: captured, index: savedIndex } = await index.save(() => ({
      commit: store.log.status().head,
      // In the default order of lists, so that the next start finds them sorted.
      rows: [...view.collections()].map(({ schema, order }) => ({
        name: schema.name,
        rows: order('createdAt', 'desc').rows(),
      })),
      warnings: JSON.stringify({ warnings: [...warnings], claims: claims.save(), times: [...times.entries()] }),
      media: mediaView.save(),
      changes: changes.count,
    }));
    try {
      await store.log.flush();
      // Each of these blocks the event loop for a moment.
      await nextTurn();
      await history.save();
      await nextTurn();
      // If an external commit came first, our commit was replayed under another name; the next save covers it.
      if (!captured.commit || !store.odb.has(captured.commit)) return;
      const sections = {
        ...encodeRows(captured.rows),
        ...(savedIndex && {
          search: savedIndex.pieces,
          unindexed: [Buffer.from(JSON.stringify(savedIndex.waiting))],
        }),
        warnings: [Buffer.from(captured.warnings)],
        media: [Buffer.from(JSON.stringify(captured.media))],
      };
      await writeSavedFile(folder, { commit: captured.commit, version }, sections);
      changes.count -= captured.changes;
    } finally {
      savedIndex?.end();
    }
  }

  const save = (): Promise<void> => (saving ??= saveNow().finally(() => (saving = undefined)));
  const saveOrWarn = (): Promise<void> => save().catch((error) => warn('views could not be saved', error));

  return {
    save,
    start() {
      timer = setInterval(() => {
        if (changes.count >= SAVE_AFTER_CHANGES && !closing.aborted) void saveOrWarn();
      }, CHECK_MS).unref();
    },
    async close() {
      if (!timer) return;
      clearInterval(timer);
      await saving?.catch(() => undefined); // reported where it was started
      if ((changes.count > 0 || history.hasNews()) && !store.log.status().refusal) await saveOrWarn();
    },
  };
}
