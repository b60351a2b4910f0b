// Keys of entries that have to be indexed again, each once, and the batches in which they are handed to the index.
import { isShortage } from '../lib/shortage.ts';
import type { IndexChange } from './index-home.ts';

/** One batch: half a group of commits, or this many bytes, whose copy takes a fraction of a millisecond. */
const BATCH_KEYS = 32;
const BATCH_BYTES = 1 << 18;
const KEY_BYTES = 64;

export interface WaitingKeys {
  /** Does not count touched keys that are not merged yet. */
  readonly size: number;
  /** Notes a key; cheap, because thousands may change at once. */
  touch(key: string): void;
  /** Adds the touched keys to those that wait. */
  mergeTouched(): void;
  add(key: string): void;
  /**
   * Removes and reads the next keys. Empty if no entry can be read for lack of resources; then all keys keep waiting.
   */
  nextBatch(): { changes: IndexChange[]; bytes: number };
  list(): string[];
  clear(): void;
}

export function createWaitingKeys(read: (key: string) => Uint8Array | undefined): WaitingKeys {
  const waiting = new Set<string>();
  /** Touched keys that are not merged yet. */
  let fresh: string[] = [];

  function readUnlessShort(key: string): { found: ReturnType<typeof read> } | undefined {
    try {
      return { found: read(key) };
    } catch (error) {
      if (isShortage(error)) return undefined;
      throw error;
    }
  }

  return {
    get size() {
      return waiting.size;
    },
    touch: (key) => void fresh.push(key),
    mergeTouched() {
      for (const key of fresh) waiting.add(key);
      fresh = [];
    },
    add: (key) => void waiting.add(key),
    nextBatch() {
      const changes: IndexChange[] = [];
      let bytes = 0;
      for (const key of waiting) {
        const entry = readUnlessShort(key);
        if (!entry) break;
        waiting.delete(key);
        const { found } = entry;
        changes.push({ key, bytes: found });
        bytes += KEY_BYTES + (found?.length ?? 0);
        if (changes.length >= BATCH_KEYS || bytes > BATCH_BYTES) break;
      }
      return { changes, bytes };
    },
    list: () => [...waiting],
    clear() {
      waiting.clear();
      fresh = [];
    },
  };
}
