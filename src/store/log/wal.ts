// The write-ahead log. One frame holds one batch of commits; once its write returns (O_DSYNC into a preallocated
// segment) the batch is acknowledged, if the log is still this process's by then (epoch.ts). A frame is whole or it is not
// there (wal-format.ts); each also says up to which frame everything was in git when it was written, so that a start never
// brings back what it must not.
import path from 'node:path';
import { createInOrder } from '../../lib/queues/in-order.ts';
import { isNoSpace, isShortage } from '../../lib/shortage.ts';
import { type Disk, type DurableFile, removeLeftoverApart } from '../disk/disk.ts';
import { type Epoch, identityOf, LogLostError, newLogId } from './epoch.ts';
import { encodeFrame, FRAME_HEADER, SEGMENT_HEADER, segmentHeader } from './wal-format.ts';
import { readWal, type StoredSegment, segmentFile, type WalContent } from './wal-read.ts';

const DEFAULT_SEGMENT_BYTES = 8 << 20;

export interface Wal {
  /**
   * Resolves with the frame's sequence once it is durable. One call at a time. Rejects with LogLostError if the log is
   * somebody else's by then: whether the frame counts is theirs to say.
   */
  append(payload: Buffer): Promise<number>;
  /** Frames up to this sequence are in git, the next one says; segments that hold nothing else are removed once it resolves. */
  release(sequence: number): Promise<void>;
  /** Removes every segment: all of it is in git. */
  clear(): Promise<void>;
  /** Why nothing is acknowledged any more: another process writes the log, or it is not where it was. */
  lost(): string | undefined;
  close(): Promise<void>;
}

export interface WalParts {
  disk: Disk;
  folder: string;
  epoch: Epoch;
  found: WalContent;
  segmentBytes?: number | undefined;
  /** Why the lock on the data folder does not hold any more. */
  lockLost?: (() => string | undefined) | undefined;
}

interface OpenSegment extends StoredSegment {
  sizeBytes: number;
  /** Where the next frame goes. */
  end: number;
}

interface Current {
  segment: OpenSegment;
  handle: DurableFile;
  /** Of the file when it was opened. */
  identity: string;
}

