// Finds the differences between two versions of a directory, and checks whether git accepts a tree. Two versions of a
// wide directory differ in few entries, so their common head and tail are skipped as bytes.
import { runToEnd } from '../../lib/queues/slices.ts';
import type { Oid } from './objects.ts';

export interface EntryChange {
  name: string;
  isDirectory: boolean;
  /** `160000` is a submodule: its id is a commit of another repository. */
  mode: string;
  before: Oid | null;
  after: Oid | null;
}

interface RawEntry {
  key: string;
  name: string;
  mode: string;
  oid: Oid;
}

const MODES = new Set(['100644', '100755', '120000', '160000', '40000']);
const BLOCK = 4096;

/** A file and a directory with the same name are two entries. */
export function changedEntries(before: Buffer, after: Buffer): EntryChange[] {
  return runToEnd(changedEntriesInSteps(before, after));
}

/** Entries parsed between two yields: half a millisecond. */
const STEP = 512;
/** Entries skipped or checked as bytes between two yields: half a millisecond as well. */
const BYTES_STEP = 2048;

/** The same in steps, for callers that must not block the event loop: 100,000 entries take a tenth of a second. */
export function* changedEntriesInSteps(before: Buffer, after: Buffer): Generator<undefined, EntryChange[]> {
  const head = sameHead(before, after);
  const start = yield* boundaryFrom(before, 0, head, true);
  const tail = sameTail(before, after, Math.min(before.length, after.length) - start);
  let oldEnd = yield* boundaryFrom(before, start, before.length - tail, false);
  let newEnd = yield* boundaryFrom(after, start, after.length - tail, false);
  if (before.length - oldEnd !== after.length - newEnd) {
    oldEnd = before.length;
    newEnd = after.length;
  }
  const olds = new Map<string, RawEntry>();
  let steps = 0;
  for (const entry of readTreeEntries(before.subarray(start, oldEnd))) {
    if (++steps % STEP === 0) yield undefined;
    olds.set(entry.key, entry);
  }
  const changes: EntryChange[] = [];
  for (const { key, name, mode, oid } of readTreeEntries(after.subarray(start, newEnd))) {
    if (++steps % STEP === 0) yield undefined;
    const old = olds.get(key);
    olds.delete(key);
    if (old?.oid === oid && old.mode === mode) continue;
    changes.push({ name, isDirectory: key.endsWith('/'), mode, before: old?.oid ?? null, after: oid });
  }
  for (const { key, name, mode, oid } of olds.values()) {
    changes.push({ name, isDirectory: key.endsWith('/'), mode, before: oid, after: null });
  }
  return changes;
}

/** What `git fsck` would report, in short; undefined for a good tree. */
export function findTreeProblem(content: Buffer): string | undefined {
  return runToEnd(findTreeProblemInSteps(content));
}

/** The same in steps, for callers that must not block the event loop. */
export function* findTreeProblemInSteps(content: Buffer): Generator<undefined, string | undefined> {
  return (yield* isGoodTree(content)) ? undefined : explainTree(content);
}

const SLASH = 47;

/**
 * Checks the tree without creating any strings: a wide folder is checked for every commit that changes it. A file and a
 * folder with the same name need not be neighbours, but everything between them begins with that name.
 */
function* isGoodTree(content: Buffer): Generator<undefined, boolean> {
  let last: NameAt | undefined;
  /** The file names that the last name begins with, the longest last. */
  const files: NameAt[] = [];
  let steps = 0;
  for (let at = 0; at < content.length; ) {
    if (++steps % BYTES_STEP === 0) yield undefined;
    const isFolder = content[at + 5] === 32;
    const start = at + (isFolder ? 6 : 7);
    if (start > content.length) return false;
    const mode = isFolder ? content.readUIntBE(at, 5) : content.readUIntBE(at, 6);
    if (isFolder ? mode !== FOLDER : !FILES.has(mode) || content[start - 1] !== 32) return false;
    const end = content.indexOf(0, start);
    if (end < 0 || end + 21 > content.length || !isGoodName(content, start, end)) return false;
    const name = { start, end, isFolder };
    if (last && !comesBefore(content, last, name)) return false;
    while (files.length && !beginsWith(content, name, files.at(-1)!)) files.pop();
    const file = files.at(-1);
    if (file && isFolder && file.end - file.start === end - start) return false;
    if (!isFolder) files.push(name);
    last = name;
    at = end + 21;
  }
  return true;
}

