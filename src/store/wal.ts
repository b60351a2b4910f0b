// The write-ahead log. One frame holds one batch of commits; once its write returns (O_DSYNC into a preallocated
// segment) the batch is acknowledged. A frame is whole or it is not there (wal-format.ts); each also says up to which
// frame everything was in git when it was written, so that a start never brings back what it must not.
import path from 'node:path';
import { ServiceError } from '../lib/errors.ts';
import { isNoSpace } from '../lib/shortage.ts';
import { type Disk, type DurableFile, removeLeftover } from './disk.ts';
import {
  encodeFrame,
  FRAME_HEADER,
  frameAt,
  isSegment,
  laterFrame,
  SEGMENT_HEADER,
  segmentHeader,
  type WalFrame,
} from './wal-format.ts';

const DEFAULT_SEGMENT_BYTES = 8 << 20;

export interface Wal {
  /** Resolves with the frame's sequence once it is durable. One call at a time. */
  append(payload: Buffer): Promise<number>;
  /** Frames up to this sequence are in git: segments that hold nothing else are removed. */
  release(sequence: number): void;
  /** Removes every segment: all of it is in git. */
  clear(): void;
  close(): Promise<void>;
}

/** What a start found. */
export interface WalContent {
  /** Frames that were not known to be in git, oldest first. */
  frames: WalFrame[];
  segments: StoredSegment[];
  lastSequence: number;
  released: number;
}

interface StoredSegment {
  number: number;
  file: string;
  /** Of its last frame; 0 where it has none. */
  lastSequence: number;
}

interface OpenSegment extends StoredSegment {
  sizeBytes: number;
  /** Where the next frame goes. */
  end: number;
}

/**
 * Reads what an earlier process left. A torn tail ends a process's log, and the next process's frames follow it with
 * the next sequence. A sequence that is missing and not known to be in git is damage, not a crash, and throws: nothing
 * may be cut there.
 */
export function readWal(disk: Disk, folder: string): WalContent {
  const frames: WalFrame[] = [];
  const segments: StoredSegment[] = [];
  const gaps: { upTo: number; where: string }[] = [];
  let last = 0;
  let released = 0;
  for (const number of segmentNumbers(disk, folder)) {
    const file = segmentFile(folder, number);
    const bytes = disk.readFile(file) ?? Buffer.alloc(0);
    // A segment gets its name after its header is on the disk, so this is no crash either.
    if (!isSegment(bytes, number)) throw damaged(`${file} has no segment header`);
    let segmentLast = 0;
    let at = SEGMENT_HEADER;
    for (;;) {
      const here = frameAt(bytes, at, number);
      const found = here && here.sequence > last ? here : laterFrame(bytes, at, number, last);
      if (!found) break;
      // Segments are removed from the front once all of theirs is in git, so what comes before the first frame is no gap
      // unless it was in that frame's own segment.
      const isGap = last === 0 ? found !== here : found.sequence !== last + 1;
      if (isGap) gaps.push({ upTo: found.sequence - 1, where: `${file} at byte ${at}` });
      frames.push(found);
      last = segmentLast = found.sequence;
      released = Math.max(released, found.released);
      at = found.end;
    }
    segments.push({ number, file, lastSequence: segmentLast });
  }
  const lost = gaps.find((gap) => gap.upTo > released);
  if (lost) throw damaged(`${lost.where}, before frame ${lost.upTo + 1}`);
  return { frames: frames.filter(({ sequence }) => sequence > released), segments, lastSequence: last, released };
}

function damaged(where: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `write-ahead log is damaged in the middle: ${where}. Nothing was changed; restore the file or the data folder from a backup`,
  );
}

