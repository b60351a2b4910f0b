// Which options fit what was typed: each word begins a word of the option. Pure.

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
  return options.filter(({ kind, label, words = '' }) => {
    const all = toWords(`${label} ${kind} ${words}`);
    return wanted.every((part) => all.some((word) => word.startsWith(part)));
  });
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
