// Reports values of unique fields that several documents have, and groups of translations that have a locale twice:
// commits of other programs, and a field that becomes unique, bring them. Nobody is refused for them; the documents are
// shown.

import { pathOf } from '../files/paths.ts';
import { type WarnParts, warnOfFile } from '../from-git/warnings.ts';
import type { Row } from '../rows/row.ts';
import { GROUP, type OnShared, type ValueIndex } from '../rows/value-index.ts';
import type { ContentView } from '../rows/view.ts';

export interface UniqueWarningsParts extends WarnParts {
  view: Pick<ContentView, 'byId' | 'collection'>;
  /** Runs work after the present turn, when the files of a commit have been read. */
  later(work: () => void): void;
}

const OURS = 'has the value of';
const OUR_LOCALES = 'has the locale of';
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
        if (other) problems.set(pathOf(row, row.layout), `${OURS} ${other.slug} in the unique field ${name}`);
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

/** Whether a warning says that a document has what only one may have. */
export function isOfShared(problem: string): boolean {
  return problem.startsWith(OURS) || problem.startsWith(OUR_LOCALES);
}

/** `groups` is asked for when the index of groups is built; later on each group is looked at alone. */
export function createLocaleWarnings(parts: UniqueWarningsParts, groups: () => ValueIndex): OnShared {
  const { view, warnings, later } = parts;

  /** The first document of a group has the locale; `ids` are those of a group now. */
  function look(ids: readonly string[], changed?: string): void {
    const rows = ids.flatMap((id) => view.byId(id) ?? []);
    rows.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    const first = new Map<string, Row>();
    for (const row of rows) {
      const other = row.locale === undefined ? undefined : first.get(row.locale);
      if (other) report(row, `${OUR_LOCALES} ${other.slug} (${row.locale}) in one group of translations`);
      else report(row, undefined);
      if (row.locale !== undefined && !other) first.set(row.locale, row);
    }
    const row = changed === undefined || ids.includes(changed) ? undefined : view.byId(changed);
    if (row) report(row, undefined);
  }

  function report(row: Row, problem: string | undefined): void {
    const path = pathOf(row, row.layout);
    const known = warnings.get(path);
    if (known !== undefined ? known.startsWith(OUR_LOCALES) : problem !== undefined) warnOfFile(parts, path, problem);
  }

  return (collection, value) => {
    if (!value) {
      later(() => {
        for (const { name, ids } of groups().shared(collection)) if (name === GROUP) look(ids);
      });
    } else if (value.name === GROUP) {
      const { ids, row } = value;
      later(() => look(ids, row.id));
    }
  };
}

function isTranslation(a: Row, b: Row): boolean {
  return a.translationGroup !== undefined && a.translationGroup === b.translationGroup && a.locale !== b.locale;
}
