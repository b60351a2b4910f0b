// Moves of the focus in a grid by keys (ARIA Authoring Practices, "Grid"). Pure.

export interface Cell {
  /** -1 for the header. */
  row: number;
  column: number;
}

export interface GridSize {
  rows: number;
  columns: number;
  /** Rows that one sees at a time. */
  page: number;
  hasHeader: boolean;
}

/** As much of a KeyboardEvent as is looked at. */
export interface GridKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The cell to go to; undefined for a key that does not move. */
export function moveBy(
  { key, ctrlKey, metaKey, altKey }: GridKey,
  { row, column }: Cell,
  size: GridSize,
): Cell | undefined {
  if (altKey || metaKey) return undefined;
  const top = size.hasHeader ? -1 : 0;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.max(top, Math.min(nextRow, size.rows - 1)),
    column: Math.max(0, Math.min(nextColumn, size.columns - 1)),
  });
  if (ctrlKey) {
    if (key === 'Home') return to(0, 0);
    if (key === 'End') return to(size.rows - 1, size.columns - 1);
    return undefined;
  }
  const steps: Record<string, () => Cell> = {
    ArrowDown: () => to(row + 1, column),
    ArrowUp: () => to(row - 1, column),
    ArrowRight: () => to(row, column + 1),
    ArrowLeft: () => to(row, column - 1),
    j: () => to(row + 1, column),
    k: () => to(Math.max(0, row - 1), column),
    PageDown: () => to(row + size.page, column),
    PageUp: () => to(Math.max(0, row - size.page), column),
    Home: () => to(row, 0),
    End: () => to(row, size.columns - 1),
  };
  return Object.hasOwn(steps, key) ? steps[key]!() : undefined;
}
