// A batch as it is sent to the packer's thread: one JSON text and one buffer, which is transferred and not copied.
import type { FlatBatch } from '../repository/disk-work.ts';
import type { PackBatch } from './packer.ts';

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
  const nextBytes = (length: number): Buffer => bytes.subarray(at, (at += length));
  const shape = JSON.parse(flat.shape) as Shape;
  return {
    bases: shape.bases.map(([path, length]) => ({ path, content: nextBytes(length) })),
    commits: shape.commits.map(([oid, body, blobs, trees]) => ({
      oid,
      body: nextBytes(body),
      blobs: blobs.map(([blob, length]) => ({ oid: blob, body: nextBytes(length) })),
      trees: trees.map(([path, tree, edits]) => ({
        path,
        oid: tree,
        edits: edits.map(([offset, removed, inserted]) => ({
          at: offset,
          removed: nextBytes(removed),
          inserted: nextBytes(inserted),
        })),
      })),
    })),
  };
}
