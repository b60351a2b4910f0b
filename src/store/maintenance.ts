// Merges packs behind the writers' backs, one round at a time, in a thread that takes what time is left over. Everybody
// else goes on meanwhile, and anybody may run `git gc`: a round whose packs went away is given up.
import path from 'node:path';
import { isNoSpace } from '../lib/shortage.ts';
import type { Disk } from './disk.ts';
import type { MergeResult } from './maintenance-merge.ts';
import { listMergeable, planMerge } from './maintenance-plan.ts';
import type { Odb } from './odb.ts';
import type { AsyncPacker } from './packer-thread.ts';

export interface Merger {
  /** Undefined where somebody else repacks. */
  merge(names: readonly string[]): Promise<MergeResult | undefined>;
  /** Ends a merge that is under way; it leaves nothing. */
  close(): Promise<void>;
}

export interface Maintenance {
  /** Looks whether packs should be merged, and starts. Resolves once that round has ended. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface MaintenanceParts {
  disk: Disk;
  repository: string;
  odb: Odb;
  packer: AsyncPacker;
  merger: Merger;
  warn(message: string, error?: unknown): void;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
  /** The packer's open pack is left to it until it has had nothing to do for so long. */
  idleMs?: number | undefined;
  /** How long nothing is tried after a round that came to nothing. */
  retryMs?: number | undefined;
  /** Nothing is merged where the packs have grown by more since the last look, unless they are very many. */
  busyBytes?: number | undefined;
}

const LOOK_MS = 5000;
const IDLE_MS = 30_000;
const RETRY_MS = 60_000;
/** Packs that grow by so much from one look to the next have writers who need the processor more. */
const BUSY_BYTES = 4 << 20;
/** However busy they are: reading and cloning get slower with every pack. */
const MANY_PACKS = 48;

export function createMaintenance(parts: MaintenanceParts): Maintenance {
  const { disk, odb, packer, merger, warn } = parts;
  const folder = path.join(parts.repository, 'objects', 'pack');
  const idleMs = parts.idleMs ?? IDLE_MS;
  const retryMs = parts.retryMs ?? RETRY_MS;
  const busyBytes = parts.busyBytes ?? BUSY_BYTES;
  let round: Promise<void> | undefined;
  let isClosed = false;
  let isWarned = false;
  let notBefore = 0;
  let lastBytes = 0;
  /** The pack that the packer had open at the last look, and since when. */
  let open: { name: string; since: number } | undefined;

  /** Undefined where the packer has not touched its pack for a while. */
  function findBusyPack(): string | undefined {
    const name = packer.openPack();
    if (open?.name !== name) open = name === undefined ? undefined : { name, since: performance.now() };
    return open && performance.now() - open.since < idleMs ? open.name : undefined;
  }

  async function run(): Promise<void> {
    const busy = findBusyPack();
    const packs = listMergeable(disk, folder);
    const bytes = packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const grownBytes = bytes - lastBytes;
    lastBytes = bytes;
    if (performance.now() < notBefore || (grownBytes > busyBytes && packs.length < MANY_PACKS)) return;
    const names = planMerge(packs.filter(({ name }) => name !== busy));
    if (names.length === 0) return;
    if (open && names.includes(open.name)) packer.seal();
    if (await merger.merge(names)) isWarned = false;
    else notBefore = performance.now() + retryMs;
    // The old packs' space is free once nobody has them open.
    if (!isClosed) odb.refresh();
  }

  function failed(error: unknown): void {
    notBefore = performance.now() + retryMs;
    if (isClosed || isWarned) return;
    isWarned = true;
    const why = isNoSpace(error) ? 'there is no room for a merged one' : (error as Error).message;
    warn(`packs of the content repository are not merged: ${why}; it is tried again`, error);
  }

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    round ??= run()
      .catch(failed)
      .finally(() => (round = undefined));
    return round;
  }

  const lookMs = parts.lookMs ?? LOOK_MS;
  const timer = lookMs ? setInterval(look, lookMs) : undefined;
  timer?.unref();

  return {
    look,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await merger.close();
      await round;
    },
  };
}
