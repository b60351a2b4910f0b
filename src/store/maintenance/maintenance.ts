// Merges packs in the background, one round at a time, in a thread of low priority. Readers and writers continue
// meanwhile, and any user may run `git gc`: a round whose packs are removed is given up.
import path from 'node:path';
import { isNoSpace } from '../../lib/shortage.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { AsyncPacker } from '../packs/packer-thread.ts';
import type { RetiredPacks } from '../packs/retired-packs.ts';
import type { MergeResult } from './merge.ts';
import { listMergeable, planMerge } from './plan.ts';

export interface Merger {
  /** Resolves to undefined if another process repacks. */
  merge(names: readonly string[]): Promise<MergeResult | undefined>;
  /** Ends a merge that is under way, and removes its temporary files. */
  close(): Promise<void>;
}

export interface Maintenance {
  /** Merges packs if necessary. Resolves when the round has ended. */
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
  /** The packer's open packs are left to the packer until it has been idle for this time. */
  idleMs?: number | undefined;
  /** Pause after a round that failed. */
  retryMs?: number | undefined;
  /** Nothing is merged if the packs have grown by more than this since the last look, unless there are very many. */
  busyBytes?: number | undefined;
}

const LOOK_MS = 5000;
const IDLE_MS = 30_000;
const RETRY_MS = 60_000;
/** If the packs grow by this much between two looks, the writers need the processor more than a merge does. */
const BUSY_BYTES = 4 << 20;
/** This many packs are merged even while the writers are busy: reading and cloning get slower with every pack. */
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
  /** The packs that the packer had open at the last look, with the time when they became open. */
  let open: { names: readonly string[]; since: number } = { names: [], since: 0 };

  /** Returns the packer's open packs, or none if it has not changed them for `idleMs`. */
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
    const why = isNoSpace(error) ? 'the disk has no space for the merged pack' : (error as Error).message;
    warn(`packs of the content repository cannot be merged: ${why}; trying again later`, error);
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
