// What is selected in a list: some by their id, or everything that the list's query finds, with exceptions. Pure.

export type Selection<T extends { id: string }> =
  | { kind: 'some'; items: ReadonlyMap<string, T> }
  | { kind: 'query'; except: ReadonlySet<string> };

export const NOTHING: Selection<never> = { kind: 'some', items: new Map<string, never>() };
export const EVERYTHING: Selection<never> = { kind: 'query', except: new Set() };

export function isSelected(selection: Selection<{ id: string }>, id: string): boolean {
  return selection.kind === 'some' ? selection.items.has(id) : !selection.except.has(id);
}

export function countSelected(selection: Selection<{ id: string }>, total: number): number {
  return selection.kind === 'some' ? selection.items.size : Math.max(0, total - selection.except.size);
}

export function select<T extends { id: string }>(
  selection: Selection<T>,
  items: readonly T[],
  isOn: boolean,
): Selection<T> {
  if (selection.kind === 'some') {
    const next = new Map(selection.items);
    for (const one of items) isOn ? next.set(one.id, one) : next.delete(one.id);
    return { kind: 'some', items: next };
  }
  const except = new Set(selection.except);
  for (const { id } of items) isOn ? except.delete(id) : except.add(id);
  return { kind: 'query', except };
}

/** What does not exist any more is not selected; a query finds it no more by itself. */
export function unselect<T extends { id: string }>(selection: Selection<T>, ids: readonly string[]): Selection<T> {
  if (selection.kind === 'query') return selection;
  const items = new Map(selection.items);
  for (const id of ids) items.delete(id);
  return { kind: 'some', items };
}
