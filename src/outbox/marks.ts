// Marks: how far each reader of the log has come, kept in the journal beside the entries that the reader made of it.
import { toLine } from './journal-line.ts';

export interface Mark {
  name: string;
  /** Empty: the mark is gone. */
  value: string;
}

export interface Marks {
  read(name: string): string | undefined;
  names(): string[];
  /** What the journal has. */
  adopt(mark: Mark): void;
  /** Moves it; the journal has it soon. */
  note(mark: Mark): void;
  /** Writes what has moved now. */
  write(): void;
  /** A line for each. */
  lines(): Buffer[];
}

export interface MarksParts {
  /** Written with the journal's next lines. */
  noteLine(line: Buffer): void;
  onWritten(): void;
}

const MARK_MS = 500;

/** A mark may move a thousand times a second; the journal needs the last. */
export function createMarks({ noteLine, onWritten }: MarksParts): Marks {
  const marks = new Map<string, string>();
  /** Moved since they were written. */
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
