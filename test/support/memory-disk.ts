// A disk in memory for the store: src/store/disk/disk.ts itself on the calls of memory-files.ts. Every operation that
// changes something is numbered and can be made to fail, or to be the last one before a crash.
import fs from 'node:fs';
import path from 'node:path';
import { createDisk, type Disk } from '../../src/store/disk/disk.ts';
import { type Choice, createDiskState, type FolderImage, written } from './disk-images.ts';
import { createMemoryFiles, type MemoryFiles } from './memory-files.ts';

/** `crash` ends everything; a code fails this one operation, after `written` bytes if it writes. */
export type Fault = 'crash' | { code: string; written?: number };

export interface Operation {
  number: number;
  /** A name of the Disk's functions, or `write` for a durable file's. */
  name: string;
  file: string;
}

export interface MemoryDisk extends Disk {
  /** Called before each operation; may be replaced. */
  onOperation: (operation: Operation) => Fault | undefined;
  readonly isDown: boolean;
  /** Every operation so far that changed or synced something. */
  readonly operations: Operation[];
  /** The calls below. */
  readonly files: MemoryFiles;
  /**
   * The disk that a machine finds when it starts again. Calls `keep` for each name and each content that was never
   * synced; without it all of that is lost. A process that was only killed loses nothing: `() => true`.
   */
  afterCrash(keep?: (what: string) => boolean, onOperation?: (operation: Operation) => Fault | undefined): MemoryDisk;
  /** Copies a folder to a real one, for git to look at. */
  copyTo(folder: string, target: string): void;
}

export class Crash extends Error {}

/** One function, because every operation works on the same files, and on the same list of what a crash may undo. */
export function createMemoryDisk(
  onOperation: (operation: Operation) => Fault | undefined = () => undefined,
  files: MemoryFiles = createMemoryFiles(),
): MemoryDisk {
  const real = createDisk(files.calls);
  const operations: Operation[] = [];
  let isDown = false;

  function down(): never {
    isDown = true;
    const crash = new Crash('crash');
    files.stop(crash);
    throw crash;
  }

  function operate(name: string, file: string): Fault | undefined {
    if (isDown) throw new Crash('disk is gone');
    const operation = { number: operations.length, name, file };
    operations.push(operation);
    return disk.onOperation(operation);
  }

  function change<T>(name: string, file: string, run: () => T): T {
    const fault = operate(name, file);
    if (fault === 'crash') down();
    if (fault) throw Object.assign(new Error(`${fault.code}: ${file}`), { code: fault.code });
    return run();
  }

  function withCode(code: string, file: string): Error {
    return Object.assign(new Error(`${code}: ${file}`), { code });
  }

  /**
   * A fault of a write strikes in the middle: the file has what was written by then. Returns the function that undoes
   * it.
   */
  function amid(fault: Fault | undefined, file: string): () => void {
    const calls = files.onCall;
    if (fault === undefined) return () => undefined;
    let left = fault === 'crash' ? undefined : fault.written;
    files.onCall = (call) => {
      if (call.file !== file) return calls(call);
      if (fault === 'crash') return call.name === 'fsync' ? down() : calls(call);
      if (left === undefined) return { code: fault.code };
      if (call.name !== 'write') return call.name === 'fsync' ? { code: fault.code } : calls(call);
      const written = left;
      left = 0;
      return written > 0 ? { code: fault.code, written } : { code: fault.code };
    };
    return () => void (files.onCall = calls);
  }

  const disk: MemoryDisk = {
    ...real,
    onOperation,
    files,
    operations,
    get isDown() {
      return isDown;
    },
    makeFolder(folder) {
      if (real.stat(folder)) return;
      disk.makeFolder(path.dirname(folder));
      change('makeFolder', folder, () => real.makeFolder(folder));
    },
    makeScratchFolder: (folder) => change('makeScratchFolder', folder, () => real.makeScratchFolder(folder)),
    removeFolder: (folder) => change('removeFolder', folder, () => real.removeFolder(folder)),
    createFile(file, chunks) {
      const restore = amid(operate('createFile', file), file);
      try {
        real.createFile(file, chunks);
      } finally {
        restore();
      }
    },
    async createLargeFile(file, chunks, mode) {
      const restore = amid(operate('createFile', file), file);
      try {
        await real.createLargeFile(file, chunks, mode);
      } finally {
        restore();
      }
    },
    rename: (from, to) => change('rename', to, () => real.rename(from, to)),
    renameApart: async (from, to) => change('rename', to, () => real.renameApart(from, to)),
    link: (from, to) => change('link', to, () => real.link(from, to)),
    remove: (file) => (real.stat(file) ? change('remove', file, () => real.remove(file)) : false),
    removeApart: async (file) => (real.stat(file) ? change('remove', file, () => real.removeApart(file)) : false),
    syncFolder: (folder) => change('syncFolder', folder, () => real.syncFolder(folder)),
    syncFolderApart: async (folder) => change('syncFolder', folder, () => real.syncFolderApart(folder)),
    syncFile: (file) => change('syncFile', file, () => real.syncFile(file)),
    syncLargeFile: async (file) => change('syncLargeFile', file, () => real.syncLargeFile(file)),
    openDurable(file) {
      const opened = real.openDurable(file);
      return {
        async write(bytes, position) {
          const fault = operate('write', file);
          if (fault === undefined) return opened.write(bytes, position);
          const length = fault === 'crash' ? bytes.length >> 1 : Math.min(fault.written ?? 0, bytes.length);
          if (length > 0) await opened.write(bytes.subarray(0, length), position);
          if (fault === 'crash') down();
          throw withCode(fault.code, file);
        },
        close: () => opened.close(),
      };
    },
    async preallocate(file, sizeBytes) {
      const restore = amid(operate('preallocate', file), file);
      try {
        await real.preallocate(file, sizeBytes);
      } finally {
        restore();
      }
    },
    afterCrash(keep = () => false, next = () => undefined) {
      isDown = true;
      files.stop(new Crash('disk is gone'));
      const choice: Choice = {
        keepsEntries: ({ what }) => keep(what),
        content: (synced, writes) =>
          keep(writes[0]!.what) ? writes.reduce((data, write) => written(data, write), synced) : synced,
      };
      return createMemoryDisk(next, createMemoryFiles(imageOf(files, choice)));
    },
    copyTo(folder, target) {
      fs.mkdirSync(target, { recursive: true });
      for (const name of real.list(folder)) {
        const [from, to] = [path.join(folder, name), path.join(target, name)];
        if (real.stat(from)?.isDirectory()) disk.copyTo(from, to);
        else fs.writeFileSync(to, real.readFile(from)!);
      }
    },
  };
  return disk;
}

function imageOf(files: MemoryFiles, choice: Choice): FolderImage {
  const state = createDiskState(files.base);
  for (const event of files.events) state.apply(event);
  return state.image(choice);
}
