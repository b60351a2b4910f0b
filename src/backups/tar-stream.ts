// Files as the bytes of a `.tar.gz`, made while they are read: nothing is held in memory but what is on its way.
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack as openPack, type Pack } from 'tar-stream';

export interface PackedFile {
  name: string;
  sizeBytes: number;
  /** Exactly as many bytes. */
  chunks(): AsyncIterable<Buffer>;
}

/** Nothing in an archive says when or by whom its files were written; the same files are the same bytes. */
const EPOCH = new Date(0);

/** Destroying the stream stops the reading. `level`: 1 to 9, as gzip has it. */
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
    // Whoever read has left, or it is over.
    pack.destroy(new Error('nobody reads the archive any more'));
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
    if ((await Promise.race([drained, closed])) === 'closed') return; // nobody reads any more
  }
  entry.end(null);
}
