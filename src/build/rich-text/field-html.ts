// A field's value as HTML by its type, for layouts that know no collection. Values of any shape are accepted, because a
// draft may hold what its type does not allow; what cannot be shown is left out.
import type { FieldConfig, OptionConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { toLabel } from '../../schema/label.ts';
import { formatDate, formatNumber } from '../theme/dates.ts';
import { imageHtml } from '../theme/image-html.ts';
import type { RenderState } from '../theme/render-state.ts';
import { escapeHtml, toAttributes, toText } from '../theme/safe-html.ts';
import { richTextHtml } from './rich-text.ts';
import { sanitizeHtml } from './sanitize.ts';

type FieldHtml = (field: FieldConfig, value: unknown) => string;

/** Lists and objects within one another. */
const MAX_DEPTH = 48;
/** Below the title of the page, and the label of a field. */
const HEADING_SHIFT = 1;
const GALLERY_SIZES = '(min-width: 48rem) 22rem, 50vw';

export function createFieldHtml(state: RenderState): FieldHtml {
  const { page } = state;
  let depth = 0;

  const byType: Partial<Record<FieldConfig['type'], FieldHtml>> = {
    richtext: (_, value) => richTextHtml(value, page(), { shift: HEADING_SHIFT }),
    interactive: (field, value) => interactiveHtml(field, toText(value)),
    form: (_, value) => page().form(toText(value)) ?? '',
    htmldoc: (_, value) => sanitizeHtml(toText(value), page()),
    number: (_, value) => (typeof value === 'number' ? paragraph(formatNumber(value, page().locale)) : ''),
    boolean: (_, value) => paragraph(value === true ? '✓' : '–'),
    date: (_, value) => dateHtml(value, page().locale),
    image: (_, value) => figure(imageHtml(value, {}, page())),
    video: (_, value) => playerHtml('video', value),
    audio: (_, value) => playerHtml('audio', value),
    file: (_, value) => linkHtml(value, fileName(value)),
    'image-gallery': (_, value) => galleryHtml(value),
    tags: (_, value) =>
      listHtml(
        asList(value).map((tag) => escapeHtml(toText(tag))),
        'tags',
      ),
    select: (field, value) =>
      paragraph(
        asList(value)
          .map((one) => labelOf(field.options, one))
          .join(', '),
      ),
    relation: (_, value) => listHtml(asList(value).map(relationHtml), 'relations'),
    array: (field, value) => arrayHtml(field, value),
    object: (field, value) => objectHtml(field.fields ?? [], value),
    blocks: (_, value) => blocksHtml(value),
    'column-slots': (_, value) => slotsHtml(value),
    map: (_, value) => mapHtml(value),
  };

  function fieldHtml(field: FieldConfig, value: unknown): string {
    if (value === null || value === undefined || value === '' || depth >= MAX_DEPTH) return '';
    depth++;
    try {
      return (byType[field.type] ?? textHtml)(field, value);
    } finally {
      depth--;
    }
  }

  function playerHtml(name: 'video' | 'audio', value: unknown): string {
    const src = typeof value === 'string' ? page().link(value) : '#';
    return src === '#' ? '' : `<${name}${toAttributes({ src, controls: true, preload: 'metadata' })}></${name}>\n`;
  }

  function linkHtml(value: unknown, text: string): string {
    return typeof value === 'string'
      ? `<p><a${toAttributes({ href: page().link(value) })}>${escapeHtml(text)}</a></p>\n`
      : '';
  }

  function galleryHtml(value: unknown): string {
    const pictures = asList(value).map((one) => imageHtml(one, { sizes: GALLERY_SIZES }, page()));
    return listHtml(pictures, 'gallery');
  }

  function relationHtml(value: unknown): string {
    if (typeof value !== 'object' || value === null) return '';
    const { title, url } = value as { title?: unknown; url?: unknown };
    const text = escapeHtml(toText(title));
    return typeof url === 'string' ? `<a${toAttributes({ href: url })}>${text}</a>` : text;
  }

  function arrayHtml({ fields }: FieldConfig, value: unknown): string {
    return listHtml(
      asList(value).map((one) => (fields ? objectHtml(fields, one) : escapeHtml(toText(one)))),
      'items',
    );
  }

  function objectHtml(fields: readonly FieldConfig[], value: unknown): string {
    if (!isObject(value)) return '';
    const rows = fields.flatMap((field) => {
      const html = fieldHtml(field, value[field.name]);
      return html === ''
        ? []
        : [`<div><dt>${escapeHtml(field.label ?? toLabel(field.name))}</dt><dd>${html.trim()}</dd></div>`];
    });
    return rows.length > 0 ? `<dl>${rows.join('')}</dl>\n` : '';
  }

  function blocksHtml(value: unknown): string {
    return asList(value)
      .filter(isObject)
      .map((block) => {
        const name = toText(block._block);
        const own = /^[A-Za-z0-9_-]+$/.test(name) ? state.renderBlock(name, block) : undefined;
        return own ?? objectHtml(state.blockFields(name), block);
      })
      .join('\n');
  }

  /** Columns of rich text or of blocks, by their names. */
  function slotsHtml(value: unknown): string {
    if (!isObject(value)) return '';
    const columns = Object.values(value).map((slot) =>
      Array.isArray(slot) ? blocksHtml(slot) : richTextHtml(slot, page(), { shift: HEADING_SHIFT }),
    );
    return `<div class="columns">${columns.map((html) => `<div>${html}</div>`).join('')}</div>\n`;
  }

  function mapHtml(value: unknown): string {
    if (!isObject(value)) return '';
    const { lat, lng, address, zoom } = value;
    const text = toText(address) || `${toText(lat)}, ${toText(lng)}`;
    if (typeof lat !== 'number' || typeof lng !== 'number') return paragraph(escapeHtml(text));
    const level = typeof zoom === 'number' ? zoom : 15;
    const href = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=${level}/${lat}/${lng}`;
    return `<p><a${toAttributes({ href })}>${escapeHtml(text)}</a></p>\n`;
  }

  return fieldHtml;
}

function textHtml(_: FieldConfig, value: unknown): string {
  const lines = toText(value).trim();
  if (lines === '') return '';
  return lines
    .split(/\n\s*\n/)
    .map((part) => paragraph(escapeHtml(part.trim()).replace(/\r?\n/g, '<br>\n')))
    .join('');
}

/** A small program of an editor, in a frame of its own origin: it reaches neither the page nor what the page reaches. */
function interactiveHtml({ name, label }: FieldConfig, source: string): string {
  const attributes = { sandbox: 'allow-scripts', srcdoc: source, title: label ?? toLabel(name), loading: 'lazy' };
  return `<iframe class="interactive"${toAttributes(attributes)}></iframe>\n`;
}

function dateHtml(value: unknown, locale: string): string {
  const text = formatDate(value, 'long', locale);
  return text ? `<p><time${toAttributes({ datetime: toText(value) })}>${escapeHtml(text)}</time></p>\n` : '';
}

function labelOf(options: readonly OptionConfig[] | undefined, value: unknown): string {
  const found = options?.find((option) => (typeof option === 'object' ? option.value : option) === value);
  return escapeHtml(toText(typeof found === 'object' ? found.label : (found ?? value)));
}

function fileName(value: unknown): string {
  return toText(value).split(/[?#]/)[0]!.split('/').at(-1) ?? '';
}

const paragraph = (html: string): string => (html === '' ? '' : `<p>${html}</p>\n`);
const figure = (html: string): string => (html === '' ? '' : `<figure>${html}</figure>\n`);

function listHtml(items: readonly string[], name: string): string {
  const shown = items.filter((item) => item !== '');
  return shown.length === 0
    ? ''
    : `<ul class="${name}">${shown.map((item) => `<li>${item.trim()}</li>`).join('')}</ul>\n`;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
