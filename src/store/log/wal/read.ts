// What an earlier process left of the write-ahead log, and whether it is all there: a torn tail is a crash, whatever else
// is missing is a loss, and is told. Reads only.
import path from 'node:path';
import { ServiceError } from '../../../lib/errors.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Declared } from './epoch.ts';
import { frameAt, laterFrame, parseSegment, SEGMENT_HEADER, type SegmentHeader, type WalFrame } from './format.ts';

/** What a start found. */
export interface WalContent {
  /** Frames that were not known to be in git, oldest first. */
  frames: WalFrame[];
  segments: StoredSegment[];
  lastSequence: number;
  released: number;
  /** The log that the segments name; undefined where none does. */
  log: string | undefined;
  /** A frame that is missing, although nothing had to be there any more: all that there is should be in git. */
  hole: ServiceError | undefined;
}

export interface StoredSegment {
  number: number;
  file: string;
  /** Of its last frame; 0 where it has none. */
  lastSequence: number;
}

interface ReadSegment extends StoredSegment, SegmentHeader {
  bytes: Buffer;
}

/**
 * A torn tail ends a process's log, and the next process's frames follow it with the next sequence. A sequence that is
 * missing and not known to be in git is damage, not a crash, and throws: nothing may be cut there. `declared` is what the
 * last process says must be there.
 */
export function readWal(disk: Disk, folder: string, declared?: Declared): WalContent {
  const numbers = segmentNumbers(disk, folder);
  for (const number of [declared?.oldest, declared?.newest]) {
    if (typeof number === 'number' && !numbers.includes(number)) throw lost(segmentFile(folder, number));
  }
  const oldest = declared?.oldest ?? 0;
  // What is older is in git, and was about to be removed.
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
  // A segment gets its name after its header is on the disk, so this is no crash either.
  const header = parseSegment(bytes, number);
  if (!header) throw damaged(`${file} has no segment header`);
  if (bytes.length < header.sizeBytes) throw damaged(`${file} has ${bytes.length} of its ${header.sizeBytes} bytes`);
  return { number, file, bytes, lastSequence: 0, ...header };
}

/** All of them, and notes each segment's last. */
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
      // Segments are removed from the front once all of theirs is in git, so what comes before the first frame is no gap
      // unless it was in that frame's own segment.
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

/** Where a later epoch begins: what its predecessor wrote from there on was never acknowledged, and is not counted. */
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
    `write-ahead log is not whole: ${file} is missing, with answered changes that the branch may not have. Nothing was ` +
      'changed; put it back, or restore the data folder from a backup as a whole. To go on without what it held, remove ' +
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
