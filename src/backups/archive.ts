// Packs one backup into one file to carry away: the repository at its commit with all of its history, the media by
// their SHA-256, `_data` as it was, and first a manifest that lists every part with its sha256. The files do not change
// while they are read, and are never held in memory. Packs and media are copied unchanged: they may also contain later
// changes, which the commit does not reach.
import { createHash } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { isCode } from '../lib/error-code.ts';
import { ServiceError } from '../lib/errors.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import {
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  type ArchivePart,
  DATA_NAME,
  inRepository,
  MANIFEST_NAME,
} from './archive-manifest.ts';
import { readChunks } from './data-files.ts';
import { archiveName, type SnapshotRecord } from './snapshot.ts';
import { type PackedFile, toTarGz } from './tar-stream.ts';

export interface ArchiveParts {
  site: string;
  version: string;
  /** Path of `_data/backups`. */
  folder: string;
  /** `<data>/sites/<id>/media`. */
  media: string;
  store: {
    freeze(): Promise<{ folder: string; files: readonly { path: string; sizeBytes: number }[]; remove(): void }>;
    treeOf(commit: string): string;
    listRefs(): { name: string; oid: string }[];
  };
  warn: Warn;
}

/** A part, and its source. */
interface PartSource {
  path: string;
  from: { file: string } | { bytes: Buffer };
  /** If known beforehand, damage is found. */
  sha256?: string;
}

/** Packs and media are compressed already. */
const LEVEL = 1;
const NOTES = 'refs/notes/colophon';
const GIT_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** To end the work, abort the signal, or destroy the stream once there is one. @throws unavailable if it is damaged */
export async function openArchive(
  parts: ArchiveParts,
  snapshot: SnapshotRecord & { commit: string; sha256: string },
  signal: AbortSignal,
): Promise<Readable> {
  const { store } = parts;
  // Read before the objects are frozen, so that they include all objects of the notes.
  const notes = store.listRefs().find(({ name }) => name === NOTES)?.oid ?? null;
  const frozen = await store.freeze();
  try {
    const { id, commit } = snapshot;
    const sources: PartSource[] = [
      { path: inRepository('HEAD'), from: { bytes: Buffer.from('ref: refs/heads/main\n') } },
      { path: inRepository('config'), from: { bytes: Buffer.from(GIT_CONFIG) } },
      { path: inRepository('refs/heads/main'), from: { bytes: Buffer.from(`${commit}\n`) } },
      { path: DATA_NAME, from: { file: path.join(parts.folder, archiveName(id)) }, sha256: snapshot.sha256 },
      ...frozen.files.map((file) => ({
        path: inRepository(file.path),
        from: { file: path.join(frozen.folder, file.path) },
      })),
    ];
    for await (const name of listMedia(parts.media)) {
      const file = path.join(parts.media, name);
      sources.push({ path: `media/${name}`, from: { file }, sha256: path.basename(name) });
    }
    const { found, damaged } = await measure(sources, signal);
    const [lost] = damaged.filter((file) => !file.startsWith('media/'));
    if (lost) throw new ServiceError('unavailable', `the archive of backup "${id}" is damaged; make a new backup`);
    for (const file of damaged)
      parts.warn(`"${file}" does not match its sha256 or is missing; the archive leaves it out`);
    const manifest: ArchiveManifest = {
      format: ARCHIVE_FORMAT,
      version: parts.version,
      site: parts.site,
      snapshot: id,
      createdAt: snapshot.createdAt,
      commit,
      tree: store.treeOf(commit),
      notes,
      documents: snapshot.documents,
      collections: snapshot.collections,
      mediaFiles: snapshot.mediaFiles,
      data: { files: snapshot.dataFiles, sizeBytes: snapshot.dataBytes },
      damagedMedia: damaged,
      parts: found.map(({ part }) => part),
    };
    const stream = toTarGz(toFiles(manifest, found), LEVEL);
    stream.once('close', frozen.remove);
    return stream;
  } catch (error) {
    await frozen.remove();
    throw error;
  }
}

type FoundPart = { part: ArchivePart; from: PartSource['from'] };

/** Hashes every part before it is packed, because the manifest comes first in the archive. */
async function measure(
  sources: readonly PartSource[],
  signal: AbortSignal,
): Promise<{ found: FoundPart[]; damaged: string[] }> {
  const found: FoundPart[] = [];
  const damaged: string[] = [];
  for (const { path: name, from, sha256: expected } of sources) {
    signal.throwIfAborted();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const chunk of 'bytes' in from ? [from.bytes] : readFile(from.file)) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        signal.throwIfAborted();
      }
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      damaged.push(name);
      continue;
    }
    const sha256 = hash.digest('hex');
    if (expected !== undefined && sha256 !== expected) damaged.push(name);
    else found.push({ part: { path: name, sizeBytes, sha256 }, from });
    if ('bytes' in from) await nextTurn();
  }
  return { found, damaged };
}

async function* toFiles(manifest: ArchiveManifest, found: readonly FoundPart[]): AsyncGenerator<PackedFile> {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
  yield { name: MANIFEST_NAME, sizeBytes: bytes.length, chunks: () => once(bytes) };
  for (const { part, from } of found) {
    const { path: name, sizeBytes } = part;
    yield { name, sizeBytes, chunks: () => ('bytes' in from ? once(from.bytes) : readFile(from.file)) };
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* readFile(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    yield* readChunks(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

const SHARD = /^[0-9a-f]{2}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Yields `ab/cd/<sha256>`, sorted. Stored bytes are never removed. */
async function* listMedia(folder: string): AsyncGenerator<string> {
  for (const first of await namesIn(folder, SHARD)) {
    for (const second of await namesIn(path.join(folder, first), SHARD)) {
      for (const name of await namesIn(path.join(folder, first, second), SHA256)) {
        if (name.startsWith(first + second)) yield `${first}/${second}/${name}`;
      }
    }
  }
}

async function namesIn(folder: string, wanted: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  return names.filter((name) => wanted.test(name)).sort();
}
