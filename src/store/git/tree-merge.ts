// Merges many changes into a tree's bytes in one pass. Returns a single edit, from the first changed byte to the last.
import type { TreeEdit } from './tree-edit.ts';

const DIRECTORY_MODE_START = 0x34; // `4`: only directories' modes start with it

/** `changes`: sort key (see `toKey`) to the entry's bytes, or to null to remove it. Undefined if nothing changes. */
export function mergeTree(content: Buffer, changes: ReadonlyMap<string, Buffer | null>): TreeEdit | undefined {
  const keys = [...changes.keys()].sort();
  const out: Buffer[] = [];
  let next = 0;
  let start = -1;
  let keptFrom = 0;
  let end = 0;

  /** Copies the old bytes up to `at`, then puts `entry` in place of the old bytes up to `until`. */
  function replace(at: number, until: number, entry: Buffer | null): void {
    if (start < 0) start = keptFrom = at;
    if (at > keptFrom) out.push(content.subarray(keptFrom, at));
    if (entry) out.push(entry);
    keptFrom = end = until;
  }

  for (let at = 0; at < content.length && next < keys.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    const name = content.toString('latin1', space + 1, zero);
    const key = content[at] === DIRECTORY_MODE_START ? `${name}/` : name;
    const until = zero + 21;
    for (; next < keys.length && keys[next]! < key; next++) {
      const added = changes.get(keys[next]!);
      if (added) replace(at, at, added);
    }
    if (keys[next] === key) {
      const changed = changes.get(key)!;
      next++;
      if (!changed || content.compare(changed, 0, changed.length, at, until) !== 0) replace(at, until, changed);
    }
    at = until;
  }
  for (; next < keys.length; next++) {
    const added = changes.get(keys[next]!);
    if (added) replace(content.length, content.length, added);
  }
  if (start < 0) return undefined;
  return { at: start, removed: Buffer.from(content.subarray(start, end)), inserted: Buffer.concat(out) };
}