export function createWal({
  disk,
  folder,
  epoch,
  found,
  segmentBytes = DEFAULT_SEGMENT_BYTES,
  lockLost,
}: WalParts): Wal {
  const log = found.log ?? newLogId();
  const base = found.lastSequence + 1;
  let nextNumber = (found.segments.at(-1)?.number ?? 0) + 1;
  let { lastSequence, released } = found;
  const segments: StoredSegment[] = [...found.segments];
  /** Declared to be in git, and could not be removed so far. */
  const leftovers: StoredSegment[] = [];
  let current: Current | undefined;
  let spare: Promise<OpenSegment> | undefined;
  let spareFailed = false;
  /** One of the segments, which may be declared and could not be opened: it must stay, and is the next to be filled. */
  let doubtful: OpenSegment | undefined;
  /** What changes which segments there are waits for the disk, one after the other. */
  const inTurn = createInOrder();
  /** Leftovers are removed one after the other too, and no writer waits for that. */
  const inSweeps = createInOrder();
  /** Why the log is not ours any more: it does not become ours again. */
  let reason: string | undefined;
  // A process that was killed may have left frames that are not on the disk yet; those of this one follow them.
  for (const { file } of segments) disk.syncFile(file);
  for (const name of disk.list(folder)) if (name.endsWith('.wal.tmp')) disk.remove(path.join(folder, name));

  function lost(): string | undefined {
    reason ??= lockLost?.() ?? epoch.lost() ?? lostSegment();
    return reason;
  }

  function lostSegment(): string | undefined {
    if (!current || identityOf(disk, current.segment.file) === current.identity) return undefined;
    return `${current.segment.file} is not there any more, or another file`;
  }

  function guard(): void {
    const why = lost();
    if (why) throw new LogLostError(why);
  }

  /** The start found the disk full; since then somebody else may have written. */
  function begin(): void {
    if (epoch.number > 0) return;
    epoch.begin();
    if (readWal(disk, folder, epoch.found).lastSequence === lastSequence) return;
    reason = 'another process has written the write-ahead log';
    throw new LogLostError(reason);
  }

  /** What fails on files that somebody else has by now is no failure of the disk. */
  async function asOurs<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (isLost()) guard();
      throw error;
    }
  }

  /** For what has failed already: if this cannot be found out either, that is no better reason. */
  function isLost(): boolean {
    try {
      return lost() !== undefined;
    } catch {
      return false;
    }
  }

  /** Which segments must be there at the next start. */
  async function declare(live: readonly StoredSegment[]): Promise<void> {
    await epoch.declare({ log, oldest: live[0]?.number ?? null, newest: live.at(-1)?.number ?? null });
  }

  async function prepare(minimumBytes: number): Promise<OpenSegment> {
    guard(); // the folder may have been moved away, and would be made again
    const number = nextNumber++;
    const file = segmentFile(folder, number);
    const temporary = `${file}.tmp`;
    const sizeBytes = SEGMENT_HEADER + Math.max(segmentBytes, minimumBytes);
    disk.makeFolder(folder);
    await disk.removeApart(temporary);
    guard(); // whoever writes the log by now makes files of the same name
    let isNamed = false;
    try {
      await disk.preallocate(temporary, sizeBytes);
      const handle = disk.openDurable(temporary);
      try {
        await handle.write(segmentHeader(number, { epoch: epoch.number, base, sizeBytes, log }), 0);
      } finally {
        handle.close();
      }
      guard(); // the name may be somebody else's by now
      await disk.renameApart(temporary, file);
      isNamed = true;
      await disk.syncFolderApart(folder);
    } catch (error) {
      // Nobody would write into it, and each try makes another one.
      if (!isLost()) await disk.removeApart(isNamed ? file : temporary);
      throw error;
    }
    return { number, file, sizeBytes, end: SEGMENT_HEADER, lastSequence: 0 };
  }

  async function room(bytes: number): Promise<Current> {
    if (current && current.segment.end + bytes <= current.segment.sizeBytes) return current;
    const segment = await nextSegment(bytes);
    return inTurn(async () => {
      guard();
      if (!segments.includes(segment)) segments.push(segment);
      doubtful = segment;
      await declare(segments);
      const handle = disk.openDurable(segment.file);
      doubtful = undefined;
      current?.handle.close();
      current = { segment, handle, identity: identityOf(disk, segment.file) };
      spareFailed = false;
      return current;
    });
  }

  /** One with room for so many bytes behind its header. */
  async function nextSegment(bytes: number): Promise<OpenSegment> {
    const ready = doubtful ?? (await spare);
    if (!doubtful) spare = undefined;
    const mayBeDeclared = doubtful !== undefined;
    doubtful = undefined;
    if (ready && ready.sizeBytes >= SEGMENT_HEADER + bytes) return ready;
    if (ready && !mayBeDeclared) await disk.removeApart(ready.file);
    return prepare(bytes);
  }

  /** The next segment is made while this one is filled; where that fails, the write that needs it says so. */
  function prepareSpare(segment: OpenSegment): void {
    if (spare || spareFailed || segment.end <= segment.sizeBytes / 2) return;
    spare = prepare(0);
    spare.catch(() => {
      spare = undefined;
      spareFailed = true;
    });
  }

  /** Of segments whose frames are all in git, from the oldest on. */
  function countReleased(): number {
    const kept = segments.findIndex((segment) => segment === current?.segment || segment.lastSequence > released);
    return kept === -1 ? segments.length : kept;
  }

  /** Declares that nobody needs the oldest ones any more: their files are nothing but leftovers then. */
  async function drop(count: number): Promise<void> {
    if (count === 0 || epoch.number === 0 || lost()) return;
    try {
      await declare(segments.slice(count));
    } catch (error) {
      if (!isNoSpace(error) && !isShortage(error) && !isLost()) throw error;
      return; // with the next release
    }
    leftovers.push(...segments.splice(0, count));
    if (doubtful && !segments.includes(doubtful)) doubtful = undefined;
  }

  /** In whatever order they go. */
  async function sweep(): Promise<void> {
    if (leftovers.length === 0 || epoch.number === 0 || lost()) return;
    const left: StoredSegment[] = [];
    for (const segment of leftovers.splice(0)) {
      if (lost() || !(await removeLeftoverApart(disk, segment.file))) left.push(segment);
    }
    leftovers.push(...left);
  }

  async function letGo(count: () => number): Promise<void> {
    await inTurn(() => drop(count()));
    await inSweeps(sweep);
  }

  async function append(payload: Buffer): Promise<number> {
    const bytes = FRAME_HEADER + payload.length;
    begin();
    const { segment, handle } = await room(bytes);
    const sequence = lastSequence + 1;
    try {
      await handle.write(encodeFrame(payload, sequence, released, segment.number), segment.end);
    } catch (error) {
      // Refused is refused: what may have reached the disk must not come back after a crash.
      await handle.write(Buffer.alloc(FRAME_HEADER), segment.end).catch((cause: unknown) => {
        if (!isNoSpace(cause)) throw new Error('write-ahead log is in an unknown state', { cause });
      });
      throw error;
    }
    // Whoever began another epoch before this has not read the frame, whoever does so behind it will.
    guard();
    lastSequence = sequence;
    segment.end += bytes;
    segment.lastSequence = sequence;
    prepareSpare(segment);
    return sequence;
  }

  return {
    lost,
    append: (payload) => asOurs(() => append(payload)),
    release(upTo) {
      released = Math.max(released, upTo);
      return letGo(countReleased);
    },
    clear() {
      current?.handle.close();
      current = undefined;
      return letGo(() => segments.length);
    },
    async close() {
      // Prepared for later and not needed any more; where that failed, nobody is hurt.
      const unused = await spare?.catch(() => undefined);
      spare = undefined;
      if (unused && !lost()) await disk.removeApart(unused.file);
      await inTurn(() => undefined);
      await inSweeps(() => undefined);
      current?.handle.close();
      current = undefined;
    },
  };
}
