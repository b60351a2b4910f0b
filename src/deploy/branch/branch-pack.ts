// The pack of a push, spooled to a file without its commit: when another push was faster, only the commit changes. Files
// are read in pieces, so that memory does not depend on their number or size.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { deflate, encodePackEntry, REF_DELTA, TYPE_NUMBER } from '../../store/git/pack-entry.ts';
import { treeDelta } from '../../store/remote/pack-out.ts';
import type { PublishedFile } from '../providers/provider.ts';
import type { FolderTree } from './site-trees.ts';

export interface BranchPackParts {
  /** Path of the spool; a file there is replaced. */
  spool: string;
  /** One file for each blob that the host does not have. */
  blobs: readonly { file: PublishedFile; oid: Oid }[];
  /** New trees; `before` is what the host has in the place of the folder, to which the tree is sent as a difference. */
  trees: readonly { tree: FolderTree; before: FolderTree | undefined }[];
  signal: AbortSignal;
  progress(sentFiles: number): void;
}

export interface BranchPack {
  sizeBytes: number;
  /** The whole pack with this commit in it, read from the spool as it is sent. */
  withCommit(commit: Buffer): Promise<Blob>;
}

/** Larger files are deflated as they are read. */
const LARGE_BYTES = 256 << 10;

/** @throws Error if a file does not have the bytes any more that the build gave it */
export async function spoolPack({ spool, blobs, trees, signal, progress }: BranchPackParts): Promise<BranchPack> {
  const out = await open(spool, 'w', 0o600);
  const sum = createHash('sha1');
  const breathe = createBreathe();
  let sizeBytes = 0;
  const put = async (bytes: Buffer): Promise<void> => {
    sum.update(bytes);
    sizeBytes += bytes.length;
    await out.write(bytes);
  };
  try {
    const header = Buffer.alloc(12);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(blobs.length + trees.length + 1, 8);
    await put(header);
    for (const [at, { file, oid }] of blobs.entries()) {
      signal.throwIfAborted();
      await putBlob(file, oid, put, signal);
      progress(at + 1);
    }
    for (const { tree, before } of trees) {
      await put(encodeTree(tree, before));
      await breathe();
    }
  } finally {
    await out.close();
  }
  return { sizeBytes, withCommit: (commit) => assemble(spool, sum, commit) };
}

async function assemble(spool: string, sum: Hash, commit: Buffer): Promise<Blob> {
  const entry = encodePackEntry(TYPE_NUMBER.commit, commit, deflate(commit));
  const checksum = sum.copy().update(entry).digest();
  return new Blob([await openAsBlob(spool), new Uint8Array(entry), new Uint8Array(checksum)]);
}

async function putBlob(
  { file, path, sizeBytes }: PublishedFile,
  oid: Oid,
  put: (bytes: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const id = createHash('sha1').update(`blob ${sizeBytes}\0`);
  const readFile = createReadStream(file, { signal, highWaterMark: LARGE_BYTES });
  if (sizeBytes > LARGE_BYTES) {
    await put(encodePackEntry(TYPE_NUMBER.blob, { length: sizeBytes }, Buffer.alloc(0)));
    await pipeline(
      readFile,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          id.update(chunk);
          yield chunk;
        }
      },
      createDeflate({ level: 1 }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await put(chunk);
      },
    );
  } else {
    const chunks: Buffer[] = [];
    for await (const chunk of readFile as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    id.update(body);
    await put(encodePackEntry(TYPE_NUMBER.blob, body, deflate(body)));
  }
  if (id.digest('hex') !== oid) throw new Error(`file "${path}" changed while it was read`);
}

/** As a difference to what the host has, if that is much shorter: a folder of 10,000 pages is a tree of 400 KB. */
function encodeTree(tree: FolderTree, before: FolderTree | undefined): Buffer {
  const delta = before && treeDelta(before.body, tree.body);
  if (!delta) return encodePackEntry(TYPE_NUMBER.tree, tree.body, deflate(tree.body));
  return encodePackEntry(REF_DELTA, delta, Buffer.concat([Buffer.from(before.oid, 'hex'), deflate(delta)]));
}
