// How large an image is, from its header: no pixel is decoded, so that a small file that stands for a huge image costs
// no more than any other.
import { open } from 'node:fs/promises';
import { loadSharp } from './libvips.ts';

export interface Size {
  width: number;
  height: number;
}

/** Undefined where the header cannot be read; the file is an image all the same, by what it begins with. */
export async function measureImage(path: string): Promise<Size | undefined> {
  const head = await readHead(path);
  // libvips reads neither of these two.
  if (head.toString('latin1', 0, 2) === 'BM') return measureBmp(head);
  if (head.length >= 8 && head.readUInt32LE(0) === 0x10000) return { width: head[6]! || 256, height: head[7]! || 256 };
  const sharp = await loadSharp();
  try {
    const { autoOrient } = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
    const { width, height } = autoOrient;
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch (error) {
    // Libvips throws plain errors for whatever it cannot read, and none of it is ours to tell anybody.
    if (error instanceof Error && !(error instanceof TypeError)) return undefined;
    throw error;
  }
}

function measureBmp(head: Buffer): Size | undefined {
  if (head.length < 26) return undefined;
  // The oldest header has 16 bits for each; in the others a negative height says that rows go downwards.
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
