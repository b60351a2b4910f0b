// Keys of entries that the index has to look at again, each once, and the batches in which they are handed to it.
import { isShortage } from '../lib/shortage.ts';
import type { IndexChange } from './index-home.ts';

/** One batch: half a group of commits, or this many bytes. Copying them is a fraction of a millisecond. */
const BATCH_KEYS = 32;
const BATCH_BYTES = 1 << 18;
const KEY_BYTES = 64;

export interface WaitingKeys {
  /** Without touched keys that are not added yet. */
  readonly size: number;
  /** Notes a key; cheap, for a change may be one of thousands. */
  touch(key: string): void;
  /** Adds the touched keys to the others. */
  addTouched(): void;
  add(key: string): void;
  /** Takes out what is handed over next; nothing if no entry can be read for want of descriptors: all go on waiting. */
  nextBatch(): { changes: IndexChange[]; bytes: number };
  list(): string[];
  clear(): void;
}

export function createWaitingKeys(read: (key: string) => Uint8Array | undefined): WaitingKeys {
  const waiting = new Set<string>();
  /** Touched, and not among them yet: a change of thousands is noted at once. */
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
    addTouched() {
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
