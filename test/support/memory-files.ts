// The system calls that src/store/disk/disk.ts makes, on files in memory. Records their effects on the disk as events,
// from which disk-images.ts rebuilds what a power cut leaves. A call that changes something can be made to fail.
import type fs from 'node:fs';
import path from 'node:path';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import type { FileCalls } from '../../src/store/disk/disk.ts';
import { type DiskEvent, type EntriesEvent, type FolderImage, type WriteEvent, written } from './disk-images.ts';
import { kindOf } from './file-kinds.ts';

/** Fails the call. */
export interface CallFault {
  code: string;
  /** How many bytes of a write reach the file all the same. */
  written?: number;
  /** The call returns that number, and does not fail. */
  isShort?: boolean;
}

export interface Call {
  /** `open`, `write`, `fsync`, `mkdir`, `rename`, `link`, `unlink` or `rm`. */
  name: string;
  file: string;
  /** Kind of the file: see file-kinds.ts. */
  kind: string;
}

export interface MemoryFiles {
  readonly calls: FileCalls;
  readonly base: FolderImage;
  readonly events: DiskEvent[];
  /** Called before every call that changes or syncs something. */
  onCall: (call: Call) => CallFault | undefined;
  /** A sync for which this returns true does nothing, as if its line were missing in the code. */
  ignoresSync: (what: string) => boolean;
  /** Every call from now on fails with this. */
  stop(error: Error): void;
  note(note: unknown): void;
}

interface FileNode {
  ino: number;
  data: Buffer;
  mtimeMs: number;
}

interface FolderNode {
  ino: number;
  names: Map<string, Node>;
}

type Node = FileNode | FolderNode;

const O_DSYNC = 0o10000;
const REMOVE_ALL = { recursive: true, force: true, maxRetries: 0, retryDelay: 0 } as const;

/**
 * `history`: what a process did on the base before it was killed; nothing of it is lost, and nothing becomes more
 * durable.
 */
