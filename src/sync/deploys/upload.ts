// A body on its way to the disk: hashed while it arrives, synced, and never held in memory as a whole.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { SyncRefusal } from '../refusal.ts';
import type { UploadedFile } from './staged-files.ts';

/** Left free on the volume, so that signatures can still be noted down and old deploys removed. */
export const FREE_BYTES = 8 << 20;
/** The free space is looked at again after this many bytes. */
const CHECK_BYTES = 16 << 20;

/**
 * Receives a body into a new file of the folder. The caller removes the file if it does not use it. Leaves `freeBytes`
 * of the volume free. @throws SyncRefusal 507, and an Error if the client leaves
 */
export async function receiveFile(request: IncomingMessage, folder: string, freeBytes: number): Promise<UploadedFile> {
  await checkSpace(folder, Number(request.headers['content-length'] ?? 0), freeBytes);
  const temporary = path.join(folder, randomBytes(12).toString('hex'));
  const handle = await fs.promises.open(temporary, 'wx', 0o644);
  try {
    const hash = createHash('sha256');
    let unchecked = 0;
    for await (const chunk of chunksOf(request)) {
      hash.update(chunk);
      await handle.appendFile(chunk);
      unchecked += chunk.length;
      if (unchecked < CHECK_BYTES) continue;
      unchecked = 0;
      await checkSpace(folder, 0, freeBytes);
    }
    if (!request.complete) throw new SyncRefusal(400, 'the body was cut off');
    await handle.sync();
    const { size: sizeBytes, mtimeMs, ino } = await handle.stat();
    return { temporary, sha256: hash.digest('hex'), sizeBytes, mtimeMs, ino };
  } catch (error) {
    await fs.promises.rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** The connection survives an error in the loop, so that the refusal can be sent. */
function chunksOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer> };
}

async function checkSpace(folder: string, wantedBytes: number, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await fs.promises.statfs(folder);
  if (bavail * bsize - wantedBytes < freeBytes) {
    throw new SyncRefusal(507, 'the volume is full; extend it, or remove deploys that are kept');
  }
}

const MAX_TEXT_BYTES = 64 << 10;

/** A small body as a whole. @throws SyncRefusal 413 */
export async function receiveText(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(request)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) throw new SyncRefusal(413, `the body is longer than ${MAX_TEXT_BYTES} bytes`);
  }
  return Buffer.concat(chunks);
}
