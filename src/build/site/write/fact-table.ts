// The facts that pages were made from, by number: most pages share some, and a site has more than a hundred thousand.

export interface FactTable {
  /** Names and values by number. A fact that was added has an empty value until it is set. */
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Adds the fact if it is new. */
  numberOf(name: string): number;
  set(number: number, value: string): void;
  /** Names and values without the facts that no page has any more; `renumber` is undefined if all were kept. */
  compacted(
    pages: readonly { facts: ArrayLike<number> }[],
  ): Pick<FactTable, 'names' | 'values'> & { renumber: ((facts: ArrayLike<number>) => number[]) | undefined };
}

/** Facts without a page, one in so many, do not matter. */
const FEW = 4;

export function createFactTable(names: string[] = [], values: string[] = []): FactTable {
  let numbers: Map<string, number> | undefined;

  const table: FactTable = {
    names,
    values,
    numberOf(name) {
      numbers ??= new Map(names.map((known, number) => [known, number]));
      const known = numbers.get(name);
      if (known !== undefined) return known;
      names.push(name);
      values.push('');
      numbers.set(name, names.length - 1);
      return names.length - 1;
    },
    set: (number, value) => void (values[number] = value),
    compacted(pages) {
      const used = new Uint8Array(names.length);
      let count = 0;
      for (const { facts } of pages) {
        for (let at = 0; at < facts.length; at++) {
          if (used[facts[at]!] === 0) count++;
          used[facts[at]!] = 1;
        }
      }
      if (names.length - count <= names.length / FEW) return { names, values, renumber: undefined };
      const next = new Int32Array(names.length);
      const kept = names.flatMap((_, number) => (used[number] === 1 ? number : []));
      for (const [at, number] of kept.entries()) next[number] = at;
      return {
        names: kept.map((number) => names[number]!),
        values: kept.map((number) => values[number]!),
        renumber: (facts) => Array.from(facts, (number) => next[number]!),
      };
    },
  };
  return table;
}
