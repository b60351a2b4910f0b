// The tree of a notes ref as git lays it out (git-notes(1)): a note's path is the id of its commit, in folders of two
// hex digits each once there are many. Folders are split one by one as they fill, so that a note costs a few small trees
// however many there are; git reads any mixture.
import type { Breathe } from '../lib/slices.ts';
import { type Oid, oidOf } from './objects.ts';
import { encodeTreeEntry, FILE_MODE, TREE_MODE } from './tree.ts';
import { readEntries } from './tree-check.ts';
import { mergeTree } from './tree-merge.ts';
import type { PackableObject } from './write-pack.ts';

export interface NotesTreeParts {
  readTree(oid: Oid): Buffer;
  breathe: Breathe;
}

/** A folder with more notes gets folders of its own. */
const MAX_NOTES = 256;
const OID_DIGITS = 40;
const HEX = /^[0-9a-f]+$/;
const NOTHING = Buffer.alloc(0);

/** Every note of a tree; what else is in it is left out. */
export function* listNotes(tree: Oid, { readTree }: Pick<NotesTreeParts, 'readTree'>): Generator<[Oid, Oid]> {
  yield* list(tree, '');

  function* list(folder: Oid, prefix: string): Generator<[Oid, Oid]> {
    for (const { name, mode, oid } of readEntries(readTree(folder))) {
      if (!HEX.test(name)) continue;
      if (mode !== TREE_MODE && prefix.length + name.length === OID_DIGITS) yield [prefix + name, oid];
      else if (mode === TREE_MODE && name.length === 2 && prefix.length < OID_DIGITS - 2)
        yield* list(oid, prefix + name);
    }
  }
}

/** The tree with these notes (commit to blob) added or replaced, and the trees that are new in it. */
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
    const entries = [...readEntries(content)];
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
