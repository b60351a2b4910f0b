// What a power cut could destroy in a folder at this moment: bytes of files, and names in folders, that no sync covers.
// It watches the calls of node:fs that the code under test makes in this process, so a sync that is missing, too early
// or not awaited shows. A sync takes a while here, and one of them can be made to fail.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface WatchedDisk extends Disposable {
  /** Sentences about names that were given before their bytes were synced. */
  readonly problems: readonly string[];
  /**
   * Files and folders below the watched one, relative to it, sorted, that a power cut now would not leave as they are.
   */
  unsynced(): string[];
  /** How many syncs were requested. */
  readonly syncs: number;
  /** The sync with this number, from 1, fails with EIO; undefined if none is to fail. */
  failingSync: number | undefined;
  /** Files whose sync takes longest, so that code which does not wait for it cannot finish after it by chance. */
  slow: RegExp | undefined;
}

/** Long enough that code which does not wait for a sync finishes before it. */
const SYNC_MS = 3;
const SLOW_MS = 150;
/** Held for a moment; useless after a crash. */
const SCRATCH = /\.lock$/;

type Call = (...args: never[]) => unknown;
type Calls = Record<string, Call>;

/**
 * Watches until it is disposed, one folder at a time. Folders that are removed with their content count as leftovers.
 */
export async function watchDisk(root: string): Promise<WatchedDisk> {
  /** By path: the number of the last change to a file's bytes, or a folder's names. */
  const changed = new Map<string, number>();
  const problems: string[] = [];
  let changes = 0;
  let syncs = 0;

  const isBelow = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
  const isWatched = (file: string): boolean => isBelow(file, root) && !SCRATCH.test(file);
  const named = (file: string): string => path.relative(root, file) || '.';
  const change = (file: string): void => void (isWatched(file) && changed.set(file, ++changes));
  const changeName = (file: string): void => void (isWatched(file) && change(path.dirname(file)));
  const forget = (file: string): void => {
    for (const other of changed.keys()) if (isBelow(other, file)) changed.delete(other);
  };
  const pathOf = (fd: number): string => fs.readlinkSync(`/proc/self/fd/${fd}`);

  function checkSynced(file: string, name: string): void {
    for (const other of changed.keys()) {
      if (isBelow(other, file)) problems.push(`${named(other)} was not synced before it was named ${named(name)}`);
    }
  }

  function moved(from: string, to: string): void {
    forget(to);
    for (const [file, at] of [...changed]) {
      if (!isBelow(file, from)) continue;
      changed.delete(file);
      changed.set(to + file.slice(from.length), at);
    }
    changeName(from);
    changeName(to);
  }

  /** Returns what to do once the sync is over. */
  function beginSync(file: string): () => void {
    if (!isBelow(file, root)) return () => {};
    if (++syncs === disk.failingSync) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    const from = changes;
    return () => void ((changed.get(file) ?? 0) <= from && changed.delete(file));
  }

  /** Folders that making `folder` would make, and so the names that it adds. */
  function missingOf(folder: string): string[] {
    const missing: string[] = [];
    for (let at = folder; !fs.existsSync(at); at = path.dirname(at)) missing.push(at);
    return missing;
  }

  /** What is watched of a call, before it runs; each returns what to do after it. */
  const watched: Record<string, (...args: never[]) => () => void> = {
    open(file: string) {
      const isNew = !fs.existsSync(file);
      return () => void (isNew && changeName(file));
    },
    mkdir(folder: string) {
      const missing = missingOf(folder);
      return () => missing.forEach(changeName);
    },
    rename(from: string, to: string) {
      checkSynced(from, to);
      return () => moved(from, to);
    },
    link(from: string, to: string) {
      checkSynced(from, to);
      return () => changeName(to);
    },
    rm(file: string, options?: { recursive?: boolean }) {
      const isThere = fs.existsSync(file);
      return () => {
        forget(file);
        if (isThere && !options?.recursive) changeName(file);
      };
    },
    writeFile(file: string | number) {
      if (typeof file === 'number') return watched.write!(file as never);
      const isNew = !fs.existsSync(file);
      return () => {
        change(file);
        if (isNew) changeName(file);
      };
    },
    write(fd: number) {
      const file = pathOf(fd);
      change(file);
      return () => change(file);
    },
    fsync: (fd: number) => beginSync(pathOf(fd)),
  };
  watched.unlink = watched.rm!;

  const undo: (() => void)[] = [];
  function wrap(calls: object, name: string, make: (real: Call) => Call): void {
    const holder = calls as Calls;
    const real = holder[name]!;
    holder[name] = make(real);
    undo.push(() => void (holder[name] = real));
  }

  for (const name of ['open', 'mkdir', 'rename', 'link', 'rm', 'unlink', 'writeFile']) {
    wrap(fs.promises, name, (real) => async (...args) => {
      const after = watched[name]!(...args);
      const result = await real(...args);
      after();
      return result;
    });
  }
  for (const name of ['open', 'mkdir', 'rename', 'link', 'rm', 'unlink', 'writeFile', 'write', 'fsync']) {
    wrap(fs, `${name}Sync`, (real) => (...args) => {
      const after = watched[name]!(...args);
      const result = real(...args);
      after();
      return result;
    });
  }
  const handle = await fs.promises.open(root, 'r');
  const ofHandles = Object.getPrototypeOf(handle) as object;
  await handle.close();
  for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'truncate']) {
    wrap(
      ofHandles,
      name,
      (real) =>
        async function (this: { fd: number }, ...args) {
          const after = watched.write!(this.fd as never);
          const result = await real.apply(this, args);
          after();
          return result;
        },
    );
  }
  for (const name of ['sync', 'datasync']) {
    wrap(
      ofHandles,
      name,
      (real) =>
        async function (this: { fd: number }) {
          const file = pathOf(this.fd);
          const after = beginSync(file);
          await delay(disk.slow?.test(file) ? SLOW_MS : SYNC_MS);
          await real.call(this);
          after();
        },
    );
  }
  syncBuiltinESMExports();

  const disk: WatchedDisk = {
    problems,
    unsynced: () =>
      [...changed.keys()]
        .filter((file) => fs.existsSync(file))
        .map(named)
        .sort(),
    get syncs() {
      return syncs;
    },
    failingSync: undefined,
    slow: undefined,
    [Symbol.dispose]() {
      for (const back of undo) back();
      syncBuiltinESMExports();
    },
  };
  return disk;
}
