// The markup of the search box. Hidden until its script runs; themes keep its place with
// `[data-search][hidden] { display: block; visibility: hidden }`.
import { readFileSync } from 'node:fs';
import { siblingUrl } from '../../lib/sibling.ts';
import { escapeHtml } from '../../lib/text/html.ts';

/** In the page's language; `results` by plural category, with `{count}`. */
export interface SearchTexts {
  search: string;
  label: string;
  none: string;
  results: Readonly<Record<string, string>>;
}

export interface SearchBox {
  /** Published address of the client. */
  script: string;
  /** Published address of the locale's `index.json`. */
  index: string;
  texts: SearchTexts;
}

export function searchBoxHtml({ script, index, texts }: SearchBox): string {
  const { search, label, none, results } = texts;
  const data = JSON.stringify({ ...results, none });
  return [
    `<div class="search" role="search" hidden data-search data-index="${escapeHtml(index)}" data-texts="${escapeHtml(data)}">`,
    `<input type="search" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-label="${escapeHtml(label)}"`,
    ` placeholder="${escapeHtml(search)}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">`,
    `<div class="search-results" role="listbox" aria-label="${escapeHtml(label)}" hidden></div>`,
    '<p class="search-status" role="status"></p>',
    `<script type="module" src="${escapeHtml(script)}"></script>`,
    '</div>',
  ].join('');
}
