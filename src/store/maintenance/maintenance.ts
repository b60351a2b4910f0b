// Merges packs behind the writers' backs, one round at a time, in a thread that takes what time is left over. Everybody
// else goes on meanwhile, and anybody may run `git gc`: a round whose packs went away is given up.
import path from 'node:path';
import { isNoSpace } from '../../lib/shortage.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { AsyncPacker } from '../packs/packer-thread.ts';
import type { RetiredPacks } from '../packs/retired-packs.ts';
import type { MergeResult } from './merge.ts';
import { listMergeable, planMerge } from './plan.ts';

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
  packer: AsyncPacker;
  merger: Merger;
  retired: Pick<RetiredPacks, 'retire' | 'has' | 'removeAll'>;
  warn: Warn;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
  /** The packer's open packs are left to it until it has had nothing to do for so long. */
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
  const { disk, packer, merger, retired, warn } = parts;
  const folder = path.join(parts.repository, 'objects', 'pack');
  const idleMs = parts.idleMs ?? IDLE_MS;
  const retryMs = parts.retryMs ?? RETRY_MS;
  const busyBytes = parts.busyBytes ?? BUSY_BYTES;
  let round: Promise<void> | undefined;
  let isClosed = false;
  let isWarned = false;
  let notBefore = 0;
  let lastBytes = 0;
  /** The packs that the packer had open at the last look, and since when. */
  let open: { names: readonly string[]; since: number } = { names: [], since: 0 };

  /** Empty if the packer has not touched its packs for a while. */
  function findBusyPacks(): readonly string[] {
    const names = packer.openPacks();
    if (open.names.join() !== names.join()) open = { names, since: performance.now() };
    return performance.now() - open.since < idleMs ? open.names : [];
  }

  async function run(): Promise<void> {
    const busy = findBusyPacks();
    const packs = listMergeable(disk, folder).filter(({ name }) => !retired.has(name));
    const bytes = packs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const grownBytes = bytes - lastBytes;
    lastBytes = bytes;
    if (performance.now() < notBefore || (grownBytes > busyBytes && packs.length < MANY_PACKS)) return;
    const names = planMerge(packs.filter(({ name }) => !busy.includes(name)));
    if (names.length === 0) return;
    if (open.names.some((name) => names.includes(name))) packer.seal();
    const merged = await merger.merge(names);
    if (merged) {
      isWarned = false;
      retired.retire(merged.replaces, merged.name);
    } else notBefore = performance.now() + retryMs;
  }

  function failed(error: unknown): void {
    notBefore = performance.now() + retryMs;
    if (isNoSpace(error)) retired.removeAll();
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
