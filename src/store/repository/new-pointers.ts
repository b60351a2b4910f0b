// The media that commits bring: the Git LFS pointers below `media/` in each commit that its first parent lacks.
import { type LfsPointer, POINTER_BYTES, parsePointer } from '../../lib/lfs-pointer.ts';
import { KeyTable } from '../../lib/memory/key-table.ts';
import type { Breathe } from '../../lib/queues/slices.ts';
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from './odb.ts';
import { diffTreesInSteps } from './tree-walk.ts';

export interface NewPointer extends LfsPointer {
  /** One of the files that have these bytes. */
  path: string;
}

const MEDIA = 'media';
const SHA256_BYTES = 32;
const OID_BYTES = 20;

/** Yields each hash once, and undefined when the caller may pause. Files that are no pointers are left out. */
export function* listNewPointers(odb: Odb, commits: Iterable<Oid>): Generator<NewPointer | undefined> {
  // A site may have hundreds of thousands.
  const seen = new KeyTable(SHA256_BYTES);
  const blobs = new KeyTable(OID_BYTES);
  const isMedia = (path: string): boolean => path === MEDIA || path.startsWith(`${MEDIA}/`);
  const treeOf = (commit: Oid): Oid => parseCommit(odb.get(commit, 'commit')).tree;
  for (const commit of commits) {
    const { tree, parents } = parseCommit(odb.get(commit, 'commit'));
    const before = parents[0] === undefined ? null : treeOf(parents[0]);
    for (const found of diffTreesInSteps(odb, before, tree, '', isMedia)) {
      yield undefined;
      if (!found?.after || !isMedia(found.path) || !isNew(blobs, found.after)) continue;
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
  /** Checked between commits. */
  signal?: AbortSignal;
}

/**
 * Returns those of the hashes that a commit of the tips and their history names, tags (backups) included. Reads until all
 * are found. @throws if an object is missing or damaged: then nobody knows
 */
export async function findNamedBytes(
  hashes: ReadonlySet<string>,
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
    for (const pointer of listNewPointers(odb, [oid])) {
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
