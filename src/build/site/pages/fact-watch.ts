// Which of the facts that the last build knew have another value now.
import type { MayDiffer } from '../plan/changed-documents.ts';
import type { FactTable } from '../write/fact-table.ts';

export interface FactWatch {
  table: FactTable;
  /** Whether any of the facts had another value before it was looked at last. */
  haveChanged(facts: ArrayLike<number>): boolean;
  /** Looks at known facts again, those that may differ. */
  lookAgain(which: MayDiffer): void;
  /** Sets the values of facts that pages have added. */
  setNew(): void;
}

export function createFactWatch(table: FactTable, valueOfFact: (fact: string) => string): FactWatch {
  const changed = new Set<number>();
  return {
    table,
    haveChanged(facts) {
      if (changed.size === 0) return false;
      for (let at = 0; at < facts.length; at++) if (changed.has(facts[at]!)) return true;
      return false;
    },
    lookAgain({ subjects, mayDiffer }) {
      changed.clear();
      for (const number of table.list(subjects)) {
        const fact = table.get(number);
        if (!mayDiffer(fact.name)) continue;
        const value = valueOfFact(fact.name);
        if (value === fact.value) continue;
        changed.add(number);
        table.set(number, value);
      }
    },
    setNew() {
      for (const number of table.takeNew()) table.set(number, valueOfFact(table.get(number).name));
    },
  };
}
