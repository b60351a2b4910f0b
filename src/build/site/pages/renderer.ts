// Joins what a page sees with the theme that shows it.
import type { FormConfig } from '../../../config/form-config.ts';
import type { SiteConfig } from '../../../config/site-config.ts';
import { renderForm } from '../../../forms/pages.ts';
import { searchBoxHtml, searchClient } from '../../search/box.ts';
import { searchFolder } from '../../search/search-files.ts';
import type { FindText, PageContext } from '../../theme/page-context.ts';
import type { Lists } from '../plan/lists.ts';
import type { PlannedPage } from '../plan/plan-pages.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { DocumentReader } from '../read/document-reader.ts';
import type { Library } from '../read/library.ts';
import { feedPath } from './feed.ts';
import { createPageContext } from './page-context.ts';
import { createPageScopes } from './page-scope.ts';
import type { Recorder } from './recorder.ts';
import type { SiteTheme } from './site-theme.ts';

export interface RendererParts {
  order: {
    config: SiteConfig;
    siteId: string;
    isPreview: boolean;
    baseUrl?: string | undefined;
    adminUrl?: string | undefined;
  };
  reader: DocumentReader;
  site: SiteMap;
  lists: Lists;
  theme: SiteTheme;
  library: Library;
  recorder: Recorder;
  isOpaque(slug: string): boolean;
}

export interface Renderer {
  siteName: string;
  /** Without a slash at its end; empty if it is not known. */
  siteUrl: string;
  absoluteUrl(path: string): string;
  render(page: PlannedPage): string;
}

export function createRenderer(parts: RendererParts): Renderer {
  const { order, reader, site, lists, theme, library, recorder, isOpaque } = parts;
  const { config, isPreview } = order;
  const siteName = config.build?.siteName ?? order.siteId;
  const siteUrl = (order.baseUrl ?? config.build?.baseUrl ?? '').replace(/\/+$/, '');
  const absoluteUrl = (path: string): string => (path.startsWith('/') ? siteUrl + path : path);
  const hasSearch = config.build?.search !== false;
  const forms = new Map(config.forms.map((form) => [form.name, toFormMarkup(form, order)]));
  let context: PageContext;
  const boxes = new Map<string, string>();
  /** The same on every page of a locale. */
  function searchBox(locale: string, text: FindText): string {
    if (!hasSearch) return '';
    const known = boxes.get(locale);
    if (known !== undefined) return known;
    const index = `/${searchFolder(locale, site)}index.json`;
    const box = searchBoxHtml({ script: `/${searchClient().file}`, index, locale: locale || 'en', text });
    boxes.set(locale, box);
    return box;
  }
  const scopes = createPageScopes({
    config,
    site,
    lists,
    recorder,
    siteName,
    siteUrl,
    hasSearch,
    isPreview,
    absoluteUrl,
    feedOf: (locale) => feedPath({ config, site }, locale),
    readData: (doc) => reader.get(doc.file, doc.oid).data,
    renderField: (field, value) => theme.renderField(field, value, context),
  });
  const shared = {
    library,
    recorder,
    isOpaque,
    isPreview,
    absoluteUrl,
    assetUrl: theme.assetUrl,
    form: (name: string) => forms.get(name),
    search: searchBox,
  };
  return {
    siteName,
    siteUrl,
    absoluteUrl,
    render(page) {
      context = createPageContext(shared, page);
      return theme.render(page.layouts, scopes.scopeOf(page), context);
    },
  };
}

/** Forms are sent to the service, which the admin pages are below; without its address, to the same path as there. */
function toFormMarkup(form: FormConfig, { adminUrl = '', siteId }: RendererParts['order']): string {
  const { turnstile } = form.spam;
  const turnstileKey = typeof turnstile === 'object' ? turnstile.siteKey : undefined;
  const service = adminUrl.replace(/\/+$/, '').replace(/\/admin$/, '');
  const query = siteId === DEFAULT_SITE ? '' : `?site=${encodeURIComponent(siteId)}`;
  return renderForm(form, { action: `${service}/api/forms/${form.name}${query}`, turnstileKey }).markup;
}

/** The site that a request without another one means. */
const DEFAULT_SITE = 'default';
