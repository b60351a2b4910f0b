// Rich text as HTML: Markdown, or a ProseMirror document. Only elements and addresses of the allow-list come out, whatever
// goes in.
import { richTextTexts } from '../../schema/rich-text-texts.ts';
import type { PageContext } from '../theme/page-context.ts';
import { escapeHtml } from '../theme/safe-html.ts';
import { markdownHtml } from './markdown.ts';
import { proseHtml } from './prose.ts';
import type { RichTextOptions } from './rich-text-options.ts';

/** Empty for a value that is neither. */
export function richTextHtml(value: unknown, page: PageContext, options: RichTextOptions = {}): string {
  try {
    if (typeof value === 'string') return markdownHtml(value, page, options);
    if (typeof value === 'object' && value !== null) return proseHtml(value, page, options);
    return '';
  } catch (error) {
    // Nested deeper than any stack: the words are shown without their form.
    if (error instanceof RangeError) return `<p>${escapeHtml(typeof value === 'string' ? value : '')}</p>\n`;
    throw error;
  }
}

/** The text alone, its parts separated by spaces. */
export function richTextPlain(value: unknown): string {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return '';
  const texts: string[] = [];
  richTextTexts(value, texts);
  return texts.join(' ').trim();
}
