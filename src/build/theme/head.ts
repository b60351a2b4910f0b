// `{% head %}`: what browsers, search engines and other sites read of a page.
import { isObject } from '../../lib/json.ts';
import type { PageContext } from './page-context.ts';
import { escapeHtml, toAttributes, toText } from './safe-html.ts';

type Values = Record<string, unknown>;

export function headHtml(scope: Values, named: Values, context: PageContext): string {
  const page = readable(scope.page);
  const site = readable(scope.site);
  const name = toText(site.name);
  const title = toText(named.title ?? page.title);
  const description = toText(named.description ?? page.description);
  const alternates = Array.isArray(page.alternates) ? page.alternates.map(readable) : [];
  const canonical = toText(page.absolute_url);
  const hasAddress = /^https?:/.test(canonical) && page.kind !== '404';
  const image = context.image(named.image ?? page.image, [1200]);
  const isDocument = page.kind === 'document' && readable(scope.document).date !== undefined;
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title === name || name === '' ? title : title === '' ? name : `${title} · ${name}`)}</title>`,
    description && meta({ name: 'description', content: description }),
    context.isPreview || page.kind === '404' ? meta({ name: 'robots', content: 'noindex' }) : '',
    hasAddress && link({ rel: 'canonical', href: canonical }),
    ...alternates.map((one) =>
      link({ rel: 'alternate', hreflang: toText(one.locale), href: context.absoluteUrl(toText(one.url)) }),
    ),
    ...xDefault(alternates, toText(site.locale), context),
    site.feed && link({ rel: 'alternate', type: 'application/rss+xml', title: name, href: toText(site.feed) }),
    meta({ property: 'og:title', content: title }),
    description && meta({ property: 'og:description', content: description }),
    meta({ property: 'og:type', content: isDocument ? 'article' : 'website' }),
    hasAddress && meta({ property: 'og:url', content: canonical }),
    name && meta({ property: 'og:site_name', content: name }),
    image && meta({ property: 'og:image', content: context.absoluteUrl(image.src) }),
    image && meta({ name: 'twitter:card', content: 'summary_large_image' }),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Search engines show it to people of every other language. */
function xDefault(alternates: readonly Values[], defaultLocale: string, context: PageContext): string[] {
  const found = alternates.find(({ locale }) => locale === defaultLocale);
  if (!found) return [];
  return [link({ rel: 'alternate', hreflang: 'x-default', href: context.absoluteUrl(toText(found.url)) })];
}

const meta = (attributes: Record<string, string>): string => `<meta${toAttributes(attributes)}>`;
const link = (attributes: Record<string, string>): string => `<link${toAttributes(attributes)}>`;

function readable(value: unknown): Values {
  return isObject(value) ? value : {};
}
