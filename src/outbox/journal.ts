// The outbox's journal. Lines are only ever appended, each with a checksum, so that a crash at any byte leaves whole
// lines and at most one torn line at the end. Many writers share one fsync. The journal does not interpret its lines.
import { ServiceError, toStorageError } from '../lib/errors.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import { JournalFile, type JournalFileParts, type JournalLine, type Replacement } from './journal-file.ts';
import { type LinePlace, parsePayload } from './journal-line.ts';

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
   * meanwhile. `prepare` is called once no write is under way. Earlier notes are left out: the kept lines and the lines
   * that follow them say the same.
   */
  rewrite(prepare: () => Replacement): Promise<void>;
  /** Writes and syncs the notes. */
  close(): Promise<void>;
}

export interface JournalParts extends Omit<JournalFileParts, 'lost'> {
  lost?: JournalFileParts['lost'] | undefined;
}

/** Without an append, notes are written after this time. */
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
  /** Size of the notes, including those on their way to the disk. */
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
    // Lets callers whose append just resolved store their places first.
    await nextTurn();
    const { keep, last, moved } = prepare();
    let covered = notes;
    notes = [];
    try {
      await file.replace({
        ...{ keep, last },
        moved(places) {
          notedBytes -= bytesOf(covered);
          covered = [];
          moved(places);
        },
      });
      done();
    } catch (error) {
      notes = [...covered, ...notes];
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
        if (isClosed) return fail(new ServiceError('unavailable', 'the service is shutting down'));
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
        // At worst some deliveries are repeated: a full disk must not keep the service from ending. Some notes may be
        // written already, without a sync.
        await (notes.length ? file.write(notes, true) : file.sync()).catch((error) =>
          parts.warn('the results of the last deliveries could not be written; the next start may repeat them', error),
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
  return new ServiceError('unavailable', "the outbox's journal cannot be written", { cause });
}
