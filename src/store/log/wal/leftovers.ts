// Segments that the epoch's file no longer declares: all of their frames are in git. They are removed one by one, and
// no writer waits for that; what cannot be removed now is tried again with the next ones.
import { createInOrder } from '../../../lib/queues/in-order.ts';
import { type Disk, removeLeftoverApart } from '../../disk/disk.ts';
import type { Epoch } from './epoch.ts';
import type { Ownership } from './ownership.ts';
import type { StoredSegment } from './read.ts';

export interface Leftovers {
  add(segments: readonly StoredSegment[]): void;
  /** Tries to remove all of them. */
  sweep(): Promise<void>;
  /** Resolves once no sweep is under way. */
  idle(): Promise<void>;
}

export function createLeftovers(parts: { disk: Disk; epoch: Epoch; ownership: Ownership }): Leftovers {
  const { disk, epoch, ownership } = parts;
  const leftovers: StoredSegment[] = [];
  const inOrder = createInOrder();

  async function sweep(): Promise<void> {
    if (leftovers.length === 0 || epoch.number === 0 || ownership.lost()) return;
    const left: StoredSegment[] = [];
    for (const segment of leftovers.splice(0)) {
      if (ownership.lost() || !(await removeLeftoverApart(disk, segment.file))) left.push(segment);
    }
    leftovers.push(...left);
  }

  return {
    add: (segments) => void leftovers.push(...segments),
    sweep: () => inOrder(sweep),
    idle: () => inOrder(async () => undefined),
  };
}
