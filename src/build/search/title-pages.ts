// The titles and addresses of documents, by their numbers, in files of some thirty-five: `index-0.json` has the oldest.
import type { SearchDocument } from './document-terms.ts';
import { assignNumbers, SLOTS } from './numbers.ts';

export interface TitleEntry {
  path: string;
  title: string;
  /** In whole seconds. */
  seconds: number;
}

/** One document in a file: slot, title, path, and the time in seconds, by which equal matches are ordered. */
type StoredEntry = [slot: number, title: string, path: string, seconds: number];

export interface NumberedEntry extends TitleEntry {
  number: number;
}

export function numberEntries(entries: Iterable<TitleEntry>): NumberedEntry[] {
  return [...assignNumbers(entries)]
    .map(([entry, number]) => ({ ...entry, number }))
    .sort((a, b) => a.number - b.number);
}

/** The text of each page. */
export function encodePages(entries: readonly NumberedEntry[]): string[] {
  const pages: NumberedEntry[][] = [];
  for (const entry of entries) (pages[Math.floor(entry.number / SLOTS)] ??= []).push(entry);
  return pages.map(encodePage);
}

export function encodePage(entries: readonly NumberedEntry[]): string {
  const stored = entries.map(({ number, title, path, seconds }): StoredEntry => [number % SLOTS, title, path, seconds]);
  return `[${stored.map((entry) => JSON.stringify(entry)).join(',\n')}]\n`;
}

export function decodePage(text: string, page: number): NumberedEntry[] {
  return (JSON.parse(text) as StoredEntry[]).map(([slot, title, path, seconds]) => ({
    number: page * SLOTS + slot,
    title,
    path,
    seconds,
  }));
}

export function toEntry({ path, title, time }: SearchDocument): TitleEntry {
  return { path, title, seconds: Math.floor(time / 1000) };
}
