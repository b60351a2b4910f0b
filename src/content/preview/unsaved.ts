// Data that people preview without saving it, in memory: bounded for each person and in all, gone after an hour.
import { ServiceError } from '../../lib/errors.ts';
import type { Data } from '../document.ts';

export interface Unsaved {
  /** Replaces what the nonce names. Drops the oldest of the owner's, then of everybody's, to make room. */
  put(nonce: string, owner: string, data: Data, expiresAt: number): void;
  find(nonce: string, nowMs: number): Data | undefined;
}

export interface UnsavedLimits {
  ownerCount: number;
  ownerBytes: number;
  totalBytes: number;
}

const LIMITS: UnsavedLimits = { ownerCount: 20, ownerBytes: 4 << 20, totalBytes: 64 << 20 };

interface UnsavedEntry {
  owner: string;
  json: string;
  bytes: number;
  expiresAt: number;
}

export function createUnsaved(limits: UnsavedLimits = LIMITS): Unsaved {
  // In the order of the last `put`.
  const entries = new Map<string, UnsavedEntry>();

  function drop(isOver: (kept: readonly UnsavedEntry[]) => boolean, isMeant: (entry: UnsavedEntry) => boolean): void {
    for (const [nonce, entry] of entries) {
      if (!isOver([...entries.values()].filter(isMeant))) return;
      if (isMeant(entry)) entries.delete(nonce);
    }
  }

  return {
    put(nonce, owner, data, expiresAt) {
      const json = JSON.stringify(data);
      const bytes = Buffer.byteLength(json);
      if (bytes > limits.ownerBytes) throw new ServiceError('too_large', `data is over ${limits.ownerBytes} bytes`);
      entries.delete(nonce);
      entries.set(nonce, { owner, json, bytes, expiresAt });
      drop(
        (kept) => kept.length > limits.ownerCount || bytesOf(kept) > limits.ownerBytes,
        (entry) => entry.owner === owner,
      );
      drop(
        (kept) => bytesOf(kept) > limits.totalBytes,
        () => true,
      );
    },
    find(nonce, nowMs) {
      for (const [key, { expiresAt }] of entries) if (expiresAt <= nowMs) entries.delete(key);
      const found = entries.get(nonce);
      return found && (JSON.parse(found.json) as Data);
    },
  };
}

function bytesOf(entries: readonly UnsavedEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
