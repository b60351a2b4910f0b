// Tar files in memory: read whole, and written with any header, valid or not.
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';

export interface TarEntry {
  header: Partial<Header> & { name: string };
  content: Buffer;
}

export async function readTar(bytes: Buffer): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  const reader = extract();
  reader.end(gunzipSync(bytes));
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push({ header: entry.header, content: Buffer.concat(chunks) });
  }
  return entries;
}

export async function writeTar(entries: readonly TarEntry[]): Promise<Buffer> {
  const writer = pack();
  for (const { header, content } of entries) {
    if (header.type === 'file' || header.type === undefined) writer.entry({ name: header.name }, content);
    else writer.entry(header as Header);
  }
  writer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of writer) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}
