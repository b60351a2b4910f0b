// The bytes of the write-ahead log. A frame's CRC covers its segment's number, its sequence and its payload, so that
// neither a torn write nor another segment's bytes pass for a frame.
//
//   segment  "COLOWAL1" u32 number, u32 crc of both; u48 epoch, u48 base, u48 size, 8 bytes log, u32 crc of the header
//            so far; zeros to 64 bytes; then frames. Segments of earlier versions have zeros from the epoch on.
//   frame    u32 magic, u32 payload length, u48 sequence, u48 released, u32 crc, payload
import { crc32 } from 'node:zlib';

const SEGMENT_MAGIC = Buffer.from('COLOWAL1', 'latin1');
export const SEGMENT_HEADER = 64;
const FRAME_MAGIC = 0x436f4c46;
const FRAME_MAGIC_BYTES = Buffer.from('CoLF', 'latin1');
const CRC_AT = 20;
export const FRAME_HEADER = CRC_AT + 4;

export interface WalFrame {
  sequence: number;
  /** Frames up to this sequence were in git when this one was written. */
  released: number;
  payload: Buffer;
  /** Offset of the next frame in the segment. */
  end: number;
}

/** A segment's header. */
export interface SegmentHeader {
  /** Epoch of the process that made it; 0 if an earlier version did. */
  epoch: number;
  /** The first sequence of its epoch: frames of earlier epochs from there on were never acknowledged. */
  base: number;
  /** Size of the whole file; 0 if an earlier version made it. */
  sizeBytes: number;
  /** Id of the log: 16 hexadecimal digits; empty if an earlier version made it. */
  log: string;
}

const OLD_HEADER = 16;
const HEADER_CRC_AT = 42;

export function segmentHeader(number: number, { epoch, base, sizeBytes, log }: SegmentHeader): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER);
  SEGMENT_MAGIC.copy(header);
  header.writeUInt32BE(number, 8);
  header.writeUInt32BE(crc32(header.subarray(0, 12)), 12);
  header.writeUIntBE(epoch, 16, 6);
  header.writeUIntBE(base, 22, 6);
  header.writeUIntBE(sizeBytes, 28, 6);
  header.write(log, 34, 8, 'hex');
  header.writeUInt32BE(crc32(header.subarray(0, HEADER_CRC_AT)), HEADER_CRC_AT);
  return header;
}

/** Returns undefined if the bytes are not the segment of this number. */
export function parseSegment(bytes: Buffer, number: number): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER || !bytes.subarray(0, 8).equals(SEGMENT_MAGIC)) return undefined;
  if (bytes.readUInt32BE(8) !== number || bytes.readUInt32BE(12) !== crc32(bytes.subarray(0, 12))) return undefined;
  const rest = bytes.subarray(OLD_HEADER, SEGMENT_HEADER);
  if (rest.every((byte) => byte === 0)) return { epoch: 0, base: 0, sizeBytes: 0, log: '' };
  if (bytes.readUInt32BE(HEADER_CRC_AT) !== crc32(bytes.subarray(0, HEADER_CRC_AT))) return undefined;
  return {
    epoch: bytes.readUIntBE(16, 6),
    base: bytes.readUIntBE(22, 6),
    sizeBytes: bytes.readUIntBE(28, 6),
    log: bytes.toString('hex', 34, HEADER_CRC_AT),
  };
}

export function encodeFrame(payload: Buffer, sequence: number, released: number, segment: number): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER + payload.length);
  frame.writeUInt32BE(FRAME_MAGIC, 0);
  frame.writeUInt32BE(payload.length, 4);
  frame.writeUIntBE(sequence, 8, 6);
  frame.writeUIntBE(released, 14, 6);
  payload.copy(frame, FRAME_HEADER);
  frame.writeUInt32BE(frameCrc(frame, segment), CRC_AT);
  return frame;
}

/** The frame that begins at `at`, if it is whole. */
export function frameAt(bytes: Buffer, at: number, segment: number): WalFrame | undefined {
  if (at + FRAME_HEADER > bytes.length || bytes.readUInt32BE(at) !== FRAME_MAGIC) return undefined;
  const end = at + FRAME_HEADER + bytes.readUInt32BE(at + 4);
  if (end > bytes.length) return undefined;
  const frame = bytes.subarray(at, end);
  if (frameCrc(frame, segment) !== frame.readUInt32BE(CRC_AT)) return undefined;
  return {
    sequence: frame.readUIntBE(8, 6),
    released: frame.readUIntBE(14, 6),
    payload: frame.subarray(FRAME_HEADER),
    end,
  };
}

/** The first whole frame from `from` on with a higher sequence than `after`; the CRC all but rules out a chance hit. */
export function laterFrame(bytes: Buffer, from: number, segment: number, after: number): WalFrame | undefined {
  for (let at = bytes.indexOf(FRAME_MAGIC_BYTES, from); at >= 0; at = bytes.indexOf(FRAME_MAGIC_BYTES, at + 1)) {
    const frame = frameAt(bytes, at, segment);
    if (frame && frame.sequence > after) return frame;
  }
  return undefined;
}

function frameCrc(frame: Buffer, segment: number): number {
  return crc32(frame.subarray(FRAME_HEADER), crc32(frame.subarray(0, CRC_AT), segment));
}
