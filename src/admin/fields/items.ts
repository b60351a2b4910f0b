// A list that changes: each item keeps its identity while others move around it. Pure.

export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined || from < items.length) next.splice(to, 0, item as T);
  return next;
}

export function inserted<T>(items: readonly T[], at: number, item: T): T[] {
  return [...items.slice(0, at), item, ...items.slice(at)];
}

export function removed<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, index) => index !== at);
}

/** "Steps 2"; within a group of that label "Steps 1.2", since no two groups have one name. `around` is inside out. */
export function nameOfItem(label: string, index: number, around: readonly string[]): string {
  const outer = around.find((name) => name.startsWith(`${label} `) && /^[\d.]+$/.test(name.slice(label.length + 1)));
  return `${outer === undefined ? `${label} ` : `${outer}.`}${index + 1}`;
}

/** One line that says which item it is: its first text. At most 80 characters. */
export function summaryOf(value: unknown): string {
  const text = firstText(value, 0) ?? '';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

const DEPTH = 4;

function firstText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim() || undefined;
  if (typeof value !== 'object' || value === null || depth > DEPTH) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '_block' || key === 'type') continue;
    const text = firstText(inner, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}
