// Measures an image by its header. No pixel is decoded, so a small file of a huge image costs no more than any other.
import { open } from 'node:fs/promises';
import { loadSharp } from './libvips.ts';

export interface Size {
  width: number;
  height: number;
}

/** Returns undefined if the header cannot be read; by its signature the file is an image all the same. */
export async function measureImage(path: string): Promise<Size | undefined> {
  const head = await readHead(path);
  // libvips reads neither BMP nor ICO.
  if (head.toString('latin1', 0, 2) === 'BM') return measureBmp(head);
  if (head.length >= 8 && head.readUInt32LE(0) === 0x10000) return { width: head[6]! || 256, height: head[7]! || 256 };
  const sharp = await loadSharp();
  try {
    const { autoOrient } = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
    const { width, height } = autoOrient;
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch (error) {
    // libvips throws plain errors for whatever it cannot read; none of them is worth reporting.
    if (error instanceof Error && !(error instanceof TypeError)) return undefined;
    throw error;
  }
}

function measureBmp(head: Buffer): Size | undefined {
  if (head.length < 26) return undefined;
  // The oldest header has 16 bits per side; in the others a negative height means that rows go downwards.
  const isOldest = head.readUInt32LE(14) === 12;
  const width = isOldest ? head.readUInt16LE(18) : Math.abs(head.readInt32LE(18));
  const height = isOldest ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22));
  return width > 0 && height > 0 ? { width, height } : undefined;
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(26), 0, 26, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
