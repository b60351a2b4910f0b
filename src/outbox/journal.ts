// The outbox's file: lines that are only ever appended, each with a checksum, so that a crash at any byte leaves whole
// lines and at most one torn one at the end. Many writers share one fsync. It knows nothing of what the lines say.
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { isCode } from '../lib/error-code.ts';
import { ServiceError, toStorageError } from '../lib/errors.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { writeAll, writeCopy } from './journal-copy.ts';
import { type LinePlace, parseHead, parsePayload, readLines } from './journal-line.ts';

export interface JournalLine {
  place: LinePlace;
  head: Record<string, unknown>;
  /** A line in front of it cannot be read. */
  isBehindDamage: boolean;
}

export interface Journal {
  /** Of the file, and of what is noted and not written yet. */
  readonly sizeBytes: number;
  /** After a failure of the disk nothing is appended before it was written anew. */
  readonly isDoubtful: boolean;
  /** Every whole line, oldest first; called once, before anything else. Cuts a torn end off. */
  recover(): AsyncIterable<JournalLine>;
  /**
   * Resolves with the lines' places once they are on the disk. @throws `storage_full` or `unavailable`; then none of
   * them counts, whatever a crash may leave of them.
   */
  append(lines: readonly Buffer[]): Promise<LinePlace[]>;
  /** What may be lost or come late: it is written with the next lines, or soon. A full disk holds it back. */
  note(line: Buffer): void;
  /** The payload of a line. */
  read(place: LinePlace): Promise<unknown>;
  /**
   * Puts a new file in the place of this one: the lines to keep, and behind each whatever is to follow it. Appending
   * waits meanwhile; `prepare` is called when it has come to rest. `moved` is called at the moment from which on the new places hold.
   * What was noted before is left out: the lines to keep and those behind them say it.
   */
  rewrite(prepare: () => RewriteParts): Promise<void>;
  /** Writes and syncs what was noted. */
  close(): Promise<void>;
}

export interface RewriteParts {
  /** In the order of their places. */
  keep: readonly { place: LinePlace; behind(): Buffer | undefined }[];
  last: () => readonly Buffer[];
  moved(places: readonly LinePlace[]): void;
}

export interface JournalParts {
  folder: string;
  breathe(): Promise<void> | undefined;
  warn: Warn;
  /** Why the folder is another process's by now, if it is: nothing is written any more, or said to be there. */
  lost?: (() => string | undefined) | undefined;
}

const NAME = 'journal';
/** Notes of an idle time are written after this. */
const NOTE_MS = 200;
const MAX_NOTES = 10_000;
const RETRY_NOTES_MS = 5000;

interface Batch {
  lines: readonly Buffer[];
  done(places: LinePlace[]): void;
  fail(error: unknown): void;
}

/**
 * One function, because what waits, what is noted, and how much of the file is on the disk for certain are one state: each
 * append, each failure and each new file changes several parts of it in one turn.
 */
