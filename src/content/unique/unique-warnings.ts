// Reports values of unique fields that several documents have: commits of other programs, and a field that becomes
// unique, bring them. Nobody is refused for them; the documents are shown.

import { type WarnParts, warnOfFile } from '../from-git/warnings.ts';
import type { Row } from '../rows/row.ts';
import type { OnShared, ValueIndex } from '../rows/value-index.ts';
import type { ContentView } from '../rows/view.ts';
import { pathOf } from '../stored.ts';

export interface UniqueWarningsParts extends WarnParts {
  view: Pick<ContentView, 'byId' | 'collection'>;
  /** Runs work after the present turn, when the files of a commit have been read. */
  later(work: () => void): void;
}

const OURS = 'has the value of';
/** With this many the operator knows what is wrong. */
const ENOUGH = 100;
const COMPARED = 50;

/** `unique` is asked for when the first value is reported. */
export function createUniqueWarnings(parts: UniqueWarningsParts, unique: () => ValueIndex): OnShared {
  const { view, warnings, later } = parts;
  const waiting = new Set<string>();

  function report(collection: string): void {
    const found = findShared(unique().shared(collection));
    for (const [path, problem] of [...warnings]) {
      if (problem.startsWith(OURS) && path.startsWith(`content/${collection}/`) && !found.has(path)) {
        warnings.delete(path);
      }
    }
    for (const [path, problem] of found) {
      const known = warnings.get(path);
      if (known === undefined || known.startsWith(OURS)) warnOfFile(parts, path, problem);
    }
  }

  function findShared(shared: ReturnType<ValueIndex['shared']>): Map<string, string> {
    const problems = new Map<string, string>();
    for (const { name, ids } of shared) {
      const rows = ids.flatMap((id) => view.byId(id) ?? []).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      for (const [index, row] of rows.entries()) {
        if (problems.size >= ENOUGH) return problems;
        const other = rows.slice(0, Math.min(index, COMPARED)).find((one) => !isTranslation(one, row));
        if (other) problems.set(pathOf(row, row.isSharded), `${OURS} ${other.slug} in the unique field ${name}`);
      }
    }
    return problems;
  }

  return (collection) => {
    if (waiting.has(collection)) return;
    waiting.add(collection);
    later(() => {
      waiting.delete(collection);
      report(collection);
    });
  };
}

function isTranslation(a: Row, b: Row): boolean {
  return a.translationGroup !== undefined && a.translationGroup === b.translationGroup && a.locale !== b.locale;
}
