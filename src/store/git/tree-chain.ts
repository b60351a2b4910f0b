// Chooses the tree that the next tree of a directory is a delta against. Every eighth tree is an anchor, every eighth
// anchor an anchor of anchors, and so on up to a full copy. Each is a delta against the last one of its own level, so
// that every path to the full copy is short and no delta spans many changes. Must not know packs, only offsets.
import { composeDeltas, type Pieces } from './delta.ts';

const RADIX = 8;
/**
 * The longest path to the full copy is seven deltas per level and one more. Git's default depth is 50, and a merge of
 * packs may put such a tree on top of another one.
 */
const LEVELS = 4;

export interface TreeChain {
  /** Records what changed in the directory since the last call. */
  change(step: Pieces): void;
  /** The best delta to store the current tree as. */
  next(): { base: number; delta: Pieces };
  /** Records that this delta was stored at `offset`. */
  added(offset: number): void;
}

/** Starts at a full copy of the directory. */
export function createTreeChain(fullCopy: number): TreeChain {
  /**
   * For each level, its newest tree; the last level is the full copy. The delta leads from that tree to the newest one
   * a level below.
   */
  const anchors: { offset: number; since: Pieces | undefined }[] = Array.from({ length: LEVELS + 1 }, () => ({
    offset: fullCopy,
    since: undefined,
  }));
  let count = 1;

  function levelOfNext(): number {
    let level = 0;
    while (level < LEVELS && count % RADIX ** (level + 1) === 0) level++;
    return level;
  }

  function sinceAnchor(level: number): Pieces | undefined {
    let pieces: Pieces | undefined;
    for (let i = level; i >= 0; i--) pieces = then(pieces, anchors[i]!.since);
    return pieces;
  }

  return {
    change(step) {
      anchors[0]!.since = then(anchors[0]!.since, step);
    },
    next() {
      const level = levelOfNext();
      const delta = sinceAnchor(level);
      if (!delta) throw new Error('directory did not change');
      return { base: anchors[level]!.offset, delta };
    },
    added(offset) {
      const level = levelOfNext();
      const from = Math.min(level + 1, LEVELS);
      anchors[from]!.since = sinceAnchor(from);
      for (let i = 0; i < from; i++) anchors[i] = { offset, since: undefined };
      count++;
    },
  };
}

function then(first: Pieces | undefined, second: Pieces | undefined): Pieces | undefined {
  return first && second ? composeDeltas(first, second) : (first ?? second);
}
