// When the words of a document were last changed: to publish it, or to move it, is no change of them. Pure.

/** A version, as the history has it. */
export interface DatedChange {
  /** ISO 8601. */
  date: string;
  /** Names of fields, and keys of the document. */
  fields: readonly string[];
}

/** Keys of a document that say nothing to its readers. */
const OWN = new Set(['status', 'slug', 'locale', 'translationOf', 'translationGroup', 'publishAt', 'unpublishAt']);

/** Changes come newest first. */
export function isOutOfDate(
  source: readonly DatedChange[],
  translation: readonly DatedChange[],
  fields: readonly { name: string }[],
): boolean {
  const names = new Set(fields.map(({ name }) => name));
  const lastOf = (changes: readonly DatedChange[]): number => {
    const last = changes.find((one) => one.fields.some((name) => names.has(name) || !OWN.has(name)));
    return last === undefined ? 0 : Date.parse(last.date);
  };
  return lastOf(source) > lastOf(translation);
}
