// Packs that others have taken the place of, until nobody reads them any more: a git that has listed them opens them a
// moment later, and `git fsck` and a clone by path fail where one has gone. They stay for a minute, and for as long as a git
// is seen at work in the repository, within bounds. Then they are put aside first, and put back if a git has begun in just
// that moment. What a process leaves of them the next one's maintenance merges.
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import type { Readers } from '../repository/readers.ts';

export interface RetiredPacks {
  /** `by` has all their objects, and is under the branch. */
  retire(names: readonly string[], by: string): void;
  has(name: string): boolean;
  /** Removes those that are due; all of them where space is short. */
  look(): Promise<void>;
  /** Space is needed now. Resolves once they are gone, or it was told that they cannot go. */
  removeAll(): Promise<void>;
  close(): Promise<void>;
}

export interface RetiredPacksParts {
  disk: Disk;
  work: DiskWork;
  /** `objects/pack`. */
  folder: string;
  readers: Readers;
  /** Others are retired, or are gone. */
  onChanged(): void;
  warn: Warn;
  keepMs?: number | undefined;
  /** The same while a git is at work. */
  keepForReadersMs?: number | undefined;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
}

const KEEP_MS = 60_000;
/** A git that goes on for longer has opened what it needs; one that hangs must not fill the disk. */
const KEEP_FOR_READERS_MS = 600_000;
const LOOK_MS = 10_000;
/** However many read: each look at the packs goes through all of them. */
const MOST = 400;
/** Less room than this is for writers. */
const SPARE_BYTES = 256 << 20;

export function createRetiredPacks(parts: RetiredPacksParts): RetiredPacks {
  const { disk, work, folder, readers, onChanged, warn } = parts;
  const { keepMs = KEEP_MS, keepForReadersMs = KEEP_FOR_READERS_MS } = parts;
  /** Since when, oldest first. */
  const retired = new Map<string, number>();
  let looking: Promise<void> | undefined;
  let isClosed = false;

  async function remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    for (const name of names) retired.delete(name);
    try {
      await work('removePacks', names);
    } finally {
      onChanged();
    }
  }

  function removeAll(): Promise<void> {
    return remove([...retired.keys()]).catch(failed);
  }

  function failed(error: unknown): void {
    warn('replaced packs cannot be removed; it is tried again', error);
  }

  /** A git that begins before they are aside is seen once they are, long before it has opened what it lists. */
  async function removeUnread(names: readonly string[]): Promise<void> {
    if (readers.hasBegun()) return;
    await work('putPacksAside', names);
    let isRead = true;
    try {
      if (!readers.hasBegun()) {
        await disk.syncFolderApart(folder);
        isRead = readers.hasBegun();
      }
    } finally {
      // Space may have been short meanwhile, or one of them made again.
      const back = isRead ? names.filter((name) => retired.has(name)) : [];
      await work('putPacksBack', back);
      const gone = names.filter((name) => !back.includes(name));
      for (const name of gone) retired.delete(name);
      await work('removePacksAside', gone);
      onChanged();
    }
  }

  function olderThan(ageMs: number): string[] {
    const until = performance.now() - ageMs;
    return [...retired].flatMap(([name, since]) => (since <= until ? [name] : []));
  }

  function isShort(): boolean {
    return disk.roomBytes(folder) < SPARE_BYTES;
  }

  async function run(): Promise<void> {
    if (retired.size === 0) return;
    if (isShort()) return remove([...retired.keys()]);
    await remove([...new Set([...[...retired.keys()].slice(0, -MOST), ...olderThan(keepForReadersMs)])]);
    if (olderThan(keepMs).length === 0 || (await readers.look()) || isClosed) return;
    await removeUnread(olderThan(keepMs));
  }

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    looking ??= run()
      .catch(failed)
      .finally(() => (looking = undefined));
    return looking;
  }

  const { lookMs = LOOK_MS } = parts;
  let timer: NodeJS.Timeout | undefined;

  return {
    retire(names, by) {
      if (lookMs && !isClosed) timer ??= setInterval(look, lookMs).unref();
      retired.delete(by); // made again, byte by byte
      for (const name of names) if (name !== by) retired.set(name, performance.now());
      onChanged();
      if (names.length > 0 && isShort()) removeAll();
    },
    has: (name) => retired.has(name),
    look,
    removeAll,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
    },
  };
}
