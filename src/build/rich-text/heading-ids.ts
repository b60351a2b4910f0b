// The ids of a page's headings and footnotes: a heading's is a slug of its text, so that links to a part of a page keep
// working, and no id is on a page twice.
import { toSlug } from '../../lib/text/slug.ts';
import type { PageContext } from '../theme/page-context.ts';

const PREFIX = 'section';
const MAX_LENGTH = 80;

export interface PageIds {
  ofHeading(text: string): string;
  /** From 1. */
  nextFootnote(): number;
}

const idsOfPages = new WeakMap<PageContext, PageIds>();

export function idsOf(page: PageContext): PageIds {
  let ids = idsOfPages.get(page);
  if (!ids) idsOfPages.set(page, (ids = createPageIds()));
  return ids;
}

function createPageIds(): PageIds {
  const used = new Map<string, number>();
  let footnotes = 0;
  return {
    ofHeading(text) {
      const slug =
        toSlug(text)
          .slice(0, MAX_LENGTH)
          .replace(/[^a-z0-9]+$/, '') || PREFIX;
      let count = used.get(slug) ?? 0;
      let id: string;
      do id = ++count === 1 ? slug : `${slug}-${count}`;
      while (count > 1 && used.has(id));
      used.set(slug, count);
      if (id !== slug) used.set(id, 1);
      return id;
    },
    nextFootnote: () => ++footnotes,
  };
}

export function toLevel(level: number, shift: number): number {
  return Math.min(6, Math.max(1, level + shift));
}