const FOLDER = Buffer.from('40000').readUIntBE(0, 5);
const FILES = new Set(['100644', '100755', '120000', '160000'].map((mode) => Buffer.from(mode).readUIntBE(0, 6)));

function isGoodName(content: Buffer, start: number, end: number): boolean {
  if (end === start) return false;
  for (let i = start; i < end; i++) if (content[i] === SLASH) return false;
  // `.`, `..` and `.git` in any case.
  const isShort = content[start] === 46 && end - start <= 4;
  return !isShort || !/^\.(?:\.?|git)$/i.test(content.toString('latin1', start, end));
}

interface NameAt {
  start: number;
  end: number;
  isFolder: boolean;
}

/** Strictly before, in git's order: a folder's name counts as if it ended with a slash. */
function comesBefore(content: Buffer, one: NameAt, other: NameAt): boolean {
  let a = one.start;
  let b = other.start;
  for (; a < one.end && b < other.end; a++, b++) {
    if (content[a] !== content[b]) return content[a]! < content[b]!;
  }
  const nextA = a < one.end ? content[a]! : one.isFolder ? SLASH : 0;
  const nextB = b < other.end ? content[b]! : other.isFolder ? SLASH : 0;
  return nextA < nextB;
}

function beginsWith(content: Buffer, name: NameAt, start: NameAt): boolean {
  const length = start.end - start.start;
  if (length > name.end - name.start) return false;
  for (let i = 0; i < length; i++) if (content[name.start + i] !== content[start.start + i]) return false;
  return true;
}

function explainTree(content: Buffer): string | undefined {
  let last: RawEntry | undefined;
  const names = new Set<string>();
  for (const entry of readTreeEntries(content)) {
    if (!MODES.has(entry.mode)) return `entry "${entry.name}" has the mode ${entry.mode}`;
    if (entry.name === '' || entry.name === '.' || entry.name === '..' || entry.name.includes('/')) {
      return `entry "${entry.name}" has a name that cannot be checked out`;
    }
    if (entry.name.toLowerCase() === '.git') return `entry "${entry.name}" would write into the clone's own repository`;
    if (names.has(entry.name)) return `entry "${entry.name}" appears twice`;
    if (last && last.key > entry.key) return `entries "${last.name}" and "${entry.name}" are in the wrong order`;
    names.add(entry.name);
    last = entry;
  }
  return undefined;
}

export function* readTreeEntries(content: Buffer): Generator<RawEntry> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    if (space < 0 || zero < 0 || zero + 21 > content.length) throw new Error('tree object is damaged');
    const mode = content.toString('latin1', at, space);
    const key = content.toString('latin1', space + 1, zero);
    yield {
      key: mode === '40000' ? `${key}/` : key,
      name: content.toString('utf8', space + 1, zero),
      mode,
      oid: content.toString('hex', zero + 1, zero + 21),
    };
    at = zero + 21;
  }
}

function sameHead(a: Buffer, b: Buffer): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= shorter && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK;
  while (at < shorter && a[at] === b[at]) at++;
  return at;
}

function sameTail(a: Buffer, b: Buffer, limit: number): number {
  let tail = 0;
  const block = (bytes: Buffer): Buffer => bytes.subarray(bytes.length - tail - BLOCK, bytes.length - tail);
  while (tail + BLOCK <= limit && block(a).equals(block(b))) tail += BLOCK;
  while (tail < limit && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return tail;
}

/** The last start of an entry at or before `limit` if `isBefore`, otherwise the first one at or after it. */
function* boundaryFrom(content: Buffer, from: number, limit: number, isBefore: boolean): Generator<undefined, number> {
  let at = from;
  let steps = 0;
  while (at < limit) {
    if (++steps % BYTES_STEP === 0) yield undefined;
    const zero = content.indexOf(0, at);
    if (zero < 0) throw new Error('tree object is damaged');
    if (isBefore && zero + 21 > limit) break;
    at = zero + 21;
  }
  return Math.min(at, content.length);
}
