// Data that people preview without saving it, in memory: bounded for each person and in all, gone after an hour.
import { ServiceError } from '../../lib/errors.ts';
import type { Data } from '../document.ts';

export interface Unsaved {
  /** Replaces what the nonce names. Drops the oldest of the owner's, then of everybody's, to make room. */
  put(nonce: string, owner: string, data: Data, expiresAt: number): void;
  /** Undefined if there was never any; `dropped` if it had to make room. */
  find(nonce: string, nowMs: number): Data | 'dropped' | undefined;
}

export interface UnsavedLimits {
  ownerCount: number;
  ownerBytes: number;
  totalBytes: number;
}

const LIMITS: UnsavedLimits = { ownerCount: 20, ownerBytes: 4 << 20, totalBytes: 64 << 20 };

/** Names of what was dropped, until their hour is over: far more than anybody previews in an hour. */
const MOST_DROPPED = 10_000;

interface UnsavedEntry {
  owner: string;
  json: string;
  bytes: number;
  expiresAt: number;
}

export function createUnsaved(limits: UnsavedLimits = LIMITS): Unsaved {
  // In the order of the last `put`.
  const entries = new Map<string, UnsavedEntry>();
  const dropped = new Map<string, number>();

  function drop(isOver: (kept: readonly UnsavedEntry[]) => boolean, isMeant: (entry: UnsavedEntry) => boolean): void {
    for (const [nonce, entry] of entries) {
      if (!isOver([...entries.values()].filter(isMeant))) break;
      if (!isMeant(entry)) continue;
      entries.delete(nonce);
      dropped.set(nonce, entry.expiresAt);
    }
    for (const nonce of dropped.keys().take(Math.max(0, dropped.size - MOST_DROPPED))) dropped.delete(nonce);
  }

  return {
    put(nonce, owner, data, expiresAt) {
      const json = JSON.stringify(data);
      const bytes = Buffer.byteLength(json);
      if (bytes > limits.ownerBytes) throw new ServiceError('too_large', `data is over ${limits.ownerBytes} bytes`);
      entries.delete(nonce);
      dropped.delete(nonce);
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
      for (const [key, expiresAt] of dropped) if (expiresAt <= nowMs) dropped.delete(key);
      if (dropped.has(nonce)) return 'dropped';
      const found = entries.get(nonce);
      return found && (JSON.parse(found.json) as Data);
    },
  };
}

function bytesOf(entries: readonly UnsavedEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
