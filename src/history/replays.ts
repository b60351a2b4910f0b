// Commits that have become others: ours were replayed on top of somebody else's. Whoever has seen the old one goes on
// from where the two logs part, and is told what took its place.
import type { Oid } from '../store/objects.ts';
import type { LogIndex } from './log-index.ts';

export interface Replay {
  /** The commit that it is now. */
  now: Oid;
  /** The newest commit before it that was in the log then and is now; null where there is none. */
  base: Oid | null;
}

/** Who has not asked for so long reads everything again. */
const MAX_KEPT = 10_000;

export class Replays {
  #byOld = new Map<Oid, Replay>();
  #byNew = new Map<Oid, Oid>();

  constructor(saved: readonly [Oid, Replay][] = []) {
    for (const [old, replay] of saved) this.add(old, replay);
  }

  add(old: Oid, replay: Replay): void {
    this.#byOld.set(old, replay);
    this.#byNew.set(replay.now, old);
    if (this.#byOld.size <= MAX_KEPT) return;
    const [oldest, { now }] = this.#byOld.entries().next().value!;
    this.#byOld.delete(oldest);
    this.#byNew.delete(now);
  }

  /** What the commit was before. */
  replacedBy(commit: Oid): Oid | undefined {
    return this.#byNew.get(commit);
  }

  /** The commit's position, or that of what it is now; -1 where the log has neither. */
  positionOf(index: LogIndex, commit: Oid): number {
    for (let at: Oid | undefined = commit; at !== undefined; at = this.#byOld.get(at)?.now) {
      const position = index.positionOf(at);
      if (position >= 0) return position;
    }
    return -1;
  }

  /** How many commits of the log somebody has seen who has seen this one; undefined where the log never had it. */
  seenWith(index: LogIndex, commit: Oid): number | undefined {
    for (let at: Oid | null = commit; at !== null; ) {
      const position = index.positionOf(at);
      if (position >= 0) return position + 1;
      const replay = this.#byOld.get(at);
      if (!replay) return undefined;
      at = replay.base;
    }
    return 0;
  }

  save(): [Oid, Replay][] {
    return [...this.#byOld];
  }
}
