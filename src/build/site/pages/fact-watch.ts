// Which of the facts that the last build knew have another value now.
import type { FactTable } from '../write/fact-table.ts';

export interface FactWatch {
  table: FactTable;
  /** Whether the fact had another value before it was looked at last. */
  hasChanged(number: number): boolean;
  /** Looks at known facts again, those that may differ. */
  lookAgain(mayDiffer: (fact: string) => boolean): void;
  /** Sets the values of facts that pages have added. */
  setNew(): void;
}

export function createFactWatch(table: FactTable, valueOfFact: (fact: string) => string): FactWatch {
  let changed = new Uint8Array(0);
  let known = table.names.length;
  return {
    table,
    hasChanged: (number) => changed[number] === 1,
    lookAgain(mayDiffer) {
      changed = new Uint8Array(known);
      for (let number = 0; number < known; number++) {
        const name = table.names[number]!;
        if (!mayDiffer(name)) continue;
        const value = valueOfFact(name);
        if (value === table.values[number]) continue;
        changed[number] = 1;
        table.set(number, value);
      }
    },
    setNew() {
      for (; known < table.names.length; known++) table.set(known, valueOfFact(table.names[known]!));
    },
  };
}
