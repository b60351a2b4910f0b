/** A label for a name without one: `cover-image` and `coverImage` give `Cover image`. */
export function toLabel(name: string): string {
  const words = name
    .replace(/[-_$]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}
