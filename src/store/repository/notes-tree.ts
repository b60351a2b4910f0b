// The tree of a notes ref in git's layout (git-notes(1)): a note's path is the id of its commit, split into folders of
// two hex digits each once there are many notes. Folders are split one by one as they fill, so that a note costs a few
// small trees however many there are; git reads any mixture.
import type { Breathe } from '../../lib/queues/slices.ts';
import { type Oid, oidOf } from '../git/objects.ts';
import { encodeTreeEntry, FILE_MODE, TREE_MODE } from '../git/tree.ts';
import { readTreeEntries } from '../git/tree-check.ts';
import { mergeTree } from '../git/tree-merge.ts';
import type { PackableObject } from './write-pack.ts';

export interface NotesTreeParts {
  readTree(oid: Oid): Buffer;
  breathe: Breathe;
}

/** A folder with more notes than this is split. */
const MAX_NOTES = 256;
const OID_DIGITS = 40;
const HEX = /^[0-9a-f]+$/;
/** `4`: only folders' modes begin with it. */
const FOLDER_START = 52;
const NOTHING = Buffer.alloc(0);

/**
 * Calls `visit` with the commit (20 bytes, overwritten before the next call) and the blob of every note in a tree;
 * other entries are skipped. Works on bytes, because a start visits all notes of the repository.
 */
export function visitNotes(
  tree: Oid,
  { readTree }: Pick<NotesTreeParts, 'readTree'>,
  visit: (commit: Buffer, blob: Oid) => void,
): void {
  const commit = Buffer.alloc(OID_DIGITS / 2);
  walk(tree, 0);

  /** `depth`: number of bytes of the commit that the folders above spell. */
  function walk(folder: Oid, depth: number): void {
    const content = readTree(folder);
    for (let at = 0; at < content.length; ) {
      const space = content.indexOf(32, at);
      const zero = content.indexOf(0, space);
      const isFolder = content[at] === FOLDER_START;
      const bytes = isFolder ? 1 : commit.length - depth;
      const isWanted = zero - space - 1 === 2 * bytes && depth + bytes <= commit.length - (isFolder ? 1 : 0);
      // Stops at the first character that is not a hex digit.
      const written = isWanted ? commit.write(content.toString('latin1', space + 1, zero), depth, 'hex') : 0;
      if (written === bytes && bytes > 0) {
        const oid = content.toString('hex', zero + 1, zero + 21);
        if (isFolder) walk(oid, depth + 1);
        else visit(commit, oid);
      }
      at = zero + 21;
    }
  }
}

/** Adds or replaces these notes (commit to blob); returns the root tree and all new trees. */
export async function putNotes(
  { readTree, breathe }: NotesTreeParts,
  before: Oid | null,
  notes: ReadonlyMap<Oid, Oid>,
): Promise<{ root: Oid; trees: PackableObject[] }> {
  const trees: PackableObject[] = [];
  return { root: await put(before, notes, true), trees };

  async function put(tree: Oid | null, added: ReadonlyMap<string, Oid>, isRoot: boolean): Promise<Oid> {
    await breathe();
    const content = tree ? readTree(tree) : NOTHING;
    const entries = [...readTreeEntries(content)];
    const folders = new Map(entries.flatMap(({ name, mode, oid }) => (mode === TREE_MODE ? [[name, oid]] : [])));
    const isLeaf = !isRoot && folders.size === 0 && entries.length + added.size <= MAX_NOTES;
    const changes = new Map<string, Buffer | null>();
    if (isLeaf) for (const [name, blob] of added) changes.set(name, encodeTreeEntry(name, FILE_MODE, blob));
    else {
      const [digits = 0] = [...added.keys()].map((name) => name.length);
      const moved = entries.filter(({ name, mode }) => mode !== TREE_MODE && name.length === digits && HEX.test(name));
      for (const { name } of moved) changes.set(name, null);
      const all = new Map([...moved.map(({ name, oid }): [string, Oid] => [name, oid]), ...added]);
      for (const [folder, below] of byFolder(all)) {
        const oid = await put(folders.get(folder) ?? null, below, false);
        changes.set(`${folder}/`, encodeTreeEntry(folder, TREE_MODE, oid));
      }
    }
    return write(content, changes);
  }

  function write(content: Buffer, changes: ReadonlyMap<string, Buffer | null>): Oid {
    const edit = mergeTree(content, changes);
    const body = edit
      ? Buffer.concat([content.subarray(0, edit.at), edit.inserted, content.subarray(edit.at + edit.removed.length)])
      : content;
    const oid = oidOf('tree', body);
    if (edit) trees.push({ oid, type: 'tree', body });
    return oid;
  }
}

function byFolder(notes: ReadonlyMap<string, Oid>): Map<string, Map<string, Oid>> {
  const folders = new Map<string, Map<string, Oid>>();
  for (const [name, blob] of notes) {
    const folder = name.slice(0, 2);
    const known = folders.get(folder) ?? new Map<string, Oid>();
    folders.set(folder, known.set(name.slice(2), blob));
  }
  return folders;
}
