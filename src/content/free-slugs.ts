// Finds the slug that a generated one becomes where it is taken: `-2`, `-3` and so on. Remembers how far it got, so
// that the ten-thousandth document of one title is not ten thousand looks.
import { createBoundedMap } from '../lib/memory/bounded-map.ts';
import { SLUG_MAX_BYTES } from '../lib/text/slug.ts';

export interface FreeSlugs {
  /** The base itself, else the first of its numbered ones that is free. */
  find(collection: string, base: string): string;
  /** A slug is free again. */
  freed(collection: string, slug: string): void;
}

/** Titles that come again and again are few. */
const MAX_KNOWN = 1000;
const NUMBERED = /^(.+)-[0-9]+$/;

export function createFreeSlugs(isTaken: (doc: { collection: string; slug: string }) => boolean): FreeSlugs {
  /** By collection and base: every number below is taken. */
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
