// The words that are in this browser: those of the shell from the beginning, those of a screen from its first opening.
// A file of words adds its own; a screen imports the files that it shows words of.

/** A text, or its form for each plural category. */
export type TextEntry = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

const loaded = new Map<string, TextEntry>();

export function addTexts(texts: Readonly<Record<string, TextEntry>>): void {
  for (const [key, entry] of Object.entries(texts)) loaded.set(key, entry);
}

export function findText(key: string): TextEntry | undefined {
  return loaded.get(key);
}
