// A snapshot file: named sections under a header that says for which commit, schema and code they hold. Disposable: it
// is written beside and renamed, and whatever is wrong with it only costs the time to rebuild.
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

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

/** Undefined where there is none, or none that can be used. */
export function readSnapshot(
  folder: string,
  version: string,
): { commit: string; sections: Map<string, Buffer> } | undefined {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file)) return undefined;
  const bytes = fs.readFileSync(file);
  const header = parseHeader(bytes);
  if (!header || header.version !== version) return undefined;
  const sections = new Map<string, Buffer>();
  let at = MAGIC.length;
  for (const { name, length, crc } of header.sections) {
    const section = bytes.subarray(at, (at += length));
    if (crc32(section) !== crc) return undefined;
    sections.set(name, section);
  }
  return { commit: header.commit, sections };
}

function parseHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < MAGIC.length + 4 || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = bytes.readUInt32BE(bytes.length - 4);
  if (length > bytes.length - MAGIC.length - 4) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', bytes.length - 4 - length, bytes.length - 4)) as Header;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
