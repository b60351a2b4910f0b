// Which fields a form shows (`ui.hidden`, `ui.showIf`), and in which tab. Pure.
import type { FieldInfo } from '../config/manifest.ts';

/** `beside` are the values of the same document, object or block. */
export function isShown({ ui }: FieldInfo, beside: Readonly<Record<string, unknown>>): boolean {
  if (ui?.hidden) return false;
  if (ui?.showIf === undefined) return true;
  const rule = typeof ui.showIf === 'string' ? { field: ui.showIf } : ui.showIf;
  const value = beside[rule.field];
  if ('equals' in rule && rule.equals !== undefined) return has(value, rule.equals);
  if ('in' in rule && rule.in) return rule.in.some((one) => has(value, one));
  if ('exists' in rule && rule.exists !== undefined) return isThere(value) === rule.exists;
  return isThere(value);
}

function has(value: unknown, wanted: unknown): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
}

function isThere(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}

/** The names of the tabs in the order of their first fields that are shown; empty if none of those names one. */
export function tabsOf(
  fields: readonly FieldInfo[],
  first: string,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const shown = fields.filter((field) => isShown(field, values));
  if (!shown.some(({ ui }) => ui?.tab)) return [];
  return [...new Set(shown.map((field) => tabOf(field, first)))];
}

/** `first` is the tab of fields that name none. */
export function tabOf({ ui }: FieldInfo, first: string): string {
  return ui?.tab ?? first;
}
