// The journal's file on the disk: opened, recovered, written at its end, and replaced as a whole. It knows how much of
// the file is certain to be on the disk. Calls must not overlap, apart from `read`; journal.ts puts them in order.
import { constants } from 'node:fs';
import { copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDurably, syncFolder } from '../data/durable.ts';
import { isCode } from '../lib/error-code.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Warn } from '../lib/warn.ts';
import { type CopyParts, writeAll, writeCopy } from './journal-copy.ts';
import { type LinePlace, parseHead, readLines } from './journal-line.ts';

export interface JournalLine {
  place: LinePlace;
  head: Record<string, unknown>;
  /** An earlier line cannot be read. */
  isAfterDamage: boolean;
}

export interface JournalFileParts {
  folder: string;
  breathe(): Promise<void> | undefined;
  warn: Warn;
  /** Returns a reason if another process has taken over the folder: nothing more is written or acknowledged. */
  lost: () => string | undefined;
}

export interface Replacement extends Pick<CopyParts, 'keep' | 'last'> {
  /** Called when the new places become valid. */
  moved(places: readonly LinePlace[]): void;
}

const NAME = 'journal';

export class JournalFile {
  /** Length of the whole lines. */
  sizeBytes = 0;
  /** The file must be replaced before it is appended to: a sync failed, or lines were given up. */
  isDoubtful = false;
  /** Lines were given up since the file was last prepared to be replaced. */
  #hasLostLines = false;
  #handle: FileHandle | undefined;
  #file: string;
  #parts: JournalFileParts;

  constructor(parts: JournalFileParts) {
    this.#parts = parts;
    this.#file = path.join(parts.folder, NAME);
  }

  /** Every whole line, oldest first. Cuts a torn end off. */
  async *recover(): AsyncGenerator<JournalLine, void> {
    const { folder, breathe, warn } = this.#parts;
    const file = this.#file;
    await rm(`${file}.tmp`, { force: true });
    const handle = await openIfThere(file);
    this.#handle = handle;
    if (!handle) return;
    const { end, damaged } = yield* recoverLines(handle, file, breathe);
    if (damaged > 0) {
      warn(`the outbox's journal "${file}" is damaged in ${damaged} lines; a copy is kept at "${file}.damaged"`);
      // Rewritten before anything is appended, so that the next start finds no damage.
      this.isDoubtful = true;
    }
    await handle.truncate(end);
    // A killed process may have written lines without syncing them; from here on they count.
    await handle.datasync();
    await syncFolder(folder);
    this.sizeBytes = end;
  }

  /** Appends lines. If they cannot be written whole, the file is cut back. */
  async write(lines: readonly Buffer[], mustSync: boolean): Promise<LinePlace[]> {
    this.#guard();
    const to = await this.#open();
    if (this.isDoubtful) throw new Error('an earlier write to the journal is in doubt');
    try {
      await writeAll(to, Buffer.concat(lines), this.sizeBytes);
    } catch (error) {
      this.isDoubtful = true;
      await to.truncate(this.sizeBytes);
      this.isDoubtful = this.#hasLostLines;
      throw error;
    }
    try {
      if (mustSync) await to.datasync();
    } catch (error) {
      this.isDoubtful = true;
      throw error;
    }
    this.#guard();
    return lines.map(({ length }) => {
      const place = { offset: this.sizeBytes, length };
      this.sizeBytes += length;
      return place;
    });
  }

  async read({ offset, length }: LinePlace): Promise<Buffer> {
    const handle = this.#handle;
    if (!handle) throw new Error('the journal is not open');
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error(`the outbox's journal ends before byte ${offset + length}`);
      done += bytesRead;
    }
    return bytes;
  }

  /** Puts a new file in the place of this one: the lines to keep, and those that follow them. */
  async replace({ keep, last, moved }: Replacement): Promise<void> {
    const { folder, breathe, lost } = this.#parts;
    const temporary = `${this.#file}.tmp`;
    this.#hasLostLines = false;
    let to: FileHandle | undefined;
    try {
      this.#guard();
      await makeDurably(folder);
      const read = (place: LinePlace) => this.read(place);
      const copy = await writeCopy({ path: temporary, keep, last, read, sizeBytes: this.sizeBytes, breathe });
      to = copy.handle;
      this.#guard();
      await rename(temporary, this.#file);
      const before = this.#handle;
      [this.#handle, this.sizeBytes, this.isDoubtful] = [to, copy.sizeBytes, true];
      try {
        moved(copy.places);
        await syncFolder(folder);
        this.isDoubtful = this.#hasLostLines;
      } finally {
        // Waits for reads under way.
        await before?.close();
      }
    } catch (error) {
      if (to && to !== this.#handle) await to.close();
      if (!lost()) await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Lines that the file should have will not be written: only a replacement makes it complete again. */
  giveUpLines(): void {
    this.isDoubtful = true;
    this.#hasLostLines = true;
  }

  async sync(): Promise<void> {
    await this.#handle?.datasync();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    const { folder } = this.#parts;
    await makeDurably(folder);
    const made = await open(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      await syncFolder(folder);
    } catch (error) {
      await made.close();
      throw error;
    }
    this.#handle = made;
    return made;
  }

  #guard(): void {
    const why = this.#parts.lost();
    if (why) throw new ServiceError('unavailable', `${why}; nothing more is written to "${this.#file}"`);
  }
}

/** Returns where the last whole line ends, and how many lines before it cannot be read. */
async function* recoverLines(
  handle: FileHandle,
  file: string,
  breathe: JournalFileParts['breathe'],
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

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDWR);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
