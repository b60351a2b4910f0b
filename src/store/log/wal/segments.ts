// The segments of the write-ahead log: the one being written, a spare that is made meanwhile, and older ones until all
// of their frames are in git. Each change to this set is declared in the epoch's file first, so that a start notices a
// lost segment.
import { createInOrder } from '../../../lib/queues/in-order.ts';
import { isNoSpace, isShortage } from '../../../lib/shortage.ts';
import type { Disk, DurableFile } from '../../disk/disk.ts';
import { type Epoch, fileIdentityOf, newLogId } from './epoch.ts';
import { SEGMENT_HEADER } from './format.ts';
import { createLeftovers } from './leftovers.ts';
import { makeSegment, type OpenSegment } from './new-segment.ts';
import type { Ownership } from './ownership.ts';
import type { StoredSegment, WalContent } from './read.ts';

export interface Segments {
  /** Returns the segment being written, or the next one if that has no space for this many bytes. */
  segmentFor(bytes: number): Promise<WrittenSegment>;
  /** Makes the next segment while this one fills up. If that fails, the write that needs it reports the failure. */
  prepareSpare(segment: OpenSegment): void;
  readonly written: WrittenSegment | undefined;
  /** Frames up to this sequence are in git. */
  readonly released: number;
  release(upTo: number): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface WrittenSegment {
  segment: OpenSegment;
  handle: DurableFile;
  /** The file's identity when it was opened. */
  identity: string;
}

export interface SegmentsParts {
  disk: Disk;
  folder: string;
  epoch: Epoch;
  found: WalContent;
  ownership: Ownership;
  segmentBytes: number;
}

export function createSegments(parts: SegmentsParts): Segments {
  const { disk, epoch, found, ownership, segmentBytes } = parts;
  const log = found.log ?? newLogId();
  const base = found.lastSequence + 1;
  let nextNumber = (found.segments.at(-1)?.number ?? 0) + 1;
  let { released } = found;
  const segments: StoredSegment[] = [...found.segments];
  const leftovers = createLeftovers(parts);
  let written: WrittenSegment | undefined;
  let spare: Promise<OpenSegment> | undefined;
  let spareFailed = false;
  /** A segment that may be declared but could not be opened: it must stay, and is the next to be filled. */
  let doubtful: OpenSegment | undefined;
  /** Changes to the set of segments wait for the disk, one after the other. */
  const inTurn = createInOrder();

  /** Declares which segments must exist at the next start. */
  async function declare(live: readonly StoredSegment[]): Promise<void> {
    await epoch.declare({ log, oldest: live[0]?.number ?? null, newest: live.at(-1)?.number ?? null });
  }

  async function prepare(minimumBytes: number): Promise<OpenSegment> {
    ownership.guard(); // the folder may have been moved away, and would be created anew
    const sizeBytes = SEGMENT_HEADER + Math.max(segmentBytes, minimumBytes);
    return makeSegment(parts, nextNumber++, { epoch: epoch.number, base, sizeBytes, log });
  }

  /** Returns a segment with space for this many bytes after its header. */
  async function nextSegment(bytes: number): Promise<OpenSegment> {
    const ready = doubtful ?? (await spare);
    if (!doubtful) spare = undefined;
    const mayBeDeclared = doubtful !== undefined;
    doubtful = undefined;
    if (ready && ready.sizeBytes >= SEGMENT_HEADER + bytes) return ready;
    if (ready && !mayBeDeclared) await disk.removeApart(ready.file);
    return prepare(bytes);
  }

  /** How many segments, from the oldest on, have all their frames in git. */
  function countReleased(): number {
    const kept = segments.findIndex((segment) => segment === written?.segment || segment.lastSequence > released);
    return kept === -1 ? segments.length : kept;
  }

  /** Declares that the oldest segments are not needed any more: their files are only leftovers then. */
  async function drop(count: number): Promise<void> {
    if (count === 0 || epoch.number === 0 || ownership.lost()) return;
    try {
      await declare(segments.slice(count));
    } catch (error) {
      if (!isNoSpace(error) && !isShortage(error) && !ownership.isLost()) throw error;
      return; // the next release tries again
    }
    leftovers.add(segments.splice(0, count));
    if (doubtful && !segments.includes(doubtful)) doubtful = undefined;
  }

  async function letGo(count: () => number): Promise<void> {
    await inTurn(() => drop(count()));
    await leftovers.sweep();
  }

  function closeWritten(): void {
    written?.handle.close();
    written = undefined;
  }

  return {
    get written() {
      return written;
    },
    get released() {
      return released;
    },
    async segmentFor(bytes) {
      if (written && written.segment.end + bytes <= written.segment.sizeBytes) return written;
      const segment = await nextSegment(bytes);
      return inTurn(async () => {
        ownership.guard();
        if (!segments.includes(segment)) segments.push(segment);
        doubtful = segment;
        await declare(segments);
        const handle = disk.openDurable(segment.file);
        doubtful = undefined;
        written?.handle.close();
        written = { segment, handle, identity: fileIdentityOf(disk, segment.file) };
        spareFailed = false;
        return written;
      });
    },
    prepareSpare(segment) {
      if (spare || spareFailed || segment.end <= segment.sizeBytes / 2) return;
      spare = prepare(0);
      spare.catch(() => {
        spare = undefined;
        spareFailed = true;
      });
    },
    release(upTo) {
      released = Math.max(released, upTo);
      return letGo(countReleased);
    },
    clear() {
      closeWritten();
      return letGo(() => segments.length);
    },
    async close() {
      // The spare is not needed any more; if making it failed, that does no harm.
      const unused = await spare?.catch(() => undefined);
      spare = undefined;
      if (unused && !ownership.lost()) await disk.removeApart(unused.file);
      await inTurn(async () => undefined);
      await leftovers.idle();
      closeWritten();
    },
  };
}
