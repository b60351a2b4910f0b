// The faults of the soak by name. SOAK_FAULTS=webhooks,clock runs some of them; each can be run alone.
import { join, resolve } from 'node:path';
import type { Random } from '../../../test/support/random.ts';
import type { Epoch, Violation } from '../history.ts';
import { vitalsFile } from '../vitals.ts';
import { branchLocks } from './branch-locks.ts';
import { bulkPushes } from './bulk-pushes.ts';
import { clockSteps } from './clock-steps.ts';
import { dueTimes } from './due-times.ts';
import type { Fault, FaultKind, FaultParts } from './fault.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { secondProcess } from './second-process.ts';
import { stalledDisk } from './stalled-disk.ts';
import { webhooks } from './webhooks.ts';

const KINDS = {
  webhooks,
  keys: repeatedKeys,
  pushes: bulkPushes,
  locks: branchLocks,
  // Corrected before the check waits for due documents.
  clock: clockSteps,
  due: dueTimes,
  second: secondProcess,
  disk: stalledDisk,
} satisfies Record<string, FaultKind>;

/**
 * In addition to these, `git` stands for commits, pushes, clones and housekeeping by others, and `slopes` for the
 * memory, descriptors and threads of a long life.
 */
export type FaultName = keyof typeof KINDS | 'git' | 'slopes';

export const FAULT_NAMES = [...(Object.keys(KINDS) as (keyof typeof KINDS)[]), 'git', 'slopes'] as const;

const SUPPORT = resolve(import.meta.dirname, '../../../test/support');

/** `words`: names with commas between them; all of them if it is absent or empty. */
export function parseFaults(words: string | undefined): readonly FaultName[] {
  if (!words) return FAULT_NAMES;
  return words.split(',').map((word) => {
    const name = FAULT_NAMES.find((known) => known === word.trim());
    if (!name) throw new Error(`there is no fault "${word}"; there are ${FAULT_NAMES.join(', ')}`);
    return name;
  });
}

function kindsOf(names: readonly FaultName[]): [name: string, kind: FaultKind][] {
  return names.flatMap((name): [string, FaultKind][] =>
    name in KINDS ? [[name, KINDS[name as keyof typeof KINDS]]] : [],
  );
}

/** The modules that the service is started with. */
export function loadsOf(names: readonly FaultName[]): string[] {
  const loads = kindsOf(names).flatMap(([, { load }]) => load ?? []);
  return [...loads, ...(names.includes('slopes') ? ['vitals.ts'] : [])].map((file) => join(SUPPORT, file));
}

/** What those modules read. */
export function envOf(names: readonly FaultName[], folder: string): Record<string, string> {
  const ofVitals = names.includes('slopes') ? { VITALS_FILE: vitalsFile(folder) } : {};
  return Object.assign(ofVitals, ...kindsOf(names).map(([, { env }]) => env?.(folder) ?? {}));
}

export interface Faults {
  /** Lets the next fault strike: each of them once, in random order, and then again. */
  strikeOne(): Promise<void>;
  settle(): Promise<void>;
  due(): ReadonlySet<string>;
  check(epoch: Epoch): Promise<Violation[]>;
  close(): Promise<void>;
  /** How often each struck, by name; without those that only watch. */
  readonly strikes: Readonly<Record<string, number>>;
}

export async function createFaults(
  names: readonly FaultName[],
  parts: Omit<FaultParts, 'report' | 'clock'>,
): Promise<Faults> {
  const { random, say } = parts;
  const clock = { offsetMs: 0, steps: 0 };
  let violations: Violation[] = [];
  const report: FaultParts['report'] = (rule, message, ...about) => void violations.push({ rule, message, about });
  const faults: { name: string; fault: Fault }[] = [];
  for (const [name, kind] of kindsOf(names)) {
    faults.push({
      name,
      fault: await kind.create({ ...parts, clock, report, say: (line) => say(`  ${name}: ${line}`) }),
    });
  }
  const strikes = Object.fromEntries(faults.filter(({ fault }) => fault.strike).map(({ name }) => [name, 0]));
  const striking = new Set<string>();
  let waiting: typeof faults = [];

  return {
    strikes,
    async strikeOne() {
      if (waiting.length === 0)
        waiting = shuffle(
          faults.filter(({ fault }) => fault.strike),
          random,
        );
      const next = waiting.pop();
      // A fault that is under way does not strike again meanwhile.
      if (!next || striking.has(next.name)) return;
      striking.add(next.name);
      strikes[next.name] = (strikes[next.name] ?? 0) + 1;
      await next.fault.strike?.();
      striking.delete(next.name);
    },
    async settle() {
      for (const { fault } of faults) await fault.settle?.();
    },
    due: () => new Set(faults.flatMap(({ fault }) => [...(fault.due?.() ?? [])])),
    async check(epoch) {
      for (const { fault } of faults) violations.push(...((await fault.check?.(epoch)) ?? []));
      const found = violations;
      violations = [];
      return found;
    },
    async close() {
      for (const { fault } of faults) await fault.close?.();
    },
  };
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.whole(0, i);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}
