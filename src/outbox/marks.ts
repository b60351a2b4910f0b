// Marks: how far each reader of the log has come, kept in the journal beside the entries made from the log.
import { toLine } from './journal-line.ts';

export interface Mark {
  name: string;
  /** Empty if the mark is removed. */
  value: string;
}

export interface Marks {
  read(name: string): string | undefined;
  names(): string[];
  /** Sets a mark that the journal already has. */
  adopt(mark: Mark): void;
  /** Moves a mark, and writes it to the journal soon. */
  note(mark: Mark): void;
  /** Writes the moved marks now. */
  write(): void;
  /** A journal line for each mark. */
  lines(): Buffer[];
}

export interface MarksParts {
  /** Written with the journal's next lines. */
  noteLine(line: Buffer): void;
  onWritten(): void;
}

const MARK_MS = 500;

/** A mark may move a thousand times a second; the journal gets only its last value. */
export function createMarks({ noteLine, onWritten }: MarksParts): Marks {
  const marks = new Map<string, string>();
  /** Names of marks that have moved since they were written. */
  const moved = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function set({ name, value }: Mark): void {
    if (value === '') marks.delete(name);
    else marks.set(name, value);
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const mark of moved) noteLine(toLine({ mark, value: marks.get(mark) ?? '' }));
    moved.clear();
    onWritten();
  }

  return {
    read: (name) => marks.get(name),
    names: () => [...marks.keys()],
    adopt(mark) {
      set(mark);
      moved.delete(mark.name);
    },
    note(mark) {
      set(mark);
      moved.add(mark.name);
      timer ??= setTimeout(write, MARK_MS).unref();
    },
    write,
    lines: () => [...marks].map(([mark, value]) => toLine({ mark, value })),
  };
}
