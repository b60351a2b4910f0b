// A disk in memory that knows what a power cut would leave: bytes count once they are synced, names once their folder is.
// Every operation that changes something is numbered and can be made to fail, or to be the last one before a crash.
import fs from 'node:fs';
import path from 'node:path';
import type { Disk } from '../../src/store/disk.ts';

/** `crash` ends everything; a code fails this one operation, after `written` bytes where it writes. */
export type Fault = 'crash' | { code: string; written?: number };

export interface Operation {
  number: number;
  /** Of the Disk's functions, or `write` for a durable file's. */
  name: string;
  file: string;
}

export interface MemoryDisk extends Disk {
  /** Asked before each operation; may be replaced. */
  onOperation: (operation: Operation) => Fault | undefined;
  readonly isDown: boolean;
  /** Every operation so far that changed or synced something. */
  readonly operations: Operation[];
  /**
   * What a machine finds when it comes up again. `keep` is asked for each name and each content that was never synced;
   * without it all of that is lost. A process that was only killed loses nothing: `() => true`.
   */
  afterCrash(keep?: (what: string) => boolean, onOperation?: (operation: Operation) => Fault | undefined): MemoryDisk;
  /** Copies a folder to a real one, for git to look at. */
  copyTo(folder: string, target: string): void;
}

export class Crash extends Error {}

interface FileNode {
  kind: 'file';
  ino: number;
  data: Buffer;
  synced: Buffer;
  mtimeMs: number;
}

type Change = { what: string; apply(names: Map<string, Node>): void };

interface FolderNode {
  kind: 'folder';
  ino: number;
  names: Map<string, Node>;
  synced: Map<string, Node>;
  changes: Change[];
}

type Node = FileNode | FolderNode;

export function createMemoryDisk(
  onOperation: (operation: Operation) => Fault | undefined = () => undefined,
): MemoryDisk {
  return diskOn(newFolder(1), { next: 2 }, onOperation);
}

function newFolder(ino: number): FolderNode {
  return { kind: 'folder', ino, names: new Map(), synced: new Map(), changes: [] };
}

