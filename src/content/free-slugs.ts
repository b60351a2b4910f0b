// Finds a free slug if a generated one is taken: `-2`, `-3` and so on. Remembers how far it got, so that the
// ten-thousandth document with one title does not cost ten thousand lookups.
import { createBoundedMap } from '../lib/memory/bounded-map.ts';
import { SLUG_MAX_BYTES } from '../lib/text/slug.ts';

export interface FreeSlugs {
  /** The base itself, else its first numbered variant that is free. */
  find(collection: string, base: string): string;
  /** Notes that a slug is free again. */
  freed(collection: string, slug: string): void;
}

/** Enough, because few titles come again and again. */
const MAX_KNOWN = 1000;
const NUMBERED = /^(.+)-[0-9]+$/;

export function createFreeSlugs(isTaken: (doc: { collection: string; slug: string }) => boolean): FreeSlugs {
  /** By collection and base: every number below this one is taken. */
  const known = createBoundedMap<string, number>(MAX_KNOWN);

  return {
    find(collection, base) {
      if (!isTaken({ collection, slug: base })) return base;
      const key = `${collection}/${base}`;
      for (let n = known.get(key) ?? 2; ; n++) {
        const slug = numbered(base, n);
        if (isTaken({ collection, slug })) continue;
        known.set(key, n);
        return slug;
      }
    },
    freed(collection, slug) {
      if (known.size === 0) return;
      const base = NUMBERED.exec(slug)?.[1];
      if (base !== undefined) known.delete(`${collection}/${base}`);
    },
  };
}

export function numbered(base: string, n: number): string {
  const suffix = `-${n}`;
  return base.slice(0, SLUG_MAX_BYTES - suffix.length).replace(/[-.]+$/, '') + suffix;
}
