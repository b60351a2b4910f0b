// Which options fit what was typed: each word begins a word of the option. Those whose label fits come first, because
// one presses Enter on what one has named. Pure.

export interface PaletteOption {
  kind: string;
  label: string;
  /** More words that find it. */
  words?: string;
  /** If several may have the same label. */
  id?: string;
  run(): void;
}

export function matchOptions<T extends Pick<PaletteOption, 'kind' | 'label' | 'words'>>(
  options: readonly T[],
  query: string,
): T[] {
  const wanted = toWords(query);
  const fits = (text: string): boolean => {
    const all = toWords(text);
    return wanted.every((part) => all.some((word) => word.startsWith(part)));
  };
  const found = options.filter(({ kind, label, words = '' }) => fits(`${label} ${kind} ${words}`));
  return [...found.filter(({ label }) => fits(label)), ...found.filter(({ label }) => !fits(label))];
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
