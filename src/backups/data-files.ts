// Selects the files of a site's `_data` to back up: all except the backups themselves, the outbox, and files that the
// service makes again by itself. Files are replaced as a whole, so each is read as it was at one moment.
import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import type { PackedFile } from './tar-stream.ts';

/** Folders at the top of `_data` that no archive contains. */
const LEFT_OUT = new Set(['backups', 'chat', 'deliveries', 'deploys']);
/**
 * What was used of a budget, running jobs, entries that calendar subscribers got, results of checks: they are right for this service now,
 * and wrong later or elsewhere. Archives of earlier versions contain them.
 */
const MADE_AGAIN = new Set([
  'schedule.json',
  'calendar.json',
  'link-check-known.json',
  'last-check.json',
  'ai-use.json',
]);
/** One segment of a path in an archive. */
const DATA_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const DATA_DEPTH = 10;
/** A secret at the top of `_data`. The service puts none there; one that was put there by hand is not backed up. */
const SECRET = /^(secrets?|.*\.(secret|key|pem))(\.json)?$/i;
const CHUNK_BYTES = 64 << 10;

/** Whether an archive may contain the file. */
export function isDataPath(file: string): boolean {
  const segments = file.split('/');
  if (segments.length > DATA_DEPTH || LEFT_OUT.has(segments[0]!)) return false;
  if (segments.length === 1 && SECRET.test(file)) return false;
  return segments.every((name) => DATA_NAME.test(name) && !name.includes('..'));
}

/** Whether the file is restored if an archive contains it. */
export function isPutBack(file: string): boolean {
  return isDataPath(file) && !MADE_AGAIN.has(file);
}

/** Yields files sorted by path. A file that is removed meanwhile is left out. */
export async function* listDataFiles(folder: string): AsyncGenerator<PackedFile> {
  for await (const name of walk(folder, '')) {
    let handle: FileHandle;
    try {
      handle = await open(path.join(folder, name), 'r');
    } catch (error) {
      if (isCode(error, 'ENOENT')) continue;
      throw error;
    }
    try {
      const { size } = await handle.stat();
      yield { name, sizeBytes: size, chunks: () => readChunks(handle, size) };
    } finally {
      await handle.close();
    }
  }
}

async function* walk(folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await readdir(path.join(folder, prefix), { withFileTypes: true }).catch((error) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = prefix + entry.name;
    if (entry.isDirectory() && isDataPath(`${name}/x`)) yield* walk(folder, `${name}/`);
    else if (entry.isFile() && isPutBack(name)) yield name;
  }
}

/** Yields exactly `size` bytes; bytes that are appended meanwhile are left out. */
export async function* readChunks(handle: FileHandle, size: number, start = 0): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start + at);
    if (bytesRead === 0) throw new Error(`a file became shorter while it was read: ${size - at} bytes are missing`);
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}
