// A saved file: named sections and a header that says which commit, schema and code they belong to. Disposable: it is
// written under another name and renamed, and damage to it costs only the time to rebuild it.
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, nodeDisk, type ReadHandle } from './disk.ts';

export interface SavedKey {
  commit: string;
  /** Identifies the configuration and the code that wrote the sections. */
  version: string;
}

interface Header extends SavedKey {
  sections: { name: string; length: number; crc: number }[];
}

const MAGIC = Buffer.from('COLOSNP2', 'latin1');
/** The end of the file: u32 length and u32 CRC of the header that precedes it. */
const TRAILER = 8;
const FILE = 'snapshot';

/** Sections are produced and written piece by piece; between pieces the event loop runs. */
export async function writeSavedFile(
  folder: string,
  key: SavedKey,
  sections: Record<string, Iterable<Buffer> | AsyncIterable<Buffer>>,
  disk: Disk = nodeDisk,
): Promise<void> {
  disk.makeScratchFolder(folder);
  const temporary = path.join(folder, `${FILE}.tmp`);
  await disk.removeApart(temporary);
  await disk.createLargeFile(temporary, encodeSections(key, sections));
  await disk.renameApart(temporary, path.join(folder, FILE));
}

async function* encodeSections(
  key: SavedKey,
  sections: Record<string, Iterable<Buffer> | AsyncIterable<Buffer>>,
): AsyncGenerator<Buffer> {
  const header: Header = { ...key, sections: [] };
  yield MAGIC;
  for (const [name, pieces] of Object.entries(sections)) {
    let length = 0;
    let crc = 0;
    for await (const piece of pieces) {
      if (piece.length === 0) continue;
      crc = crc32(piece, crc);
      length += piece.length;
      yield piece;
    }
    header.sections.push({ name, length, crc });
  }
  const text = Buffer.from(JSON.stringify(header), 'utf8');
  const trailer = Buffer.allocUnsafe(TRAILER);
  trailer.writeUInt32BE(text.length, 0);
  trailer.writeUInt32BE(crc32(text), 4);
  yield Buffer.concat([text, trailer]);
}

/** Returns undefined if there is no usable file. Each section has its own, aligned memory. */
export function readSavedFile(
  folder: string,
  version: string,
  disk: Disk = nodeDisk,
): { commit: string; sections: Map<string, Buffer> } | undefined {
  const found = openSavedFile(folder, version, disk);
  if (!found) return undefined;
  try {
    const sections = new Map<string, Buffer>();
    for (const name of found.names) {
      const section = found.read(name);
      if (!section) return undefined;
      sections.set(name, section);
    }
    return { commit: found.commit, sections };
  } finally {
    found.close();
  }
}

/** A saved file whose sections are read on demand. It stays open even if its name is removed or replaced. */
export interface OpenSavedFile {
  readonly commit: string;
  readonly names: readonly string[];
  /** A whole section, in its own, aligned memory; undefined if it does not exist or is damaged. */
  read(name: string): Buffer | undefined;
  /** Bytes of a section: fewer at its end, none after `close`. They are not checked: the caller must do that. */
  readPart(name: string, at: number, length: number): Buffer;
  close(): void;
}

/** Returns undefined if there is no file of this version. Does not check the sections. */
export function openSavedFile(folder: string, version: string, disk: Disk = nodeDisk): OpenSavedFile | undefined {
  const file = disk.openForReading(path.join(folder, FILE));
  if (!file) return undefined;
  const header = readHeader(file);
  if (header?.version !== version) {
    file.close();
    return undefined;
  }
  const places = new Map<string, { start: number; length: number; crc: number }>();
  let start = MAGIC.length;
  for (const { name, length, crc } of header.sections) {
    places.set(name, { start, length, crc });
    start += length;
  }
  let isOpen = true;
  return {
    commit: header.commit,
    names: [...places.keys()],
    read(name) {
      const place = places.get(name);
      const bytes = place && file.read(place.start, place.length);
      return bytes?.length === place?.length && bytes && crc32(bytes) === place!.crc ? bytes : undefined;
    },
    readPart(name, at, length) {
      const place = isOpen ? places.get(name) : undefined;
      return place ? file.read(place.start + at, Math.max(0, Math.min(length, place.length - at))) : Buffer.alloc(0);
    },
    close() {
      if (isOpen) file.close();
      isOpen = false;
    },
  };
}

function readHeader(file: ReadHandle): Header | undefined {
  const end = file.sizeBytes - TRAILER;
  if (end < MAGIC.length || !file.read(0, MAGIC.length).equals(MAGIC)) return undefined;
  const trailer = file.read(end, TRAILER);
  const length = trailer.readUInt32BE(0);
  if (length === 0 || length > end - MAGIC.length) return undefined;
  const text = file.read(end - length, length);
  // Without this check a header with one changed letter could pass for that of an empty site.
  if (crc32(text) !== trailer.readUInt32BE(4)) return undefined;
  return JSON.parse(text.toString('utf8')) as Header;
}
