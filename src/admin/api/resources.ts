// What the service has, by its address: loaded once for all who look at it, checked again by its ETag when the event
// stream says so, and kept on the screen while that happens.
import { type Signal, signal } from '@preact/signals';
import type { Client } from './client.ts';

export type ResourceState<T> =
  | { kind: 'loading' }
  | { kind: 'ready'; data: T; isStale: boolean }
  | { kind: 'failed'; error: unknown };

export interface Resource<T> {
  readonly url: string;
  readonly state: Signal<ResourceState<T>>;
  /** The tag of the data. */
  readonly etag: string | undefined;
  /** Asks the service again; resolves in any case. */
  refresh(): Promise<void>;
}

export interface Resources {
  get<T>(url: string): Resource<T>;
  /** Asks again for what begins so and is on the screen, at once; for the rest when it is shown again. */
  refresh(prefix: string, isGone?: (url: string) => boolean): void;
  /** Forgets everything: another person signs in. */
  clear(): void;
}

interface KeptResource extends Resource<unknown> {
  etag: string | undefined;
  running: Promise<void> | undefined;
  isWanted: boolean;
  isWatched: boolean;
  /** It may have changed while nothing showed it. */
  isOld: boolean;
}

export function createResources(request: Client): Resources {
  const entries = new Map<string, KeptResource>();

  async function load(entry: KeptResource): Promise<void> {
    const before = entry.state.value;
    if (before.kind === 'failed') entry.state.value = { kind: 'loading' };
    try {
      const headers: Record<string, string> = entry.etag ? { 'If-None-Match': entry.etag } : {};
      const { status, data, etag } = await request<unknown>('GET', entry.url, { headers });
      if (status === 304) return;
      entry.etag = etag;
      entry.state.value = { kind: 'ready', data, isStale: false };
    } catch (error) {
      // What was loaded stays on the screen: a reader who is offline can go on reading.
      entry.state.value = before.kind === 'ready' ? { ...before, isStale: true } : { kind: 'failed', error };
    }
  }

  /** A change during a request may be missing in its answer, so it is asked once more afterwards. */
  function refresh(entry: KeptResource): Promise<void> {
    if (entry.running) {
      entry.isWanted = true;
      return entry.running;
    }
    entry.running = load(entry).finally(() => {
      entry.running = undefined;
      if (!entry.isWanted) return;
      entry.isWanted = false;
      return refresh(entry);
    });
    return entry.running;
  }

  return {
    get<T>(url: string): Resource<T> {
      let entry = entries.get(url);
      if (!entry) {
        const state = signal<ResourceState<unknown>>(
          { kind: 'loading' },
          {
            watched: () => (made.isWatched = true),
            unwatched: () => (made.isWatched = false),
          },
        );
        const made: KeptResource = {
          url,
          state,
          etag: undefined,
          running: undefined,
          ...{ isWanted: false, isWatched: false, isOld: false },
          refresh: () => refresh(made),
        };
        entries.set(url, made);
        entry = made;
        void refresh(made);
      } else if (entry.isOld) {
        entry.isOld = false;
        void refresh(entry);
      }
      return entry as Resource<unknown> as Resource<T>;
    },
    refresh(prefix, isGone = () => false) {
      for (const entry of entries.values()) {
        if (!entry.url.startsWith(prefix) || isGone(entry.url)) continue;
        if (entry.isWatched) void refresh(entry);
        else entry.isOld = true;
      }
    },
    clear: () => entries.clear(),
  };
}
