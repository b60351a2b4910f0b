// Makes a segment's file: preallocated, with its header, and durable under its name once this resolves.
import type { Disk } from '../../disk/disk.ts';
import { SEGMENT_HEADER, type SegmentHeader, segmentHeader } from './format.ts';
import type { Ownership } from './ownership.ts';
import { type StoredSegment, segmentFile } from './read.ts';

export interface OpenSegment extends StoredSegment {
  sizeBytes: number;
  /** Offset of the next frame. */
  end: number;
}

export async function makeSegment(
  { disk, folder, ownership }: { disk: Disk; folder: string; ownership: Ownership },
  number: number,
  header: SegmentHeader,
): Promise<OpenSegment> {
  const { guard, isLost } = ownership;
  const file = segmentFile(folder, number);
  const temporary = `${file}.tmp`;
  const { sizeBytes } = header;
  disk.makeFolder(folder);
  await disk.removeApart(temporary);
  guard(); // another process that owns the log by now makes files of the same name
  let isNamed = false;
  try {
    await disk.preallocate(temporary, sizeBytes);
    const handle = disk.openDurable(temporary);
    try {
      await handle.write(segmentHeader(number, header), 0);
    } finally {
      handle.close();
    }
    guard(); // the name may belong to another process by now
    await disk.renameApart(temporary, file);
    isNamed = true;
    await disk.syncFolderApart(folder);
  } catch (error) {
    // Nothing would ever write into it, and each try makes another one.
    if (!isLost()) await disk.removeApart(isNamed ? file : temporary);
    throw error;
  }
  return { number, file, sizeBytes, end: SEGMENT_HEADER, lastSequence: 0 };
}
