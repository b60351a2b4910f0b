// A post or page of WordPress as the front matter and text that a file of it would have. Knows nothing of collections but
// their names.
import type { Data } from '../content/document.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { toIsoDate } from './timestamp.ts';
import type { WxrItem } from './wxr.ts';

/** What an export has besides content. */
const NOT_CONTENT =
  /^(attachment|revision|nav_menu_item|custom_css|customize_changeset|oembed_cache|user_request|wp_.*|)$/;
/** Never saved by a person, removed, or part of something else. */
const NOT_WRITTEN = new Set(['auto-draft', 'trash', 'inherit']);

export function isContent({ type, texts }: WxrItem): boolean {
  return !NOT_CONTENT.test(type) && !NOT_WRITTEN.has(texts['wp:status'] ?? '');
}

/** `post` is the collection `post`, or `posts`. */
export function collectionNames({ type }: WxrItem): string[] {
  return [type, `${type}s`];
}

/** Empty values are left out. `private`, `pending` and `draft` are drafts, `future` is one that is published at its date. */
export function toMatter({ texts, categories, tags, fields }: WxrItem): { data: Data; body: string } {
  const status = texts['wp:status'];
  const date = toMoment(texts['wp:post_date_gmt']) ?? toMoment(texts['wp:post_date']);
  const slug = decodeSlug(texts['wp:post_name'] ?? '');
  const given = {
    ...fields,
    title: texts.title,
    slug,
    date,
    author: texts['dc:creator'],
    excerpt: texts['excerpt:encoded']?.trim(),
    categories: categories.length > 0 ? categories : undefined,
    tags: tags.length > 0 ? tags : undefined,
    status: status === 'publish' ? 'published' : 'draft',
    publishAt: status === 'future' ? date : undefined,
  };
  const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
  return { data, body: toText(texts['content:encoded'] ?? '') };
}

/** Captions of the classic editor are text below their picture. */
function toText(html: string): string {
  return htmlToMarkdown(html.replace(/\r\n?/g, '\n').replace(/\[\/?caption\b[^\]\n]{0,500}\]/g, ''));
}

function toMoment(text: string | undefined): string | undefined {
  // A draft has 0000-00-00 00:00:00.
  return text === undefined ? undefined : toIsoDate(text.trim());
}

/** Slugs of other scripts are percent-encoded. */
function decodeSlug(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return name;
  }
}
