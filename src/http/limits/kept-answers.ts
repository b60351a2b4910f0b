// Answers that are kept for repeats, bounded in number and bytes, for each account and for all: what one keeps is paid
// for with its own older ones, and when there is no room for all, by the account that has the most.
import type { Answer } from '../route.ts';

export interface KeptAnswer {
  /** The account whose request it was. */
  owner: string;
  bodyDigest: string;
  /** Undefined once it had to go: the request is known, its answer is not. */
  answer: Promise<Answer> | undefined;
}

export interface KeptLimits {
  ownBytes: number;
  allBytes: number;
  ownAnswers: number;
  allAnswers: number;
}

export interface KeptAnswers {
  find(scope: string): KeptAnswer | undefined;
  /** While it is running it takes no bytes. */
  add(scope: string, kept: KeptAnswer): void;
  /** Says how large the answer became. */
  measure(scope: string, kept: KeptAnswer, sizeBytes: number): void;
  forget(scope: string, kept: KeptAnswer): void;
}

/** Some answers show a secret. */
const KEPT_MS = 10 * 60_000;

interface KeptPlace {
  scope: string;
  kept: KeptAnswer;
  untilMs: number;
  sizeBytes: number;
  isMeasured: boolean;
}

interface AnswerOwner {
  /** Oldest first. */
  entries: Set<KeptPlace>;
  sizeBytes: number;
}

export function createKeptAnswers(clock: () => number, limits: KeptLimits): KeptAnswers {
  /** Oldest first. */
  const entries = new Map<string, KeptPlace>();
  const owners = new Map<string, AnswerOwner>();
  let allBytes = 0;

  function resize(entry: KeptPlace, sizeBytes: number): void {
    const change = sizeBytes - entry.sizeBytes;
    entry.sizeBytes = sizeBytes;
    owners.get(entry.kept.owner)!.sizeBytes += change;
    allBytes += change;
  }

  function remove(entry: KeptPlace): void {
    if (entries.get(entry.scope) !== entry) return;
    resize(entry, 0);
    entries.delete(entry.scope);
    const owner = owners.get(entry.kept.owner)!;
    owner.entries.delete(entry);
    if (owner.entries.size === 0) owners.delete(entry.kept.owner);
  }

  /** A repeat then is refused, and not done twice. */
  function dropOldestAnswer(owner: AnswerOwner): void {
    for (const entry of owner.entries) {
      if (entry.sizeBytes === 0) continue;
      entry.kept.answer = undefined;
      resize(entry, 0);
      return;
    }
  }

  function removeOldest({ entries: own }: AnswerOwner): void {
    remove([...own].find(({ isMeasured }) => isMeasured) ?? own.values().next().value!);
  }

  function largest(sizeOf: (owner: AnswerOwner) => number): AnswerOwner {
    return [...owners.values()].reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most));
  }

  function removeOld(): void {
    for (const entry of entries.values()) {
      if (entry.untilMs > clock()) return;
      remove(entry);
    }
  }

  return {
    find(scope) {
      removeOld();
      return entries.get(scope)?.kept;
    },
    add(scope, kept) {
      const entry = { scope, kept, untilMs: clock() + KEPT_MS, sizeBytes: 0, isMeasured: false };
      entries.set(scope, entry);
      const owner = owners.get(kept.owner) ?? { entries: new Set(), sizeBytes: 0 };
      owners.set(kept.owner, owner);
      owner.entries.add(entry);
      if (owner.entries.size > limits.ownAnswers) removeOldest(owner);
      if (entries.size > limits.allAnswers) removeOldest(largest((one) => one.entries.size));
    },
    measure(scope, kept, sizeBytes) {
      const entry = entries.get(scope);
      if (entry?.kept !== kept) return;
      entry.isMeasured = true;
      resize(entry, sizeBytes);
      const owner = owners.get(entry.kept.owner)!;
      while (owner.sizeBytes > limits.ownBytes) dropOldestAnswer(owner);
      while (allBytes > limits.allBytes) dropOldestAnswer(largest((one) => one.sizeBytes));
    },
    forget(scope, kept) {
      const entry = entries.get(scope);
      if (entry?.kept === kept) remove(entry);
    },
  };
}
