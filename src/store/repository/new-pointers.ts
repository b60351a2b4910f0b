// The large files that commits bring: the Git LFS pointers in each commit that its first parent lacks.
import { hash } from 'node:crypto';
import { type LfsPointer, POINTER_BYTES, parsePointer, toPointerFile } from '../../lib/lfs-pointer.ts';
import { KeyTable } from '../../lib/memory/key-table.ts';
import type { Breathe } from '../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';
import { diffTreesInSteps } from './tree-walk.ts';

export interface NewPointer extends LfsPointer {
  /** One of the files that have these bytes. */
  path: string;
}

/** Which folders and files are looked at, by path. */
export type LooksAt = (path: string) => boolean;

export const ONLY_MEDIA: LooksAt = (path) => path === 'media' || path.startsWith('media/');
/** All but the documents, whose folders are too wide to compare in each commit of a long history. */
const NO_DOCUMENTS: LooksAt = (path) => path !== 'content' && !path.startsWith('content/');
/** A pusher may keep large files anywhere: `.gitattributes` says where. */
export const EVERYWHERE: LooksAt = () => true;

const SHA256_BYTES = 32;
const OID_BYTES = 20;

/** Yields each hash once, and undefined when the caller may pause. Files that are no pointers are left out. */
export function* listNewPointers(
  odb: Odb,
  commits: Iterable<Oid>,
  looksAt: LooksAt,
): Generator<NewPointer | undefined> {
  // A site may have hundreds of thousands.
  const seen = new KeyTable(SHA256_BYTES);
  const blobs = new KeyTable(OID_BYTES);
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;
  for (const commit of commits) {
    const { tree, parents } = parseCommit(odb.get(commit, 'commit'));
    const before = parents[0] === undefined ? null : treeOf(parents[0]);
    for (const found of diffTreesInSteps(odb, before, tree, '', looksAt)) {
      yield undefined;
      if (!found?.after || !looksAt(found.path) || !isNew(blobs, found.after)) continue;
      const measured = odb.measure(found.after);
      if (measured?.type !== 'blob' || measured.largestBytes > POINTER_BYTES) continue;
      const pointer = parsePointer(odb.get(found.after, 'blob', POINTER_BYTES));
      if (!pointer || !isNew(seen, pointer.sha256)) continue;
      yield { ...pointer, path: found.path };
    }
  }
}

/** Adds the key. */
function isNew(keys: KeyTable, hex: string): boolean {
  const before = keys.size;
  keys.add(Buffer.from(hex, 'hex'));
  return keys.size > before;
}

export interface NamedBytesParts {
  odb: Odb;
  tips: Iterable<Oid>;
  breathe: Breathe;
  /** Undefined if the bytes are not here. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Checked between commits. */
  signal?: AbortSignal;
}

/**
 * Returns those of the hashes that a commit of the tips and their history names, tags (backups) included, wherever the
 * file is. Reads until all are found. @throws if an object is missing or damaged: then nobody knows
 */
export async function findNamedBytes(hashes: ReadonlySet<string>, parts: NamedBytesParts): Promise<Set<string>> {
  const found = await findIn(hashes, NO_DOCUMENTS, parts);
  const rest = new Set<string>();
  // Without its pointer in the repository nothing names it, so that the wide folders are read for few, if for any.
  for (const sha256 of hashes) if (!found.has(sha256) && (await hasPointer(sha256, parts))) rest.add(sha256);
  return rest.size === 0 ? found : new Set([...found, ...(await findIn(rest, EVERYWHERE, parts))]);
}

/** Whether the repository has the file that git-lfs writes for these bytes, reachable or not. */
async function hasPointer(sha256: string, { odb, sizeOf }: NamedBytesParts): Promise<boolean> {
  const sizeBytes = await sizeOf(sha256);
  if (sizeBytes === undefined) return false;
  const file = toPointerFile({ sha256, sizeBytes });
  return odb.measure(hash('sha1', Buffer.concat([Buffer.from(`blob ${file.length}\0`), file]))) !== undefined;
}

async function findIn(
  hashes: ReadonlySet<string>,
  looksAt: LooksAt,
  { odb, tips, breathe, signal }: NamedBytesParts,
): Promise<Set<string>> {
  const found = new Set<string>();
  const commits = new Set<Oid>();
  for (const tip of tips) {
    const commit = toCommit(odb, tip);
    if (commit !== undefined) commits.add(commit);
  }
  for (const oid of commits) {
    signal?.throwIfAborted();
    for (const pointer of listNewPointers(odb, [oid], looksAt)) {
      if (pointer && hashes.has(pointer.sha256)) found.add(pointer.sha256);
      await breathe();
    }
    if (found.size === hashes.size) break;
    for (const parent of parseCommit(odb.get(oid, 'commit')).parents) commits.add(parent);
    await breathe();
  }
  return found;
}

/** The commit of an annotated tag; undefined for a tree or a file. */
function toCommit(odb: Odb, tip: Oid): Oid | undefined {
  for (let oid: Oid | undefined = tip; oid !== undefined; ) {
    const type = odb.measure(oid)?.type;
    if (type === undefined) throw new Error(`object ${oid} of a ref is missing`);
    if (type !== 'tag') return type === 'commit' ? oid : undefined;
    oid = /^object ([0-9a-f]{40})\n/.exec(odb.get(oid, 'tag').toString('latin1'))?.[1];
  }
  return undefined;
}
