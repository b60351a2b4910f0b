// A body on its way to the disk: hashed while it arrives, synced, and never held in memory as a whole.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPace, type PaceLimit, type PeerPace } from '../../lib/time/pace.ts';
import { SyncRefusal } from '../refusal.ts';
import type { UploadedFile } from './staged-files.ts';

/** Left free on the volume, so that signatures can still be noted down and old deploys removed. */
export const FREE_BYTES = 8 << 20;
/** The free space is looked at again after this many bytes. */
const CHECK_BYTES = 16 << 20;
/** How often in a window a body that does not come is looked at. */
const LOOKS = 10;

/**
 * Receives a body into a new file of the folder. The caller removes the file if it does not use it. Leaves `freeBytes`
 * of the volume free. @throws SyncRefusal 507, 408, and an Error if the client leaves
 */
export async function receiveFile(
  request: IncomingMessage,
  { folder, freeBytes, slowest }: { folder: string; freeBytes: number; slowest: PaceLimit },
): Promise<UploadedFile> {
  await checkSpace(folder, Number(request.headers['content-length'] ?? 0), freeBytes);
  const temporary = path.join(folder, randomBytes(12).toString('hex'));
  const handle = await fs.promises.open(temporary, 'wx', 0o644);
  try {
    const hash = createHash('sha256');
    let unchecked = 0;
    for await (const chunk of chunksOf(request, slowest)) {
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

/**
 * The connection survives an error in the loop, so that the refusal can be sent. Counts only the time in which nothing
 * came, not that of the disk. @throws SyncRefusal 408 if the client sends too slowly
 */
async function* chunksOf(request: IncomingMessage, slowest: PaceLimit): AsyncGenerator<Buffer> {
  const pace = createPace(slowest);
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  for (;;) {
    const next = chunks.next();
    // The error is thrown where it is awaited, or the client was too slow.
    next.catch(() => undefined);
    const chunk = await inPace(next, pace, slowest.windowMs / LOOKS);
    if (chunk.done) return;
    yield chunk.value;
  }
}

async function inPace(
  next: Promise<IteratorResult<Buffer>>,
  pace: PeerPace,
  lookMs: number,
): Promise<IteratorResult<Buffer>> {
  for (;;) {
    const from = performance.now();
    const pause = new AbortController();
    const look = delay(lookMs, undefined, { signal: pause.signal });
    look.catch(() => undefined); // it was aborted
    const found = await Promise.race([next, look]).finally(() => pause.abort());
    if (pace.note(performance.now() - from, found?.value?.length ?? 0)) {
      throw new SyncRefusal(408, 'the body comes too slowly');
    }
    if (found) return found;
  }
}

async function checkSpace(folder: string, wantedBytes: number, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await fs.promises.statfs(folder);
  if (bavail * bsize - wantedBytes < freeBytes) {
    throw new SyncRefusal(507, 'the volume is full; extend it, or remove deploys that are kept');
  }
}

/** A small body as a whole. @throws SyncRefusal 413, 408 */
export async function receiveText(
  request: IncomingMessage,
  { limitBytes, slowest }: { limitBytes: number; slowest: PaceLimit },
): Promise<Buffer> {
  const tooLong = new SyncRefusal(413, `the body is longer than ${limitBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLong;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(request, slowest)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limitBytes) throw tooLong;
  }
  return Buffer.concat(chunks);
}
