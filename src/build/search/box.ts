// The markup of the search box, in the words of the theme. Hidden until its script runs; themes keep its place with
// `[data-search][hidden] { display: block; visibility: hidden }`.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FindText } from '../theme/page-context.ts';
import { escapeHtml } from '../theme/safe-html.ts';

export interface SearchBox {
  /** Published address of the client. */
  script: string;
  /** Published address of the locale's `index.json`. */
  index: string;
  locale: string;
  /** Keys `search`, `search_label`, `search_none`, `search_results`. */
  text: FindText;
}

export function searchBoxHtml({ script, index, locale, text }: SearchBox): string {
  const label = escapeHtml(text('search_label'));
  const texts = escapeHtml(JSON.stringify({ ...countTexts(locale, text), none: text('search_none') }));
  return [
    `<div class="search" role="search" hidden data-search data-index="${escapeHtml(index)}" data-texts="${texts}">`,
    `<input type="search" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-label="${label}"`,
    ` placeholder="${escapeHtml(text('search'))}" autocomplete="off" autocapitalize="off" spellcheck="false">`,
    `<div class="search-results" role="listbox" aria-label="${label}" hidden></div>`,
    '<p class="search-status" role="status"></p>',
    `<script type="module" src="${escapeHtml(script)}"></script>`,
    '</div>',
  ].join('');
}

/** Enough to meet every plural form of every language. */
const SAMPLES = [0, 1, 2, 3, 5, 11, 100, 1_000_000];

/** The number of results in each plural form of the language, with `{count}` for the number. */
function countTexts(locale: string, text: FindText): Record<string, string> {
  const rules = new Intl.PluralRules(locale);
  const texts: Record<string, string> = {};
  for (const count of SAMPLES)
    texts[rules.select(count)] ??= text('search_results', { count }).replace(`${count}`, '{count}');
  return texts;
}

let client: { file: string; bytes: Buffer } | undefined;

/** The client as a published file: its path below the root has a fingerprint. */
export function searchClient(): { file: string; bytes: Buffer } {
  if (!client) {
    const source = readFileSync(new URL('client.js', import.meta.url), 'utf8');
    // Without comments and indentation; it has neither in a text.
    const bytes = Buffer.from(source.replace(/^\s*\/[/*].*\n/gm, '').replace(/^\s+/gm, ''));
    client = { file: `assets/search-${hash('sha256', bytes).slice(0, 10)}.js`, bytes };
  }
  return client;
}
