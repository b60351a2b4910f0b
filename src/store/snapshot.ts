// A snapshot file: named sections under a header that says for which commit, schema and code they hold. Disposable: it
// is written beside and renamed, and whatever is wrong with it only costs the time to rebuild.
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, nodeDisk, type ReadHandle } from './disk.ts';

export interface SnapshotKey {
  commit: string;
  /** Of the configuration and of the code that wrote the sections. */
  version: string;
}

interface Header extends SnapshotKey {
  sections: { name: string; length: number; crc: number }[];
}

const MAGIC = Buffer.from('COLOSNP2', 'latin1');
/** At the end of the file: u32 length and u32 CRC of the header before it. */
const TRAILER = 8;
const FILE = 'snapshot';

/** Sections are produced and written piece by piece; between pieces the event loop runs. */
export async function writeSnapshot(
  folder: string,
  key: SnapshotKey,
  sections: Record<string, Iterable<Buffer>>,
  disk: Disk = nodeDisk,
): Promise<void> {
  disk.makeScratchFolder(folder);
  const temporary = path.join(folder, `${FILE}.tmp`);
  disk.remove(temporary);
  await disk.createLargeFile(temporary, encodeSections(key, sections));
  disk.rename(temporary, path.join(folder, FILE));
}

function* encodeSections(key: SnapshotKey, sections: Record<string, Iterable<Buffer>>): Generator<Buffer> {
  const header: Header = { ...key, sections: [] };
  yield MAGIC;
  for (const [name, pieces] of Object.entries(sections)) {
    let length = 0;
    let crc = 0;
    for (const piece of pieces) {
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

/** Undefined where there is none, or none that can be used. Each section has its own, aligned memory. */
export function readSnapshot(
  folder: string,
  version: string,
  disk: Disk = nodeDisk,
): { commit: string; sections: Map<string, Buffer> } | undefined {
  const file = disk.openForReading(path.join(folder, FILE));
  if (!file) return undefined;
  try {
    const header = readHeader(file);
    if (!header || header.version !== version) return undefined;
    const sections = new Map<string, Buffer>();
    let at = MAGIC.length;
    for (const { name, length, crc } of header.sections) {
      const section = file.read(at, length);
      if (section.length !== length || crc32(section) !== crc) return undefined;
      sections.set(name, section);
      at += length;
    }
    return { commit: header.commit, sections };
  } finally {
    file.close();
  }
}

function readHeader(file: ReadHandle): Header | undefined {
  const end = file.sizeBytes - TRAILER;
  if (end < MAGIC.length || !file.read(0, MAGIC.length).equals(MAGIC)) return undefined;
  const trailer = file.read(end, TRAILER);
  const length = trailer.readUInt32BE(0);
  if (length === 0 || length > end - MAGIC.length) return undefined;
  const text = file.read(end - length, length);
  // Without it a header with one letter changed could be taken for that of an empty site.
  if (crc32(text) !== trailer.readUInt32BE(4)) return undefined;
  return JSON.parse(text.toString('utf8')) as Header;
}
