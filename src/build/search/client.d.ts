// What tests use of client.js, which browsers load as it is.

export function fold(text: string): string;
export function toWords(query: string): string[];

export interface FoundPages {
  items: { title: string; path: string; seconds: number; score: number }[];
  total: number;
  words: string[];
  /** Of all pages that match, the best first. */
  numbers: number[];
}

/** Undefined for a query without any letter or digit. */
export function createSearch(
  folder: string,
  load?: (path: string) => Promise<Response>,
): (query: string, signal?: AbortSignal) => Promise<FoundPages | undefined>;
