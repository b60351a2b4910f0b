// Notes which facts a page is made from, while it is made. A fact is a value with a name, such as `doc <id> title`; an
// incremental build makes a page again if one of its facts has another value (facts.ts). Pages are made one at a time.

export interface Recorder {
  /** Notes that the page that is being made depends on the fact. */
  note(fact: string): void;
  /** Notes a media file that the page needs: its slug, or slug and width with a tab between them for a smaller picture. */
  need(media: string): void;
  /** Notes what the page shows in another way than its author meant. */
  warn(problem: string): void;
  /** Makes a page, and returns the facts and media that were noted meanwhile, sorted, and the warnings. */
  record<T>(make: () => T): { made: T; facts: string[]; media: string[]; warnings: string[] };
}

export function createRecorder(): Recorder {
  let facts = new Set<string>();
  let media = new Set<string>();
  let warnings = new Set<string>();
  return {
    note: (fact) => void facts.add(fact),
    need: (one) => void media.add(one),
    warn: (problem) => void warnings.add(problem),
    record(make) {
      facts = new Set();
      media = new Set();
      warnings = new Set();
      const made = make();
      return { made, facts: toFewer(facts), media: [...media].sort(), warnings: [...warnings] };
    },
  };
}

/** What a document's stored values imply. */
const STORED = ['title', 'description', 'date', 'createdAt', 'updatedAt', 'tags', 'image', 'locale', 'slug'];

/**
 * The same facts in fewer words: all files of the theme are one fact, as most pages use the same ones, and who sees a
 * document's data sees its title change.
 */
function toFewer(facts: Set<string>): string[] {
  const kept: string[] = [];
  const files: string[] = [];
  for (const fact of facts) {
    if (fact.startsWith('doc ') && fact.endsWith(' data')) {
      for (const name of STORED) facts.delete(`${fact.slice(0, -'data'.length)}${name}`);
    }
  }
  for (const fact of facts) {
    if (fact.startsWith('theme ')) files.push(fact.slice('theme '.length));
    else kept.push(fact);
  }
  if (files.length > 0) kept.push(`themes ${files.sort().join('\t')}`);
  return kept.sort();
}
