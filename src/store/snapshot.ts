// A snapshot file: named sections under a header that says for which commit, schema and code they hold. Disposable: it
// is written beside and renamed, and whatever is wrong with it only costs the time to rebuild.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { nodeDisk, type ReadHandle } from './disk.ts';

export interface SnapshotKey {
  commit: string;
  /** Of the configuration and of the code that wrote the sections. */
  version: string;
}

interface Header extends SnapshotKey {
  sections: { name: string; length: number; crc: number }[];
}

const MAGIC = Buffer.from('COLOSNP1', 'latin1');
const FILE = 'snapshot';

/** Sections are produced and written piece by piece; between pieces the event loop runs. */
export async function writeSnapshot(
  folder: string,
  key: SnapshotKey,
  sections: Record<string, Iterable<Buffer>>,
): Promise<void> {
  await fs.promises.mkdir(folder, { recursive: true });
  const temporary = path.join(folder, `${FILE}.tmp`);
  const handle = await fs.promises.open(temporary, 'w', 0o600);
  try {
    const header: Header = { ...key, sections: [] };
    let at = MAGIC.length;
    await handle.write(MAGIC, 0, MAGIC.length, 0);
    for (const [name, pieces] of Object.entries(sections)) {
      const start = at;
      let crc = 0;
      for (const piece of pieces) {
        if (piece.length === 0) continue;
        crc = crc32(piece, crc);
        await handle.write(piece, 0, piece.length, at);
        at += piece.length;
      }
      header.sections.push({ name, length: at - start, crc });
    }
    const text = Buffer.from(JSON.stringify(header), 'utf8');
    const trailer = Buffer.allocUnsafe(4);
    trailer.writeUInt32BE(text.length, 0);
    await handle.write(Buffer.concat([text, trailer]), 0, text.length + 4, at);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.promises.rename(temporary, path.join(folder, FILE));
}

/** Undefined where there is none, or none that can be used. Each section has its own, aligned memory. */
export function readSnapshot(
  folder: string,
  version: string,
): { commit: string; sections: Map<string, Buffer> } | undefined {
  const file = nodeDisk.openForReading(path.join(folder, FILE));
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
  if (file.sizeBytes < MAGIC.length + 4 || !file.read(0, MAGIC.length).equals(MAGIC)) return undefined;
  const end = file.sizeBytes - 4;
  const length = file.read(end, 4).readUInt32BE(0);
  if (length > end - MAGIC.length) return undefined;
  try {
    return JSON.parse(file.read(end - length, length).toString('utf8')) as Header;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
