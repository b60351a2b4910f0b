// Which options fit what was typed: each word begins a word of the option. Pure.

export interface PaletteOption {
  kind: string;
  label: string;
  /** If several may have the same label. */
  id?: string;
  run(): void;
}

export function matchOptions<T extends Pick<PaletteOption, 'kind' | 'label'>>(
  options: readonly T[],
  query: string,
): T[] {
  const wanted = toWords(query);
  return options.filter(({ kind, label }) => {
    const words = toWords(`${label} ${kind}`);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