function diskOn(
  root: FolderNode,
  inodes: { next: number },
  onOperation: (operation: Operation) => Fault | undefined,
): MemoryDisk {
  const operations: Operation[] = [];
  let isDown = false;
  let clock = 0;

  const error = (code: string, file: string): Error => Object.assign(new Error(`${code}: ${file}`), { code });

  function findNode(file: string): Node | undefined {
    if (isDown) throw new Crash('disk is gone');
    let node: Node | undefined = root;
    for (const name of file.split('/').filter(Boolean))
      node = node?.kind === 'folder' ? node.names.get(name) : undefined;
    return node;
  }

  function getFolder(folder: string): FolderNode {
    const node = findNode(folder);
    if (node?.kind !== 'folder') throw error(node ? 'ENOTDIR' : 'ENOENT', folder);
    return node;
  }

  function getFile(file: string): FileNode {
    const node = findNode(file);
    if (node?.kind !== 'file') throw error(node ? 'EISDIR' : 'ENOENT', file);
    return node;
  }

  /** Numbers the operation; answers how much of a write goes through before its fault, if one is due. */
  function operate(name: string, file: string): { fault: Exclude<Fault, 'crash'> | undefined; isCrash: boolean } {
    if (isDown) throw new Crash('disk is gone');
    const operation = { number: operations.length, name, file };
    operations.push(operation);
    const fault = disk.onOperation(operation);
    return { fault: fault === 'crash' ? undefined : fault, isCrash: fault === 'crash' };
  }

  function change(name: string, file: string, run: () => void): void {
    const { fault, isCrash } = operate(name, file);
    if (isCrash) down();
    if (fault) throw error(fault.code, file);
    run();
  }

  function down(): never {
    isDown = true;
    throw new Crash('crash');
  }

  function rename(what: string, folder: FolderNode, apply: (names: Map<string, Node>) => void): void {
    apply(folder.names);
    folder.changes.push({ what, apply });
  }

  function add(file: string, node: Node): void {
    const name = path.basename(file);
    rename(`name ${file}`, getFolder(path.dirname(file)), (names) => void names.set(name, node));
  }

  function newFile(): FileNode {
    return { kind: 'file', ino: inodes.next++, data: Buffer.alloc(0), synced: Buffer.alloc(0), mtimeMs: ++clock };
  }

  function create(name: string, file: string, content: Buffer): FileNode {
    const { fault, isCrash } = operate(name, file);
    if (findNode(file)) throw error('EEXIST', file);
    if (fault && fault.written === undefined) throw error(fault.code, file);
    const node = newFile();
    add(file, node);
    node.data = Buffer.from(fault ? content.subarray(0, fault.written) : content);
    if (isCrash) down();
    if (!fault) node.synced = node.data;
    else {
      // As the real disk does: what could not be written whole is removed.
      rename(`gone ${file}`, getFolder(path.dirname(file)), (names) => void names.delete(path.basename(file)));
      throw error(fault.code, file);
    }
    return node;
  }

  const disk: MemoryDisk = {
    onOperation,
    get isDown() {
      return isDown;
    },
    operations,
    readFile(file) {
      const node = findNode(file);
      if (node?.kind === 'folder') throw error('EISDIR', file);
      return node && Buffer.from(node.data);
    },
    list(folder) {
      const node = findNode(folder);
      return node?.kind === 'folder' ? [...node.names.keys()].sort() : [];
    },
    stat(file) {
      const node = findNode(file);
      if (!node) return undefined;
      const size = node.kind === 'file' ? node.data.length : 0;
      const mtimeMs = node.kind === 'file' ? node.mtimeMs : 0;
      return { ino: node.ino, dev: 1, size, mtimeMs, isDirectory: () => node.kind === 'folder' } as fs.Stats;
    },
    makeFolder(folder) {
      if (findNode(folder)) return;
      this.makeFolder(path.dirname(folder));
      change('makeFolder', folder, () => {
        add(folder, newFolder(inodes.next++));
        sync(getFolder(path.dirname(folder)));
      });
    },
    createFile(file, chunks) {
      create('createFile', file, Buffer.concat(chunks));
    },
    rename(from, to) {
      change('rename', to, () => {
        const node = findNode(from);
        if (!node) throw error('ENOENT', from);
        const source = getFolder(path.dirname(from));
        if (source !== getFolder(path.dirname(to))) throw error('EXDEV', to);
        rename(`name ${to}`, source, (names) => {
          names.delete(path.basename(from));
          names.set(path.basename(to), node);
        });
      });
    },
    link(from, to) {
      change('link', to, () => {
        const node = getFile(from);
        if (findNode(to)) throw error('EEXIST', to);
        add(to, node);
      });
    },
    remove(file) {
      if (!findNode(file)) return false;
      change('remove', file, () => {
        getFile(file);
        rename(`gone ${file}`, getFolder(path.dirname(file)), (names) => void names.delete(path.basename(file)));
      });
      return true;
    },
    syncFolder(folder) {
      change('syncFolder', folder, () => sync(getFolder(folder)));
    },
    openForReading(file) {
      const node = findNode(file);
      if (!node) return undefined;
      const { data } = getFile(file);
      return {
        sizeBytes: data.length,
        read: (position, length) => {
          if (isDown) throw new Crash('disk is gone');
          return Buffer.from(data.subarray(position, position + length));
        },
        close: () => undefined,
      };
    },
    openDurable(file) {
      const node = getFile(file);
      return {
        async write(bytes, position) {
          const { fault, isCrash } = operate('write', file);
          const length = isCrash ? bytes.length >> 1 : (fault?.written ?? (fault ? 0 : bytes.length));
          const data = Buffer.alloc(Math.max(node.data.length, position + length));
          node.data.copy(data);
          bytes.copy(data, position, 0, length);
          node.data = node.synced = data;
          node.mtimeMs = ++clock;
          if (isCrash) down();
          if (fault) throw error(fault.code, file);
        },
        close: () => undefined,
      };
    },
    async preallocate(file, sizeBytes) {
      create('preallocate', file, Buffer.alloc(sizeBytes));
    },
    afterCrash(keep = () => false, next = () => undefined) {
      isDown = true;
      const copies = new Map<Node, Node>();
      const copy = (node: Node, where: string): Node => {
        const known = copies.get(node);
        if (known) return known;
        if (node.kind === 'file') {
          const isKept = node.data.equals(node.synced) || keep(`content ${where}`);
          const data = isKept ? node.data : node.synced;
          const file: FileNode = { ...node, data, synced: data };
          copies.set(node, file);
          return file;
        }
        const folder = newFolder(node.ino);
        copies.set(node, folder);
        const names = new Map(node.synced);
        for (const { what, apply } of node.changes) if (keep(what)) apply(names);
        for (const [name, child] of names) folder.names.set(name, copy(child, `${where}/${name}`));
        folder.synced = new Map(folder.names);
        return folder;
      };
      return diskOn(copy(root, '') as FolderNode, inodes, next);
    },
    copyTo(folder, target) {
      fs.mkdirSync(target, { recursive: true });
      for (const [name, node] of getFolder(folder).names) {
        if (node.kind === 'folder') this.copyTo(path.join(folder, name), path.join(target, name));
        else fs.writeFileSync(path.join(target, name), node.data);
      }
    },
  };
  return disk;
}

function sync(folder: FolderNode): void {
  folder.synced = new Map(folder.names);
  folder.changes = [];
}
