// The write-ahead log. One frame holds one batch of commits; once its write returns (O_DSYNC into a preallocated
// segment) the batch is acknowledged. A frame is whole or it is not there: its CRC covers the segment's number, its
// sequence and its payload, so neither a torn write nor another segment's bytes are taken for one.
//
//   segment  "COLOWAL1" u32 number, u32 crc of both, zeros to 64 bytes; then frames
//   frame    u32 magic, u32 payload length, u48 sequence, u16 0, u32 crc, payload
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { ServiceError } from '../lib/errors.ts';
import type { Disk, DurableFile } from './disk.ts';

const SEGMENT_MAGIC = Buffer.from('COLOWAL1', 'latin1');
const SEGMENT_HEADER = 64;
const FRAME_MAGIC = 0x436f4c46;
const FRAME_HEADER = 20;
const DEFAULT_SEGMENT_BYTES = 8 << 20;

export interface Wal {
  /** Resolves with the frame's sequence once it is durable. One call at a time. */
  append(payload: Buffer): Promise<number>;
  /** Frames up to this sequence are in git: segments that hold nothing else are removed. */
  release(sequence: number): void;
  /** Bytes of frames that are not released. */
  readonly heldBytes: number;
  close(): Promise<void>;
}

export interface WalFrame {
  sequence: number;
  payload: Buffer;
}

interface Segment {
  number: number;
  file: string;
  sizeBytes: number;
  /** Where the next frame goes. */
  end: number;
  lastSequence: number;
}

/**
 * Reads what earlier processes left. A torn tail ends a process's log, and the next process's goes on in a new segment
 * with the torn frame's sequence. A bad frame with a later sequence behind it is damage, not a crash, and throws: nothing
 * may be cut there.
 */
export function readWal(disk: Disk, folder: string): { frames: WalFrame[]; lastSegment: number } {
  const frames: WalFrame[] = [];
  const numbers = segmentNumbers(disk, folder);
  let expected: number | undefined;
  for (const number of numbers) {
    const file = segmentFile(folder, number);
    const bytes = disk.readFile(file);
    if (!bytes || !isSegment(bytes, number)) continue; // its creation was cut short; it never held an acknowledged frame
    let at = SEGMENT_HEADER;
    for (;;) {
      const frame = frameAt(bytes, at, number);
      if (!frame || (expected !== undefined && frame.sequence !== expected)) break;
      frames.push(frame);
      expected = frame.sequence + 1;
      at += FRAME_HEADER + frame.payload.length;
    }
    const later = laterFrame(bytes, at, number, expected ?? 0);
    if (later) throw damaged(`${file} at byte ${at}, with frame ${later.sequence} behind it`);
  }
  return { frames, lastSegment: numbers.at(-1) ?? 0 };
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
  start: { segment: number; sequence: number },
  segmentBytes = DEFAULT_SEGMENT_BYTES,
): Wal {
  let nextNumber = start.segment;
  let sequence = start.sequence;
  let current: { segment: Segment; handle: DurableFile } | undefined;
  let spare: Promise<Segment> | undefined;
  const segments: Segment[] = [];

  async function prepare(minimumBytes: number): Promise<Segment> {
    const number = nextNumber++;
    const file = segmentFile(folder, number);
    const temporary = `${file}.tmp`;
    const sizeBytes = Math.max(segmentBytes, minimumBytes + SEGMENT_HEADER);
    disk.makeFolder(folder);
    disk.remove(temporary);
    try {
      await disk.preallocate(temporary, sizeBytes);
      const handle = disk.openDurable(temporary);
      try {
        await handle.write(segmentHeader(number), 0);
      } finally {
        handle.close();
      }
      disk.rename(temporary, file);
      disk.syncFolder(folder);
    } catch (error) {
      disk.remove(temporary);
      throw error;
    }
    return { number, file, sizeBytes, end: SEGMENT_HEADER, lastSequence: 0 };
  }

  async function room(bytes: number): Promise<{ segment: Segment; handle: DurableFile }> {
    if (current && current.segment.end + bytes <= current.segment.sizeBytes) return current;
    const ready = spare;
    spare = undefined;
    let segment = ready ? await ready : await prepare(bytes);
    if (segment.sizeBytes < SEGMENT_HEADER + bytes) {
      disk.remove(segment.file);
      segment = await prepare(bytes);
    }
    current?.handle.close();
    current = { segment, handle: disk.openDurable(segment.file) };
    segments.push(segment);
    return current;
  }

  return {
    async append(payload) {
      const bytes = FRAME_HEADER + payload.length;
      const { segment, handle } = await room(bytes);
      const mine = sequence + 1;
      try {
        await handle.write(encodeFrame(payload, mine, segment.number), segment.end);
      } catch (error) {
        // Refused is refused: what may have reached the disk must not come back after a crash.
        await handle.write(Buffer.alloc(FRAME_HEADER), segment.end);
        throw error;
      }
      sequence = mine;
      segment.end += bytes;
      segment.lastSequence = mine;
      if (!spare && segment.end > segment.sizeBytes / 2) {
        spare = prepare(0);
        // A full disk must refuse the write that needs the space, not this one.
        spare.catch(() => (spare = undefined));
      }
      return mine;
    },
    release(upTo) {
      let removed = false;
      while (segments.length > 1 && segments[0]!.lastSequence <= upTo) {
        removed = disk.remove(segments.shift()!.file) || removed;
      }
      if (removed) disk.syncFolder(folder);
    },
    get heldBytes() {
      return segments.reduce((sum, segment) => sum + segment.end, 0);
    },
    async close() {
      await spare?.catch(() => undefined); // prepared for later and not needed any more
      current?.handle.close();
      current = undefined;
    },
  };
}

