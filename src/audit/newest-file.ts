// The newest file of a trail, as far as an append has to know it.
import { readFile } from 'node:fs/promises';
import { createTail, readEnds, withoutTorn } from './chain.ts';
import { statIfThere, type TrailFiles, withFile } from './trail-files.ts';

/** The state of the newest file, valid until another process writes to it. */
export interface Newest {
  version: string;
  ids: Set<string>;
  /** Time of its first entry. */
  begunAtMs: number | undefined;
  /** The hash that the next line has of the line before it. */
  last: string;
  /** False until this process has synced the folder. */
  isNamed: boolean;
}

/** Reads the newest file if another process has written to it, and truncates a line that a crash left torn. */
export async function learnNewest(files: TrailFiles, known: Newest | undefined): Promise<Newest> {
  const { current, chain } = files;
  const version = await versionOf(current);
  if (known?.version === version) return known;
  const ids = new Set<string>();
  let begunAtMs: number | undefined;
  const ends = await readEnds(chain);
  const tail = createTail(await readOlder(files));
  if (version !== '') {
    await withFile(current, 'r+', async (handle) => {
      const bytes = await handle.readFile();
      const whole = withoutTorn(bytes, tail.last(), ends);
      for (const [, id = '', at = ''] of bytes
        .toString('utf8', 0, whole)
        .matchAll(/^\{"id":"([^"]*)","at":"([^"]*)"/gm)) {
        ids.add(id);
        begunAtMs ??= Date.parse(at);
      }
      tail.add(bytes.subarray(0, whole));
      if (whole < bytes.length) await handle.truncate(whole);
    });
  }
  return { version: await versionOf(current), ids, begunAtMs, last: tail.toLink(ends), isNamed: false };
}

/** The newest two files that have a number: one of them may have a single line, and the chain's end names two. */
async function readOlder({ listNumbers, pathOf }: TrailFiles): Promise<Buffer> {
  const numbers = (await listNumbers()).slice(-2);
  return Buffer.concat(await Promise.all(numbers.map((number) => readFile(pathOf(number)))));
}

/** The inode alone would name the next file too, once it is reused. */
export async function versionOf(file: string): Promise<string> {
  const stats = await statIfThere(file);
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : '';
}
