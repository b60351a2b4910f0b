// The facts that pages were made from, by number: most pages share some, and a site has more than a hundred thousand.
// They are kept in groups by what they are about, and a group is read when a fact of it is asked for: an edit of a text
// concerns a few of the groups.
import { crc32 } from 'node:zlib';
import { fromJson, toJson } from './chunks.ts';

/** Names and values, at the same places. */
type Group = [names: string[], values: string[]];

export interface FactTable {
  /** Adds the fact if it is new. */
  numberOf(name: string): number;
  /** The value of a fact that was added is empty until it is set. */
  get(number: number): { name: string; value: string };
  set(number: number, value: string): void;
  /** Facts about the subjects, and those about the site; all of them if undefined. Others may be among them. */
  list(subjects: Iterable<string> | undefined): number[];
  /** Numbers of the facts that were added since `takeNew` was called last. */
  takeNew(): number[];
  /**
   * Each group as JSON, without the facts that no page has any more; undefined for one that is as it was saved.
   * `renumber` is undefined if all facts were kept.
   */
  toGroups(pages: readonly { facts: ArrayLike<number> }[]): {
    groups: (Buffer | undefined)[];
    renumber: ((fact: number) => number) | undefined;
  };
}

/** The first one has the facts about the site. */
const GROUPS = 257;
/** Facts about the site, of which a build looks at each. */
const OF_SITE = new Set(['media', 'themes']);
/** Facts without a page, one in so many, do not matter. */
const FEW = 4;

/** `readSaved` reads a group of `toGroups`. */
export function createFactTable(readSaved?: (group: number) => Buffer): FactTable {
  const groups: (Group | undefined)[] = new Array(GROUPS).fill(undefined);
  const changed = new Set<number>();
  const numbers = new Map<string, number>();
  let added: number[] = [];

  function open(at: number): Group {
    const known = groups[at];
    if (known) return known;
    const group: Group = readSaved ? (fromJson(readSaved(at)) as Group) : [[], []];
    for (const [place, name] of group[0].entries()) numbers.set(name, place * GROUPS + at);
    groups[at] = group;
    return group;
  }

  /** Undefined if a fact may be without a page: to know that, all have to be read. */
  function findUnused(pages: readonly { facts: ArrayLike<number> }[]): Group[] | undefined {
    if (!groups.every((group) => group)) return undefined;
    const all = groups as Group[];
    const used = new Set<number>();
    for (const { facts } of pages) for (let at = 0; at < facts.length; at++) used.add(facts[at]!);
    const total = all.reduce((sum, [names]) => sum + names.length, 0);
    if (total - used.size <= total / FEW) return undefined;
    const pick = (list: string[], at: number): string[] => list.filter((_, place) => used.has(place * GROUPS + at));
    return all.map(([names, values], at): Group => [pick(names, at), pick(values, at)]);
  }

  return {
    numberOf(name) {
      const at = groupOf(name);
      const [names, values] = open(at);
      const known = numbers.get(name);
      if (known !== undefined) return known;
      const number = names.length * GROUPS + at;
      names.push(name);
      values.push('');
      numbers.set(name, number);
      added.push(number);
      changed.add(at);
      return number;
    },
    get(number) {
      const [names, values] = open(number % GROUPS);
      const place = Math.floor(number / GROUPS);
      return { name: names[place]!, value: values[place]! };
    },
    set(number, value) {
      const at = number % GROUPS;
      open(at)[1][Math.floor(number / GROUPS)] = value;
      changed.add(at);
    },
    list(subjects) {
      const asked = subjects ? new Set([0, ...[...subjects].map(groupOfSubject)]) : groups.keys();
      return [...asked].flatMap((at) => open(at)[0].map((_, place) => place * GROUPS + at));
    },
    takeNew() {
      const taken = added;
      added = [];
      return taken;
    },
    toGroups(pages) {
      const kept = findUnused(pages);
      if (!kept) {
        const isSaved = (at: number): boolean => readSaved !== undefined && !changed.has(at);
        return {
          groups: groups.map((group, at) => (isSaved(at) ? undefined : toJson(group ?? [[], []]))),
          renumber: undefined,
        };
      }
      const next = new Map<number, number>();
      for (const [at, [names]] of kept.entries()) {
        for (const [place, name] of names.entries()) next.set(numbers.get(name)!, place * GROUPS + at);
      }
      return { groups: kept.map(toJson), renumber: (fact) => next.get(fact)! };
    },
  };
}

function groupOf(name: string): number {
  const space = name.indexOf(' ');
  if (OF_SITE.has(name.slice(0, space))) return 0;
  const end = name.indexOf(' ', space + 1);
  return groupOfSubject(name.slice(space + 1, end < 0 ? undefined : end));
}

function groupOfSubject(subject: string): number {
  return 1 + (crc32(subject) % (GROUPS - 1));
}
