// Which facts may have another value than at the last build. As a rule a few texts were edited and everything else is
// where it was; then only facts of those documents have to be looked at, and not those of the whole site.
import type { SiteDocument } from '../read/site-document.ts';

/** `before` and `after` are by file; a document that did not change is the same object in both. */
export function createMayDiffer(
  before: ReadonlyMap<string, SiteDocument>,
  after: ReadonlyMap<string, SiteDocument>,
  /** Documents that hold their id and slug: others wait for theirs, and the log says which. */
  held: number,
): (fact: string) => boolean {
  const changed = new Set<string>();
  if (before.size !== after.size || held !== after.size) return () => true;
  for (const [file, doc] of after) {
    const old = before.get(file);
    if (old === doc) continue;
    if (!old || place(old) !== place(doc)) return () => true;
    changed.add(doc.id);
  }
  return (fact) => {
    if (fact.startsWith('doc ')) return changed.has(fact.slice(4, fact.indexOf(' ', 4)));
    return fact.startsWith('media ') || fact.startsWith('themes ');
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
