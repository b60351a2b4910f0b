// Lists that are each read page by page, the newest first, as one list by time.

export interface TimedItem {
  key: string;
  /** ISO 8601. */
  at: string;
}

export interface SourcePage<T> {
  items: readonly T[];
  isLast: boolean;
}

/** Reads the next older page at each call. */
export type ReadPage<T> = () => Promise<SourcePage<T>>;

export interface MergedList<T> {
  /** The next items; fewer than `count` only if there are no more, or none were found in many pages. */
  next(count: number): Promise<SourcePage<T>>;
}

/** Pages that one call reads: filters may fit nothing in many. */
const MOST_PAGES = 40;

export function mergeSources<T extends TimedItem>(reads: readonly ReadPage<T>[]): MergedList<T> {
  const sources = reads.map((read) => ({ read, waiting: [] as T[], isLast: false }));
  const seen = new Set<string>();

  return {
    async next(count) {
      const items: T[] = [];
      let pages = 0;
      while (items.length < count) {
        // The newest one is known only when each source has shown its next.
        for (const source of sources) {
          while (source.waiting.length === 0 && !source.isLast) {
            if (pages++ >= MOST_PAGES) return { items, isLast: false };
            const page = await source.read();
            // While one reads, newer entries move what is counted from the top.
            source.waiting.push(...page.items.filter(({ key }) => !seen.has(key)));
            source.isLast = page.isLast;
          }
        }
        const first = sources
          .filter(({ waiting }) => waiting.length > 0)
          .reduce<(typeof sources)[number] | undefined>(
            (best, one) => (best === undefined || one.waiting[0]!.at > best.waiting[0]!.at ? one : best),
            undefined,
          );
        if (!first) return { items, isLast: true };
        const item = first.waiting.shift()!;
        if (seen.has(item.key)) continue;
        seen.add(item.key);
        items.push(item);
      }
      return { items, isLast: sources.every(({ waiting, isLast }) => isLast && waiting.length === 0) };
    },
  };
}
