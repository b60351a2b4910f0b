// Checks the chain of one trail: each line against the hash that the next one names, and both ends against the file that
// has them. It only reads. Lines that earlier versions wrote have no hash; the chain starts after them.
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { type ChainEnds, hashOfLine, isTorn, linkOf, NO_LINE, readEnds } from './chain.ts';
import type { TrailFiles } from './trail-files.ts';

export interface TrailCheck {
  /** Lines with a hash. */
  lines: number;
  /** The first break, with file and line; undefined if the chain is whole. */
  problem: string | undefined;
}

interface CheckedFile {
  name: string;
  handle: FileHandle;
  sizeBytes: number;
}

interface CheckedLine {
  name: string;
  line: number;
}

const CHUNK_BYTES = 64 << 10;
const NEWLINE = 10;

/** `alone` runs what must see no append in between. */
export async function verifyTrail(
  files: TrailFiles,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<TrailCheck> {
  const { ends, opened } = await alone(async () => ({
    ends: await readEnds(files.chain),
    opened: await openAll(await files.listPaths()),
  }));
  try {
    return await check(opened, ends, path.basename(files.chain));
  } finally {
    for (const { handle } of opened) await handle.close();
  }
}

async function openAll(paths: readonly string[]): Promise<CheckedFile[]> {
  const opened: CheckedFile[] = [];
  for (const file of paths) {
    try {
      const handle = await open(file, 'r');
      opened.push({ name: path.basename(file), handle, sizeBytes: (await handle.stat()).size });
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }
  return opened;
}

async function check(
  opened: readonly CheckedFile[],
  ends: ChainEnds | 'damaged' | undefined,
  chainName: string,
): Promise<TrailCheck> {
  const known = typeof ends === 'object' ? ends : undefined;
  let lines = 0;
  let before: string | undefined;
  let begins: CheckedLine | undefined;
  let last: CheckedLine | undefined;
  let hasFirst = false;
  const wanted = new Set(known?.last.filter((hash) => hash !== undefined && hash !== NO_LINE));
  for (const file of opened) {
    let line = 0;
    for await (const text of readLines(file)) {
      const place = { name: file.name, line: ++line };
      const isNewest = file === opened.at(-1);
      const problem = text.isWhole ? checkLink(text.bytes, before, lines > 0, last) : 'is not whole';
      // A crash in the middle of a line leaves this; the next append removes it.
      if (isNewest && (!text.isWhole || (problem !== undefined && wanted.size === 0 && isTorn(text.bytes)))) break;
      if (problem !== undefined) return { lines, problem: toSentence(place, problem) };
      const link = linkOf(text.bytes);
      if (link !== undefined) lines++;
      if (link !== undefined) begins ??= place;
      hasFirst ||= link !== undefined && link === known?.first;
      before = hashOfLine(text.bytes);
      wanted.delete(before);
      last = place;
    }
  }
  return { lines, problem: checkEnds({ ends, begins, last, hasFirst, hasLast: wanted.size === 0 }, chainName) };
}

function checkLink(
  line: Buffer,
  before: string | undefined,
  isInChain: boolean,
  last: CheckedLine | undefined,
): string | undefined {
  const link = linkOf(line);
  if (link === undefined) return isInChain ? 'has no hash of the line before it, unlike earlier lines' : undefined;
  if (before === undefined || link === before) return undefined;
  const earlier = last ? `line ${last.line} of ${last.name}` : 'the line before it';
  return `does not follow ${earlier}: that line was changed, or lines between them were removed, added or moved`;
}

interface FoundEnds {
  ends: ChainEnds | 'damaged' | undefined;
  /** The first line with a hash. */
  begins: CheckedLine | undefined;
  last: CheckedLine | undefined;
  hasFirst: boolean;
  hasLast: boolean;
}

function checkEnds({ ends, begins, last, hasFirst, hasLast }: FoundEnds, chainName: string): string | undefined {
  if (ends === 'damaged') return `${chainName}: damaged, so that it is not known where the chain begins and ends`;
  if (ends === undefined)
    return begins && `${chainName}: missing, so that it is not known where the chain begins and ends`;
  if (begins && !hasFirst) return toSentence(begins, 'is not where the chain begins: lines before it were removed');
  if (hasLast) return undefined;
  const end = last ?? { name: chainName.replace(/\.chain$/, ''), line: 0 };
  return toSentence(end, 'is not where the chain ends: it was changed, or lines after it were removed');
}

function toSentence({ name, line }: CheckedLine, problem: string): string {
  return `${name}: line ${line} ${problem}`;
}

async function* readLines({ handle, sizeBytes }: CheckedFile): AsyncGenerator<{ bytes: Buffer; isWhole: boolean }> {
  let rest = Buffer.alloc(0);
  for (let at = 0; at < sizeBytes; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, sizeBytes - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield { bytes: bytes.subarray(start, end), isWhole: true };
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { bytes: rest, isWhole: false };
}
