// Which files of a trail go, and the beginning of its chain after that.
import { rm } from 'node:fs/promises';
import { linkOf, readEnds, replaceEnds } from './chain.ts';
import type { AuditFile } from './scanned-files.ts';
import { isKept } from './trail-space.ts';

export interface PruningLimits {
  /** The file that is being written. */
  current: string;
  nowMs: number;
  maxBytes: number;
  maxAgeMs: number;
  /** Space for the next file. */
  fileBytes: number;
}

const NEWLINE = 10;
const FIRST_LINE_BYTES = 64 << 10;

/**
 * The oldest files first; the total includes space for the newest file. Files that must stay do, even in a trail that is
 * too large: changes are refused before they fill it, but those of the command line are not.
 */
export function choosePruned(
  opened: readonly AuditFile[],
  { current, nowMs, maxBytes, maxAgeMs, fileBytes }: PruningLimits,
): string[] {
  const pruned: string[] = [];
  // At most one because of its age: a clock that is ahead by a year must not remove the whole trail.
  let oldOnes = 1;
  let totalBytes = opened.reduce((total, { scanned }) => total + scanned.bytes, fileBytes);
  for (const { path, scanned } of opened) {
    const isOld = nowMs - scanned.newestMs > maxAgeMs;
    if (totalBytes <= maxBytes && !(isOld && oldOnes-- > 0)) break;
    if (path === current || isKept(scanned, nowMs)) break;
    pruned.push(path);
    totalBytes -= scanned.bytes;
  }
  return pruned;
}

/** The chain begins anew with the first line that stays, before the lines that it follows are gone. */
export async function prune(
  pruned: readonly string[],
  { chain, kept, last }: { chain: string; kept: AuditFile | undefined; last: string },
): Promise<void> {
  const ends = await readEnds(chain);
  const first = kept && (await firstLink(kept));
  if (typeof ends === 'object' && first !== undefined) await replaceEnds(chain, { first, last: [last, last] });
  for (const path of pruned) await rm(path, { force: true });
}

/** The link of the file's first line; undefined if an earlier version wrote it. */
async function firstLink({ handle }: AuditFile): Promise<string | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
  return end < 0 ? undefined : linkOf(buffer.subarray(0, end));
}