export function createWal(
  disk: Disk,
  folder: string,
  found: WalContent,
  segmentBytes: number = DEFAULT_SEGMENT_BYTES,
): Wal {
  let nextNumber = (found.segments.at(-1)?.number ?? 0) + 1;
  let { lastSequence, released } = found;
  const segments: StoredSegment[] = [...found.segments];
  let current: { segment: OpenSegment; handle: DurableFile } | undefined;
  let spare: Promise<OpenSegment> | undefined;
  let spareFailed = false;
  // A process that was killed may have left frames that are not on the disk yet; those of this one follow them.
  for (const { file } of segments) disk.syncFile(file);
  for (const name of disk.list(folder)) if (name.endsWith('.wal.tmp')) disk.remove(path.join(folder, name));

  async function prepare(minimumBytes: number): Promise<OpenSegment> {
    const number = nextNumber++;
    const file = segmentFile(folder, number);
    const temporary = `${file}.tmp`;
    const sizeBytes = SEGMENT_HEADER + Math.max(segmentBytes, minimumBytes);
    disk.makeFolder(folder);
    disk.remove(temporary);
    let isNamed = false;
    try {
      await disk.preallocate(temporary, sizeBytes);
      const handle = disk.openDurable(temporary);
      try {
        await handle.write(segmentHeader(number), 0);
      } finally {
        handle.close();
      }
      disk.rename(temporary, file);
      isNamed = true;
      disk.syncFolder(folder);
    } catch (error) {
      // Nobody would write into it, and each try makes another one.
      disk.remove(isNamed ? file : temporary);
      throw error;
    }
    return { number, file, sizeBytes, end: SEGMENT_HEADER, lastSequence: 0 };
  }

  async function room(bytes: number): Promise<{ segment: OpenSegment; handle: DurableFile }> {
    if (current && current.segment.end + bytes <= current.segment.sizeBytes) return current;
    const ready = spare;
    spare = undefined;
    let segment = ready ? await ready : await prepare(bytes);
    if (segment.sizeBytes < SEGMENT_HEADER + bytes) {
      disk.remove(segment.file);
      segment = await prepare(bytes);
    }
    const handle = disk.openDurable(segment.file);
    current?.handle.close();
    current = { segment, handle };
    segments.push(segment);
    spareFailed = false;
    return current;
  }

  /** The next segment is made while this one is filled; where that fails, the write that needs it says so. */
  function prepareSpare(segment: OpenSegment): void {
    if (spare || spareFailed || segment.end <= segment.sizeBytes / 2) return;
    spare = prepare(0);
    spare.catch(() => {
      spare = undefined;
      spareFailed = true;
    });
  }

  return {
    async append(payload) {
      const bytes = FRAME_HEADER + payload.length;
      const { segment, handle } = await room(bytes);
      const sequence = lastSequence + 1;
      try {
        await handle.write(encodeFrame(payload, sequence, released, segment.number), segment.end);
      } catch (error) {
        // Refused is refused: what may have reached the disk must not come back after a crash.
        await handle.write(Buffer.alloc(FRAME_HEADER), segment.end).catch((cause: unknown) => {
          if (!isNoSpace(cause)) throw new Error('write-ahead log is in an unknown state', { cause });
        });
        throw error;
      }
      lastSequence = sequence;
      segment.end += bytes;
      segment.lastSequence = sequence;
      prepareSpare(segment);
      return sequence;
    },
    release(upTo) {
      released = Math.max(released, upTo);
      for (let first = segments[0]; first; first = segments[0]) {
        if (first === current?.segment || first.lastSequence > released) break;
        // One by one and in order: a crash leaves no hole between those that stay.
        if (!removeLeftover(disk, first.file)) break;
        segments.shift();
        disk.syncFolder(folder);
      }
    },
    clear() {
      current?.handle.close();
      current = undefined;
      for (const { file } of segments.splice(0)) {
        if (!removeLeftover(disk, file)) break;
        disk.syncFolder(folder);
      }
    },
    async close() {
      // Prepared for later and not needed any more; where that failed, nobody is hurt.
      const unused = await spare?.catch(() => undefined);
      spare = undefined;
      if (unused) disk.remove(unused.file);
      current?.handle.close();
      current = undefined;
    },
  };
}

function segmentNumbers(disk: Disk, folder: string): number[] {
  return disk.list(folder).flatMap((name) => {
    const match = /^(\d{8})\.wal$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

function segmentFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.wal`);
}
