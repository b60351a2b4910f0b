// What a file's path says: its collection, its locale and its slug. Pure; does not read the file.
import { hash } from 'node:crypto';
import { toSlug } from '../lib/text/slug.ts';

export interface PlaceRules {
  /** All files belong to this collection; if absent, the first folder names it. */
  collection?: string | undefined;
  /** The locales that a leading folder may name; empty if paths say nothing about locales. */
  locales: readonly string[];
}

export interface FilePlace {
  /** Undefined if no folder names it. */
  collection: string | undefined;
  locale: string | undefined;
  slug: string;
  /** The file's name without its extension (for an index file, its folder's name): the title if there is no other. */
  name: string;
}

/**
 * `da/posts/a.md` and `posts/da/a.md` mean the same: a leading locale folder counts before and after the collection.
 */
export function importPlaceOf(file: string, rules: PlaceRules): FilePlace {
  const folders = file.split('/');
  const last = folders.pop() as string;
  const base = last.slice(0, last.lastIndexOf('.'));

  let locale = shiftLocale(folders, rules.locales);
  const collection = rules.collection ?? folders.shift();
  if (rules.collection === undefined) locale ??= shiftLocale(folders, rules.locales);

  const isIndex = base === 'index' || base === '_index';
  const segments = isIndex ? folders : [...folders, base];
  // The index of the outermost folder has no folder name to use.
  const named = segments.length > 0 ? segments : ['index'];
  return { collection, locale, slug: slugOf(named), name: named.at(-1) as string };
}

/** A path without a letter that can be written in ASCII gets a slug that is the same in every run. */
function slugOf(segments: string[]): string {
  const slug = toSlug(segments.join('-'));
  return slug || `doc-${hash('sha256', segments.join('/')).slice(0, 12)}`;
}

function shiftLocale(folders: string[], locales: readonly string[]): string | undefined {
  const first = folders[0]?.toLowerCase();
  const locale = locales.find((known) => known.toLowerCase() === first);
  if (locale !== undefined) folders.shift();
  return locale;
}
