// What a slug is, and how one is made from a title or a path. A slug becomes a file name in the content repository, so
// the rule keeps to names that every file system and every git client accepts.
import { createRequire } from 'node:module';
import type Slugify from '@sindresorhus/slugify';
import { toStreamSafe } from './stream-safe.ts';

export const SLUG_MAX_BYTES = 200;

// `~` and a leading dot are outside the alphabet, which rules out `.git` and its short name `git~1`.
const SHAPE = /^[a-z0-9][a-z0-9._-]*$/;
// Windows reserves these with any extension: `con.json` is the console.
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;
// A slug has at most 200 letters; what follows the first 2,000 of a title cannot reach it and need not be read.
const READ_CHARACTERS = 2_000;

/** ASCII without what is written out (`&`) or left out (an apostrophe, an accent): all else parts words. */
const PLAIN = /^[\x20-\x25\x28-\x5d\x5f\x61-\x7e]*$/;

/** Loaded on demand: its tables need longer to load than most threads of ours, and many texts are plain. */
let library: typeof Slugify | undefined;

/** Why a text is not a slug, as a sentence; undefined if it is one. */
export function slugProblem(text: string): string | undefined {
  if (text === '') return 'slug must not be empty';
  if (text.length > SLUG_MAX_BYTES) return `slug must be at most ${SLUG_MAX_BYTES} bytes long`;
  if (!SHAPE.test(text)) {
    return 'slug must start with a-z or 0-9 and hold only a-z, 0-9, ".", "_" and "-"';
  }
  if (text.includes('..')) return 'slug must not hold two dots in a row';
  if (text.endsWith('.')) return 'slug must not end with a dot';
  if (DEVICE.test(text)) return 'slug must not be the name of a Windows device';
  return undefined;
}

export function isSlug(text: string): boolean {
  return slugProblem(text) === undefined;
}

/**
 * A slug from any text (`Hello Wörld Ærø` gives `hello-woerld-aeroe`), or the empty string if the text has no letter or
 * digit that can be written in ASCII.
 */
export function toSlug(text: string): string {
  const read = text.slice(0, READ_CHARACTERS);
  const slug = cut(PLAIN.test(read) ? plainSlug(read) : slugify(read));
  return DEVICE.test(slug) ? `${slug}-1` : slug;
}

function plainSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function slugify(text: string): string {
  library ??= (createRequire(import.meta.url)('@sindresorhus/slugify') as { default: typeof Slugify }).default;
  return library(toStreamSafe(text), {
    // A title does not mean to split `JavaScript` into two words, nor `Æ` (transliterated to `AE`).
    decamelize: false,
    customReplacements: [
      ['ø', 'oe'],
      ['Ø', 'Oe'],
    ],
  });
}

/** At most 200 bytes, ending with a whole word if that keeps at least half of them. */
function cut(slug: string): string {
  if (slug.length <= SLUG_MAX_BYTES) return slug;
  const boundary = slug.lastIndexOf('-', SLUG_MAX_BYTES);
  return boundary >= SLUG_MAX_BYTES / 2 ? slug.slice(0, boundary) : slug.slice(0, SLUG_MAX_BYTES);
}