/** Removes segments of an earlier process, once all they hold is in git. */
export function removeSegments(disk: Disk, folder: string, upTo: number): void {
  for (const name of disk.list(folder)) {
    // Half-made ones too, but only of earlier processes: ours may be preparing one right now.
    const match = /^(\d{8})\.wal(?:\.tmp)?$/.exec(name);
    if (match && Number(match[1]) <= upTo) disk.remove(path.join(folder, name));
  }
  if (disk.stat(folder)) disk.syncFolder(folder);
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

function segmentHeader(number: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER);
  SEGMENT_MAGIC.copy(header);
  header.writeUInt32BE(number, 8);
  header.writeUInt32BE(crc32(header.subarray(0, 12)), 12);
  return header;
}

function isSegment(bytes: Buffer, number: number): boolean {
  return bytes.length >= SEGMENT_HEADER && bytes.subarray(0, 16).equals(segmentHeader(number).subarray(0, 16));
}

function encodeFrame(payload: Buffer, sequence: number, segment: number): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + payload.length);
  frame.writeUInt32BE(FRAME_MAGIC, 0);
  frame.writeUInt32BE(payload.length, 4);
  frame.writeUIntBE(sequence, 8, 6);
  frame.writeUInt16BE(0, 14);
  payload.copy(frame, FRAME_HEADER);
  frame.writeUInt32BE(frameCrc(frame, segment), 16);
  return frame;
}

function frameCrc(frame: Buffer, segment: number): number {
  return crc32(frame.subarray(FRAME_HEADER), crc32(frame.subarray(0, 16), segment));
}

function frameAt(bytes: Buffer, at: number, segment: number): WalFrame | undefined {
  if (at + FRAME_HEADER > bytes.length || bytes.readUInt32BE(at) !== FRAME_MAGIC) return undefined;
  const length = bytes.readUInt32BE(at + 4);
  const end = at + FRAME_HEADER + length;
  if (end > bytes.length) return undefined;
  const frame = bytes.subarray(at, end);
  if (frameCrc(frame, segment) !== frame.readUInt32BE(16)) return undefined;
  return { sequence: frame.readUIntBE(8, 6), payload: frame.subarray(FRAME_HEADER) };
}

/** A valid frame anywhere behind `from`; the CRC makes a chance hit as good as impossible. */
function laterFrame(bytes: Buffer, from: number, segment: number, expected: number): WalFrame | undefined {
  const magic = Buffer.alloc(4);
  magic.writeUInt32BE(FRAME_MAGIC, 0);
  for (let at = bytes.indexOf(magic, from); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const frame = frameAt(bytes, at, segment);
    if (frame && frame.sequence >= expected) return frame;
  }
  return undefined;
}
