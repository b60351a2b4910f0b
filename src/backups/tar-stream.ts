// Packs files into the bytes of a `.tar.gz` while they are read: memory holds only the bytes on their way.
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack as openPack, type Pack } from 'tar-stream';

export interface PackedFile {
  name: string;
  sizeBytes: number;
  /** Yields exactly `sizeBytes` bytes. */
  chunks(): AsyncIterable<Buffer>;
}

/** Archives do not record when or by whom files were written: the same files give the same bytes. */
const EPOCH = new Date(0);

/** Destroying the stream stops the reading. `level` is gzip's, from 1 to 9. */
export function toTarGz(files: AsyncIterable<PackedFile>, level: number): Readable {
  const gzip = createGzip({ level });
  const source = Readable.from(tarBytes(files), { objectMode: false });
  source.once('error', (error) => gzip.destroy(error));
  gzip.once('close', () => source.destroy());
  return source.pipe(gzip);
}

async function* tarBytes(files: AsyncIterable<PackedFile>): AsyncGenerator<Buffer> {
  const pack = openPack();
  const filling = fill(pack, files).then(
    () => pack.finalize(),
    (error: Error) => pack.destroy(error),
  );
  try {
    for await (const chunk of pack) yield chunk as Buffer;
  } finally {
    // The reader has left, or has read everything.
    pack.destroy(new Error('the archive is no longer read'));
    await filling;
  }
}

async function fill(pack: Pack, files: AsyncIterable<PackedFile>): Promise<void> {
  for await (const { name, sizeBytes, chunks } of files) {
    await new Promise<void>((resolve, reject) => {
      const entry = pack.entry({ name, size: sizeBytes, mode: 0o600, mtime: EPOCH, type: 'file' }, (error) =>
        error ? reject(error) : resolve(),
      );
      write(entry, chunks()).catch((error: Error) => {
        reject(error);
        entry.destroy(error);
      });
    });
  }
}

async function write(entry: ReturnType<Pack['entry']>, chunks: AsyncIterable<Buffer>): Promise<void> {
  const closed = new Promise<'closed'>((resolve) => entry.once('close', () => resolve('closed')));
  for await (const chunk of chunks) {
    if (entry.write(chunk)) continue;
    const drained = new Promise<'drained'>((resolve) => entry.once('drain', () => resolve('drained')));
    if ((await Promise.race([drained, closed])) === 'closed') return; // the reader has left
  }
  entry.end(null);
}
