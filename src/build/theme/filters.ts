// The filters that themes have besides LiquidJS's own (README.md). They work on values, know the page through the
// state, and never read anything else.
import type { Liquid } from 'liquidjs';
import { toSlug } from '../../lib/text/slug.ts';
import { richTextHtml, richTextPlain } from '../rich-text/rich-text.ts';
import { DATE_STYLES, formatDate, formatNumber } from './dates.ts';
import type { RenderState } from './render-state.ts';
import { escapeHtml, SafeHtml, toText } from './safe-html.ts';
import type { ThemeTexts } from './theme-settings.ts';

const DEFAULT_EXCERPT = 160;

export function registerFilters(liquid: Liquid, state: RenderState, texts: ThemeTexts): void {
  const { page } = state;
  const filters: Record<string, (value: unknown, ...args: never[]) => unknown> = {
    url: (value) => page().link(toText(value)),
    absolute_url: (value) => page().absoluteUrl(toText(value)),
    asset_url(value) {
      const name = toText(value);
      const address = page().assetUrl(name);
      if (address === undefined) throw new Error(`the theme has no file "assets/${name}"`);
      return address;
    },
    richtext: (value, ...args) =>
      new SafeHtml(richTextHtml(value, page(), { shift: Number(named(args).shift ?? 0) || 0 })),
    plain: (value) => richTextPlain(value),
    excerpt: (value, length) => toExcerpt(richTextPlain(value), Number(length ?? DEFAULT_EXCERPT)),
    date(value, style, locale) {
      const name = toText(style ?? 'long');
      const text = formatDate(value, name, toText(locale) || page().locale);
      if (text === undefined) throw new Error(`no date style "${name}"; use one of ${DATE_STYLES.join(', ')}`);
      return text;
    },
    number: (value) =>
      Number.isFinite(Number(value)) && value !== null ? formatNumber(Number(value), page().locale) : '',
    t: (value, ...args) => texts.find(page().locale, toText(value), named(args)),
    slugify: (value) => toSlug(toText(value)),
    json: (value) => new SafeHtml(toScriptJson(value)),
    escape: (value) => new SafeHtml(escapeHtml(toText(value))),
    newline_to_br: (value) => new SafeHtml(escapeHtml(toText(value)).replace(/\r?\n/g, '<br>\n')),
  };
  for (const [name, filter] of Object.entries(filters))
    liquid.registerFilter(name, filter as (value: unknown) => unknown);
}

/** Named arguments of a filter: LiquidJS gives each as a pair. */
function named(args: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(args.filter((one): one is [string, unknown] => Array.isArray(one) && one.length === 2));
}

/** Ends at a word, with an ellipsis if something was left out. */
function toExcerpt(text: string, length: number): string {
  const clean = text.replace(/\s+/g, ' ').trim();
  if (clean.length <= length) return clean;
  const cut = clean.slice(0, length + 1).replace(/\s+\S*$/, '');
  return `${(cut.length > length ? cut.slice(0, length) : cut).replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** JSON that cannot end a script element, nor begin a comment in one. */
function toScriptJson(value: unknown): string {
  const text = JSON.stringify(value instanceof SafeHtml ? value.html : value) ?? 'null';
  return text
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
