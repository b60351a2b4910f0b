// The address at which a frontend shows a preview: `previewSiteUrl` with its placeholders, or, without any, with the
// path of the document's page. Pure.

import type { SiteConfig } from '../../config/site-config.ts';
import { createAddresses } from '../../schema/address.ts';
import type { StoredDocument } from '../document.ts';

const PLACEHOLDER = /\{(collection|slug|locale|token)\}/g;

/** Null if `template` is empty. */
export function toPreviewUrl(
  template: string,
  {
    doc,
    token,
    config,
    parentOf,
  }: {
    doc: StoredDocument;
    token: string;
    config: Pick<SiteConfig, 'collections' | 'defaultLocale'>;
    parentOf(collection: string, slug: string): StoredDocument | undefined;
  },
): string | null {
  if (template === '') return null;
  const { collection, slug } = doc;
  const locale = doc.locale ?? config.defaultLocale ?? '';
  if (template.search(PLACEHOLDER) < 0) {
    const url = new URL(template);
    const path = createAddresses(config).pathOf(doc, (child, parent) => parentOf(child.collection, parent));
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${path ?? `/${collection}/${slug}/`}`;
    url.searchParams.set('preview', token);
    return url.href;
  }
  const values: Record<string, string> = { collection, slug, locale, token };
  // A site without locales has no part for one.
  const known = locale === '' ? template.replaceAll('/{locale}', '') : template;
  const url = new URL(known.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(values[name]!)));
  if (!template.includes('{token}')) url.searchParams.set('preview', token);
  return url.href;
}

/** Below it are the pages that the service makes itself, each at its token. */
export const PREVIEW_PATH = '/preview/';

/** Whether the site's theme may have a page for the document: a command builds pages that nobody else knows. */
export function hasThemePage(
  config: Pick<SiteConfig, 'collections' | 'defaultLocale' | 'build'>,
  { collection }: Pick<StoredDocument, 'collection'>,
): boolean {
  if (config.build?.command !== undefined) return false;
  return createAddresses(config).collections.includes(collection);
}
