// Which facts may have another value than at the last build. As a rule a few texts were edited and everything else is
// where it was; then only facts of those documents have to be looked at, and not those of the whole site.
import type { SiteDocument } from '../read/site-document.ts';

export interface MayDiffer {
  /** Ids of the documents that such facts are about, besides those about the site; undefined if about any. */
  subjects: ReadonlySet<string> | undefined;
  mayDiffer(fact: string): boolean;
}

const ANY: MayDiffer = { subjects: undefined, mayDiffer: () => true };
/** Facts about media files. */
export const OF_MEDIA: MayDiffer = { subjects: new Set(), mayDiffer: (fact) => fact.startsWith('media ') };

/** `before` and `after` are by file; a document that did not change is the same object in both. */
export function createMayDiffer(
  before: ReadonlyMap<string, SiteDocument>,
  after: ReadonlyMap<string, SiteDocument>,
  /** Documents that hold their id and slug: others wait for theirs, and the log says which. */
  held: number,
): MayDiffer {
  const changed = new Set<string>();
  if (before.size !== after.size || held !== after.size) return ANY;
  for (const [file, doc] of after) {
    const old = before.get(file);
    if (old === doc) continue;
    if (!old || place(old) !== place(doc)) return ANY;
    changed.add(doc.id);
  }
  return {
    subjects: changed,
    mayDiffer(fact) {
      if (fact.startsWith('doc ')) return changed.has(fact.slice(4, fact.indexOf(' ', 4)));
      return fact.startsWith('media ') || fact.startsWith('themes ');
    },
  };
}

/** Everything that lists, addresses and links between documents depend on. */
function place(doc: SiteDocument): string {
  const { id, collection, slug, status, locale, translationGroup, translationOf, time, tags, points, data } = doc;
  return JSON.stringify([
    id,
    collection,
    slug,
    status,
    locale,
    translationGroup,
    translationOf,
    time,
    tags,
    points,
    data,
  ]);
}
