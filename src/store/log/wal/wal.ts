// The write-ahead log. One frame holds one batch of commits; once its write returns (O_DSYNC into a preallocated
// segment) the batch is acknowledged, if the log still belongs to this process by then (epoch.ts). A frame is either
// whole or absent (format.ts); each also records up to which frame everything was in git when it was written, so that a
// start never brings back what it must not.
import path from 'node:path';
import { isNoSpace } from '../../../lib/shortage.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Epoch } from './epoch.ts';
import { encodeFrame, FRAME_HEADER } from './format.ts';
import { createOwnership } from './ownership.ts';
import type { WalContent } from './read.ts';
import { createSegments } from './segments.ts';

const DEFAULT_SEGMENT_BYTES = 8 << 20;

export interface Wal {
  /**
   * Resolves with the frame's sequence once it is durable. One call at a time. Rejects with LogLostError if the log
   * belongs to another process by then: that process decides whether the frame counts.
   */
  append(payload: Buffer): Promise<number>;
  /**
   * Records from the next frame on that frames up to this sequence are in git; segments that hold nothing else are
   * removed once it resolves.
   */
  release(sequence: number): Promise<void>;
  /** Removes every segment: everything in them is in git. */
  clear(): Promise<void>;
  /** Why nothing is acknowledged any more: another process writes the log, or the log is not where it was. */
  lost(): string | undefined;
  close(): Promise<void>;
}

export interface WalParts {
  disk: Disk;
  folder: string;
  epoch: Epoch;
  found: WalContent;
  segmentBytes?: number | undefined;
  /** Why the lock on the data folder no longer holds. */
  lockLost?: (() => string | undefined) | undefined;
}

export function createWal(parts: WalParts): Wal {
  const { disk, folder, found, segmentBytes = DEFAULT_SEGMENT_BYTES } = parts;
  let { lastSequence } = found;
  // A killed process may have left frames that are not on the disk yet; this process's frames follow them.
  for (const { file } of found.segments) disk.syncFile(file);
  for (const name of disk.list(folder)) if (name.endsWith('.wal.tmp')) disk.remove(path.join(folder, name));
  const ownership = createOwnership({ ...parts, written: () => segments.written });
  const segments = createSegments({ ...parts, segmentBytes, ownership });

  async function append(payload: Buffer): Promise<number> {
    const bytes = FRAME_HEADER + payload.length;
    ownership.begin(lastSequence);
    const { segment, handle } = await segments.segmentFor(bytes);
    const sequence = lastSequence + 1;
    try {
      await handle.write(encodeFrame(payload, sequence, segments.released, segment.number), segment.end);
    } catch (error) {
      // Refused is refused: what may have reached the disk must not come back after a crash.
      await handle.write(Buffer.alloc(FRAME_HEADER), segment.end).catch((cause: unknown) => {
        if (!isNoSpace(cause)) throw new Error('write-ahead log is in an unknown state', { cause });
      });
      throw error;
    }
    // A process that began another epoch before this point has not read the frame; one that begins later will.
    ownership.guard();
    lastSequence = sequence;
    segment.end += bytes;
    segment.lastSequence = sequence;
    segments.prepareSpare(segment);
    return sequence;
  }

  return {
    lost: ownership.lost,
    append: (payload) => ownership.asOurs(() => append(payload)),
    release: segments.release,
    clear: segments.clear,
    close: segments.close,
  };
}
