// What a file system may have on its disk after a power cut, given the calls that were made before it. The model is
// that of a disk with a volatile cache below a file system that promises no more than POSIX does, which is weaker than
// ext4 (data=ordered) or XFS are in practice, so that the store depends on nothing but its own syncs:
//
// - Bytes. Each write is cut into sectors; of those that no fsync has covered any subset may be there, the older or the
//   newer bytes of each. A file's length may have grown without its data (zeros: delayed allocation, XFS's unwritten
//   extents), or the data be cut anywhere. fsync of the file makes all of it durable; a write to a file that is open
//   with O_DSYNC makes its own bytes durable when it returns, and may be torn in any order until then. Cutting a file
//   off is one such change: it may be there or not, with any of the writes around it.
// - Names. Creating, linking, renaming and removing change a folder; fsync of that folder makes them durable, nothing
//   else does (fsync of the file does not, nor of another folder). Any subset of those since its last fsync may have
//   happened in which the changes of one and the same name are in order: ext4 keeps them all in order, btrfs and file
//   systems with several journals do not. A rename is never torn: both names change or neither does; one into another
//   folder is two changes here, each of which may be there alone.
// - A sector is written whole or not at all (512 bytes; 4096 on newer disks), and what was durable stays.
//
// Read for it: Pillai et al., "All File Systems Are Not Created Equal" (OSDI 2014: ALICE and its abstract persistence
// models); Rebello et al., "Can Applications Recover from fsync Failures?" (ATC 2020); the kernel's
// Documentation/filesystems/ext4 (data modes, auto_da_alloc) and XFS's FAQ on zeros after a power cut; fsync(2),
// open(2).
import { hash } from 'node:crypto';

export interface FileImage {
  ino: number;
  data: Buffer;
}

export interface FolderImage {
  ino: number;
  names: Map<string, FileImage | FolderImage>;
}

export interface EntriesEvent {
  kind: 'entries';
  folder: number;
  /** All at once: names, and what they refer to from then on. */
  changes: [name: string, node: number | null][];
  what: string;
}

export interface WriteEvent {
  kind: 'write';
  file: number;
  position: number;
  bytes: Buffer;
  /** The file then ends at `position`, and `bytes` is empty. */
  isCut?: boolean;
  what: string;
}

/** A call as the disk sees it; notes belong to the test, and keep their place among the calls. */
export type DiskEvent =
  | { kind: 'make'; node: number; isFolder: boolean }
  | EntriesEvent
  | WriteEvent
  | { kind: 'sync'; node: number; what: string }
  /** A write to a file that is open with O_DSYNC has returned. */
  | { kind: 'persist'; write: WriteEvent; what: string }
  | { kind: 'note'; note: unknown };

/** Decides what happened to everything that no sync has covered. */
export interface Choice {
  keepsEntries(event: EntriesEvent): boolean;
  /** The file's bytes; `writes` are those since its last sync, oldest first. */
  content(synced: Buffer, writes: readonly WriteEvent[]): Buffer;
}

/** A disk between its calls: what is durable, and what is not yet. */
export interface DiskState {
  apply(event: DiskEvent): void;
  /** What no sync has covered, in the order in which it happened. */
  listLoose(): (EntriesEvent | WriteEvent)[];
  image(choice: Choice): FolderImage;
}

interface FileState {
  synced: Buffer;
  writes: WriteEvent[];
}

interface FolderState {
  synced: Map<string, number>;
  changes: EntriesEvent[];
}

export function createDiskState(base: FolderImage): DiskState {
  const files = new Map<number, FileState>();
  const folders = new Map<number, FolderState>();
  const order = new Map<EntriesEvent | WriteEvent, number>();
  let count = 0;

  function adopt(node: FileImage | FolderImage): void {
    if (!('names' in node)) return void files.set(node.ino, { synced: node.data, writes: [] });
    folders.set(node.ino, { synced: new Map([...node.names].map(([name, { ino }]) => [name, ino])), changes: [] });
    for (const child of node.names.values()) adopt(child);
  }
  adopt(base);

  function apply(event: DiskEvent): void {
    count++;
    if (event.kind === 'make') {
      if (event.isFolder) folders.set(event.node, { synced: new Map(), changes: [] });
      else files.set(event.node, { synced: Buffer.alloc(0), writes: [] });
    } else if (event.kind === 'entries') {
      folders.get(event.folder)?.changes.push(event);
      order.set(event, count);
    } else if (event.kind === 'write') {
      files.get(event.file)?.writes.push(event);
      order.set(event, count);
    } else if (event.kind === 'persist') {
      const file = files.get(event.write.file);
      if (!file) return;
      file.synced = written(file.synced, event.write);
      // Pages that were dirty before now hold the newer bytes, so older ones cannot replace them.
      file.writes = file.writes.flatMap((write) => (write === event.write ? [] : without(write, event.write)));
      for (const write of file.writes) if (!order.has(write)) order.set(write, count);
    } else if (event.kind === 'sync') {
      const file = files.get(event.node);
      if (file) {
        for (const write of file.writes) file.synced = written(file.synced, write);
        file.writes = [];
      }
      const folder = folders.get(event.node);
      if (folder) {
        for (const change of folder.changes) rename(folder.synced, change);
        folder.changes = [];
      }
    }
  }

  function image({ keepsEntries, content }: Choice): FolderImage {
    const made = new Map<number, FileImage | FolderImage>();
    function build(ino: number): FileImage | FolderImage {
      const known = made.get(ino);
      if (known) return known;
      const file = files.get(ino);
      if (file) {
        const data = file.writes.length ? content(file.synced, file.writes) : file.synced;
        const built = { ino, data };
        made.set(ino, built);
        return built;
      }
      const folder = folders.get(ino)!;
      const names = new Map(folder.synced);
      for (const change of inOrder(folder.changes, keepsEntries)) rename(names, change);
      const built: FolderImage = { ino, names: new Map() };
      made.set(ino, built);
      for (const [name, child] of names) built.names.set(name, build(child));
      return built;
    }
    return build(base.ino) as FolderImage;
  }

  return {
    apply,
    listLoose: () =>
      [
        ...[...folders.values()].flatMap(({ changes }) => changes),
        ...[...files.values()].flatMap(({ writes }) => writes),
      ].sort((a, b) => order.get(a)! - order.get(b)!),
    image,
  };
}

