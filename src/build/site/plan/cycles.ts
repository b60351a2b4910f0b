// Documents whose parents lead back to themselves have no address: an error that names them.
import type { SiteDocument } from '../read/site-document.ts';
import { PlanError } from './plan-error.ts';

/** @throws PlanError */
export function findCycle(
  documents: readonly SiteDocument[],
  parentOf: (doc: SiteDocument) => SiteDocument | undefined,
): void {
  const clear = new Set<SiteDocument>();
  for (const first of documents) {
    const trail: SiteDocument[] = [];
    for (let doc: SiteDocument | undefined = first; doc && !clear.has(doc); doc = parentOf(doc)) {
      const at = trail.indexOf(doc);
      if (at >= 0) throw new PlanError([toMessage(trail.slice(at))]);
      trail.push(doc);
    }
    for (const doc of trail) clear.add(doc);
  }
}

function toMessage(cycle: readonly SiteDocument[]): string {
  const names = cycle.map(nameOf);
  if (names.length === 1) return `document ${names[0]} is its own parent; choose another one`;
  return `the parents of documents ${names.join(', ')} form a circle; change the parent of one of them`;
}

/** As messages name a document: `"pages/about"`. */
export function nameOf({ collection, slug }: Pick<SiteDocument, 'collection' | 'slug'>): string {
  return `"${collection}/${slug}"`;
}
