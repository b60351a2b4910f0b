// Loaded into a service under test (NODE_OPTIONS=--import): makes one named call on the files of a site fail, or kills
// the process around it. The file $FAIL_POINT says which one and how, so that a running service can be armed; the
// service knows nothing of it. The names are those of memory-files.ts and file-kinds.ts, such as `fsync new pack`.
import fs from 'node:fs';
import { isCode } from '../../src/lib/error-code.ts';
import { kindOf } from './file-kinds.ts';

/**
 * `full` fails with ENOSPC as long as the file exists, after half of a write; the others happen once, and the file is
 * then renamed to `<file>.fired`.
 */
export const ACTIONS = ['kill before', 'kill after', 'EIO', 'full', 'short'] as const;
export type Action = (typeof ACTIONS)[number];

export interface FailPoint {
  name: string;
  action: Action;
}

const armFile = process.env.FAIL_POINT;
const SITE_FILE = /\/sites\/[^/]+\/(content\.git|wal)(\/|$)/;

const real = { ...fs };
const realOpen = fs.promises.open.bind(fs.promises);
const realRename = fs.promises.rename.bind(fs.promises);
const realUnlink = fs.promises.unlink.bind(fs.promises);
const files = new Map<number, string>();

/** The action for this call, if any. */
function meet(call: string, file: string): Action | undefined {
  if (armFile === undefined || !SITE_FILE.test(file)) return undefined;
  let text: string;
  try {
    text = real.readFileSync(armFile, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const { name, action } = JSON.parse(text) as FailPoint;
  if (name !== `${call} ${kindOf(file)}`) return undefined;
  if (action === 'full') real.writeFileSync(`${armFile}.fired`, text);
  else real.renameSync(armFile, `${armFile}.fired`);
  return action;
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

function failure(code: string, call: string, file: string): Error {
  return Object.assign(new Error(`${code}: ${call} '${file}'`), { code, syscall: call, path: file });
}

/** `short` is what runs instead for a part of the work. */
function around<T>(call: string, file: string, run: () => T, short: () => T = run): T {
  const action = meet(call, file);
  if (action === undefined) return run();
  if (action === 'kill before') return die();
  if (action === 'short') return short();
  // As on a full disk: part of the bytes is written before the error.
  if (action === 'full') short();
  if (action === 'full' || action === 'EIO') throw failure(action === 'full' ? 'ENOSPC' : 'EIO', call, file);
  // Removing a missing file fails, but the rest is done all the same.
  try {
    run();
  } finally {
    die();
  }
}

async function aroundAsync<T>(call: string, file: string, run: () => Promise<T>, short = run): Promise<T> {
  const action = meet(call, file);
  if (action === 'kill before') die();
  if (action === 'full') await short();
  if (action === 'full' || action === 'EIO') throw failure(action === 'full' ? 'ENOSPC' : 'EIO', call, file);
  const result = await (action === 'short' ? short() : run());
  if (action === 'kill after') die();
  return result;
}

const nothing = (): never => undefined as never;

if (armFile !== undefined) {
  Object.assign(fs, {
    openSync(file: string, flags?: string | number, mode?: number): number {
      const open = (): number => real.openSync(file, flags as string, mode);
      if (typeof file !== 'string' || !SITE_FILE.test(file)) return open();
      const fd = flags === 'wx' ? around('open', file, open, nothing) : open();
      files.set(fd, file);
      return fd;
    },
    closeSync(fd: number): void {
      files.delete(fd);
      real.closeSync(fd);
    },
    fsyncSync(fd: number): void {
      around('fsync', files.get(fd) ?? '', () => real.fsyncSync(fd), nothing);
    },
    writeSync(fd: number, bytes: Buffer, offset: number, length: number, position?: number): number {
      const write = (count: number): number => real.writeSync(fd, bytes, offset, count, position);
      return around(
        'write',
        files.get(fd) ?? '',
        () => write(length),
        () => write(Math.ceil(length / 2)),
      );
    },
    renameSync(from: string, to: string): void {
      around('rename', to, () => real.renameSync(from, to), nothing);
    },
    linkSync(from: string, to: string): void {
      around('link', to, () => real.linkSync(from, to), nothing);
    },
    unlinkSync(file: string): void {
      around('unlink', file, () => real.unlinkSync(file), nothing);
    },
    mkdirSync(folder: string, options?: fs.MakeDirectoryOptions): string | undefined {
      return around('mkdir', folder, () => real.mkdirSync(folder, options), nothing);
    },
    write(fd: number, bytes: Buffer, offset: number | WriteDone, ...more: [number, number, WriteDone] | []): void {
      const [length, position, done] = more;
      // The process's log, which is not a file of the site.
      if (typeof offset === 'function' || !done || length === undefined) {
        real.write(fd, bytes, offset as WriteDone);
        return;
      }
      const file = files.get(fd) ?? '';
      const action = meet('write', file);
      const isCut = action === 'full' || action === 'short';
      if (action === 'kill before') die();
      real.write(fd, bytes, offset, isCut ? Math.ceil(length / 2) : length, position, (error, count) => {
        if (action === 'kill after') die();
        if (action === 'full' || action === 'EIO')
          done(failure(action === 'full' ? 'ENOSPC' : 'EIO', 'write', file), 0);
        else done(error, count);
      });
    },
  });
  Object.assign(fs.promises, {
    rename: (from: string, to: string) => aroundAsync('rename', to, () => realRename(from, to), nothing),
    unlink: (file: string) => aroundAsync('unlink', file, () => realUnlink(file), nothing),
    async open(file: string, flags?: string | number, mode?: number) {
      if (typeof file !== 'string' || !SITE_FILE.test(file)) return realOpen(file, flags, mode);
      const handle = await aroundAsync('open', file, () => realOpen(file, flags, mode), nothing);
      return {
        write(bytes: Buffer, offset: number, length: number, position: number) {
          const write = (count: number) => handle.write(bytes, offset, count, position);
          return aroundAsync(
            'write',
            file,
            () => write(length),
            () => write(Math.ceil(length / 2)),
          );
        },
        sync: () => aroundAsync('fsync', file, () => handle.sync(), nothing),
        close: () => handle.close(),
      };
    },
  });
}

type WriteDone = (error: Error | null, count: number) => void;
