// Reads what an earlier process left of the write-ahead log and checks whether it is complete: a torn tail comes from a
// crash, anything else that is missing is a loss and is reported. Must not write.
import path from 'node:path';
import { ServiceError } from '../../../lib/errors.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Declared } from './epoch.ts';
import { frameAt, laterFrame, parseSegment, SEGMENT_HEADER, type SegmentHeader, type WalFrame } from './format.ts';

/** What a start found. */
export interface WalContent {
  /** Frames that are not known to be in git, oldest first. */
  frames: WalFrame[];
  segments: StoredSegment[];
  lastSequence: number;
  released: number;
  /** The log that the segments name; undefined if they name none. */
  log: string | undefined;
  /** A frame that is missing although no segment was declared as needed: git should have every change. */
  hole: ServiceError | undefined;
}

export interface StoredSegment {
  number: number;
  file: string;
  /** Sequence of its last frame; 0 if it has no frame. */
  lastSequence: number;
}

interface ReadSegment extends StoredSegment, SegmentHeader {
  bytes: Buffer;
}

/**
 * A torn tail ends a process's frames; the next process's frames follow with the next sequence. A missing sequence that
 * is not known to be in git is damage, not a crash, and throws: nothing may be cut there. `declared` is what must exist
 * according to the last process.
 */
export function readWal(disk: Disk, folder: string, declared?: Declared): WalContent {
  const numbers = segmentNumbers(disk, folder);
  for (const number of [declared?.oldest, declared?.newest]) {
    if (typeof number === 'number' && !numbers.includes(number)) throw lost(segmentFile(folder, number));
  }
  const oldest = declared?.oldest ?? 0;
  // Older segments are in git, and were about to be removed.
  const leftover = numbers
    .filter((number) => number < oldest)
    .map((number) => ({ number, file: segmentFile(folder, number), lastSequence: 0 }));
  const read = numbers.filter((number) => number >= oldest).map((number) => readSegment(disk, folder, number));
  const log = declared?.log ?? read.find((segment) => segment.log !== '')?.log;
  const foreign = read.find((segment) => segment.log !== '' && segment.log !== log);
  if (foreign) throw damaged(`${foreign.file} belongs to the log of another site, or of another copy of this one`);
  const { frames, released, lastSequence, hole } = listFrames(read);
  if (hole && declared?.oldest !== null) throw hole;
  return {
    frames: frames.filter(({ sequence }) => sequence > released),
    segments: [
      ...leftover,
      ...read.map(({ number, file, lastSequence: last }) => ({ number, file, lastSequence: last })),
    ],
    lastSequence,
    released,
    log,
    hole,
  };
}

function readSegment(disk: Disk, folder: string, number: number): ReadSegment {
  const file = segmentFile(folder, number);
  const bytes = disk.readFile(file) ?? Buffer.alloc(0);
  // A segment gets its name after its header is on the disk, so a crash cannot cause this.
  const header = parseSegment(bytes, number);
  if (!header) throw damaged(`${file} has no segment header`);
  if (bytes.length < header.sizeBytes) throw damaged(`${file} has ${bytes.length} of its ${header.sizeBytes} bytes`);
  return { number, file, bytes, lastSequence: 0, ...header };
}

/** Lists all frames, and records each segment's last sequence. */
function listFrames(
  segments: readonly ReadSegment[],
): Pick<WalContent, 'frames' | 'released' | 'lastSequence' | 'hole'> {
  const frames: WalFrame[] = [];
  const gaps: { upTo: number; where: string }[] = [];
  let last = 0;
  let released = 0;
  for (const segment of segments) {
    const { bytes, number, file } = segment;
    const end = endOf(segment, segments);
    let at = SEGMENT_HEADER;
    for (;;) {
      const here = frameAt(bytes, at, number);
      const found = here && here.sequence > last ? here : laterFrame(bytes, at, number, last);
      if (!found || found.sequence >= end) break;
      // Segments are removed from the front once all their frames are in git, so frames missing before the first one
      // are no gap unless they were in that frame's own segment.
      const isGap = last === 0 ? found !== here : found.sequence !== last + 1;
      if (isGap) gaps.push({ upTo: found.sequence - 1, where: `${file} at byte ${at}` });
      frames.push(found);
      last = segment.lastSequence = found.sequence;
      released = Math.max(released, found.released);
      at = found.end;
    }
  }
  const gap = gaps.find(({ upTo }) => upTo > released);
  const hole = gap && damaged(`in the middle, ${gap.where}, before frame ${gap.upTo + 1}`);
  return { frames, released, lastSequence: last, hole };
}

/**
 * The sequence at which a later epoch begins: frames of an earlier one from there on were never acknowledged, and do
 * not count.
 */
function endOf({ epoch }: SegmentHeader, segments: readonly SegmentHeader[]): number {
  const later = segments.filter((other) => other.epoch > epoch);
  return Math.min(...later.map(({ base }) => base), Number.POSITIVE_INFINITY);
}

export function damaged(where: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `write-ahead log is damaged: ${where}. Nothing was changed; restore the file or the data folder from a backup`,
  );
}

function lost(file: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `write-ahead log is incomplete: ${file} is missing, with answered changes that the branch may not have. Nothing was ` +
      'changed; put the file back, or restore the whole data folder from a backup. To go on without its changes, remove ' +
      'colophon.epochs in the content repository',
  );
}

export function segmentNumbers(disk: Disk, folder: string): number[] {
  return disk.list(folder).flatMap((name) => {
    const match = /^(\d{8})\.wal$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

export function segmentFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.wal`);
}
