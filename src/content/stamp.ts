// What a decision does not make up itself: time, ids and who it is by.
import type { Actor } from '../access/principal.ts';

export interface Stamp {
  now: Date;
  actor: Actor;
  /** A fresh document id, for creations. */
  newId(): string;
  /** A fresh uuid for a group of translations. */
  newGroup(): string;
}

/** Strictly increasing per document, whatever the clock does. */
export function laterThan(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
