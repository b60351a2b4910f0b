// A field's value as HTML by its type, for layouts that know no collection. Values of any shape are accepted, because a
// draft may hold what its type does not allow; what cannot be shown is left out.
import type { FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { toLabel } from '../../schema/label.ts';
import { formatNumber } from '../theme/dates.ts';
import { imageHtml } from '../theme/image-html.ts';
import type { PageContext } from '../theme/page-context.ts';
import type { RenderState } from '../theme/render-state.ts';
import { escapeHtml, toText } from '../theme/safe-html.ts';
import { levelsIn, shiftOf } from './heading-ids.ts';
import { richTextHtml } from './rich-text.ts';
import { sanitizeHtml } from './sanitize.ts';
import { withinTime } from './text-time.ts';
import {
  asList,
  colorHtml,
  dateHtml,
  figure,
  fileName,
  frameHtml,
  galleryHtml,
  labelOf,
  linkHtml,
  listHtml,
  mapHtml,
  paragraph,
  playerHtml,
  relationHtml,
  textHtml,
} from './value-html.ts';

type FieldHtml = (field: FieldConfig, value: unknown) => string;

/** Lists and objects within one another. */
const MAX_DEPTH = 48;

function htmlDocument(text: string, page: PageContext): string {
  return withinTime(text, page, () => sanitizeHtml(text, page, shiftOf(levelsIn(text))));
}

export function createFieldHtml(state: RenderState): FieldHtml {
  const { page } = state;
  let depth = 0;

  const byType: Partial<Record<FieldConfig['type'], FieldHtml>> = {
    richtext: (_, value) => richTextHtml(value, page()),
    htmldoc: (_, value) => htmlDocument(toText(value), page()),
    interactive: (field, value) => frameHtml(field, value),
    form: (_, value) => page().form(toText(value)) ?? '',
    number: (_, value) => (typeof value === 'number' ? paragraph(formatNumber(value, page().locale)) : ''),
    boolean: (_, value) => (typeof value === 'boolean' ? paragraph(escapeHtml(state.text(value ? 'yes' : 'no'))) : ''),
    date: (_, value) => dateHtml(value, page().locale),
    image: (_, value) => figure(imageHtml(value, {}, page())),
    video: (_, value) => playerHtml('video', value, page()),
    audio: (_, value) => playerHtml('audio', value, page()),
    file: (_, value) => linkHtml(value, fileName(value), page()),
    'image-gallery': (_, value) => galleryHtml(value, page()),
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
    email: (_, value) => linkHtml(`mailto:${toText(value)}`, toText(value), page()),
    url: (_, value) => linkHtml(value, toText(value), page()),
    color: (_, value) => colorHtml(value),
    json: (_, value) => paragraph(`<code>${escapeHtml(JSON.stringify(value))}</code>`),
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
      Array.isArray(slot) ? blocksHtml(slot) : richTextHtml(slot, page()),
    );
    return `<div class="columns">${columns.map((html) => `<div>${html}</div>`).join('')}</div>\n`;
  }

  return fieldHtml;
}
