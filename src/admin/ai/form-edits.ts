// What is edited in a form, on top of what the service has: the rest follows the service. Pure.
import { isEqual } from '../document/is-equal.ts';

/** By the names of the parts; `base` is what the service had when one began to change it. */
export type FormEdits<F> = Readonly<Partial<Record<keyof F, { value: unknown; base: unknown }>>>;

export function withFormEdits<F>(stored: F, edits: FormEdits<F>): F {
  return { ...stored, ...Object.fromEntries(listEdits(edits).map(([name, { value }]) => [name, value])) };
}

/** A value that is as before is no edit. */
export function editForm<F>(edits: FormEdits<F>, part: Partial<F>, stored: F): FormEdits<F> {
  const next: Partial<Record<keyof F, { value: unknown; base: unknown }>> = { ...edits };
  for (const [name, value] of Object.entries(part) as [keyof F, unknown][]) {
    const base = edits[name] ? edits[name].base : stored[name];
    if (isEqual(value, base)) delete next[name];
    else next[name] = { value, base };
  }
  return next;
}

/** The parts that another person changed as well, to something else. */
export function clashesOf<F>(edits: FormEdits<F>, stored: F): (keyof F)[] {
  return listEdits(edits).flatMap(([name, { value, base }]) =>
    isEqual(stored[name], base) || isEqual(stored[name], value) ? [] : [name],
  );
}

/** The same edits, made on what the service has now. */
export function onTopOf<F>(stored: F, edits: FormEdits<F>): FormEdits<F> {
  const moved = listEdits(edits).map(([name, { value }]) => [name, { value, base: stored[name] }]);
  return Object.fromEntries(moved) as FormEdits<F>;
}

/** What is left after a save: edits that were made while it was on its way. */
export function withoutSent<F>(edits: FormEdits<F>, sent: FormEdits<F>): FormEdits<F> {
  const left = listEdits(edits).filter(([name, { value }]) => !isEqual(sent[name]?.value, value));
  return Object.fromEntries(left) as FormEdits<F>;
}

export function parseFormEdits<F>(text: string | null): FormEdits<F> {
  return JSON.parse(text ?? '{}') as FormEdits<F>;
}

/** An empty text for none. */
export function toKeptEdits(edits: FormEdits<never>): string {
  return Object.keys(edits).length === 0 ? '' : JSON.stringify(edits);
}

function listEdits<F>(edits: FormEdits<F>): [keyof F, { value: unknown; base: unknown }][] {
  return Object.entries(edits) as [keyof F, { value: unknown; base: unknown }][];
}