export function createMemoryFiles(
  base: FolderImage = { ino: 1, names: new Map() },
  history: readonly DiskEvent[] = [],
): MemoryFiles {
  const nodes = new Map<number, Node>();
  const events: DiskEvent[] = [];
  const descriptors = new Map<number, { node: Node; file: string; isDurable: boolean; position: number }>();
  let nextFd = 10;
  let nextIno = 2;
  let clock = 0;
  let down: Error | undefined;

  function adopt(image: FolderImage): FolderNode {
    const folder: FolderNode = { ino: image.ino, names: new Map() };
    nodes.set(image.ino, folder);
    nextIno = Math.max(nextIno, image.ino + 1);
    for (const [name, child] of image.names) {
      let node = nodes.get(child.ino);
      if (!node) {
        node = 'names' in child ? adopt(child) : { ino: child.ino, data: child.data, mtimeMs: ++clock };
        nodes.set(child.ino, node);
        nextIno = Math.max(nextIno, child.ino + 1);
      }
      folder.names.set(name, node);
    }
    return folder;
  }
  const root = adopt(base);
  for (const event of history) happen(event);

  function happen(event: DiskEvent): void {
    events.push(event);
    if (event.kind === 'make') {
      const { node: ino } = event;
      nodes.set(ino, event.isFolder ? { ino, names: new Map() } : { ino, data: Buffer.alloc(0), mtimeMs: ++clock });
      nextIno = Math.max(nextIno, ino + 1);
    } else if (event.kind === 'entries') {
      const { names } = nodes.get(event.folder) as FolderNode;
      for (const [name, ino] of event.changes) {
        if (ino === null) names.delete(name);
        else names.set(name, nodes.get(ino)!);
      }
    } else if (event.kind === 'write') {
      const file = nodes.get(event.file) as FileNode;
      file.data = written(file.data, event);
      file.mtimeMs = ++clock;
    }
  }

  /** Without a stack: most errors are answers that the store expects, such as ENOENT, by the hundred thousand. */
  function failure(code: string, file: string): Error {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const error = Object.assign(new Error(`${code}: ${file}`), { code });
    Error.stackTraceLimit = stackTraceLimit;
    return error;
  }

  function find(file: string): Node | undefined {
    if (down) throw down;
    let node: Node | undefined = root;
    for (const name of file.split('/').filter(Boolean))
      node = node && 'names' in node ? node.names.get(name) : undefined;
    return node;
  }

  function get(file: string): Node {
    const node = find(file);
    if (!node) throw failure('ENOENT', file);
    return node;
  }

  function getFolder(folder: string): FolderNode {
    const node = get(folder);
    if (!('names' in node)) throw failure('ENOTDIR', folder);
    return node;
  }

  function getOpen(fd: number) {
    if (down) throw down;
    const open = descriptors.get(fd);
    if (!open) throw failure('EBADF', String(fd));
    return open;
  }

  function ask(name: string, file: string): CallFault | undefined {
    if (down) throw down;
    const fault = files.onCall({ name, file, kind: kindOf(file) });
    if (down) throw down;
    return fault;
  }

  function fail(name: string, file: string): void {
    const fault = ask(name, file);
    if (fault) throw failure(fault.code, file);
  }

  function change(folder: FolderNode, changes: EntriesEvent['changes'], what: string): void {
    happen({ kind: 'entries', folder: folder.ino, changes, what });
  }

  function open(file: string, flags: string | number): number {
    let node = find(file);
    if (flags === 'wx') {
      if (node) throw failure('EEXIST', file);
      const folder = getFolder(path.dirname(file));
      fail('open', file);
      const ino = nextIno;
      happen({ kind: 'make', node: ino, isFolder: false });
      change(folder, [[path.basename(file), ino]], `name ${file}`);
      node = nodes.get(ino);
    }
    if (!node) throw failure('ENOENT', file);
    const isDurable = typeof flags === 'number' && (flags & O_DSYNC) !== 0;
    const fd = nextFd++;
    descriptors.set(fd, {
      node,
      file,
      isDurable: isDurable && !files.ignoresSync(`O_DSYNC ${kindOf(file)}`),
      position: 0,
    });
    return fd;
  }

  /** Returns the number of bytes and, for a file that is open with O_DSYNC, the event to be persisted. */
  function write(fd: number, bytes: Buffer, position: number | undefined): { count: number; event: WriteEvent } {
    const opened = getOpen(fd);
    const fault = ask('write', opened.file);
    if (fault && fault.written === undefined) throw failure(fault.code, opened.file);
    const length = Math.min(bytes.length, fault?.written ?? bytes.length);
    const event: WriteEvent = {
      kind: 'write',
      file: opened.node.ino,
      position: position ?? opened.position,
      bytes: Buffer.from(bytes.subarray(0, length)),
      what: `content ${opened.file}`,
    };
    if (length > 0) happen(event);
    if (fault && !fault.isShort) throw failure(fault.code, opened.file);
    opened.position = event.position + length;
    return { count: length, event };
  }

  function fsync(fd: number): void {
    const { node, file } = getOpen(fd);
    fail('fsync', file);
    const what = `fsync ${kindOf(file)}`;
    if (!files.ignoresSync(what)) happen({ kind: 'sync', node: node.ino, what });
  }

  function close(fd: number): void {
    descriptors.delete(fd);
  }

  function toStats(node: Node): fs.Stats {
    const isFolder = 'names' in node;
    return {
      ino: node.ino,
      dev: 1,
      size: isFolder ? 0 : node.data.length,
      mtimeMs: isFolder ? 0 : node.mtimeMs,
      isDirectory: () => isFolder,
    } as fs.Stats;
  }

  function dataOf(node: Node, file: string): Buffer {
    if ('names' in node) throw failure('EISDIR', file);
    return node.data;
  }

  const later = nextTurn;

  const calls: FileCalls = {
    constants: { O_RDWR: 2, O_DSYNC },
    openSync: open,
    closeSync: close,
    fsyncSync: fsync,
    fstatSync: (fd) => toStats(getOpen(fd).node),
    readSync(fd, into, offset, length, position) {
      const { node, file } = getOpen(fd);
      return dataOf(node, file).copy(into, offset, position, position + length);
    },
    writeSync: (fd, bytes, offset, length, position) =>
      write(fd, bytes.subarray(offset, offset + length), position).count,
    write(fd, bytes, offset, length, position, done) {
      let result: ReturnType<typeof write>;
      try {
        result = write(fd, bytes.subarray(offset, offset + length), position);
      } catch (error) {
        return void setImmediate(() => done(error as Error, 0));
      }
      const { isDurable, file } = getOpen(fd);
      setImmediate(() => {
        if (down) return done(down, 0);
        if (isDurable) happen({ kind: 'persist', write: result.event, what: `O_DSYNC ${kindOf(file)}` });
        done(null, result.count);
      });
    },
    readFileSync: (file) => Buffer.from(dataOf(get(file), file)),
    readdirSync: (folder) => [...getFolder(folder).names.keys()],
    statSync(file) {
      const node = find(file);
      return node && toStats(node);
    },
    mkdirSync(folder) {
      const parent = getFolder(path.dirname(folder));
      if (find(folder)) throw failure('EEXIST', folder);
      fail('mkdir', folder);
      const ino = nextIno;
      happen({ kind: 'make', node: ino, isFolder: true });
      change(parent, [[path.basename(folder), ino]], `name ${folder}`);
    },
    renameSync(from, to) {
      const { ino } = get(from);
      const folder = getFolder(path.dirname(from));
      const target = getFolder(path.dirname(to));
      fail('rename', to);
      // If both are names of one file, rename(2) does nothing.
      if (find(to)?.ino === ino) return;
      if (folder !== target) {
        change(target, [[path.basename(to), ino]], `name ${to}`);
        change(folder, [[path.basename(from), null]], `gone ${from}`);
        return;
      }
      change(
        folder,
        [
          [path.basename(from), null],
          [path.basename(to), ino],
        ],
        `name ${to}`,
      );
    },
    statfsSync: () => ({ bavail: 2 ** 30, bsize: 4096 }),
    rmSync(file) {
      const node = find(file);
      if (!node) return;
      if ('names' in node) for (const name of [...node.names.keys()]) calls.rmSync(`${file}/${name}`, REMOVE_ALL);
      fail('rm', file);
      change(getFolder(path.dirname(file)), [[path.basename(file), null]], `gone ${file}`);
    },
    linkSync(from, to) {
      const node = get(from);
      if (find(to)) throw failure('EEXIST', to);
      const folder = getFolder(path.dirname(to));
      fail('link', to);
      change(folder, [[path.basename(to), node.ino]], `name ${to}`);
    },
    unlinkSync(file) {
      if ('names' in get(file)) throw failure('EISDIR', file);
      fail('unlink', file);
      change(getFolder(path.dirname(file)), [[path.basename(file), null]], `gone ${file}`);
    },
    promises: {
      async rename(from, to) {
        await later();
        calls.renameSync(from, to);
      },
      async unlink(file) {
        await later();
        calls.unlinkSync(file);
      },
      async open(file, flags) {
        const fd = open(file, flags);
        return {
          async write(bytes, offset, length, position) {
            await later();
            return { bytesWritten: write(fd, bytes.subarray(offset, offset + length), position).count };
          },
          async sync() {
            await later();
            fsync(fd);
          },
          close: async () => close(fd),
        };
      },
    },
  };

  const files: MemoryFiles = {
    calls,
    base,
    events,
    onCall: () => undefined,
    ignoresSync: () => false,
    stop: (error) => void (down ??= error),
    note: (note) => happen({ kind: 'note', note }),
  };
  return files;
}
