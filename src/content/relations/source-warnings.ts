// Reports translations whose source has another name, or is gone: `git mv` of a source does not change the files of its
// translations. Over the API a rename takes them along, and a deletion leaves them as they are.
import { pathOf } from '../files/paths.ts';
import { type WarnParts, warnOfFile } from '../from-git/warnings.ts';
import type { Row } from '../rows/row.ts';
import { GROUP, type OnShared, SOURCE, type ValueIndex } from '../rows/value-index.ts';
import type { ContentView } from '../rows/view.ts';

export interface SourceWarningsParts extends WarnParts {
  view: Pick<ContentView, 'byId' | 'bySlug' | 'subscribe'>;
  /** Runs work after the present turn, when the files of a commit have been read. */
  later(work: () => void): void;
}

const LOST = 'is a translation of';
/** A group has each locale once; a few more rows do not matter. */
const COMPARED = 50;

export function isOfSource(problem: string): boolean {
  return problem.startsWith(LOST);
}

/** `groups` is asked for after the present turn; the returned function is called when its index is built. */
export function createSourceWarnings(parts: SourceWarningsParts, groups: () => ValueIndex): OnShared {
  const { view, warnings, later } = parts;
  /** Sources to look for, by collection. */
  const waiting = new Map<string, Set<string>>();

  view.subscribe((before, after) => {
    for (const row of [before, after]) {
      // A rename, or a new link.
      if (row && before?.slug !== after?.slug) lookLater(row.collection, row.slug);
      if (row?.translationOf !== undefined) lookLater(row.collection, row.translationOf);
    }
  });

  function lookLater(collection: string, slug: string): void {
    if (waiting.size === 0) later(lookAll);
    waiting.set(collection, (waiting.get(collection) ?? new Set()).add(slug));
  }

  function lookAll(): void {
    for (const [collection, slugs] of waiting) {
      // Then all of them are looked for when the index is built.
      if (groups().prepare(collection)) continue;
      for (const slug of slugs) look(groups().idsOf(collection, SOURCE, slug));
    }
    waiting.clear();
  }

  function look(ids: readonly string[]): void {
    for (const id of ids) {
      const row = view.byId(id);
      if (!row) continue;
      const path = pathOf(row, row.layout);
      const problem = problemOf(row);
      const known = warnings.get(path);
      if (known !== undefined ? isOfSource(known) : problem !== undefined) warnOfFile(parts, path, problem);
    }
  }

  function problemOf({ id, collection, translationOf, translationGroup }: Row): string | undefined {
    if (translationOf === undefined || view.bySlug(collection, translationOf)) return undefined;
    const lost = `${LOST} "${translationOf}", which is not there`;
    if (translationGroup === undefined) return lost;
    const others = groups().idsOf(collection, GROUP, translationGroup).slice(0, COMPARED);
    const source = others
      .flatMap((other) => (other === id ? [] : (view.byId(other) ?? [])))
      .find((row) => row.translationOf === undefined);
    // Without a source the translations of a deleted document are left.
    return source && `${lost}; its source is "${source.slug}" now, and "translationOf" has to name that`;
  }

  return (collection, value) => {
    if (!value) later(() => void [...groups().all(collection, SOURCE)].forEach(look));
  };
}
