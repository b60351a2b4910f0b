// What a decision does not make itself: time, ids and the actor.
import type { Actor } from '../access/principal.ts';

export interface Stamp {
  now: Date;
  actor: Actor;
  /** A fresh document id, for creations. */
  newId(): string;
  /** A fresh uuid for a group of translations. */
  newGroup(): string;
}

/** Increases strictly for each document, whatever the clock does. */
export function laterThan(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