/** The chosen changes, each with the earlier ones of the same names. */
function inOrder(changes: readonly EntriesEvent[], isChosen: (event: EntriesEvent) => boolean): EntriesEvent[] {
  const needed = new Set<string>();
  const kept: EntriesEvent[] = [];
  for (const event of changes.toReversed()) {
    const names = event.changes.map(([name]) => name);
    if (!isChosen(event) && !names.some((name) => needed.has(name))) continue;
    for (const name of names) needed.add(name);
    kept.unshift(event);
  }
  return kept;
}

/** Later changes that cannot be on the disk without this one. */
export function listDependents(loose: readonly (EntriesEvent | WriteEvent)[], first: EntriesEvent): Set<EntriesEvent> {
  const found = new Set([first]);
  const names = new Set(first.changes.map(([name]) => name));
  for (const event of loose.slice(loose.indexOf(first) + 1)) {
    if (event.kind !== 'entries' || event.folder !== first.folder) continue;
    if (!event.changes.some(([name]) => names.has(name))) continue;
    found.add(event);
    for (const [name] of event.changes) names.add(name);
  }
  return found;
}

function rename(names: Map<string, number>, event: EntriesEvent): void {
  for (const [name, node] of event.changes) {
    if (node === null) names.delete(name);
    else names.set(name, node);
  }
}

export function written(data: Buffer, { position, bytes, isCut }: WriteEvent): Buffer {
  if (isCut && data.length > position) return data.subarray(0, position);
  const grown = Buffer.alloc(Math.max(data.length, position + bytes.length));
  data.copy(grown);
  bytes.copy(grown, position);
  return grown;
}

/** The parts of a write outside another one's bytes. */
function without(write: WriteEvent, other: WriteEvent): WriteEvent[] {
  const end = write.position + write.bytes.length;
  const otherEnd = other.position + other.bytes.length;
  if (other.position >= end || otherEnd <= write.position) return [write];
  const parts: WriteEvent[] = [];
  if (write.position < other.position)
    parts.push({ ...write, bytes: write.bytes.subarray(0, other.position - write.position) });
  if (otherEnd < end)
    parts.push({ ...write, position: otherEnd, bytes: write.bytes.subarray(otherEnd - write.position) });
  return parts;
}

/** Cuts a write into pieces, each of which reaches the disk whole or not at all. */
export function sectorsOf(write: WriteEvent, sectorBytes: number): WriteEvent[] {
  if (write.isCut) return [write];
  const sectors: WriteEvent[] = [];
  const end = write.position + write.bytes.length;
  for (let from = write.position; from < end; ) {
    const to = Math.min(end, (Math.floor(from / sectorBytes) + 1) * sectorBytes);
    sectors.push({
      ...write,
      position: from,
      bytes: write.bytes.subarray(from - write.position, to - write.position),
    });
    from = to;
  }
  return sectors;
}

const contentHashes = new WeakMap<Buffer, string>();

/** The same for two images with the same names and bytes. */
export function hashImage(image: FolderImage): string {
  const parts: string[] = [];
  function walk(folder: FolderImage, where: string): void {
    for (const name of [...folder.names.keys()].sort()) {
      const node = folder.names.get(name)!;
      if ('names' in node) {
        parts.push(`${where}${name}/`);
        walk(node, `${where}${name}/`);
        continue;
      }
      let known = contentHashes.get(node.data);
      if (known === undefined) contentHashes.set(node.data, (known = hash('sha1', node.data, 'base64')));
      parts.push(`${where}${name} ${known}`);
    }
  }
  walk(image, '/');
  return hash('sha1', parts.join('\n'), 'base64');
}
