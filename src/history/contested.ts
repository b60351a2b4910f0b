// The files of the log's newest commit that claim an id or a slug that other files claim too, in order: the first one
// holds it. The same fold over the log that the views use (content/from-git/claim-order.ts), updated commit by commit.
// Only claims of several files are kept. When the log is cut, the contests of the removed commits are undone.
import { isIdKey, type Key, nameIn, slugKey } from '../content/from-git/claims.ts';
import type { DocumentPlace } from './log-index.ts';

/** A file that is a valid document, served or not. */
export interface Claimant {
  path: string;
  id: string;
}

export type ClaimantLists = ReadonlyMap<Key, readonly Claimant[]>;

/** Reverts a commit's change to a list: from `at` on, `count` claimants are replaced with `were`. */
interface Undo {
  position: number;
  key: Key;
  at: number;
  count: number;
  were: readonly Claimant[];
}

const NONE: readonly Claimant[] = [];

export class Contested {
  #lists = new Map<Key, readonly Claimant[]>();
  /** The files in the lists; `uses` is the number of lists that contain the file. */
  #files = new Map<string, { id: string; uses: number }>();
  /** Paths of those files. */
  #byId = new Map<string, Set<string>>();
  /** Oldest first, for every contest of the whole log, because the log may be cut anywhere. */
  #undo: Undo[] = [];
  /** Ids that are or were contested, with the number of times in the log. */
  #ids = new Map<string, number>();

  /** Two or more files, the holder of the key first; undefined if the key is not contested. */
  list(key: Key): readonly Claimant[] | undefined {
    return this.#lists.get(key);
  }

  keys(): Iterable<Key> {
    return this.#lists.keys();
  }

  /** The id of a contested file. */
  idAt(path: string): string | undefined {
    return this.#files.get(path)?.id;
  }

  /** The contested files with this id. */
  withId(id: string): readonly Claimant[] {
    return Array.from(this.#byId.get(id) ?? [], (path) => ({ path, id }));
  }

  /** Whether a change of the document, or of another one at its place, may change which file holds a key. */
  touches(id: string, place: DocumentPlace | undefined): boolean {
    if (this.#lists.size === 0) return false;
    return this.#byId.has(id) || (place !== undefined && this.#lists.has(slugKey(place)));
  }

  /** Whether several files have or had the id. */
  wasContested(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Sets lists to their state after the commit at a position; a list of fewer than two claimants is not a contest. */
  apply(position: number, lists: ClaimantLists): void {
    for (const [key, list] of lists) {
      const before = this.#lists.get(key) ?? NONE;
      const after = list.length > 1 ? list : NONE;
      const undo = toUndo(before, after);
      if (!undo) continue;
      this.#undo.push({ position, key, ...undo });
      this.#count(key, 1);
      this.#set(key, after);
    }
  }

  /** Undoes the commits from this position on. */
  truncate(position: number): void {
    for (let last = this.#undo.at(-1); last && last.position >= position; last = this.#undo.at(-1)) {
      const { key, at, count, were } = last;
      this.#set(key, (this.#lists.get(key) ?? NONE).toSpliced(at, count, ...were));
      this.#count(key, -1);
      this.#undo.pop();
    }
  }

  save(): Buffer {
    return Buffer.from(JSON.stringify({ lists: [...this.#lists], undo: this.#undo }));
  }

  static load(saved?: Buffer): Contested {
    const contested = new Contested();
    if (!saved) return contested;
    const { lists, undo } = JSON.parse(saved.toString('utf8')) as { lists: [Key, Claimant[]][]; undo: Undo[] };
    for (const [key, list] of lists) contested.#set(key, list);
    contested.#undo = undo;
    for (const { key } of undo) contested.#count(key, 1);
    return contested;
  }

  #count(key: Key, more: number): void {
    if (!isIdKey(key)) return;
    const id = nameIn(key);
    const count = (this.#ids.get(id) ?? 0) + more;
    if (count > 0) this.#ids.set(id, count);
    else this.#ids.delete(id);
  }

  #set(key: Key, list: readonly Claimant[]): void {
    for (const { path, id } of list) this.#add(path, id);
    for (const { path } of this.#lists.get(key) ?? NONE) this.#release(path);
    if (list.length) this.#lists.set(key, list);
    else this.#lists.delete(key);
  }

  #add(path: string, id: string): void {
    const file = this.#files.get(path);
    if (file && file.id !== id) this.#forgetId(path, file.id);
    this.#files.set(path, { id, uses: (file?.uses ?? 0) + 1 });
    const paths = this.#byId.get(id);
    if (paths) paths.add(path);
    else this.#byId.set(id, new Set([path]));
  }

  #release(path: string): void {
    const file = this.#files.get(path)!;
    if (--file.uses > 0) return;
    this.#files.delete(path);
    this.#forgetId(path, file.id);
  }

  #forgetId(path: string, id: string): void {
    const paths = this.#byId.get(id);
    paths?.delete(path);
    if (paths?.size === 0) this.#byId.delete(id);
  }
}

/** Undefined if the lists are equal. When one file of a long list comes or goes, only that file is kept. */
function toUndo(before: readonly Claimant[], after: readonly Claimant[]): Omit<Undo, 'position' | 'key'> | undefined {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && isSame(before[at]!, after[at]!)) at++;
  if (at === before.length && at === after.length) return undefined;
  let tail = 0;
  while (tail < shorter - at && isSame(before[before.length - 1 - tail]!, after[after.length - 1 - tail]!)) tail++;
  return { at, count: after.length - tail - at, were: before.slice(at, before.length - tail) };
}

function isSame(one: Claimant, other: Claimant): boolean {
  return one.path === other.path && one.id === other.id;
}
