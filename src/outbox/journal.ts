// The outbox's file. Lines are only ever appended, each with a checksum, so that a crash at any byte leaves whole lines
// and at most one torn line at the end. Many writers share one fsync. The journal does not interpret its lines.
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
  /** An earlier line cannot be read. */
  isAfterDamage: boolean;
}

export interface Journal {
  /** Size of the file, including notes that are not written yet. */
  readonly sizeBytes: number;
  /** A disk failure left the file in doubt: it must be rewritten before anything is appended. */
  readonly isDoubtful: boolean;
  /** Yields every whole line, oldest first, and truncates a torn end. Called once, before anything else. */
  recover(): AsyncIterable<JournalLine>;
  /**
   * Resolves with the lines' places once they are on the disk. @throws `storage_full` or `unavailable`; then none of
   * the lines counts, even if a crash leaves some of them in the file.
   */
  append(lines: readonly Buffer[]): Promise<LinePlace[]>;
  /** For a line that may be lost or late: it is written soon, or with the next lines. A full disk holds it back. */
  note(line: Buffer): void;
  /** The payload of a line. */
  read(place: LinePlace): Promise<unknown>;
  /**
   * Replaces the file with a new one: the lines to keep, each with the line that is to follow it. Appending waits
   * meanwhile. `prepare` is called once no write is under way, `moved` when the new places become valid. Earlier notes
   * are left out: the kept lines and the lines that follow them say the same.
   */
  rewrite(prepare: () => RewriteParts): Promise<void>;
  /** Writes and syncs the notes. */
  close(): Promise<void>;
}

export interface RewriteParts {
  /** Sorted by place. */
  keep: readonly { place: LinePlace; followedBy(): Buffer | undefined }[];
  last: () => readonly Buffer[];
  moved(places: readonly LinePlace[]): void;
}

export interface JournalParts {
  folder: string;
  breathe(): Promise<void> | undefined;
  warn: Warn;
  /** Why another process owns the folder by now, if it does: nothing more is written or acknowledged. */
  lost?: (() => string | undefined) | undefined;
}

const NAME = 'journal';
/** Without an append, notes are written after this time. */
const NOTE_MS = 200;
const MAX_NOTES = 10_000;
const RETRY_NOTES_MS = 5000;

interface Batch {
  lines: readonly Buffer[];
  done(places: LinePlace[]): void;
  fail(error: unknown): void;
}

/**
 * One function, because waiting lines, notes, and how much of the file is certainly on the disk are one state: each
 * append, failure and rewrite changes several parts of it in one turn.
 */
export function createJournal({ folder, breathe, warn, lost = () => undefined }: JournalParts): Journal {
  const file = path.join(folder, NAME);
  let handle: FileHandle | undefined;
  let sizeBytes = 0;
  let waiting: Batch[] = [];
  let notes: Buffer[] = [];
  /** Size of the notes, including those on their way to the disk. */
  let notedBytes = 0;
  /** After a failed sync it is unknown how much of the file is on the disk: it is rewritten before the next append. */
  let isDoubtful = false;
  /** Notes were dropped since the last rewrite was prepared. */
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
    if (why) throw new ServiceError('unavailable', `${why}; nothing more is written to "${file}"`);
  }

  /** Appends to the file; truncates it again if the lines could not be written whole. */
  async function write(lines: readonly Buffer[], mustSync: boolean): Promise<LinePlace[]> {
    guard();
    const to = await openFile();
    if (isDoubtful) throw new Error('an earlier write to the journal is in doubt');
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
    // Callers whose append has just resolved take over its places first.
    await nextTurn();
    const { keep, last, moved } = prepare();
    isNoteLost = false;
    let covered = notes;
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
      notedBytes -= bytesOf(covered);
      covered = [];
      try {
        moved(copy.places);
        await syncFolder(folder);
        isDoubtful = isNoteLost;
      } finally {
        // Waits for reads that are under way.
        await before?.close();
      }
      settled.done();
    } catch (error) {
      if (to && to !== handle) await to.close();
      if (!lost()) await rm(temporary, { force: true });
      notes = [...covered, ...notes];
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
        warn(`the outbox's journal "${file}" is damaged in ${damaged} lines; a copy is kept at "${file}.damaged"`);
        // Rewritten before anything is appended, so that the next start finds no damage.
        isDoubtful = true;
      }
      await handle.truncate(end);
      // A killed process may have written lines without syncing them; from here on they count.
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
        // The disk has been full for long. A rewrite records every entry's state instead.
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
        // At worst some deliveries are repeated: a full disk must not keep the service from ending. Some notes may be
        // written already, without a sync.
        await (notes.length ? write(notes, true) : handle?.datasync())?.catch((error) =>
          warn('the results of the last deliveries could not be written; the next start may repeat them', error),
        );
      }
      await handle?.close();
      handle = undefined;
    },
  };
}

/** Returns where the last whole line ends, and how many lines before it cannot be read. */
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
        // Not a torn end: good lines follow. They stay in use, and a copy keeps the damaged ones.
        hasCopy = true;
        await copyFile(file, `${file}.damaged`);
      }
      end = place.offset + place.length;
      yield { place, head, isAfterDamage: hasCopy };
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
  return new ServiceError('unavailable', "the outbox's journal cannot be written", { cause });
}
