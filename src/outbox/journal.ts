// The outbox's journal: lines that are only ever appended, each with a checksum, so that a crash at any byte leaves whole
// lines and at most one torn one at the end. Many writers share one fsync. It does not know what the lines mean.
import { ServiceError, toStorageError } from '../lib/errors.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import { JournalFile, type JournalFileParts, type JournalLine, type Replacement } from './journal-file.ts';
import { type LinePlace, parsePayload } from './journal-line.ts';

export interface Journal {
  /** Of the file, and of the notes that are not written yet. */
  readonly sizeBytes: number;
  /** After a failure of the disk nothing is appended until the file is rewritten. */
  readonly isDoubtful: boolean;
  /** Every whole line, oldest first; called once, before anything else. Cuts a torn end off. */
  recover(): AsyncIterable<JournalLine>;
  /**
   * Resolves with the lines' places once they are on the disk. @throws `storage_full` or `unavailable`; then none of
   * them counts, whatever a crash may leave of them.
   */
  append(lines: readonly Buffer[]): Promise<LinePlace[]>;
  /** Writes a line with the next ones, or soon: it may be lost or come late. A full disk holds it back. */
  note(line: Buffer): void;
  /** The payload of a line. */
  read(place: LinePlace): Promise<unknown>;
  /**
   * Replaces the file by the lines to keep, each followed by what belongs behind it. Appending waits meanwhile; `prepare` is
   * called once it has stopped. Earlier notes are left out: the lines to keep and those behind them say the same.
   */
  rewrite(prepare: () => Replacement): Promise<void>;
  /** Writes and syncs the notes. */
  close(): Promise<void>;
}

export interface JournalParts extends Omit<JournalFileParts, 'lost'> {
  lost?: JournalFileParts['lost'] | undefined;
}

/** Notes of an idle time are written after this. */
const NOTE_MS = 200;
const MAX_NOTES = 10_000;
const RETRY_NOTES_MS = 5000;

interface Settle<T> {
  done(value: T): void;
  fail(error: unknown): void;
}

interface Batch extends Settle<LinePlace[]> {
  lines: readonly Buffer[];
}

interface Rewrite extends Settle<void> {
  prepare(): Replacement;
}

export function createJournal({ lost = () => undefined, ...parts }: JournalParts): Journal {
  const file = new JournalFile({ ...parts, lost });
  let waiting: Batch[] = [];
  let notes: Buffer[] = [];
  /** Size of the notes, and of those on their way to the disk. */
  let notedBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let rewrite: Rewrite | undefined;
  let isClosed = false;

  function run(): void {
    running ??= work().finally(() => {
      running = undefined;
      if (waiting.length || rewrite) run();
    });
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (rewrite) await rewriteNow(rewrite);
    const [batches, noted] = [waiting, notes];
    [waiting, notes] = [[], []];
    if (batches.length === 0 && noted.length === 0) return;
    try {
      const places = await file.write([...noted, ...batches.flatMap(({ lines }) => lines)], batches.length > 0);
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

  async function rewriteNow({ prepare, done, fail }: Rewrite): Promise<void> {
    rewrite = undefined;
    // By then the callers whose appends just resolved have noted their new places.
    await nextTurn();
    const { keep, last, moved } = prepare();
    let noted = notes;
    notes = [];
    try {
      await file.replace({
        ...{ keep, last },
        moved(places) {
          notedBytes -= bytesOf(noted);
          noted = [];
          moved(places);
        },
      });
      done();
    } catch (error) {
      notes = [...noted, ...notes];
      fail(toRefusal(error));
    }
  }

  return {
    get sizeBytes() {
      return file.sizeBytes + notedBytes;
    },
    get isDoubtful() {
      return file.isDoubtful;
    },
    recover: () => file.recover(),
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
        // The disk has been full for long. The caller of `rewrite` knows the state that the notes described.
        notedBytes -= bytesOf(notes);
        notes = [];
        file.giveUpLines();
      }
      if (!isClosed) later(NOTE_MS);
    },
    async read(place) {
      return parsePayload(await file.read(place));
    },
    rewrite: (prepare) =>
      new Promise((done, fail) => {
        rewrite = { prepare, done, fail };
        run();
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      while (running) await running;
      if (!file.isDoubtful && !lost()) {
        // Notes are repeats at worst: a full disk must not keep the service from ending. Some may be written already.
        await (notes.length ? file.write(notes, true) : file.sync()).catch((error) =>
          parts.warn("the last deliveries' results could not be written", error),
        );
      }
      await file.close();
    },
  };
}

function bytesOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function toRefusal(cause: unknown): ServiceError {
  const refusal = toStorageError(cause);
  if (refusal instanceof ServiceError) return refusal;
  return new ServiceError('unavailable', 'what must leave the service cannot be written down', { cause });
}
