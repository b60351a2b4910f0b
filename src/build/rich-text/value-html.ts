// Values without others in them, as HTML. Values of any shape are accepted; what cannot be shown is left out.
import type { FieldConfig, OptionConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { toLabel } from '../../schema/label.ts';
import { formatDate } from '../theme/dates.ts';
import { imageHtml } from '../theme/image-html.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml, toAttributes, toText } from '../theme/safe-html.ts';

const PLAYABLE = /\.(?:mp4|m4v|webm|ogv|mov|mp3|m4a|aac|ogg|oga|opus|wav|flac)(?:[?#]|$)/i;
const GALLERY_SIZES = '(min-width: 48rem) 22rem, 50vw';

/** A player for a file, a link to a page that has one. Only files of the site load before someone plays them. */
export function playerHtml(name: 'video' | 'audio', value: unknown, page: PageContext): string {
  const src = typeof value === 'string' ? page.link(value) : '#';
  if (src === '#') return '';
  const isOwn = src.startsWith('/');
  if (!isOwn && !PLAYABLE.test(src)) return linkHtml(value, src, page);
  return `<${name}${toAttributes({ src, controls: true, preload: isOwn ? 'metadata' : 'none' })}></${name}>\n`;
}

/** A program that an editor wrote: it runs in a frame that reaches nothing of the site. */
export function frameHtml({ name, label }: FieldConfig, value: unknown): string {
  const srcdoc = toText(value);
  return `<iframe${toAttributes({ class: 'interactive', sandbox: 'allow-scripts', loading: 'lazy', title: label ?? toLabel(name), srcdoc })}></iframe>\n`;
}

export function linkHtml(value: unknown, text: string, page: PageContext): string {
  return typeof value === 'string'
    ? `<p><a${toAttributes({ href: page.link(value) })}>${escapeHtml(text)}</a></p>\n`
    : '';
}

export function galleryHtml(value: unknown, page: PageContext): string {
  const pictures = asList(value).map((one) => imageHtml(one, { sizes: GALLERY_SIZES }, page));
  return listHtml(pictures, 'gallery');
}

export function relationHtml(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { title, url } = value as { title?: unknown; url?: unknown };
  const text = escapeHtml(toText(title));
  return typeof url === 'string' ? `<a${toAttributes({ href: url })}>${text}</a>` : text;
}

export function mapHtml(value: unknown): string {
  if (!isObject(value)) return '';
  const { lat, lng, address, zoom } = value;
  const text = toText(address) || `${toText(lat)}, ${toText(lng)}`;
  if (typeof lat !== 'number' || typeof lng !== 'number') return paragraph(escapeHtml(text));
  const level = typeof zoom === 'number' ? zoom : 15;
  const href = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=${level}/${lat}/${lng}`;
  return `<p><a${toAttributes({ href })}>${escapeHtml(text)}</a></p>\n`;
}

export function textHtml(_: FieldConfig, value: unknown): string {
  const lines = toText(value).trim();
  if (lines === '') return '';
  return lines
    .split(/\n\s*\n/)
    .map((part) => paragraph(escapeHtml(part.trim()).replace(/\r?\n/g, '<br>\n')))
    .join('');
}

export function dateHtml(value: unknown, locale: string): string {
  const text = formatDate(value, 'long', locale);
  return text ? `<p><time${toAttributes({ datetime: toText(value) })}>${escapeHtml(text)}</time></p>\n` : '';
}

/** The name of the colour with a sample of it, which needs no style of its own: pages allow none. */
export function colorHtml(value: unknown): string {
  const text = toText(value);
  if (!/^#[0-9a-fA-F]{3,8}$/.test(text)) return paragraph(escapeHtml(text));
  const sample = `<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${text}"/></svg>`;
  return paragraph(`${sample} <code>${escapeHtml(text)}</code>`);
}

export function labelOf(options: readonly OptionConfig[] | undefined, value: unknown): string {
  const found = options?.find((option) => (typeof option === 'object' ? option.value : option) === value);
  return escapeHtml(toText(typeof found === 'object' ? found.label : (found ?? value)));
}

export function fileName(value: unknown): string {
  return toText(value).split(/[?#]/)[0]!.split('/').at(-1) ?? '';
}

export const paragraph = (html: string): string => (html === '' ? '' : `<p>${html}</p>\n`);
export const figure = (html: string): string => (html === '' ? '' : `<figure>${html}</figure>\n`);

export function listHtml(items: readonly string[], name: string): string {
  const shown = items.filter((item) => item !== '');
  return shown.length === 0
    ? ''
    : `<ul class="${name}">${shown.map((item) => `<li>${item.trim()}</li>`).join('')}</ul>\n`;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
