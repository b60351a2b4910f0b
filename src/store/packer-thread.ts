// Runs the packer in a thread of its own: deflate and the packs' checksums then cost the writers nothing. The thread
// starts with the first batch, and anew after it died. A batch crosses as one JSON text and one transferred buffer.
import { Worker } from 'node:worker_threads';
import type { Disk } from './disk.ts';
import { createPacker, type PackBatch, type PackResult } from './packer.ts';

export interface AsyncPacker {
  /** One batch at a time. */
  pack(batch: PackBatch): Promise<PackResult>;
  /** The next batch brings all its bases. */
  reset(): void;
  /** The pack that the next batch may extend. */
  openPack(): string | undefined;
  /** The next batch begins a new pack. */
  seal(): void;
  close(): Promise<void>;
}

/** The thread ended in the middle of a batch, which changed nothing that is in use: another one may try again. */
export const PACKER_DIED = 'ERR_PACKER_DIED';

export interface FlatBatch {
  shape: string;
  bytes: Uint8Array;
}

export type PackerMessage = { kind: 'pack'; batch: FlatBatch } | { kind: 'reset' } | { kind: 'seal' };
export type PackerReply = { result: PackResult } | { error: { message: string; code?: string | undefined } };

/** In the same thread: for tests that watch every disk operation. */
export function createInlinePacker(disk: Disk, folder: string): AsyncPacker {
  const packer = createPacker(disk, folder);
  let open: string | undefined;
  return {
    pack: async (batch) => {
      const result = packer.pack(batch);
      open = result.name;
      return result;
    },
    reset() {
      open = undefined;
      packer.reset();
    },
    openPack: () => open,
    seal() {
      open = undefined;
      packer.seal();
    },
    close: async () => undefined,
  };
}

export function createThreadPacker(
  folder: string,
  script: URL = new URL('./packer-worker.ts', import.meta.url),
): AsyncPacker {
  /** The thread died between two batches, and what it knew of the directories with it. */
  let hasForgotten = false;
  let open: string | undefined;
  let worker: Worker | undefined;
  let waiting: { resolve(result: PackResult): void; reject(error: unknown): void } | undefined;

  function start(): Worker {
    const started = new Worker(script, { workerData: { folder } });
    let cause: unknown;
    started.on('message', (reply: PackerReply) => {
      const asked = waiting;
      waiting = undefined;
      started.unref(); // only a batch under way keeps the process up
      if ('result' in reply) {
        open = reply.result.name;
        asked?.resolve(reply.result);
      } else asked?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
    });
    started.on('error', (error) => (cause = error));
    started.on('exit', () => {
      if (worker === started) worker = open = undefined;
      const asked = waiting;
      waiting = undefined;
      hasForgotten = !asked;
      asked?.reject(died(cause));
    });
    started.unref();
    return started;
  }

  return {
    async pack(batch) {
      if (hasForgotten) {
        hasForgotten = false;
        throw died();
      }
      worker ??= start();
      const flat = flattenBatch(batch);
      const target = worker;
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        target.ref();
        target.postMessage({ kind: 'pack', batch: flat } satisfies PackerMessage, [flat.bytes.buffer as ArrayBuffer]);
      });
    },
    reset() {
      hasForgotten = false;
      open = undefined;
      worker?.postMessage({ kind: 'reset' } satisfies PackerMessage);
    },
    openPack: () => open,
    seal() {
      open = undefined;
      worker?.postMessage({ kind: 'seal' } satisfies PackerMessage);
    },
    async close() {
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function died(cause?: unknown): Error {
  return Object.assign(new Error('packer thread died', { cause }), { code: PACKER_DIED });
}

export function flattenBatch(batch: PackBatch): FlatBatch {
  const buffers: Buffer[] = [];
  const keep = (bytes: Buffer): number => {
    buffers.push(bytes);
    return bytes.length;
  };
  const shape = {
    bases: batch.bases.map(({ path, content }) => [path, keep(content)]),
    commits: batch.commits.map(({ oid, body, blobs, trees }) => [
      oid,
      keep(body),
      blobs.map((blob) => [blob.oid, keep(blob.body)]),
      trees.map((tree) => [
        tree.path,
        tree.oid,
        tree.edits.map((edit) => [edit.at, keep(edit.removed), keep(edit.inserted)]),
      ]),
    ]),
  };
  const bytes = Buffer.allocUnsafeSlow(buffers.reduce((sum, buffer) => sum + buffer.length, 0));
  let at = 0;
  for (const buffer of buffers) at += buffer.copy(bytes, at);
  return { shape: JSON.stringify(shape), bytes };
}

type Shape = {
  bases: [string, number][];
  commits: [string, number, [string, number][], [string, string, [number, number, number][]][]][];
};

export function unflattenBatch(flat: FlatBatch): PackBatch {
  const bytes = Buffer.from(flat.bytes.buffer as ArrayBuffer, flat.bytes.byteOffset, flat.bytes.byteLength);
  let at = 0;
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  const shape = JSON.parse(flat.shape) as Shape;
  return {
    bases: shape.bases.map(([path, length]) => ({ path, content: take(length) })),
    commits: shape.commits.map(([oid, body, blobs, trees]) => ({
      oid,
      body: take(body),
      blobs: blobs.map(([blob, length]) => ({ oid: blob, body: take(length) })),
      trees: trees.map(([path, tree, edits]) => ({
        path,
        oid: tree,
        edits: edits.map(([offset, removed, inserted]) => ({
          at: offset,
          removed: take(removed),
          inserted: take(inserted),
        })),
      })),
    })),
  };
}
