// The chain of a trail: each line has the hash of the line before it, over files and rotations. Beside the trail,
// `<name>.jsonl.chain` has the hashes with which the kept part begins and ends, so that removed lines show at both ends.
// It is a seal against mistakes, and against a program that can write one file; one that can write all can seal anew.
import { hash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { replaceDurably } from '../data/durable.ts';
import { isCode } from '../lib/error-code.ts';
import { isStorageFull, toStorageError } from '../lib/errors.ts';

/** Stands for the line before the first one. */
export const NO_LINE = '0'.repeat(64);

const LINK = /,"prev":"([0-9a-f]{64})"\}$/;
/** Characters at the end of a line that have its link. */
const LINK_CHARACTERS = 80;
const ENDS = /^([0-9a-f]{64}) (.{73}) (.{73})\n$/s;
const SLOT = /^([0-9a-f]{64})-([0-9a-f]{8})$/;
/** Characters before the first slot, and from one slot to the next. */
const SLOTS_AT = 65;
const SLOT_STEP = 74;
const NEWLINE = 10;

export interface ChainEnds {
  /** The hash that the oldest kept line names; that of a removed line after the first pruning. */
  first: string;
  /**
   * Hashes of the newest lines, in two slots that are written in turn, so that a power cut destroys one of them at most;
   * undefined for that one. A crash may leave hashes of earlier lines.
   */
  last: readonly [string | undefined, string | undefined];
}

export function hashOfLine(line: Buffer | string): string {
  return hash('sha256', line);
}

/** The hash of the line before, as the line names it; undefined in lines of earlier versions. */
export function linkOf(line: Buffer): string | undefined {
  return LINK.exec(line.toString('latin1', Math.max(0, line.length - LINK_CHARACTERS)))?.[1];
}

/** Undefined if there is no such file, `damaged` if it is not what this version writes. */
export async function readEnds(file: string): Promise<ChainEnds | 'damaged' | undefined> {
  try {
    const [, first, one = '', other = ''] = ENDS.exec(await readFile(file, 'latin1')) ?? [];
    const last = [readSlot(one), readSlot(other)] as const;
    return first === undefined || (last[0] ?? last[1]) === undefined ? 'damaged' : { first, last };
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Makes or replaces the file; durable once it resolves. */
export async function replaceEnds(file: string, { first, last: [one, other] }: ChainEnds): Promise<void> {
  const text = `${first} ${toSlot(one ?? other ?? NO_LINE)} ${toSlot(other ?? one ?? NO_LINE)}\n`;
  await replaceDurably(file, (to) => to.writeFile(text));
}

/** Notes the newest line in the slot that does not have the line before it. On a full disk the file stays behind. */
export async function moveLast(file: string, before: string, last: string): Promise<void> {
  const ends = await readEnds(file);
  // It was removed or damaged: it is not made anew, because that would hide other removals.
  if (typeof ends !== 'object') return;
  const slot = ends.last[0] === before ? 1 : 0;
  const handle = await open(file, 'r+');
  try {
    const bytes = Buffer.from(toSlot(last));
    await handle.write(bytes, 0, bytes.length, SLOTS_AT + slot * SLOT_STEP);
    await handle.sync();
  } catch (error) {
    if (!isStorageFull(toStorageError(error))) throw error;
  } finally {
    await handle.close();
  }
}

function toSlot(last: string): string {
  return `${last}-${sumOf(last)}`;
}

function readSlot(text: string): string | undefined {
  const [, last, sum] = SLOT.exec(text) ?? [];
  return last !== undefined && sum === sumOf(last) ? last : undefined;
}

function sumOf(last: string): string {
  return hash('sha256', last).slice(0, 8);
}

/**
 * Returns how many bytes of the newest file stay. A power cut may leave a line that was not synced without its middle;
 * it was never acknowledged, so it goes with all that follows it. Only a line after the noted end can be torn like that. `before` is the hash of the last line of the older files.
 */
export function withoutTorn(bytes: Buffer, before: string, ends: ChainEnds | 'damaged' | undefined): number {
  const noted = new Set<string | undefined>(typeof ends === 'object' ? ends.last : []);
  let isAfterEnd = noted.has(before);
  let firstTorn: number | undefined;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const line = bytes.subarray(start, end);
    if (noted.has(hashOfLine(line))) {
      isAfterEnd = true;
      firstTorn = undefined;
    } else if (isAfterEnd && isTorn(line)) firstTorn ??= start;
    start = end + 1;
  }
  return firstTorn ?? start;
}

/** The hashes of the newest lines, as far as a trail has to be read to go on with it. */
export interface Tail {
  /** Adds whole lines that follow. */
  add(bytes: Buffer): void;
  /** The hash of the last line. */
  last(): string;
  /**
   * The hash that the next line names. If a line is gone that the trail is known to have had, that is this line's: so
   * the break stays visible, instead of being sealed by the next entry.
   */
  toLink(ends: ChainEnds | 'damaged' | undefined): string;
}

export function createTail(bytes: Buffer): Tail {
  const hashes = new Set([NO_LINE]);
  let last = NO_LINE;
  const add = (more: Buffer): void => {
    let start = 0;
    for (let end = more.indexOf(NEWLINE); end >= 0; end = more.indexOf(NEWLINE, start)) {
      last = hashOfLine(more.subarray(start, end));
      hashes.add(last);
      start = end + 1;
    }
  };
  add(bytes);
  return {
    add,
    last: () => last,
    toLink(ends) {
      const noted = typeof ends === 'object' ? ends.last : [];
      return noted.find((hash) => hash !== undefined && !hashes.has(hash)) ?? last;
    },
  };
}

/** The last line of bytes that end with a newline; undefined if there is no line. */
export function lastLine(bytes: Buffer): Buffer | undefined {
  if (bytes.length === 0) return undefined;
  return bytes.subarray(bytes.lastIndexOf(NEWLINE, -2) + 1, bytes.length - 1);
}

/** True if no version writes such a line. */
export function isTorn(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return false;
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}
