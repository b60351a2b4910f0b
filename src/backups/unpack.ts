// Reads an archive that may come from anywhere. Its parts do not decide where a file goes or how much is written: each
// has one possible place, and its size and sha256 are known beforehand. Any deviation ends the unpacking; the caller
// removes the files that were written until then.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { type Extract, extract as openExtract } from 'tar-stream';
import { ArchiveManifest, type ArchivePart, MANIFEST_NAME, pathBelowSite } from './archive-manifest.ts';
import { isDataPath, isPutBack } from './data-files.ts';

export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
  }
}

/** A manifest has some hundred bytes for each file of the repository and of the media. */
const MANIFEST_BYTES = 256 << 20;
/** Packs and media hardly shrink, JSON shrinks to a tenth. Up to RATIO_FREE_BYTES a higher ratio does no harm. */
const RATIO = 100;
const RATIO_FREE_BYTES = 1 << 30;
/** Space that unpacking leaves on the disk. */
const ROOM_BYTES = 64 << 20;

type TarEntry = Extract extends AsyncIterable<infer E> ? E : never;

export interface UnpackOptions {
  /** A folder that exists and is empty. */
  into: string;
  onProgress?(doneBytes: number, totalBytes: number): void;
}

/** Reads only the manifest of an archive. @throws ArchiveError */
export function peekManifest(file: string): Promise<ArchiveManifest> {
  return withEntries(file, async (entries) => {
    for await (const entry of entries) {
      checked(entry);
      return await readManifest(entry);
    }
    throw new ArchiveError('the archive is empty');
  });
}

/** Unpacks and syncs all parts. @throws ArchiveError */
export function unpackArchive(file: string, options: UnpackOptions): Promise<ArchiveManifest> {
  return withEntries(file, async (entries) => unpackParts(entries, (await stat(file)).size, options));
}

async function unpackParts(
  entries: AsyncIterable<TarEntry>,
  packedBytes: number,
  { into, onProgress }: UnpackOptions,
): Promise<ArchiveManifest> {
  let manifest: ArchiveManifest | undefined;
  const waiting = new Map<string, ArchivePart>();
  let doneBytes = 0;
  let totalBytes = 0;
  for await (const entry of entries) {
    const { name } = checked(entry);
    if (!manifest) {
      manifest = await readManifest(entry);
      for (const part of manifest.parts) {
        if (waiting.has(part.path)) throw new ArchiveError(`"${part.path}" is in the archive twice`);
        if (pathBelowSite(part) === undefined) throw new ArchiveError(`"${part.path}" has no place in a site`);
        waiting.set(part.path, part);
        totalBytes += part.sizeBytes;
      }
      await checkSpace(into, totalBytes + manifest.data.sizeBytes, packedBytes);
      continue;
    }
    const part = waiting.get(name);
    if (!part) throw new ArchiveError(`"${name}" is in the archive but not in its manifest, or it is there twice`);
    waiting.delete(name);
    const place = pathBelowSite(part);
    const found = await writeEntry(
      entry,
      part.sizeBytes,
      typeof place === 'string' ? path.join(into, place) : undefined,
    );
    if (found !== part.sha256) throw new ArchiveError(`"${name}" is damaged: its sha256 does not match`);
    doneBytes += part.sizeBytes;
    onProgress?.(doneBytes, totalBytes);
  }
  if (!manifest) throw new ArchiveError('the archive is empty');
  const [missing] = waiting.keys();
  if (missing !== undefined) throw new ArchiveError(`"${missing}" is missing from the archive`);
  return manifest;
}

/**
 * Unpacks the archive of `_data`, without files that the service makes again by itself, into a folder that exists and
 * is empty. Resolves with the names of the files, once they are synced. @throws ArchiveError
 */
export function unpackData(file: string, into: string, bounds: DataBounds): Promise<string[]> {
  return withEntries(file, (entries) => unpackDataFiles(entries, into, bounds));
}

interface DataBounds {
  files: number;
  sizeBytes: number;
}

