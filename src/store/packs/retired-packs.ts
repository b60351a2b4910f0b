// Keeps replaced packs until no git process reads them: git lists a pack, opens it a moment later, and fails if it is
// gone (`git fsck`, a clone by path). Replaced packs stay for a minute, and within bounds for as long as a git process
// works in the repository. Then they are put aside first, and put back if a git process has begun in that moment. Those
// that are left when the process ends are merged by the next process.
import type { Warn } from '../../lib/warn.ts';
import type { Disk } from '../disk/disk.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import type { Readers } from '../repository/readers.ts';

export interface RetiredPacks {
  /** Call this once the pack `by` has all their objects, and the branch reaches it. */
  retire(names: readonly string[], by: string): void;
  has(name: string): boolean;
  /** Removes the packs that are due; all of them if space is short. */
  look(): Promise<void>;
  /** Removes all of them, because space is needed now. Resolves in any case: a failure is logged as a warning. */
  removeAll(): Promise<void>;
  close(): Promise<void>;
}

export interface RetiredPacksParts {
  disk: Disk;
  work: DiskWork;
  /** `objects/pack`. */
  folder: string;
  readers: Readers;
  /** Called after packs were retired or removed. */
  onChanged(): void;
  warn: Warn;
  keepMs?: number | undefined;
  /** The same while a git process is at work. */
  keepForReadersMs?: number | undefined;
  /** Milliseconds between looks; 0 for none. */
  lookMs?: number | undefined;
}

const KEEP_MS = 60_000;
/** A git process that runs for longer has opened what it needs; one that hangs must not fill the disk. */
const KEEP_FOR_READERS_MS = 600_000;
const LOOK_MS = 10_000;
/** Even while a git process is at work: every listing of the packs goes through all of them. */
const MOST = 400;
/** With less free space than this, the space is left to the writers. */
const SPARE_BYTES = 256 << 20;

export function createRetiredPacks(parts: RetiredPacksParts): RetiredPacks {
  const { disk, work, folder, readers, onChanged, warn } = parts;
  const { keepMs = KEEP_MS, keepForReadersMs = KEEP_FOR_READERS_MS } = parts;
  /** Names with the time of retirement, oldest first. */
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
    warn('replaced packs cannot be removed; trying again later', error);
  }

  /**
   * If git starts before the packs are put aside, `hasBegun` sees it afterwards. It fails only if it lists the packs and
   * opens them in the milliseconds of that step.
   */
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
      // Meanwhile a shortage of space may have removed some, or one of them may have been made again.
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
      retired.delete(by); // the same pack, made again
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
