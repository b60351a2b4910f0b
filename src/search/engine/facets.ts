// The facets that documents can be filtered by: for each facet a column of numbers, one per document, and the values
// that the numbers stand for.
import { grown } from './arrays.ts';
import { numbersOf, type SavedPart, type SavedParts, stringsOf } from './index-file.ts';

export const FACETS = ['collection', 'status', 'locale'] as const;
export type Facet = (typeof FACETS)[number];
export type Filter = Partial<Record<Facet, string>> & {
  /** Everything but this collection. */
  notCollection?: string;
  /** Only entries with one of these keys, separated by line ends: one text crosses to another thread at once. */
  keys?: string;
};

export function createFacets(parts?: SavedParts) {
  const values = FACETS.map((facet) => numbersOf(parts, `docs.${facet}`));
  /** By number; 0 is "none". */
  const valueNames = ['', ...stringsOf(parts, 'docs.values')];
  const valueNumbers = new Map(valueNames.map((name, i) => [name, i]));

  function valueNumber(name: string): number {
    let number = valueNumbers.get(name);
    if (number === undefined) {
      number = valueNames.push(name) - 1;
      valueNumbers.set(name, number);
    }
    return number;
  }

  return {
    set(doc: number, facets: Filter): void {
      for (const [i, facet] of FACETS.entries()) {
        values[i] = grown(values[i]!, doc + 1);
        values[i]![doc] = valueNumber(facets[facet] ?? '');
      }
    },
    /** Writes 0 for each of the first `size` documents that does not pass the filter. */
    clearOthers(filter: Filter, size: number, out: Uint16Array): void {
      for (const [i, facet] of FACETS.entries()) {
        const wanted = filter[facet];
        if (wanted === undefined) continue;
        // No document passes for a value that none ever had.
        const number = valueNumbers.get(wanted) ?? -1;
        const column = values[i]!;
        for (let doc = 0; doc < size; doc++) if (column[doc] !== number) out[doc] = 0;
      }
      const hidden = filter.notCollection === undefined ? undefined : valueNumbers.get(filter.notCollection);
      if (hidden === undefined) return;
      const column = values[FACETS.indexOf('collection')]!;
      for (let doc = 0; doc < size; doc++) if (column[doc] === hidden) out[doc] = 0;
    },
    /** The facets of the first `size` documents. */
    capture: (size: number): SavedPart[] => [
      { name: 'docs.values', pieces: [Buffer.from(JSON.stringify(valueNames.slice(1)))] },
      ...FACETS.map((facet, i) => ({ name: `docs.${facet}`, pieces: [values[i]!.slice(0, size)] })),
    ],
  };
}
