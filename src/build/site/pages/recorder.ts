// Notes which facts a page is made from, while it is made. A fact is a value with a name, such as `doc <id> title`; an
// incremental build makes a page again if one of its facts has another value (facts.ts). Pages are made one at a time.

export interface Recorder {
  /** Notes that the page that is being made depends on the fact. */
  note(fact: string): void;
  /** Notes a media file that the page needs: its slug, or slug and width with a tab between them for a smaller picture. */
  need(media: string): void;
  /** Makes a page, and returns the facts and media that were noted meanwhile, sorted. */
  record<T>(make: () => T): { made: T; facts: string[]; media: string[] };
}

export function createRecorder(): Recorder {
  let facts = new Set<string>();
  let media = new Set<string>();
  return {
    note: (fact) => void facts.add(fact),
    need: (one) => void media.add(one),
    record(make) {
      facts = new Set();
      media = new Set();
      const made = make();
      return { made, facts: [...facts].sort(), media: [...media].sort() };
    },
  };
}
