// The ids of headings: a slug of their text, unique in the text, so that links to a part of a page keep working.
import { toSlug } from '../../lib/text/slug.ts';

const PREFIX = 'section';
const MAX_LENGTH = 80;

export function createHeadingIds(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const slug =
      toSlug(text)
        .slice(0, MAX_LENGTH)
        .replace(/[^a-z0-9]+$/, '') || PREFIX;
    const count = (used.get(slug) ?? 0) + 1;
    used.set(slug, count);
    return count === 1 ? slug : `${slug}-${count}`;
  };
}

export function toLevel(level: number, shift: number): number {
  return Math.min(6, Math.max(1, level + shift));
}