export function createJournal({ folder, breathe, warn, lost = () => undefined }: JournalParts): Journal {
  const file = path.join(folder, NAME);
  let handle: FileHandle | undefined;
  let sizeBytes = 0;
  let waiting: Batch[] = [];
  let notes: Buffer[] = [];
  /** Of the notes, and of those on their way to the disk. */
  let notedBytes = 0;
  /** After a failed sync nobody knows what of the file is on the disk: it is written anew before it is written on. */
  let isDoubtful = false;
  /** Notes were given up since the file was last prepared to be written anew. */
  let isNoteLost = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let rewriter: (() => RewriteParts) | undefined;
  let rewritten: { done(): void; fail(error: unknown): void } | undefined;
  let isClosed = false;

  async function openFile(): Promise<FileHandle> {
    if (handle) return handle;
    await makeDurably(folder);
    const made = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      await syncFolder(folder);
    } catch (error) {
      await made.close();
      throw error;
    }
    handle = made;
    return made;
  }

  function guard(): void {
    const why = lost();
    if (why) throw new ServiceError('unavailable', `${why}; nothing more is written to ${file}`);
  }

  /** At the end of the file; what could not be written whole is cut off again. */
  async function write(lines: readonly Buffer[], mustSync: boolean): Promise<LinePlace[]> {
    guard();
    const to = await openFile();
    if (isDoubtful) throw new Error('an earlier write is in doubt');
    try {
      await writeAll(to, Buffer.concat(lines), sizeBytes);
    } catch (error) {
      isDoubtful = true;
      await to.truncate(sizeBytes);
      isDoubtful = isNoteLost;
      throw error;
    }
    try {
      if (mustSync) await to.datasync();
    } catch (error) {
      isDoubtful = true;
      throw error;
    }
    guard();
    return placesOf(lines);
  }

  function placesOf(lines: readonly Buffer[]): LinePlace[] {
    return lines.map(({ length }) => {
      const place = { offset: sizeBytes, length };
      sizeBytes += length;
      return place;
    });
  }

  function run(): void {
    running ??= work().finally(() => {
      running = undefined;
      if (waiting.length || rewriter) run();
    });
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (rewriter) await rewriteNow(rewriter);
    const [batches, noted] = [waiting, notes];
    [waiting, notes] = [[], []];
    if (batches.length === 0 && noted.length === 0) return;
    try {
      const places = await write([...noted, ...batches.flatMap(({ lines }) => lines)], batches.length > 0);
      notedBytes -= bytesOf(noted);
      let at = noted.length;
      for (const { lines, done } of batches) done(places.slice(at, (at += lines.length)));
    } catch (error) {
      notes = [...noted, ...notes];
      for (const { fail } of batches) fail(toRefusal(error));
      later(RETRY_NOTES_MS);
    }
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, ms).unref();
  }

  async function rewriteNow(prepare: () => RewriteParts): Promise<void> {
    const [temporary, settled] = [`${file}.tmp`, rewritten!];
    [rewriter, rewritten] = [undefined, undefined];
    // Whoever was just told of new places has noted them by then.
    await nextTurn();
    const { keep, last, moved } = prepare();
    isNoteLost = false;
    let told = notes;
    notes = [];
    let to: FileHandle | undefined;
    try {
      guard();
      await makeDurably(folder);
      const copy = await writeCopy({ path: temporary, keep, last, read: readRange, sizeBytes, breathe });
      to = copy.handle;
      guard();
      await rename(temporary, file);
      const before = handle;
      [handle, sizeBytes, isDoubtful] = [to, copy.sizeBytes, true];
      notedBytes -= bytesOf(told);
      told = [];
      try {
        moved(copy.places);
        await syncFolder(folder);
        isDoubtful = isNoteLost;
      } finally {
        // Waits for those who still read.
        await before?.close();
      }
      settled.done();
    } catch (error) {
      if (to && to !== handle) await to.close();
      if (!lost()) await rm(temporary, { force: true });
      notes = [...told, ...notes];
      settled.fail(toRefusal(error));
    }
  }

  async function readRange({ offset, length }: LinePlace): Promise<Buffer> {
    if (!handle) throw new Error('the journal is not open');
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error(`the outbox's journal ends before byte ${offset + length}`);
      done += bytesRead;
    }
    return bytes;
  }

  return {
    get sizeBytes() {
      return sizeBytes + notedBytes;
    },
    get isDoubtful() {
      return isDoubtful;
    },
    async *recover() {
      await rm(`${file}.tmp`, { force: true });
      handle = await openIfThere(file);
      if (!handle) return;
      const { end, damaged } = yield* recoverLines(handle, file, breathe);
      if (damaged > 0) {
        warn(`the outbox's journal is damaged in ${damaged} lines; as it was found it is at ${file}.damaged`);
        // Written anew before anything is appended, so that the next start finds no damage.
        isDoubtful = true;
      }
      await handle.truncate(end);
      // A process that was killed may have written what it had not synced; from here on it counts.
      await handle.datasync();
      await syncFolder(folder);
      sizeBytes = end;
    },
    append: (lines) =>
      new Promise((done, fail) => {
        if (isClosed) return fail(new ServiceError('unavailable', 'the service is ending'));
        waiting.push({ lines, done, fail });
        run();
      }),
    note(line) {
      notes.push(line);
      notedBytes += line.length;
      if (notes.length > MAX_NOTES) {
        // The disk has been full for long. Whoever writes the file anew knows how things stand.
        notedBytes -= bytesOf(notes);
        notes = [];
        isDoubtful = isNoteLost = true;
      }
      if (!isClosed) later(NOTE_MS);
    },
    async read(place) {
      const bytes = await readRange(place);
      return parsePayload(bytes);
    },
    rewrite: (prepare) =>
      new Promise((done, fail) => {
        rewriter = prepare;
        rewritten = { done, fail };
        run();
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      while (running) await running;
      if (!isDoubtful && !lost()) {
        // They are repeats at worst: a full disk must not keep the service from ending. Some may be written already.
        await (notes.length ? write(notes, true) : handle?.datasync())?.catch((error) =>
          warn("the last deliveries' results could not be written", error),
        );
      }
      await handle?.close();
      handle = undefined;
    },
  };
}

/** Returns where the last whole line ends, and how many lines in front of it cannot be read. */
async function* recoverLines(
  handle: FileHandle,
  file: string,
  breathe: JournalParts['breathe'],
): AsyncGenerator<JournalLine, { end: number; damaged: number }> {
  let [end, damaged, hasCopy] = [0, 0, false];
  for await (const { place, bytes } of readLines(handle)) {
    await breathe();
    const head = parseHead(bytes);
    if (head) {
      if (place.offset > end && !hasCopy) {
        // Not a torn end: good lines are behind it. What can still be read goes on, and nothing is destroyed.
        hasCopy = true;
        await copyFile(file, `${file}.damaged`);
      }
      end = place.offset + place.length;
      yield { place, head, isBehindDamage: hasCopy };
    } else damaged++;
  }
  return { end, damaged: hasCopy ? damaged : 0 };
}

function bytesOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDWR);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function toRefusal(cause: unknown): ServiceError {
  const refusal = toStorageError(cause);
  if (refusal instanceof ServiceError) return refusal;
  return new ServiceError('unavailable', 'what must leave the service cannot be written down', { cause });
}
