// Whether this disk makes new files as fast as it can. For minutes ext4 passes over the inodes of what was just deleted
// near by, one look at each for every new file: the figures of builds, deploys and syncs are up to twenty times too large
// then.
import fs from 'node:fs';
import path from 'node:path';

const FILES = 1000;
/** Takes 30 ms on an ordinary disk, 800 after a large folder was deleted. */
const SLOW_MS = 250;

/** A sentence for the end of the table; undefined if all is well. */
export function findSlowFiles(folder: string): string | undefined {
  const startMs = performance.now();
  for (let n = 0; n < FILES; n++) fs.writeFileSync(path.join(folder, `probe-${n}`), 'x');
  const tookMs = performance.now() - startMs;
  if (tookMs <= SLOW_MS) return undefined;
  return `${FILES} new files took ${tookMs.toFixed(0)} ms when it began (30 are usual): this disk still remembers what was deleted on it, so figures of builds, deploys and syncs are too large; try again in five minutes, or on another disk`;
}