/** Hashes a whole file. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function unpackDataFiles(entries: AsyncIterable<TarEntry>, into: string, bounds: DataBounds): Promise<string[]> {
  const names = new Set<string>();
  let sizeBytes = 0;
  for await (const entry of entries) {
    const { name, size } = checked(entry);
    sizeBytes += size;
    if (!isDataPath(name)) throw new ArchiveError(`${JSON.stringify(name)} has no place in _data`);
    if (names.has(name)) throw new ArchiveError(`"${name}" is in _data twice`);
    names.add(name);
    if (names.size > bounds.files || sizeBytes > bounds.sizeBytes) {
      throw new ArchiveError('_data has more in it than the archive says');
    }
    if (isPutBack(name)) await writeEntry(entry, size, path.join(into, name));
  }
  if (names.size !== bounds.files || sizeBytes !== bounds.sizeBytes) {
    throw new ArchiveError('_data has less in it than the archive says');
  }
  return [...names].filter(isPutBack);
}

/** Turns errors of gzip and tar, which mean a broken archive, into ArchiveErrors; errors of the disk stay. */
async function withEntries<T>(file: string, read: (entries: AsyncIterable<TarEntry>) => Promise<T>): Promise<T> {
  // The reader often gets only the error that the streams behind were destroyed.
  let first: Error | undefined;
  try {
    return await read(readEntries(file, (error) => (first ??= error)));
  } catch (error) {
    const cause = error instanceof ArchiveError ? error : (first ?? error);
    const { name, code = '', message } = cause as NodeJS.ErrnoException;
    if (name !== 'Error' || (code !== '' && !OF_STREAM.test(code))) throw cause;
    const text = isCut(code, message)
      ? `the archive ends after ${(await stat(file)).size} bytes, in the middle: it was cut off when it was written or copied`
      : `the archive cannot be read: ${message}`;
    throw new ArchiveError(text, { cause });
  }
}

/** The compressed data end early, or the archive inside does. */
function isCut(code: string, message: string): boolean {
  return code === 'Z_BUF_ERROR' || message === 'Unexpected end of data';
}

const OF_STREAM = /^(Z_|STREAM_|PREMATURE_|ERR_STREAM_)/;

async function* readEntries(file: string, onBroken: (error: Error) => void): AsyncGenerator<TarEntry> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  const extract = openExtract();
  const stop = (error: Error): void => {
    for (const stream of [source, gunzip]) stream.destroy();
    extract.destroy(error);
  };
  for (const stream of [source, gunzip]) {
    stream.once('error', (error: Error) => {
      onBroken(error);
      stop(error);
    });
  }
  source.pipe(gunzip).pipe(extract as unknown as NodeJS.WritableStream);
  try {
    for await (const entry of extract) {
      yield entry as TarEntry;
      entry.resume();
    }
  } finally {
    stop(new Error('over'));
  }
}

/** Accepts only files: no links, devices or folders. */
function checked({ header }: TarEntry): { name: string; size: number } {
  const { name, type, size } = header;
  if (type !== 'file') throw new ArchiveError(`${JSON.stringify(name)} is not a file but a ${type}`);
  if (!Number.isSafeInteger(size) || size < 0) throw new ArchiveError(`${JSON.stringify(name)} has no size`);
  return { name, size };
}

async function readManifest(entry: TarEntry): Promise<ArchiveManifest> {
  const { name, size } = entry.header;
  if (name !== MANIFEST_NAME)
    throw new ArchiveError(`the archive is not from Colophon: it begins with "${name}", not with "${MANIFEST_NAME}"`);
  if (size > MANIFEST_BYTES) throw new ArchiveError('the manifest of the archive is too large');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk as Buffer);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new ArchiveError('the manifest of the archive is not JSON', { cause: error });
  }
  const { format } = (json ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > 1) {
    throw new ArchiveError(`the archive has format ${format}, from a newer version of Colophon`);
  }
  const parsed = ArchiveManifest.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ArchiveError(
    `the manifest of the archive is wrong at ${issue?.path.join('.') || 'the top level'}: ${issue?.message}`,
  );
}

async function checkSpace(folder: string, bytes: number, packedBytes: number): Promise<void> {
  if (bytes > RATIO_FREE_BYTES && bytes > RATIO * packedBytes) {
    throw new ArchiveError(`the archive would unpack to ${bytes} bytes, more than ${RATIO} times its own size`);
  }
  const { bavail, bsize } = await statfs(folder);
  if (bytes + ROOM_BYTES > bavail * bsize) {
    throw new ArchiveError(`the archive needs ${bytes} bytes, but the disk has space for ${bavail * bsize} only`);
  }
}

/** Writes the entry to a new file, if one is given. Returns its sha256. */
async function writeEntry(entry: TarEntry, sizeBytes: number, file: string | undefined): Promise<string> {
  const { name, size } = entry.header;
  if (size !== sizeBytes) throw new ArchiveError(`"${name}" has size ${size}; the manifest says ${sizeBytes}`);
  const hash = createHash('sha256');
  if (file === undefined) {
    for await (const chunk of entry) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of entry) {
      const bytes = chunk as Buffer;
      hash.update(bytes);
      for (let done = 0; done < bytes.length; ) {
        done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}
