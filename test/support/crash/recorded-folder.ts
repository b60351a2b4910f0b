// Records what code that calls node:fs itself does to a folder, as events of disk-images.ts: every call that changes or
// syncs something below it, from any module of this process. Calls take effect at once, in the order in which they are
// made. An unknown call fails, so that nothing escapes the record.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { DiskEvent, FolderImage, WriteEvent } from '../disk-images.ts';

export interface RecordedFolder extends Disposable {
  readonly base: FolderImage;
  readonly events: readonly DiskEvent[];
  note(note: unknown): void;
}

interface Open {
  node: number;
  file: string;
  position: number;
  appends: boolean;
}

type Call = (...args: never[]) => unknown;
type Calls = Record<string, Call>;

const BASE: FolderImage = { ino: 1, names: new Map() };

/**
 * Records an empty folder until it is disposed, one at a time. A sync for which `ignoresSync` returns true does
 * nothing.
 */
export async function recordFolder(
  root: string,
  ignoresSync: (what: string) => boolean = () => false,
): Promise<RecordedFolder> {
  const events: DiskEvent[] = [];
  const nodes = new Map<string, number>([[root, BASE.ino]]);
  const descriptors = new Map<number, Open>();
  const real = { ...fs };
  let nextNode = BASE.ino + 1;

  const isBelow = (file: unknown): file is string =>
    typeof file === 'string' && (file === root || file.startsWith(`${root}/`));
  const folderOf = (file: string): number => nodes.get(path.dirname(file))!;
  const name = (file: string, node: number | null, what = 'name'): void =>
    void events.push({
      kind: 'entries',
      folder: folderOf(file),
      changes: [[path.basename(file), node]],
      what: `${what} ${path.relative(root, file)}`,
    });

  function make(file: string, isFolder: boolean): void {
    const node = nextNode++;
    events.push({ kind: 'make', node, isFolder });
    name(file, node);
    nodes.set(file, node);
  }

  function write(open: Pick<Open, 'node' | 'file'>, position: number, bytes: Buffer): void {
    const what = `content ${path.relative(root, open.file)}`;
    events.push({ kind: 'write', file: open.node, position, bytes: Buffer.from(bytes), what } satisfies WriteEvent);
  }

  function cut({ node, file }: Pick<Open, 'node' | 'file'>, sizeBytes: number): void {
    const what = `end ${path.relative(root, file)}`;
    events.push({ kind: 'write', file: node, position: sizeBytes, bytes: Buffer.alloc(0), isCut: true, what });
  }

  function sync(node: number, file: string): void {
    const what = `sync ${path.relative(root, file) || '.'}`;
    if (!ignoresSync(what)) events.push({ kind: 'sync', node, what });
  }

  function moved(from: string, to: string): void {
    const node = nodes.get(from)!;
    const changes: [string, number | null][] = [[path.basename(to), node]];
    if (path.dirname(from) === path.dirname(to)) changes.push([path.basename(from), null]);
    else name(from, null, 'gone');
    events.push({ kind: 'entries', folder: folderOf(to), changes, what: `name ${path.relative(root, to)}` });
    for (const [file, one] of [...nodes]) {
      if (file !== from && !file.startsWith(`${from}/`)) continue;
      nodes.delete(file);
      nodes.set(to + file.slice(from.length), one);
    }
  }

  function gone(file: string): void {
    if (!nodes.has(file)) return;
    name(file, null, 'gone');
    for (const one of [...nodes.keys()]) if (one === file || one.startsWith(`${file}/`)) nodes.delete(one);
  }

  const toBytes = (data: string | Uint8Array): Buffer =>
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);

  /** The calls that change or sync something, with a path or a descriptor. */
  const calls = {
    openSync(file: string, flags: string | number = 'r', mode?: number): number {
      const isThere = real.existsSync(file);
      const fd = real.openSync(file, flags as string, mode);
      if (!isThere) make(file, false);
      const appends = flags === 'a' || flags === 'a+';
      const open = { node: nodes.get(file)!, file, position: 0, appends };
      descriptors.set(fd, open);
      if (isThere && (flags === 'w' || flags === 'w+')) cut(open, 0);
      return fd;
    },
    writeFileSync(file: string, data: string | Uint8Array, options?: { flag?: string; mode?: number }): void {
      const fd = calls.openSync(file, options?.flag ?? 'w', options?.mode);
      calls.writeSync(fd, toBytes(data));
      fs.closeSync(fd);
    },
    writeSync(fd: number, bytes: Buffer, offset = 0, length = bytes.length - offset, position?: number | null): number {
      const open = descriptors.get(fd)!;
      const at = position ?? (open.appends ? real.fstatSync(fd).size : open.position);
      const count = real.writeSync(fd, bytes, offset, length, open.appends ? null : at);
      write(open, at, bytes.subarray(offset, offset + count));
      if (position === undefined || position === null) open.position = at + count;
      return count;
    },
    ftruncateSync(fd: number, sizeBytes = 0): void {
      real.ftruncateSync(fd, sizeBytes);
      cut(descriptors.get(fd)!, sizeBytes);
    },
    /** Nothing has to reach a real disk here. */
    fsyncSync(fd: number): void {
      const { node, file } = descriptors.get(fd)!;
      sync(node, file);
    },
    mkdirSync(folder: string, options?: fs.MakeDirectoryOptions): void {
      const missing: string[] = [];
      for (let at = folder; !nodes.has(at) && isBelow(at); at = path.dirname(at)) missing.unshift(at);
      real.mkdirSync(folder, options);
      for (const one of missing) make(one, true);
    },
    renameSync(from: string, to: string): void {
      real.renameSync(from, to);
      moved(from, to);
    },
    linkSync(from: string, to: string): void {
      real.linkSync(from, to);
      name(to, nodes.get(from)!);
      nodes.set(to, nodes.get(from)!);
    },
    rmSync(file: string, options?: fs.RmOptions): void {
      real.rmSync(file, options);
      gone(file);
    },
    unlinkSync(file: string): void {
      real.unlinkSync(file);
      gone(file);
    },
    rmdirSync(folder: string): void {
      real.rmdirSync(folder);
      gone(folder);
    },
    copyFileSync: (from: string, to: string): void => calls.writeFileSync(to, real.readFileSync(from)),
  };
  const OF_DESCRIPTORS = new Set(['writeSync', 'ftruncateSync', 'fsyncSync']);

  const undo: (() => void)[] = [];
  function replace(holder: object, key: string, by: (call: Call) => Call): void {
    const of = holder as Calls;
    const before = of[key]!;
    of[key] = by(before);
    undo.push(() => void (of[key] = before));
  }

  for (const [key, call] of Object.entries(calls)) {
    const isOurs = (target: unknown, other: unknown): boolean =>
      OF_DESCRIPTORS.has(key) ? descriptors.has(target as number) : isBelow(target) || isBelow(other);
    replace(
      fs,
      key,
      (before) =>
        (...args) =>
          (isOurs(args[0], args[1]) ? (call as Call) : before)(...args),
    );
    const later = key.slice(0, -'Sync'.length);
    if (later === 'open' || !(later in fs.promises)) continue;
    replace(
      fs.promises,
      later,
      (before) =>
        async (...args) =>
          (isOurs(args[0], args[1]) ? (call as Call) : before)(...args),
    );
  }
  replace(fs.promises, 'open', (before) => async (...args) => {
    const [file, flags = 'r', mode] = args as unknown[] as [string, string | number | undefined, number | undefined];
    if (!isBelow(file)) return before(...args);
    // Opens its own descriptor, so that the real handle has the file that the model knows.
    real.closeSync(calls.openSync(file, flags, mode));
    const isAppend = flags === 'a' || flags === 'a+';
    const flag = typeof flags === 'string' && flags.startsWith('w') ? 'r+' : flags;
    const handle = (await before(...([file, flag, mode] as never[]))) as { fd: number };
    descriptors.set(handle.fd, { node: nodes.get(file)!, file, position: 0, appends: isAppend });
    return handle;
  });
  replace(fs, 'closeSync', (before) => (...args) => {
    descriptors.delete((args as unknown[])[0] as number);
    return before(...args);
  });

  const handle = await fs.promises.open(path.dirname(root), 'r');
  const ofHandles = Object.getPrototypeOf(handle) as object;
  await handle.close();
  /** The methods of a handle, made of the calls above. */
  const methods: Record<string, (fd: number, ...args: never[]) => unknown> = {
    write(fd, bytes: Buffer, offset?: number, length?: number, position?: number | null) {
      return { bytesWritten: calls.writeSync(fd, bytes, offset, length, position), buffer: bytes };
    },
    writeFile: (fd, data: string | Uint8Array) => void calls.writeSync(fd, toBytes(data)),
    appendFile: (fd, data: string | Uint8Array) => void calls.writeSync(fd, toBytes(data)),
    truncate: (fd, sizeBytes?: number) => calls.ftruncateSync(fd, sizeBytes),
    sync: (fd) => calls.fsyncSync(fd),
    datasync: (fd) => calls.fsyncSync(fd),
    close: (fd) => void descriptors.delete(fd),
  };
  for (const key of ['write', 'writeFile', 'appendFile', 'truncate', 'sync', 'datasync', 'close', 'writev', 'utimes']) {
    replace(
      ofHandles,
      key,
      (before) =>
        async function (this: { fd: number }, ...args) {
          if (!descriptors.has(this.fd)) return before.apply(this, args);
          const method = methods[key];
          if (!method) throw new Error(`the model of the disk does not know FileHandle.${key}()`);
          const result = method(this.fd, ...args);
          return key === 'close' ? before.apply(this, args) : result;
        },
    );
  }
  syncBuiltinESMExports();

  return {
    base: BASE,
    events,
    note: (note) => void events.push({ kind: 'note', note }),
    [Symbol.dispose]() {
      for (const back of undo.toReversed()) back();
      syncBuiltinESMExports();
    },
  };
}

/** Long ago, so that code that checks a file's age finds that its writer is gone. */
const HOURS_AGO = 2;

/** Puts an image into an empty folder of the real disk. */
export function putImage(image: FolderImage, folder: string): void {
  const before = new Date(Date.now() - HOURS_AGO * 3_600_000);
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, node] of image.names) {
    const file = path.join(folder, name);
    if ('names' in node) putImage(node, file);
    else {
      fs.writeFileSync(file, node.data);
      fs.utimesSync(file, before, before);
    }
  }
}
